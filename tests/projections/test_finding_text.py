"""A finding's headline and money, as reports and pages print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.text.language import use_language
from projections.findings.finding import Share
from projections.reports.finding_text import describe_money, list_transfers, name_seats

NAMES = {2: "Bo", 3: "Cy", 9: "Mo"}


@pytest.mark.parametrize(
    ("shares", "text"),
    [
        ([Share(9, 500), Share(3, -300), Share(4, -200)], "Seat 9 (Mo) owes $5: $3 to seat 3 (Cy), $2 to seat 4."),
        ([Share(4, -250), Share(2, 250)], "Seat 2 (Bo) owes seat 4 $2.50."),
        (
            [Share(2, 100), Share(9, 200), Share(3, -150), Share(4, -150)],
            "Seat 2 (Bo) owes seat 3 (Cy) $1. Seat 9 (Mo) owes $2: $0.50 to seat 3, $1.50 to seat 4.",
        ),
        ([Share(3, -300)], "Seat 3 (Cy) is owed $3."),
        ([], ""),
    ],
)
def test_money_says_who_owes_whom(shares: list[Share], text: str) -> None:
    assert describe_money(shares, "USD", 2, lambda seat: NAMES.get(seat, "")) == text


@given(st.dictionaries(st.integers(1, 10), st.integers(-50, 50), max_size=8))
def test_transfers_leave_nobody_with_too_much_or_too_little(balances: dict[int, int]) -> None:
    balances[11] = -sum(balances.values())
    for payer, payee, chips in list_transfers([Share(seat, chips) for seat, chips in balances.items()]):
        assert chips > 0
        balances[payer] -= chips
        balances[payee] += chips
    assert not any(balances.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seat 9 checked; seat 2 was next", "Seat 9 (Mo) checked; seat 2 (Bo) was next"),
        ("seats 3, 9 and 4 to seat 3", "seats 3 (Cy), 9 (Mo) and 4 to seat 3"),
        ("the pot is short 9: 2 went in", "the pot is short 9: 2 went in"),
    ],
)
def test_names_stand_with_seats(text: str, expected: str) -> None:
    assert name_seats(text, lambda seat: NAMES.get(seat, "")) == expected
    assert name_seats(text, None) == text


@pytest.mark.parametrize(
    ("language", "text", "with_names"),
    [
        ("en", "seats 2, 3 and 8; seat 3", "seats 2 (Jo), 3 (Kim) and 8; seat 3"),
        ("es", "los asientos 2, 3 y 8; el asiento 3", "los asientos 2 (Jo), 3 (Kim) y 8; el asiento 3"),
        ("es", "El asiento 3 puso 2 cartas", "El asiento 3 (Kim) puso 2 cartas"),
        ("vi", "Ghế 3 theo 2; ghế 2 và 8", "Ghế 3 (Kim) theo 2; ghế 2 (Jo) và 8"),
        ("zh", "2、3和8号位", "2\uff08Jo\uff09、3\uff08Kim\uff09和8号位"),
        ("zh", "3号位跟注$12。2号位弃牌", "3号位\uff08Kim\uff09跟注$12。2号位\uff08Jo\uff09弃牌"),
        ("es", "Seat 3 folded", "Seat 3 (Kim) folded"),  # what a ledger stores is English
    ],
)
def test_names_follow_the_seats_that_a_text_mentions(language: str, text: str, with_names: str) -> None:
    names = {2: "Jo", 3: "Kim"}
    with use_language(language):
        assert name_seats(text, lambda seat: names.get(seat, "")) == with_names
