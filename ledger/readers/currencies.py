"""The currencies of all rooms and their signs, for every reader and every output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

CURRENCIES: Final[dict[str, tuple[str, ...]]] = {
    "USD": ("$", "US$"),
    "EUR": ("€", "Ђ"),  # the second is the euro's byte decoded as Windows Cyrillic
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
    "kr": ("kr", "kr."),  # a krona or a krone: the sign doesn't show which
}
"""A currency's code → its signs. The code itself is read as a sign too."""

SIGNS: Final = {code: signs[0] for code, signs in CURRENCIES.items() if signs and not signs[0][-1].isalpha()}
"""A currency's code → the sign that we write. Signs that end in a letter aren't written."""

_CODES: Final = {sign: code for code, signs in CURRENCIES.items() for sign in (*signs, code)}
_STAND_INS: Final = {
    code: next((sign for sign in signs if len(sign) == 1), chr(0xE000 + index))
    for index, (code, signs) in enumerate(CURRENCIES.items())
}
"""A currency's code → a sign of one character, which text readers need. Invented characters never reach an output."""

SYMBOLS: Final = {sign: code for sign, code in _CODES.items() if len(sign) == 1} | {
    sign: code for code, sign in _STAND_INS.items()
}
"""A sign of one character → its currency."""
LONG_SIGNS: Final = {
    sign: code
    for sign, code in sorted(_CODES.items(), key=lambda sign_and_code: -len(sign_and_code[0]))
    if len(sign) > 1
}
"""A longer sign or code → its currency, the longest first: some end in another currency's sign."""

BLANKS: Final = " \t\xa0\u2009\u202f"
"""Blanks that may separate a sign from its amount."""

_ANY_SIGN: Final = "|".join(re.escape(sign) for sign in (*LONG_SIGNS, *SYMBOLS))
_NUMBER: Final = rf"\d{{1,3}}(?:[{BLANKS}]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,12}})?|\d{{1,24}}(?:[.,]\d{{1,24}}){{0,7}}|[.,]\d{{1,12}}"
"""The bounds keep the search linear in a text that contains only digits."""
_FIRST_LETTERS: Final = re.escape("".join({sign[0] for sign in (*LONG_SIGNS, *SYMBOLS)}))
_MAY_BE_AMOUNT: Final = rf"(?=[\d.,{_FIRST_LETTERS}])(?<![^\W_])"
"""A quick test that rejects most positions."""
_SIGN_FIRST: Final = rf"(?P<before>{_ANY_SIGN})[{BLANKS}]?(?P<first>-?(?:{_NUMBER}))"
_SIGN_LAST: Final = rf"(?<![_.,])(?P<last>{_NUMBER})[{BLANKS}]?(?P<behind>{_ANY_SIGN})(?![^\W_])"
_SIGN_SAMPLE_LINES: Final = 8
"""The number of lines that show on which side of amounts the signs are."""
SAMPLE_LINES: Final = 6
"""The number of a hand's lines that show how its amounts are written."""
_WORD: Final = re.compile(r"[^\W\d_]{3,4}")
_BLANK: Final = re.compile(f"[{BLANKS}]")


@cache
def _compile_amount_pattern() -> re.Pattern[str]:
    """Compile the pattern of an amount with its sign. Compiling is slow, so it waits for the first use."""
    return re.compile(rf"{_MAY_BE_AMOUNT}(?:{_SIGN_FIRST}|{_SIGN_LAST}(?![{BLANKS}]?\d))")


@cache
def _compile_sign_last_pattern() -> re.Pattern[str]:
    """Compile the same pattern for texts with signs after amounts, where a number after the sign is another amount."""
    return re.compile(rf"{_MAY_BE_AMOUNT}(?:{_SIGN_LAST}|{_SIGN_FIRST})")


@cache
def _compile_loose_amount_pattern() -> re.Pattern[str]:
    """Compile the pattern of amounts that aren't directly after a sign of one character."""
    return re.compile(
        rf"{_MAY_BE_AMOUNT}(?:(?:{'|'.join(map(re.escape, LONG_SIGNS))})[{BLANKS}]?-?(?:{_NUMBER})"
        rf"|[{re.escape(''.join(SYMBOLS))}][{BLANKS}]-?(?:{_NUMBER})|{_SIGN_LAST})"
    )


