"""Parse and write amounts in PokerStars' notation; an amount is an integer in the smallest unit."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.readers import currencies
from ledger.readers.currencies import BLANKS, LONG_SIGNS, SYMBOLS
from ledger.vocabulary import Chips, shown_decimals

_SIGNS: Final = frozenset(SYMBOLS)
_LONG_SIGN_PATTERN: Final = "|".join(re.escape(sign.removesuffix(".")) + r"\.?" for sign in LONG_SIGNS)
_RUPEES: Final = re.compile(rf"Rs\.?[{BLANKS}]?(?=\d)")
SIGNS: Final = {code: sign for code, sign in currencies.SIGNS.items() if len(sign) == 1 or code == "BRL"}
"""The currency signs that we write."""
_MAX_DIGITS: Final = 15

MAX_DECIMALS: Final = 6
"""The most decimals that an amount may have."""

_POWERS: Final = tuple(int("1" + "0" * exponent) for exponent in range(MAX_DECIMALS + 1))


class FinerAmountError(Exception):
    """An amount has more decimals than the hand's unit. The caller reads the hand again in a finer unit."""

    def __init__(self, digits: int) -> None:
        super().__init__(digits)
        self.digits = digits


@lru_cache(maxsize=50_000)
def read(text: str, exponent: int) -> Chips:
    """Parse an amount, in units of 10^-exponent.

    Raise `UnreadableHandError` if the text isn't an amount, and `FinerAmountError` if it has more decimals.
    """
    quick_amount = read_common_form(text, exponent)
    return _parse_any_form(text, exponent) if quick_amount is None else quick_amount


def read_or_none(text: str, exponent: int) -> Chips | None:
    """Parse an amount; return None if the text isn't one or has more decimals."""
    try:
        return read(text, exponent)
    except (UnreadableHandError, FinerAmountError):
        return None


def close_rupee_gaps(text: str) -> str:
    """Remove the blank between rupees and their amount: `Rs. 50` becomes `Rs.50`."""
    return text if "Rs" not in text else _RUPEES.sub("Rs.", text)


def read_common_form(text: str, exponent: int) -> Chips | None:
    """Parse the most common forms, `$12.34`, `$12` and `1234`; return None for all others."""
    number_text = text[1:] if text[:1] in _SIGNS else text
    if len(number_text) < 13 and number_text.isascii():
        if number_text.isdigit():
            return int(number_text) * _POWERS[exponent]
        if exponent == 2 and number_text[-3:-2] == "." and (digits := number_text[:-3] + number_text[-2:]).isdigit():
            return int(digits)
    return None


def _parse_any_form(text: str, exponent: int) -> Chips:
    number_text = _strip_sign(text)
    if not number_text.isascii() or len(number_text) > 2 * _MAX_DIGITS:
        raise _not_an_amount(text)
    whole_digits, fraction = _split_decimals(number_text, exponent)
    if not (whole_digits + fraction).isdigit():
        raise _not_an_amount(text)
    if len(whole_digits) + max(len(fraction), exponent) > _MAX_DIGITS:
        raise UnreadableHandError(f"the amount {text[:40]!r} is too large", kind="amount")
    fraction = fraction.rstrip("0")
    if len(fraction) > exponent:
        raise FinerAmountError(len(fraction))
    return int(whole_digits) * _POWERS[exponent] + int(fraction.ljust(exponent, "0") or "0")


@cache
def _compile_long_sign_ends() -> re.Pattern[str]:
    return re.compile(rf"^(?:{_LONG_SIGN_PATTERN})|(?:{_LONG_SIGN_PATTERN})$")


def _strip_sign(text: str) -> str:
    """Strip blanks, a sentence's full stop, and a currency sign or code on one side."""
    number_text = text.strip(BLANKS).removesuffix(".")
    if number_text[:1] in _SIGNS:
        return number_text[1:].lstrip(BLANKS)
    if number_text[-1:] in _SIGNS and not number_text[-2:-1].isalpha():
        return number_text[:-1].rstrip(BLANKS)
    if number_text[:1].isdecimal() == number_text[-1:].isdecimal():
        return number_text  # a number, or a word
    return _compile_long_sign_ends().sub("", number_text, count=1).strip(BLANKS)


