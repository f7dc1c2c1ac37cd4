"""What players said before they acted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from ledger.hand.acts import Act
from ledger.hand.betting import ChipsMoved, Declared
from projections.timeline.hand_timeline import Timeline

RAISING: Final = ("bet", "raise", "all-in", "complete")
"""Words that announce more than a call."""


def spoken(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, Declared]]]]:
    """Yield the acts that come with words of their seat, with the words of this turn."""
    after = 0
    for act in hand.acts:
        mine = hand.since(after, Declared, seat=act.seat, before=act.version)
        after = act.version
        if mine:
            yield act, mine


def announced(hand: Timeline) -> Iterator[tuple[Act, int]]:
    """Yield the acts before which their seat had announced a raise in this turn, with where it did."""
    for act, words in spoken(hand):
        said = [version for version, word in words if word.what in RAISING]
        if said:
            yield act, said[0]


def moved(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, ChipsMoved]]]]:
    """Yield the acts that come with motions of chips of their seat, with the motions of this turn.

    Which chips they were is left out where the chips that are told do not come to the motion.
    """
    after = 0
    for act in hand.acts:
        mine = hand.since(after, ChipsMoved, seat=act.seat, before=act.version)
        after = act.version
        if mine:
            yield (
                act,
                [(version, one if sum(one.chips) == one.amount else replace(one, chips=())) for version, one in mine],
            )
