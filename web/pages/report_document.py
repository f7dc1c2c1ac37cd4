"""Build the document of a report: of a hand, a table, a query or a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import __version__
from ledger.store.requests import case_streams
from projections.addresses.address_book import AddressBook
from projections.cases.case_hands import find_case_rows
from projections.cases.case_text import format_case
from projections.cases.case_view import build_case_document
from web.pages.case_heading import build_case_heading, load_cited_books
from web.pages.documents import ReportDocument
from web.pages.hand_page import build_pages, read_ledger_head
from web.pages.page_judgement import BookChoice, choose_default_books

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from web.pages.hand_frames import Viewer

_MAX_CASE_HANDS: Final = 100
"""Hands of a case that its report shows event by event by default."""
_UNCASED: Final = "This report leaves out the statements of the case, because they name people and hands in full."


class ReportSelection(NamedTuple):
    """The hands of a report, and the words that asked for them."""

    rows: list[HandRow]
    subject: str
    is_single_hand: bool = False
    is_query: bool = False
    case: str = ""  # its number, if the report is of a case


def select_case(ledger: Ledger, number: str) -> ReportSelection:
    """Return the hands that a case concerns."""
    return ReportSelection(
        find_case_rows(ledger, case_streams.find_case(ledger, number).state), f"case:{number}", case=number
    )


def build_report(
    ledger: Ledger,
    selection: ReportSelection,
    chosen_books: list[Rulebook],
    viewer: Viewer,
    *,
    ledger_name: str,
    paper: bool = False,
    max_stepped: int | None = None,
    on_progress: Callable[[str], None] = lambda _: None,
) -> ReportDocument:
    """Return a report under these books, else under those that its case cites, else under the house's.

    `max_stepped`: how many hands the report shows event by event; None = the usual number.
    """
    hand_rows, case, missing_books = selection.rows, None, list[str]()
    is_under_cited_books = False
    if selection.case:
        case = case_streams.find_case(ledger, selection.case)
        if not chosen_books:
            chosen_books, missing_books = load_cited_books(ledger, case.state)
            is_under_cited_books = bool(chosen_books)
    books = BookChoice(chosen_books) if chosen_books or not hand_rows else choose_default_books(ledger, hand_rows)
    summary = None
    if not selection.is_single_hand:
        from web.pages.report_summary import MAX_STEPPED, summarize_hands  # noqa: PLC0415 - a hand's report needs no database tables

        books = books._replace(comparison_books=())
        if max_stepped is None:
            max_stepped = _MAX_CASE_HANDS if case is not None else MAX_STEPPED
        summary, hand_rows = summarize_hands(
            ledger,
            hand_rows,
            books,
            viewer,
            with_clean_hands=not paper or case is not None,
            max_stepped=max_stepped,
            on_progress=on_progress,
        )
    hand_pages = list(build_pages(ledger, hand_rows, books, viewer))
    case_document = None if case is None or not viewer.sees_everything else build_case_document(ledger, case)
    return ReportDocument(
        title=_build_title(ledger, selection, hand_rows),
        about=selection.subject,
        made=ledger.now(),
        version=__version__,
        audience=viewer.audience,
        naming=viewer.naming,
        head=read_ledger_head(ledger, ledger_name),
        summary=summary,
        hands=hand_pages,
        case=[] if case_document is None else list(format_case(case_document)),
        uncased=_UNCASED if case is not None and not viewer.sees_everything else "",
        case_heading=None
        if case_document is None
        else build_case_heading(case_document, hand_pages, missing_books, is_under_cited_books=is_under_cited_books),
    )


def _build_title(ledger: Ledger, selection: ReportSelection, hand_rows: Sequence[HandRow]) -> str:
    if selection.is_single_hand:
        return f"Report of hand {AddressBook(ledger).find_hand_address(hand_rows[0])}"
    return f"Case {selection.case}" if selection.case else f"Report of {selection.subject}"
