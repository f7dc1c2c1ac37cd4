"""Queries over the results of a lake: DuckDB reads the files through the same SQLAlchemy statements as a ledger's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, Engine, Table, create_engine, event, select, true
from sqlalchemy.exc import NoSuchModuleError

from ledger.errors import MissingExtraError, NothingFoundError, UsageError
from projections.addresses.room_days import parse_day_start
from projections.books.rulebook import names
from projections.queries.ledger_query import parse_query
from projections.queries.query_grammar import And, Not, Or, Query, Term
from projections.queries.query_run import HandSelection, QueryConditions
from projections.queries.sql import QueryCompiler, find_book_names
from projections.shards import lake_audit
from projections.shards.lake_audit import LakeRun
from projections.tables.counted_findings import under_judgements
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results, seat_results

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LEDGER_ONLY_FIELDS: Final = {
    "dealer": ("who dealt is not kept of a lake", "Ask the ledger: handledger log --where."),
    "saved": ("queries are kept in a ledger, and a lake has none", "Write the query out."),
}
_VIEWS: Final = {"results": hand_results, "seats": seat_results, "findings": kept_findings}
_JUDGEMENT: Final = 1
"""The judgement number of all findings in a lake: it was judged once."""


class JudgedFiles:
    """The result files of a lake as tables; lends connections like a ledger's database."""

    def __init__(self, out: Path) -> None:
        """Take the folder of findings."""
        self.run = lake_audit.read_run(out)
        lake_audit.check_files(out, self.run)
        self._out = out
        self._engine = self._connected()

    def _connected(self) -> Engine:
        try:
            engine = create_engine(
                "duckdb:///:memory:", connect_args={"config": {"autoinstall_known_extensions": "false"}}
            )
        except (ImportError, NoSuchModuleError):
            raise MissingExtraError("asking what was found in a lake", "duckdb") from None
        event.listen(engine, "connect", self._viewed)
        return engine

    def _viewed(self, connection: DuckDBPyConnection, _record: object) -> None:
        """Make the views of a new connection."""
        for kind, table in _VIEWS.items():
            files = ", ".join(
                "'" + str(path).replace("'", "''") + "'" for path in lake_audit.sheet_paths(self._out, self.run, kind)
            )
            judgement_column = f", {_JUDGEMENT} AS judgement" if table is kept_findings else ""
            sql = f"CREATE VIEW {table.name} AS SELECT *{judgement_column} FROM read_parquet([{files}])"  # noqa: S608 - quoted
            connection.execute(sql)

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Lend a connection."""
        del write
        with self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Close the files."""
        self._engine.dispose()


class FileNames:
    """Resolves the names in a query: a lake has ids of people and sources, and no names."""

    def __init__(self, files: JudgedFiles) -> None:
        """Take the files."""
        self._files = files

    def find_people(self, name: str) -> list[str]:
        """Return the ids that start with a text."""
        return self._begin(seat_results, seat_results.c.player, name, "nobody here has an id")

    def find_sources(self, name: str) -> list[str]:
        """Return the digests that start with a text."""
        return self._begin(hand_results, hand_results.c.source, name.lower(), "no source here has a digest")

    def find_hands(self, address: str) -> list[int]:
        """Refuse an address: only a ledger knows which days and rooms it may leave out."""
        raise UsageError(f"{address!r} is an address, and a lake has none", "Ask for its parts: table:T7 hand:408.")

    def _begin(self, table: Table, column: Column[str], name: str, nobody_message: str) -> list[str]:
        statement = select(column).select_from(table).where(column.startswith(name, autoescape=True)).distinct()
        with self._files.core() as connection:
            matches = [str(row[0]) for row in connection.execute(statement)]
        if not matches or not name:
            raise NothingFoundError(f"{nobody_message} that begins with {name!r}", "A lake has ids, no names.")
        return matches


@contextmanager
def run_lake_query(
    out: Path, text: str | None, day_start: str, *, group_fields: Sequence[str] = ()
) -> Iterator[HandSelection]:
    """Lend the answers to a query (None: all hands) over a lake's results in a folder."""
    query = None if text is None else parse_query(text)
    for field in (*group_fields, *(term.field for term in _terms(query))):
        if field in _LEDGER_ONLY_FIELDS:
            raise UsageError(*_LEDGER_ONLY_FIELDS[field])
    files = JudgedFiles(out)
    try:
        judged_books = under_judgements([_JUDGEMENT])
        if query is None:
            query_meaning = QueryConditions(true(), true(), true(), None, None)
        else:
            _require_judged_books(out, files.run, find_book_names(query, names()))
            compiler = QueryCompiler(
                text or "", FileNames(files), day_start=parse_day_start(day_start), counted_findings=judged_books
            )
            seats, findings = (
                compiler.build_row_condition("seat", query),
                compiler.build_row_condition("finding", query),
            )
            query_meaning = QueryConditions(
                compiler.build_condition(query),
                compiler.build_population_condition(query),
                compiler.build_hands_with_seats_condition(query),
                seats,
                findings,
            )
        yield HandSelection(None, files, query_meaning, judged_books)
    finally:
        files.close()


def _require_judged_books(out: Path, lake_run: LakeRun, queried_books: Sequence[str]) -> None:
    """Refuse a query about a book that the lake was not judged under: an empty answer would mislead."""
    if not queried_books:
        return
    judged_books = dict.fromkeys(
        book.name
        for receipt in lake_run.receipts
        for frame in lake_audit.book_results(out, receipt)
        for book in frame.books
    )
    for name in queried_books:
        if name not in judged_books:
            raise UsageError(f"the lake was not judged under {name!r}", f"It was under: {', '.join(judged_books)}.")


def _terms(query: Query | None) -> Iterator[Term]:
    match query:
        case Term():
            yield query
        case Not():
            yield from _terms(query.operand)
        case And() | Or():
            for operand in query.operands:
                yield from _terms(operand)
