"""Seats in a ring: clockwise is ascending, and the lowest seat follows the highest."""

from __future__ import annotations

from collections.abc import Collection

from ledger.vocabulary import Seat


def find_seat_after(seat: Seat, ring: Collection[Seat]) -> Seat | None:
    """Return the first seat of `ring` clockwise after `seat`, which itself comes last, or None if the ring is empty.

    >>> find_seat_after(6, [1, 4, 6]), find_seat_after(2, [1, 4, 6]), find_seat_after(5, [5])
    (1, 4, 5)
    """
    seats_beyond = [candidate for candidate in ring if candidate > seat]
    return min(seats_beyond) if seats_beyond else min(ring, default=None)


def find_seat_before(seat: Seat, ring: Collection[Seat]) -> Seat | None:
    """Return the first seat of `ring` counterclockwise from `seat`, including `seat`, or None if the ring is empty."""
    seats_behind = [candidate for candidate in ring if candidate <= seat]
    return max(seats_behind) if seats_behind else max(ring, default=None)


def find_seat_right_of_dealer(dealer_box: object, ring: Collection[Seat]) -> Seat | None:
    """Return the first seat of `ring` counterclockwise from the dealer, who sits just before seat `dealer_box`.

    A box that isn't recorded is assumed to be before seat 1.

    >>> find_seat_right_of_dealer(4, [1, 3, 4]), find_seat_right_of_dealer(None, [1, 3, 4])
    (3, 4)
    """
    return find_seat_before(dealer_box - 1, ring) if isinstance(dealer_box, int) else max(ring, default=None)


def is_between(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` comes after `start` clockwise, up to and including `end`. From a seat to itself is the whole ring.

    >>> is_between(5, 1, 2), is_between(2, 1, 5), is_between(3, 3, 3)
    (True, False, True)
    """
    if start < end:
        return start < seat <= end
    return seat > start or seat <= end


def moves_backwards(start: Seat | None, end: Seat | None, dealt: Collection[Seat], max_passed: int = 1) -> bool:
    """Whether a blind went backwards from `start` to `end`: clockwise it would have passed half of the players.

    `max_passed`: how many it may pass in any case, since players may have left.
    """
    if start is None or end is None or start == end:
        return False
    passed_count = sum(1 for seat in dealt if seat != end and is_between(start, seat, end))
    return passed_count > max_passed and 2 * passed_count >= len(dealt)


def reaches(last_button: Seat | None, start: Seat, seat: Seat, button: Seat | None, end: Seat) -> bool:
    """Whether the last blind, going from `start` to `end`, reaches or passes `seat`.

    If it is at the same seat as before, it went all the way around if the button passed it; else it reached nobody.

    >>> reaches(1, 3, 4, 2, 4), reaches(1, 3, 4, 4, 3), reaches(1, 3, 4, 2, 3)
    (True, True, False)
    """
    if start != end:
        return is_between(start, seat, end)
    if last_button is None or button is None or button == last_button:
        return False
    return last_button == start or not is_between(last_button, button, start) or button == start


def did_button_pass(start: Seat | None, seat: Seat, end: Seat | None, dealt: Collection[Seat]) -> bool:
    """Whether the button, going from `start` to `end`, leaves `seat` or passes it.

    >>> did_button_pass(6, 1, 4, [1, 4, 5, 6]), did_button_pass(6, 4, 4, [1, 4, 5, 6]), did_button_pass(4, 4, 5, [1, 4, 5, 6])
    (True, False, True)
    """
    if start is None or end is None or end in (start, seat) or moves_backwards(start, end, dealt):
        return False
    return seat == start or is_between(start, seat, end)
