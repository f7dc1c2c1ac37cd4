"""Seats in a ring: ascending is clockwise, and after the highest comes the lowest."""

from __future__ import annotations

from collections.abc import Collection

from ledger.vocabulary import Seat


def seat_after(seat: Seat, ring: Collection[Seat]) -> Seat | None:
    """Return the first of `ring` clockwise after `seat`, which comes last itself; None if it is empty.

    >>> after(6, [1, 4, 6]), after(2, [1, 4, 6]), after(5, [5])
    (1, 4, 5)
    """
    seats_beyond = [candidate for candidate in ring if candidate > seat]
    return min(seats_beyond) if seats_beyond else min(ring, default=None)


def seat_before(seat: Seat, ring: Collection[Seat]) -> Seat | None:
    """Return the first of `ring` counter-clockwise from `seat`, itself first if it is in the ring."""
    seats_behind = [candidate for candidate in ring if candidate <= seat]
    return max(seats_behind) if seats_behind else max(ring, default=None)


def right_of_dealer(box: object, ring: Collection[Seat]) -> Seat | None:
    """Return the first of `ring` counter-clockwise from the dealer, who sits before seat `box`.

    If the record doesn't give the box, that's seat 1.

    >>> right_of_dealer(4, [1, 3, 4]), right_of_dealer(None, [1, 3, 4])
    (3, 4)
    """
    return seat_before(box - 1, ring) if isinstance(box, int) else max(ring, default=None)


def is_between(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` lies clockwise after `start` and not after `end`; from a seat to itself is all round.

    >>> between(5, 1, 2), between(2, 1, 5), between(3, 3, 3)
    (True, False, True)
    """
    if start < end:
        return start < seat <= end
    return seat > start or seat <= end


def moves_backwards(start: Seat | None, end: Seat | None, dealt: Collection[Seat], most_passed: int = 1) -> bool:
    """Whether a blind that goes from `start` to `end` goes back: clockwise it would pass half the table.

    `most_passed`: at a small table where players have left, it may pass so many.
    """
    if start is None or end is None or start == end:
        return False
    passed_count = sum(1 for seat in dealt if seat != end and is_between(start, seat, end))
    return passed_count > most_passed and 2 * passed_count >= len(dealt)


def reaches(was_button: Seat | None, start: Seat, seat: Seat, button: Seat | None, end: Seat) -> bool:
    """Whether the last blind, going from `start` to `end`, comes to `seat` or goes past it.

    If it's at the same seat as before, it went all the way around if the button passed it. Otherwise it
    reached nobody.

    >>> reaches(1, 3, 4, 2, 4), reaches(1, 3, 4, 4, 3), reaches(1, 3, 4, 2, 3)
    (True, True, False)
    """
    if start != end:
        return is_between(start, seat, end)
    if was_button is None or button is None or button == was_button:
        return False
    return was_button == start or not is_between(was_button, button, start) or button == start


def button_passed(start: Seat | None, seat: Seat, end: Seat | None, dealt: Collection[Seat]) -> bool:
    """Whether a button that goes from `start` to `end` leaves `seat` or goes over it.

    >>> button_passed(6, 1, 4, [1, 4, 5, 6]), button_passed(6, 4, 4, [1, 4, 5, 6]), button_passed(4, 4, 5, [1, 4, 5, 6])
    (True, False, True)
    """
    if start is None or end is None or end in (start, seat) or moves_backwards(start, end, dealt):
        return False
    return seat == start or is_between(start, seat, end)
