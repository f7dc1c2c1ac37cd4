"""Amounts as PokerStars and its imitators write them, to and from counts of the smallest unit."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.readers import currencies
from ledger.readers.currencies import BLANKS, LONG_SIGNS, SYMBOLS
from ledger.vocabulary import Chips

_SIGNS: Final = frozenset(SYMBOLS)
_SAID: Final = "|".join(re.escape(sign.removesuffix(".")) + r"\.?" for sign in LONG_SIGNS)
_RUPEES: Final = re.compile(rf"Rs\.?[{BLANKS}]?(?=\d)")
SIGNS: Final = {code: sign for code, sign in currencies.SIGNS.items() if len(sign) == 1 or code == "BRL"}
"""The signs with which we write."""
_MOST_DIGITS: Final = 15

MAX_DECIMALS: Final = 6
"""The most decimals that an amount may have."""

_POWERS: Final = tuple(int("1" + "0" * exponent) for exponent in range(MAX_DECIMALS + 1))


class FinerAmountError(Exception):
    """An amount has more decimals than the hand's unit: the hand is read again in a finer one."""

    def __init__(self, digits: int) -> None:
        super().__init__(digits)
        self.digits = digits


@lru_cache(maxsize=50_000)
def read(text: str, exponent: int) -> Chips:
    """Return the amount that `text` writes, in units of 10^-exponent.

    What is no amount raises `UnreadableHandError`, one with more decimals `FinerAmountError`.
    """
    found = quick(text, exponent)
    return _read(text, exponent) if found is None else found


def read_or_none(text: str, exponent: int) -> Chips | None:
    """Return the amount, None if `text` is none or has more decimals."""
    try:
        return read(text, exponent)
    except (UnreadableHandError, FinerAmountError):
        return None


def close_rupee_gaps(text: str) -> str:
    """Return a text in which no blank parts rupees from their amount: `Rs.50` of `Rs. 50`."""
    return text if "Rs" not in text else _RUPEES.sub("Rs.", text)


def quick(text: str, exponent: int) -> Chips | None:
    """Read the commonest forms, `$12.34`, `$12` and `1234`; None for all others."""
    bare = text[1:] if text[:1] in _SIGNS else text
    if len(bare) < 13 and bare.isascii():
        if bare.isdigit():
            return int(bare) * _POWERS[exponent]
        if exponent == 2 and bare[-3:-2] == "." and (digits := bare[:-3] + bare[-2:]).isdigit():
            return int(digits)
    return None


def _read(text: str, exponent: int) -> Chips:
    bare = _bare(text)
    if not bare.isascii() or len(bare) > 2 * _MOST_DIGITS:
        raise _none(text)
    whole, fraction = _split(bare, exponent)
    if not (whole + fraction).isdigit():
        raise _none(text)
    if len(whole) + max(len(fraction), exponent) > _MOST_DIGITS:
        raise UnreadableHandError(f"the amount {text[:40]!r} is too large", kind="amount")
    fraction = fraction.rstrip("0")
    if len(fraction) > exponent:
        raise FinerAmountError(len(fraction))
    return int(whole) * _POWERS[exponent] + int(fraction.ljust(exponent, "0") or "0")


@cache
def _longer() -> re.Pattern[str]:
    return re.compile(rf"^(?:{_SAID})|(?:{_SAID})$")


def _bare(text: str) -> str:
    """Return the number without blanks, the full stop of a sentence, and the sign or code of a currency on one side."""
    bare = text.strip(BLANKS).removesuffix(".")
    if bare[:1] in _SIGNS:
        return bare[1:].lstrip(BLANKS)
    if bare[-1:] in _SIGNS and not bare[-2:-1].isalpha():
        return bare[:-1].rstrip(BLANKS)
    if bare[:1].isdecimal() == bare[-1:].isdecimal():
        return bare  # a number, or a word
    return _longer().sub("", bare, count=1).strip(BLANKS)


def _split(bare: str, exponent: int) -> tuple[str, str]:
    """Return the digits before and behind the decimal mark; what is no amount holds none.

    A mark that comes once is the decimal mark, but `1,234` is a thousand, and `1.234` where there
    are no decimals. Marks of thousands stand before every three digits, or as in India: `1,00,000`.
    """
    at = max(bare.rfind("."), bare.rfind(","))
    if at < 0:
        return bare, ""
    mark, head, tail = bare[at], bare[:at], bare[at + 1 :]
    other = "," if mark == "." else "."
    if mark in head:
        return _joined(bare, mark), ""
    if other in head:
        head = _joined(head, other)
    elif len(tail) == 3 and (mark == "," or not exponent) and (thousands := _joined(bare, mark)):
        return thousands, ""
    elif not head:
        head = "0"
    return (head, tail) if head and tail else ("", "")


def _joined(text: str, mark: str) -> str:
    """Return the digits of groups with `mark` between them, "" if no such groups are written."""
    first, *groups = text.split(mark)
    *middle, last = map(len, groups)
    threes = 0 < len(first) < 4 and {*middle, last} == {3}
    indian = mark == "," and 0 < len(first) < 3 and last == 3 and set(middle) == {2}
    return "".join((first, *groups)) if (threes or indian) and first[0] != "0" else ""


def number(value: object, exponent: int) -> Chips:
    """Return a number of a document (an `int`, or a decimal as its text) as `read` returns amounts.

    A point is always the decimal mark here: `1.234` is no thousand.
    """
    if isinstance(value, str):
        digits = value.removeprefix("-")
        whole, _, fraction = digits.partition(".")
        if not (whole + fraction).isdigit() or not digits.isascii():
            raise _none(value)
        fraction = fraction.rstrip("0")
        sign = -1 if value[0] == "-" else 1
    elif isinstance(value, int) and not isinstance(value, bool):
        whole, fraction, sign = str(abs(value))[: _MOST_DIGITS + 1], "", -1 if value < 0 else 1
    else:
        raise _none(str(value))
    if len(whole) + max(len(fraction), exponent) > _MOST_DIGITS:
        raise UnreadableHandError(f"the amount {str(value)[:40]!r} is too large", kind="amount")
    if len(fraction) > exponent:
        raise FinerAmountError(len(fraction))
    return sign * (int(whole or "0") * _POWERS[exponent] + int(fraction.ljust(exponent, "0") or "0"))


def _none(text: str) -> UnreadableHandError:
    return UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount", hint="Look at the line: is it damaged?")


def write(amount: Chips, unit: str, exponent: int, *, full: bool = False) -> str:
    """Write an amount as PokerStars does: `$1.50`, `$2`, `1500`; `full` keeps the decimals."""
    sign = SIGNS.get(unit, "")
    whole, rest = divmod(abs(amount), 10**exponent)
    minus = "-" if amount < 0 else ""
    if not rest and not full:
        return f"{minus}{sign}{whole}"
    digits = str(rest).rjust(exponent, "0") if exponent else ""
    if exponent > 2:
        digits = digits[:2] + digits[2:].rstrip("0")
    return f"{minus}{sign}{whole}.{digits}" if digits else f"{minus}{sign}{whole}"
