"""JSON documents about many hands: counts, sums, results, rates, and the findings that the house knew."""

from __future__ import annotations

from typing import Any

import msgspec

from cli.documents.command_documents import CommandDocument
from ledger.vocabulary import Millis
from projections.queries.result_row import ResultDocument
from projections.queries.statistics_row import StatisticsRow, WinLine


class CountDocument(CommandDocument, tag="handledger/count/1"):
    """The number of hands that match a query."""

    hands: int


class FieldsDocument(CommandDocument, tag="handledger/fields/1"):
    """Fields of hands, in the requested order. Money is an object with `amount`, `unit` and `exponent`."""

    fields: list[str]
    hands: list[dict[str, Any]]
    more: bool  # more hands match than the limit allows


class SumEntry(msgspec.Struct):
    """Totals of a group of hands. Amounts are in units of 10^-exponent of `unit`."""

    names: list[str]  # in the order of `by`
    hands: int
    pot: int
    rake: int
    unit: str
    exponent: int
    format: str


class SumsDocument(CommandDocument, tag="handledger/sums/1"):
    """Totals of hands, grouped by one or more fields."""

    by: list[str]
    sums: list[SumEntry]


class ChipsAtStake(msgspec.Struct):
    """Chips that these findings say the wrong players have, in units of 10^-exponent of `unit`.

    For findings that a new book changes: the new amount minus the old one.
    """

    becomes: str
    chips: int
    unit: str
    exponent: int


class SeatStake(msgspec.Struct):
    """How much more a seat has too much (or too little, negative) under the new book than under the old one."""

    venue: str
    tournament: str
    table: str
    seat: int
    chips: int
    unit: str
    exponent: int


class FairShare(msgspec.Struct):
    """The blinds that a player paid, and those that were due. Amounts are in units of 10^-exponent of `unit`."""

    player: str
    id: str
    period: str  # "" = the whole time
    hands: int  # in which the player was dealt in
    due: int
    paid: int
    untold: int  # hands whose due or payment is unknown; they count toward neither sum
    unit: str
    exponent: int
    format: str


class FairnessDocument(CommandDocument, tag="handledger/fairness/1"):
    """The blinds that players paid, compared with those due under a rulebook."""

    by: str
    query: str
    book: str
    edition: str
    shares: list[FairShare]


class RoomTime(msgspec.Struct, frozen=True):
    """A moment on the room's clock; "" if the clock is unknown."""

    local: str = ""
    zone: str = ""


class SittingEntry(msgspec.Struct):
    """A player's time in a seat, as far as it is recorded."""

    seat: int
    player: str
    id: str
    since: Millis | None  # the recorded start; without one, the start of the first hand with the player in the seat
    began: str  # how the start is known: "told", or seen in a hand
    first: str  # number of the first hand; "" = none
    last: str
    hands: int  # in which the player was dealt in
    until: Millis | None  # the recorded end; without one, the start of the first hand without the player
    ended: str  # why; "" = no end is recorded
    began_at: RoomTime = RoomTime()
    ended_at: RoomTime = RoomTime()


class SeatsDocument(CommandDocument, tag="handledger/seats/1"):
    """Who sat at a table, and when."""

    venue: str
    tournament: str
    table: str
    at: Millis | None  # lists only players who sat there at this time; None = all
    sittings: list[SittingEntry]


class FindingKnown(msgspec.Struct, frozen=True):
    """A finding that the house knew of, since when, and the event that shows it."""

    since: Millis  # when it was recorded in the ledger
    became: str  # "found", or "other" if the finding has changed since it was first recorded
    book: str
    edition: str
    clause: str
    severity: str
    certainty: str
    venue: str
    tournament: str
    table: str
    hand: str
    number: str  # of the hand; "" = the hand isn't in this ledger
    version: int
    seat: int | None
    fingerprint: str
    code: str
    address: str = ""  # of the event that shows it: T7/408@14


class TablesUnjudged(msgspec.Struct, frozen=True):
    """Tables with imported hands that haven't been judged yet, so the house knows no findings in them."""

    book: str
    tables: list[str]
    hands: int  # number of accounts of hands


class KnownDocument(CommandDocument, tag="handledger/known/1"):
    """The findings that the house knew, under the rulebooks that it had adopted."""

    findings: list[FindingKnown]
    unjudged: list[TablesUnjudged] = msgspec.field(default_factory=list)  # as of now; empty with --as-of


class ResultsDocument(CommandDocument, tag="handledger/results/1"):
    """Chips that players, or other groups of seats, won and lost. Voided hands count, with nothing won or lost."""

    by: str
    query: str
    results: list[ResultDocument]


class RateEntry(msgspec.Struct):
    """How often a group of hands has findings."""

    name: str
    findings: int
    hands: int
    per_thousand: float
    few: bool  # too few hands for a meaningful rate


class RatesDocument(CommandDocument, tag="handledger/rates/1"):
    """How often hands have findings, in total and for each group."""

    by: str
    query: str
    books: list[str]
    whole: RateEntry
    rates: list[RateEntry]


class StatisticsDocument(CommandDocument, tag="handledger/statistics/1"):
    """How players play: the counts behind each figure (docs/statistics.md), and what one person won over time."""

    by: str
    player: str  # as typed; "" = everybody
    query: str
    rows: list[StatisticsRow]
    lines: list[WinLine]  # one for each unit; none for everybody
    left_out: dict[str, int] = msgspec.field(default_factory=dict)  # hands that no figure counts, by reason
    showdown_unknown: int = 0  # hands in which the record can't show whether there was a showdown
