"""A query put to a ledger: which hands fit, in their order, and what they came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ColumnElement, Select, select, true

from ledger.store.accounts import Accounts
from ledger.store.reading import rows_at
from ledger.table.numbers import number_key
from projections.queries.sql import Compiler, Known
from projections.tables.keeping import Keeping, kept
from projections.tables.results import hand_results, seat_results

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.queries.grammar import Query
    from projections.rulebook import Rulebook

_LAST: Final = 1 << 62
"""The time of hands of which nothing tells any: behind all others."""


@contextmanager
def asking(
    ledger: Ledger, query: Query | None, text: str, known: Known, day: int, books: Sequence[Rulebook]
) -> Iterator[Asked]:
    """Lend the answers to a query (None: all hands); findings are brought up to date under the books first."""
    with kept(ledger, books) as (keeping, numbers):
        compiler = Compiler(text, known, day=day, books=numbers)
        yield Asked(ledger, keeping, true() if query is None else compiler.condition(query))


class Asked:
    """The hands that fit a query."""

    def __init__(self, ledger: Ledger, keeping: Keeping, condition: ColumnElement[bool]) -> None:
        """Take where the tables are, and what must hold of a hand."""
        self._ledger = ledger
        self._keeping = keeping
        self.condition = condition
        self._others: set[int] | None = None

    def rows(
        self, *, newest_first: bool = False, accounts: bool = False, limit: int | None = None
    ) -> Iterator[HandRow]:
        """Yield the hands as they were played; with `accounts` those that do not stand, too."""
        columns = hand_results.c
        asked = select(
            columns.position, columns.started, columns.venue, columns.tournament, columns.name, columns.number
        )
        found = sorted(self._all(asked.where(self.condition)), key=_place, reverse=newest_first)
        positions = (row[0] for row in found)
        count = 0
        for row in Accounts(self._ledger).placed(rows_at(self._ledger.database, positions)):
            if accounts or row.stands:
                yield row
                count += 1
                if limit is not None and count == limit:
                    return

    def count(self) -> int:
        """Return how many hands fit, of each the account that stands."""
        others = self.others()
        return sum(row[0] not in others for row in self._all(select(hand_results.c.position).where(self.condition)))

    def hands(self, *columns: Any) -> Iterator[Sequence[Any]]:  # noqa: ANN401 - columns of SQLAlchemy's
        """Yield columns of the hands that fit and stand, in no order."""
        others = self.others()
        asked = select(hand_results.c.position, *columns).where(self.condition)
        return (row[1:] for row in self._all(asked) if row[0] not in others)

    def seats(self, *columns: Any, of: ColumnElement[bool] | None = None) -> Iterator[Sequence[Any]]:  # noqa: ANN401
        """Yield columns of the seats of the hands that fit and stand, in no order; with `of`, of some seats."""
        others = self.others()
        asked = (
            select(hand_results.c.position, *columns)
            .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
            .where(self.condition)
        )
        asked = asked if of is None else asked.where(of)
        return (row[1:] for row in self._all(asked) if row[0] not in others)

    def others(self) -> set[int]:
        """Return the positions of the accounts that do not stand."""
        if self._others is None:
            placed = Accounts(self._ledger).placed(self._ledger.hands())
            more = self._twice()
            self._others = {row.position for row in placed if not row.stands} if more else set()
        return self._others

    def _twice(self) -> bool:
        """Whether any hand was told more than once."""
        return any(row.account > 1 for row in self._ledger.hands(account=2, limit=1))

    def _all(self, asked: Select[Any]) -> Iterator[Sequence[Any]]:
        with self._keeping.core() as connection:
            yield from connection.execution_options(yield_per=1000).execute(asked)


def _place(row: Sequence[Any]) -> tuple[Any, ...]:
    position, started, venue, tournament, name, number = row
    return (_LAST if started is None else started, venue, tournament, name, number_key(number), position)
