"""`handledger case`: a dispute, from the first claim to the ruling and after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import case_deciding as deciding
from cli import case_options as c
from cli import opening, options, output
from cli.naming import NamingCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from projections.cases.case_commands import CaseEdit
    from projections.cases.case_documents import CaseDocument

CLASS: Final = NamingCommand

EPILOG: Final = "Every verb takes --ledger, --format text|json and -o FILE: handledger case open --help"


def command() -> None:
    """Write down a dispute: the claim, the hands, statements, evidence, findings, the ruling, what is due.

    Nothing in a case is ever changed: a mistake is voided by a further event, a closed case is
    reopened. Names and words are kept apart from the events, and `people forget` reaches them there.

    \b
    handledger case open T7/408@17-20 --claim "the straddle was not allowed" --by player --person Fay
    handledger case cite 2026-1 2068bb48 -r hilton
    handledger case rule 2026-1 --decision "straddle returned" --clause B8a.1 --rulebook hilton --by floor
    handledger case show 2026-1
    """  # noqa: D301 - \b keeps the lines of the examples


def open_(
    hands: c.Hands = None,
    *,
    claim: Annotated[str, typer.Option("--claim", metavar="TEXT", help="What is claimed.")],
    by: c.By,
    person: c.Person = "",
    subject: Annotated[c.CaseSubject, typer.Option("--subject", help="What it is about.")] = "other",
    amount: Annotated[str, typer.Option("--amount", metavar="AMOUNT", help="How much is disputed: 15, 12.50.")] = "",
    venue: Annotated[str, typer.Option("--venue", help="In which room; without it that of the first hand.")] = "",
    table: Annotated[str, typer.Option("--table", help="At which table; without it that of the first hand.")] = "",
    before_next_deal: Annotated[
        bool | None,
        typer.Option(
            "--before-next-deal/--after-next-deal",
            help="Whether it was asked before the next deal began. Without it: not told.",
        ),
    ] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Keep whoever sat in these hands from being erased.")] = False,
    number: Annotated[
        str, typer.Option("--number", help="The case's number. Without it the next of this year: 2026-7.")
    ] = "",
    lake: c.Lake = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Open a case about hands, or about a table; print its number.

    With --lake the hands are those of a lake of another ledger: the case keeps what identifies them for good (that ledger, table, number,
    place in its log, hash of the bytes), and evidence of them comes out of the lake.

    \b
    handledger case open T7/408@17-20 --claim "the straddle was not allowed" --by player --person Fay --amount 15
    handledger case open T7/408 --lake lake --claim "the straddle was not allowed" --by auditor
    handledger case open --table T7 --claim "chips missing after the break" --by floor --subject payment
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.cases.case_commands import CaseClaim, open_case

    case_claim = CaseClaim(claim, by, person, subject, amount, venue, table, before_next_deal, hold, number)
    with opening.opened(url, read_only=False) as ledger:
        document = c.told(ledger, open_case(ledger, case_claim, hands or (), c.named, lake), "opened")
    _put(document, format_, file)


def list_(
    *,
    only_open: Annotated[bool, typer.Option("--open", help="Only cases that are not closed.")] = False,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """List cases, one line each, with how they stand and what is due."""
    from cli.case_telling import listed
    from ledger.store.requests.case_streams import cases
    from projections.cases.case_documents import CasesDocument
    from projections.cases.case_view import case_line

    with opening.opened(url) as ledger:
        case_lines = [
            case_line(ledger, case) for case in cases(ledger) if not (only_open and case.state.status == "closed")
        ]
    if format_ == "json":
        output.document(CasesDocument(cases=case_lines), file)
    else:
        output.put(listed(case_lines), file)


def show(
    number: c.Number,
    *,
    lake: Annotated[
        Path | None,
        typer.Option(
            "--lake", metavar="DIR", help="Say whether its hands that lie in a lake are in this one, unchanged."
        ),
    ] = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Show a case: how it stands, and everything in order."""
    from ledger.store.requests.case_streams import find
    from projections.cases.case_view import case_document

    with opening.opened(url) as ledger:
        case = find(ledger, number)
        document = case_document(ledger, case)
    if lake is not None:
        from projections.cases.lake_hands import compare_with_lake

        compare_with_lake(case.state, document.hands, lake)
    _put(document, format_, file)


