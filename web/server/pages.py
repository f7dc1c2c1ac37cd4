"""Build the documents of the pages, each from a request to the ledger."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.card_views import find_hidden_seats
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START, format_local_start
from projections.addresses.source_names import read_span
from projections.books import clause_page, rulebook
from projections.books.shelf import Shelf
from projections.live.floor_desk import LastHand, build_floor_desk
from projections.live.table_evening import build_evening, find_evening_rows
from projections.obligations.dues import list_blind_posters
from projections.queries.ledger_query import select_hands
from projections.reports.audit_json import add_address
from projections.reports.book_documents import build_book, build_clause
from projections.reports.hand_documents import HandTold
from projections.reports.rejects import RejectDocument, list_rejects
from projections.reports.states import build_hands
from projections.sentences.table_list import seat_debt
from projections.tables.owed_list import iter_debts, iter_table_dues
from web.pages import hand_page, page_judgement
from web.pages.hand_frames import Viewer
from web.server import page_errors
from web.server.access.roles import AccessRight, has_right
from web.server.documents import (
    CountsPage,
    HandLine,
    HandSite,
    ImportsPage,
    LogPage,
    RulesPage,
    SourceLine,
    TableLine,
    TablePage,
    TablesPage,
)
from web.server.page_request import PageRequest, count_findings

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import TableDues
    from web.pages.documents import HandPage, Judgement

_PAGE_SIZE: Final = 50
_MAX_LAST_HANDS: Final = 20
_MAX_LISTED: Final = 500
_TABLES_PER_PAGE: Final = 200
_MAX_TEXT_BYTES: Final = 600


def build_counts_page(page_request: PageRequest) -> CountsPage:
    """Return what the header of every page shows: pages ask for it when the log has grown."""
    return CountsPage(finding_count=page_request.finding_count)


def build_tables_page(page_request: PageRequest) -> TablesPage:
    """Return all tables, with the blinds due there."""
    ledger = page_request.ledger
    finding_counts, finding_total, overlong_hands = count_findings(page_request)
    server_books = page_request.server_books
    rows, has_more = _list_page_tables(page_request)
    table_keys = [TableKey(row.venue, row.tournament, row.table) for row in rows]
    has_books = bool(server_books) or finding_counts is not None
    all_dues = iter_table_dues(ledger, server_books, table_keys) if has_books else ()
    dues_by_table = {table_key: (book, table_dues) for book, table_key, table_dues in all_dues}
    if not has_right(page_request.role, AccessRight.FINDINGS):
        finding_counts, finding_total, overlong_hands = None, None, {}
    lines = []
    for row, table_key in zip(rows, table_keys, strict=True):
        local_time, zone = _find_last_hand_time(ledger, table_key)
        table_line = TableLine(
            venue=row.venue,
            tournament=row.tournament,
            table=row.table,
            hands=row.hands,
            first=row.first,
            last=row.last,
            local=local_time,
            zone=zone,
            findings=None if finding_counts is None else finding_counts.get(table_key, 0),
            overlong_hands=overlong_hands.get(table_key, 0),
        )
        if table_key in dues_by_table:
            _add_dues(table_line, ledger, *dues_by_table[table_key])
        lines.append(table_line)
    return TablesPage(
        finding_count=finding_total, tables=lines, query=page_request.query, page=page_request.page, has_more=has_more
    )


def _add_dues(table_line: TableLine, ledger: Ledger, book: Rulebook, table_dues: TableDues) -> None:
    """Add what is due on a table's coming hand under a book: button, blinds and debts."""
    due = table_dues.due
    table_line.book, table_line.unknown = book.name, due.unknown
    if due.place is not None:
        table_line.button, table_line.big = due.place.button, due.place.big
        table_line.small = next(iter(list_blind_posters(due.place, "small")), None)
        table_line.likely = bool(due.doubts or due.choices) or len(due.placements) > 1
    table_line.owes = [seat_debt(debt.seat, debt.player, debt.description) for debt in iter_debts(ledger, table_dues)]


def _list_page_tables(page_request: PageRequest) -> tuple[list[TableRow], bool]:
    """Return one page of the tables whose name contains the query, and whether there are more."""
    name_part = page_request.query.casefold()
    rows = [
        row
        for row in page_request.ledger.tables()
        if name_part in f"{row.venue} {row.tournament}/{row.table}".casefold()
    ]
    rows.sort(key=lambda row: (row.venue, row.tournament, row.table))
    if len(rows) > _TABLES_PER_PAGE:
        rows.sort(key=lambda row: -1 if row.last is None else row.last, reverse=True)
    first_index = (page_request.page - 1) * _TABLES_PER_PAGE
    return rows[first_index : first_index + _TABLES_PER_PAGE], len(rows) > first_index + _TABLES_PER_PAGE


