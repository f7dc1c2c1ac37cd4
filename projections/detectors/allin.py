"""All-in wagers: whether a short one reopens the betting, what it wins, and table stakes.

Each public function is a detector; its docstring states the breach. `part` is the share of a bet from which an
all-in counts as a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Declared, Folded, HandKilled, Raised
from ledger.hand.bounds import call_level
from ledger.hand.limit_steps import LimitSteps
from ledger.presence import PlayerAway, PlayerBack
from ledger.text.language import translatable
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.awards import find_awards, is_unopposed
from projections.detectors.shared.bet_limits import iter_limit_steps
from projections.detectors.shared.spoken_words import iter_announced_raises
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import betting as say
from projections.sentences import paragraph
from projections.timeline.chip_flows import build_split_flow
from projections.timeline.hand_timeline import Timeline

_LIMITS_UNKNOWN: Final = CannotTell(translatable("the limits of the game"))


@hand_detector(
    events=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, occasion=SIGNS_ONLY
)
def reopened(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """A player who had acted raised again, though only short all-ins had been added since."""
    for facing in _iter_acts_facing_all_in(hand, part):
        if isinstance(facing, CannotTell):
            yield facing
            continue
        act, unit, _ = facing
        if act.kind in ("bet", "raise") and _is_betting_closed(hand, act, part, unit):
            call_chips = act.bet_to_call - act.bet_before
            is_mended = act.version in hand.undone_versions
            reason = say.less_than_part(hand.format_chips(call_chips), f"{part:g}", hand.format_chips(unit))
            yield Breach(
                act.version,
                say.raised_after_short_all_in(act.seat, hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=say.fold_or_call(hand.format_chips(call_chips)),
                because=paragraph(reason, say.put_right_in_time() if is_mended else ""),
                severity="warning" if is_mended else None,
            )


class _FacingAllIn(NamedTuple):
    """An act of a limit game that faces an all-in of less than a whole bet."""

    act: Act
    unit: Chips  # the fixed bet of the round
    steps: LimitSteps


def _iter_acts_facing_all_in(hand: Timeline, part: float) -> Iterator[_FacingAllIn | CannotTell]:
    """Yield the acts that face a short all-in; `CannotTell` for a round whose limits are unknown."""
    for street, acts in hand.acts_by_street():
        unit = hand.fixed_bet(street)
        if not unit:
            if any(act.is_all_in and act.kind in ("bet", "raise") for act in acts):
                yield _LIMITS_UNKNOWN
            continue
        for act, steps in iter_limit_steps(hand, acts, unit, part):
            if steps.top:
                yield _LIMITS_UNKNOWN if steps.odd else _FacingAllIn(act, unit, steps)


def _is_betting_closed(hand: Timeline, act: Act, part: float, unit: Chips) -> bool:
    """Whether a seat that had acted faces only all-ins that add up to less than `part` of a bet."""
    if act.is_first_on_street or not 0 < act.bet_to_call - act.bet_before < part * unit:
        return False
    wagers = _list_wagers_since_last_turn(hand, act)
    return bool(wagers) and all(wager.is_all_in for wager in wagers)


def _list_wagers_since_last_turn(hand: Timeline, act: Act) -> list[Act]:
    """Return the bets and raises of a round since a seat last acted in it."""
    wagers = []
    for earlier_act in hand.acts_back_from(act.version):
        if earlier_act.street == act.street:
            if earlier_act.seat == act.seat:
                break
            if earlier_act.bet_after > earlier_act.bet_to_call:
                wagers.append(earlier_act)
    return wagers


@hand_detector(
    events=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, occasion=SIGNS_ONLY
)
def wrong_completion(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Facing a short all-in, a wager was neither a call nor a completion to the full bet."""
    for facing in _iter_odd_wagers(hand, part, "below"):
        if isinstance(facing, CannotTell):
            yield facing
            continue
        act, unit, steps = facing
        if not _is_betting_closed(hand, act, part, unit):
            yield Breach(
                act.version,
                say.raised_all_in_wrongly(
                    act.seat, hand.format_chips(act.bet_to_call), hand.format_chips(act.bet_after)
                ),
                seat=act.seat,
                should=say.fold_call_or_complete(
                    hand.format_chips(act.bet_to_call), hand.format_chips(steps.smallest_raise)
                ),
            )


