"""Find the button and blinds of a played hand: as recorded, or by who posted."""

from __future__ import annotations

from typing import Literal

from ledger.table.events import HandPlayed
from ledger.table.state import UNKNOWN_POSITION, KnownPosition
from ledger.vocabulary import Seat


def find_button(hand: HandPlayed) -> KnownPosition:
    """Return the button's position as recorded. Nothing else can show it."""
    return KnownPosition(hand.button, "told" if hand.button is not None else "")


def find_small_blind(hand: HandPlayed) -> KnownPosition:
    """Return the small blind's position."""
    return _find_blind_position(hand, hand.small, "small")


def find_big_blind(hand: HandPlayed) -> KnownPosition:
    """Return the big blind's position."""
    return _find_blind_position(hand, hand.big, "big")


def find_small_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return the small blind's seat, or None if unknown."""
    return hand.small if hand.small is not None else _find_only_poster(hand, "small")


def find_big_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return the big blind's seat, or None if unknown."""
    return hand.big if hand.big is not None else _find_only_poster(hand, "big")


def find_extra_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return the seat that posted the third blind, or None. Its position is never recorded."""
    return _find_only_poster(hand, "extra")


def _find_only_poster(hand: HandPlayed, role: Literal["small", "big", "extra"]) -> Seat | None:
    """Return the only seat that posted this blind. None: nobody did, or several."""
    seat: Seat | None = None
    for post in hand.posts:
        if post.role == role and post.live:
            if seat is not None and seat != post.seat:
                return None
            seat = post.seat
    return seat


def find_last_poster(hand: HandPlayed, role: Literal["big", "extra"], button: Seat | None) -> Seat | None:
    """Return the last poster of a blind clockwise from the button. None: nobody posted, or the button is unknown."""
    if button is None:
        return None
    seats = [post.seat for post in hand.posts if post.role == role and post.live]
    return max(seats, key=lambda seat: (seat <= button, seat), default=None)


def _find_blind_position(hand: HandPlayed, recorded_seat: Seat | None, role: Literal["small", "big"]) -> KnownPosition:
    """Return the recorded position, or else the seat that posted the blind, if it's the only one."""
    if recorded_seat is not None:
        return KnownPosition(recorded_seat, "told")
    seat: Seat | None = None
    for post in hand.posts:
        if post.role == role and post.live:
            if seat is not None and seat != post.seat:
                return KnownPosition(None, "several")
            seat = post.seat
    return KnownPosition(seat, "posted") if seat is not None else UNKNOWN_POSITION
