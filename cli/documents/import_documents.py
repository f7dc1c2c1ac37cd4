"""The JSON documents of what was read: imports, rejects, the demo; apart, as lists of hands need none of it."""

from __future__ import annotations

import msgspec

from cli.documents.command_documents import CommandDocument
from ledger.intake.summary import FileSummary
from projections.reports.finding_changes import FindingChangeCounts
from projections.reports.hand_documents import HandTold
from projections.reports.import_breaks import TableBreaks
from projections.reports.notes_lines import NoteLine
from projections.reports.rejects import RejectDocument


class ImportDocument(CommandDocument, tag="handledger/import/1"):
    """What an import found, wrote and could not read."""

    ledger: str
    dry_run: bool
    files: list[FileSummary]
    total: FileSummary
    breaks: list[TableBreaks] = msgspec.field(
        default_factory=list
    )  # of the tables that were told of these hands, if they are few
    people_key: str = ""  # where the key of the ids was made with a new ledger; "" = it was there
    findings: list[FindingChangeCounts] = msgspec.field(default_factory=list)  # under the books that the house adopted


class RejectsDocument(CommandDocument, tag="handledger/rejects/1"):
    """The rejected spans that the ledger keeps."""

    rejects: list[RejectDocument]


class ReadDocument(CommandDocument, tag="handledger/read/1"):
    """How the lines of a night were read."""

    file: str
    lines: list[NoteLine]
    questions: int


class NewDocument(CommandDocument, tag="handledger/new/1"):
    """The template that was written."""

    file: str
    text: str


class DemoDocument(CommandDocument, tag="handledger/demo/1"):
    """What the demonstration did."""

    ledger: str
    imported: ImportDocument
    hand: HandTold
    findings: dict[str, int]  # book → findings
    due: dict[str, str]  # table → who owes which blind next
    next: list[str]


class HandscriptCardDocument(CommandDocument, tag="handledger/handscript/1"):
    """The card of handscript, as text."""

    card: str
