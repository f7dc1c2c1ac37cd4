"""Pots paid to a dead hand, or to a player who hadn't paid into them.

Each public function is a detector; its docstring states the breach. "R7" and "R9" in comments are clauses of the
rulebook `record`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Final

from ledger.event import Event
from ledger.hand.betting import CashOutTaken, Folded, HandKilled, HandRetrieved
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.ending import CardsMucked, CardsShown, PotAwarded
from ledger.hand.opening import Agreed
from ledger.hand.seat_maps import LiveSeats
from ledger.hand.state import HandState
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.act_course import DeadHand
from projections.detectors.shared.awards import find_awards
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach
from projections.sentences import record as say
from projections.timeline.hand_timeline import Timeline

_NEEDS: Final = Witness.AWARDS | Witness.ACTS | Witness.POSTS
_SHARED_POT_SUBJECTS: Final = frozenset({"chop-blinds", "split-pot"})
_HAND_ENDING: Final = (Folded, HandKilled, CardsMucked)
_DECIDING: Final = frozenset({*_HAND_ENDING, HandRetrieved, MisdealDeclared, PotAwarded})
"""Events that decide who holds a hand and who is paid; all others are skipped."""


@hand_detector(events=(PotAwarded,), signs=Symptom.AWARD, deadline="after_hand")
def pot_to_dead_hand(hand: Timeline) -> Iterator[Answer]:
    """A pot was paid to a player whose hand was folded or dead."""
    state = hand.played.final_state
    if state.voided or _is_refunded(state):
        return
    dead_hands: dict[Seat, DeadHand] = {}
    reported_seats: set[Seat] = set()
    live_seats = LiveSeats(hand.start)
    for version, event in hand.numbered_events:
        if type(event) not in _DECIDING:
            continue
        if isinstance(event, _HAND_ENDING) and live_seats <= {event.seat}:
            continue  # nobody else was left: the pot was this player's already
        _update_live_seats(live_seats, hand, event)
        _update_dead_hands(dead_hands, version, event, state)
        if isinstance(event, PotAwarded) and event.seat in dead_hands and event.seat not in reported_seats:
            if event.seat not in hand.start or state.chips.awarded.get(event.seat, 0) <= 0:
                continue  # R7 reports a seat that was never dealt in; otherwise the pot was taken back
            reported_seats.add(event.seat)
            yield _build_dead_hand_breach(hand, version, event, dead_hands[event.seat])


def _update_dead_hands(dead_hands: dict[Seat, DeadHand], version: int, event: Event, state: HandState) -> None:
    """Update the dead hands by an event; `state` is that at the hand's end."""
    if isinstance(event, Folded):
        dead_hands.setdefault(event.seat, DeadHand(version, is_folded=True))
    elif (
        isinstance(event, HandKilled) and event.seat not in state.cleared_seats
    ):  # R9 covers hands beaten at the showdown
        dead_hands.setdefault(event.seat, DeadHand(version, is_folded=False))
    elif isinstance(event, HandRetrieved):
        dead_hands.pop(event.seat, None)
    elif isinstance(event, MisdealDeclared):
        dead_hands.clear()


def _build_dead_hand_breach(hand: Timeline, version: int, event: PotAwarded, dead_hand: DeadHand) -> Breach:
    """Return the breach of a pot paid to a dead hand."""
    reason = ""
    if not hand.is_witnessed(Witness.ACTS):
        reason = say.hand_may_have_been_returned()
    elif hand.played.corrections:
        reason = say.hand_was_corrected()
    headline = say.paid_after_folding if dead_hand.is_folded else say.paid_with_dead_hand
    return Breach(
        version,
        headline(event.seat, hand.format_chips(event.amount)),
        seat=event.seat,
        should=say.pot_to_live_hand(),
        because=reason,
        certainty="likely" if reason else "certain",
        other_events=((dead_hand.version, say.given_up_note()),),
    )


@hand_detector(events=(PotAwarded,), needs=_NEEDS, signs=Symptom.AWARD | Symptom.OPEN_ROUND, deadline="after_hand")
def pot_not_paid_into(hand: Timeline) -> Iterator[Answer]:
    """A player was paid more than the pots that the player had paid into, or contested a pot without calling."""
    if _has_unclear_pots(hand):
        return
    state = hand.played.final_state
    chips_in = state.chips.put_in
    live_seats = _find_live_at_last_award(hand)
    full_price = max((chips_in.get(seat, 0) for seat in live_seats), default=0)
    if all(chips_in.get(seat, 0) >= full_price for seat in live_seats):
        return  # everybody who was left had paid into every pot
    yield from _judge_contestants(hand, live_seats, full_price)


