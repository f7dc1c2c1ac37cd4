"""`handledger report`: hands as one file of HTML that needs nothing else to be read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from cli.options import common_options, ledger_options
from cli.options.card_access import card_viewer
from cli.options.where import QueryOption
from cli.output import console
from ledger.errors import AddressError, NothingFoundError, UsageError
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from web.pages.documents import ReportDocument
    from web.pages.hand_frames import Viewer

_QUERY_SIGNS = frozenset(":<>=")
"""A word with one of these is a query, if it names no hand."""

_USUAL_BYTES: Final = 60_000
"""Bytes that the page of a hand keeps to, unless it is very long."""

_UNCASED = "What was said in the case names people and hands in full: it is not in a report for these eyes."


_Audience = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT|PLAYER|public|house",
        help="Only what this reader may see: their own cards and shown cards.",
    ),
]
_FullHands = Annotated[
    int,
    typer.Option(
        "--whole",
        metavar="N",
        min=0,
        max=1000,
        help="How many hands to show event by event, findings first. Each takes 20 KB.",
    ),
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
    audience: _Audience = "house",
    naming: Annotated[
        Literal["keep", "position", "pseudonym"],
        typer.Option("--names", help="Names as they are, positions (BTN, SB), or fixed pseudonyms."),
    ] = "keep",
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Write a PDF, as a name ending in .pdf does. Needs handledger[pdf].")
    ] = False,
    max_stepped: _FullHands = 25,
    open_cards: common_options.OpenCards = False,
    reason: common_options.OpeningReason = "",
    role: common_options.OpenedBy = "unknown",
    person: common_options.OpenedPerson = "",
    as_of: common_options.AsOf = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
    file: common_options.Output = None,
) -> None:
    """Write hands as one HTML page or PDF."""
    from cli.export import record_export, somebody
    from projections.books.shelf import load_books
    from web.pages.hand_frames import Viewer, parse_audience

    looker = card_viewer(reason, role, person, open_cards=open_cards)
    is_pdf = pdf or (file is not None and file.suffix.lower() == ".pdf")
    if (target is None) == (query_text is None):
        raise UsageError(
            "a report needs one hand, table, case or query", "For example: handledger report T3/712 -o 712.html"
        )
    if format_ != "json" and file is None and sys.stdout.isatty():
        raise UsageError("a report is an HTML page, not text for a terminal", "Write it to a file: add -o hand.html")
    viewer = Viewer(parse_audience(audience), naming, open_cards)
    with ledger_options.opened(url, read_only=not open_cards, as_of=as_of) as ledger:
        somebody(ledger, viewer.audience)
        selection = _select_hands(ledger, target, query_text)
        if selection.query and naming != "keep":
            selection = selection._replace(subject="a query that is not told: it may name people")
        if looker is not None:
            looker.note(ledger, [row.stream for row in selection.rows], "report")
        document = _build_document(
            ledger, selection, load_books(ledger, books), viewer, paper=is_pdf, max_stepped=max_stepped
        )
    with console.PendingOutput(file) as draft:
        file_format = "json" if format_ == "json" else "pdf" if is_pdf else "html"
        draft.write(_encode_report(document, file_format))
        draft.publish()
        if file_format == "html":
            _warn_of_size(document, draft.size)
        hand_count = 1 if document.summary is None else document.summary.hands
        record_export(url, "report", hand_count, viewer.audience, draft.digest(), lossy=False, role="report")


def _warn_of_size(document: ReportDocument, size: int) -> None:
    """Say that a hand's page is heavier than such pages are: whoever sends it should know."""
    if document.summary is None and size > _USUAL_BYTES:
        events = len(document.hands[0].frames)
        typer.echo(f"The page has {size:,} bytes, more than {_USUAL_BYTES:,}: the hand has {events} events.", err=True)


def _encode_report(document: ReportDocument, form: str) -> bytes:
    """Return a report as it is written."""
    if form == "pdf":
        from web.pages.paper import render_pdf

        return render_pdf(document)
    from web.pages.html import render_html

    return f"{console.encoded(document) if form == 'json' else render_html(document)}\n".encode()


