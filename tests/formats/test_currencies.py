"""Every reader reads every currency of the table, in every way that rooms write amounts."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.event import Event
from ledger.hand.betting import Raised
from ledger.hand.opening import GameSet, SeatDealtIn
from ledger.notation import Item
from ledger.presence import WordsSaid
from ledger.readers import amounts
from ledger.readers.currencies import CURRENCIES, SIGNS, find_currency
from projections.amount_text import amount
from tests.formats.support import encoding_of, new_people, read, read_hand, samples
from tests.laws import size

_AMOUNT: Final = re.compile(
    r"(?P<before>[$€£]) ?(?P<first>\d[\d.,]*(?:[ ']\d{3})*(?<=\d))(?!\w)|(?P<last>\d[\d.,]*(?<=\d)) ?(?P<behind>€)"
)
_SEPARATE_SIGN: Final = re.compile(r"[$€£](?! ?\d)|\b(?:USD|EUR|GBP|SEK)\b")
"""A sign or a code that stands beside no amount: it names the currency, too."""
FORMS: Final = [
    *("{sign}{number}", "{number}{sign}"),
    *(f"{{sign}}{blank}{{number}}" for blank in " \xa0\u202f"),
    *(f"{{number}}{blank}{{sign}}" for blank in " \xa0\u202f"),
]
WORDS: Final = frozenset(("unit", "written", "currency", "player", "table", "words", "text", "line", "said"))
"""Fields that hold a text of the room, or what follows from it."""
LEFT_OUT: Final = ("euros-dead-blind-and-muck", "numbered-bomb-pot-agreed-runs")
"""A table in euros whose stacks are dollars, and a sample that a full stop behind a sign reads otherwise."""
OWN_UNITS: Final = frozenset(
    ("biggame", "coinpoker", "globalpoker", "igt", "ohh", "phh", "pokergfx", "acpc", "handscript")
)
"""Formats that name a currency by its code, and write amounts as numbers."""


class CurrencyStyle(NamedTuple):
    """A way to write a currency: its code, and the sign or code that stands beside amounts."""

    code: str
    sign: str
    form: str

    def into(self, text: str) -> str:
        """Return a text with all its amounts of money written so."""
        return _AMOUNT.sub(lambda match: self.form.format(sign=self.sign, number=match["first"] or match["last"]), text)


STYLES: Final = [
    CurrencyStyle(code, sign, form)
    for code, signs in CURRENCIES.items()
    for sign, form in product((*signs, code), FORMS)
]


def facts(items: list[Item]) -> list[Any]:
    """Return what was read, without the room's own texts; of a reject why."""
    return [
        item.reason if isinstance(item, Reject) else [_fact(event) for event in item.events if _is_told(event)]
        for item in items
        if isinstance(item, Account | Reject)
    ]


def _fact(event: Event) -> tuple[str, list[object]]:
    fields = [getattr(event, name) for name in event.__struct_fields__ if name not in WORDS]
    return type(event).__name__, fields


def _is_told(event: Event) -> bool:
    """Whether an event says something of the hand: what a tournament costs is text in some languages."""
    return type(event).__name__ != "TournamentSet"


@cache
def texts(name: str) -> list[str]:
    """Return samples of a format whose amounts are written in one currency, and which are read whole."""
    documents = []
    for path in samples(name):
        data = path.read_bytes()
        text = data.decode(encoding_of(data), "replace")
        signs = {match["before"] or match["behind"] for match in _AMOUNT.finditer(text)}
        if len(signs) != 1 or path.stem in LEFT_OUT or path.parent.name == "local" or "spanish" in path.stem:
            continue
        items = read(formats.get(name), text)
        if any(isinstance(item, Reject) for item in items) or not any(_cash(item) for item in items):
            continue
        documents.append(text)
    return documents


def _cash(item: Item) -> bool:
    return isinstance(item, Account) and any(
        isinstance(event, GameSet) and event.unit not in ("chips", "play") for event in item.events
    )


@pytest.mark.law
@pytest.mark.parametrize("name", [name for name in formats.NAMES if name not in OWN_UNITS and texts(name)])
def test_a_hand_is_the_same_in_every_currency(name: str) -> None:
    form, rng = formats.get(name), Random(30)
    for text in rng.sample(texts(name), min(size(1, 100), len(texts(name)))):
        items = read(form, text)
        expected, expected_units = facts(items), units(items) if _SEPARATE_SIGN.search(text) else set()
        for style in rng.sample(STYLES, size(30, len(STYLES))):
            items_read = read(form, style.into(text))
            assert facts(items_read) == expected, style
            assert units(items_read) <= {style.code, "chips", "play"} | expected_units, style
            assert (style.code in units(items_read)) or expected_units, style


def units(items: list[Item]) -> set[str]:
    """Return what was played for."""
    return {
        event.unit for item in items if isinstance(item, Account) for event in item.events if isinstance(event, GameSet)
    }


INDIA: Final = """PokerStars Hand #197202814998:  Hold'em No Limit (Rs. 25/Rs. 50 INR) - 2019/02/18 8:06:50 ET
Table 'Akiyama' 2-max Seat #1 is the button
Seat 1: 5 kr (Rs. 5605.43 in chips)
Seat 2: Rs. 50 (Rs. 4219.31 in chips)
5 kr: posts small blind Rs. 25
Rs. 50: posts big blind Rs. 50
*** HOLE CARDS ***
5 kr: raises Rs. 100 to Rs. 150
Rs. 50 said, "I call Rs. 100, or $ 2"
Rs. 50: folds
Uncalled bet (Rs. 100) returned to 5 kr
5 kr collected Rs. 100 from pot
*** SUMMARY ***
Total pot Rs. 100 | Rake Rs. 0
"""


@pytest.mark.parametrize("blank", [" ", "\xa0", "\u202f", ""])
@pytest.mark.parametrize("sign", ["Rs.", "₹", "INR", "SEK", "C$"])
def test_names_and_words_stay_as_they_are_written(sign: str, blank: str) -> None:
    form, people = formats.get("pokerstars"), new_people()
    text = INDIA.replace("Rs. ", f"{sign}{blank}")
    account = read_hand(form, text, people=people)
    names = {people.name(event.player) for event in account.events if isinstance(event, SeatDealtIn)}
    assert names == {"5 kr", f"{sign}{blank}50"}
    words = [people.words(event.words) for event in account.events if isinstance(event, WordsSaid)]
    assert words == [f"I call {sign}{blank}100, or $ 2"]
    raised = next(event for event in account.events if isinstance(event, Raised))
    assert (raised.seat, raised.to) == (1, 15000)


def test_amounts_are_read_with_each_sign_on_either_side() -> None:
    for code, signs in CURRENCIES.items():
        for sign, form in product((*signs, code), FORMS):
            text = form.format(sign=sign, number="1,480.50")
            assert amounts.read(text, 2) == 148050, text
            assert find_currency(text) == code, text


def test_no_character_of_the_readers_own_gets_out() -> None:
    assert all(sign < "\ue000" for sign in SIGNS.values())
    assert amount(1250, "SEK", 2) == "12.50"
    assert amount(1250, "INR", 2) == "₹12.50"
