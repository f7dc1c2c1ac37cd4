"""The hands of a ledger that match a query, in their order, with their columns and seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Select, select, true

from ledger.store.hands.account_standings import AccountStandings
from ledger.store.hands.hand_order import order_hands
from projections.queries.sql import Compiler, NameResolver, asks_dealers
from projections.tables.counted_findings import under_house_books, under_judgements
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.lending import TableStore
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.queries.query_grammar import Query
    from projections.tables.judgement_update import Progress

_Row: TypeAlias = Sequence[Any]
"""Values of the selected columns."""


@contextmanager
def open_selection(
    ledger: Ledger,
    query: Query | None,
    text: str,
    names: NameResolver,
    day_start: int,
    books: Sequence[Rulebook],
    *,
    is_adopted: bool = False,
    by_dealer: bool = False,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> Iterator[HandSelection]:
    """Open the selection of hands that match a query (None: all hands). Findings under the books are updated first.

    `is_adopted`: the books are the house's, each where and when it was in force. `by_dealer`: hands are grouped by
    dealer. `progress` and `on_log_progress`: as for `open_tables`.
    """
    needs_sittings = by_dealer or (query is not None and asks_dealers(query))
    with open_tables(ledger, books, seats=needs_sittings, progress=progress, on_log_progress=on_log_progress) as (
        table_store,
        numbers,
    ):
        counted_findings = under_house_books(ledger, books, numbers) if is_adopted else under_judgements(numbers)
        compiler = Compiler(text, names, day_start=day_start, counted_findings=counted_findings)
        if query is None:
            yield HandSelection(
                ledger, table_store, QueryConditions(true(), true(), true(), None, None), counted_findings
            )
            return
        seats, findings = compiler.row_condition("seat", query), compiler.row_condition("finding", query)
        population, with_seats = compiler.population(query), compiler.hands_with_seats(query)
        conditions = QueryConditions(compiler.condition(query), population, with_seats, seats, findings)
        yield HandSelection(ledger, table_store, conditions, counted_findings)


class QueryConditions(NamedTuple):
    """A query as SQL conditions on hands, seats and findings."""

    hands: ColumnElement[bool]
    population: ColumnElement[bool]  # hands that match without the terms about findings
    with_seats: ColumnElement[bool]  # hands with a matching seat
    seats: ColumnElement[bool] | None
    findings: ColumnElement[bool] | None


class HandSelection:
    """The hands that match a query."""

    def __init__(
        self,
        ledger: Ledger | None,
        table_store: TableStore,
        conditions: QueryConditions,
        counted_findings: ColumnElement[bool],
    ) -> None:
        """Take where the tables are, the query's conditions, and which findings count.

        Without a ledger the tables contain only the account in force of each hand.
        """
        self.conditions = conditions
        self.condition = conditions.hands
        self.counted_findings = counted_findings
        self._ledger = ledger
        self._table_store = table_store
        self._superseded: set[int] | None = None

    def rows(
        self, *, newest_first: bool = False, accounts: bool = False, limit: int | None = None
    ) -> Iterator[HandRow]:
        """Yield the hands in playing order; `accounts` includes superseded accounts."""
        assert self._ledger is not None  # noqa: S101 - files have no rows of hands: their fields are listed
        positions = {row[0] for row in self.fetch_rows(select(hand_results.c.position).where(self.condition))}
        count = 0
        for row in AccountStandings(self._ledger).with_standings(
            order_hands(self._ledger, positions, newest_first=newest_first)
        ):
            if accounts or row.stands:
                yield row
                count += 1
                if limit is not None and count == limit:
                    return

    def count(self) -> int:
        """Count the matching hands, one account of each."""
        superseded = self.superseded_positions()
        return sum(
            row[0] not in superseded for row in self.fetch_rows(select(hand_results.c.position).where(self.condition))
        )

    def ignoring_findings(self) -> HandSelection:
        """Return the selection without the query's terms about findings."""
        conditions = self.conditions._replace(hands=self.conditions.population, with_seats=self.conditions.population)
        return HandSelection(self._ledger, self._table_store, conditions, self.counted_findings)

    def hands(self, *columns: ColumnElement[object]) -> Iterator[_Row]:
        """Yield columns of the matching hands, one account of each, in no order."""
        superseded = self.superseded_positions()
        statement = select(hand_results.c.position, *columns).where(self.condition)
        return (row[1:] for row in self.fetch_rows(statement) if row[0] not in superseded)

    def seats(
        self, *columns: ColumnElement[object], seat_condition: ColumnElement[bool] | None = None
    ) -> Iterator[_Row]:
        """Yield columns of the matching hands' seats, in no order; `seat_condition` narrows the seats."""
        superseded = self.superseded_positions()
        statement = (
            select(hand_results.c.position, *columns)
            .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
            .where(self.conditions.with_seats)
        )
        statement = statement if seat_condition is None else statement.where(seat_condition)
        return (row[1:] for row in self.fetch_rows(statement) if row[0] not in superseded)

    def superseded_positions(self) -> set[int]:
        """Return the positions of superseded accounts."""
        ledger = self._ledger
        if self._superseded is None:
            # cheap: a second account of any hand
            has_duplicates = ledger is not None and any(row.account > 1 for row in ledger.hands(account=2, limit=1))
            accounts = (
                AccountStandings(ledger).with_standings(ledger.hands()) if ledger is not None and has_duplicates else ()
            )
            self._superseded = {row.position for row in accounts if not row.stands}
        return self._superseded

    def fetch_rows(self, statement: Select[Any]) -> Iterator[_Row]:
        """Run a statement on the tables and yield its rows."""
        with (
            self._table_store.core() as connection,
            connection.execution_options(yield_per=1000).execute(statement) as result,
        ):
            yield from result