def _iter_odd_wagers(hand: Timeline, part: float, top: Literal["below", "half"]) -> Iterator[_FacingAllIn | CannotTell]:
    """Yield the bets and raises over a short all-in that aren't a whole step.

    `top` as in `LimitSteps`: the all-in was "below" the part that counts as a bet, or "half" a bet or more.
    """
    for facing in _iter_acts_facing_all_in(hand, part):
        if isinstance(facing, CannotTell):
            yield facing
            continue
        act, _, steps = facing
        is_wager = act.kind in ("bet", "raise") and not act.is_all_in
        if is_wager and steps.top == top and act.bet_after not in steps.whole_bets:
            yield facing


@hand_detector(
    events=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, occasion=SIGNS_ONLY
)
def wrong_raise_over_full(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """An all-in of half a bet or more was not treated as a full one by the raise over it."""
    for facing in _iter_odd_wagers(hand, part, "half"):
        if isinstance(facing, CannotTell):
            yield facing
            continue
        act, unit, _ = facing
        yield Breach(
            act.version,
            say.raised_all_in_wrongly(act.seat, hand.format_chips(act.bet_to_call), hand.format_chips(act.bet_after)),
            seat=act.seat,
            should=say.fold_call_or_raise(hand.format_chips(act.bet_to_call + unit)),
        )
    yield from _judge_refused_raises(hand, part)


def _judge_refused_raises(hand: Timeline, part: float) -> Iterator[Breach]:
    """Yield the announced raises over an all-in of half a bet or more that were ruled calls."""
    announced_versions = {act.version: version for act, version in iter_announced_raises(hand)}
    for facing in _iter_acts_facing_all_in(hand, part):
        if isinstance(facing, CannotTell):
            continue
        act, unit, steps = facing
        if act.kind == "call" and steps.top == "half" and act.version in announced_versions and not act.is_all_in:
            yield Breach(
                act.version,
                say.raise_over_all_in_refused(act.seat, hand.format_chips(act.bet_to_call)),
                seat=act.seat,
                should=say.full_raise_to(hand.format_chips(act.bet_to_call + unit)),
                certainty="likely",
                because=say.refusal_assumed(),
                other_events=((announced_versions[act.version], say.announcement_note()),),
            )


@hand_detector(events=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Symptom.STACK)
def chips_left(hand: Timeline) -> Iterator[Answer]:
    """An all-in wager left chips behind that were in play."""
    smallest_chip = hand.option("smallest-chip")
    for act, paid in hand.acts_with_totals():
        if not act.amount_added:
            continue  # not a wager: a disconnected seat is all-in for what it has put in
        remaining = (hand.stack_at(act.seat) or 0) - paid
        if remaining <= 0 or not getattr(act.event, "all_in", None) or _is_rest_unmatchable(hand, act):
            continue
        if smallest_chip is None and hand.big_blind is not None and remaining < hand.big_blind:
            yield CannotTell("house-option smallest-chip")
        elif smallest_chip is None or remaining >= smallest_chip:
            yield Breach(
                act.version,
                say.all_in_with_chips_left(act.seat, hand.format_chips(remaining)),
                seat=act.seat,
                should=say.every_chip_in(),
            )


def _is_rest_unmatchable(hand: Timeline, act: Act) -> bool:
    """Whether no opponent could match more chips than an act put in, so that the rest of the stack doesn't play."""
    state = hand.played.state_before(act.version)
    opponents = act.live_seats - {act.seat}
    opponent_chips = [(state.stack_left(seat), state.street_bet(seat)) for seat in opponents]
    return bool(opponent_chips) and all(
        stack_behind is not None and stack_behind + bet <= act.bet_after for stack_behind, bet in opponent_chips
    )


@hand_detector(events=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Symptom.STACK)
def beyond_table_stakes(hand: Timeline) -> Iterator[Answer]:
    """A seat put in more than it had on the table when the hand began."""
    reported_seats: set[Seat] = set()
    for act, paid in hand.acts_with_totals():
        stack = hand.stack_at(act.seat)
        if stack is not None and paid > stack and act.seat not in reported_seats:
            reported_seats.add(act.seat)
            yield Breach(
                act.version,
                say.beyond_table_stakes(act.seat, hand.format_chips(paid), hand.format_chips(stack)),
                seat=act.seat,
                should=say.at_most(hand.format_chips(stack)),
            )


@hand_detector(
    events=(Called, Bet, Raised),
    needs=Witness.ACTS | Witness.STACKS_BEFORE | Witness.AWARDS,
    signs=Symptom.ALL_IN_AWARD | Symptom.TURN | Symptom.STACK,
    occasion=Symptom.ALL_IN,
    deadline="after_hand",
)
def denied_share(hand: Timeline) -> Iterator[Answer]:
    """An all-in hand was folded, a hand was lost for want of chips, or an all-in winner was paid nothing."""
    yield from _judge_folded_all_ins(hand)
    yield from _judge_refused_calls(hand)
    yield from _judge_unpaid_winners(hand)


def _judge_refused_calls(hand: Timeline) -> Iterator[Answer]:
    """Yield the hands that were folded or killed because the seat had too few chips to call."""
    for version, event in hand.of(HandKilled, Folded):
        if hand.betting_end is not None and version > hand.betting_end.version:
            return
        state = hand.played.state_before(version)
        stack_behind = state.stack_left(event.seat)
        call_chips = call_level(state) - state.street_bet(event.seat)
        is_stated = isinstance(event, HandKilled) and event.reason == "cannot-call"
        cannot_cover = event.seat in state.live and stack_behind is not None and stack_behind < call_chips
        if is_stated or (cannot_cover and _has_announced_call(hand, version, event)):
            reason = say.wanted_to_call(hand.format_chips(call_chips), hand.format_chips(stack_behind or 0))
            yield Breach(
                version,
                say.lost_for_want_of_chips(event.seat),
                seat=event.seat,
                should=say.all_in_for_less(),
                remedy="not-followed",
                certainty="certain" if is_stated else "likely",
                because="" if is_stated else reason,
            )


def _has_announced_call(hand: Timeline, version: int, loss_event: HandKilled | Folded) -> bool:
    """Whether a seat had announced a call since its last act, and lost its hand through no breach of its own."""
    if isinstance(loss_event, HandKilled) and loss_event.reason not in ("rule", "unknown"):
        return False
    act_versions = [act.version for act in hand.acts_before(version) if act.seat == loss_event.seat]
    last_act_version = max(act_versions, default=0)
    declarations = hand.events_after(last_act_version, Declared, seat=loss_event.seat, before_version=version)
    return any(word.what in ("call", "all-in") for _, word in declarations)


def _judge_folded_all_ins(hand: Timeline) -> Iterator[Answer]:
    """Yield the folds of hands that were all-in."""
    for act in hand.acts:
        if act.kind == "fold" and act.seat in act.live_seats - act.able_seats and len(act.live_seats) > 1:
            is_away = _is_player_away(hand, act)
            yield Breach(
                act.version,
                say.all_in_folded(act.seat),
                seat=act.seat,
                should=say.plays_for_covered_pots(),
                certainty="likely" if is_away else "certain",
                because=say.away_hand_may_be_killed() if is_away else "",
            )


def _is_player_away(hand: Timeline, act: Act) -> bool:
    """Whether the player of an act was away at that time."""
    presence_events = [event for _, event in hand.events_before(act.version, PlayerAway, PlayerBack, seat=act.seat)]
    return bool(presence_events) and isinstance(presence_events[-1], PlayerAway)


def _judge_unpaid_winners(hand: Timeline) -> Iterator[Answer]:
    """Yield the all-in seats that won a pot by their cards and were paid nothing."""
    state = hand.played.final_state
    if not hand.is_contested or not any(state.is_all_in(seat) for seat in state.live):
        yield NO_OCCASION
        return
    if is_unopposed(hand):
        return
    expected_awards = find_awards(hand)
    if isinstance(expected_awards, CannotTell):
        yield expected_awards
        return
    if expected_awards is None:
        yield NO_OCCASION
        return
    for seat, (due, paid_amount, version) in expected_awards.items():
        if due and not paid_amount and state.is_all_in(seat) and hand.find_kill(seat) is None:
            yield Breach(
                version,
                say.best_hand_unpaid(seat),
                seat=seat,
                should=say.share_before_drop(hand.format_chips(due)),
                money=build_split_flow((payee, award.due, award.paid) for payee, award in expected_awards.items()),
            )
