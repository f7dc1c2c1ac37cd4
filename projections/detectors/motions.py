"""Chips and words at the table: string raises, oversize chips, partial raises.

Each public function is a detector; its docstring states the breach. A motion is silent if no word announced a
raise before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, ChipsMoved, Raised
from ledger.hand.limit_steps import HALF, LimitSteps
from ledger.vocabulary import Chips, Street, Witness
from projections.detectors.shared.bet_limits import find_opening_totals, iter_limit_steps
from projections.detectors.shared.spoken_words import iter_acts_with_motions, iter_announced_raises
from projections.findings.detector import hand_detector
from projections.findings.finding import Answer, Breach, CannotTell
from projections.sentences import chip_motions as say
from projections.timeline.hand_timeline import Timeline

_NEEDS: Final = Witness.ACTS | Witness.WORDS


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def string_raise(hand: Timeline, *, part: float = HALF) -> Iterator[Answer]:
    """A raise was made in several motions, and neither a word nor this part of it in the first announced it."""
    for turn in _iter_turns(hand):
        act = turn.act
        if act.kind != "raise" or len(turn.motions) < 2 or not turn.is_silent:
            continue
        possible_totals = _list_possible_totals(hand, turn, part)
        if act.bet_after > max(possible_totals):
            first_amount = hand.format_chips(turn.first_motion.amount)
            yield Breach(
                act.version,
                say.string_raise(act.seat, hand.format_chips(act.bet_after), len(turn.motions)),
                seat=act.seat,
                should=say.first_motion_counts(_describe_ruling(hand, act, possible_totals), first_amount),
                other_events=tuple(
                    (version, say.note_motion(hand.format_chips(motion.amount))) for version, motion in turn.motions
                ),
            )
        elif len(possible_totals) > 1:
            yield CannotTell(say.one_chip())


class _Turn(NamedTuple):
    """A call, bet or raise, with its motions of chips and the word that announced it."""

    act: Act
    motions: list[tuple[int, ChipsMoved]]  # with their versions; at least one
    announced_version: int | None  # of the first word that announces a raise; None = there is none

    @property
    def first_motion(self) -> ChipsMoved:
        """The first motion of chips."""
        return self.motions[0][1]

    @property
    def is_silent(self) -> bool:
        """Whether no word announced a raise before the first motion."""
        first_motion_version, _ = self.motions[0]
        return self.announced_version is None or self.announced_version > first_motion_version


def _iter_turns(hand: Timeline) -> Iterator[_Turn]:
    """Yield the calls, bets and raises for which motions of chips are recorded."""
    announced_versions = {act.version: version for act, version in iter_announced_raises(hand)}
    for act, motions in iter_acts_with_motions(hand):
        if act.kind in ("call", "bet", "raise"):
            yield _Turn(act, motions, announced_versions.get(act.version))


def _list_possible_totals(hand: Timeline, turn: _Turn, part: float) -> list[Chips]:
    """Return the totals, ascending, that a silent first motion may come to.

    There are two if the record doesn't show whether the motion was one chip, which is a call, or several.
    """
    act, first_motion = turn.act, turn.first_motion
    call_total = act.bet_before + act.call_amount
    full_raise = _find_full_raise(hand, act)
    if len(first_motion.chips) == 1 or first_motion.amount < act.call_amount + part * full_raise.size:
        return [call_total]
    is_fixed_limit = bool(hand.fixed_bet(act.street))
    raise_total = full_raise.total if is_fixed_limit else max(full_raise.total, act.bet_before + first_motion.amount)
    return [raise_total] if first_motion.chips else [call_total, raise_total]


class _FullRaise(NamedTuple):
    """The smallest full raise over the bet that an act faced."""

    size: Chips  # above that bet
    total: Chips  # the bet and `size` together; less for an opening bet above the blinds


def _find_full_raise(hand: Timeline, act: Act) -> _FullRaise:
    """Return the smallest full raise over the bet that an act faced."""
    unit = hand.fixed_bet(act.street)
    if unit is None:
        size = max(act.bet_levels.largest_step, hand.big_blind or 0)
        opening_totals = find_opening_totals(hand, None) if act.street == "preflop" and not act.raises_before else ()
        return _FullRaise(
            size, min([act.bet_to_call + size, *(total for total in opening_totals if total > act.bet_to_call)])
        )
    steps_by_version = hand.cached(f"ladder {act.street}", lambda: _map_limit_steps(hand, act.street, unit))
    return _FullRaise(unit, steps_by_version[act.version].smallest_raise)


def _map_limit_steps(hand: Timeline, street: Street, unit: Chips) -> dict[int, LimitSteps]:
    """Return the totals that each act of a street could raise to, by the act's version."""
    acts = [act for act in hand.acts if act.street == street]
    return {act.version: steps for act, steps in iter_limit_steps(hand, acts, unit)}


