"""The deal: how many cards, and to whom the first and the last go."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, MisdealDeclared
from ledger.vocabulary import Seat, Witness
from projections.course import NEVER, Course
from projections.detector import Sign, detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell


def _deal(hand: Course) -> list[tuple[int, HoleCardsDealt]]:
    """Return the deal that was played: what came after the last misdeal, before the first act."""
    dealt: list[tuple[int, HoleCardsDealt]] = []
    for version, event in hand.line:
        if isinstance(event, MisdealDeclared):
            dealt.clear()
        elif isinstance(event, HoleCardsDealt) and version < (hand.first_act or NEVER):
            dealt.append((version, event))
    return dealt


def _places(hand: Course) -> dict[int, tuple[int, Seat]]:
    """Return version and seat of each card by its place in the deck."""
    return {place: (v, event.seat) for v, event in _deal(hand) for place in event.deck if place}


@detects(on=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def first_card(hand: Course) -> Iterator[Answer]:
    """The first card did not go to the first dealt-in seat on the button's left."""
    places = _places(hand)
    if not _deal(hand) and hand.of(MisdealDeclared):
        yield NO_OCCASION  # the deal was void and is made anew as another hand
        return
    if not places or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = places[min(places)]
    due = hand.after(hand.button)[0]
    if seat != due:
        yield Breach(version, f"the first card went to seat {seat}", seat=seat,
                     should=f"seat {due}, left of the button in seat {hand.button}")  # fmt: skip


@detects(on=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON)
def last_card(hand: Course) -> Iterator[Answer]:
    """The last card of the deal did not go to the button."""
    places = _places(hand)
    if hand.first_act is None and not hand.of(DealCompleted):
        yield NO_OCCASION  # the record ends in the deal
        return
    if not _deal(hand) and hand.of(MisdealDeclared):
        yield NO_OCCASION  # the deal was void and is made anew as another hand
        return
    if not places or hand.button is None:
        yield CannotTell("deal-order")
        return
    version, seat = places[max(places)]
    due = hand.after(hand.button)[-1]
    if seat != due:
        yield Breach(version, f"the last card of the deal went to seat {seat}", seat=seat,
                     should=f"seat {due}, the last before the deal ends at the button")  # fmt: skip


@detects(on=(HoleCardsDealt,), needs=Witness.OWN_CARDS, signs=Sign.HOLE_COUNT)
def hole_cards(hand: Course, *, cards: int) -> Iterator[Answer]:
    """A seat was dealt another number of hole cards than the game has."""
    counts: dict[Seat, tuple[int, int]] = {}
    for version, event in _deal(hand):
        many = len(event.cards) // 2 if "{" not in event.cards else event.cards.count("}")
        counts[event.seat] = (version, counts.get(event.seat, (0, 0))[1] + many)
    over = hand.first_act is not None or hand.of(DealCompleted, BoardDealt)
    for seat, (version, many) in sorted(counts.items()):
        if many > cards or (many < cards and over):
            yield Breach(version, f"seat {seat} was dealt {many} cards", seat=seat,
                         should=f"{cards} hole cards")  # fmt: skip