@lru_cache(maxsize=4096)
def find_currency(text: str) -> str:
    """Return the currency of the first amount with a code or sign, or "" if there is none.

    A code takes precedence over a sign: `$0.50/$1 CAD`.

    >>> find_currency("$0.50/$1 CAD"), find_currency("Rs. 25/Rs. 50"), find_currency("0.5 kr/1 kr"), find_currency("5/10")
    ('CAD', 'INR', 'kr', '')
    """
    if not any(map(str.isalpha, text)):
        return next((code for sign, code in SYMBOLS.items() if sign in text), "")
    code = next((word for word in _WORD.findall(text) if word in CURRENCIES), "")
    if code:
        return code
    match = _compile_amount_pattern().search(text)
    if match is not None:
        return LONG_SIGNS.get(sign := match["before"] or match["behind"]) or SYMBOLS[sign]
    return next((code for sign, code in SYMBOLS.items() if sign in text), "")


def has_unusual_amounts(lines: Sequence[str], first: int) -> bool:
    """Whether a hand's first lines contain dollars, euros or pounds in another form than `$5`."""
    return has_unusual_amounts_in_text("\n".join(lines[first : first + SAMPLE_LINES]))


def has_unusual_amounts_in_text(text: str) -> bool:
    """Whether a text contains dollars, euros or pounds in another form than `$5`."""
    if "$" in text:
        if "$ " in text or "$)" in text:
            return True
    elif "USD" in text or ("EUR" in text and "€" not in text) or ("GBP" in text and "£" not in text):
        return True
    return not text.isascii() and _SPACED_AMOUNT.search(text) is not None


def has_no_unusual_amounts(_lines: Sequence[str], _first: int) -> bool:
    """Return False, for readers that know all forms of their room's amounts."""
    return False


_SPACED_AMOUNT: Final = re.compile(rf"[$€£][{BLANKS}]|\d[{BLANKS}]?[€£]")


@lru_cache(maxsize=4096)
def has_parted_amount(line: str) -> bool:
    """Whether a line has an amount that isn't directly after a sign of one character."""
    return _compile_loose_amount_pattern().search(line) is not None


def join_amounts(text: str) -> str:
    """Return a text in which each amount of money comes directly after a sign of one character."""
    return JoinedText([text]).lines[0]


class JoinedText:
    """A text in which each amount of money comes directly after a sign of one character, with the original amounts."""

    def __init__(self, lines: Sequence[str]) -> None:
        r"""Join the signs and amounts of these lines.

        >>> text = JoinedText(["P6: raises Rs. 100 to Rs.\xa0150", "won 1 480,50 EUR"])
        >>> text.lines, text.restore("raises ₹100"), text.restore("won €1480,50")
        (['P6: raises ₹100 to ₹150', 'won €1480,50'], 'raises Rs. 100', 'won 1 480,50 EUR')
        """
        self._originals: dict[str, str] = {}
        head = "\n".join(lines[:_SIGN_SAMPLE_LINES])
        signs_last = sum(match["behind"] is not None for match in _compile_amount_pattern().finditer(head))
        signs_first = sum(match["behind"] is None for match in _compile_sign_last_pattern().finditer(head))
        self._pattern = _compile_sign_last_pattern() if signs_last > signs_first else _compile_amount_pattern()
        self.lines = [self._pattern.sub(self._join, line) for line in lines]

    def _join(self, match: re.Match[str]) -> str:
        joined = _join_match(match)
        self._originals.setdefault(joined, match[0])
        return joined

    def restore(self, text: str) -> str:
        """Return a part of the text with its original amounts."""
        return _compile_amount_pattern().sub(lambda match: self._originals.get(match[0], match[0]), text)


def _join_match(match: re.Match[str]) -> str:
    sign, number = match["before"] or match["behind"], match["first"] or match["last"]
    return _STAND_INS[_CODES.get(sign) or SYMBOLS[sign]] + _BLANK.sub("", number)
