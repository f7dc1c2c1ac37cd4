"""Rebuild the tables made from the log, and compare them with the stored ones row by row."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Select, Table, func, inspect, select

from ledger.errors import HandledgerError
from ledger.store.database.tables import tracking
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import in_english
from projections.books import rulebook
from projections.books.shelf import Shelf
from projections.tables.code import code_digest
from projections.tables.finding_events import load_known_findings
from projections.tables.finding_tables import (
    announced_tables,
    judged_tables,
    judgements,
    kept_findings,
    obligations,
    rested_walks,
    walks_on_the_way,
)
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from projections.tables.result_tables import ResultsProjection, hand_results, seat_results
from projections.tables.sittings import hand_dealers, sittings, update_sittings
from projections.tables.statistics_tables import StatisticsProjection, hand_statistics, seat_statistics
from projections.tables.table_set import fill_results, fill_statistics, update_tables
from projections.tables.table_stores import TableStore, TemporaryTables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook

_Statement: TypeAlias = Select[Any]


class TableComparison(NamedTuple):
    """Sentences about tables that match, that differ, and that couldn't be compared."""

    matching: list[str]
    different: list[str]
    not_compared: list[str]


def has_stored_tables(ledger: Ledger) -> bool:
    """Whether any table made from the log has rows."""
    with ledger.database.core() as connection:
        table_names = set(inspect(connection).get_table_names())
        return any(
            name in table_names and connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one()  # noqa: S608 - constants
            for name in (hand_results.name, judgements.name, sittings.name, hand_statistics.name)
        )


@in_english
def compare_tables(ledger: Ledger) -> TableComparison:
    """Rebuild the tables and compare them with the stored ones.

    The stored tables are first updated to the end of the log. Tables that are behind the log and can't be updated
    aren't compared; the result names them.
    """
    comparison = TableComparison([], [], [])
    if not has_stored_tables(ledger):
        return comparison
    with TemporaryDirectory() as name:
        rebuilt_tables = TemporaryTables(Path(name))
        try:
            for subject, compare in _COMPARISONS:
                try:
                    compare(ledger, rebuilt_tables, comparison)
                except HandledgerError as error:
                    comparison.different.append(f"{subject} can't be read: {error.message}")
                except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                    comparison.different.append(f"{subject} can't be read: {error}")
        finally:
            rebuilt_tables.close()
    return comparison


@in_english
def rebuild_tables(ledger: Ledger) -> None:
    """Rebuild all tables in a temporary database. If this raises, the fault isn't in the stored tables."""
    with ledger.database.core() as connection:
        is_judged = inspect(connection).has_table(judgements.name)
        digests = set(connection.scalars(select(judgements.c.digest))) if is_judged else set()
    books = {book.digest: book for book in _iter_readable_books(ledger) if book.digest in digests}
    with TemporaryDirectory() as name:
        rebuilt_tables = TemporaryTables(Path(name))
        try:
            fill_results(ledger, rebuilt_tables)
            fill_statistics(ledger, rebuilt_tables)
            update_sittings(ledger, rebuilt_tables)
            update_judgements([TableJudgement(ledger, book, rebuilt_tables) for book in books.values()])
        finally:
            rebuilt_tables.close()


def _compare_results(ledger: Ledger, rebuilt_tables: TemporaryTables, comparison: TableComparison) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(hand_results.name):
            return
        tracked_position = connection.execute(
            select(tracking.c.position).where(tracking.c.name == ResultsProjection.name)
        ).scalar()
    if tracked_position is None or not update_tables(ledger, ()):
        comparison.not_compared.append("results of hands and seats: out of date, and the ledger is read-only")
        return
    fill_results(ledger, rebuilt_tables)
    tables = [hand_results, seat_results]
    _compare_rows(
        ledger,
        rebuilt_tables,
        [select(table).order_by(*table.primary_key) for table in tables],
        "results of hands",
        comparison,
    )


