"""Build the page of findings: the list, its filters, and counts by day, dealer and clause."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import ColumnElement, select

from ledger.errors import NoRulebookError, QueryError
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START, format_local_start, parse_day_start
from projections.books import rulebook
from projections.books.shelf import Shelf, load_books
from projections.queries.finding_facets import build_finding_conditions, count_facets
from projections.queries.ledger_query import find_named_books, select_hands
from projections.reports.audit_json import add_address
from projections.tables.counted_findings import count_overlong_hands
from projections.tables.finding_tables import kept_findings
from projections.tables.hand_findings import decode_finding
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.sittings import hand_dealers
from projections.tables.table_set import open_tables
from web.server import page_errors
from web.server.documents import FindingsPage, HandOfFinding
from web.server.pages import load_books_in_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select

    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId, Seat
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding
    from projections.queries.query_run import HandSelection
    from web.server.page_request import PageRequest

_PAGE_SIZE: Final = 50
_MAX_SORTED_BY_MONEY: Final = 20_000
_MAX_CHIPS: Final = 8
"""Chips of one kind."""

_TIE: Final = (kept_findings.c.position.desc(), kept_findings.c.number)
_NEWEST: Final = (hand_results.c.started.desc().nulls_last(), *_TIE)
"""By when the hands began: a hand without a time comes last, whenever it was imported."""
_SQL_ORDERS: Final[dict[str, tuple[ColumnElement[Any], ...]]] = {
    "newest": _NEWEST,
    "oldest": (hand_results.c.started.nulls_last(), kept_findings.c.position, kept_findings.c.number),
    "clause": (kept_findings.c.book, kept_findings.c.clause, *_NEWEST),
    "severity": (kept_findings.c.severity != "error", kept_findings.c.severity != "warning", *_NEWEST),
    "table": (kept_findings.c.name, *_NEWEST),
}
SORT_ORDERS: Final = {
    "newest": "newest first",
    "oldest": "oldest first",
    "money": "most money first",
    "severity": "worst first",
    "clause": "by clause",
    "table": "by table",
}
"""Each order of the list, and what the page calls it."""


def build_findings_page(page_request: PageRequest) -> FindingsPage:
    """Return findings that match a query, under the books in the address, the server's, or the house's.

    Without any book, return only contradictions within the records, and a list of books to choose from.
    """
    books = load_books_in_address(page_request) or page_request.server_books
    if books and not find_named_books(page_request.ledger, page_request.query or None):
        return _build_findings_page(page_request, books)
    try:
        return _build_findings_page(page_request)
    except NoRulebookError:
        return _record_findings_page(page_request)


def _record_findings_page(page_request: PageRequest) -> FindingsPage:
    """Return contradictions within the records of matching hands, and the books to choose from."""
    books = Shelf(page_request.ledger).list_names()
    try:
        page = _build_findings_page(page_request, [rulebook.load(rulebook.BUILT_IN)])
    except QueryError:  # the query asks for clauses of a book that it does not name
        return FindingsPage(
            finding_count=page_request.finding_count,
            query=page_request.query,
            page=1,
            has_more=False,
            findings=[],
            choose=books,
        )
    page.choose = books
    return page


def _build_findings_page(page_request: PageRequest, books: Sequence[Rulebook] = ()) -> FindingsPage:
    ledger, page, query = page_request.ledger, page_request.page, page_request.query
    sort_order = _read_sort_order(page_request)
    with select_hands(
        ledger, query or None, DEFAULT_DAY_START, books, judge=True, group_fields=["dealer"]
    ) as selection:
        shelf = Shelf(ledger)
        rows = [
            (position, shelf.update_book_name(finding))
            for position, finding in _select_findings(selection, sort_order, (page - 1) * _PAGE_SIZE, _PAGE_SIZE + 1)
        ]
        facets = count_facets(selection, parse_day_start(DEFAULT_DAY_START), ledger.people.name)
        contexts = _build_contexts(ledger, selection, rows[:_PAGE_SIZE])
    address = AddressBook(ledger).find_finding_address
    findings_page = FindingsPage(
        finding_count=page_request.finding_count,
        query=query,
        page=page,
        has_more=len(rows) > _PAGE_SIZE,
        findings=[add_address(finding, address) for _, finding in rows[:_PAGE_SIZE]],
        book=page_request.parameters.get("book", ""),
        sort=sort_order,
        facets=facets,
        contexts=contexts,
    )
    if books := books or load_books(ledger, find_named_books(ledger, query or None)):
        with open_tables(ledger, books) as (table_store, numbers):
            findings_page.overlong_hands = sum(count_overlong_hands(table_store, numbers).values())
    return findings_page


def _read_sort_order(page_request: PageRequest) -> str:
    sort_order = page_request.parameters.get("sort", "newest")
    if sort_order not in SORT_ORDERS:
        raise page_errors.sort_order_unknown(sort_order, [*SORT_ORDERS])
    return sort_order


def _select_findings(selection: HandSelection, sort_order: str, offset: int, count: int) -> list[tuple[int, Finding]]:
    """Return some of the matching findings in an order, each with the position of its hand."""
    columns = kept_findings.c
    superseded = selection.find_superseded_positions()
    conditions = build_finding_conditions(selection)
    if superseded:
        conditions.append(columns.position.not_in(sorted(superseded)))
    statement = (
        select(columns.position, columns.finding)
        .join_from(kept_findings, hand_results, hand_results.c.position == columns.position)
        .where(*conditions)
    )
    if sort_order == "money":
        return _select_by_money(selection, statement.order_by(*_NEWEST), offset + count)[offset:]
    rows = selection.fetch_rows(statement.order_by(*_SQL_ORDERS[sort_order]).limit(count).offset(offset))
    return [(position, decode_finding(encoded)) for position, encoded in rows]


def _select_by_money(
    selection: HandSelection, statement: Select[tuple[int, bytes]], count: int
) -> list[tuple[int, Finding]]:
    """Return the findings that moved most chips, each currency for itself."""
    findings = []
    for position, encoded in selection.fetch_rows(statement.limit(_MAX_SORTED_BY_MONEY + 1)):
        findings.append((position, decode_finding(encoded)))
    if len(findings) > _MAX_SORTED_BY_MONEY:
        raise page_errors.too_many_to_sort(_MAX_SORTED_BY_MONEY)
    findings.sort(key=lambda pair: (pair[1].unit, -_sum_moved_chips(pair[1])))
    return findings[:count]


def _sum_moved_chips(finding: Finding) -> Fraction:
    """Return the chips that went to the wrong seats, in whole units of the currency."""
    return Fraction(sum(share.amount for share in finding.money if share.amount > 0), 10**finding.exponent)


def _build_contexts(
    ledger: Ledger, selection: HandSelection, rows: Sequence[tuple[int, Finding]]
) -> list[HandOfFinding]:
    """Return when each finding's hand began, who played it, and who dealt it."""
    positions = sorted({position for position, _ in rows})
    seat_statement = select(seat_results.c.position, seat_results.c.seat, seat_results.c.player)
    ids_by_hand: dict[int, dict[Seat, PlayerId]] = {}
    for position, seat, player in selection.fetch_rows(seat_statement.where(seat_results.c.position.in_(positions))):
        ids_by_hand.setdefault(position, {})[seat] = player
    dealer_statement = select(hand_dealers.c.position, hand_dealers.c.dealer)
    dealers = {
        position: ledger.people.name(dealer) or ""
        for position, dealer in selection.fetch_rows(dealer_statement.where(hand_dealers.c.position.in_(positions)))
    }
    contexts = []
    for position, finding in rows:
        hand_row = ledger.hand(finding.hand.stream)
        local_time, zone = format_local_start(ledger, hand_row) if hand_row is not None else ("", "")
        player_ids = ids_by_hand.get(position, {})
        players = {seat: ledger.people.name(player_id) or "" for seat, player_id in player_ids.items()}
        named_ids = {seat: player_id for seat, player_id in player_ids.items() if players[seat]}
        contexts.append(HandOfFinding(local_time, zone, players, dealers.get(position, ""), named_ids))
    return contexts


