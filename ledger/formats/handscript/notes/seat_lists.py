"""Parses lists of players, on one line or within a longer line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import embedded_lists, list_layouts
from ledger.formats.handscript.notes.clock_times import split_time
from ledger.formats.handscript.notes.cursor import SEAT_MOST
from ledger.formats.handscript.notes.hand_headings import begins_hand
from ledger.formats.handscript.notes.headings import AMOUNT
from ledger.formats.handscript.notes.seat_entries import (
    SeatEntry,
    match_seat_last,
    parse_entry,
    parse_unnumbered_player,
)

# How people write stacks

_BULLET: Final = re.compile(r"^\s*(?:[-*•·>]+\s+|\|\s*)")
_WITH_SHORTHAND: Final = re.compile(r"\bw/\s?(?=\S)", re.IGNORECASE)
_CIRCA: Final = re.compile(r"\b(?:about|approx(?:\.|imately)?|around|roughly|circa)\s*(?=[$€£]?\d)", re.IGNORECASE)
_ISH_AMOUNT: Final = re.compile(rf"({AMOUNT})-?ish\b", re.IGNORECASE)
_UNKNOWN_STACK: Final = re.compile(
    r"\b(?:covers(?: (?:me|him|her|everyone|everybody|us|all))?|not counted|can't see|(?:stack )?not visible|unknown|unclear)\b(?: stack)?",
    re.IGNORECASE,
)
_STACK_ALONE: Final = re.compile(rf"\s*[~≈]?{AMOUNT}\s*")

# Lines around a list, and what separates its players

_HEADING_ROW: Final = re.compile(
    r"^[\s|#:]*(?:seats?|name|names|player|players|stacks?|chips|pos|position|[\s|#:/,-])+$", re.IGNORECASE
)
_LABEL: Final = re.compile(r"^\s*(?:[A-Za-z' ]{0,40}[:.])\s*(?=\D*\d|\w)")
_LABEL_WORD: Final = re.compile(
    r"seat|player|line[- ]?up|stacks|table opens|in the game|\bin:|playing|sitting|present", re.IGNORECASE
)
_ORDER_WORDS: Final = re.compile(
    r"\(?\b(?:clockwise|in order|left to right|around the table|in seat order)\b\)?", re.IGNORECASE
)
_DESCRIPTION: Final = re.compile(r"\((?!\s*seat\b)[^()\d]*\)", re.IGNORECASE)
"""A description of a player: (male, blue shirt)."""
_OCCUPIED: Final = re.compile(
    r"^\s*seats?\s+(?:occupied|taken)\s*:[\s\d,]*(?:and\s+\d+)?\.?\s*(?=stacks?\b)", re.IGNORECASE
)
"""Seats without names, before a list of stacks: `seats occupied: 1, 3 and 5 stacks …`."""
_TABLE_ROW: Final = re.compile(r"^\s*\|?\s*(?:seat\s*)?\d{1,2}\s*\|[^|]+\|[^|]*\|?\s*$", re.IGNORECASE)
"""A row of a table: | 1 | Ana | 500 |."""
_EMPTY_SEAT: Final = re.compile(
    r"\s*(?:seat|s)?\s*\d{1,2}\s*[:.)=-]?\s*[(]?(?:empty|open|nobody|no one|vacant|--?)(?:\s(?:seat|chair))?[)]?\s*",
    re.IGNORECASE,
)
_NEXT_SEAT: Final = re.compile(r"(?<=[\w.)])\s+(?=s(?:eat)?\s?\d{1,2}\b)", re.IGNORECASE)
_SEAT_LABEL: Final = re.compile(r"\s*(?:seat\b|s\s?\d)", re.IGNORECASE)
_ENDS_IN_LETTER: Final = re.compile(r"[^\W\d_]\s*$")
_CHUNK_MARK: Final = re.compile(r",(?!\d{3}(?!\d))|;|\s/\s|\||\s·\s|\s•\s")
"""What separates the players of a list; the comma in 1,200 doesn't."""
_MAX_CHUNKS: Final = 30
"""Parts of a list of players at most."""

_WRITTEN_PLAYER: Final = re.compile(
    r'seat (?P<seat>\d{1,2}) "(?P<name>[^"]{1,200})" (?P<stack>\?|[\d.]{0,20})(?P<circa>~?)(?P<blinds>(?:bb)?)(?P<own>(?: me)?)(?P<order>(?: in order)?)(?:, |$)'
)
"""A player as `player_lists` writes one."""


def parse_seat_list(text: str) -> list[SeatEntry]:
    """Parse a list of players; return none if the line isn't one."""
    return list(_parse_seat_list(text))


def parse_unnumbered_line(text: str) -> SeatEntry | None:
    """Parse a line such as `Ana 500`, which is one of several in the order of the seats; None if it isn't one."""
    return parse_unnumbered_player(_mark_stacks(" ".join(text.split())).strip(" ."))


def is_heading_or_empty_seat(text: str) -> bool:
    """Whether a line is the header row of a list, such as `seat name chips`, or an empty seat."""
    return bool(_HEADING_ROW.match(text) or _EMPTY_SEAT.fullmatch(text)) and bool(text.strip())


def split_lists(note_lines: Iterable[ScriptLine]) -> Iterator[ScriptLine]:
    """Yield the lines. Above the first hand, give a list within a longer line a line of its own."""
    is_above_hands = True
    for line in note_lines:
        is_above_hands = is_above_hands and not begins_hand(line.text)
        parts = _split_embedded_list(line.text) if is_above_hands and any(map(str.isdigit, line.text)) else ()
        if not parts:
            yield line
        for part in parts:
            if part.strip():
                yield line._replace(text=part)