def _compare_statistics(ledger: Ledger, rebuilt_tables: TemporaryTables, comparison: TableComparison) -> None:
    subject = "statistics of players"
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(hand_statistics.name):
            return
        tracked_position = connection.execute(
            select(tracking.c.position).where(tracking.c.name == StatisticsProjection.name)
        ).scalar()
    if tracked_position is None or not update_tables(ledger, (), results=False, statistics=True):
        comparison.not_compared.append(f"{subject}: out of date, and the ledger is read-only")
        return
    fill_statistics(ledger, rebuilt_tables)
    statements = [select(table).order_by(*table.primary_key) for table in (hand_statistics, seat_statistics)]
    _compare_rows(ledger, rebuilt_tables, statements, subject, comparison)


def _compare_sittings(ledger: Ledger, rebuilt_tables: TemporaryTables, comparison: TableComparison) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(sittings.name):
            return
    if not update_tables(ledger, (), results=False, seats=True):
        comparison.not_compared.append("who sat where and who dealt: out of date, and the ledger is read-only")
        return
    update_sittings(ledger, rebuilt_tables)
    statements = [select(table).order_by(*table.primary_key) for table in (sittings, hand_dealers)]
    _compare_rows(ledger, rebuilt_tables, statements, "who sat where and who dealt", comparison)


def _compare_judgements(ledger: Ledger, rebuilt_tables: TemporaryTables, comparison: TableComparison) -> None:
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(judgements.name):
            return
        judgement_rows = connection.execute(select(judgements).order_by(judgements.c.id)).mappings().all()
    books_by_digest = {book.digest: book for book in _iter_readable_books(ledger)}
    skipped = 0
    for row in judgement_rows:
        book = books_by_digest.get(row["digest"])
        if row["code"] != code_digest() or book is None:
            skipped += 1
            continue
        subject = f"findings under {book.name} {book.edition}"
        judged_before = _load_judged_places(ledger, row["id"])
        if row["position"] and not update_tables(ledger, [book], results=False):
            comparison.not_compared.append(f"{subject}: out of date, and the ledger is read-only")
            continue
        if row["position"] == ledger.head()[0] and _load_judged_places(ledger, row["id"]) != judged_before:
            comparison.different.append(f"{subject}: a table's judgement was gone or changed; it was judged again")
        number, judged_table_keys = (
            TableJudgement(ledger, book, ledger.database).number,
            _load_judged_places(ledger, row["id"]),
        )
        (new_number,) = update_judgements(
            [TableJudgement(ledger, book, rebuilt_tables)], None if row["position"] else judged_table_keys
        )
        statements = [_build_row_statements(table, number, new_number) for table in _JUDGEMENT_TABLES]
        _compare_rows(
            ledger,
            rebuilt_tables,
            [stored for stored, _ in statements],
            subject,
            comparison,
            [rebuilt for _, rebuilt in statements],
        )
    if skipped:
        comparison.not_compared.append(
            f"findings by other versions of handledger or under missing rulebooks: {skipped}"
        )


def _load_judged_places(ledger: Ledger, number: int) -> set[TableKey]:
    columns = judged_tables.c
    with ledger.database.core() as connection:
        statement = select(columns.venue, columns.tournament, columns.name).where(columns.judgement == number)
        return {TableKey(*row) for row in connection.execute(statement)}


def _iter_readable_books(ledger: Ledger) -> Iterator[Rulebook]:
    """Yield the house's own books that can be loaded, and every built-in book in every edition."""
    shelf = Shelf(ledger)
    for name in shelf.list_own_names():
        with suppress(HandledgerError):
            yield shelf.load(name)
    for name in (*rulebook.list_names(), rulebook.BUILT_IN):
        yield rulebook.load(name)
        if name != rulebook.BUILT_IN:
            yield from (rulebook.load(f"{name}@{edition}") for edition in rulebook.list_editions(name))


