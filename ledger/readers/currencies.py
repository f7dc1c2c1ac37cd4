"""The currencies that rooms play for, and how texts write them: the one table, for every reader and every output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

CURRENCIES: Final[dict[str, tuple[str, ...]]] = {
    "USD": ("$", "US$"),
    "EUR": ("€", "Ђ"),  # the second is what Windows' Cyrillic makes of the euro's byte
    "GBP": ("£",),
    "CAD": ("C$", "CA$", "CAD$"),
    "AUD": ("A$", "AU$"),
    "NZD": ("NZ$",),
    "MXN": ("MX$", "MEX$"),
    "BRL": ("R$",),
    "ARS": ("AR$",),
    "COP": ("COL$",),
    "HKD": ("HK$",),
    "TWD": ("NT$",),
    "SGD": ("S$",),
    "CNY": ("¥", "￥", "CN¥", "RMB"),
    "JPY": ("JP¥",),
    "KRW": ("₩",),
    "INR": ("₹", "Rs.", "Rs", "₨"),
    "PHP": ("₱",),
    "THB": ("฿",),
    "VND": ("₫",),
    "IDR": ("Rp",),
    "RUB": ("₽", "руб.", "руб"),  # noqa: RUF001 - Cyrillic
    "UAH": ("₴", "грн.", "грн"),
    "KZT": ("₸",),
    "GEL": ("₾",),
    "AMD": ("֏",),
    "TRY": ("₺",),
    "ILS": ("₪",),
    "SEK": ("SKr", "Skr"),
    "DKK": ("DKr", "Dkr"),
    "NOK": ("NKr", "Nkr"),
    "PLN": ("zł",),
    "CZK": ("Kč",),
    "HUF": ("Ft",),
    "RON": ("lei",),
    "RSD": ("din", "din."),
    "HRK": ("kn",),
    "BGN": ("лв", "лв."),
    "CHF": ("CHF", "Fr."),
    "ZAR": (),
    "USDT": ("₮",),
    "USDC": (),
    "BTC": ("₿",),
    "mBTC": ("m₿", "mB"),
    "µBTC": ("µ₿", "uBTC"),
    "ETH": (),
    "kr": ("kr", "kr."),  # a krona or a krone: the sign alone does not tell which
}
"""A currency's code → its signs; the code itself is read as one, too."""

SIGNS: Final = {code: signs[0] for code, signs in CURRENCIES.items() if signs and not signs[0][-1].isalpha()}
"""A currency's code → the sign that we write; none for those that are called by letters."""

_CODES: Final = {sign: code for code, signs in CURRENCIES.items() for sign in (*signs, code)}
_STAND_INS: Final = {
    code: next((sign for sign in signs if len(sign) == 1), chr(0xE000 + index))
    for index, (code, signs) in enumerate(CURRENCIES.items())
}
"""A currency's code → one character: readers of texts look for signs of one. Those that we made up leave no reader."""

SYMBOLS: Final = {sign: code for sign, code in _CODES.items() if len(sign) == 1} | {
    sign: code for code, sign in _STAND_INS.items()
}
"""Signs of one character → the currency."""
LONG_SIGNS: Final = {
    sign: code
    for sign, code in sorted(_CODES.items(), key=lambda sign_and_code: -len(sign_and_code[0]))
    if len(sign) > 1
}
"""Longer signs and codes → the currency, the longest first: some end in a sign of another."""

BLANKS: Final = " \t\xa0\u2009\u202f"
"""What may part a sign from its amount."""

_ANY_SIGN: Final = "|".join(re.escape(sign) for sign in (*LONG_SIGNS, *SYMBOLS))
_NUMBER: Final = rf"\d{{1,3}}(?:[{BLANKS}]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,12}})?|\d{{1,24}}(?:[.,]\d{{1,24}}){{0,7}}|[.,]\d{{1,12}}"
"""No amount is longer: without bounds, a text of nothing but digits would take its square."""
_FIRST_LETTERS: Final = re.escape("".join({sign[0] for sign in (*LONG_SIGNS, *SYMBOLS)}))
_MAY_BE_AMOUNT: Final = rf"(?=[\d.,{_FIRST_LETTERS}])(?<![^\W_])"
"""Sorts out most places quickly."""
_SIGN_FIRST: Final = rf"(?P<before>{_ANY_SIGN})[{BLANKS}]?(?P<first>-?(?:{_NUMBER}))"
_SIGN_LAST: Final = rf"(?<![_.,])(?P<last>{_NUMBER})[{BLANKS}]?(?P<behind>{_ANY_SIGN})(?![^\W_])"
_SIGN_SAMPLE_LINES: Final = 8
"""Lines that show on which side signs stand."""
SAMPLE_LINES: Final = 6
"""Lines of a hand that show how its amounts are written."""
_WORD: Final = re.compile(r"[^\W\d_]{3,4}")
_BLANK: Final = re.compile(f"[{BLANKS}]")


