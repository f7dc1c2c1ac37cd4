"""Amounts: every way in which rooms write them is read to the same number, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ledger.errors import UnreadableHandError
from ledger.readers import amounts
from ledger.readers.amounts import FinerAmountError
from tests.several import all_keep

CENTS = {
    "0": 0,
    "12": 1200,
    "12.5": 1250,
    "12,5": 1250,
    "12.50": 1250,
    "12,50": 1250,
    ".5": 50,
    ",05": 5,
    "$.50": 50,
    "12.5000": 1250,
    "007": 700,
    "1,234": 123400,
    "1,234.5": 123450,
    "1.234,50": 123450,
    "1.234.567": 123456700,
    "1,234,567.89": 123456789,
    "1.234.567,89": 123456789,
    "12,34,567": 123456700,
    "1,00,000.50": 10000050,
    "0,500": 50,
    "$12": 1200,
    "Rs. 12": 1200,
    "Rs.12.50": 1250,
    "R$ 12,50": 1250,
    "Ђ12.50": 1250,
    "€ 0.50": 50,
    "0,01 €": 1,
    "\xa0₽12\xa0": 1200,
    "12\xa0€": 1200,
    "$1,234.": 123400,
    "$12.50.": 1250,
    "5€.": 500,
    "1234.00": 123400,
    "1234567,5": 123456750,
    "1234,500": 123450,
}
"""What is written, where the unit has two decimals → how many hundredths it is."""

CHIPS = {"1.234": 1234, "1,234": 1234, "12.345": 12345, "1.234.567": 1234567, "5.0": 5, "5.": 5, "1,00,000": 100000}
"""The same where the unit has none: a point before three digits is one of thousands."""

NO_AMOUNT = (
    "",
    " ",
    ".",
    ",",
    "$",
    "$$5",
    "$5$",
    "€5$",
    "5..",
    "5,",
    "5.,",
    "5,.",
    "1,,234",
    "1..234",
    "6.53.1.2",
    "6.53.1",
    "1.2.3",
    "1,2,3",
    "1,2.3",
    "1.2,3",
    "12,34.5",
    "12.34,5",
    "1,2345.00",
    "1,23,4",
    "1,234,56",
    "1.234.56",
    "1,234,5",
    "1.00.000",
    "1234,567.89",
    "1234.567.890",
    "1,234.567,89",
    "1.234,567.89",
    ",123,456",
    ".123.456",
    "0,123,456",
    "01,234,567",
    "1,234,",
    "1.234,",
    "123,45,678,",
    "100,00,000",
    "1 234",
    "1'234",
    "-5",
    "+5",
    "5-",
    "1e5",
    "0x10",
    "1_000",
    "٣",
    "1²",
    "five",
    "5k",
    "NaN",
    "inf",
    "5 5",
    "1.-5",
    "12:50",
    "½",
    "5%",
    "5;",
)
"""What is none at any unit."""


@pytest.mark.parametrize(("text", "hundredths"), CENTS.items())
def test_an_amount_is_read_as_rooms_write_it(text: str, hundredths: int) -> None:
    assert amounts.read(text, 2) == hundredths


@pytest.mark.parametrize(("text", "chips"), CHIPS.items())
def test_chips_without_decimals_may_have_thousands_with_points(text: str, chips: int) -> None:
    assert amounts.read(text, 0) == chips


@pytest.mark.parametrize("exponent", [0, 2, 6])
def test_what_is_no_amount_is_refused(exponent: int) -> None:
    def is_none(text: str) -> None:
        with pytest.raises(UnreadableHandError):
            amounts.read(text, exponent)
        assert amounts.read_or_none(text, exponent) is None

    all_keep(is_none, NO_AMOUNT, repr)


@pytest.mark.parametrize(
    ("text", "exponent", "digits"),
    [
        ("0.005", 2, 3),
        ("1.234", 2, 3),
        ("0,123", 2, 3),
        ("0.500", 0, 1),
        ("1234.567", 0, 3),
        ("1234,567", 2, 3),
        ("5.5", 0, 1),
    ],
)
def test_more_decimals_than_the_unit_has_ask_for_a_finer_unit(text: str, exponent: int, digits: int) -> None:
    with pytest.raises(FinerAmountError) as caught:
        amounts.read(text, exponent)
    assert caught.value.digits == digits


@pytest.mark.parametrize("text", ["9" * 16, "9" * 31, "1" + ",000" * 5, "0." + "1" * 15])
def test_an_amount_beyond_all_chips_is_refused(text: str) -> None:
    with pytest.raises(UnreadableHandError):
        amounts.read(text, 2)


@given(st.text("0123456789.,$€ \xa0-", max_size=18), st.sampled_from([0, 2, 4]))
@example("6.53.1.2", 2)
def test_whatever_is_read_is_what_its_digits_say(text: str, exponent: int) -> None:
    chips = amounts.read_or_none(text, exponent)
    assume(chips is not None)
    digits = "".join(sign for sign in text if sign.isdigit())
    assert digits
    assert "-" not in text
    scales = [int(digits) * 10**exponent / 10**places for places in range(len(digits) + 1)]
    assert chips in scales, "an amount has the digits that are written, in their order"


@given(st.integers(0, 10**11), st.sampled_from(["western", "continental", "indian", "bare"]))
def test_an_amount_that_is_written_is_read_again(hundredths: int, style: str) -> None:
    units, cents = divmod(hundredths, 100)
    text = {
        "western": f"{units:,}.{cents:02}",
        "continental": f"{units:,}".replace(",", ".") + f",{cents:02}",
        "indian": f"{indian(units)}.{cents:02}",
        "bare": f"{units}.{cents:02}",
    }[style]
    assert amounts.read(text, 2) == hundredths
    assert amounts.read(f"${text}", 2) == hundredths
    assert amounts.read(f"{text} €", 2) == hundredths


def indian(number: int) -> str:
    """Write a number with groups of two before the last three: 12,34,567."""
    digits = str(number)
    head, last = digits[:-3], digits[-3:]
    groups = [head[max(index - 2, 0) : index] for index in range(len(head), 0, -2)][::-1]
    return ",".join([*groups, last])


@given(st.integers(0, 10**12), st.sampled_from([0, 2]), st.sampled_from(["", "USD", "EUR"]))
def test_what_is_written_as_pokerstars_does_is_read_again(amount: int, exponent: int, unit: str) -> None:
    text = amounts.write(amount, unit, exponent)
    assert amounts.read(text, exponent) == amount
