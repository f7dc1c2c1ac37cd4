"""Who comes, goes and waits, as every text tells it: of a seat, or of somebody without one, whose name may be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.event import Event
from ledger.hand.betting import TimeBankUsed
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken, WaitDeclared
from ledger.readers.listed_hand import ListedHand
from ledger.readers.text_hand import event_handler, seat_event_handler
from ledger.vocabulary import PlayerId, Seat


def _player(hand: ListedHand, seat: Seat | None, player_name: str) -> PlayerId:
    if seat:
        return hand.player_at(seat)
    return hand.player_id(player_name) if player_name else ""


def sits_out(hand: ListedHand, seat: Seat | None = None, who: str = "") -> None:
    """Tell that somebody sits out: in this hand too, where no act says otherwise."""
    if seat:
        hand.absence_reasons.setdefault(seat, "sitting-out")
    hand.add_event(PlayerAway(seat, _player(hand, seat, who), why="sits-out"))


def waits(hand: ListedHand, seat: Seat) -> None:
    """Tell that somebody waits for the big blind, and takes no part before."""
    hand.absence_reasons[seat] = "waiting-for-big-blind"
    hand.add_event(WaitDeclared(seat))


def _somebody(make: Callable[[Seat | None, PlayerId], Event]) -> Callable[..., None]:
    """Return how it is told that somebody does something, who may have no seat."""
    return lambda hand, seat=None, who="": hand.add_event(make(seat, _player(hand, seat, who)))


stands_up: Final = _somebody(lambda seat, player: PlayerAway(seat, player, why="stood-up"))
"""Tells that somebody stands up and keeps the chair."""
returns: Final = _somebody(PlayerBack)
leaves: Final = _somebody(lambda seat, player: SeatLeft(seat, player, "left"))
is_moved: Final = _somebody(lambda seat, player: SeatLeft(seat, player, "moved"))
"""Tells that the room moved somebody to another table."""
joins: Final = seat_event_handler(SeatTaken)
uses_bank: Final = event_handler(TimeBankUsed)
"""Tells that somebody draws on time saved up."""
