"""Acts that are impossible as recorded: without a live hand or chips, a check of a bet, after the betting round."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeAlias

from ledger.hand import betting
from ledger.hand.acts import Act
from ledger.hand.street_deals import StreetDeal
from ledger.text.language import translatable
from ledger.vocabulary import Witness
from projections.detectors.shared.act_course import ActCourse, DeadHand
from projections.detectors.shared.act_repairs import changes_nothing
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach, CannotTell, Certainty
from projections.sentences import impossible_acts as say
from projections.sentences.record import given_up_note, hand_may_have_been_returned, hand_was_corrected, stacks_missing
from projections.timeline.hand_timeline import Timeline

Fault: TypeAlias = Literal["hand", "chips", "check", "call", "over", "turn"]
"""What is wrong with an act: no live hand, no chips, a check of a bet, a wrong call, made after the round, out of turn."""

_ACTS: Final = (betting.Folded, betting.Checked, betting.Called, betting.Bet, betting.Raised, betting.Completed)
_NEEDS: Final = Witness.ACTS | Witness.POSTS | Witness.BOARD
_STREET_UNKNOWN: Final = translatable("where a street begins")
_FAULTS: Final[tuple[Fault, ...]] = ("hand", "chips", "check", "call", "over", "turn")
_BET_FAULTS: Final[tuple[Fault, ...]] = ("check", "call", "over", "turn")
"""Faults that depend on the bets of the street and on whose turn it is."""


@hand_detector(events=_ACTS, signs=Symptom.TURN, deadline="mendable")
def act_without_hand(hand: Timeline) -> Iterator[Answer]:
    """A player whose hand was folded or dead acted."""
    yield from _find_faults(hand)["hand"]


@hand_detector(
    events=_ACTS, needs=Witness.ACTS | Witness.POSTS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable"
)
def act_without_chips(hand: Timeline) -> Iterator[Answer]:
    """A player who was all-in, or out of the tournament, acted."""
    yield from _find_faults(hand)["chips"]


@hand_detector(events=(betting.Checked,), needs=_NEEDS, signs=Symptom.CALL_SIZE | Symptom.STACK, deadline="mendable")
def check_of_bet(hand: Timeline) -> Iterator[Answer]:
    """A player checked with a bet to call."""
    yield from _find_faults(hand)["check"]


@hand_detector(events=(betting.Called,), needs=_NEEDS, signs=Symptom.CALL_SIZE | Symptom.STACK, deadline="mendable")
def wrong_call(hand: Timeline) -> Iterator[Answer]:
    """A call was for more or less than the bet, and didn't put the player all-in."""
    yield from _find_faults(hand)["call"]