@cache
def _amount_pattern() -> re.Pattern[str]:
    """Return how amounts are written; made when it is first needed, as that takes long."""
    return re.compile(rf"{_MAY_BE_AMOUNT}(?:{_SIGN_FIRST}|{_SIGN_LAST}(?![{BLANKS}]?\d))")


@cache
def _sign_last_pattern() -> re.Pattern[str]:
    """Return the same for a text whose signs stand behind: a number that follows is another one."""
    return re.compile(rf"{_MAY_BE_AMOUNT}(?:{_SIGN_LAST}|{_SIGN_FIRST})")


@cache
def _loose_amount_pattern() -> re.Pattern[str]:
    """Return how amounts are written that do not stand right behind a sign of one character."""
    return re.compile(
        rf"{_MAY_BE_AMOUNT}(?:(?:{'|'.join(map(re.escape, LONG_SIGNS))})[{BLANKS}]?-?(?:{_NUMBER})"
        rf"|[{re.escape(''.join(SYMBOLS))}][{BLANKS}]-?(?:{_NUMBER})|{_SIGN_LAST})"
    )


@lru_cache(maxsize=4096)
def currency_of(text: str) -> str:
    """Return the currency that stands beside an amount, as a code or a sign; "" where none does.

    A code says more than a sign: `$0.50/$1 CAD`.

    >>> currency_of("$0.50/$1 CAD"), currency_of("Rs. 25/Rs. 50"), currency_of("0.5 kr/1 kr"), currency_of("5/10")
    ('CAD', 'INR', 'kr', '')
    """
    if not any(map(str.isalpha, text)):
        return next((code for sign, code in SYMBOLS.items() if sign in text), "")
    code = next((word for word in _WORD.findall(text) if word in CURRENCIES), "")
    if code:
        return code
    match = _amount_pattern().search(text)
    if match is not None:
        return LONG_SIGNS.get(sign := match["before"] or match["behind"]) or SYMBOLS[sign]
    return next((code for sign, code in SYMBOLS.items() if sign in text), "")


def is_odd(lines: Sequence[str], first: int) -> bool:
    """Return whether dollars, euros or pounds are written otherwise than `$5` in the first lines of a hand."""
    return is_odd_text("\n".join(lines[first : first + SAMPLE_LINES]))


def is_odd_text(text: str) -> bool:
    """Return whether dollars, euros or pounds are written otherwise than `$5`."""
    if "$" in text:
        if "$ " in text or "$)" in text:
            return True
    elif "USD" in text or ("EUR" in text and "€" not in text) or ("GBP" in text and "£" not in text):
        return True
    return not text.isascii() and _SPACED_AMOUNT.search(text) is not None


def never_odd(_lines: Sequence[str], _first: int) -> bool:
    """Say that a reader knows how its room writes amounts, whatever they look like."""
    return False


_SPACED_AMOUNT: Final = re.compile(rf"[$€£][{BLANKS}]|\d[{BLANKS}]?[€£]")


@lru_cache(maxsize=4096)
def is_parted(line: str) -> bool:
    """Return whether an amount in a line does not stand right behind a sign of one character."""
    return _loose_amount_pattern().search(line) is not None


def join_amounts(text: str) -> str:
    """Return a text in which each amount of money stands right behind a sign of one character."""
    return JoinedText([text]).lines[0]


class JoinedText:
    """A text in which each amount of money stands right behind a sign of one character, and how it was written."""

    def __init__(self, lines: Sequence[str]) -> None:
        r"""Take the lines as they are written.

        >>> text = JoinedText(["P6: raises Rs. 100 to Rs.\xa0150", "won 1 480,50 EUR"])
        >>> text.lines, text.restore("raises ₹100"), text.restore("won €1480,50")
        (['P6: raises ₹100 to ₹150', 'won €1480,50'], 'raises Rs. 100', 'won 1 480,50 EUR')
        """
        self._originals: dict[str, str] = {}
        head = "\n".join(lines[:_SIGN_SAMPLE_LINES])
        signs_last = sum(match["behind"] is not None for match in _amount_pattern().finditer(head))
        signs_first = sum(match["behind"] is None for match in _sign_last_pattern().finditer(head))
        self._pattern = _sign_last_pattern() if signs_last > signs_first else _amount_pattern()
        self.lines = [self._pattern.sub(self._join, line) for line in lines]

    def _join(self, match: re.Match[str]) -> str:
        joined = _join_match(match)
        self._originals.setdefault(joined, match[0])
        return joined

    def restore(self, text: str) -> str:
        """Return a part of the text as it was written."""
        return _amount_pattern().sub(lambda match: self._originals.get(match[0], match[0]), text)


def _join_match(match: re.Match[str]) -> str:
    sign, number = match["before"] or match["behind"], match["first"] or match["last"]
    return _STAND_INS[_CODES.get(sign) or SYMBOLS[sign]] + _BLANK.sub("", number)