def note(
    number: c.Number,
    words: Annotated[str, typer.Argument(metavar="TEXT", help="What was said.")],
    *,
    by: c.By,
    person: c.Person = "",
    seat: Annotated[int | None, typer.Option("--seat", min=1, help="In which seat they sat.")] = None,
    remark: Annotated[
        bool, typer.Option("--remark", help="No statement of anybody: a remark of the case's keeper.")
    ] = False,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Write down what somebody told, or a remark."""
    from ledger.errors import UsageError
    from projections.cases import case_commands

    if remark and (person or seat is not None):
        raise UsageError("a remark is nobody's statement", "Leave out --remark, or --person and --seat.")

    def add_words(case: CaseEdit) -> Sequence[Event]:
        return (
            case_commands.add_remark(case, words)
            if remark
            else case_commands.take_statement(case, words, by, person, seat)
        )

    _put(c.add(number, url, add_words, "a remark noted" if remark else "statement taken"), format_, file)


def link(
    number: c.Number,
    hands: Annotated[list[str], typer.Argument(metavar="HAND...", help="Which hands, as for open.")],
    *,
    lake: c.Lake = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Say that the case concerns a hand, or a span of its events."""
    from projections.cases import case_commands

    _put(c.add(number, url, lambda case: case_commands.link_hands(case, hands, lake), "linked"), format_, file)


def attach(
    number: c.Number,
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file: its SHA-256 is kept, the file is not.")
    ] = None,
    *,
    kind: Annotated[c.EvidenceKind, typer.Option("--kind", help="What it is.")] = "other",
    label: Annotated[str, typer.Option("--label", help="What to call it, and where it is kept.")] = "",
    camera: Annotated[str, typer.Option("--camera", help="Of a recording: which camera.")] = "",
    starts: Annotated[str | None, typer.Option("--from", metavar="TIME", help="Of a recording: it begins.")] = None,
    ends: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Of a recording: it ends.")] = None,
    expires: Annotated[
        str | None, typer.Option("--kept-until", metavar="DATE", help="When it is overwritten or destroyed.")
    ] = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Put evidence to the case: a recording, a photograph, a file, chips kept.

    Of a file only the SHA-256 is written down, so that it can be recognised later: the file itself
    is not taken in. Keep it.

    \b
    handledger case attach 2026-1 cam12.mp4 --kind video --camera 12 --from 2026-11-20T22:39Z --to 2026-11-20T22:46Z
    handledger case attach 2026-1 --kind chips --label "the disputed stack, cage, bag 12"
    """  # noqa: D301 - \b keeps the lines of the examples
    from projections.cases import case_commands, claims

    evidence = case_commands.CaseEvidence(
        kind,
        claims.file_sha256(path) if path else "",
        label or (path.name if path else ""),
        camera,
        starts,
        ends,
        expires,
    )
    activity = "attached; of the file only its SHA-256 is here, keep the file itself" if path else "attached"
    _put(c.add(number, url, lambda case: case_commands.attach_evidence(case, evidence), activity), format_, file)


def cite(
    number: c.Number,
    fingerprint: Annotated[
        str, typer.Argument(help="Of the finding, as audit prints it; six digits or more are enough.")
    ],
    *,
    books: options.Books = None,
    lake: c.Lake = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Take a finding of an audit into the case.

    It must be one that audit, or with --lake `lake audit`, gives in a hand of the case. Without -r the hands are judged under the rulebooks that the house had adopted.
    """
    from projections.cases import case_commands

    def cite_finding(case: CaseEdit) -> Sequence[Event]:
        return case_commands.cite_finding(case, fingerprint, books or [], lake)

    _put(c.add(number, url, cite_finding, "finding cited"), format_, file)


def due(
    number: c.Number,
    when: Annotated[str | None, typer.Argument(metavar="[TIME]", help="By when: 2026-12-07, or with a time.")] = None,
    *,
    days: c.Days = None,
    what: Annotated[c.Awaited, typer.Option("--for", help="What is due.")] = "reply",
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Set what is due by when; the same said again with another time moves it.

    A decision is done by a ruling, a reply by a ruling or a statement of the house's staff, footage
    by an attached recording, a notice by notify, and everything by the end of the case.
    """
    from projections.cases import case_commands

    _put(
        c.add(number, url, lambda case: case_commands.set_deadline(case, when, days, what), "deadline set"),
        format_,
        file,
    )


def hold(
    number: c.Number,
    what: c.What,
    target: c.Target,
    *,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="DATE", help="How long. Without it and --days: as long as the case lasts."),
    ] = None,
    days: c.Days = None,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """Keep a person, or everybody in a hand, at a table or in a source, from being erased.

    It protects against `people forget`, which takes names out of everything: nothing else in a ledger
    can be taken away. With a time it lasts until then, also when the case is closed before.
    """
    from projections.cases import case_commands

    _put(
        c.add(number, url, lambda case: case_commands.place_hold(case, what, target, until, days), f"{what} held"),
        format_,
        file,
    )


def lift(
    number: c.Number,
    what: c.What,
    target: c.Target,
    *,
    url: options.LedgerUrl = None,
    format_: options.Format = "text",
    file: options.Output = None,
) -> None:
    """End a hold of this case."""
    from projections.cases import case_commands

    _put(c.add(number, url, lambda case: case_commands.lift_hold(case, what, target), "hold lifted"), format_, file)


def _put(document: CaseDocument, format_: str, file: Path | None) -> None:
    c.put(document, format_, file)


VERBS: Final = {
    "open": open_,
    "list": list_,
    "show": show,
    "note": note,
    "link": link,
    "attach": attach,
    "cite": cite,
    "due": due,
    "hold": hold,
    "lift": lift,
    **deciding.VERBS,
}
"""Verb → its function, in the order of a dispute."""
