"""Hands of GGPoker's Rush & Cash that dealers in hands give PokerStars' first line: their tables show it."""

from __future__ import annotations

from typing import Final

from ledger.formats.pokerstars.hand import PokerStarsHand
from ledger.formats.pokerstars.header import GameSetup, PokerStarsHeader, PokerStarsTable
from ledger.hand.betting import Folded
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.opening import OptionSet

VENUE: Final = "GGPoker"
FAST_FOLD: Final = OptionSet("other", "rush and cash")
_TABLE_PREFIX: Final = "GG_RushAndCash"


def restore_room(
    hand_header: PokerStarsHeader, game_setup: GameSetup, table_row: PokerStarsTable
) -> tuple[PokerStarsHeader, GameSetup]:
    """Return the header and its game with the room that really dealt the hand."""
    if not table_row.name.startswith(_TABLE_PREFIX):
        return hand_header, game_setup
    return hand_header._replace(room=VENUE), game_setup._replace(events=(*game_setup.events, FAST_FOLD))


def restore_mucks(hand: PokerStarsHand) -> None:
    """Turn a fold after a shown hand into what it was, the muck of a beaten hand: the betting is over."""
    cards_were_shown = False
    for index, event in enumerate(hand.events if hand.cards_by_seat else ()):
        cards_were_shown = cards_were_shown or isinstance(event, CardsShown)
        if cards_were_shown and isinstance(event, Folded):
            hand.events[index] = CardsMucked(event.seat)
