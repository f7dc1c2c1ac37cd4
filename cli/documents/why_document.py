"""The document of `why`: a figure, and the chain of reasons below it down to the bytes of a source."""

from __future__ import annotations

import msgspec

from cli.documents.command_documents import CommandDocument
from ledger.vocabulary import Chips, Seat
from projections.addresses.source_names import SourcePlace
from projections.audit.knock_on import KnockOn
from projections.reports.hand_documents import RecorderDocument


class Cited(msgspec.Struct, frozen=True):
    """A clause that a reason applies, and what it says in our words."""

    book: str
    clause: str
    says: str


class Reason(msgspec.Struct):
    """One step of a chain. It stands below the last step before it that has a smaller depth."""

    says: str
    depth: int = 0
    chips: Chips | None = None  # what it adds to the figure
    basis: str = "record"  # record, book; fallback: usual where the book is silent; assumed
    clauses: list[Cited] = []
    show: str = ""  # the address of the event: `handledger show` takes it; "" = it has none
    derived: bool = False  # a reader inferred the event, no line says it
    place: SourcePlace | None = None  # its bytes; None = no source tells it, or which hand it is cannot be told
    line: str = ""  # of the source, raw; "" = its bytes are not kept
    recorder: RecorderDocument | None = None  # who recorded it on a page or a device; None = an import or a command


class Figure(msgspec.Struct):
    """A figure that follows from the record. `chips`: of a sum of chips; `seat`: of a position, or whose it is."""

    field: str  # as it may be asked for: pot, net:5, button, due:5, finding:f5c022a4
    says: str
    seat: Seat | None = None
    chips: Chips | None = None
    book: str = ""  # the rulebook under which it follows; "" = the record alone
    edition: str = ""
    reasons: list[Reason] = []
    knock_on: KnockOn | None = None  # of a finding about button or blinds: what it led to


class WhyDocument(CommandDocument, tag="handledger/why/1"):
    """Figures of a hand, or of a table's coming hand, and why they are so.

    Without a field they are listed without reasons. Amounts in units of 10^-exponent of `unit`.
    """

    venue: str
    tournament: str
    table: str
    hand: str  # its number; "" = the coming hand
    unit: str
    exponent: int
    figures: list[Figure]
    address: str = ""  # of the hand: T3/712; of the table where the coming hand is asked about
