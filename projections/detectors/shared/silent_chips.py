"""Chips that were moved without a word, and acts that words or chips out of turn bind to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.acts import NO_WAGERS, Act, Wagers
from ledger.hand.betting import ChipsMoved, Declared
from ledger.vocabulary import Chips
from projections.detectors.shared.spoken_words import announced, moved
from projections.timeline.hand_timeline import Timeline


def minimum_raise(hand: Timeline, act: Act) -> Chips:
    """Return the largest full bet or raise of the round so far: what a raise must add at least."""
    blind = (
        (hand.big_blind or 0) if act.street == "preflop" else 0
    )  # one that is all-in for less is raised as a full one
    full_raises: dict[Wagers, tuple[Chips, Chips]] = hand.cached(
        f"full raises above {blind}", lambda: {NO_WAGERS: (hand.big_blind or 0, 0)}
    )
    new_wagers, wagers = [], act.wagers
    while wagers not in full_raises and wagers.before is not None:
        new_wagers.append(wagers)
        wagers = wagers.before
    full_raise, previous_level = full_raises[wagers]
    for wager in reversed(new_wagers):
        level = max(wager.level, blind)
        full_raise, previous_level = full_raises[wager] = max(full_raise, level - previous_level), level
    return full_raise


def separate_raises(hand: Timeline) -> Iterator[Act]:
    """Yield the raises, without what a seat added to its own before anybody else acted."""
    last: Act | None = None
    for act in hand.acts:
        is_addition = last is not None and (last.seat, last.street) == (act.seat, act.street)
        if act.kind == "raise" and not is_addition:
            yield act
        last = act


class SilentMotion(NamedTuple):
    """An act and the one silent motion of chips it came of."""

    act: Act
    motion: ChipsMoved


def silent_motions(hand: Timeline) -> Iterator[SilentMotion]:
    """Yield the acts that came of one silent motion of chips that are known one by one."""
    announcements = {act.version: version for act, version in announced(hand)}
    for act, motions in moved(hand):
        if len(motions) != 1:
            continue
        ((moved_at, motion),) = motions
        announced_at = announcements.get(act.version)
        if motion.chips and (announced_at is None or announced_at > moved_at):
            yield SilentMotion(act, motion)


def is_call_by_smallest(silent_motion: SilentMotion) -> bool:
    """Whether the chips are a call because less than the call is left without the smallest."""
    act, motion = silent_motion
    return len(motion.chips) > 1 and motion.amount - min(motion.chips) < act.call


def binding_acts(deed: Declared | ChipsMoved) -> tuple[str, ...]:
    """Return the acts of which one has to follow what was said or moved out of turn."""
    if isinstance(deed, ChipsMoved):
        return ("call", "bet", "raise")
    return (deed.what,) if deed.what in ("fold", "check", "call", "bet", "raise") else ()
