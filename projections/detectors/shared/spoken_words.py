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


def acts_with_words(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, Declared]]]]:
    """Yield the acts that come with words of their seat, with the words of this turn."""
    last_act_at = 0
    for act in hand.acts:
        turn_words = hand.events_after(last_act_at, Declared, seat=act.seat, before_version=act.version)
        last_act_at = act.version
        if turn_words:
            yield act, turn_words


def announced(hand: Timeline) -> Iterator[tuple[Act, int]]:
    """Yield the acts before which their seat had announced a raise in this turn, with where it did."""
    for act, words in acts_with_words(hand):
        raise_versions = [version for version, word in words if word.what in RAISING]
        if raise_versions:
            yield act, raise_versions[0]


def moved(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, ChipsMoved]]]]:
    """Yield the acts that come with motions of chips of their seat, with the motions of this turn.

    Which chips they were is left out where the chips that are told do not come to the motion.
    """
    last_act_at = 0
    for act in hand.acts:
        turn_motions = hand.events_after(last_act_at, ChipsMoved, seat=act.seat, before_version=act.version)
        last_act_at = act.version
        if turn_motions:
            yield (
                act,
                [
                    (version, motion if sum(motion.chips) == motion.amount else replace(motion, chips=()))
                    for version, motion in turn_motions
                ],
            )