def _split_decimals(number_text: str, exponent: int) -> tuple[str, str]:
    """Return the digits before and after the decimal mark; both are "" if the text isn't an amount.

    A mark that occurs once is the decimal mark, except in `1,234` and, if the unit has no decimals, in `1.234`.
    Thousands marks come before every three digits, or are placed as in India: `1,00,000`.
    """
    mark_index = max(number_text.rfind("."), number_text.rfind(","))
    if mark_index < 0:
        return number_text, ""
    mark, digits_before, digits_after = number_text[mark_index], number_text[:mark_index], number_text[mark_index + 1 :]
    other_mark = "," if mark == "." else "."
    if mark in digits_before:
        return _join_groups(number_text, mark), ""
    if other_mark in digits_before:
        digits_before = _join_groups(digits_before, other_mark)
    elif len(digits_after) == 3 and (mark == "," or not exponent) and (thousands := _join_groups(number_text, mark)):
        return thousands, ""
    elif not digits_before:
        digits_before = "0"
    return (digits_before, digits_after) if digits_before and digits_after else ("", "")


def _join_groups(text: str, mark: str) -> str:
    """Join groups of digits separated by `mark`; return "" if the text has no such groups."""
    first, *groups = text.split(mark)
    *middle, last = map(len, groups)
    are_thousands = 0 < len(first) < 4 and {*middle, last} == {3}
    are_indian_groups = mark == "," and 0 < len(first) < 3 and last == 3 and set(middle) == {2}
    return "".join((first, *groups)) if (are_thousands or are_indian_groups) and first[0] != "0" else ""


def read_number(value: object, exponent: int) -> Chips:
    """Return a document's number (an `int`, or a decimal as text) as an amount, as `read` does.

    A point is always the decimal mark here: `1.234` isn't a thousand.
    """
    if isinstance(value, str):
        digits = value.removeprefix("-")
        whole_digits, _, fraction = digits.partition(".")
        if not (whole_digits + fraction).isdigit() or not digits.isascii():
            raise _not_an_amount(value)
        fraction = fraction.rstrip("0")
        sign = -1 if value[0] == "-" else 1
    elif isinstance(value, int) and not isinstance(value, bool):
        whole_digits, fraction, sign = str(abs(value))[: _MAX_DIGITS + 1], "", -1 if value < 0 else 1
    else:
        raise _not_an_amount(str(value))
    if len(whole_digits) + max(len(fraction), exponent) > _MAX_DIGITS:
        raise UnreadableHandError(f"the amount {str(value)[:40]!r} is too large", kind="amount")
    if len(fraction) > exponent:
        raise FinerAmountError(len(fraction))
    return sign * (int(whole_digits or "0") * _POWERS[exponent] + int(fraction.ljust(exponent, "0") or "0"))


def _not_an_amount(text: str) -> UnreadableHandError:
    return UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount", hint="Look at the line: is it damaged?")


def write(amount: Chips, unit: str, exponent: int, *, full: bool = False) -> str:
    """Write an amount as PokerStars does: `$1.50`, `$2`, `1500`; `full` keeps the decimals."""
    sign, exponent = SIGNS.get(unit, ""), shown_decimals(exponent)
    whole_units, fraction = divmod(abs(amount), 10**exponent)
    minus = "-" if amount < 0 else ""
    if not fraction and not full:
        return f"{minus}{sign}{whole_units}"
    digits = str(fraction).rjust(exponent, "0") if exponent else ""
    if exponent > 2:
        digits = digits[:2] + digits[2:].rstrip("0")
    return f"{minus}{sign}{whole_units}.{digits}" if digits else f"{minus}{sign}{whole_units}"
