"""Hands at the showdown: which were shown, how they rank, and what killing a winner moved."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal

from ledger.errors import VariantError
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.evaluate import rank_hand
from ledger.vocabulary import Chips, Seat, split_cards
from projections.timeline.chip_flows import build_flow
from projections.timeline.hand_timeline import Timeline


def compare_with_paid(hand: Timeline, seat: Seat) -> Literal["beats", "ties", "beaten"] | None:
    """Return whether a killed hand beats, ties or loses to the paid hands; None if cards are unknown."""
    paid_seats = {paid_seat for paid_seat, chips in hand.played.final_state.chips.awarded.items() if chips}
    ranks = _rank_hands(hand, {seat, *paid_seats})
    if ranks is None:
        return None
    killed_rank = ranks.pop(seat)
    best_rival_rank = min(ranks.values(), default=None)
    if best_rival_rank is None or killed_rank < best_rival_rank:  # a lower rank is the better hand
        return "beats"
    return "ties" if killed_rank == best_rival_rank else "beaten"


def _rank_hands(hand: Timeline, seats: AbstractSet[Seat]) -> dict[Seat, int] | None:
    """Return each seat's rank by the cards it showed, lowest is best; None if a card is unknown."""
    plan = hand.variant
    cards_by_seat = {seat: _list_shown_cards(hand, seat) for seat in seats}
    if plan is None or any("??" in cards or len(cards) < plan.hole_cards for cards in cards_by_seat.values()):
        return None
    board = hand.played.final_state.boards[0]
    try:
        return {seat: rank_hand(plan, cards, board)[0] or 0 for seat, cards in cards_by_seat.items()}
    except (VariantError, ValueError):
        return None


def _list_shown_cards(hand: Timeline, seat: Seat) -> list[str]:
    return [card for _, event in hand.of(CardsShown) if event.seat == seat for card in split_cards(event.cards)]


def compute_kill_money(hand: Timeline, seat: Seat) -> tuple[tuple[Seat, Chips], ...]:
    """Return the chips that killing a winning hand moved; () unless one other seat was paid everything."""
    awarded = {paid_seat: chips for paid_seat, chips in hand.played.final_state.chips.awarded.items() if chips}
    if len(awarded) != 1 or seat in awarded:
        return ()
    return build_flow({**awarded, seat: -sum(awarded.values())})


def find_showdown_seats(hand: Timeline) -> AbstractSet[Seat]:
    """Return the seats that held a hand when the betting ended; none if its end isn't recorded."""
    return frozenset() if hand.betting_end is None else hand.betting_end.live_seats


def find_muck_or_award(hand: Timeline, seat: Seat, award_version: int) -> int:
    """Return the version at which a seat mucked its hand, else that of the award."""
    return next((version for version, event in hand.of(CardsMucked) if event.seat == seat), award_version)