class _Selection(NamedTuple):
    """Hands, and by which words they were asked for. `one`: a hand was named, `query`: a query was, `case`: this case."""

    rows: list[HandRow]
    subject: str
    is_single_hand: bool = False
    query: bool = False
    case: str = ""


def _select_hands(ledger: Ledger, target: str | None, query_text: str | None) -> _Selection:
    """Return the hands that are meant: a hand, a case, a table, a query, whichever there is first."""
    if target is None:
        return _select_by_query(ledger, query_text or "")
    if target.startswith("case:"):
        number = target.removeprefix("case:")
        return _Selection(_rows_of_case(ledger, number), target, case=number)
    try:
        return _Selection([hand_address.find(ledger, target).row], target, is_single_hand=True)
    except (NothingFoundError, AddressError):
        table_row = hand_address.find_table_or_none(ledger, target)
        if table_row is not None:
            rows = ledger.hands(
                venue=table_row.venue, tournament=table_row.tournament, table=table_row.table, standing=True
            )
            return _Selection(list(rows), f"table {target}")
        if not _QUERY_SIGNS.intersection(target):
            if "/" not in target and "~" not in target:
                raise NothingFoundError(
                    f"no hand or table is called {target!r}",
                    "The tables: handledger log --by table. The hands: handledger log",
                ) from None
            raise
    return _select_by_query(ledger, target)


def _select_by_query(ledger: Ledger, query: str) -> _Selection:
    """Return the hands that fit a query."""
    from projections.addresses.room_days import DEFAULT_DAY_START
    from projections.queries.ledger_query import list_matching_hands

    return _Selection(list_matching_hands(ledger, query, DEFAULT_DAY_START), query, query=True)


def _rows_of_case(ledger: Ledger, number: str) -> list[HandRow]:
    """Return the hands that a case concerns."""
    from ledger.store.requests import case_streams
    from projections.cases.case_hands import find_case_rows

    return find_case_rows(ledger, case_streams.find_case(ledger, number).state)


def _case_lines(ledger: Ledger, number: str) -> list[str]:
    """Return how a case stands, and everything that was told of it."""
    from cli.output.case_text import format_case
    from ledger.store.requests import case_streams
    from projections.cases.case_view import build_case_document

    return list(format_case(build_case_document(ledger, case_streams.find_case(ledger, number))))


def _build_document(
    ledger: Ledger,
    selection: _Selection,
    chosen_books: list[Rulebook],
    viewer: Viewer,
    *,
    paper: bool,
    max_stepped: int,
) -> ReportDocument:
    from ledger import __version__
    from web.pages.documents import ReportDocument
    from web.pages.hand_page import build_pages, read_ledger_head
    from web.pages.page_judgement import BookChoice, default_books

    hand_rows = selection.rows
    books = BookChoice(chosen_books) if chosen_books or not hand_rows else default_books(ledger, hand_rows)
    progress = console.ProgressLine()
    summary = None
    if not selection.is_single_hand:
        from web.pages.report_summary import summarize_hands

        books = books._replace(comparison_books=())
        summary, hand_rows = summarize_hands(
            ledger, hand_rows, books, viewer, with_clean_hands=not paper, max_stepped=max_stepped, on_progress=progress
        )
    hand_pages = list(build_pages(ledger, hand_rows, books, viewer))
    progress.clear()
    return ReportDocument(
        title=f"Report of hand {AddressBook(ledger).hand(hand_rows[0])}"
        if selection.is_single_hand
        else f"Report of {selection.subject}",
        about=selection.subject,
        made=ledger.now(),
        version=__version__,
        audience=viewer.audience,
        naming=viewer.naming,
        head=read_ledger_head(ledger, Path(ledger_options.name_of(ledger)).name),
        summary=summary,
        hands=hand_pages,
        case=_case_lines(ledger, selection.case) if selection.case and viewer.sees_everything else [],
        uncased=_UNCASED if selection.case and not viewer.sees_everything else "",
    )