def _check_announcements(ledger: Ledger, _: TemporaryTables, comparison: TableComparison) -> None:
    """Check that each announcement note belongs to a judged table, and that no note is missing."""
    note_columns = [announced_tables.c[name] for name in ("digest", "venue", "tournament", "name", "judgement")]
    table_columns = [judged_tables.c[name] for name in ("judgement", "venue", "tournament", "name")]
    with ledger.database.core() as connection:
        if not inspect(connection).has_table(announced_tables.name):
            return
        notes = {(row[0], TableKey(*row[1:4])): row[4] for row in connection.execute(select(*note_columns))}
        judged = {(row[0], TableKey(*row[1:])) for row in connection.execute(select(*table_columns))}
    wrong_places = [table_key for (_, table_key), number in notes.items() if (number, table_key) not in judged]
    wrong_places += [
        table_key
        for (digest, table_key), findings in load_known_findings(ledger).items()
        if findings and (digest, table_key) not in notes
    ]
    if wrong_places:
        comparison.different.append(
            f"the notes of what was announced: that of table {wrong_places[0].table!r} is gone or changed"
        )


_COMPARISONS = (
    ("results of hands", _compare_results),
    ("statistics of players", _compare_statistics),
    ("who sat where and who dealt", _compare_sittings),
    ("findings", _compare_judgements),
    ("notes of what was announced", _check_announcements),
)

_JUDGEMENT_TABLES = (judged_tables, kept_findings, obligations, rested_walks, walks_on_the_way)

_TIMING_COLUMNS = ("judgement", "begun", "position")
"""Columns about when a table was judged, which differ after a rebuild."""


def _build_row_statements(table: Table, number: int, new_number: int) -> tuple[_Statement, _Statement]:
    """Return the SELECTs of a table's rows under two judgements, without the columns of times."""
    omitted = _TIMING_COLUMNS if table is judged_tables else ("judgement",)
    columns = [column for column in table.c if column.name not in omitted]
    order = [column for column in table.primary_key if column.name != "judgement"]
    statement = select(*columns).order_by(*order)
    return statement.where(table.c.judgement == number), statement.where(table.c.judgement == new_number)


def _compare_rows(
    ledger: Ledger,
    rebuilt_tables: TableStore,
    statements: Sequence[_Statement],
    subject: str,
    comparison: TableComparison,
    new_statements: Sequence[_Statement] | None = None,
) -> None:
    """Compare the rows of stored and rebuilt tables; stop at the first difference.

    `statements` select the stored rows and `new_statements` the rebuilt rows, both in one order. Without
    `new_statements`, `statements` select both.
    """
    row_count = 0
    with ledger.database.core() as stored_connection, rebuilt_tables.core() as new_connection:
        for stored_statement, new_statement in zip(statements, new_statements or statements, strict=True):
            with (
                closing(_stream_rows(stored_connection, stored_statement)) as stored_rows,
                closing(_stream_rows(new_connection, new_statement)) as new_rows,
            ):
                for row, expected in zip(stored_rows, new_rows, strict=False):
                    if row != expected:
                        comparison.different.append(
                            f"{subject}: row {row_count + 1:,} differs from the log: {_name_differing_columns(row, expected)}"
                        )
                        return
                    row_count += 1
            counts = [
                connection.execute(select(func.count()).select_from(statement.subquery())).scalar()
                for connection, statement in ((stored_connection, stored_statement), (new_connection, new_statement))
            ]
            if counts[0] != counts[1]:
                comparison.different.append(f"{subject}: {counts[0]:,} rows are stored, the log gives {counts[1]:,}")
                return
    comparison.matching.append(f"{subject}, rebuilt from the log: {row_count:,} rows are the same")


def _stream_rows(connection: Connection, statement: _Statement) -> Generator[dict[str, object], None, None]:
    batch_size = 1 if "walk" in statement.selected_columns else 1000  # a stored walk may have several megabytes
    with connection.execution_options(yield_per=batch_size).execute(statement) as result:
        for row in result.mappings():
            yield {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}


def _name_differing_columns(row: dict[str, object], expected: dict[str, object]) -> str:
    return ", ".join(name for name in row if row[name] != expected.get(name))
