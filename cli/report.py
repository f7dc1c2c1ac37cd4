"""`handledger report`: write hands as a single HTML file or PDF."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cli.options import common_options, day_options, ledger_options
from cli.options.card_access import choose_card_viewer
from cli.options.day_options import DayBegins
from cli.options.where import QueryOption
from cli.output import console
from cli.report_shift import ShiftOptions, choose_format, write_shift_report
from ledger.errors import AddressError, NothingFoundError, UsageError
from ledger.text.language import phrase
from projections.addresses import hand_address

if TYPE_CHECKING:
    from ledger.store import Ledger
    from web.pages.documents import ReportDocument
    from web.pages.hand_frames import Viewer
    from web.pages.report_document import ReportSelection

_QUERY_SIGNS = frozenset(":<>=")
"""Characters of a query: an argument with one of them that isn't a hand is a query."""

_USUAL_BYTES: Final = 60_000
"""The size of a hand's page, unless the hand is very long."""

_Audience = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT|PLAYER|public|house",
        help="Only what this reader may see: their own cards and shown cards.",
    ),
]
_FullHands = Annotated[
    int | None,
    typer.Option(
        "--whole",
        metavar="N",
        min=0,
        max=1000,
        help="How many hands to show event by event, findings first. Each takes 20 KB. Default: 25; of a case, 100.",
        show_default=False,
    ),
]
_Shift = Annotated[
    str | None,
    typer.Option(
        "--shift", metavar="SHIFT", help="Report the money of a shift: its name, a day such as 2026-11-20, or FROM..TO."
    ),
]
_Tables = Annotated[
    list[str] | None, typer.Option("--table", metavar="TABLE", help="Of the shift, only this table. Repeatable.")
]
_Format = Annotated[
    Literal["text", "json", "csv"],
    typer.Option("--format", help="Text for people, JSON for programs; of a shift also CSV for a spreadsheet."),
]


def command(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[HAND|TABLE|QUERY|case:NUMBER]",
            help="A hand, a table, a query as in `log --where`, or case:NUMBER.",
            autocompletion=common_options.complete_hands,
        ),
    ] = None,
    *,
    books: common_options.Books = None,
    query_text: QueryOption = None,
    shift: _Shift = None,
    tables: _Tables = None,
    day_begins: DayBegins = day_options.DEFAULT_DAY_START,
    audience: _Audience = "house",
    naming: Annotated[
        Literal["keep", "position", "pseudonym"],
        typer.Option("--names", help="Names as they are, positions (BTN, SB), or fixed pseudonyms."),
    ] = "keep",
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Write a PDF, as a name ending in .pdf does. Needs handledger[pdf].")
    ] = False,
    max_stepped: _FullHands = None,
    open_cards: common_options.OpenCards = False,
    reason: common_options.OpeningReason = "",
    role: common_options.OpenedBy = "unknown",
    person: common_options.OpenedPerson = "",
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: _Format = "text",
    file: common_options.Output = None,
) -> None:
    """Write hands, or the money of a shift, as one HTML page or PDF."""
    from ledger.export.audience import require_audience
    from web.pages.hand_frames import Viewer, parse_audience

    is_pdf = pdf or (file is not None and file.suffix.lower() == ".pdf")
    if shift is not None:
        has_hand_options = target or query_text or open_cards or max_stepped is not None
        _refuse_hand_options(is_hand_report=bool(has_hand_options) or (audience, naming) != ("house", "keep"))
        shift_options = ShiftOptions(shift, tables or [], books, day_begins, as_of)
        raise typer.Exit(write_shift_report(url, shift_options, choose_format(format_, file, is_pdf=is_pdf), file))
    if tables or format_ == "csv":
        raise UsageError(
            phrase("--table and --format csv are for the money of a shift"),
            phrase("Name the shift: --shift 2026-11-20. A table's hands: handledger report T3"),
        )
    card_viewer = choose_card_viewer(reason, role, person, open_cards=open_cards)
    if (target is None) == (query_text is None):
        raise UsageError(
            "a report needs one hand, table, case or query", "For example: handledger report T3/712 -o 712.html"
        )
    if format_ != "json" and file is None and sys.stdout.isatty():
        raise UsageError("a report is an HTML page, not text for a terminal", "Write it to a file: add -o hand.html")
    viewer = Viewer(parse_audience(audience), naming, open_cards)
    with ledger_options.open_ledger(url, read_only=not open_cards, as_of=as_of) as ledger:
        require_audience(ledger, viewer.audience)
        selection = _select_hands(ledger, target, query_text)
        if selection.is_query and naming != "keep":
            selection = selection._replace(subject="a query that isn't shown, because it may name people")
        if card_viewer is not None:
            card_viewer.note(ledger, [row.stream for row in selection.rows], "report")
        document = _build_report(ledger, selection, books, viewer, paper=is_pdf, max_stepped=max_stepped)
    file_format = "pdf" if is_pdf else "html"
    _write_report(document, url, "json" if format_ == "json" else file_format, file)


