"""Check quickly whether the whole pot went to the best hand shown, in hold'em.

A yes is final. After a no, detectors compare every pot, because there may be split pots, side pots that the winner
isn't in, or unknown cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.hand.card_evaluator import CARD_NUMBERS, load_evaluator
from ledger.vocabulary import Chips, Seat

_BOARD_LENGTH: Final = 10  # characters of five cards


def is_plainly_won(
    live_mask: int,
    mucked_mask: int,
    paid_out: Mapping[Seat, Chips],
    put_in: Mapping[Seat, Chips],
    cards: Mapping[Seat, str],
    board: str,
) -> bool:
    """Whether one seat got the whole pot, and its hand beats all others at the showdown.

    The masks have a bit for each seat (seat 3 is `1 << 3`): those with a live hand at the end, and those that mucked
    it unshown. `paid_out`: chips by seat, the drop as seat 0. `put_in`: without returned chips. `cards` and `board`
    are text such as `AhKd`.
    """
    paid_seats = [seat for seat in paid_out if seat]
    if len(paid_seats) != 1:
        return False
    (winner,) = paid_seats
    contenders_mask = live_mask & ~mucked_mask
    if max(put_in.values()) > put_in[winner]:
        return False  # somebody put in more: the winner can't win that side pot
    if contenders_mask == 1 << winner:
        return True
    if not contenders_mask >> winner & 1 or paid_out[winner] <= 0 or len(board) != _BOARD_LENGTH:
        return False
    try:
        board_ids = [CARD_NUMBERS[board[offset : offset + 2]] for offset in range(0, _BOARD_LENGTH, 2)]
        ranks = {seat: _rank_hand(cards[seat], board_ids) for seat in put_in if contenders_mask >> seat & 1}
    except KeyError:  # an unknown card
        return False
    winning_rank = ranks.pop(winner)
    return winning_rank < min(ranks.values())


def _rank_hand(hole_cards: str, board_ids: list[int]) -> int:
    """Return the rank of a hold'em hand, lower is better; raise `KeyError` unless two hole cards are known."""
    return int(load_evaluator()(CARD_NUMBERS[hole_cards[:2]], CARD_NUMBERS[hole_cards[2:]], *board_ids))
