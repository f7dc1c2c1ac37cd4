"""A pot that plainly goes to the one hand that wins it needs no closer look; all others get one."""

from __future__ import annotations

import pytest

from projections.timeline.best_hand_check import is_plainly_won

BOARD = "Ac7h2d9sTs"
CARDS = {1: "AhKd", 3: "2c7d", 5: "QhJd"}
CHIPS_PUT_IN = {1: 50, 3: 50, 5: 50}


def seats(*held: int) -> int:
    return sum(1 << seat for seat in held)


def won(
    out: dict[int, int],
    *,
    live: int = seats(1, 3, 5),
    mucked: int = 0,
    chips_in: dict[int, int] = CHIPS_PUT_IN,
    cards: dict[int, str] = CARDS,
    board: str = BOARD,
) -> bool:
    return is_plainly_won(live, mucked, out, chips_in, cards, board)


def test_the_best_hand_alone_is_paid() -> None:
    assert won({3: 145, 0: 5})
    assert not won({1: 150})
    assert not won({1: 75, 3: 75})
    assert not won({3: 0, 0: 150})
    assert not won({0: 150})
    assert not won({})


def test_who_let_go_of_the_hand_is_not_compared_and_not_paid() -> None:
    assert won({1: 150}, mucked=seats(3))
    assert not won({3: 150}, mucked=seats(3))
    assert won({1: 150}, mucked=seats(3, 5), cards={}, board="")
    assert not won({3: 150}, mucked=seats(3, 5), cards={})


@pytest.mark.parametrize(
    "cards", [{3: "2c7d", 1: "AhKd"}, {**CARDS, 5: "Qh??"}, {**CARDS, 5: "Qh"}, {**CARDS, 5: "{ab}"}]
)
def test_a_hand_that_is_not_told_is_looked_at(cards: dict[int, str]) -> None:
    assert not won({3: 150}, cards=cards)
    assert won({3: 150}, cards=cards, live=seats(1, 3))


def test_a_board_that_is_not_complete_is_looked_at() -> None:
    assert not won({3: 150}, board=BOARD[:-2])


def test_a_pot_that_the_winner_has_no_part_in_is_looked_at() -> None:
    assert not won({3: 150}, chips_in={1: 50, 3: 40, 5: 50})
    assert won({3: 150}, chips_in={1: 40, 3: 50, 5: 50})


def test_equal_hands_are_looked_at() -> None:
    assert not won({1: 150}, cards={1: "AhKd", 3: "AdKc"}, live=seats(1, 3))
