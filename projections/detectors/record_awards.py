"""Pots paid to a dead hand, or to a player who hadn't paid into them."""

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
from projections.detectors.shared.awards import expected
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach
from projections.timeline.hand_timeline import Timeline

_PAID: Final = Witness.AWARDS | Witness.ACTS | Witness.POSTS
_SHARES: Final = frozenset({"chop-blinds", "split-pot"})
_LET_GO: Final = (Folded, HandKilled, CardsMucked)
_DECIDING: Final = frozenset({*_LET_GO, HandRetrieved, MisdealDeclared, PotAwarded})
"""Kinds of event that decide who holds a hand, and who is paid: of all others nothing is asked."""


@hand_detector(events=(PotAwarded,), signs=Symptom.AWARD, deadline="after_hand")
def pot_to_dead_hand(hand: Timeline) -> Iterator[Answer]:
    """A pot was paid to a player whose hand was folded or dead."""
    state = hand.played.final
    if state.voided or _went_back(state):
        return
    dead_hands: dict[Seat, tuple[int, str]] = {}
    reported_seats: set[Seat] = set()
    live_seats = LiveSeats(hand.start)
    for version, event in hand.line:
        if type(event) not in _DECIDING:
            continue
        if isinstance(event, _LET_GO) and live_seats <= {event.seat}:
            continue  # nobody else was left: the pot was this player's already
        _let_go(live_seats, hand, event)
        if isinstance(event, Folded):
            dead_hands.setdefault(event.seat, (version, "after folding"))
        elif isinstance(event, HandKilled) and event.seat not in state.cleared:  # beaten at the showdown: R9
            dead_hands.setdefault(event.seat, (version, "after its hand was killed"))
        elif isinstance(event, HandRetrieved):
            dead_hands.pop(event.seat, None)
        elif isinstance(event, MisdealDeclared):
            dead_hands.clear()
        elif isinstance(event, PotAwarded) and event.seat in dead_hands and event.seat not in reported_seats:
            if event.seat not in hand.start or state.chips.awarded.get(event.seat, 0) <= 0:
                continue  # never dealt in: R7; or the pot was taken back
            reported_seats.add(event.seat)
            yield _paid_dead(hand, version, event, *dead_hands[event.seat])


def _paid_dead(hand: Timeline, version: int, event: PotAwarded, dead_version: int, circumstance: str) -> Breach:
    """Say that a pot went to a hand that was dead."""
    because = ""
    if not hand.witnessed(Witness.ACTS):
        because = "not every act is on record: the hand may have been given back"
    elif hand.played.corrections:
        because = "the hand was corrected"
    return Breach(
        version,
        f"seat {event.seat} was paid {hand.say(event.amount)} {circumstance}",
        seat=event.seat,
        should="the pot goes to a live hand",
        because=because,
        certainty="likely" if because else "certain",
        beside=((dead_version, "the hand was given up here"),),
    )


@hand_detector(events=(PotAwarded,), needs=_PAID, signs=Symptom.AWARD | Symptom.OPEN_ROUND, deadline="after_hand")
def pot_not_paid_into(hand: Timeline) -> Iterator[Answer]:
    """A player was paid more than the pots that the player had paid into, or contested one without a call."""
    state = hand.played.final
    if state.voided or state.spoiled or state.chips.impounded or hand.of(CashOutTaken) or state.conservation() < 0:
        return
    if _went_back(state) or any(event.subject in _SHARES for _, event in hand.of(Agreed)):
        return
    awards = hand.of(PotAwarded)
    live_seats = _at_last_award(hand)
    deepest = max((state.chips.put_in.get(seat, 0) for seat in live_seats), default=0)
    if all(state.chips.put_in.get(seat, 0) >= deepest for seat in live_seats):
        return  # everybody who was left had paid into every pot
    cards_known = isinstance(expected(hand), dict)
    first: dict[Seat, int] = {}
    for version, event in awards:
        first.setdefault(event.seat, version)
    limit_for = _winnable_limit(state)
    uncalled = _contesting(hand)
    if not cards_known and all(state.chips.awarded.get(seat, 0) > 0 for seat in live_seats):
        live_seats -= uncalled  # nobody called and everybody was paid: they shared the pot
    for seat in sorted(live_seats):
        chips_put, paid = state.chips.put_in.get(seat, 0), state.chips.awarded.get(seat, 0)
        if chips_put >= deepest or (cards_known and state.is_all_in(seat)):
            continue  # of an all-in seat the cards tell which pots it wins: R9
        if paid > limit_for(chips_put):
            yield _paid_too_much(hand, seat, first[seat], limit_for(chips_put))
        elif seat in uncalled and hand.stack_at(seat) is not None and not state.is_all_in(seat):
            uncalled.clear()  # one is enough: of the others, acts may be left out just so
            yield _never_called(hand, seat, awards[0][0], deepest)


