"""Parses lines about players who sit down: `new player Kim seat 4 with 400`, `Bo joins in seat 2 for $300`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.formats.handscript.notes.headings import AMOUNT, parse_amount
from ledger.formats.handscript.notes.seat_entries import NAME, SeatEntry, may_be_name


class Newcomer(NamedTuple):
    """A player who sits down."""

    entry: SeatEntry
    waits_for_blind: bool
    comes_from_table: bool  # another table sent the player


_ARRIVES: Final = (
    r"(?:joins|joined|sits\s+down|sat\s+down|sits|sat|arrives|arrived|comes\s+in|came\s+in|comes|came|takes|took|buys\s+in|bought\s+in|"
    r"shows\s+up|showed\s+up|is\s+seated|was\s+seated|gets)"
)
_NEWCOMER_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"""(?:a\s+)?new\s+player\s*:?\s*(?P<name>{NAME})\s*,?\s*(?:in|takes|at|sits\s+in)?\s*seat\s+(?P<seat>\d+)\s*,?\s*
        (?:(?:with|for|stack)\s*)?(?P<stack>{AMOUNT})?(?P<tail>.*)""",
        rf"(?:seat\s+)?(?P<seat>\d+)\s+(?P<name>{NAME})\s*,?\s+(?:is\s+)?new\s*,?\s*(?:with\s+|for\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
        rf"""(?:seat\s+)?(?P<seat>\d+)\s*:?\s+(?P<name>{NAME})\s+(?:sits(?:\s+down|\s+in)?|joins|buys\s+in|in)\s*,?\s*
        (?:with\s+|for\s+)?(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"(?P<seat>\d+)\s+sits\s+(?P<name>{NAME})\s+(?:stack|with|for)\s+(?P<stack>{AMOUNT})(?P<tail>)",
        rf"""(?P<name>{NAME})\s*,?\s+(?:(?:takes|sits(?:\s+down)?(?:\s+in)?|joins(?:\s+in)?|in|new\s+in)\s+)?seat\s+(?P<seat>\d+)\s*,?\s+
        (?:with\s+|for\s+)(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"""(?P<name>{NAME})\s*,?\s+{_ARRIVES}\s*,?\s*(?:(?:in|at|to|into|takes|on|the|game|us|table)\s+){{0,4}}seat\s+(?P<seat>\d+)\s*,?\s*
        (?:(?:with|for|and|buys?\s+in|bought\s+in|has|had|stack|of)\s+){{0,4}}(?P<stack>{AMOUNT})(?P<tail>.*)""",
        rf"""(?P<name>{NAME})\s+{_ARRIVES}\s+(?:with|for)\s+(?P<stack>{AMOUNT})\s*,?\s*(?:in|at)\s+seat\s+(?P<seat>\d+)(?P<tail>.*)""",
        rf"(?P<name>{NAME})\s+from\s+table\s+\w+\s*,?\s*(?:to\s+|in\s+)?seat\s+(?P<seat>\d+)\s*,?\s*(?:with\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
        rf"seat\s+(?P<seat>\d+)\s*:?\s+(?P<name>{NAME})\s+from\s+table\s+\w+\s*,?\s*(?:with\s+)?(?P<stack>{AMOUNT})?(?P<tail>.*)",
    )
)
_WAIT_WORDS: Final = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:waits|wants to wait|will wait|waiting)(?:\s+for)?(?:\s+(?:the|his|her))?(?:\s+(?:big\s+)?blinds?|\s+bb)?\s*\.?\s*",
    re.IGNORECASE,
)
_POST_WORDS: Final = ("", "posts", "will post", "and posts")
"""What may follow a newcomer's stack and changes nothing."""


def parse_newcomer(text: str) -> Newcomer | None:
    """Parse a line about a player who sits down; return None if it isn't one."""
    for pattern in _NEWCOMER_PATTERNS:
        match = pattern.fullmatch(text.strip(" ."))
        if match is None:
            continue
        name, tail_text = match["name"].strip(), match["tail"]
        waits_for_blind = bool(_WAIT_WORDS.fullmatch(tail_text))
        has_strange_tail = not waits_for_blind and tail_text.strip(" .,").lower() not in _POST_WORDS
        if has_strange_tail or not may_be_name(name, is_listed=False):
            continue
        stack = match["stack"]
        entry = SeatEntry(int(match["seat"]), name, parse_amount(stack) if stack else None, lists_stack=bool(stack))
        return Newcomer(entry, waits_for_blind, comes_from_table="from" in text.lower().split())
    return None


def list_newcomer_patterns() -> tuple[re.Pattern[str], ...]:
    """Return all patterns for players who sit down."""
    return _NEWCOMER_PATTERNS
