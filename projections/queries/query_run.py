"""A query put to a ledger: which hands fit, in their order, and what they came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Select, select, true

from ledger.store.listing import of_hands
from ledger.store.standings import Accounts
from projections.queries.sql import Compiler, Known, asks_dealers
from projections.tables.counted_findings import named, of_house
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.lending import Keeping
from projections.tables.table_set import kept

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.books.rulebook import Rulebook
    from projections.queries.grammar import Query
    from projections.tables.judgement_update import Progress

_Row: TypeAlias = Sequence[Any]
"""The values of the columns that were asked for."""


@contextmanager
def asking(
    ledger: Ledger,
    query: Query | None,
    text: str,
    known: Known,
    day: int,
    books: Sequence[Rulebook],
    *,
    adopted: bool = False,
    dealers: bool = False,
    progress: Progress | None = None,
    followed: Progress | None = None,
) -> Iterator[Asked]:
    """Lend the answers to a query (None: all hands); findings are brought up to date under the books first.

    `adopted`: the books are the house's, each where and when it was in force. `dealers`: hands are grouped by who dealt them. `progress` and `followed`: as for `kept`.
    """
    walked = dealers or (query is not None and asks_dealers(query))
    with kept(ledger, books, seats=walked, progress=progress, followed=followed) as (keeping, numbers):
        judged = of_house(ledger, books, numbers) if adopted else named(numbers)
        compiler = Compiler(text, known, day=day, judged=judged)
        if query is None:
            yield Asked(ledger, keeping, Meant(true(), true(), true(), None, None), judged)
            return
        seats, findings = compiler.of("seat", query), compiler.of("finding", query)
        population, seated = compiler.population(query), compiler.seated(query)
        meant = Meant(compiler.condition(query), population, seated, seats, findings)
        yield Asked(ledger, keeping, meant, judged)


class Meant(NamedTuple):
    """What a query means: which hands fit, and which of their seats and findings."""

    hands: ColumnElement[bool]
    population: ColumnElement[bool]  # those that fit whatever was found in them
    seated: ColumnElement[bool]  # those of whose seats some are meant
    seats: ColumnElement[bool] | None
    findings: ColumnElement[bool] | None


class Asked:
    """The hands that fit a query."""

    def __init__(self, ledger: Ledger | None, keeping: Keeping, meant: Meant, judged: ColumnElement[bool]) -> None:
        """Take where the tables are, what is meant, and which findings count.

        Without a ledger the tables hold of each hand the account that stands, and no more.
        """
        self.meant = meant
        self.condition = meant.hands
        self.judged = judged
        self._ledger = ledger
        self._keeping = keeping
        self._others: set[int] | None = None

    def rows(
        self, *, newest_first: bool = False, accounts: bool = False, limit: int | None = None
    ) -> Iterator[HandRow]:
        """Yield the hands as they were played; with `accounts` those that do not stand, too."""
        assert self._ledger is not None  # noqa: S101 - what is asked of files is listed by its fields
        positions = {row[0] for row in self.every(select(hand_results.c.position).where(self.condition))}
        count = 0
        for row in Accounts(self._ledger).placed(of_hands(self._ledger, positions, newest_first=newest_first)):
            if accounts or row.stands:
                yield row
                count += 1
                if limit is not None and count == limit:
                    return

    def count(self) -> int:
        """Return how many hands fit, of each the account that stands."""
        others = self.others()
        return sum(row[0] not in others for row in self.every(select(hand_results.c.position).where(self.condition)))

    def of_population(self) -> Asked:
        """Return the same of the hands that fit whatever was found in them."""
        meant = self.meant._replace(hands=self.meant.population, seated=self.meant.population)
        return Asked(self._ledger, self._keeping, meant, self.judged)

    def hands(self, *columns: ColumnElement[object]) -> Iterator[_Row]:
        """Yield columns of the hands that fit and stand, in no order."""
        others = self.others()
        asked = select(hand_results.c.position, *columns).where(self.condition)
        return (row[1:] for row in self.every(asked) if row[0] not in others)

    def seats(self, *columns: ColumnElement[object], of: ColumnElement[bool] | None = None) -> Iterator[_Row]:
        """Yield columns of the seats of the hands that are meant and stand, in no order; with `of`, of some seats."""
        others = self.others()
        asked = (
            select(hand_results.c.position, *columns)
            .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
            .where(self.meant.seated)
        )
        asked = asked if of is None else asked.where(of)
        return (row[1:] for row in self.every(asked) if row[0] not in others)

    def others(self) -> set[int]:
        """Return the positions of the accounts that do not stand."""
        ledger = self._ledger
        if self._others is None:
            # whether any hand was told more than once is quickly known
            more = ledger is not None and any(row.account > 1 for row in ledger.hands(account=2, limit=1))
            placed = Accounts(ledger).placed(ledger.hands()) if ledger is not None and more else ()
            self._others = {row.position for row in placed if not row.stands}
        return self._others

    def every(self, asked: Select[Any]) -> Iterator[_Row]:
        """Yield the rows of a question to the tables."""
        with self._keeping.core() as connection, connection.execution_options(yield_per=1000).execute(asked) as result:
            yield from result
