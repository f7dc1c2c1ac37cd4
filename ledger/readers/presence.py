"""Handlers of lines about players who come, go and wait, with or without a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.event import Event
from ledger.hand.betting import TimeBankUsed
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken, WaitDeclared
from ledger.readers.listed_hand import ListedHand
from ledger.readers.text_hand import build_event_handler, build_seat_event_handler
from ledger.vocabulary import PlayerId, Seat


def _find_player(hand: ListedHand, seat: Seat | None, player_name: str) -> PlayerId:
    if seat:
        return hand.get_player(seat)
    return hand.get_player_id(player_name) if player_name else ""


def sit_out(hand: ListedHand, seat: Seat | None = None, who: str = "") -> None:
    """Sit out, in this hand too unless the player acts."""
    if seat:
        hand.absence_reasons.setdefault(seat, "sitting-out")
    hand.add_event(PlayerAway(seat, _find_player(hand, seat, who), why="sits-out"))


def wait_for_big_blind(hand: ListedHand, seat: Seat) -> None:
    """Wait for the big blind; the player isn't in this hand."""
    hand.absence_reasons[seat] = "waiting-for-big-blind"
    hand.add_event(WaitDeclared(seat))


def _build_handler(make: Callable[[Seat | None, PlayerId], Event]) -> Callable[..., None]:
    """Return a handler that adds an event about a player, who may have no seat."""
    return lambda hand, seat=None, who="": hand.add_event(make(seat, _find_player(hand, seat, who)))


stand_up: Final = _build_handler(lambda seat, player: PlayerAway(seat, player, why="stood-up"))
"""Handles a player who stands up and keeps the seat."""
come_back: Final = _build_handler(PlayerBack)
leave_table: Final = _build_handler(lambda seat, player: SeatLeft(seat, player, "left"))
move_to_another_table: Final = _build_handler(lambda seat, player: SeatLeft(seat, player, "moved"))
"""Handles a player whom the room moves to another table."""
join_table: Final = build_seat_event_handler(SeatTaken)
use_time_bank: Final = build_event_handler(TimeBankUsed)
"""Handles a player who uses the time bank."""