@hand_detector(events=_ACTS, needs=_NEEDS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable")
def act_after_round(hand: Timeline) -> Iterator[Answer]:
    """A player acted after the betting round was over, or again without a bet or raise since."""
    yield from _find_faults(hand)["over"]


@hand_detector(events=_ACTS, needs=_NEEDS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable")
def act_before_turn(hand: Timeline) -> Iterator[Answer]:
    """After the first act of a round a player acted out of turn, and nobody put it right."""
    yield from _find_faults(hand)["turn"]


def find_impossible_acts(hand: Timeline) -> frozenset[int]:
    """Return the versions of the checks, calls and late acts that certainly don't fit the recorded bets."""
    if not all(hand.is_witnessed(kind) for kind in (Witness.ACTS, Witness.POSTS, Witness.BOARD)):
        return frozenset()
    faults = _find_faults(hand)
    answers = [answer for fault in ("check", "call", "over") for answer in faults[fault]]
    return frozenset(
        answer.version for answer in answers if isinstance(answer, Breach) and answer.certainty == "certain"
    )


def _find_faults(hand: Timeline) -> dict[Fault, list[Answer]]:
    """Return the answers by fault; computed once for all clauses."""
    return hand.cached("faults of acts", lambda: _FaultSearch(hand).judge_all())


class _FaultSearch(ActCourse):
    """Judges each act of a hand in one pass and reports at most one fault for it.

    `_RULES` pairs the predicates below with the methods that report; the first predicate that holds decides.
    """

    def __init__(self, hand: Timeline) -> None:
        super().__init__(hand)
        self.faults: dict[Fault, list[Answer]] = {fault: [] for fault in _FAULTS}

    def judge_all(self) -> dict[Fault, list[Answer]]:
        """Judge all acts of the hand; return the answers by fault."""
        acts = {act.version: act for act in self.hand.acts}
        late_acts = {act.version: act for act in self.hand.late_acts}
        for version, event in self.hand.numbered_events:
            act = acts.get(version)
            if version in late_acts:
                self.judge_after_award(late_acts[version])
            elif act is not None:
                self.judge_act(act)
            else:
                self.apply_event(version, event)
        return self.faults

    def judge_act(self, act: Act) -> None:
        """Report the fault of an act, if any, then apply the act."""
        if act.street != self.street:
            self.street, self.has_unsettled_bet, self.is_street_begun = act.street, False, False
            self.out_of_turn_seats.clear()
        if act.seat in self.hand.start and act.version not in self.repaired_acts:
            report_fault = next(report for applies, report in _RULES if applies(self, act))
            report_fault(self, act)
        self.apply_act(act)

    def apply_act(self, act: Act) -> None:
        """Note what an act changes for the acts after it."""
        self.is_street_begun = True
        self.street_chips[act.seat] = act.bet_after
        if act.seat_to_act not in (None, act.seat) and act.version not in self.mending_acts:
            self.out_of_turn_seats.add(act.seat)
            self.has_unsettled_bet = self.has_unsettled_bet or act.raise_size > 0
        if act.amount_added:
            self.voluntary_seats.add(act.seat)
            is_stated_all_in = bool(getattr(act.event, "all_in", None))
            self.check_stack(act.seat, self.chips_with_act[act.version], is_all_in=is_stated_all_in)
        if act.kind == "fold":
            self.dead_hands.setdefault(act.seat, DeadHand(act.version, is_folded=True))

    # Predicates of the rules

    def has_dead_hand(self, act: Act) -> bool:
        """Whether the seat's hand was folded or killed."""
        return act.seat in self.dead_hands

    def is_out(self, act: Act) -> bool:
        """Whether the player is out of the tournament."""
        return act.seat in self.finish_versions

    def is_all_in(self, act: Act) -> bool:
        """Whether a seat holds a hand but no chip to bet."""
        return act.has_hand and (not act.has_chips or self.hand.stack_at(act.seat) == 0)

    def may_bet_alone(self, act: Act) -> bool:
        """Whether this may be a bet by the last player with chips, which is returned; streets are unknown then."""
        return act.is_first_on_street and not self.has_known_streets and not act.has_turn and not self.is_over(act)

    def is_after_draw(self, act: Act) -> bool:
        """Whether a new round may have begun with a draw, which deals no street."""
        return self.has_draws and self.may_be_on_next_street(act)

    def may_be_on_next_street(self, act: Act) -> bool:
        """Whether a street may have begun that the record doesn't show."""
        return not self.has_known_streets and (self.is_round_closed or not act.has_turn)

    def is_in_doubt(self, act: Act) -> bool:
        """Whether the bets that an act faces are unknown."""
        return bool(self.find_doubt(act))

    def has_no_decision(self, act: Act) -> bool:
        """Whether the betting is over, or the seat has acted and called all bets."""
        return self.is_over(act) or (not act.has_turn and act.bet_before >= act.bet_to_call)

    def is_check_of_bet(self, act: Act) -> bool:
        """Whether the seat checked with a bet to call."""
        return act.kind == "check" and act.bet_before < act.bet_to_call

    def is_wrong_call(self, act: Act) -> bool:
        """Whether a call isn't for the amount of the bet, nor for a full blind."""
        return act.kind == "call" and act.bet_after != act.bet_to_call and not self.is_full_call(act)

    def is_too_soon(self, act: Act) -> bool:
        """Whether another seat was due, for the first time on the street. Other books judge who opens a street."""
        if act.seat_to_act in (None, act.seat) or act.version in self.mending_acts or not self.is_street_begun:
            return False
        if self.out_of_turn_seats or self.kill_posters:
            return False
        return act.seat_to_act not in self.absent_seats and self.hand.stack_at(act.seat_to_act) is not None

    # Reports of the rules

    def report_nothing(self, _: Act) -> None:
        """Report no fault."""

    def close_round(self, _: Act) -> None:
        """Report no fault, but note that another street may have begun."""
        self.is_round_closed = True

    def report_doubt(self, act: Act) -> None:
        """Report what is unknown about the bets that an act faces."""
        doubt = self.find_doubt(act)
        self.is_round_closed = self.is_round_closed or doubt == _STREET_UNKNOWN
        for fault in _BET_FAULTS:
            self.faults[fault].append(CannotTell(doubt))

    def report_without_hand(self, act: Act) -> None:
        """Report an act of a seat without a live hand."""
        version, is_folded = self.dead_hands[act.seat]
        if act.kind == "fold" and act.seat in self.out_of_turn_seats:
            return  # a fold out of turn that the record repeats in turn
        if not is_folded:
            headline = say.acted_with_dead_hand(act.seat, self.describe_action(act))
        elif act.kind == "fold":
            headline = say.folded_twice(act.seat)
        else:
            headline = say.acted_after_folding(act.seat, self.describe_action(act))
        reason = "" if self.hand.is_witnessed(Witness.ACTS) else hand_may_have_been_returned()
        self.add_fault("hand", act, headline, say.hand_is_dead(), reason, notes=((version, given_up_note()),))

    def report_after_busting(self, act: Act) -> None:
        """Report an act of a player who is out of the tournament."""
        notes = ((self.finish_versions[act.seat], say.out_note()),)
        headline = say.acted_after_busting(act.seat, self.describe_action(act))
        self.add_fault("chips", act, headline, say.player_is_out(), notes=notes)

    def report_without_chips(self, act: Act) -> None:
        """Report an act of an all-in seat, unless another clause covers it."""
        seat, stack = act.seat, self.hand.stack_at(act.seat)
        if seat in self.bought_seats or "bet-cap" in self.hand.options or changes_nothing(act):
            return
        if self.is_auto_fold(act):
            return
        chips = self.chips_with_act[act.version]
        if stack is not None and chips > stack:
            return  # clause R11 reports more chips than the seat has
        remaining = 0 if stack is None else stack - (chips - act.amount_added)
        reason = say.chips_left_by_stack(self.hand.format_chips(remaining)) if remaining > 0 else ""
        headline = say.acted_all_in(seat, self.describe_action(act))
        self.add_fault("chips", act, headline, say.player_is_all_in(), reason)

    def is_auto_fold(self, act: Act) -> bool:
        """Whether the room's software may have folded an absent player who was all-in for a post."""
        if act.kind != "fold" or self.hand.is_witnessed(Witness.HAND_KILLS):
            return False
        return act.seat not in self.voluntary_seats

    def find_doubt(self, act: Act) -> str:
        """Return what is unknown about the bets that an act faces; "" = nothing is."""
        last_deal = self.find_last_deal(act)
        is_first_round = act.street == self.first_street and act.kind != "fold"
        doubts = (
            (self.is_misdealt, translatable("which chips were returned at the misdeal")),
            (self.has_unsettled_bet, translatable("whether a bet out of turn stood")),
            (self.straddle_doubt and is_first_round, self.straddle_doubt),
            (self.may_be_on_next_street(act), _STREET_UNKNOWN),
            (act.bet_before < 0 or self.has_unclear_return, translatable("which chips went back")),
            (self.has_odd_stack, "stacks-before"),
            (last_deal is not None and self.is_odd_street(last_deal), translatable("which street an act belongs to")),
        )
        return next((doubt for applies, doubt in doubts if applies), "")

    def is_odd_street(self, deal: StreetDeal) -> bool:
        """Whether a street was withdrawn, dealt again, or dealt while the betting was open."""
        return bool(
            deal.withdrawn or deal.is_dealt_again or (deal.seats_to_act and not self.is_first_betting_street(deal))
        )

    def find_last_deal(self, act: Act) -> StreetDeal | None:
        """Return the last street dealt before an act; None = none was. Acts must come in their order."""
        deals = self.hand.deals
        while self.next_deal_index < len(deals) and self.is_before(deals[self.next_deal_index].version, act.version):
            self.next_deal_index += 1
        return deals[self.next_deal_index - 1] if self.next_deal_index else None

    def is_first_betting_street(self, deal: StreetDeal) -> bool:
        """Whether the betting begins on this street, as in a bomb pot."""
        first_act = self.hand.first_act
        is_bomb_pot = self.hand.is_bomb_pot
        if not is_bomb_pot and (not deal.is_matched or self.has_live_posts):
            return False
        return first_act is None or self.is_before(deal.version, first_act)

    def is_over(self, act: Act) -> bool:
        """Whether the showdown had begun, or a pot was awarded."""
        betting_end = self.hand.betting_end
        return betting_end is not None and not self.is_reopened and self.is_before(betting_end.version, act.version)

    def may_be_alone(self, act: Act) -> bool:
        """Whether all other players may have mucked their cards."""
        if act.live_count - len(self.mucked_seats) > 1:
            return False
        return act.is_crowded or act.live_seats - self.mucked_seats == {act.seat}

    def is_before(self, version: int, next_version: int) -> bool:
        """Whether an event comes before another in the corrected hand."""
        return self.event_indexes[version] < self.event_indexes[next_version]

    def judge_after_award(self, act: Act) -> None:
        """Report an act after the pot was paid, unless the floor returned its chips."""
        if act.seat not in self.hand.start or self.is_returned_later(act):
            return
        if act.seat in self.dead_hands:
            self.report_without_hand(act)
        elif act.amount_added or not (act.kind == "fold" or changes_nothing(act)):
            headline = say.acted_after_award(act.seat, self.describe_action(act))
            self.add_fault("over", act, headline, say.hand_is_over())

    def report_after_round(self, act: Act) -> None:
        """Report an act of a seat that had nothing left to decide."""
        if act.seat in self.out_of_turn_seats or act.version in self.mending_acts or changes_nothing(act):
            return
        if act.is_first_on_street and not self.is_over(act):
            return  # the last player with chips may still bet, and the bet is returned
        is_fold = act.kind == "fold"
        if is_fold and (self.is_over(act) or not act.to_act_bits or self.may_be_alone(act)):
            return  # a player may give up a hand at any time
        reason = say.may_fold_any_time() if is_fold else ""
        seat, action = act.seat, self.describe_action(act)
        if self.is_over(act):
            self.add_fault("over", act, say.acted_after_betting(seat, action), say.betting_is_over())
        elif act.to_act_bits:
            is_free_call = act.kind == "call" and not act.amount_added
            headline = say.repeat_call(seat, action) if is_free_call else say.acted_again(seat, action)
            self.add_fault("over", act, headline, say.turn_must_come_again(), reason)
        else:
            self.add_fault("over", act, say.acted_after_round(seat, action), say.next_street_first(), reason)

    def report_check_of_bet(self, act: Act) -> None:
        """Report a check with a bet to call."""
        chips = self.hand.format_chips(act.call_amount)
        self.add_fault("check", act, say.checked_facing_bet(act.seat, chips), say.fold_call_or_raise(chips))

    def report_too_soon(self, act: Act) -> None:
        """Report an act out of turn."""
        due_seat = act.seat_to_act or act.seat
        headline = say.acted_before(act.seat, self.describe_action(act), due_seat)
        self.add_fault("turn", act, headline, say.acts_first(due_seat), say.out_of_turn_or_order())

    def report_wrong_call(self, act: Act) -> None:
        """Report a call for more or less than the bet."""
        hand, action = self.hand, self.describe_action(act)
        if self.is_returned_later(act):
            return
        bet = hand.format_chips(act.bet_to_call)
        if act.bet_after > act.bet_to_call:
            if act.bet_to_call:
                self.add_fault("call", act, say.called_other_amount(act.seat, action, bet), say.call_of(bet))
            else:
                self.add_fault("call", act, say.call_without_bet(act.seat, action), say.check_or_bet())
            return
        stack, chips = hand.stack_at(act.seat), self.chips_with_act[act.version]
        cap = hand.option("bet-cap")
        if act.is_all_in or (cap is not None and chips >= cap):
            return
        if stack is None or act.seat in self.bought_seats:
            self.faults["call"].append(CannotTell("stacks-before"))
            return
        headline = say.short_call(
            act.seat, action, hand.format_chips(act.call_amount), hand.format_chips(stack - chips)
        )
        self.add_fault("call", act, headline, say.call_or_all_in(bet))

    def is_full_call(self, act: Act) -> bool:
        """Whether a call comes up to the full blind that was posted short, or that nobody posted."""
        hand = self.hand
        if hand.variant is None or act.street != hand.variant.streets[0].name or act.bet_after < act.bet_to_call:
            return False
        sizes = (*hand.blinds, *(hand.game.bets[:1] if hand.game else ()))
        has_short_post = any(post.all_in for _, post in hand.posts)
        return not act.bet_to_call or act.bet_after <= max(sizes, default=0) * (1 + has_short_post)

    def is_returned_later(self, act: Act) -> bool:
        """Whether chips were returned to the seat after an act: the floor corrected its amount."""
        return_indexes = self.return_indexes.get(act.seat, [])
        return bisect_right(return_indexes, self.event_indexes[act.version]) < len(return_indexes)

    def describe_action(self, act: Act) -> str:
        """Return what a seat did, with its chips."""
        chips = act.bet_after if act.kind == "raise" else act.amount_added
        return say.describe_action(act.kind, self.hand.format_chips(chips) if chips else "")

    def add_fault(
        self,
        fault: Fault,
        act: Act,
        headline: str,
        should: str,
        reason: str = "",
        *,
        notes: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """Add a breach: likely if there is a `reason` for doubt, else certain."""
        if self.hand.played.corrections:
            reason = reason or hand_was_corrected()
        if fault in _BET_FAULTS and not self.has_known_stacks:
            reason = reason or stacks_missing()
        certainty: Certainty = "likely" if reason else "certain"
        self.faults[fault].append(
            Breach(
                act.version,
                headline,
                seat=act.seat,
                should=should,
                because=reason,
                certainty=certainty,
                other_events=notes,
            )
        )


_RULES: Final[tuple[tuple[Callable[[_FaultSearch, Act], bool], Callable[[_FaultSearch, Act], None]], ...]] = (
    # predicate, report
    (_FaultSearch.has_dead_hand, _FaultSearch.report_without_hand),
    (_FaultSearch.is_out, _FaultSearch.report_after_busting),
    (_FaultSearch.is_all_in, _FaultSearch.report_without_chips),
    (_FaultSearch.may_bet_alone, _FaultSearch.report_nothing),
    (_FaultSearch.is_after_draw, _FaultSearch.close_round),
    (_FaultSearch.is_in_doubt, _FaultSearch.report_doubt),
    (_FaultSearch.has_no_decision, _FaultSearch.report_after_round),
    (_FaultSearch.is_check_of_bet, _FaultSearch.report_check_of_bet),
    (_FaultSearch.is_wrong_call, _FaultSearch.report_wrong_call),
    (_FaultSearch.is_too_soon, _FaultSearch.report_too_soon),
    (lambda _, __: True, _FaultSearch.report_nothing),
)
"""The first rule whose predicate holds for an act decides its fault."""
