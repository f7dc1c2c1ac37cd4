"""What the known cards of a hand make at the showdown."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from ledger.errors import VariantError
from ledger.hand.card_evaluator import load_evaluator
from ledger.hand.evaluate import rank_hand
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import DECK, Seat
from projections.timeline.hand_timeline import Timeline

_CARDS: Final = frozenset(DECK)
_MAX_OMAHA_CARDS: Final = 11
"""The maximum of cards (five on the board, six in hand) whose 7-card combinations are tried."""


def plays_board(hand: Timeline, seat: Seat) -> bool:
    """Whether a hold'em hand makes nothing better than the five cards of the board."""
    state = hand.played.final_state
    hole, board = state.hole_cards(seat), state.boards[0]
    if state.known_variant is not VARIANTS["holdem"] or not has_known_cards(hand, seat):
        return False
    evaluate = load_evaluator()
    return int(evaluate(*board)) == int(evaluate(*hole, *board))


def has_known_cards(hand: Timeline, seat: Seat) -> bool:
    """Whether both hole cards of a seat and a full board are known."""
    state = hand.played.final_state
    hole, board = state.hole_cards(seat), state.boards[0]
    return len(hole) == 2 and len(board) == 5 and _CARDS.issuperset([*hole, *board])


def wins_with_any_hole_cards(hand: Timeline, seat: Seat) -> bool:
    """Whether an Omaha hand would win if any number of its hole cards could be used."""
    state = hand.played.final_state
    board, holdem = state.boards[0], VARIANTS["holdem"]
    if len(board) + len(state.hole_cards(seat)) > _MAX_OMAHA_CARDS:
        return False
    try:
        rival_ranks = [
            rank_hand(state.variant, state.hole_cards(rival_seat), board)[0]
            for rival_seat in state.live_seats()
            if rival_seat != seat and "??" not in state.hole_cards(rival_seat)
        ]
        own_rank = min(
            card_rank
            for seven in combinations([*board, *state.hole_cards(seat)], 7)
            if (card_rank := rank_hand(holdem, list(seven[:2]), list(seven[2:]))[0]) is not None
        )
    except (VariantError, ValueError):
        return False
    return all(rival_rank is None or own_rank <= rival_rank for rival_rank in rival_ranks)  # the lower rank wins


def has_low(hand: Timeline, seat: Seat) -> bool | None:
    """Whether a seat holds an eight-or-better low, or None if its cards are unknown."""
    state = hand.played.final_state
    hole, board = state.hole_cards(seat), state.boards[0]
    if not hole or "??" in hole or len(board) != 5:
        return None
    try:
        return rank_hand(VARIANTS["omaha8"], hole, board)[1] is not None
    except VariantError:
        return None
