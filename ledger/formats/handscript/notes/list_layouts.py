"""Layouts of lists of players: tables, dashes, letters, several players on a line. Each becomes `1 Ana 500, 2 Bo 300`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import embedded_lists
from ledger.formats.handscript.notes.headings import AMOUNT

_ANY_AMOUNT: Final = re.compile(AMOUNT)
_STACK_CELL: Final = re.compile(rf"(?:[~≈]?{AMOUNT}|\?|-*)")
_POSITION: Final = re.compile(r"\bpos(?:ition)?\.?\s?(?=\d{1,2}\b)", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^\s?(?:seat\s?|s\s?|#\s?)?\d{1,2}\b", re.IGNORECASE)
_DASH: Final = re.compile(r"\s[-=]\s")
_ESTIMATED: Final = re.compile(rf"({AMOUNT})\s?\(?(?:est\.|estimated|approx\.?|or so)\)?(?!\w)", re.IGNORECASE)
_WRITER_IN_LIST: Final = re.compile(
    r"\b(?:me|myself|hero|I)\s?\(([^\W\d_][\w'-]*)\)|\b([^\W\d_][\w'-]*)\s?\((?:me|hero|I)\)"
)
_ITEM: Final = re.compile(r"(?:^|(?<=\s))(?=\d{1,2}[.)]\s[^\W\d_])")
_LABEL: Final = re.compile(
    r"^\s?(?:players?|line[- ]?up|seats|stacks|in the game|in|table|seating|at the table|starting stacks|playing|sitting|present)(?:\s\d+-\d+)?\s?:\s?",
    re.IGNORECASE,
)
_NEXT_PLAYER: Final = re.compile(rf"(\s[~≈]?{AMOUNT})\s(?=[^\W\d_])")
_LETTER: Final = re.compile(r"^\s?([A-J])\s?[).:=]\s?(?=[^\W\d_].*\d)")
_ORDER: Final = re.compile(
    r"^(?P<head>.*\S)\s+-\s+(?P<names>[^()-]+)\((?:sitting |seated )?in (?:that|this) order[^()]*\)\s*\.?$",
    re.IGNORECASE,
)
_CELL: Final = re.compile(
    rf"\s*(?:(?P<seat>\d{{1,2}})(?:[.):]?\s+(?P<name>[^\W\d_][^|]*))?|(?P<stack>[~≈]?{AMOUNT}|\?)?)\s*"
)


_AROUND_TABLE: Final = re.compile(
    r"^[A-Za-z', ]{0,40}\b(?:around the table|at the table|clockwise|in order|left to right|seated|sitting)[A-Za-z' ]{0,30}:",
    re.IGNORECASE,
)
_WRITER: Final = re.compile(
    r"\b(?:(?:(?i:notes|kept|written|told|recorded|scribe)) (?i:by)|(?i:statement of|notes of|log of|diary of)|I am|I'm|(?i:my name is))\s+([A-Z][\w'-]*)"
    r"|\b([A-Z][\w'-]*)\s+(?:is\s+)?(?:keeping|taking)\s+(?:the\s+)?notes"
)


_SENTENCE: Final = re.compile(r"\.\s(?=in seat \d{1,2} (?:was|is|sat|sits|we had)\b)", re.IGNORECASE)


def find_writer_name(text: str) -> str:
    """Return the writer's name from a line above the hands; "" if it isn't there."""
    match = _WRITER.search(text)
    return (match[1] or match[2]) if match else ""


_MAX_ITEMS: Final = 12
_PROSE: Final = re.compile(r"\b(?:and\s)?(?:in\s)seat\s(\d{1,2})\s(?:was|is|sat|sits|we had|we have)\s", re.IGNORECASE)
"""`In seat 1 was Ann with 200`."""


_NAME_FIRST: Final = re.compile(
    rf"^\s?\|?\s?(?P<name>[^\W\d_][^|\d]{{0,40}}?)\s?\|\s?(?P<seat>\d{{1,2}})\s?\|\s?(?P<stack>[~≈]?{AMOUNT}|\?)\s?\|?\s?$"
)
"""`| Ana | 1 | 500 |`."""


def find_listed_writer_name(text: str) -> str:
    """Return the writer's name from a list of players, as in `me (Nora)`; "" if it isn't there."""
    match = _WRITER_IN_LIST.search(text)
    return (match[1] or match[2]) if match else ""


_TWO_PLAYERS: Final = re.compile(
    rf"^\s?(?:heads[- ]?up\s?[:,-]?\s?)?(?P<one>[^\W\d_][\w'-]*)\s?\(?(?P<chips>{AMOUNT})\)?\s(?:vs?\.?|versus|against|&|and)\s"
    rf"(?P<other>[^\W\d_][\w'-]*)\s?\(?(?P<more>{AMOUNT})\)?\s?\.?$",
    re.IGNORECASE,
)
"""`Ana 200 v Bo 150`: two players heads-up."""


_SENTENCES: Final = re.compile(r"(?<=[\w)])\.\s+(?=seat\s?#?\d{1,2}\b)", re.IGNORECASE)
"""`Seat 1: Ana, 500. Seat 2: Bo, 300.`"""


def normalize_list(text: str) -> str:
    """Rewrite a list of players in the layout that the parser reads."""
    if len(_SENTENCES.findall(text)) > 1:
        text = _SENTENCES.sub(", ", text)
    text = embedded_lists.put_seats_first(_POSITION.sub("seat ", " ".join(text.split())))
    if _PROSE.search(text):
        text = ", ".join(
            part.strip(" ,;.") for part in _PROSE.sub(r", seat \1 ", text).split(", ") if part.strip(" ,;.")
        )
    text = _TWO_PLAYERS.sub(r"players in order: \g<one> \g<chips>, \g<other> \g<more>", text)
    text = _NAME_FIRST.sub(r"\g<seat> \g<name> \g<stack>", text)
    text = _AROUND_TABLE.sub("players in order:", text)
    text = _WRITER_IN_LIST.sub(lambda match: match[1] or match[2], text)
    text = _ESTIMATED.sub(r"~\1", text)
    if letter_match := _LETTER.match(text):
        text = f"{ord(letter_match[1]) - ord('A') + 1} {text[letter_match.end() :]}"
    if _NUMBERED.match(text) and "," not in _ANY_AMOUNT.sub("", text):
        text = _DASH.sub(" ", text)
    if 1 < len(_ITEM.findall(text)) <= _MAX_ITEMS:
        text = ", ".join(part.strip(" ,;/") for part in _ITEM.split(text) if part.strip(" ,;/"))
    label_match = _LABEL.match(text)
    if label_match:
        list_body = text[label_match.end() :]
        if not re.search(r",(?!\d{3})|;|/|\|", list_body):
            list_body = _NEXT_PLAYER.sub(r"\1, ", list_body)
        text = "players: " + list_body
    return text


def unfold_lines(lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; a horizontal table becomes a list, and a list after a heading gets its own line."""
    previous_line: ScriptLine | None = None
    for line in _split_seat_sentences(lines):
        if previous_line is not None:
            joined_list = _join_rows(previous_line.text, line.text)
            yield previous_line._replace(text=joined_list or previous_line.text)
            previous_line = None
            if joined_list:
                yield line._replace(text="")
                continue
        if line.text.count("|") > 3 and _join_rows(line.text, line.text, is_head=True):
            previous_line = line
            continue
        match = _ORDER.match(line.text) if "order" in line.text else None
        if match:
            yield line._replace(text=match["head"])
            yield line._replace(text=f"players in order: {match['names'].strip()}")
            continue
        yield line
    if previous_line is not None:
        yield previous_line


