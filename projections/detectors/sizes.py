"""The size of bets and raises: fixed limits, the pot limit, and the minimum to open.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Raised
from ledger.hand.limit_steps import LimitSteps
from ledger.hand.opening import Agreed, BlindPosted
from ledger.text.language import translatable
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.bet_limits import iter_limit_steps
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import betting as say
from projections.sentences import paragraph, unknowns
from projections.timeline.hand_timeline import Timeline

_SCHEDULE_UNKNOWN: Final = "house-option limit-schedule"


@hand_detector(events=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SMALL_BET)
def split_limit(hand: Timeline, *, lower: list[str], upper: list[str]) -> Iterator[Answer]:
    """A bet or raise doesn't have the size that the limit sets for its street."""
    bets = hand.game.bets if hand.game else ()
    if len(bets) < 2:
        yield CannotTell(translatable("the limits of the game"))
        return
    is_unit_uncertain = _may_have_other_limits(hand)
    for street, acts in hand.acts_by_street():
        unit = hand.fixed_bet(street)
        if unit is None or street not in (*lower, *upper):
            continue
        other_unit = bets[0] if unit == bets[1] else bets[1]
        odd_wagers = list(_iter_odd_wagers(hand, acts, unit))
        if is_unit_uncertain and odd_wagers and not any(_iter_odd_wagers(hand, acts, other_unit)):
            yield CannotTell(_SCHEDULE_UNKNOWN)
            continue
        for act, steps, right_totals in odd_wagers:
            is_mended = act.version in hand.undone_versions or hand.settled_bet(act) in {*right_totals, act.bet_to_call}
            yield _build_size_breach(
                hand, act, unit, steps.smallest_raise, is_unit_uncertain=is_unit_uncertain, is_mended=is_mended
            )


def _build_size_breach(
    hand: Timeline, act: Act, unit: Chips, minimum: Chips, *, is_unit_uncertain: bool, is_mended: bool
) -> Breach:
    """Return the breach of a wager of a wrong size; `is_mended`: it was put right before the next seat acted."""
    return Breach(
        act.version,
        _describe_wrong_size(hand, act, unit),
        seat=act.seat,
        should=say.bet_or_raise_to("raise" if act.bet_to_call else "bet", hand.format_chips(minimum)),
        certainty="likely" if is_unit_uncertain else "certain",
        because=paragraph(
            say.other_limits_unknown() if is_unit_uncertain else "", say.put_right_in_time() if is_mended else ""
        ),
        severity="warning" if is_mended else None,
    )


def _may_have_other_limits(hand: Timeline) -> bool:
    """Whether a posted sign may set the bets of the streets differently, without the record showing what it says."""
    schedule = hand.options.get("limit-schedule")
    may_be_unrecorded = bool(hand.in_force.notices) or not hand.is_witnessed(Witness.HOUSE_OPTIONS)
    return schedule == "posted" or (schedule is None and may_be_unrecorded)


def _describe_wrong_size(hand: Timeline, act: Act, unit: Chips) -> str:
    """Return the headline for a bet or raise of a wrong size; `unit` is the fixed bet."""
    if not act.bet_to_call:
        return say.bet_of_wrong_size(act.seat, hand.format_chips(act.bet_after), act.street, hand.format_chips(unit))
    return say.raise_of_wrong_size(
        act.seat,
        hand.format_chips(act.bet_to_call),
        hand.format_chips(act.bet_after),
        act.street,
        hand.format_chips(unit),
    )


class _OddWager(NamedTuple):
    """A bet or raise that isn't a whole step of the fixed bet."""

    act: Act
    steps: LimitSteps
    right_totals: frozenset[Chips]  # the totals that would have been right


def _iter_odd_wagers(hand: Timeline, acts: list[Act], unit: Chips) -> Iterator[_OddWager]:
    """Yield the bets and raises of a round that aren't a whole step of `unit`."""
    for act, steps in iter_limit_steps(hand, acts, unit):
        # The clause doesn't cover short all-ins: after one, a raise may also go a whole bet beyond the bet to call.
        right_totals = steps.whole_bets | steps.filled | ({act.bet_to_call + unit} if steps.top else set())
        if act.kind in ("bet", "raise") and not act.is_all_in and act.bet_after not in right_totals:
            yield _OddWager(act, steps, right_totals)


@hand_detector(events=(Bet, Raised, Called), needs=Witness.ACTS, signs=Symptom.SMALL_BET)
def minimum_open(hand: Timeline) -> Iterator[Answer]:
    """A round was opened for less than the game's set minimum."""
    for act in hand.acts:
        is_first_raise = act.kind == "raise" and act.street == "preflop" and not act.raises_before
        is_opening = is_first_raise or (act.kind == "bet" and not act.bet_to_call)
        if act.is_all_in or not is_opening:
            continue
        set_minimum = _find_set_minimum(hand)
        if not set_minimum and hand.big_blind is None:
            yield CannotTell("house-option minimum-open")
            return
        # The big blind is the minimum of a bet, but above the blinds only a set minimum counts.
        minimum = set_minimum if set_minimum or is_first_raise else hand.big_blind or 0
        if act.bet_after < minimum:
            yield _build_low_opening_breach(hand, act, minimum, is_set=bool(set_minimum))


def _build_low_opening_breach(hand: Timeline, act: Act, minimum: Chips, *, is_set: bool) -> Breach:
    """Return the breach of an opening below the minimum; only likely if the minimum isn't set (`is_set` False)."""
    is_mended = hand.settled_bet(act) >= minimum or hand.settled_bet(act) == act.bet_before
    return Breach(
        act.version,
        say.opened_below_minimum(act.seat, act.street, hand.format_chips(act.bet_after), hand.format_chips(minimum)),
        seat=act.seat,
        should=say.at_least(hand.format_chips(minimum)),
        certainty="certain" if is_set else "likely",
        because=paragraph("" if is_set else say.big_blind_as_minimum(), say.put_right_in_time() if is_mended else ""),
        severity="warning" if is_mended else None,
    )


