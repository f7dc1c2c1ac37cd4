"""`handledger case`: a dispute, from the first claim to the ruling and after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import case_rulings as deciding
from cli.case_tape import index_tape
from cli.options import case_options as c
from cli.options import common_options, ledger_options
from cli.options.person_ids import NamingCommand
from cli.output import console
from ledger.case import case_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from projections.cases.case_commands import CaseEdit
    from projections.cases.case_documents import CaseDocument

CLASS: Final = NamingCommand

EPILOG: Final = "Every verb takes --ledger, --format text|json and -o FILE: handledger case open --help"


def command() -> None:
    """Keep a dispute: claim, hands, statements, ruling and payments."""


def open_case_command(
    hands: c.Hands = None,
    *,
    claim: Annotated[str, typer.Option("--claim", metavar="TEXT", help="The claim.")],
    role: c.PartyRole,
    person: c.Person = "",
    subject: Annotated[c.CaseSubject, typer.Option("--subject", help="The subject of the dispute.")] = "other",
    amount: Annotated[str, typer.Option("--amount", metavar="AMOUNT", help="The disputed amount: 15, 12.50.")] = "",
    venue: Annotated[str, typer.Option("--venue", help="The room. Default: that of the first hand.")] = "",
    table: Annotated[str, typer.Option("--table", help="The table. Default: that of the first hand.")] = "",
    before_next_deal: Annotated[
        bool | None,
        typer.Option(
            "--before-next-deal/--after-next-deal",
            help="Whether the claim came before the next deal. Default: not recorded.",
        ),
    ] = None,
    hold: Annotated[
        bool, typer.Option("--hold", help="Keep the names of everybody in these hands from being forgotten.")
    ] = False,
    number: Annotated[
        str, typer.Option("--number", help="The case's number. Default: the next of this year, 2026-7.")
    ] = "",
    lake: c.Lake = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Open a case about hands or a table, and print its number."""
    from projections.cases.case_commands import CaseClaim, open_case

    case_claim = CaseClaim(claim, role, person, subject, amount, venue, table, before_next_deal, hold, number)
    with ledger_options.open_ledger(url, read_only=False) as ledger:
        document = c.describe_change(ledger, open_case(ledger, case_claim, hands or (), c.name_option, lake), "opened")
    _write_case(document, format_, file)


