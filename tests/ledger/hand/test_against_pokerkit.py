"""Whose turn, what may be bet, who wins: the same as PokerKit says, on random hands of its games."""

from __future__ import annotations

from random import Random

import pytest

from ledger.hand.events import HandEvent
from ledger.hand.variants import VARIANTS
from tests.ledger.hand.generate import Dealer
from tests.ledger.hand.pokerkit_agreement import compare
from tests.ledger.hand.pokerkit_table import GAMES


def some_hand(variant: str, betting: str, number: int) -> list[HandEvent]:
    seats = 2 + number % (3 if VARIANTS[variant].streets[-1].draw else 5)
    return Dealer(
        Random(f"{variant} {betting} {number}"),
        variant,
        betting,
        count=seats,
        antes=number % 3 == 0,
        straddle=number % 4 == 0,
        deep=number % 2 == 0,
        full_raises=True,
    ).play()


def agree(variant: str, betting: str, number: int) -> int:
    """Compare one random hand; return how many acts were compared."""
    return compare(some_hand(variant, betting, number), variant, betting)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "betting"), list(GAMES))
def test_turns_bounds_and_winners_are_those_of_pokerkit(variant: str, betting: str) -> None:
    assert sum(agree(variant, betting, number) for number in range(15)) > 60


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "betting"), list(GAMES))
def test_turns_bounds_and_winners_on_many_hands(variant: str, betting: str) -> None:
    for number in range(15, 400):
        agree(variant, betting, number)
