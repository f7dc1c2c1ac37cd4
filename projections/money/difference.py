"""Differences and gaps in the money of a record, with the events that they rest on."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from ledger.vocabulary import Chips

DifferenceKind: TypeAlias = Literal[
    "box",  # a counted box against what the hands dropped into it
    "rake",  # a hand's rake against the house's schedule
    "chips",  # chips in front of a seat against what came and went
    "tray",  # a counted tray against fills, credits and chips that were sold and bought back
    "fund",  # a jackpot or promotion fund against what was taken for it and paid from it
    "prize-pool",  # a stated pool against what was sold
    "prize",  # a paid prize against the stated pool or place
    "chips-in-play",  # a tournament's chips against its entries
    "seating",  # balancing, breaking order and redraws
]


class EventRef(msgspec.Struct, frozen=True):
    """An event that a difference rests on."""

    stream: str  # id of the stream, hex
    version: int  # of the event; the stream's first event has version 1
    name: str = ""  # its address: a hand "T3/712", a fact between hands "T3@98"
    note: str = ""  # a description: a sentence or a short noun


def name_fact(place: str, version: int) -> str:
    """Return the address of a fact between hands, as `handledger correct` takes it: "T3@98".

    `place`: the table or tournament. `version`: of the fact in its stream.
    """
    return f"{place}@{version}"


class MoneyDifference(msgspec.Struct, frozen=True):
    """Two sums that should be equal and aren't.

    `expected` follows from the events; `recorded` is what somebody counted, stated or wrote. Both are None for kinds
    that aren't about sums. Amounts are in units of `unit` with `exponent` decimals.
    """

    kind: DifferenceKind
    venue: str
    tournament: str
    table: str
    says: str  # a sentence: what doesn't add up, with both sums
    expected: Chips | None = None
    recorded: Chips | None = None
    unit: str = ""
    exponent: int = 0
    seat: int | None = None
    player: str = ""
    dealer: str = ""
    shift: str = ""
    clause: str = ""  # "BOOK.CLAUSE", if a rulebook decides
    because: str = ""  # the facts that `expected` follows from, as sentences
    events: list[EventRef] = []  # the first is the count, the payment or the hand itself
    could_explain: list[EventRef] = []  # hands and events that may explain the difference, the likeliest first


class MoneyGap(msgspec.Struct, frozen=True):
    """Something that can't be checked, because the record lacks a count or a fact."""

    kind: DifferenceKind
    venue: str
    tournament: str
    table: str
    missing: str  # a sentence: what is missing, and what can't be checked without it
    events: list[EventRef] = []
