"""SQL conditions for the findings that count: those under chosen books, or under the house's books while in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlalchemy import ColumnElement, and_, false, or_, select, text, tuple_

from ledger.store.hands.hand_accounts import TableKey
from projections.audit.house_audit import AdoptionPeriod, House, has_adopted_books
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED, NOT_JUDGED_MARK
from projections.tables.clause_tallies import count_hands_missing
from projections.tables.finding_tables import judged_tables, kept_findings
from projections.tables.result_tables import hand_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.tables.table_stores import TableStore

Condition: TypeAlias = ColumnElement[bool]
_Periods: TypeAlias = tuple[AdoptionPeriod, ...]
"""The periods of one table, each with the book in force."""


def build_judgement_condition(judgements: Sequence[int]) -> Condition:
    """Return the condition for the findings of these judgements, given by number.

    Every judgement contains the findings of the built-in book `record`; only those of the first judgement count.
    """
    first_number, *other_numbers = judgements or [0]
    if not other_numbers:
        return kept_findings.c.judgement == first_number
    book_findings = kept_findings.c.judgement.in_(other_numbers) & (kept_findings.c.book != BUILT_IN)
    return or_(kept_findings.c.judgement == first_number, book_findings)


def count_overlong_hands(table_store: TableStore, judgements: Sequence[int]) -> dict[TableKey, int]:
    """Return how many hands of each table are too long to judge, for the tables that have any."""
    columns = judged_tables.c
    rows = select(columns.venue, columns.tournament, columns.name, columns.result)
    hand_counts: dict[TableKey, int] = {}
    with table_store.core() as connection:
        has_mark = text(_CONTAINS_MARK[connection.dialect.name]).bindparams(mark=NOT_JUDGED_MARK.encode("ascii"))
        for *names, tallies in connection.execute(rows.where(columns.judgement.in_(judgements), has_mark)):
            table_key = TableKey(*names)
            hand_counts[table_key] = max(hand_counts.get(table_key, 0), count_hands_missing(NOT_JUDGED, bytes(tallies)))
    return {table_key: hands for table_key, hands in hand_counts.items() if hands}


_CONTAINS_MARK: Final = {"postgresql": "position(:mark in result) > 0", "sqlite": "instr(result, :mark) > 0"}
"""Whether a result's bytes contain the mark of a hand that wasn't judged, by database."""


def build_house_condition(ledger: Ledger, books: Sequence[Rulebook], judgements: Sequence[int]) -> Condition:
    """Return the condition for findings under the book in force at the table when the hand began.

    A hand without a time counts under every book that may have been in force. For a hand under no adopted book, only
    findings under `record` count. `books`: the house's books, in the order of `judgements`. The results of hands must
    be in the same database.
    """
    if not has_adopted_books(ledger):
        return build_judgement_condition(judgements)
    house = House(ledger)
    numbers = {book.digest: number for book, number in zip(books, judgements, strict=True)}
    tables: defaultdict[_Periods, list[tuple[str, str]]] = defaultdict(list)
    for venue, table in house.list_places():
        tables[house.list_periods(venue, table)].append((venue, table))
    if len(tables) == 1:
        return _count_in_periods(next(iter(tables)), numbers)
    main_periods = max(tables, key=lambda periods: len(tables[periods]), default=())
    other_tables = {periods: tables[periods] for periods in tables if periods is not main_periods}
    listed_tables = [table_key for period_tables in other_tables.values() for table_key in period_tables]
    table_columns = tuple_(kept_findings.c.venue, kept_findings.c.name)
    return or_(
        false(),
        and_(table_columns.not_in(listed_tables), _count_in_periods(main_periods, numbers)),
        *(
            and_(table_columns.in_(period_tables), _count_in_periods(periods, numbers))
            for periods, period_tables in other_tables.items()
        ),
    )


def _count_in_periods(periods: _Periods, numbers: dict[str, int]) -> Condition:
    """Return the condition for findings in any of a table's periods. Findings under `record` count once."""
    if len(periods) == 1:
        return _count_under_book(periods[0], numbers)
    undated_periods = [period for period in periods if period.is_undated]
    undated_conditions = [
        _count_in_period(period, numbers) & (kept_findings.c.book != BUILT_IN) for period in undated_periods[1:]
    ]
    return or_(
        false(),
        *undated_conditions,
        *(_count_in_period(period, numbers) for period in periods if period not in undated_periods[1:]),
    )


def _count_under_book(period: AdoptionPeriod, numbers: dict[str, int]) -> Condition:
    """Return the condition for all findings under a period's book, or without a book for those under `record`."""
    if period.digest:
        return kept_findings.c.judgement == numbers.get(period.digest, 0)
    return (kept_findings.c.judgement == next(iter(numbers.values()), 0)) & (kept_findings.c.book == BUILT_IN)


def _count_in_period(period: AdoptionPeriod, numbers: dict[str, int]) -> Condition:
    period_hands = hand_results.alias()
    started = period_hands.c.started
    bounds = [] if period.start is None else [started >= period.start]
    bounds += [] if period.end is None else [started < period.end]
    time_condition = started.is_(None) if period.is_undated else and_(started.is_not(None), *bounds)
    matching_hands = select(period_hands.c.position).where(
        period_hands.c.position == kept_findings.c.position, time_condition
    )
    return and_(_count_under_book(period, numbers), matching_hands.correlate(kept_findings).exists())
