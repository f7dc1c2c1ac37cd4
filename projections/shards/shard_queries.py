"""What was found in a lake, asked in the query language: DuckDB reads the files, SQLAlchemy says the same as to a ledger."""

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
from projections.queries.grammar import And, Not, Or, Query, Term
from projections.queries.ledger_query import parse_query
from projections.queries.query_run import HandSelection, QueryConditions
from projections.queries.sql import Compiler, books_of
from projections.shards import lake_audit
from projections.shards.lake_audit import Run
from projections.tables.counted_findings import under_judgements
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results, seat_results

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LATER: Final = {
    "dealer": ("who dealt is not kept of a lake", "Ask the ledger: handledger log --where."),
    "saved": ("queries are kept in a ledger, and a lake has none", "Write the query out."),
}
_VIEWS: Final = {"results": hand_results, "seats": seat_results, "findings": kept_findings}
_BOOK: Final = 1
"""The number under which all that was found in the lake is asked: it was judged once."""


class Files:
    """The files of a lake that was judged, as tables: lends connections like a ledger's database."""

    def __init__(self, out: Path) -> None:
        """Take the folder of findings."""
        self.made = lake_audit.read(out)
        lake_audit.check_files(out, self.made)
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
                "'" + str(path).replace("'", "''") + "'" for path in lake_audit.paths(self._out, self.made, kind)
            )
            more = f", {_BOOK} AS judgement" if table is kept_findings else ""
            sql = f"CREATE VIEW {table.name} AS SELECT *{more} FROM read_parquet([{files}])"  # noqa: S608 - quoted
            connection.execute(sql)

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Lend a connection."""
        del write
        with self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Let go of the files."""
        self._engine.dispose()


class InFiles:
    """What a query names: a lake has the ids of people and sources, and no names."""

    def __init__(self, files: Files) -> None:
        """Take the files."""
        self._files = files

    def people(self, name: str) -> list[str]:
        """Return the ids that begin so."""
        return self._begin(seat_results, seat_results.c.player, name, "nobody here has an id")

    def sources(self, name: str) -> list[str]:
        """Return the digests that begin so."""
        return self._begin(hand_results, hand_results.c.source, name.lower(), "no source here has a digest")

    def hands(self, address: str) -> list[int]:
        """Refuse an address: which days and rooms it may leave out, only a ledger knows."""
        raise UsageError(f"{address!r} is an address, and a lake has none", "Ask for its parts: table:T7 hand:408.")

    def _begin(self, table: Table, column: Column[str], name: str, nobody: str) -> list[str]:
        asked = select(column).select_from(table).where(column.startswith(name, autoescape=True)).distinct()
        with self._files.core() as connection:
            found = [str(row[0]) for row in connection.execute(asked)]
        if not found or not name:
            raise NothingFoundError(f"{nobody} that begins with {name!r}", "A lake has ids, no names.")
        return found


@contextmanager
def asked(out: Path, text: str | None, begins: str, *, by: Sequence[str] = ()) -> Iterator[HandSelection]:
    """Lend the answers to a query (None: all hands) of a lake that was judged in a folder."""
    query = None if text is None else parse_query(text)
    for field in (*by, *(one.field for one in _terms(query))):
        if field in _LATER:
            raise UsageError(*_LATER[field])
    files = Files(out)
    try:
        judged = under_judgements([_BOOK])
        if query is None:
            meant = QueryConditions(true(), true(), true(), None, None)
        else:
            _judged(out, files.made, books_of(query, names()))
            compiler = Compiler(text or "", InFiles(files), day_start=parse_day_start(begins), counted_findings=judged)
            seats, findings = compiler.row_condition("seat", query), compiler.row_condition("finding", query)
            meant = QueryConditions(
                compiler.condition(query), compiler.population(query), compiler.hands_with_seats(query), seats, findings
            )
        yield HandSelection(None, files, meant, judged)
    finally:
        files.close()


def _judged(out: Path, made: Run, named: Sequence[str]) -> None:
    """Refuse a query about a book under which the lake was not judged: that nothing is found means nothing then."""
    if not named:
        return
    there = dict.fromkeys(
        book.name for one in made.receipts for frame in lake_audit.frames(out, one) for book in frame.books
    )
    for name in named:
        if name not in there:
            raise UsageError(f"the lake was not judged under {name!r}", f"It was under: {', '.join(there)}.")


def _terms(query: Query | None) -> Iterator[Term]:
    match query:
        case Term():
            yield query
        case Not():
            yield from _terms(query.operand)
        case And() | Or():
            for one in query.operands:
                yield from _terms(one)