def _describe_ruling(hand: Timeline, act: Act, totals: list[Chips]) -> str:
    """Return how the totals are ruled: `a call of 10`, `a raise to 20`, or both."""
    rulings = [
        say.raise_to(hand.format_chips(total))
        if total > act.bet_to_call
        else say.call_of(hand.format_chips(act.call_amount))
        for total in totals
    ]
    return say.one_chip_or_several(*rulings) if len(rulings) > 1 else rulings[0]


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def raise_cut_short(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips worth a call and this part of a raise were ruled a call, or not completed to the raise."""
    for turn in _iter_turns(hand):
        if not _may_be_partial_raise(turn):
            continue
        act, first_motion, full_raise = turn.act, turn.first_motion, _find_full_raise(hand, turn.act)
        if first_motion.amount < act.call_amount + part * full_raise.size or act.bet_after >= full_raise.total:
            continue
        if not first_motion.chips and act.kind == "call":
            yield CannotTell(say.one_chip())
            continue
        yield Breach(
            act.version,
            say.ruled_wrong(
                act.seat, hand.format_chips(first_motion.amount), _describe_ruling(hand, act, [act.bet_after])
            ),
            seat=act.seat,
            should=say.raise_completed(hand.format_chips(full_raise.total)),
            remedy="not-followed",
        )


def _may_be_partial_raise(turn: _Turn) -> bool:
    """Whether a silent first motion over a bet may be part of a raise. Another clause covers one oversize chip."""
    act, first_motion = turn.act, turn.first_motion
    is_oversize_chip = len(first_motion.chips) == 1 and first_motion.amount > act.call_amount
    return turn.is_silent and act.call_amount > 0 and not act.is_all_in and not is_oversize_chip


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def short_raise_taken(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips of less than a call and this part of a raise were taken as a raise."""
    for turn in _iter_turns(hand):
        act, first_motion = turn.act, turn.first_motion
        if act.kind != "raise" or len(turn.motions) > 1 or not _may_be_partial_raise(turn):
            continue
        if first_motion.amount < act.call_amount + part * _find_full_raise(hand, act).size:
            moved_chips, total = hand.format_chips(first_motion.amount), hand.format_chips(act.bet_after)
            yield Breach(
                act.version,
                say.ruled_wrong(act.seat, moved_chips, say.raise_to(total)),
                seat=act.seat,
                should=say.call_and_rest_back(hand.format_chips(act.call_amount)),
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def oversize_chip(hand: Timeline) -> Iterator[Answer]:
    """One silent chip, larger than the call, was taken as a raise."""
    for turn in _iter_turns(hand):
        act, motion = turn.act, turn.first_motion
        if (
            act.kind != "raise"
            or len(turn.motions) > 1
            or not turn.is_silent
            or not 0 < act.call_amount < motion.amount
        ):
            continue
        if not motion.chips:
            yield CannotTell(say.one_chip())
        elif len(motion.chips) == 1:
            yield Breach(
                act.version,
                say.single_chip_raise(act.seat, hand.format_chips(motion.amount), hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=say.call_and_change(hand.format_chips(act.call_amount)),
                remedy="not-followed",
            )


@hand_detector(events=(Called, Bet, Raised), needs=Witness.ACTS | Witness.HOUSE_OPTIONS)
def chip_too_small(hand: Timeline) -> Iterator[Answer]:
    """A wager holds an amount below the game's smallest chip."""
    smallest_chip = hand.option("smallest-chip")
    if not smallest_chip:
        yield CannotTell("house-option smallest-chip")
        return
    for act in hand.acts:
        # An act over odd chips that an earlier bet holds isn't to blame for them.
        if act.raise_size % smallest_chip and act.amount_added % smallest_chip and not act.is_all_in:
            yield Breach(
                act.version,
                say.not_whole_chips(act.seat, hand.format_chips(act.amount_added)),
                seat=act.seat,
                should=say.multiples_of(hand.format_chips(smallest_chip)),
            )
