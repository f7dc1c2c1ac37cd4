"""Hands of GGPoker's Rush & Cash that those who trade in hands give PokerStars' first line: their tables tell them."""

from __future__ import annotations

from typing import Final

from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.header import Head, Setup, Table
from ledger.hand.betting import Folded
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.opening import OptionSet

VENUE: Final = "GGPoker"
FAST_FOLD: Final = OptionSet("other", "rush and cash")
_TABLES: Final = "GG_RushAndCash"


def true_room(head: Head, setup: Setup, table: Table) -> tuple[Head, Setup]:
    """Return the first line and its game as the room meant that dealt the hand."""
    if not table.name.startswith(_TABLES):
        return head, setup
    return head._replace(room=VENUE), setup._replace(events=(*setup.events, FAST_FOLD))


def tell_mucks(hand: Hand) -> None:
    """Let a `folds` behind a shown hand be what it was, the muck of a beaten one: nobody bets any more."""
    shown = False
    for index, event in enumerate(hand.events if hand.kept else ()):
        shown = shown or isinstance(event, CardsShown)
        if shown and isinstance(event, Folded):
            hand.events[index] = CardsMucked(event.seat)
