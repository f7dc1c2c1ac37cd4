"""Query the results of a lake audit. DuckDB reads the files, with the same SQLAlchemy statements as for a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, Engine, Table, create_engine, event, select, true
from sqlalchemy.exc import NoSuchModuleError

from ledger.errors import MissingExtraError, NothingFoundError
from projections.addresses.room_days import parse_day_start
from projections.books.rulebook import list_names
from projections.queries.ledger_query import parse_query
from projections.queries.query_grammar import And, Not, Or, Query, Term
from projections.queries.query_run import HandSelection, QueryConditions
from projections.queries.query_terms import find_book_names
from projections.queries.sql import QueryCompiler
from projections.shards import lake_audit, shard_errors
from projections.shards.lake_audit import LakeRun
from projections.tables.counted_findings import build_judgement_condition
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results, seat_results

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LEDGER_ONLY_FIELDS: Final = {"dealer": shard_errors.dealers_not_stored, "saved": shard_errors.no_saved_queries}
_VIEWS: Final = {"results": hand_results, "seats": seat_results, "findings": kept_findings}
_JUDGEMENT: Final = 1
"""The judgement number of all findings in a lake, since a lake is judged only once."""


class JudgedFiles:
    """The result files of a lake audit as database tables, with the same interface as a ledger's database."""

    def __init__(self, out: Path) -> None:
        """Open the results in an output folder; `IntegrityError` if a file is damaged."""
        self.run = lake_audit.read_run(out)
        lake_audit.check_files(out, self.run)
        self._out = out
        self._engine = self._create_engine()

    def _create_engine(self) -> Engine:
        try:
            engine = create_engine(
                "duckdb:///:memory:", connect_args={"config": {"autoinstall_known_extensions": "false"}}
            )
        except (ImportError, NoSuchModuleError):
            raise MissingExtraError("querying the findings in a lake", "duckdb") from None
        event.listen(engine, "connect", self._create_views)
        return engine

    def _create_views(self, connection: DuckDBPyConnection, _record: object) -> None:
        """Create a view over the files of each kind in a new connection."""
        for kind, table in _VIEWS.items():
            files = ", ".join(
                "'" + str(path).replace("'", "''") + "'"
                for path in lake_audit.list_sheet_paths(self._out, self.run, kind)
            )
            judgement_column = f", {_JUDGEMENT} AS judgement" if table is kept_findings else ""
            sql = f"CREATE VIEW {table.name} AS SELECT *{judgement_column} FROM read_parquet([{files}])"  # noqa: S608 - quoted
            connection.execute(sql)

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Open a connection."""
        del write  # a parameter of `TableStore.core`
        with self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Close the files."""
        self._engine.dispose()


class FileNames:
    """Resolves the ids in a query. A lake has ids of players and digests of sources, but no names."""

    def __init__(self, files: JudgedFiles) -> None:
        """Create the lookup of the ids in a lake audit's files."""
        self._files = files

    def find_people(self, name: str) -> list[str]:
        """Return the player ids that begin with a text."""
        return self._find_values(seat_results, seat_results.c.player, name, shard_errors.player_unknown)

    def find_sources(self, name: str) -> list[str]:
        """Return the digests of sources that begin with a text."""
        return self._find_values(hand_results, hand_results.c.source, name.lower(), shard_errors.source_unknown)

    def find_hands(self, address: str) -> list[int]:
        """Raise `UsageError`, because only a ledger knows which parts of an address may be left out."""
        raise shard_errors.no_addresses(address)

    def _find_values(
        self, table: Table, column: Column[str], name: str, no_match: Callable[[str], NothingFoundError]
    ) -> list[str]:
        """Return the distinct values of a column that begin with a text. Raise `no_match(name)` if there are none."""
        statement = select(column).select_from(table).where(column.startswith(name, autoescape=True)).distinct()
        with self._files.core() as connection:
            matches = [str(row[0]) for row in connection.execute(statement)]
        if not matches or not name:
            raise no_match(name)
        return matches


@contextmanager
def run_lake_query(
    out: Path, text: str | None, day_start: str, *, group_fields: Sequence[str] = ()
) -> Iterator[HandSelection]:
    """Open the selection of hands in a lake audit's results that match a query, or of all hands if `text` is None."""
    query = None if text is None else parse_query(text)
    for field in (*group_fields, *(term.field for term in _iter_terms(query))):
        if field in _LEDGER_ONLY_FIELDS:
            make_error = _LEDGER_ONLY_FIELDS[field]
            raise make_error()
    files = JudgedFiles(out)
    try:
        judged_books = build_judgement_condition([_JUDGEMENT])
        if query is None:
            conditions = QueryConditions(true(), true(), true(), None, None)
        else:
            _require_judged_books(out, files.run, find_book_names(query, list_names()))
            compiler = QueryCompiler(
                text or "", FileNames(files), day_start=parse_day_start(day_start), counted_findings=judged_books
            )
            seat_condition = compiler.build_row_condition("seat", query)
            finding_condition = compiler.build_row_condition("finding", query)
            conditions = QueryConditions(
                compiler.build_condition(query),
                compiler.build_population_condition(query),
                compiler.build_hands_with_seats_condition(query),
                seat_condition,
                finding_condition,
            )
        yield HandSelection(None, files, conditions, judged_books)
    finally:
        files.close()


def _require_judged_books(out: Path, lake_run: LakeRun, queried_books: Sequence[str]) -> None:
    """Raise `UsageError` if the lake wasn't judged under a queried book, since an empty result would be misleading."""
    if not queried_books:
        return
    judged_books = dict.fromkeys(
        book.name
        for receipt in lake_run.receipts
        for results in lake_audit.read_book_results(out, receipt)
        for book in results.books
    )
    for name in queried_books:
        if name not in judged_books:
            raise shard_errors.book_not_judged(name, [*judged_books])


def _iter_terms(query: Query | None) -> Iterator[Term]:
    """Yield the terms of a query."""
    match query:
        case Term():
            yield query
        case Not():
            yield from _iter_terms(query.operand)
        case And() | Or():
            for operand in query.operands:
                yield from _iter_terms(operand)