def list_cases(
    *,
    only_open: Annotated[bool, typer.Option("--open", help="Only cases that aren't closed.")] = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """List cases, one line each, with their status and deadlines."""
    from cli.output.case_text import format_case_list
    from ledger.store.requests.case_streams import all_cases
    from projections.cases.case_documents import CasesDocument
    from projections.cases.case_view import build_case_line

    with ledger_options.open_ledger(url) as ledger:
        case_lines = [
            build_case_line(ledger, case)
            for case in all_cases(ledger)
            if not (only_open and case.state.status == "closed")
        ]
    if format_ == "json":
        console.write_document(CasesDocument(cases=case_lines), file)
    else:
        console.write_text(format_case_list(case_lines), file)


def show(
    number: c.Number,
    *,
    lake: Annotated[
        Path | None,
        typer.Option("--lake", metavar="DIR", help="Check that the case's hands are in this lake, unchanged."),
    ] = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Show a case: its status, and every entry in order."""
    from ledger.store.requests.case_streams import find_case
    from projections.cases.case_view import build_case_document

    with ledger_options.open_ledger(url) as ledger:
        case = find_case(ledger, number)
        document = build_case_document(ledger, case)
    if lake is not None:
        from projections.cases.lake_hands import compare_with_lake

        compare_with_lake(case.state, document.hands, lake)
    _write_case(document, format_, file)


def note(
    number: c.Number,
    words: Annotated[str, typer.Argument(metavar="TEXT", help="The words.")],
    *,
    role: c.PartyRole,
    person: c.Person = "",
    seat: Annotated[int | None, typer.Option("--seat", min=1, help="Their seat.")] = None,
    remark: Annotated[
        bool, typer.Option("--remark", help="It's a remark of the case's keeper, not a statement.")
    ] = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Write down a statement or a remark."""
    from projections.cases import case_commands

    if remark and (person or seat is not None):
        raise case_errors.remark_with_person()

    def add_words(case: CaseEdit) -> Sequence[Event]:
        return (
            case_commands.add_remark(case, words)
            if remark
            else case_commands.take_statement(case, words, role, person, seat)
        )

    _write_case(c.add_to_case(number, url, add_words, "a remark noted" if remark else "statement taken"), format_, file)


def link(
    number: c.Number,
    hands: Annotated[list[str], typer.Argument(metavar="HAND...", help="Hands or spans of events: T7/408@17-20.")],
    *,
    lake: c.Lake = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Add a hand, or a span of its events, to a case."""
    from projections.cases import case_commands

    _write_case(
        c.add_to_case(number, url, lambda case: case_commands.link_hands(case, hands, lake), "linked"), format_, file
    )


def attach(
    number: c.Number,
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file. Its SHA-256 is recorded; the file isn't copied.")
    ] = None,
    *,
    kind: Annotated[c.EvidenceKind, typer.Option("--kind", help="The kind of evidence.")] = "other",
    label: Annotated[str, typer.Option("--label", help="Its name, and where it is kept.")] = "",
    camera: Annotated[str, typer.Option("--camera", help="The camera of a recording.")] = "",
    starts: Annotated[str | None, typer.Option("--from", metavar="TIME", help="When the recording begins.")] = None,
    ends: Annotated[str | None, typer.Option("--to", metavar="TIME", help="When the recording ends.")] = None,
    expires: Annotated[
        str | None, typer.Option("--kept-until", metavar="DATE", help="When it will be overwritten or destroyed.")
    ] = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Add evidence to a case: a recording, a photo, a file or chips."""
    from projections.cases import case_commands
    from projections.cases.evidence_files import hash_file

    evidence = case_commands.CaseEvidence(
        kind, hash_file(path) if path else "", label or (path.name if path else ""), camera, starts, ends, expires
    )
    activity = "attached; only the file's SHA-256 is recorded, so keep the file" if path else "attached"
    _write_case(
        c.add_to_case(number, url, lambda case: case_commands.attach_evidence(case, evidence), activity), format_, file
    )


def cite(
    number: c.Number,
    fingerprint: Annotated[str, typer.Argument(help="The finding's fingerprint from `audit`; six digits are enough.")],
    *,
    books: common_options.Books = None,
    lake: c.Lake = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Add a finding of an audit to a case."""
    from projections.cases import case_commands

    def cite_finding(case: CaseEdit) -> Sequence[Event]:
        return case_commands.cite_finding(case, fingerprint, books or [], lake)

    _write_case(c.add_to_case(number, url, cite_finding, "finding cited"), format_, file)


def set_deadline(
    number: c.Number,
    typed_time: Annotated[
        str | None, typer.Argument(metavar="[TIME]", help="The deadline: 2026-12-07, or with a time.")
    ] = None,
    *,
    days: c.Days = None,
    what: Annotated[c.Awaited, typer.Option("--for", help="What must be done by then.")] = "reply",
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Set a deadline, or move one."""
    from projections.cases import case_commands

    _write_case(
        c.add_to_case(
            number, url, lambda case: case_commands.set_deadline(case, typed_time, days, what), "deadline set"
        ),
        format_,
        file,
    )


def hold(
    number: c.Number,
    what: c.HeldKind,
    target: c.Target,
    *,
    end_day: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="The end of the hold. Default: the end of the case.")
    ] = None,
    days: c.Days = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Keep the names of a person, a hand, a table or a file from being forgotten."""
    from projections.cases import case_commands

    _write_case(
        c.add_to_case(
            number, url, lambda case: case_commands.place_hold(case, what, target, end_day, days), f"{what} held"
        ),
        format_,
        file,
    )


def lift(
    number: c.Number,
    what: c.HeldKind,
    target: c.Target,
    *,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """End a hold of this case."""
    from projections.cases import case_commands

    _write_case(
        c.add_to_case(number, url, lambda case: case_commands.lift_hold(case, what, target), "hold lifted"),
        format_,
        file,
    )


def _write_case(document: CaseDocument, format_: str, file: Path | None) -> None:
    c.write_case(document, format_, file)


VERBS: Final = {
    "open": open_case_command,
    "list": list_cases,
    "show": show,
    "note": note,
    "link": link,
    "attach": attach,
    "tape": index_tape,
    "cite": cite,
    "due": set_deadline,
    "hold": hold,
    "lift": lift,
    **deciding.VERBS,
}
"""Verb → its function, in the order of a dispute."""