def _find_set_minimum(hand: Timeline) -> Chips:
    """Return the minimum to open a round that the game sets, or 0 if none is recorded."""
    bets = hand.game.bets if hand.game else ()
    return hand.option("minimum-open") or hand.option("bring-in") or (bets[0] if bets else 0)


@hand_detector(events=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.LARGE_BET)
def over_pot(hand: Timeline, *, only_two_handed: bool = False) -> Iterator[Answer]:
    """A bet or raise went above the size of the pot, and no two players had agreed to it."""
    # `only_two_handed`: the clause is about pots with two players left.
    missing_chips = _sum_missing_blind_chips(hand)
    for act in hand.acts:
        if act.kind not in ("bet", "raise"):
            continue
        maximum = _compute_pot_maximum(hand, act)
        is_two_handed = len(act.live_seats) == 2
        if act.bet_after <= maximum or (only_two_handed and not is_two_handed):
            continue
        if is_two_handed and _has_agreement(hand, act.live_seats, act):
            continue
        full_maximum = (
            _compute_full_blind_maximum(hand, act, missing_chips)
            if missing_chips and act.street == "preflop"
            else maximum
        )
        if act.bet_after <= full_maximum:
            yield CannotTell(unknowns.short_blind_counts_in_full())
        elif is_two_handed and not hand.is_witnessed(Witness.PERMISSIONS):
            yield CannotTell("permissions")
        elif len(act.able_seats) == 2 and _has_agreement(hand, act.able_seats, act):
            yield CannotTell(unknowns.agreement_beside_all_in())
        else:
            yield _build_over_pot_breach(hand, act, maximum, full_maximum)


def _compute_pot_maximum(hand: Timeline, act: Act) -> Chips:
    """Return the most that an act may raise to: the pot, or the set opening bet if that is more."""
    maximum = act.bet_to_call + act.pot_before + act.call_amount
    return maximum if act.raises_before else max(maximum, hand.option("minimum-open") or 0)


def _build_over_pot_breach(hand: Timeline, act: Act, maximum: Chips, full_maximum: Chips) -> Breach:
    """Return the breach of a wager over the pot; `full_maximum` is the maximum if short blinds count in full."""
    is_mended = hand.settled_bet(act) <= maximum
    limit = hand.format_chips(maximum)
    return Breach(
        act.version,
        say.raise_over_pot(act.seat, hand.format_chips(act.bet_to_call), hand.format_chips(act.bet_after), limit)
        if act.bet_to_call
        else say.bet_over_pot(act.seat, hand.format_chips(act.bet_after), limit),
        seat=act.seat,
        should=say.at_most_or_with_full_blind(limit, hand.format_chips(full_maximum))
        if full_maximum > maximum
        else say.at_most(limit),
        because=paragraph(
            say.pot_and_call(hand.format_chips(act.pot_before), hand.format_chips(act.call_amount))
            if act.call_amount
            else say.pot_was(hand.format_chips(act.pot_before)),
            say.put_right_in_time() if is_mended else "",
        ),
        severity="warning" if is_mended else None,
    )


def _sum_missing_blind_chips(hand: Timeline) -> Chips:
    """Return by how many chips the blinds that are all-in for less fall short."""
    amounts = dict(zip(("small", "big"), hand.blinds, strict=False))
    return sum(
        max(0, amounts.get(post.role, 0) - post.live - post.dead)
        for _, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and (post.all_in or hand.stack_at(post.seat) == post.live + post.dead)
    )


def _compute_full_blind_maximum(hand: Timeline, act: Act, missing_chips: Chips) -> Chips:
    """Return the most that an act of the first round may raise to if short blinds count in full."""
    # The pot counts as if the blinds were whole: a raise adds the call to it and goes up by that sum.
    level = max(act.bet_to_call, hand.big_blind or 0)
    return 2 * level - act.bet_before + act.pot_before + missing_chips


def _has_agreement(hand: Timeline, seats: AbstractSet[Seat], act: Act) -> bool:
    """Whether these seats had agreed before an act to bet more than the pot."""
    return any(
        version < act.version and seats <= set(event.seats) for version, event in hand.agreements("exceed-pot-limit")
    )


@hand_detector(events=(Agreed,), needs=Witness.ACTS | Witness.POSTS)
def called_part(hand: Timeline) -> Iterator[Answer]:
    """A bet above the pot, by agreement, was called with neither the whole of it nor the pot."""
    has_occasion = False
    for bet, call in pairwise(hand.acts):
        pot_total = bet.bet_to_call + bet.pot_before + bet.call_amount
        is_over_pot = bet.kind in ("bet", "raise") and bet.bet_after > pot_total
        if not is_over_pot or len(bet.live_seats) != 2 or not _has_agreement(hand, bet.live_seats, bet):
            continue
        has_occasion = True
        if call.kind == "call" and call.bet_after not in (bet.bet_after, pot_total) and not call.is_all_in:
            yield Breach(
                call.version,
                say.called_part(call.seat, hand.format_chips(call.bet_after), hand.format_chips(bet.bet_after)),
                seat=call.seat,
                should=say.whole_bet_or_pot(hand.format_chips(bet.bet_after), hand.format_chips(pot_total)),
            )
    if not has_occasion:
        yield NO_OCCASION
