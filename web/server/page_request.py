"""Hold the request for a page, and count the findings that its header shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, func, select

from ledger.export.audience import HOUSE, PUBLIC
from ledger.store.hands.hand_accounts import TableKey
from projections.audit import house_audit
from projections.books.shelf import load_books
from projections.queries.ledger_query import parse_query
from projections.queries.query_terms import has_finding_term
from projections.queries.saved_queries import expand_saved_queries
from projections.tables.counted_findings import build_house_condition, build_judgement_condition, count_overlong_hands
from projections.tables.finding_tables import kept_findings
from projections.tables.table_set import open_tables
from web.pages.hand_frames import Viewer
from web.server import page_errors
from web.server.access.roles import AccessRight, has_right
from web.server.count_cache import CountCache, TableCounts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.tables.table_stores import TableStore
    from web.api.tables import RecordedTables
    from web.server.access.approval_requests import ApprovalRequests
    from web.server.access.roles import Role
    from web.server.access.user_directory import UserDirectory
    from web.server.access.visitors import Visitor

_MAX_PAGE: Final = 10_000


class PageRequest(NamedTuple):
    """A request for a page: the ledger, the role and the address's parameters. `is_writable`: started with --write."""

    ledger: Ledger
    role: Role
    parameters: Mapping[str, str]
    count_cache: CountCache
    is_writable: bool = False
    tables: RecordedTables | None = None  # tables that this server records; None if it is read-only
    visitor: Visitor | None = None
    directory: UserDirectory | None = None
    books: Sequence[str] = ()  # the first one decides what is due; without any, the house's
    requests: ApprovalRequests | None = None  # what dealers asked a floor to approve

    @property
    def server_books(self) -> list[Rulebook]:
        """The rulebooks that the server was started with."""
        return load_books(self.ledger, self.books)

    @property
    def finding_count(self) -> int | None:
        """How many findings there are under the server's or the house's books; None if the role may not know."""
        return count_findings(self).total if has_right(self.role, AccessRight.FINDINGS) else None

    @property
    def overlong_hands(self) -> int:
        """How many hands are too long to judge; 0 if the role may not see findings."""
        return sum(count_findings(self).overlong_hands.values()) if has_right(self.role, AccessRight.FINDINGS) else 0

    @property
    def query(self) -> str:
        """The query as the user typed it."""
        return self.parameters.get("q", "").strip()

    @property
    def permitted_query(self) -> str:
        """The query. Raise `QueryError` if it asks about findings, which the role may not see, even by which hands fit."""
        query = self.query
        if (
            query
            and not has_right(self.role, AccessRight.FINDINGS)
            and has_finding_term(parse_query(expand_saved_queries(self.ledger, query)))
        ):
            raise page_errors.findings_not_allowed()
        return query

    @property
    def page(self) -> int:
        """The number of a list's page, from 1."""
        page = self.parameters.get("page", "1")
        is_number = page.isascii() and page.isdigit() and len(page) <= len(str(_MAX_PAGE))
        if not (is_number and 1 <= int(page) <= _MAX_PAGE):
            raise page_errors.bad_page_number(page, _MAX_PAGE)
        return int(page)

    @property
    def viewer(self) -> Viewer:
        """The viewer of this role, which decides about hidden cards."""
        return Viewer(HOUSE if has_right(self.role, AccessRight.CARDS) else PUBLIC)

    def require_parameter(self, name: str) -> str:
        """Return a parameter. Raise `UsageError` if the address lacks it."""
        if name not in self.parameters:
            raise page_errors.parameter_missing(name)
        return self.parameters[name]


def count_findings(page_request: PageRequest) -> TableCounts:
    """Count the findings under the server's or the house's books."""
    return page_request.count_cache.get_counts(page_request.ledger.head()[0], lambda: _count_findings(page_request))


def _count_findings(page_request: PageRequest) -> TableCounts:
    ledger, server_books = page_request.ledger, page_request.server_books
    if not server_books and not house_audit.has_adopted_books(ledger):
        return TableCounts(None, None, {})
    books = server_books or house_audit.load_judging_books(ledger)
    with open_tables(ledger, books) as (table_store, numbers):
        counts_by_table = dict(
            _iter_counts(
                table_store,
                build_judgement_condition(numbers) if server_books else build_house_condition(ledger, books, numbers),
            )
        )
        overlong_hands = count_overlong_hands(table_store, numbers)
    return TableCounts(counts_by_table, sum(counts_by_table.values()), overlong_hands)


def _iter_counts(table_store: TableStore, condition: ColumnElement[bool]) -> Iterator[tuple[TableKey, int]]:
    columns = kept_findings.c
    names = (columns.venue, columns.tournament, columns.name)
    query = select(*names, func.count()).where(condition).group_by(*names)
    with table_store.core() as connection:
        for *table_key_parts, count in connection.execute(query):
            yield TableKey(*table_key_parts), count
