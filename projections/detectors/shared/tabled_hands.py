"""Hands that lay face up at the showdown, and what they win."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal

from ledger.errors import VariantError
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.evaluate import rank
from ledger.vocabulary import Chips, Seat, split_cards
from projections.timeline.chip_flows import balanced
from projections.timeline.hand_timeline import Timeline


def compare_with_paid(hand: Timeline, seat: Seat) -> Literal["beats", "ties", "beaten"] | None:
    """Return how a killed hand stands against those that were paid; None where cards are unknown."""
    paid_seats = {paid_seat for paid_seat, chips in hand.played.final.chips.awarded.items() if chips}
    ranks = _ranks(hand, {seat, *paid_seats})
    if ranks is None:
        return None
    killed_rank = ranks.pop(seat)
    best_rival_rank = min(ranks.values(), default=None)
    if best_rival_rank is None or killed_rank < best_rival_rank:  # a lower rank is the better hand
        return "beats"
    return "ties" if killed_rank == best_rival_rank else "beaten"


def _ranks(hand: Timeline, seats: AbstractSet[Seat]) -> dict[Seat, int] | None:
    """Return the rank of each hand that was shown, the best the lowest; None where a card is unknown."""
    plan = hand.variant
    cards_by_seat = {seat: _shown_cards(hand, seat) for seat in seats}
    if plan is None or any("??" in cards or len(cards) < plan.hole_cards for cards in cards_by_seat.values()):
        return None
    board = hand.played.final.boards[0]
    try:
        return {seat: rank(plan, cards, board)[0] or 0 for seat, cards in cards_by_seat.items()}
    except (VariantError, ValueError):
        return None


def _shown_cards(hand: Timeline, seat: Seat) -> list[str]:
    return [card for _, event in hand.of(CardsShown) if event.seat == seat for card in split_cards(event.cards)]


def lost_by_kill(hand: Timeline, seat: Seat) -> tuple[tuple[Seat, Chips], ...]:
    """Return what it moved that a winner was killed, if one seat was paid all."""
    awarded = {paid_seat: chips for paid_seat, chips in hand.played.final.chips.awarded.items() if chips}
    if len(awarded) != 1 or seat in awarded:
        return ()
    return balanced({**awarded, seat: -sum(awarded.values())})


def seats_at_showdown(hand: Timeline) -> AbstractSet[Seat]:
    """Return who held a hand where the play went on to the showdown or the award."""
    return frozenset() if hand.betting_end is None else hand.betting_end.live


def muck_or_award(hand: Timeline, seat: Seat, paid_at: int) -> int:
    """Return where a seat mucked its hand; if it didn't, where the pot was paid."""
    return next((version for version, event in hand.of(CardsMucked) if event.seat == seat), paid_at)
