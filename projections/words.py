"""What players said before they acted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.hand.betting import ChipsMoved, Declared
from projections.acts import Act
from projections.course import Course

RAISING: Final = ("bet", "raise", "all-in", "complete")
"""Words that announce more than a call."""


def announced(hand: Course) -> Iterator[tuple[Act, int]]:
    """Yield the acts before which their seat had announced a raise in this turn, with where it did."""
    words = hand.of(Declared)
    after = 0
    for act in hand.acts:
        said = [
            v for v, w in words if after < v < act.version and w.seat == act.seat and w.what in RAISING
        ]  # fmt: skip
        after = act.version
        if said:
            yield act, said[0]


def moved(hand: Course) -> Iterator[tuple[Act, list[tuple[int, ChipsMoved]]]]:
    """Yield the acts that come with motions of chips of their seat, with the motions of this turn."""
    after = 0
    for act in hand.acts:
        mine = [(v, m) for v, m in hand.since(after, ChipsMoved, seat=act.seat) if v < act.version]
        after = act.version
        if mine:
            yield act, mine
