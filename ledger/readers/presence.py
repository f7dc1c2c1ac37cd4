"""Who comes, goes and waits, as every text tells it: of a seat, or of somebody without one, whose name may be told."""

from __future__ import annotations

from ledger.hand.betting import TimeBankUsed
from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken, WaitDeclared
from ledger.readers.listed import Listed
from ledger.vocabulary import PlayerId, Seat


def _player(hand: Listed, seat: Seat | None, who: str) -> PlayerId:
    if seat:
        return hand.player_in(seat)
    return hand.player(who) if who else ""


def sits_out(hand: Listed, seat: Seat | None = None, who: str = "") -> None:
    """Tell that somebody sits out: in this hand too, where no act says otherwise."""
    if seat:
        hand.away.add(seat)
    hand.put(PlayerAway(seat, _player(hand, seat, who), why="sits-out"))


def stands_up(hand: Listed, seat: Seat | None = None, who: str = "") -> None:
    """Tell that somebody stands up and keeps the chair."""
    hand.put(PlayerAway(seat, _player(hand, seat, who), why="stood-up"))


def returns(hand: Listed, seat: Seat | None = None, who: str = "") -> None:
    """Tell that somebody is back."""
    hand.put(PlayerBack(seat, _player(hand, seat, who)))


def leaves(hand: Listed, seat: Seat | None = None, who: str = "") -> None:
    """Tell that somebody left the table."""
    hand.put(SeatLeft(seat, _player(hand, seat, who), "left"))


def is_moved(hand: Listed, seat: Seat | None = None, who: str = "") -> None:
    """Tell that the room moved somebody to another table."""
    hand.put(SeatLeft(seat, _player(hand, seat, who), "moved"))


def joins(hand: Listed, seat: Seat) -> None:
    """Tell that somebody sits down."""
    hand.put(SeatTaken(seat, hand.player_in(seat)))


def waits(hand: Listed, seat: Seat) -> None:
    """Tell that somebody waits for the big blind."""
    hand.put(WaitDeclared(seat))


def uses_bank(hand: Listed, seat: Seat) -> None:
    """Tell that somebody draws on time saved up."""
    hand.put(TimeBankUsed(seat))
