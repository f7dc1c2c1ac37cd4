"""Whether the pot plainly went where the cards on record send it: to one seat, by one look.

Only ever says yes where comparing pot by pot would say so too; splits, side pots that the winner
has no part in, cards that are not told and games other than hold'em are looked at in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from phevaluator.card import Card
from phevaluator.evaluator import evaluate_cards

from ledger.vocabulary import DECK, Chips, Seat

_NUMBERS: Final = {card: Card.to_id(card) for card in DECK}
"""What the evaluator calls each card: it looks a name up letter by letter."""
_BOARD: Final = 10  # characters of five cards


def plainly_won(
    live: int, mucked: int, out: Mapping[Seat, Chips], put: Mapping[Seat, Chips], cards: Mapping[Seat, str], board: str
) -> bool:
    """Whether one seat was paid and nobody left could beat it.

    `live` and `mucked` are bit masks of seats: who held a hand at the end, and who of them let go of
    it and did not show it. `out` is what was paid by seat (0 = the drop), `put` what went in, less
    what went back; `cards` and `board` are what is known, as written.
    """
    paid_seats = [seat for seat in out if seat]
    if len(paid_seats) != 1:
        return False
    (seat,) = paid_seats
    contenders = live & ~mucked
    if max(put.values()) > put[seat]:
        return False  # a pot on the side that it has no part in
    if contenders == 1 << seat:
        return True
    if not contenders >> seat & 1 or out[seat] <= 0 or len(board) != _BOARD:
        return False
    try:
        board_cards = [_NUMBERS[board[offset : offset + 2]] for offset in range(0, _BOARD, 2)]
        ranks = {contender: _rank(cards[contender], board_cards) for contender in put if contenders >> contender & 1}
    except KeyError:  # a card that is not known
        return False
    winning_rank = ranks.pop(seat)
    return winning_rank < min(ranks.values())


def _rank(hole: str, board: list[int]) -> int:
    """Return the rank of two cards with five others, the lower the better; `KeyError` where they are not two."""
    return int(evaluate_cards(_NUMBERS[hole[:2]], _NUMBERS[hole[2:]], *board))
