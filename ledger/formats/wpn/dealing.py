"""Cards that come one by one, and who gets none."""

from __future__ import annotations

from ledger.formats.wpn.hand import Hand
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.vocabulary import UNKNOWN_CARD, Cards, Seat


def received(hand: Hand, seat: Seat, card: Cards) -> None:
    """Deal one card to a seat: with the ones before it if the deal still goes on."""
    if not hand.stud:
        if card == UNKNOWN_CARD:
            hand.hole.setdefault(seat, -1)  # dealt in; that is all the line tells
            return
        hand.own = True
        _add(hand, seat, card, "")
        return
    if hand.street in ("preflop", "third"):
        hand.street = "third"
        before = hand.hole.get(seat, -1)
        held = hand.events[before] if before >= 0 else None
        up = "u" if isinstance(held, HoleCardsDealt) and len(held.cards) == 4 else "d"
        hand.own = hand.own or (up == "d" and card != UNKNOWN_CARD)
        _add(hand, seat, card, up)
        return
    face = "d" if hand.street == "seventh" else "u"
    how = "unknown" if card == UNKNOWN_CARD else ("owner" if face == "d" else "dealt-up")
    hand.put(HoleCardsDealt(seat, card, face, how))  # type: ignore[arg-type]  # one of three


def _add(hand: Hand, seat: Seat, card: Cards, up: str) -> None:
    """Put a card to those that the seat holds: one event, at the place of the first."""
    at = hand.hole.get(seat, -1)
    held = hand.events[at] if at >= 0 else None
    if isinstance(held, HoleCardsDealt):
        cards = held.cards + card
        how = "dealt-up" if cards.startswith(UNKNOWN_CARD) else "owner"
        hand.events[at] = HoleCardsDealt(seat, cards, held.up + up, how)  # type: ignore[arg-type]  # one of two
        return
    hand.hole[seat] = len(hand.events)
    hand.put(HoleCardsDealt(seat, card, up, "unknown" if card == UNKNOWN_CARD else "owner"))


def complete(hand: Hand) -> None:
    """End the deal, where the first line behind it shows that it ended; who got no card is out."""
    if not hand.hole:
        return
    for seat in hand.index:
        if seat not in hand.hole and not hand.put_in[seat]:
            reason = hand.absent.get(seat, "unknown")
            hand.left_out(seat, reason, told=seat in hand.absent)
    hand.derive(DealCompleted())