def _find_last_hand_time(ledger: Ledger, table_key: TableKey) -> tuple[str, str]:
    """Return the local start and the zone of a table's last hand."""
    newest_rows = ledger.hands(
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        order="newest",
        limit=1,
        standing=True,
    )
    return next((format_local_start(ledger, row) for row in newest_rows), ("", ""))


def build_table_page(page_request: PageRequest) -> TablePage:
    """Return the blinds due at a table, and its last hands."""
    ledger = page_request.ledger
    table_key = TableKey(
        page_request.parameters.get("venue", ""),
        page_request.parameters.get("tournament", ""),
        page_request.require_parameter("name"),
    )
    row = next(
        (
            table_row
            for table_row in ledger.tables(table_key.table)
            if (table_row.venue, table_row.tournament, table_row.table) == table_key
        ),
        None,
    )
    if row is None:
        raise page_errors.table_unknown()
    evening_rows, has_earlier_hands = find_evening_rows(ledger, table_key)
    hand_count = max(_MAX_LAST_HANDS, len(evening_rows))
    floor_desk = build_floor_desk(ledger, row, page_request.server_books, hand_count)
    sees_findings = has_right(page_request.role, AccessRight.FINDINGS)
    return TablePage(
        finding_count=page_request.finding_count,
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        due=floor_desk.due,
        no_dues_reason=floor_desk.no_dues_reason,
        hands=[
            _build_hand_line(last_hand, sees_findings=sees_findings) for last_hand in floor_desk.hands[:_MAX_LAST_HANDS]
        ],
        evening=build_evening(
            ledger,
            evening_rows,
            reversed(floor_desk.hands[: len(evening_rows)]),
            is_judged=floor_desk.judged,
            sees_findings=sees_findings,
            has_earlier_hands=has_earlier_hands,
        ),
    )


def build_log_page(page_request: PageRequest) -> LogPage:
    """Return hands that match a query, the newest first."""
    ledger, page, query = page_request.ledger, page_request.page, page_request.permitted_query
    first_index = (page - 1) * _PAGE_SIZE
    end_index = first_index + _PAGE_SIZE + 1  # the row after the page shows that there are more
    if query:
        with select_hands(ledger, query, DEFAULT_DAY_START) as selection:
            rows = list(islice(selection.iter_rows(newest_first=True, limit=end_index), first_index, end_index))
    else:
        rows = list(islice(ledger.hands(order="newest", limit=end_index, standing=True), first_index, end_index))
    hands: list[HandTold] = list(build_hands(ledger, rows[:_PAGE_SIZE]))
    return LogPage(
        finding_count=page_request.finding_count, query=query, page=page, has_more=len(rows) > _PAGE_SIZE, hands=hands
    )


def _build_hand_line(last_hand: LastHand, *, sees_findings: bool) -> HandLine:
    """Return one of a table's last hands, with its findings if the role may see them."""
    address = last_hand.hand.address
    findings = last_hand.findings if sees_findings else []
    return HandLine(
        last_hand.hand, [add_address(finding, lambda _, event: f"{address}@{event}") for finding in findings]
    )


def build_hand_page(page_request: PageRequest) -> HandSite:
    """Return a hand as a report shows it."""
    return build_hand_site(page_request, page_request.viewer)


def build_hand_site(page_request: PageRequest, viewer: Viewer) -> HandSite:
    """Return a hand as a viewer may see it."""
    ledger = page_request.ledger
    row, version = hand_address.find(ledger, page_request.require_parameter("id"))
    page = _draw_page(ledger, row, _choose_books(page_request, row), viewer)
    if page is None:
        return HandSite(finding_count=page_request.finding_count, hand=None)
    if version is not None:
        page.first = next(
            (frame_index for frame_index, judgement in enumerate(page.frames) if judgement.version >= version),
            page.first,
        )
    if not has_right(page_request.role, AccessRight.FINDINGS):
        page.judgements = [_drop_verdicts(judgement) for judgement in page.judgements]
        page.differences = []
    can_open_cards = page_request.is_writable and has_right(page_request.role, AccessRight.OPEN)
    return HandSite(
        finding_count=page_request.finding_count,
        hand=page,
        hidden=list(find_hidden_seats(ledger, row.stream)) if can_open_cards else [],
        opened=viewer.opens_cards,
    )


