"""Parses lists of players, on one line or several, and lines about players who sit down later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import embedded_lists, list_layouts
from ledger.formats.handscript.notes.clock_times import split_time
from ledger.formats.handscript.notes.cursor import SEAT_MOST
from ledger.formats.handscript.notes.hand_headings import begins_hand
from ledger.formats.handscript.notes.headings import AMOUNT, parse_amount
from ledger.formats.handscript.notes.table_words import RESERVED


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """A player of the list. `seat` is 0 if the list has no numbers."""

    seat: int
    name: str
    stack: Decimal | None
    lists_stack: bool  # the list gives a stack, or marks it as unknown
    approximate: bool = False
    by_order: bool = False  # numbered by the order of the list
    in_blinds: bool = False  # the stack is in big blinds
    is_writer: bool = False


_NAME: Final = r"[^\W\d_][\w.'-]{0,40}(?:\s+(?:[^\W\d_][\w.'-]{0,40}|\"[^\"]{0,40}\")){0,3}?"
_NUMBERED_NAME: Final = rf"{_NAME}(?:\s\d)?"
"""A name such as Villain 1, next to its seat."""
_ENTRY: Final = re.compile(
    rf"""\s*(?:(?P<label>seat|s|\#)\s*)?(?P<seat>\d{{1,2}})\s*[:.)=-]?\s+
    (?:(?P<name>"[^"]*"|{_NAME})\s*)??[:,(=-]?\s*
    (?:(?:with|has|stack(?:\s+of)?|for|on|in\s+for)\b\s*)?
    (?P<stack>[~≈]?\s?{AMOUNT}|\?|unknown|unclear)?\s*(?:chips|behind)?\)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED_ENTRY: Final = re.compile(
    rf"""\s*(?:(?P<name>"[^"]*"|{_NUMBERED_NAME}(?=\s*[(,]?\s*(?:in\s+)?seat)|{_NAME}))\s*
    (?:[(,]?\s*(?:in\s+)?seat\s+(?P<seat>\d{{1,2}})\)?)?\s*[:,=-]?\s*
    (?:(?:with|has|stack)\b\s*)?(?P<stack>[~≈]?\s?{AMOUNT}|\?|unknown|unclear)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_ORDER_WORDS: Final = re.compile(
    r"\(?\b(?:clockwise|in order|left to right|around the table|in seat order)\b\)?", re.IGNORECASE
)
_DESCRIPTION: Final = re.compile(r"\((?!\s*seat\b)[^()\d]*\)", re.IGNORECASE)
"""A description of a player: (male, blue shirt)."""
_OCCUPIED: Final = re.compile(
    r"^\s*seats?\s+(?:occupied|taken)\s*:[\s\d,]*(?:and\s+\d+)?\.?\s*(?=stacks?\b)", re.IGNORECASE
)
_NEXT_SEAT: Final = re.compile(r"(?<=[\w.)])\s+(?=s(?:eat)?\s?\d{1,2}\b)", re.IGNORECASE)
_BULLET: Final = re.compile(r"^\s*(?:[-*•·>]+\s+|\|\s*)")
_WITH_SHORTHAND: Final = re.compile(r"\bw/\s?(?=\S)", re.IGNORECASE)
_CIRCA: Final = re.compile(r"\b(?:about|approx(?:\.|imately)?|around|roughly|circa)\s*(?=[$€£]?\d)", re.IGNORECASE)
_ISH_AMOUNT: Final = re.compile(rf"({AMOUNT})-?ish\b", re.IGNORECASE)
_UNKNOWN: Final = re.compile(
    r"\b(?:covers(?: (?:me|him|her|everyone|everybody|us|all))?|not counted|can't see|(?:stack )?not visible|unknown|unclear)\b(?: stack)?",
    re.IGNORECASE,
)
_SEAT_LAST: Final = re.compile(
    rf"\s*(?P<name>{_NAME})\s*[,:(-]?\s*(?P<stack>[~≈]?{AMOUNT}|\?)\)?\s*,?\s*[(,]?(?:in\s+)?seat\s*(?P<seat>\d{{1,2}})\)?\s*",
    re.IGNORECASE,
)
"""`Gary $40 seat 1`: the seat comes last."""
_ROW: Final = re.compile(r"^\s*\|?\s*(?:seat\s*)?\d{1,2}\s*\|[^|]+\|[^|]*\|?\s*$", re.IGNORECASE)
"""A row of a table: | 1 | Ana | 500 |."""
_EMPTY: Final = re.compile(
    r"\s*(?:seat|s)?\s*\d{1,2}\s*[:.)=-]?\s*[(]?(?:empty|open|nobody|no one|vacant|--?)(?:\s(?:seat|chair))?[)]?\s*",
    re.IGNORECASE,
)
_HEADING_ROW: Final = re.compile(
    r"^[\s|#:]*(?:seats?|name|names|player|players|stacks?|chips|pos|position|[\s|#:/,-])+$", re.IGNORECASE
)
_LABEL: Final = re.compile(r"^\s*(?:[A-Za-z' ]{0,40}[:.])\s*(?=\D*\d|\w)")
_LABEL_WORD: Final = re.compile(
    r"seat|player|line[- ]?up|stacks|table opens|in the game|\bin:|playing|sitting|present", re.IGNORECASE
)
_CHUNK_MARK: Final = re.compile(r",(?!\d{3}(?!\d))|;|\s/\s|\||\s·\s|\s•\s")
"""What separates the players of a list; the comma in 1,200 doesn't."""
_MAX_CHUNKS: Final = 30
"""No list of players has more parts."""


def is_row_of_names(text: str) -> bool:
    """Whether a line is a header row such as `seat name chips`, or an empty seat."""
    return bool(_HEADING_ROW.match(text) or _EMPTY.fullmatch(text)) and bool(text.strip())


_WRITTEN_PLAYER: Final = re.compile(
    r'seat (?P<seat>\d{1,2}) "(?P<name>[^"]{1,200})" (?P<stack>\?|[\d.]{0,20})(?P<circa>~?)(?P<blinds>(?:bb)?)(?P<own>(?: me)?)(?P<order>(?: in order)?)(?:, |$)'
)
"""A player as `player_lists` writes one."""


def read_written(text: str) -> list[SeatEntry]:
    """Parse a list in the form of `player_lists`; return none if the line isn't one."""
    if not text.startswith("seat ") or "".join(match[0] for match in _WRITTEN_PLAYER.finditer(text)) != text:
        return []
    return [
        SeatEntry(
            int(match["seat"]),
            match["name"],
            Decimal(match["stack"]) if match["stack"] not in ("", "?") else None,
            lists_stack=bool(match["stack"]),
            approximate=bool(match["circa"]),
            by_order=bool(match["order"]),
            in_blinds=bool(match["blinds"]),
            is_writer=bool(match["own"]),
        )
        for match in _WRITTEN_PLAYER.finditer(text)
    ]


def read_unnumbered(text: str) -> SeatEntry | None:
    """Parse a line such as `Ana 500`, one of several in seat order."""
    text = _mark_stacks(" ".join(text.split())).strip(" .")
    match = _NAMED_ENTRY.fullmatch(text)
    if match is None or match["seat"] or not (match["stack"] or "").strip():
        return None
    entry = _parse_entry(text, allows_name_only=True)
    return entry if entry is not None and entry.lists_stack and entry.name[:1].isupper() else None


def read_seats(text: str) -> list[SeatEntry]:
    """Parse a list of seats; return none if the line isn't one."""
    return list(_read_seats(text))


@lru_cache(maxsize=1_000)
def _read_seats(text: str) -> list[SeatEntry]:
    if written_entries := read_written(text):
        return written_entries
    text = _WITH_SHORTHAND.sub("with ", list_layouts.normalize_list(text))
    is_ordered = bool(_ORDER_WORDS.search(text))
    text = _mark_stacks(text)
    if _ROW.match(text):
        text = " ".join(cell.strip() for cell in text.strip(" |").split("|"))
    body = _OCCUPIED.sub("", _DESCRIPTION.sub(" ", _ORDER_WORDS.sub("", text)).strip(" ."))
    body_start = _find_body_start(body)
    is_announced = is_ordered or body_start > 0
    chunks = _split_chunks(body[body_start:])
    allows_name_only = is_announced or len(chunks) > 2
    entries = [entry for chunk in chunks if (entry := _parse_entry(chunk, allows_name_only=allows_name_only))]
    if not chunks or len(entries) < len(chunks) or not _is_list(entries, chunks, is_announced):
        return []
    return entries if all(entry.seat for entry in entries) else _number_in_order(entries)


def _mark_stacks(text: str) -> str:
    """Write `about 500` and `500ish` as `~500`, and a stack that nobody counted as `?`; drop the bullet."""
    return _UNKNOWN.sub("?", _ISH_AMOUNT.sub(r"~\1", _CIRCA.sub("~", _BULLET.sub("", text))))


def _find_body_start(text: str) -> int:
    """Return where a list begins after its label, such as `Players:`; 0 if it has no label."""
    label_match = _LABEL.match(text)
    if label_match is not None and _LABEL_WORD.search(label_match[0]):
        return label_match.end()
    return len("seats ") if text[:6].lower() == "seats " else 0


def _split_chunks(body: str) -> list[str]:
    """Split a list into its players, without empty seats; return none if no list is so long."""
    chunks = [chunk for chunk in _CHUNK_MARK.split(body) if chunk.strip()]
    if len(chunks) > _MAX_CHUNKS:
        return []
    occupied_chunks = [chunk for chunk in chunks if not _EMPTY.fullmatch(chunk)]
    return _merge_chunks([part for chunk in occupied_chunks for part in _split_seats(chunk)])


def _number_in_order(entries: list[SeatEntry]) -> list[SeatEntry]:
    """Return the players with seats by the order of the list; none if it holds seats, or numbers that may be seats."""
    if any(entry.seat for entry in entries) or _may_be_seats(entries):
        return []
    return [replace(entry, seat=seat_number, by_order=True) for seat_number, entry in enumerate(entries, 1)]


def _may_be_seats(entries: list[SeatEntry]) -> bool:
    """Whether the numbers of a list may be seats as well as stacks: `Ana 1, Bo 2, Cy 4`."""
    numbers = [entry.stack for entry in entries if entry.stack is not None]
    return len(numbers) > 1 and max(numbers) <= SEAT_MOST and numbers == sorted(set(numbers))


def split_lists(note_lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; above the first hand a list within a longer line gets a line of its own."""
    is_above = True
    for line in note_lines:
        is_above = is_above and not begins_hand(line.text)
        parts = _split_embedded(line.text) if is_above and any(map(str.isdigit, line.text)) else ()
        if not parts:
            yield line
        for part in parts:
            if part.strip():
                yield line._replace(text=part)


@lru_cache(maxsize=1_000)
def _split_embedded(text: str) -> tuple[str, str, str] | tuple[()]:
    """Split a line into what comes before, in and after its list of players; return nothing if it has none."""
    if read_seats(split_time(text)[0]):
        return ()
    for start in (0, *embedded_lists.boundaries(text)):
        list_text = text[start:]
        for end in (len(list_text), *embedded_lists.sentence_ends(list_text)):
            if len(read_seats(list_text[:end])) > 1:
                return text[:start], list_text[:end], list_text[end:]
    return ()


def _split_seats(chunk: str) -> list[str]:
    """Split `seat 1 Ana 500 seat 2 Bo 300`; keep `Gary $40 seat 1` and text with a bracket whole."""
    return [chunk] if "(" in chunk or _SEAT_LAST.fullmatch(chunk) else _NEXT_SEAT.split(chunk)


def _merge_chunks(chunks: list[str]) -> list[str]:
    """Join `Ana, 500`, where a comma separates a name from its chips."""
    merged_chunks: list[str] = []
    for chunk in chunks:
        if merged_chunks and _STACK_ALONE.fullmatch(chunk) and re.search(r"[^\W\d_]\s*$", merged_chunks[-1]):
            merged_chunks[-1] += " " + chunk
        else:
            merged_chunks.append(chunk)
    return merged_chunks


def _parse_entry(chunk: str, *, allows_name_only: bool) -> SeatEntry | None:
    match = _match_entry(chunk, allows_name_only=allows_name_only)
    if match is None:
        return None
    name = (match["name"] or "").strip(' "')
    if '"' not in chunk and not _may_be_name(name, is_listed=allows_name_only or bool(match.groupdict().get("label"))):
        return None
    stack = (match["stack"] or "").strip()
    seat = int(match["seat"] or 0)
    if not (name or stack) or seat > 12:
        return None
    approximate = stack[:1] in ("~", "≈")
    if stack.lower() in ("", "?", "unknown", "unclear"):
        return SeatEntry(seat, name, None, bool(stack))
    return SeatEntry(seat, name, parse_amount(stack.strip("~≈ ")), lists_stack=True, approximate=approximate)


def _match_entry(chunk: str, *, allows_name_only: bool) -> re.Match[str] | None:
    """Match a player of a list; one without a stack only if the list or the word `seat` allows it."""
    match = _SEAT_LAST.fullmatch(chunk) or _ENTRY.fullmatch(chunk)
    if match is None and (allows_name_only or "seat" in chunk.lower()):
        return _NAMED_ENTRY.fullmatch(chunk)
    return match


_LEADING_TITLES: Final = frozenset(("the", "young", "old", "big", "little"))


def _may_be_name(name: str, *, is_listed: bool) -> bool:
    """Whether words may be a name: `Big Tony` may, `small blind` and `throws in` may not."""
    words = name.split()
    if len(words) > 1 and words[0] in _LEADING_TITLES:
        words = words[1:]
    if is_listed and len(words) > 2:
        words = [words[0], *(word for word in words[1:-1] if word not in ("in", "with", "of", "the")), words[-1]]
    if len(words) == 1 and name.lower() in RESERVED:
        return False
    if any(word == word.lower() and word.strip(".") in RESERVED for word in words):
        return False
    return is_listed or not words or words[0][:1].isupper()


def _is_list(entries: list[SeatEntry], chunks: list[str], is_labelled: bool) -> bool:
    """Whether entries are a list of seats, not acts of a hand: labelled, or each with its chips."""
    seats = [entry.seat for entry in entries if entry.seat]
    if len(set(seats)) < len(seats):
        return False
    if not seats and not is_labelled and len(entries) < 3:
        return False
    if is_labelled or all(re.match(r"\s*(?:seat\b|s\s?\d)", chunk, re.IGNORECASE) for chunk in chunks):
        return all(entry.lists_stack or entry.name for entry in entries)
    return all(entry.lists_stack for entry in entries) and (len(entries) > 1 or bool(entries[0].name))


_STACK_ALONE: Final = re.compile(rf"\s*[~≈]?{AMOUNT}\s*")
_ARRIVES: Final = (
    r"(?:joins|joined|sits\s+down|sat\s+down|sits|sat|arrives|arrived|comes\s+in|came\s+in|comes|came|takes|took|buys\s+in|bought\s+in|"
    r"shows\s+up|showed\s+up|is\s+seated|was\s+seated|gets)"
)
_NEWCOMERS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"""(?:a\s+)?new\s+player\s*:?\s*(?P<name>{_NAME})\s*,?\s*(?:in|takes|at|sits\s+in)?\s*seat\s+(?P<seat>\d+)\s*,?\s*
        (?:(?:with|for|stack)\s*)?(?P<stack>{AMOUNT})?(?P<tail>.*)""",
        rf"(?:seat\s+)?(?P<seat>\d+)\s+(?P<name>{_NAME})\s*,?\s+(?:is\s+)?new\s*,?\s*(?:with\s+|for\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
        rf"""(?:seat\s+)?(?P<seat>\d+)\s*:?\s+(?P<name>{_NAME})\s+(?:sits(?:\s+down|\s+in)?|joins|buys\s+in|in)\s*,?\s*
        (?:with\s+|for\s+)?(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"(?P<seat>\d+)\s+sits\s+(?P<name>{_NAME})\s+(?:stack|with|for)\s+(?P<stack>{AMOUNT})(?P<tail>)",
        rf"""(?P<name>{_NAME})\s*,?\s+(?:(?:takes|sits(?:\s+down)?(?:\s+in)?|joins(?:\s+in)?|in|new\s+in)\s+)?seat\s+(?P<seat>\d+)\s*,?\s+
        (?:with\s+|for\s+)(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"""(?P<name>{_NAME})\s*,?\s+{_ARRIVES}\s*,?\s*(?:(?:in|at|to|into|takes|on|the|game|us|table)\s+){{0,4}}seat\s+(?P<seat>\d+)\s*,?\s*
        (?:(?:with|for|and|buys?\s+in|bought\s+in|has|had|stack|of)\s+){{0,4}}(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"""(?P<name>{_NAME})\s+{_ARRIVES}\s+(?:with|for)\s+(?P<stack>{AMOUNT})\s*,?\s*(?:in|at)\s+seat\s+(?P<seat>\d+)(?P<tail>.*)""",
        rf"(?P<name>{_NAME})\s+from\s+table\s+\w+\s*,?\s*(?:to\s+|in\s+)?seat\s+(?P<seat>\d+)\s*,?\s*(?:with\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
        rf"seat\s+(?P<seat>\d+)\s*:?\s+(?P<name>{_NAME})\s+from\s+table\s+\w+\s*,?\s*(?:with\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
    )
)


def newcomer_patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns for players who sit down."""
    return _NEWCOMERS


_WAIT_WORDS: Final = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:waits|wants to wait|will wait|waiting)(?:\s+for)?(?:\s+(?:the|his|her))?(?:\s+(?:big\s+)?blinds?|\s+bb)?\s*\.?\s*",
    re.IGNORECASE,
)


def read_newcomer(text: str) -> tuple[SeatEntry, bool, bool] | None:
    """Return a new player, whether the player waits for the big blind, and whether another table sent the player."""
    for pattern in _NEWCOMERS:
        match = pattern.fullmatch(text.strip(" ."))
        if match is None:
            continue
        name, tail_text = match["name"].strip(), match["tail"]
        is_waiting = bool(_WAIT_WORDS.fullmatch(tail_text))
        if (
            tail_text.strip(" .,").lower() not in ("", "posts", "will post", "and posts") and not is_waiting
        ) or not _may_be_name(name, is_listed=False):
            continue
        stack = match["stack"]
        entry = SeatEntry(int(match["seat"]), name, parse_amount(stack) if stack else None, lists_stack=bool(stack))
        return entry, is_waiting, "from" in text.lower().split()
    return None
