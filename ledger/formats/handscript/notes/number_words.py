"""Amounts in words: `bets twelve`, `one hundred and twenty dollars`, `fifty cents`. Each becomes figures."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = dict(
    zip(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), range(1, 10), strict=True)
)
_TEENS: Final = dict(
    zip(
        ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        range(10, 20),
        strict=True,
    )
)
_TENS: Final = dict(
    zip(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), range(20, 100, 10), strict=True)
)
_UNIT: Final = "|".join(_UNITS)
_SMALL: Final = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{_UNIT}))?|{'|'.join(_TEENS)}|{_UNIT})"
_NUMBER: Final = rf"(?:(?:{_UNIT}|a)\shundred(?:\s(?:and\s)?{_SMALL})?|{_SMALL})"
_UNIT_WORDS: Final = r"dollars?|bucks?|euros?|pounds?|quid"
_WITH_UNIT: Final = re.compile(
    rf"\b(?P<number>{_NUMBER}|a(?=\s(?:dollar|buck|pound|euro)\b))\s(?:{_UNIT_WORDS})\b(?!')", re.IGNORECASE
)
_CENTS: Final = re.compile(rf"\b(?P<number>{_NUMBER}|\d{{1,2}})\s(?:cents?|pence)\b", re.IGNORECASE)
_FIGURE_WITH_UNIT: Final = re.compile(rf"\b(?P<figure>\d[\d,]{{0,9}}(?:\.\d\d)?)\s(?:{_UNIT_WORDS})\b", re.IGNORECASE)
_AFTER_VERB: Final = re.compile(
    rf"\b(?P<verb>bets?|betting|raises?(?:\sit)?(?:\sup)?(?:\sto)?|raised(?:\sit)?(?:\sup)?(?:\sto)?|ma(?:kes?|de)\sit|opens?(?:\sfor|\sto|\sat)?|opened(?:\sfor|\sto|\sat)?"
    rf"|calls|called|leads|led|fires|fired|posts?|posted|all\sin\sfor|puts?\sin|puts?\sup|re-raised?(?:\sto)?|re-raises(?:\sto)?|adds|added|rebuys(?:\sfor)?|another|wins|won|goes)"
    rf"\s(?P<number>{_NUMBER})\b(?!\s(?:of|players?|callers?|people|times?|seconds?|minutes?|hands?|cards?|pairs?|black|red|outs?|others?|left|ways?|handed|big|small|blinds?|pots?|more\s[a-z]|way)\b)(?![-\w'])",
    re.IGNORECASE,
)
_COINS: Final = {"penny": "0.01", "nickel": "0.05", "dime": "0.10", "quarter": "0.25"}
_COIN: Final = re.compile(r"\ba\s(?P<coin>penny|nickel|dime|quarter)\b(?!\s(?:of|ago|past|to|horse))", re.IGNORECASE)
_SIGN_OF_NUMBER: Final = re.compile(
    rf"\b(?:{_UNIT}|{'|'.join(_TEENS)}|{'|'.join(_TENS)}|hundred|dollars?|bucks?|cents?|pence|quid|euros?|pounds?)\b",
    re.IGNORECASE,
)


def write_amounts(text: str) -> str:
    """Return a text with its amounts in words as figures."""
    if not _SIGN_OF_NUMBER.search(text):
        return text
    text = _COIN.sub(lambda match: _COINS[match["coin"].lower()], text)
    text = _CENTS.sub(lambda match: f"0.{_parse_value(match['number']):02}", text)
    text = _WITH_UNIT.sub(lambda match: str(_parse_value(match["number"])), text)
    text = _FIGURE_WITH_UNIT.sub(lambda match: match["figure"], text)
    return _AFTER_VERB.sub(lambda match: f"{match['verb']} {_parse_value(match['number'])}", text)


def _parse_value(number_text: str) -> int:
    """Return the value of a number in words or figures."""
    if number_text.isdecimal():
        return int(number_text)
    total = 0
    for word in number_text.lower().replace("-", " ").split():
        if word == "hundred":
            total *= 100
        else:
            total += _UNITS.get(word, 0) + _TEENS.get(word, 0) + _TENS.get(word, 0) + (word == "a")
    return total
