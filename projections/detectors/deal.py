"""The deal: how many hole cards each seat gets, and which seats get the first and the last card.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import find_wrong_hole_counts, list_played_deal
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealing as say
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def first_card(hand: Timeline) -> Iterator[Answer]:
    """The first card did not go to the first dealt-in seat on the button's left."""
    deck_positions = _map_deck_positions(hand)  # empty if the deal was void
    if not list_played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # the deal was void; the new deal is another hand
        return
    if not deck_positions or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = deck_positions[min(deck_positions)]
    due_seat = hand.seats_after(hand.button)[0]
    if seat != due_seat:
        yield Breach(
            version, say.first_card_to(seat, due_seat), seat=seat, should=say.first_card_due(due_seat, hand.button)
        )


def _map_deck_positions(hand: Timeline) -> dict[int, tuple[int, Seat]]:
    """Map the deck position of each dealt card to its version and seat."""
    return {
        position: (version, event.seat)
        for version, event in list_played_deal(hand)
        for position in event.deck
        if position
    }


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def last_card(hand: Timeline) -> Iterator[Answer]:
    """The last card of the deal did not go to the button."""
    deck_positions = _map_deck_positions(hand)
    if hand.first_act is None and not hand.of(DealCompleted):
        yield NO_OCCASION  # the record ends in the deal
        return
    if not list_played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # the deal was void; the new deal is another hand
        return
    variant = hand.variant
    # The function yields a breach for each seat with a wrong count; `hole_cards` reports them.
    if variant is not None and any(find_wrong_hole_counts(hand, variant.hole_cards)):
        yield NO_OCCASION  # with a card too many or too few, the last card proves nothing
        return
    if not deck_positions or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = deck_positions[max(deck_positions)]
    due_seat = hand.seats_after(hand.button)[-1]
    if seat != due_seat:
        yield Breach(version, say.last_card_to(seat, due_seat), seat=seat, should=say.last_card_due(due_seat))


@hand_detector(events=(HoleCardsDealt,), needs=Witness.OWN_CARDS, signs=Symptom.HOLE_COUNT, deadline="mendable")
def hole_cards(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A seat was dealt more or fewer hole cards than the game has."""
    yield from find_wrong_hole_counts(hand, cards)