def _judge_contestants(hand: Timeline, live_seats: set[Seat], full_price: Chips) -> Iterator[Breach]:
    """Yield the seats that won more than their chips cover, and one that contested the pot without calling.

    `full_price`: the most that a live seat put in.
    """
    state, has_known_cards = hand.played.final_state, isinstance(find_awards(hand), dict)
    compute_limit = _build_winnable_limit(state)
    uncalled_seats = _find_uncalled_contestants(hand)
    if not has_known_cards and all(state.chips.awarded.get(seat, 0) > 0 for seat in live_seats):
        live_seats -= uncalled_seats  # nobody called and everybody was paid: they shared the pot
    award_versions = {event.seat: version for version, event in reversed(hand.of(PotAwarded))}  # the first of each
    for seat in sorted(live_seats):
        chips_put = state.chips.put_in.get(seat, 0)
        if chips_put >= full_price or (has_known_cards and state.is_all_in(seat)):
            continue  # R9 judges by the cards which pots an all-in seat wins
        if state.chips.awarded.get(seat, 0) > compute_limit(chips_put):
            yield _build_overpaid_breach(hand, seat, award_versions[seat], compute_limit(chips_put))
        elif seat in uncalled_seats and hand.stack_at(seat) is not None and not state.is_all_in(seat):
            uncalled_seats.clear()  # report one only: the record may leave out acts of the others for the same reason
            first_award_version, _ = hand.of(PotAwarded)[0]
            yield _build_uncalled_breach(hand, seat, first_award_version, full_price)


def _has_unclear_pots(hand: Timeline) -> bool:
    """Whether the pots can't be judged: they were shared, returned or cashed out, or don't add up."""
    state = hand.played.final_state
    if state.voided or state.is_spoiled or state.chips.impounded or state.conservation() < 0:
        return True
    if hand.of(CashOutTaken) or _is_refunded(state):
        return True
    return any(event.subject in _SHARED_POT_SUBJECTS for _, event in hand.of(Agreed))


def _find_uncalled_contestants(hand: Timeline) -> set[Seat]:
    """Return the seats that had yet to act and were paid or showed; the record may leave out a fold of any other."""
    present = {event.seat for _, event in hand.of(PotAwarded)}
    present |= {event.seat for _, event in hand.of(CardsShown) if not event.after}
    return _find_passed_over_seats(hand) & present


def _build_uncalled_breach(hand: Timeline, seat: Seat, version: int, full_price: Chips) -> Breach:
    """Return the breach of a seat that contested the pot though it had neither called nor folded."""
    chips_put = hand.played.final_state.chips.put_in.get(seat, 0)
    return Breach(
        version,
        say.contested_without_call(seat, hand.format_chips(chips_put), hand.format_chips(full_price)),
        seat=seat,
        should=say.call_or_fold(),
        because=say.action_may_be_missing(),
        certainty="likely",
    )


def _find_passed_over_seats(hand: Timeline) -> set[Seat]:
    """Return the seats that had yet to act when a street or the end came; none if returned bets aren't recorded."""
    if not hand.is_witnessed(Witness.RETURNED_BETS):
        return set()
    open_seats = {seat for deal in hand.deals if not deal.is_matched for seat in deal.seats_to_act}
    if hand.betting_end is not None and not hand.betting_end.is_matched:
        open_seats |= set(hand.betting_end.seats_to_act)
    return open_seats


def _build_overpaid_breach(hand: Timeline, seat: Seat, version: int, maximum: Chips) -> Breach:
    """Return the breach of a seat that was paid more than its own chips can win."""
    chips_put, paid = hand.played.final_state.chips.put_in.get(seat, 0), hand.played.final_state.chips.awarded[seat]
    is_corrected = bool(hand.played.corrections)
    return Breach(
        version,
        say.paid_more_than_covered(seat, hand.format_chips(chips_put), hand.format_chips(paid)),
        seat=seat,
        should=say.side_pot_to_others(hand.format_chips(maximum)),
        certainty="likely" if is_corrected else "certain",
        because=say.hand_was_corrected() if is_corrected else "",
    )


def _is_refunded(state: HandState) -> bool:
    """Whether every paid seat got back just what it had put in, because the hand was called off."""
    return all(paid == state.chips.put_in.get(seat, 0) for seat, paid in state.chips.awarded.items())


def _build_winnable_limit(state: HandState) -> Callable[[Chips], Chips]:
    """Return a function from the chips that a seat put in to the most that it can win with them.

    It can win as much from every other seat, and all dead money, antes and seeded chips.
    """
    puts = sorted(state.chips.put_in.values())
    cumulative = list(accumulate(puts, initial=0))
    unmatched_chips = sum(state.chips.dead.values()) + sum(state.chips.antes.values()) + state.chips.seeded

    def compute_winnable(chips_put: Chips) -> Chips:
        covered_count = bisect_right(puts, chips_put)
        return cumulative[covered_count] + chips_put * (len(puts) - covered_count) + unmatched_chips

    return compute_winnable


def _find_live_at_last_award(hand: Timeline) -> set[Seat]:
    """Return the seats that held a live hand when the last pot was paid."""
    last_award_version, _ = hand.of(PotAwarded)[-1]
    live_seats = LiveSeats(hand.start)
    for version, event in hand.numbered_events:
        if version == last_award_version:
            break
        if type(event) in _DECIDING:
            _update_live_seats(live_seats, hand, event)
    return live_seats


def _update_live_seats(live_seats: LiveSeats, hand: Timeline, event: Event) -> None:
    """Update the seats that hold a live hand by an event."""
    if isinstance(event, _HAND_ENDING):
        live_seats.discard(event.seat)
    elif isinstance(event, HandRetrieved):
        live_seats.add(event.seat)
    elif isinstance(event, MisdealDeclared):
        live_seats.deal_again(hand.start)
