"""Chips that were moved without a word, the raises they make, and acts that words or chips bind a player to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.hand.acts import NO_BET_LEVELS, Act, BetLevels
from ledger.hand.betting import ChipsMoved, Declared
from ledger.vocabulary import Chips
from projections.detectors.shared.spoken_words import iter_acts_with_motions, iter_announced_raises
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def find_minimum_raise(hand: Timeline, act: Act) -> Chips:
    """Return the least that a raise must add: the largest full bet or raise of the round so far."""
    # A raise over a short all-in blind is measured from the full blind.
    blind = (hand.big_blind or 0) if act.street == "preflop" else 0
    full_raises: dict[BetLevels, tuple[Chips, Chips]] = hand.cached(
        f"full raises above {blind}", lambda: {NO_BET_LEVELS: (hand.big_blind or 0, 0)}
    )
    # `full_raises` caches, for bet levels seen before: the largest full raise up to them, and their highest level.
    new_levels, bet_levels = [], act.bet_levels
    while bet_levels not in full_raises and bet_levels.previous is not None:
        new_levels.append(bet_levels)
        bet_levels = bet_levels.previous
    full_raise, previous_level = full_raises[bet_levels]
    for bet_levels in reversed(new_levels):
        level = max(bet_levels.highest, blind)
        full_raise, previous_level = max(full_raise, level - previous_level), level
        full_raises[bet_levels] = full_raise, previous_level
    return full_raise


def iter_separate_raises(hand: Timeline) -> Iterator[Act]:
    """Yield the raises, without those that a seat added to its own act before anybody else acted."""
    last_act: Act | None = None
    for act in hand.acts:
        is_addition = last_act is not None and (last_act.seat, last_act.street) == (act.seat, act.street)
        if act.kind == "raise" and not is_addition:
            yield act
        last_act = act


class SilentMotion(NamedTuple):
    """An act that its seat made by one silent motion of chips."""

    act: Act
    motion: ChipsMoved


def iter_silent_motions(hand: Timeline) -> Iterator[SilentMotion]:
    """Yield the acts made by one silent motion of chips, if the record lists the single chips."""
    announced_versions = {act.version: version for act, version in iter_announced_raises(hand)}
    for act, motions in iter_acts_with_motions(hand):
        if len(motions) != 1:
            continue
        ((motion_version, motion),) = motions
        is_silent = announced_versions.get(act.version, AFTER_ALL_EVENTS) > motion_version
        if motion.chips and is_silent:
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
