"""Evidence for the game of a night that the notes don't name."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from ledger.formats.handscript.notes.headings import parse_amount

_CARD: Final = r"(?:10|[2-9TJQKAtjqka])[shdc♠♥♦♣]"
_ONE_CARD: Final = re.compile(_CARD)
_CARD_RUN: Final = re.compile(rf"(?<!\w){_CARD}(?:\s?{_CARD})*(?!\w)")
_SIZED_ACT: Final = re.compile(
    r"\b(?:bets?\s+|rais(?:es|ed|e)(?: it)?(?: to)?\s+|ma(?:kes|de) it\s+|open(?:s|ed)?(?: to| for)?\s+|[rb])\$?(\d[\d,]*(?:\.\d+)?)(?!\d|c)",
    re.IGNORECASE,
)


_FIRST_BET: Final = re.compile(r"\b(?:bets\s+|leads\s+|fires\s+|b)\$?(\d+(?:\.\d+)?)(?!\d|c|\.\d)", re.IGNORECASE)
"""A first bet of a street: in a limit game it is one of the two sizes."""


def shows_two_cards(text: str) -> bool:
    """Whether players show two cards and never four, as in hold'em."""
    counts = {len(_ONE_CARD.findall(match[0])) for match in _CARD_RUN.finditer(text)}
    return 2 in counts and 4 not in counts


def has_free_sizes(text: str, stakes: tuple[Decimal, ...]) -> bool:
    """Whether a night has bet sizes that are impossible in a limit game with these stakes."""
    sizes = {parse_amount(match[1]) for match in _SIZED_ACT.finditer(text)}
    if {parse_amount(match[1]) for match in _FIRST_BET.finditer(text)} - set(stakes):
        return True
    limit_sizes = {stake * bet_count for stake in stakes for bet_count in range(1, 5)}
    return bool(sizes - limit_sizes)
