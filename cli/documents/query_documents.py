"""Documents that answer questions over many hands: counts, results, rates, what the house knew."""

from __future__ import annotations

from typing import Any

import msgspec

from cli.documents.command_documents import CommandDocument
from ledger.vocabulary import Millis
from projections.queries.result_row import ResultTold


class CountDocument(CommandDocument, tag="handledger/count/1"):
    """How many hands fit."""

    hands: int


class FieldsDocument(CommandDocument, tag="handledger/fields/1"):
    """Fields of hands, in the order that was asked for. Money is an object with `amount`, `unit` and `exponent`."""

    fields: list[str]
    hands: list[dict[str, Any]]
    more: bool  # the limit cut the list


class SumTold(msgspec.Struct):
    """What the hands of a group came to. Amounts in units of 10^-exponent of `unit`."""

    names: list[str]  # in the order of `by`
    hands: int
    pot: int
    rake: int
    unit: str
    exponent: int
    format: str


class SumsDocument(CommandDocument, tag="handledger/sums/1"):
    """Hands summed up by one or several groups."""

    by: list[str]
    sums: list[SumTold]


class StakeTold(msgspec.Struct):
    """Chips that such findings say are in wrong hands, in units of 10^-exponent of `unit`; of a change, new less old."""

    becomes: str
    chips: int
    unit: str
    exponent: int


class SeatStake(msgspec.Struct):
    """How much more a seat of a table is said to have too much, or too little (negative), under the new book."""

    venue: str
    tournament: str
    table: str
    seat: int
    chips: int
    unit: str
    exponent: int


class FairShare(msgspec.Struct):
    """What a player paid in blinds, and what was due. Amounts in units of 10^-exponent of `unit`."""

    player: str
    id: str
    period: str  # "" = all of it
    hands: int  # that dealt the player in
    due: int
    paid: int
    untold: int  # hands without a known due or payment; neither is added
    unit: str
    exponent: int
    format: str


class FairnessDocument(CommandDocument, tag="handledger/fairness/1"):
    """What players paid in blinds beside what was due under a rulebook."""

    by: str
    query: str
    book: str
    edition: str
    shares: list[FairShare]


class RoomTime(msgspec.Struct, frozen=True):
    """A moment as the room's clock shows it; "" where nothing tells."""

    local: str = ""
    zone: str = ""


class SittingTold(msgspec.Struct):
    """A player in a seat of a table, as far as it is told."""

    seat: int
    player: str
    id: str
    since: Millis | None  # when it was told to begin, or the first hand that names the player there began
    began: str  # told, or seen in a hand
    first: str  # number of its first hand; "" = none
    last: str
    hands: int  # that dealt the player in
    until: Millis | None  # when it was told to end, or the next hand began: it had ended by then
    ended: str  # why; "" = nothing tells that it ended
    began_at: RoomTime = RoomTime()
    ended_at: RoomTime = RoomTime()


class SeatsDocument(CommandDocument, tag="handledger/seats/1"):
    """Who sat at a table, from when to when."""

    venue: str
    tournament: str
    table: str
    at: Millis | None  # only those who sat there then; None = all
    sittings: list[SittingTold]


class FindingKnown(msgspec.Struct, frozen=True):
    """A finding that the house knew of: which, since when, and what shows it."""

    since: Millis  # when it was told to the ledger
    became: str  # found, or other: told otherwise than when it was found first
    book: str
    edition: str
    clause: str
    severity: str
    certainty: str
    venue: str
    tournament: str
    table: str
    hand: str
    number: str  # of the hand; "" = the ledger has no such hand
    version: int
    seat: int | None
    fingerprint: str
    code: str
    address: str = ""  # of the event that shows it: T7/408@14


class TablesUnjudged(msgspec.Struct, frozen=True):
    """What came in and was not judged yet: nothing that the house knows speaks of it."""

    book: str
    tables: list[str]
    hands: int  # accounts of hands


class KnownDocument(CommandDocument, tag="handledger/known/1"):
    """What the house knew, under the rulebooks that it had adopted."""

    findings: list[FindingKnown]
    unjudged: list[TablesUnjudged] = msgspec.field(default_factory=list)  # of now; none with --as-of


class ResultsDocument(CommandDocument, tag="handledger/results/1"):
    """What players won and lost, or other groups of seats. Hands that were voided count, with nothing won or lost."""

    by: str
    query: str
    results: list[ResultTold]


class RateTold(msgspec.Struct):
    """How often something was found in some hands."""

    name: str
    findings: int
    hands: int
    per_thousand: float
    few: bool  # too few hands to tell anything


class RatesDocument(CommandDocument, tag="handledger/rates/1"):
    """How often something was found, in all hands and group by group."""

    by: str
    query: str
    books: list[str]
    whole: RateTold
    rates: list[RateTold]