def _contesting(hand: Timeline) -> set[Seat]:
    """Return who had yet to act and was paid or showed; of any other such seat a fold may be left out."""
    present = {event.seat for _, event in hand.of(PotAwarded)}
    present |= {event.seat for _, event in hand.of(CardsShown) if not event.after}
    return _passed_over(hand) & present


def _never_called(hand: Timeline, seat: Seat, version: int, deepest: Chips) -> Breach:
    """Say that a seat was in at the end though it had neither called nor folded."""
    chips_put = hand.played.final.chips.put_in.get(seat, 0)
    return Breach(
        version,
        f"seat {seat} contested the pot with {hand.say(chips_put)} in it, where others put in {hand.say(deepest)}",
        seat=seat,
        should="a call or a fold",
        because="its act may not be on record",
        certainty="likely",
    )


def _passed_over(hand: Timeline) -> set[Seat]:
    """Return who had yet to act when a street or the end came, where what nobody called went back."""
    if not hand.witnessed(Witness.RETURNED_BETS):
        return set()
    open_seats = {seat for deal in hand.deals if not deal.matched for seat in deal.open}
    if hand.ended is not None and not hand.ended.matched:
        open_seats |= set(hand.ended.open)
    return open_seats


def _paid_too_much(hand: Timeline, seat: Seat, version: int, maximum: Chips) -> Breach:
    """Say that a seat was paid more than its own chips can win."""
    chips_put, paid = hand.played.final.chips.put_in.get(seat, 0), hand.played.final.chips.awarded[seat]
    corrected = bool(hand.played.corrections)
    return Breach(
        version,
        f"seat {seat} put in {hand.say(chips_put)} and was paid {hand.say(paid)}",
        seat=seat,
        should=f"{hand.say(maximum)} at most; the rest is a side pot between players who put in more",
        certainty="likely" if corrected else "certain",
        because="the hand was corrected" if corrected else "",
    )


def _went_back(state: HandState) -> bool:
    """Whether everybody was paid just what they had put in: the hand was called off."""
    return all(paid == state.chips.put_in.get(seat, 0) for seat, paid in state.chips.awarded.items())


def _winnable_limit(state: HandState) -> Callable[[Chips], Chips]:
    """Return what tells the most that a seat can win with its own chips: as much of each, and all that needn't be matched."""
    puts = sorted(state.chips.put_in.values())
    cumulative = list(accumulate(puts, initial=0))
    unmatched_chips = sum(state.chips.dead.values()) + sum(state.chips.antes.values()) + state.chips.seeded

    def winnable(chips_put: Chips) -> Chips:
        covered_count = bisect_right(puts, chips_put)
        return cumulative[covered_count] + chips_put * (len(puts) - covered_count) + unmatched_chips

    return winnable


def _at_last_award(hand: Timeline) -> set[Seat]:
    """Return who held a hand when the last pot was paid, and hadn't let go of it."""
    last = hand.of(PotAwarded)[-1][0]
    live_seats = LiveSeats(hand.start)
    for version, event in hand.line:
        if version == last:
            break
        if type(event) in _DECIDING:
            _let_go(live_seats, hand, event)
    return live_seats


def _let_go(live_seats: LiveSeats, hand: Timeline, event: Event) -> None:
    """Take an event into who holds a hand."""
    if isinstance(event, _LET_GO):
        live_seats.discard(event.seat)
    elif isinstance(event, HandRetrieved):
        live_seats.add(event.seat)
    elif isinstance(event, MisdealDeclared):
        live_seats.deal_again(hand.start)