@lru_cache(maxsize=1_000)
def _split_embedded_list(text: str) -> tuple[str, str, str] | tuple[()]:
    """Split a line into what comes before, in and after its list of players; return nothing if it has none."""
    if parse_seat_list(split_time(text)[0]):
        return ()
    for start in (0, *embedded_lists.find_boundaries(text)):
        list_text = text[start:]
        for end in (len(list_text), *embedded_lists.find_sentence_ends(list_text)):
            if len(parse_seat_list(list_text[:end])) > 1:
                return text[:start], list_text[:end], list_text[end:]
    return ()


@lru_cache(maxsize=1_000)
def _parse_seat_list(text: str) -> list[SeatEntry]:
    if written_entries := _parse_written_list(text):
        return written_entries
    text = _WITH_SHORTHAND.sub("with ", list_layouts.normalize_list(text))
    is_ordered = bool(_ORDER_WORDS.search(text))
    text = _mark_stacks(text)
    if _TABLE_ROW.match(text):
        text = " ".join(cell.strip() for cell in text.strip(" |").split("|"))
    body = _OCCUPIED.sub("", _DESCRIPTION.sub(" ", _ORDER_WORDS.sub("", text)).strip(" ."))
    body_start = _find_body_start(body)
    is_labelled = is_ordered or body_start > 0
    chunks = _split_chunks(body[body_start:])
    allows_name_only = is_labelled or len(chunks) > 2
    entries = [entry for chunk in chunks if (entry := parse_entry(chunk, allows_name_only=allows_name_only))]
    if not chunks or len(entries) < len(chunks) or not _is_list(entries, chunks, is_labelled):
        return []
    return entries if all(entry.seat for entry in entries) else _number_in_order(entries)


def _parse_written_list(text: str) -> list[SeatEntry]:
    """Parse a list as `player_lists` writes it; return none if the line isn't one."""
    if not text.startswith("seat "):
        return []
    matches = list(_WRITTEN_PLAYER.finditer(text))
    if "".join(match[0] for match in matches) != text:
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
        for match in matches
    ]


def _mark_stacks(text: str) -> str:
    """Write `about 500` and `500ish` as `~500`, and a stack that nobody counted as `?`; drop the bullet."""
    return _UNKNOWN_STACK.sub("?", _ISH_AMOUNT.sub(r"~\1", _CIRCA.sub("~", _BULLET.sub("", text))))


def _find_body_start(text: str) -> int:
    """Return where a list begins after its label, such as `Players:`; 0 if it has no label."""
    label_match = _LABEL.match(text)
    if label_match is not None and _LABEL_WORD.search(label_match[0]):
        return label_match.end()
    return len("seats ") if text[:6].lower() == "seats " else 0


def _split_chunks(body: str) -> list[str]:
    """Split a list into its players, without empty seats; return none if there are too many for a list."""
    chunks = [chunk for chunk in _CHUNK_MARK.split(body) if chunk.strip()]
    if len(chunks) > _MAX_CHUNKS:
        return []
    occupied_chunks = [chunk for chunk in chunks if not _EMPTY_SEAT.fullmatch(chunk)]
    return _join_names_and_stacks([part for chunk in occupied_chunks for part in _split_seats(chunk)])


def _split_seats(chunk: str) -> list[str]:
    """Split `seat 1 Ana 500 seat 2 Bo 300`; keep `Gary $40 seat 1` and text with brackets together."""
    return [chunk] if "(" in chunk or match_seat_last(chunk) else _NEXT_SEAT.split(chunk)


def _join_names_and_stacks(chunks: list[str]) -> list[str]:
    """Join `Ana, 500`, where a comma separates a name from its stack."""
    joined_chunks: list[str] = []
    for chunk in chunks:
        if joined_chunks and _STACK_ALONE.fullmatch(chunk) and _ENDS_IN_LETTER.search(joined_chunks[-1]):
            joined_chunks[-1] += " " + chunk
        else:
            joined_chunks.append(chunk)
    return joined_chunks


def _is_list(entries: list[SeatEntry], chunks: list[str], is_labelled: bool) -> bool:
    """Whether entries are a list of players, not acts of a hand: each has its stack, or the list has labels."""
    seats = [entry.seat for entry in entries if entry.seat]
    if len(set(seats)) < len(seats):
        return False
    if not seats and not is_labelled and len(entries) < 3:
        return False
    if is_labelled or all(map(_SEAT_LABEL.match, chunks)):
        return all(entry.lists_stack or entry.name for entry in entries)
    return all(entry.lists_stack for entry in entries) and (len(entries) > 1 or bool(entries[0].name))


def _number_in_order(entries: list[SeatEntry]) -> list[SeatEntry]:
    """Give players seats by the order of the list; return none if it has seats, or stacks that may be seats."""
    if any(entry.seat for entry in entries) or _may_be_seats(entries):
        return []
    return [replace(entry, seat=seat_number, by_order=True) for seat_number, entry in enumerate(entries, 1)]


def _may_be_seats(entries: list[SeatEntry]) -> bool:
    """Whether the numbers of a list may be seats as well as stacks: `Ana 1, Bo 2, Cy 4`."""
    numbers = [entry.stack for entry in entries if entry.stack is not None]
    return len(numbers) > 1 and max(numbers) <= SEAT_MOST and numbers == sorted(set(numbers))
