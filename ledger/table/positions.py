"""Where a played hand had its button and blinds: as told, or where the blind was posted."""

from __future__ import annotations

from typing import Literal

from ledger.table.events import HandPlayed
from ledger.table.state import UNKNOWN_POSITION, KnownPosition
from ledger.vocabulary import Seat


def find_button(hand: HandPlayed) -> KnownPosition:
    """Return where the button was, as told: nothing else in a record stands for it."""
    return KnownPosition(hand.button, "told" if hand.button is not None else "")


def find_small_blind(hand: HandPlayed) -> KnownPosition:
    """Return the small blind's position."""
    return _find_blind_position(hand, hand.small, "small")


def find_big_blind(hand: HandPlayed) -> KnownPosition:
    """Return the big blind's position."""
    return _find_blind_position(hand, hand.big, "big")


def find_small_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return where the small blind was; None = not known."""
    return hand.small if hand.small is not None else _find_only_poster(hand, "small")


def find_big_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return where the big blind was; None = not known."""
    return hand.big if hand.big is not None else _find_only_poster(hand, "big")


def find_extra_blind_seat(hand: HandPlayed) -> Seat | None:
    """Return where the third blind was posted: no record has its position otherwise; None = not known."""
    return _find_only_poster(hand, "extra")


def _find_only_poster(hand: HandPlayed, role: Literal["small", "big", "extra"]) -> Seat | None:
    """Return the one seat that posted a blind; None = nobody did, or several."""
    seat: Seat | None = None
    for post in hand.posts:
        if post.role == role and post.live:
            if seat is not None and seat != post.seat:
                return None
            seat = post.seat
    return seat


def find_last_poster(hand: HandPlayed, role: Literal["big", "extra"], button: Seat | None) -> Seat | None:
    """Return who posted a blind last clockwise from the button; None if nobody did, or the button is unknown."""
    if button is None:
        return None
    seats = [post.seat for post in hand.posts if post.role == role and post.live]
    return max(seats, key=lambda seat: (seat <= button, seat), default=None)


def _find_blind_position(hand: HandPlayed, recorded_seat: Seat | None, role: Literal["small", "big"]) -> KnownPosition:
    """Take the position as told, else from the blind, if one seat alone posted it."""
    if recorded_seat is not None:
        return KnownPosition(recorded_seat, "told")
    seat: Seat | None = None
    for post in hand.posts:
        if post.role == role and post.live:
            if seat is not None and seat != post.seat:
                return KnownPosition(None, "several")
            seat = post.seat
    return KnownPosition(seat, "posted") if seat is not None else UNKNOWN_POSITION
