"""Recognize bomb pots, in which all players ante and the betting begins on the flop."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.dealing import BoardDealt
from ledger.hand.opening import AntePosted, BlindPosted, OptionSet, StraddlePosted
from ledger.readers.listed_hand import ListedHand

BOMB_POT: Final = OptionSet("other", "bomb pot")
"""The event of a line that names a bomb pot. `settle` replaces it by one with the ante."""


def settle(events: list[Event]) -> None:
    """Mark the antes of a hand as a bomb pot's, and put their amount into its option."""
    antes = [event.amount for event in events if isinstance(event, AntePosted)]
    for index, event in enumerate(events):
        if isinstance(event, AntePosted):
            events[index] = replace(event, kind="bomb-pot")
        elif antes and event == BOMB_POT:
            events[index] = OptionSet("bomb-pot", max(antes))


_PLAYED: Final = (BoardDealt, Folded, Checked, Called, Bet, Raised, StraddlePosted)


def infer(hand: ListedHand, antes: int) -> None:
    """Infer a bomb pot without a line: in a cash game, all players ante and nothing else happens before the flop."""
    if hand.game.format == "tournament" or not 0 < antes == len(hand.stacks):
        return
    played = (
        event
        for event in hand.events
        if isinstance(event, _PLAYED) or (isinstance(event, BlindPosted) and event.role in ("small", "big", "button"))
    )
    if isinstance(next(played, None), BoardDealt):
        hand.insert_and_shift(2, BOMB_POT)  # after the game
        settle(hand.events)
