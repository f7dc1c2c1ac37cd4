"""Words and motions of chips that belong to an act: those of its seat since the act before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from ledger.hand.acts import Act
from ledger.hand.betting import ChipsMoved, Declared
from projections.timeline.hand_timeline import Timeline

_RAISE_WORDS: Final = ("bet", "raise", "all-in", "complete")
"""Words that announce more than a call."""


def iter_acts_with_words(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, Declared]]]]:
    """Yield each act that its seat announced, with the words and their versions."""
    last_act_version = 0
    for act in hand.acts:
        turn_words = hand.events_after(last_act_version, Declared, seat=act.seat, before_version=act.version)
        last_act_version = act.version
        if turn_words:
            yield act, turn_words


def iter_announced_raises(hand: Timeline) -> Iterator[tuple[Act, int]]:
    """Yield each act that its seat announced as a bet or raise, with the version of the first such word."""
    for act, words in iter_acts_with_words(hand):
        raise_versions = [version for version, word in words if word.what in _RAISE_WORDS]
        if raise_versions:
            yield act, raise_versions[0]


def iter_acts_with_motions(hand: Timeline) -> Iterator[tuple[Act, list[tuple[int, ChipsMoved]]]]:
    """Yield each act whose seat moved chips for it, with the motions and their versions.

    A motion's single chips are left out if they don't sum to its amount.
    """
    last_act_version = 0
    for act in hand.acts:
        turn_motions = hand.events_after(last_act_version, ChipsMoved, seat=act.seat, before_version=act.version)
        last_act_version = act.version
        if turn_motions:
            yield act, [(version, _drop_inconsistent_chips(motion)) for version, motion in turn_motions]


def _drop_inconsistent_chips(motion: ChipsMoved) -> ChipsMoved:
    return motion if sum(motion.chips) == motion.amount else replace(motion, chips=())
