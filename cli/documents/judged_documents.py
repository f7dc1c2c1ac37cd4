"""Documents that hold what was judged: findings, what is due, what a wrong led to."""

from __future__ import annotations

import msgspec

from cli.documents.command_documents import CommandDocument
from cli.documents.query_documents import ChipsAtStake, SeatStake
from projections.audit.audit_result import BookRef
from projections.audit.knock_on import KnockOn
from projections.cases.case_documents import CaseLine
from projections.findings.finding import Finding
from projections.obligations.dues import Due
from projections.reports.hand_documents import HandTold
from projections.reports.owed_report import OwedDocument


class KnockOnDocument(CommandDocument, tag="handledger/knock-on/1"):
    """What a wrong button or blind led to."""

    venue: str
    tournament: str
    table: str
    number: str  # of the hand it begins with
    book: str
    edition: str
    found: KnockOn
    address: str  # of the hand it begins with


class FindingTurnEntry(msgspec.Struct):
    """A finding that is not the same under two books: it appears, vanishes or changes."""

    becomes: str
    old: Finding | None
    new: Finding | None


class RulesDiffDocument(CommandDocument, tag="handledger/rules-diff/1"):
    """What another rulebook, or another edition, finds otherwise in the same hands."""

    old: BookRef
    new: BookRef
    hands: int
    turns: list[FindingTurnEntry]
    at_stake: list[ChipsAtStake]
    seats: list[SeatStake]  # whose sums are the same under both is left out; each table's add up to 0


class TableOwes(msgspec.Struct):
    """What is due at a table on its coming hand. Amounts are in units of 10^-exponent of `unit`."""

    venue: str
    tournament: str
    table: str
    book: str
    edition: str
    after: str  # number of the last hand
    unit: str
    exponent: int
    due: Due
    players: dict[int, str]  # seat → who sits there


class OwedEverywhereDocument(CommandDocument, tag="handledger/owed-everywhere/1"):
    """What is due at every table."""

    tables: list[TableOwes]


class FloorHand(msgspec.Struct):
    """One of the last hands of a table. `since`: hands that were dealt behind it, as far as the ledger knows."""

    hand: HandTold
    since: int
    findings: list[Finding]
    judged: bool = True  # otherwise it has more events or players than are judged


class FloorDocument(CommandDocument, tag="handledger/floor/1"):
    """A table where the game is stopped: its last hands, the newest first, and what is due. `why`: that cannot be said.

    `judged`: under a book; otherwise nothing was looked for. `running`: the newest hand is not over, as the
    record has it. `cases` are open.
    """

    venue: str
    tournament: str
    table: str
    hands: list[FloorHand]
    due: OwedDocument | None
    why: str
    judged: bool
    running: bool
    cases: list[CaseLine]
