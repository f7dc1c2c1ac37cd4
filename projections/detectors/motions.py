"""Chips and words at the table: string raises, oversize chips, partial raises."""

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
    """A raise was made in several motions without being announced before the first, by word or by this part of it."""
    for turn in _iter_turns(hand):
        act = turn.act
        if act.kind != "raise" or len(turn.motions) < 2 or not _is_silent(turn):
            continue
        possible_totals = _list_possible_totals(hand, turn, part)
        if act.bet_after > possible_totals[-1]:
            first_amount = hand.format_chips(turn.motions[0][1].amount)
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
    """A wager with what its seat did and said since the act before it."""

    act: Act
    motions: list[tuple[int, ChipsMoved]]
    raise_said: int | None  # version of the first word that announces a raise


def _iter_turns(hand: Timeline) -> Iterator[_Turn]:
    """Yield the calls, bets and raises that come with motions of chips."""
    announced_at = {act.version: version for act, version in iter_announced_raises(hand)}
    for act, motions in iter_acts_with_motions(hand):
        if act.kind in ("call", "bet", "raise"):
            yield _Turn(act, motions, announced_at.get(act.version))


def _is_silent(turn: _Turn) -> bool:
    return turn.raise_said is None or turn.raise_said > turn.motions[0][0]


def _list_possible_totals(hand: Timeline, turn: _Turn, part: float) -> list[Chips]:
    """Return the totals that a silent first motion may come to: two, where the record doesn't tell one chip from several."""
    act, (_, first) = turn.act, turn.motions[0]
    call_total = act.bet_before + act.call_amount
    size, full_raise = _find_full_raise(hand, act)
    if len(first.chips) == 1 or first.amount < act.call_amount + part * size:
        return [call_total]
    raised = full_raise if hand.fixed_bet(act.street) else max(full_raise, act.bet_before + first.amount)
    return [raised] if first.chips else [call_total, raised]


def _find_full_raise(hand: Timeline, act: Act) -> tuple[Chips, Chips]:
    """Return by how much a full raise goes above the bet that an act faced, and its total.

    The first round's opening bet above the blinds is a full bet, though it is less than a raise.
    """
    unit = hand.fixed_bet(act.street)
    if unit is None:
        size = max(act.bet_levels.largest_step, hand.big_blind or 0)
        opened = find_opening_totals(hand, None) if act.street == "preflop" and not act.raises_before else ()
        return size, min([act.bet_to_call + size, *(total for total in opened if total > act.bet_to_call)])
    steps = hand.cached(f"ladder {act.street}", lambda: _map_limit_steps(hand, act.street, unit))
    return unit, steps[act.version].least


def _map_limit_steps(hand: Timeline, street: Street, unit: Chips) -> dict[int, LimitSteps]:
    """Return to what each act of a street could raise."""
    acts = [act for act in hand.acts if act.street == street]
    return {act.version: steps for act, steps in iter_limit_steps(hand, acts, unit)}


def _describe_ruling(hand: Timeline, act: Act, totals: list[Chips]) -> str:
    """Return `a call of 10`, `a raise to 20`, or both."""
    rulings = [
        say.raise_to(hand.format_chips(total))
        if total > act.bet_to_call
        else say.call_of(hand.format_chips(act.call_amount))
        for total in totals
    ]
    return say.one_chip_or_several(*rulings) if len(rulings) > 1 else rulings[0]


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def raise_cut_short(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips of a call and this part of a raise were taken as a call, or left short of the raise."""
    for turn in _iter_turns(hand):
        partial_raise, act = _find_partial_raise(hand, turn), turn.act
        if (
            not partial_raise
            or partial_raise[0].amount < act.call_amount + part * partial_raise[1]
            or act.bet_after >= partial_raise[2]
        ):
            continue
        first, _, full_raise = partial_raise
        if not first.chips and act.kind == "call":
            yield CannotTell(say.one_chip())
            continue
        yield Breach(
            act.version,
            say.ruled_wrong(act.seat, hand.format_chips(first.amount), _describe_ruling(hand, act, [act.bet_after])),
            seat=act.seat,
            should=say.raise_completed(hand.format_chips(full_raise)),
            remedy="not-followed",
        )


def _find_partial_raise(hand: Timeline, turn: _Turn) -> tuple[ChipsMoved, Chips, Chips] | None:
    """Return the first motion, if silent, the raise and its total, facing a bet; one oversize chip is another clause's."""
    act, (_, first) = turn.act, turn.motions[0]
    if (
        not _is_silent(turn)
        or not act.call_amount
        or act.is_all_in
        or (len(first.chips) == 1 and first.amount > act.call_amount)
    ):
        return None
    return first, *_find_full_raise(hand, act)


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def short_raise_taken(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips of less than a call and this part of a raise were taken as a raise."""
    for turn in _iter_turns(hand):
        partial_raise, act = _find_partial_raise(hand, turn), turn.act
        if not partial_raise or len(turn.motions) > 1 or act.kind != "raise":
            continue
        first, size, _ = partial_raise
        if first.amount < act.call_amount + part * size:
            yield Breach(
                act.version,
                say.ruled_wrong(
                    act.seat, hand.format_chips(first.amount), say.raise_to(hand.format_chips(act.bet_after))
                ),
                seat=act.seat,
                should=say.call_and_rest_back(hand.format_chips(act.call_amount)),
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_NEEDS)
def oversize_chip(hand: Timeline) -> Iterator[Answer]:
    """One silent chip, larger than the call, was taken as a raise."""
    for turn in _iter_turns(hand):
        act, (_, first) = turn.act, turn.motions[0]
        if (
            len(turn.motions) > 1
            or act.kind != "raise"
            or not _is_silent(turn)
            or not 0 < act.call_amount < first.amount
        ):
            continue
        if not first.chips:
            yield CannotTell(say.one_chip())
        elif len(first.chips) == 1:
            yield Breach(
                act.version,
                say.single_chip_raise(act.seat, hand.format_chips(first.amount), hand.format_chips(act.bet_after)),
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
        # A call or raise over odd chips that were taken before is not to blame for them.
        if act.raise_size % smallest_chip and act.amount_added % smallest_chip and not act.is_all_in:
            yield Breach(
                act.version,
                say.odd_chips(act.seat, hand.format_chips(act.amount_added)),
                seat=act.seat,
                should=say.multiples_of(hand.format_chips(smallest_chip)),
            )
