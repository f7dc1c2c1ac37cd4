"""Parses a player of a list, such as `1 Ana 500`, `Ana (seat 1) $500` or `Gary $40 seat 1`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from ledger.formats.handscript.notes.headings import AMOUNT, parse_amount
from ledger.formats.handscript.notes.table_words import RESERVED

_MAX_SEAT: Final = 12


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """A player of a list."""

    seat: int  # 0: the list has no numbers
    name: str
    stack: Decimal | None
    lists_stack: bool  # the list gives a stack, or marks it as unknown
    approximate: bool = False
    by_order: bool = False  # numbered by the order of the list
    in_blinds: bool = False  # the stack is in big blinds
    is_writer: bool = False


NAME: Final = r"[^\W\d_][\w.'-]{0,40}(?:\s+(?:[^\W\d_][\w.'-]{0,40}|\"[^\"]{0,40}\")){0,3}?"
"""Pattern of a name: one to four words."""
_NUMBERED_NAME: Final = rf"{NAME}(?:\s\d)?"
"""Pattern of a name such as Villain 1, next to its seat."""
_SEAT_FIRST: Final = re.compile(
    rf"""\s*(?:(?P<label>seat|s|\#)\s*)?(?P<seat>\d{{1,2}})\s*[:.)=-]?\s+
    (?:(?P<name>"[^"]*"|{NAME})\s*)??[:,(=-]?\s*
    (?:(?:with|has|stack(?:\s+of)?|for|on|in\s+for)\b\s*)?
    (?P<stack>[~≈]?\s?{AMOUNT}|\?|unknown|unclear)?\s*(?:chips|behind)?\)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
"""`1 Ana 500`, `seat 1: Ana (500)`."""
_NAME_FIRST: Final = re.compile(
    rf"""\s*(?:(?P<name>"[^"]*"|{_NUMBERED_NAME}(?=\s*[(,]?\s*(?:in\s+)?seat)|{NAME}))\s*
    (?:[(,]?\s*(?:in\s+)?seat\s+(?P<seat>\d{{1,2}})\)?)?\s*[:,=-]?\s*
    (?:(?:with|has|stack)\b\s*)?(?P<stack>[~≈]?\s?{AMOUNT}|\?|unknown|unclear)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
"""`Ana 500`, `Ana (seat 1) $500`."""
_SEAT_LAST: Final = re.compile(
    rf"\s*(?P<name>{NAME})\s*[,:(-]?\s*(?P<stack>[~≈]?{AMOUNT}|\?)\)?\s*,?\s*[(,]?(?:in\s+)?seat\s*(?P<seat>\d{{1,2}})\)?\s*",
    re.IGNORECASE,
)
"""`Gary $40 seat 1`."""
_UNKNOWN_STACKS: Final = ("", "?", "unknown", "unclear")
_LEADING_TITLES: Final = frozenset(("the", "young", "old", "big", "little"))
_NAME_PARTICLES: Final = frozenset(("in", "with", "of", "the"))


def parse_entry(chunk: str, *, allows_name_only: bool) -> SeatEntry | None:
    """Parse a player of a list; return None if the text isn't one.

    `allows_name_only`: the text stands in a list, so that a name without a stack counts.
    """
    match = _match_entry(chunk, allows_name_only=allows_name_only)
    if match is None:
        return None
    name, stack = (match["name"] or "").strip(' "'), (match["stack"] or "").strip()
    is_listed = allows_name_only or bool(match.groupdict().get("label"))
    if '"' not in chunk and not may_be_name(name, is_listed=is_listed):
        return None
    seat = int(match["seat"] or 0)
    if not (name or stack) or seat > _MAX_SEAT:
        return None
    if stack.lower() in _UNKNOWN_STACKS:
        return SeatEntry(seat, name, None, lists_stack=bool(stack))
    approximate = stack[:1] in ("~", "≈")
    return SeatEntry(seat, name, parse_amount(stack.strip("~≈ ")), lists_stack=True, approximate=approximate)


def _match_entry(chunk: str, *, allows_name_only: bool) -> re.Match[str] | None:
    match = match_seat_last(chunk) or _SEAT_FIRST.fullmatch(chunk)
    if match is None and (allows_name_only or "seat" in chunk.lower()):
        return _NAME_FIRST.fullmatch(chunk)
    return match


def match_seat_last(chunk: str) -> re.Match[str] | None:
    """Match a player whose seat comes last: `Gary $40 seat 1`."""
    return _SEAT_LAST.fullmatch(chunk)


def parse_unnumbered_player(text: str) -> SeatEntry | None:
    """Parse `Ana 500`, without a seat; return None if the text isn't that."""
    match = _NAME_FIRST.fullmatch(text)
    if match is None or match["seat"] or not (match["stack"] or "").strip():
        return None
    entry = parse_entry(text, allows_name_only=True)
    return entry if entry is not None and entry.lists_stack and entry.name[:1].isupper() else None


def may_be_name(name: str, *, is_listed: bool) -> bool:
    """Whether words may be a name: `Big Tony` may, `small blind` and `throws in` may not.

    `is_listed`: they stand where a list has a name, so a name in lower case may be one.
    """
    words = name.split()
    if len(words) > 1 and words[0] in _LEADING_TITLES:
        words = words[1:]
    if is_listed and len(words) > 2:
        words = [words[0], *(word for word in words[1:-1] if word not in _NAME_PARTICLES), words[-1]]
    if len(words) == 1 and name.lower() in RESERVED:
        return False
    if any(word == word.lower() and word.strip(".") in RESERVED for word in words):
        return False
    return is_listed or not words or words[0][:1].isupper()
