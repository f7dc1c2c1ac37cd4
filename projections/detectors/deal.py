"""The deal: how many cards, and to whom the first and the last go."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import miscounted, played_deal
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealing as say
from projections.timeline.hand_timeline import Timeline


def _places(hand: Timeline) -> dict[int, tuple[int, Seat]]:
    """Return version and seat of each card by its place in the deck."""
    return {place: (version, event.seat) for version, event in played_deal(hand) for place in event.deck if place}


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def first_card(hand: Timeline) -> Iterator[Answer]:
    """The first card did not go to the first dealt-in seat on the button's left."""
    places = _places(hand)
    if not played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # the deal was void and is made anew as another hand
        return
    if not places or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = places[min(places)]
    due = hand.seats_after(hand.button)[0]
    if seat != due:
        yield Breach(version, say.first_card_to(seat, due), seat=seat, should=say.first_card_due(due, hand.button))


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def last_card(hand: Timeline) -> Iterator[Answer]:
    """The last card of the deal did not go to the button."""
    places = _places(hand)
    if hand.first_act is None and not hand.of(DealCompleted):
        yield NO_OCCASION  # the record ends in the deal
        return
    if not played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # the deal was void and is made anew as another hand
        return
    plan = hand.variant
    if plan is not None and any(miscounted(hand, plan.hole_cards)):
        yield NO_OCCASION  # where one has a card too many or too few, the last shows nothing
        return
    if not places or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = places[max(places)]
    due = hand.seats_after(hand.button)[-1]
    if seat != due:
        yield Breach(version, say.last_card_to(seat, due), seat=seat, should=say.last_card_due(due))


@hand_detector(events=(HoleCardsDealt,), needs=Witness.OWN_CARDS, signs=Symptom.HOLE_COUNT, deadline="mendable")
def hole_cards(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A seat was dealt another number of hole cards than the game has."""
    yield from miscounted(hand, cards)