def _build_report(
    ledger: Ledger,
    selection: ReportSelection,
    books: list[str] | None,
    viewer: Viewer,
    *,
    paper: bool,
    max_stepped: int | None,
) -> ReportDocument:
    """Return the document of hands; show progress on the terminal."""
    from projections.books.shelf import load_books
    from web.pages.report_document import build_report

    progress = console.ProgressLine()
    document = build_report(
        ledger,
        selection,
        load_books(ledger, books),
        viewer,
        ledger_name=Path(ledger_options.name_ledger(ledger)).name,
        paper=paper,
        max_stepped=max_stepped,
        on_progress=progress,
    )
    progress.clear()
    return document


def _write_report(document: ReportDocument, url: str | None, file_format: str, file: Path | None) -> None:
    """Write a report, and record in the ledger that hands leave it."""
    from cli.export import record_export

    with console.PendingOutput(file) as draft:
        draft.write(_encode_report(document, file_format))
        draft.publish()
        if file_format == "html":
            _warn_of_size(document, draft.size)
        hand_count = 1 if document.summary is None else document.summary.hands
        record_export(url, "report", hand_count, document.audience, draft.digest(), lossy=False, role="report")


def _refuse_hand_options(*, is_hand_report: bool) -> None:
    """Raise an error for options that choose hands or readers: a shift's report is for the house, of all its hands."""
    if is_hand_report:
        raise UsageError(
            phrase("--shift reports the money of all hands of a shift"),
            phrase("Leave out the hand, --where, --as, --names, --whole and --open-cards. --table chooses tables."),
        )


def _warn_of_size(document: ReportDocument, size: int) -> None:
    """Print a warning if a hand's page is unusually large."""
    if document.summary is None and size > _USUAL_BYTES:
        events = len(document.hands[0].frames)
        typer.echo(f"The page has {size:,} bytes, more than {_USUAL_BYTES:,}: the hand has {events} events.", err=True)


def _encode_report(document: ReportDocument, file_format: str) -> bytes:
    """Return the bytes of a report in a file format."""
    if file_format == "pdf":
        from web.pages.paper import render_pdf

        return render_pdf(document)
    if file_format == "json":
        return f"{console.encode_document(document)}\n".encode()
    from web.pages.html import render_html

    return f"{render_html(document)}\n".encode()


def _select_hands(ledger: Ledger, target: str | None, query_text: str | None) -> ReportSelection:
    """Return the hands of a target: a case, a hand, a table or a query, tried in this order."""
    from web.pages.report_document import ReportSelection, select_case

    if target is None:
        return _select_by_query(ledger, query_text or "")
    if target.startswith("case:"):
        return select_case(ledger, target.removeprefix("case:"))
    try:
        return ReportSelection([hand_address.find(ledger, target).row], target, is_single_hand=True)
    except (NothingFoundError, AddressError):
        table_row = hand_address.find_table_or_none(ledger, target)
        if table_row is not None:
            rows = ledger.hands(
                venue=table_row.venue, tournament=table_row.tournament, table=table_row.table, standing=True
            )
            return ReportSelection(list(rows), f"table {target}")
        if not _QUERY_SIGNS.intersection(target):
            if "/" not in target and "~" not in target:
                raise NothingFoundError(
                    f"no hand or table is called {target!r}",
                    "The tables: handledger log --by table. The hands: handledger log",
                ) from None
            raise
    return _select_by_query(ledger, target)


def _select_by_query(ledger: Ledger, query: str) -> ReportSelection:
    """Return the hands that match a query."""
    from projections.addresses.room_days import DEFAULT_DAY_START
    from projections.queries.ledger_query import list_matching_hands
    from web.pages.report_document import ReportSelection

    return ReportSelection(list_matching_hands(ledger, query, DEFAULT_DAY_START), query, is_query=True)