class FilterChip(NamedTuple):
    """A filter that a click adds to the query, or takes out of it."""

    label: str
    finding_count: int
    link: str
    is_on: bool


_CHIP_LABELS: Final = {
    "severity": "severity",
    "certainty": "certainty",
    "table": "table",
    "clause": "clause",
    "dealer": "dealer",
    "day": "day",
}
_BARE_VALUE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def build_chips(page: FindingsPage) -> list[tuple[str, list[FilterChip]]]:
    """Return the filters by kind. A kind with one value has no filter, unless the query has it."""
    if page.facets is None:
        return []
    groups = []
    for facet_name, label in _CHIP_LABELS.items():
        counts = page.facets.counts.get(facet_name, [])
        terms = {facet.value: f"{facet_name}:{_quote(facet.value)}" for facet in counts}
        is_filtered = any(_has_term(page.query, term) for term in terms.values())
        if len(counts) < 2 and not is_filtered:
            continue
        listed_counts = counts[-_MAX_CHIPS:] if facet_name == "day" else counts[:_MAX_CHIPS]
        chips = [_build_chip(page, facet.value, facet.count, terms[facet.value]) for facet in listed_counts]
        groups.append((label, chips))
    return groups


def _build_chip(page: FindingsPage, label: str, count: int, term: str) -> FilterChip:
    is_on = _has_term(page.query, term)
    query = _drop_term(page.query, term) if is_on else f"{page.query} {term}".strip()
    parameters = {"q": query, "book": page.book, "sort": page.sort if page.sort != "newest" else ""}
    link = urlencode({name: value for name, value in parameters.items() if value})
    return FilterChip(label, count, f"/findings?{link}" if link else "/findings", is_on)


def _quote(value: str) -> str:
    return value if _BARE_VALUE.fullmatch(value) else '"' + value.replace('"', '""') + '"'


def _has_term(query: str, term: str) -> bool:
    return f" {term} " in f" {query} "


def _drop_term(query: str, term: str) -> str:
    return f" {query} ".replace(f" {term} ", " ", 1).strip()
