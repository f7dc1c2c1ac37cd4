"""Lists of players within a longer line: `1/2 NL at Pete's. Seats: 1 Ana 500, 2 Bo 300`, `Ana with $200, Bo with …`."""

from __future__ import annotations

import re
from typing import Final

from ledger.formats.handscript.notes.headings import AMOUNT

CHIPS: Final = rf"(?:{AMOUNT})(?<!,)"
_TITLE: Final = r"(?:(?:the|young|old|big|little)\s)?"
_NAME: Final = rf"(?<![\w'.-]){_TITLE}[A-Z][\w'.-]{{0,30}}(?:\s(?:[A-Z][\w'.-]{{0,30}}|\"[^\"]{{1,30}}\")){{0,3}}"
_STACK_WORDS: Final = (
    r",?\s(?:with|has|had|on|sat with|started with|starts with|behind|sitting on|sits on|playing|brings|brought)\s"
)
_PLAYER_WITH: Final = rf"{_NAME}(?:\s\(\w+\))?{_STACK_WORDS}(?:about\s|roughly\s)?{CHIPS}"
_PROSE_LIST: Final = re.compile(rf"{_PLAYER_WITH}(?:(?:,\sand\s|,\s|\sand\s|;\s){_PLAYER_WITH}){{2,11}}")
"""`Ana with $200, Bo with $150 and Cy with $300`: a list in seat order."""
_STACK_WORDS_BEFORE_AMOUNT: Final = re.compile(rf"{_STACK_WORDS}(?:about\s|roughly\s)?(?=[$€£]?[\d.])")
_PLAYER_SEPARATOR: Final = re.compile(r",\sand\s|,\s|\sand\s|;\s")
_BOUNDARY: Final = re.compile(r"(?<=[.:;!?])\s+|\s-\s|\s{2,}|\s(?=\()")
"""Where a list may begin or end within a line."""
_MAX_TEXT_LENGTH: Final = 1_000
_MAX_BOUNDARIES: Final = 12
_NAMED_SEAT: Final = r"(?<![\w'.-])(?P<{0}>[^\W\d_][\w'.-]{{0,30}}(?:\s[^\W\d_][\w'.-]{{0,30}}){{0,2}})"
_SEAT_IN_BRACKETS: Final = re.compile(
    rf"{_NAMED_SEAT.format('name')}\s?\((?:in\s)?(?:seat|s)\s?(?P<seat>\d{{1,2}})\s?[,;:/-]?\s?(?:with\s)?(?P<stack>{CHIPS})\)",
    re.IGNORECASE,
)
_STACK_IN_BRACKETS: Final = re.compile(
    rf"{_NAMED_SEAT.format('name')}\s?\((?P<stack>{CHIPS})\s?[,;:/-]?\s?(?:in\s)?(?:seat|s)\s?(?P<seat>\d{{1,2}})\)",
    re.IGNORECASE,
)
_SEAT_WITH_STACK: Final = re.compile(
    rf"{_NAMED_SEAT.format('name')},?\s\(?(?:in\s)?seat\s?(?P<seat>\d{{1,2}})\)?\s?[,:-]?\s(?:with\s|has\s|-\s)?(?P<stack>{CHIPS})",
    re.IGNORECASE,
)
_BRACKETED: Final = (_SEAT_IN_BRACKETS, _STACK_IN_BRACKETS, _SEAT_WITH_STACK)
_SEAT_BETWEEN: Final = re.compile(
    rf"(?<![\w'.-])(?P<name>[A-Z][\w'.-]{{0,30}}(?:\s[A-Z][\w'.-]{{0,30}})?)\s(?P<seat>\d{{1,2}})\s?\((?P<stack>{CHIPS})\)[,;]?"
)
_UNMARKED: Final = re.compile(r"(?<=\))\s(?=\d{1,2}\s[A-Z])")
"""`Ana (seat 1, 500)`, `Ana (500, seat 1)`, `Ana in seat 1 with 500`."""
_VERSUS: Final = re.compile(r"(?<=\d)\)?\s(?:v\.?|vs\.?|versus|against|&|and|/)\s(?=seat\s\d)", re.IGNORECASE)


def find_prose_list(text: str) -> tuple[str, str]:
    """Return a line before its list in a sentence, and the list; empty texts if there is none."""
    match = _PROSE_LIST.search(text) if len(text) < _MAX_TEXT_LENGTH else None
    if match is None:
        return "", ""
    players = _PLAYER_SEPARATOR.split(_STACK_WORDS_BEFORE_AMOUNT.sub(" ", match[0]))
    text_before_list = text[: match.start()]
    sentence_end = max(text_before_list.rfind(". "), text_before_list.rfind(": ")) + 1
    return text_before_list[:sentence_end], "players in order: " + ", ".join(players)


def put_seats_first(text: str) -> str:
    """Rewrite `Ana (seat 1, 500) v Bo (seat 2, 500)` as `seat 1 Ana 500, seat 2 Bo 500`."""
    if "seat" not in text.lower() and "(" not in text:
        return text
    text = _UNMARKED.sub(", ", text)  # 2 Pak (600) 3 Weiss (410)
    if len(_SEAT_BETWEEN.findall(text)) > 1:  # Amy 1 ($200) Burt 2 ($200)
        return _SEAT_BETWEEN.sub(lambda match: f"seat {match['seat']} {match['name']} {match['stack']},", text).rstrip(
            " ,"
        )
    for pattern in _BRACKETED:
        rewritten, count = pattern.subn(lambda match: f"seat {match['seat']} {match['name']} {match['stack']}", text)
        if count > 1:
            return _VERSUS.sub(", ", rewritten)
    return text


def find_boundaries(text: str) -> list[int]:
    """Return where a list may begin in a line, from the left."""
    if len(text) > _MAX_TEXT_LENGTH:
        return []
    return [match.end() for match in _BOUNDARY.finditer(text)][:_MAX_BOUNDARIES]


def find_sentence_ends(text: str) -> list[int]:
    """Return where a list at the start of a text may end, from the right."""
    ends = [match.start() for match in re.finditer(r"(?<=[.)!\d])\s+(?=[A-Z(])|(?<=[.!])\s|,\s", text)]
    return ends[-_MAX_BOUNDARIES:][::-1]
