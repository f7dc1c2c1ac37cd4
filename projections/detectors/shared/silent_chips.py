"""Chips that were moved without a word, the raises they make, and acts that words or chips bind a player to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.acts import NO_BET_LEVELS, Act, BetLevels
from ledger.hand.betting import ChipsMoved, Declared
from ledger.vocabulary import Chips
from projections.detectors.shared.spoken_words import iter_acts_with_motions, iter_announced_raises
from projections.timeline.hand_timeline import Timeline


def find_minimum_raise(hand: Timeline, act: Act) -> Chips:
    """Return the least that a raise must add: the largest full bet or raise of the round so far."""
    # A raise over a short all-in blind is measured from the full blind.
    blind = (hand.big_blind or 0) if act.street == "preflop" else 0
    full_raises: dict[BetLevels, tuple[Chips, Chips]] = hand.cached(
        f"full raises above {blind}", lambda: {NO_BET_LEVELS: (hand.big_blind or 0, 0)}
    )
    new_wagers, wagers = [], act.bet_levels
    while wagers not in full_raises and wagers.previous is not None:
        new_wagers.append(wagers)
        wagers = wagers.previous
    full_raise, previous_level = full_raises[wagers]
    for wager in reversed(new_wagers):
        level = max(wager.highest, blind)
        full_raise, previous_level = full_raises[wager] = max(full_raise, level - previous_level), level
    return full_raise


def iter_separate_raises(hand: Timeline) -> Iterator[Act]:
    """Yield the raises, without those that a seat added to its own act before anybody else acted."""
    last: Act | None = None
    for act in hand.acts:
        is_addition = last is not None and (last.seat, last.street) == (act.seat, act.street)
        if act.kind == "raise" and not is_addition:
            yield act
        last = act


class SilentMotion(NamedTuple):
    """An act that its seat made by one silent motion of chips."""

    act: Act
    motion: ChipsMoved


def iter_silent_motions(hand: Timeline) -> Iterator[SilentMotion]:
    """Yield the acts made by one silent motion of chips, if the record lists the single chips."""
    announcements = {act.version: version for act, version in iter_announced_raises(hand)}
    for act, motions in iter_acts_with_motions(hand):
        if len(motions) != 1:
            continue
        ((moved_at, motion),) = motions
        announced_at = announcements.get(act.version)
        if motion.chips and (announced_at is None or announced_at > moved_at):
            yield SilentMotion(act, motion)


def is_call_by_smallest(silent_motion: SilentMotion) -> bool:
    """Whether several chips are only a call: without the smallest chip they wouldn't make the call."""
    act, motion = silent_motion
    return len(motion.chips) > 1 and motion.amount - min(motion.chips) < act.call_amount


def list_binding_acts(deed: Declared | ChipsMoved) -> tuple[str, ...]:
    """Return the kinds of act that words or chips out of turn bind a player to; () = none."""
    if isinstance(deed, ChipsMoved):
        return ("call", "bet", "raise")
    return (deed.what,) if deed.what in ("fold", "check", "call", "bet", "raise") else ()