def _draw_page(ledger: Ledger, row: HandRow, books: page_judgement.BookChoice, viewer: Viewer) -> HandPage | None:
    """Return a hand's page, or None if the judging process needs more time. Pages with hidden cards are drawn here."""
    if ledger.judging is not None and not viewer.opens_cards:
        page: HandPage | None = ledger.judging.hand_page(row, books, viewer, AddressBook(ledger).find_hand_address(row))
        return page
    (page,) = hand_page.build_pages(ledger, [row], books, viewer)
    return page


def _choose_books(page_request: PageRequest, row: HandRow) -> page_judgement.BookChoice:
    """Return the books of a hand's page: those in its address, else the server's or the house's; others for comparison."""
    usual_books = (
        page_judgement.BookChoice(page_request.server_books)
        if page_request.server_books
        else page_judgement.choose_default_books(page_request.ledger, [row])
    )
    primary_books = load_books_in_address(page_request) or usual_books.primary_books
    comparison_books = [
        book
        for book in (*usual_books.primary_books, *usual_books.comparison_books)
        if all(book.name != primary.name for primary in primary_books)
    ]
    return page_judgement.BookChoice(primary_books, comparison_books, usual_books.adoption_dates)


def load_books_in_address(page_request: PageRequest) -> list[Rulebook]:
    """Return the books in the page's address."""
    names = [name for name in page_request.parameters.get("book", "").split(",") if name]
    return [_load_known_book(Shelf(page_request.ledger), name) for name in dict.fromkeys(names)]


def _drop_verdicts(judgement: Judgement) -> Judgement:
    """Return a judgement for roles that may see what was due, but not the findings."""
    return replace(judgement, findings=[], knock_on=None, wanting=[], judged=0, unchecked=0)


def build_rules_page(page_request: PageRequest) -> RulesPage:
    """Return the rulebooks, the clauses of one, or a clause."""
    book, clause = page_request.parameters.get("book", ""), page_request.parameters.get("clause", "")
    shelf = Shelf(page_request.ledger)
    books = shelf.load_all()
    chosen_book = _load_known_book(shelf, book) if book else None
    return RulesPage(
        finding_count=page_request.finding_count,
        books=list(map(build_book, books)),
        clauses=[]
        if chosen_book is None
        else [build_clause(clause_of_book) for clause_of_book in chosen_book.clauses.values()],
        clause=clause_page.explain_clause(chosen_book, clause, books) if chosen_book and clause else None,
    )


def build_imports_page(page_request: PageRequest) -> ImportsPage:
    """Return the imported sources and their rejected parts."""
    ledger = page_request.ledger
    resolve_text = ledger.people.words
    counts: dict[str, int] = {}
    shown_rejects: list[RejectDocument] = []
    texts: list[str] = []
    more_count = 0
    for reject in list_rejects(ledger):
        counts[reject.place.source] = counts.get(reject.place.source, 0) + 1
        if len(shown_rejects) < _MAX_LISTED:
            shown_rejects.append(reject)
            texts.append(_read_reject_text(ledger, reject))
        else:
            more_count += 1
    sources = [
        SourceLine(resolve_text(row.name) or "", row.digest, row.length, counts.get(row.digest, 0))
        for row in ledger.sources
    ]
    return ImportsPage(
        finding_count=page_request.finding_count,
        sources=sources[-_MAX_LISTED:],
        rejects=shown_rejects,
        more_count=more_count,
        texts=texts,
    )


def _read_reject_text(ledger: Ledger, reject: RejectDocument) -> str:
    """Return the beginning of a rejected text."""
    place = reject.place
    return read_span(ledger, place.source, place.start, min(place.length, _MAX_TEXT_BYTES)).decode("utf-8", "replace")


def _load_known_book(shelf: Shelf, name: str) -> Rulebook:
    """Return one of the program's or the house's books. A path in an address is refused."""
    if name.endswith(rulebook.BOOK_SUFFIX) or name.partition("@")[0] not in (*shelf.list_names(), rulebook.BUILT_IN):
        raise page_errors.rulebook_unknown(name, shelf.list_names())
    return shelf.load(name)
