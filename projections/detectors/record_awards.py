"""Pots paid to a dead hand, or to a player who hadn't paid into them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from ledger.event import Event
from ledger.hand.betting import CashOutTaken, Folded, HandKilled, HandRetrieved
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.ending import CardsMucked, CardsShown, PotAwarded
from ledger.hand.opening import Agreed
from ledger.hand.seat_maps import LiveSeats
from ledger.hand.state import HandState
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.awards import find_awards
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach
from projections.sentences import record as say
from projections.timeline.hand_timeline import Timeline

_NEEDS: Final = Witness.AWARDS | Witness.ACTS | Witness.POSTS
_SHARED_POT_SUBJECTS: Final = frozenset({"chop-blinds", "split-pot"})
_LET_GO: Final = (Folded, HandKilled, CardsMucked)
_DECIDING: Final = frozenset({*_LET_GO, HandRetrieved, MisdealDeclared, PotAwarded})
"""Kinds of event that decide who holds a hand, and who is paid: of all others nothing is asked."""


@hand_detector(events=(PotAwarded,), signs=Symptom.AWARD, deadline="after_hand")
def pot_to_dead_hand(hand: Timeline) -> Iterator[Answer]:
    """A pot was paid to a player whose hand was folded or dead."""
    state = hand.played.final
    if state.voided or _is_refunded(state):
        return
    dead_hands: dict[Seat, _DeadHand] = {}
    reported_seats: set[Seat] = set()
    live_seats = LiveSeats(hand.start)
    for version, event in hand.numbered_events:
        if type(event) not in _DECIDING:
            continue
        if isinstance(event, _LET_GO) and live_seats <= {event.seat}:
            continue  # nobody else was left: the pot was this player's already
        _update_live_seats(live_seats, hand, event)
        _update_dead_hands(dead_hands, version, event, state)
        if isinstance(event, PotAwarded) and event.seat in dead_hands and event.seat not in reported_seats:
            if event.seat not in hand.start or state.chips.awarded.get(event.seat, 0) <= 0:
                continue  # never dealt in: R7; or the pot was taken back
            reported_seats.add(event.seat)
            yield _build_dead_hand_breach(hand, version, event, dead_hands[event.seat])


class _DeadHand(NamedTuple):
    """Where a hand died, and whether it was folded."""

    version: int
    is_folded: bool


def _update_dead_hands(dead_hands: dict[Seat, _DeadHand], version: int, event: Event, state: HandState) -> None:
    """Take an event into which hands are dead."""
    if isinstance(event, Folded):
        dead_hands.setdefault(event.seat, _DeadHand(version, is_folded=True))
    elif isinstance(event, HandKilled) and event.seat not in state.cleared:  # beaten at the showdown: R9
        dead_hands.setdefault(event.seat, _DeadHand(version, is_folded=False))
    elif isinstance(event, HandRetrieved):
        dead_hands.pop(event.seat, None)
    elif isinstance(event, MisdealDeclared):
        dead_hands.clear()


def _build_dead_hand_breach(hand: Timeline, version: int, event: PotAwarded, dead_hand: _DeadHand) -> Breach:
    """Say that a pot went to a hand that was dead."""
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
    """A player was paid more than the pots that the player had paid into, or contested one without a call."""
    if _has_unclear_pots(hand):
        return
    state = hand.played.final
    chips_in = state.chips.put_in
    live_seats = _find_live_at_last_award(hand)
    deepest = max((chips_in.get(seat, 0) for seat in live_seats), default=0)
    if all(chips_in.get(seat, 0) >= deepest for seat in live_seats):
        return  # everybody who was left had paid into every pot
    yield from _judge_contestants(hand, live_seats, deepest)


def _judge_contestants(hand: Timeline, live_seats: set[Seat], deepest: Chips) -> Iterator[Breach]:
    """Yield the seats that won more than their chips cover, and one that was in without a call."""
    state, cards_known = hand.played.final, isinstance(find_awards(hand), dict)
    limit_for = _build_winnable_limit(state)
    uncalled = _find_uncalled_contestants(hand)
    if not cards_known and all(state.chips.awarded.get(seat, 0) > 0 for seat in live_seats):
        live_seats -= uncalled  # nobody called and everybody was paid: they shared the pot
    award_versions = {event.seat: version for version, event in reversed(hand.of(PotAwarded))}  # the first of each
    for seat in sorted(live_seats):
        chips_put = state.chips.put_in.get(seat, 0)
        if chips_put >= deepest or (cards_known and state.is_all_in(seat)):
            continue  # of an all-in seat the cards tell which pots it wins: R9
        if state.chips.awarded.get(seat, 0) > limit_for(chips_put):
            yield _build_overpaid_breach(hand, seat, award_versions[seat], limit_for(chips_put))
        elif seat in uncalled and hand.stack_at(seat) is not None and not state.is_all_in(seat):
            uncalled.clear()  # one is enough: of the others, acts may be left out just so
            yield _build_uncalled_breach(hand, seat, hand.of(PotAwarded)[0][0], deepest)


def _has_unclear_pots(hand: Timeline) -> bool:
    """Whether the pots were shared, given back or bought out, or don't add up."""
    state = hand.played.final
    if state.voided or state.spoiled or state.chips.impounded or state.conservation() < 0:
        return True
    if hand.of(CashOutTaken) or _is_refunded(state):
        return True
    return any(event.subject in _SHARED_POT_SUBJECTS for _, event in hand.of(Agreed))


