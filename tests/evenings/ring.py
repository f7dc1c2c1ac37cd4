"""Seats in a ring."""

from __future__ import annotations

from collections.abc import Iterable


def next_seat(seat: int, seats: Iterable[int]) -> int:
    """The first of `seats` clockwise after `seat`; `seat` itself comes last."""
    ring = sorted(seats)
    return next((ring_seat for ring_seat in ring if ring_seat > seat), ring[0])


def clockwise(start: int, seats: Iterable[int]) -> list[int]:
    """`seats` in order, beginning after `start`; `start` itself last."""
    ring = sorted(seats)
    return [s for s in ring if s > start] + [s for s in ring if s <= start]


def is_within(start: int, seat: int, end: int) -> bool:
    """Whether `seat` lies clockwise after `start` and not after `end`; nothing does if they are one."""
    if start == end:
        return False
    return start < seat <= end if start < end else seat > start or seat <= end


def strictly(start: int, seat: int, end: int) -> bool:
    """Whether `seat` lies between the two, clockwise from `start`."""
    return is_within(start, seat, end) and seat != end
