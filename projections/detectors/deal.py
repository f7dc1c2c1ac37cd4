"""The deal: how many hole cards each seat gets, and which seats get the first and the last card.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import judge_hole_counts, list_played_deal
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import dealing as say
from projections.timeline.hand_timeline import Timeline


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def first_card(hand: Timeline) -> Iterator[Answer]:
    """The first card did not go to the first dealt-in seat on the button's left."""
    if _is_deal_void(hand):
        yield NO_OCCASION
        return
    deck_positions = _map_deck_positions(hand)
    if not deck_positions or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = deck_positions[min(deck_positions)]
    due_seat = hand.seats_after(hand.button)[0]
    if seat != due_seat:
        yield Breach(
            version, say.first_card_to(seat, due_seat), seat=seat, should=say.first_card_due(due_seat, hand.button)
        )


def _is_deal_void(hand: Timeline) -> bool:
    """Whether a misdeal ended the deal, so that the new deal is another hand."""
    return not list_played_deal(hand) and bool(hand.misdeals())


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
    is_record_cut_short = hand.first_act is None and not hand.of(DealCompleted)
    if is_record_cut_short or _is_deal_void(hand) or _has_wrong_hole_count(hand):
        yield NO_OCCASION
        return
    deck_positions = _map_deck_positions(hand)
    if not deck_positions or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = deck_positions[max(deck_positions)]
    due_seat = hand.seats_after(hand.button)[-1]
    if seat != due_seat:
        yield Breach(version, say.last_card_to(seat, due_seat), seat=seat, should=say.last_card_due(due_seat))


def _has_wrong_hole_count(hand: Timeline) -> bool:
    """Whether a seat got a card too many or too few, which `hole_cards` reports: then the last card proves nothing."""
    return hand.variant is not None and any(judge_hole_counts(hand, hand.variant.hole_cards))


@hand_detector(events=(HoleCardsDealt,), needs=Witness.OWN_CARDS, signs=Symptom.HOLE_COUNT, deadline="mendable")
def hole_cards(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A seat was dealt more or fewer hole cards than the game has."""
    yield from judge_hole_counts(hand, cards)