def _find_uncalled_contestants(hand: Timeline) -> set[Seat]:
    """Return who had yet to act and was paid or showed; of any other such seat a fold may be left out."""
    present = {event.seat for _, event in hand.of(PotAwarded)}
    present |= {event.seat for _, event in hand.of(CardsShown) if not event.after}
    return _find_passed_over_seats(hand) & present


def _build_uncalled_breach(hand: Timeline, seat: Seat, version: int, deepest: Chips) -> Breach:
    """Say that a seat was in at the end though it had neither called nor folded."""
    chips_put = hand.played.final.chips.put_in.get(seat, 0)
    return Breach(
        version,
        say.contested_without_call(seat, hand.format_chips(chips_put), hand.format_chips(deepest)),
        seat=seat,
        should=say.call_or_fold(),
        because=say.action_may_be_missing(),
        certainty="likely",
    )


def _find_passed_over_seats(hand: Timeline) -> set[Seat]:
    """Return who had yet to act when a street or the end came, where what nobody called went back."""
    if not hand.is_witnessed(Witness.RETURNED_BETS):
        return set()
    open_seats = {seat for deal in hand.deals if not deal.is_matched for seat in deal.seats_to_act}
    if hand.betting_end is not None and not hand.betting_end.is_matched:
        open_seats |= set(hand.betting_end.seats_to_act)
    return open_seats


def _build_overpaid_breach(hand: Timeline, seat: Seat, version: int, maximum: Chips) -> Breach:
    """Say that a seat was paid more than its own chips can win."""
    chips_put, paid = hand.played.final.chips.put_in.get(seat, 0), hand.played.final.chips.awarded[seat]
    corrected = bool(hand.played.corrections)
    return Breach(
        version,
        say.paid_more_than_covered(seat, hand.format_chips(chips_put), hand.format_chips(paid)),
        seat=seat,
        should=say.side_pot_to_others(hand.format_chips(maximum)),
        certainty="likely" if corrected else "certain",
        because=say.hand_was_corrected() if corrected else "",
    )


def _is_refunded(state: HandState) -> bool:
    """Whether everybody was paid just what they had put in: the hand was called off."""
    return all(paid == state.chips.put_in.get(seat, 0) for seat, paid in state.chips.awarded.items())


def _build_winnable_limit(state: HandState) -> Callable[[Chips], Chips]:
    """Return what tells the most that a seat can win with its own chips: as much of each, and all that needn't be matched."""
    puts = sorted(state.chips.put_in.values())
    cumulative = list(accumulate(puts, initial=0))
    unmatched_chips = sum(state.chips.dead.values()) + sum(state.chips.antes.values()) + state.chips.seeded

    def winnable(chips_put: Chips) -> Chips:
        covered_count = bisect_right(puts, chips_put)
        return cumulative[covered_count] + chips_put * (len(puts) - covered_count) + unmatched_chips

    return winnable


def _find_live_at_last_award(hand: Timeline) -> set[Seat]:
    """Return who held a hand when the last pot was paid, and hadn't let go of it."""
    last = hand.of(PotAwarded)[-1][0]
    live_seats = LiveSeats(hand.start)
    for version, event in hand.numbered_events:
        if version == last:
            break
        if type(event) in _DECIDING:
            _update_live_seats(live_seats, hand, event)
    return live_seats


def _update_live_seats(live_seats: LiveSeats, hand: Timeline, event: Event) -> None:
    """Take an event into who holds a hand."""
    if isinstance(event, _LET_GO):
        live_seats.discard(event.seat)
    elif isinstance(event, HandRetrieved):
        live_seats.add(event.seat)
    elif isinstance(event, MisdealDeclared):
        live_seats.deal_again(hand.start)
