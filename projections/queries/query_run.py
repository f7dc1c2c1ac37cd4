"""Select the hands that match a query: their rows, values of hands and seats, and counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Select, select, true

from ledger.store.hands.account_standings import AccountStandings
from ledger.store.hands.hand_order import order_hands
from projections.queries.query_terms import has_dealer_term
from projections.queries.sql import NameResolver, QueryCompiler
from projections.tables.counted_findings import build_house_condition, build_judgement_condition
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.table_set import open_tables
from projections.tables.table_stores import TableStore

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.queries.query_grammar import Query
    from projections.tables.judgement_update import Progress

_Row: TypeAlias = Sequence[Any]
"""Values of the selected columns."""


@contextmanager
def open_hand_selection(
    ledger: Ledger,
    query: Query | None,
    text: str,
    names: NameResolver,
    day_start: int,
    books: Sequence[Rulebook],
    *,
    uses_house_books: bool = False,
    by_dealer: bool = False,
    statistics: bool = False,
    progress: Progress | None = None,
    on_log_progress: Progress | None = None,
) -> Iterator[HandSelection]:
    """Open the selection of hands that match a query, with the findings under these books.

    Without a query, all hands match. `text` is the query as written, for errors. `names` looks up names that only the
    ledger knows. `day_start`: milliseconds after midnight. `uses_house_books`: a book counts only where and when the
    house had it in force. `by_dealer`: the caller groups hands by dealer. `statistics`: the caller asks for statistics
    of players. `progress` and `on_log_progress`: as for `open_tables`.
    """
    needs_sittings = by_dealer or (query is not None and has_dealer_term(query))
    with open_tables(
        ledger, books, seats=needs_sittings, statistics=statistics, progress=progress, on_log_progress=on_log_progress
    ) as (table_store, numbers):
        counted_findings = (
            build_house_condition(ledger, books, numbers) if uses_house_books else build_judgement_condition(numbers)
        )
        compiler = QueryCompiler(text, names, day_start=day_start, counted_findings=counted_findings)
        if query is None:
            every_hand = QueryConditions(hands=true(), population=true(), with_seats=true(), seats=None, findings=None)
            yield HandSelection(ledger, table_store, every_hand, counted_findings)
            return
        conditions = QueryConditions(
            hands=compiler.build_condition(query),
            population=compiler.build_population_condition(query),
            with_seats=compiler.build_hands_with_seats_condition(query),
            seats=compiler.build_row_condition("seat", query),
            findings=compiler.build_row_condition("finding", query),
        )
        yield HandSelection(ledger, table_store, conditions, counted_findings)


class QueryConditions(NamedTuple):
    """A query as SQL conditions on hands, seats and findings."""

    hands: ColumnElement[bool]
    population: ColumnElement[bool]  # hands that match without the terms about findings
    with_seats: ColumnElement[bool]  # hands with a matching seat
    seats: ColumnElement[bool] | None  # on one seat; None = any
    findings: ColumnElement[bool] | None  # on one finding; None = any


class HandSelection:
    """The hands that match a query."""

    def __init__(
        self,
        ledger: Ledger | None,
        table_store: TableStore,
        conditions: QueryConditions,
        counted_findings: ColumnElement[bool],
    ) -> None:
        """Make the selection from the tables, the query's conditions, and the condition for findings that count.

        `ledger` is None if the tables contain only the account in force of each hand, as in the files of a lake audit.
        """
        self.conditions = conditions
        self.condition = conditions.hands
        self.counted_findings = counted_findings
        self._ledger = ledger
        self._table_store = table_store
        self._superseded: set[int] | None = None

    def iter_rows(
        self, *, newest_first: bool = False, include_superseded: bool = False, limit: int | None = None
    ) -> Iterator[HandRow]:
        """Yield the rows of the matching hands in playing order, up to `limit` rows.

        Accounts that another account of the same hand superseded are left out, unless `include_superseded`.
        """
        assert self._ledger is not None  # noqa: S101 - files have no rows of hands: their fields are listed
        positions = {row[0] for row in self.fetch_rows(select(hand_results.c.position).where(self.condition))}
        row_count = 0
        for row in AccountStandings(self._ledger).add_standings(
            order_hands(self._ledger, positions, newest_first=newest_first)
        ):
            if include_superseded or row.stands:
                yield row
                row_count += 1
                if row_count == limit:
                    return

    def count_hands(self) -> int:
        """Count the matching hands, one account of each."""
        superseded = self.find_superseded_positions()
        return sum(
            row[0] not in superseded for row in self.fetch_rows(select(hand_results.c.position).where(self.condition))
        )

    def without_finding_terms(self) -> HandSelection:
        """Return the selection without the query's terms about findings."""
        conditions = self.conditions._replace(hands=self.conditions.population, with_seats=self.conditions.population)
        return HandSelection(self._ledger, self._table_store, conditions, self.counted_findings)

    def iter_hand_values(self, *columns: ColumnElement[object]) -> Iterator[_Row]:
        """Yield columns of the matching hands, one account of each, in no order."""
        superseded = self.find_superseded_positions()
        statement = select(hand_results.c.position, *columns).where(self.condition)
        return (row[1:] for row in self.fetch_rows(statement) if row[0] not in superseded)

    def iter_seat_values(
        self, *columns: ColumnElement[object], seat_condition: ColumnElement[bool] | None = None
    ) -> Iterator[_Row]:
        """Yield columns of the matching hands' seats, in no order; `seat_condition` narrows the seats."""
        superseded = self.find_superseded_positions()
        statement = (
            select(hand_results.c.position, *columns)
            .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
            .where(self.conditions.with_seats)
        )
        statement = statement if seat_condition is None else statement.where(seat_condition)
        return (row[1:] for row in self.fetch_rows(statement) if row[0] not in superseded)

    def find_superseded_positions(self) -> set[int]:
        """Return the positions of the accounts that another account of the same hand superseded."""
        ledger = self._ledger
        if self._superseded is None:
            # Most ledgers have one account of each hand, so that the standings needn't be read.
            if ledger is None or not any(row.account > 1 for row in ledger.hands(account=2, limit=1)):
                self._superseded = set()
            else:
                rows = AccountStandings(ledger).add_standings(ledger.hands())
                self._superseded = {row.position for row in rows if not row.stands}
        return self._superseded

    def fetch_rows(self, statement: Select[Any]) -> Iterator[_Row]:
        """Run a statement on the tables and yield its rows."""
        with (
            self._table_store.core() as connection,
            connection.execution_options(yield_per=1000).execute(statement) as result,
        ):
            yield from result