def _split_seat_sentences(lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines; split a line before the sentence that seats the players."""
    for line in lines:
        text_before_list, list_text = embedded_lists.find_prose_list(line.text)
        if list_text:
            yield line._replace(text=text_before_list)
            yield line._replace(text=list_text)
            continue
        sentence = _SENTENCE.search(line.text)
        if sentence:
            yield line._replace(text=line.text[: sentence.start() + 1])
            yield line._replace(text=line.text[sentence.end() :])
        else:
            yield line


def _join_rows(upper: str, lower: str, *, is_head: bool = False) -> str:
    """Join a row of seats and names with a row of stacks; return "" if they don't match."""
    heads = _match_heads(upper)
    if not heads:
        return ""
    if is_head:
        return upper if sum(bool(head["name"]) for head in heads) > 1 else ""
    stacks = [cell.strip() for cell in lower.strip().strip("|").split("|")]
    if len(stacks) != len(heads) or not all(_STACK_CELL.fullmatch(stack) for stack in stacks):
        return ""
    return ", ".join(
        f"{head['seat']} {head['name'].strip()} {stack.strip('-') or '?'}"
        for head, stack in zip(heads, stacks, strict=True)
        if head["name"]
    )


def _match_heads(row: str) -> list[re.Match[str]]:
    """Return the cells of a row of seats and names; none if a cell has no seat."""
    cells = row.strip().strip("|").split("|")
    heads = [head for cell in cells if (head := _CELL.fullmatch(cell)) is not None and head["seat"]]
    return heads if len(heads) == len(cells) else []
