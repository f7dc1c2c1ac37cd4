"""A ledger in one SQLite file: WAL, durable by default, guarded by triggers."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import quote

from ledger.chain import START
from ledger.errors import IntegrityError, NewerLedgerError, NoLedgerError, NotALedgerError, StorageFullError
from ledger.files.plain_files import refuse_strange
from ledger.store.database.database import HAND_COLUMNS, Database, DatabaseAddress, Link, Row
from ledger.store.database.db_errors import translated
from ledger.store.database.ledger_layout import APPLICATION_ID, SCHEMA, SQLITE_GUARDS, TABLES
from ledger.text.language import phrase

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.schema import CreateIndex, CreateTable

_PRAGMAS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA secure_delete = ON",  # what is erased is overwritten
    "PRAGMA cache_size = -16384",
)
_INSERT: Final = (
    "INSERT OR ROLLBACK INTO log (position, count, kind, stream, version, codec, data, marks, at, writer, "
    "source, start, length, key, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
_INSERT_HAND: Final = f"INSERT INTO hands ({HAND_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)"  # noqa: S608 - constants
_POLL_SECONDS: Final = 0.05
_MAX_IDLE: Final = 5
"""Idle reading connections kept open; each takes a few descriptors and a cache."""
_READ_ELSEWHERE: Final = (
    "the journal next to the ledger, while another program reads it: after that, any command that writes empties it"
)
_COPIES: Final = (
    "copies and backups of the ledger's file, snapshots of the file system, and old blocks on the disk; "
    "the list of forgotten people next to the ledger keeps the name out of a restored copy"
)


@cache
def _sqlalchemy() -> Engine:
    """Return SQLAlchemy's engine for SQLite; its dialect and compiled statements serve all ledgers of a process."""
    from sqlalchemy import create_engine  # noqa: PLC0415 - see `Database`

    engine = create_engine("sqlite://")
    with engine.connect():  # detects its features
        pass
    engine.dispose()
    return engine


@cache
def _list_table_statements() -> tuple[str, ...]:
    """Return the statements that create the tables of a new ledger in an empty database."""
    from sqlalchemy.dialects.sqlite.base import SQLiteDialect  # noqa: PLC0415 - only to make a ledger
    from sqlalchemy.schema import CreateIndex, CreateTable  # noqa: PLC0415 - the same

    from ledger.store.database.tables import META, head  # noqa: PLC0415 - the same

    dialect = SQLiteDialect()
    statements = []
    for table in META.sorted_tables:
        if table is not head:
            indexes = sorted(table.indexes, key=lambda index: str(index.name))
            parts: list[CreateTable | CreateIndex] = [CreateTable(table), *map(CreateIndex, indexes)]
            statements += [str(part.compile(dialect=dialect)) for part in parts]
    return tuple(statements)


class SqliteDatabase(Database):
    """SQLite 3.37 or newer (STRICT tables)."""

    keeps_texts = True
    table_query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"

    def __init__(
        self, address: DatabaseAddress, *, read_only: bool = False, timeout: float = 5.0, makes_folder: bool = False
    ) -> None:
        """`makes_folder`: make the folder of a new ledger. Without it, a missing folder is an error: the path may be mistyped."""
        super().__init__(address, read_only=read_only)
        self._timeout = timeout
        self._makes_folder = makes_folder
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        name = address.name
        if name == ":memory:":  # in a folder of its own, so that many connections see it
            self._scratch = tempfile.TemporaryDirectory(prefix="handledger-")
            name = str(Path(self._scratch.name) / "ledger")
            self.is_lasting = False
        self.path = Path(name).absolute()
        self._mode = "ro" if read_only else "rw"
        self._live: sqlite3.Connection | None = None
        self._bulk: sqlite3.Connection | None = None
        self._idle_connections: list[sqlite3.Connection] = []  # for reading, not in use

    def _make_engine(self) -> Engine:
        from sqlalchemy import Engine, event  # noqa: PLC0415 - see `Database`
        from sqlalchemy.pool import QueuePool  # noqa: PLC0415 - the same

        shared_engine = _sqlalchemy()
        connect = cast(
            "Callable[[], DBAPIConnection]", self.connect
        )  # sqlite3's connections are, but their type doesn't say so
        pool = QueuePool(connect, pool_size=5, max_overflow=-1, dialect=shared_engine.dialect)
        options = {"compiled_cache": shared_engine._compiled_cache}  # noqa: SLF001 - the one of all ledgers
        engine = Engine(pool, shared_engine.dialect, shared_engine.url, execution_options=options)
        event.listen(engine, "begin", _begin)
        return engine

    def connect(self) -> sqlite3.Connection:
        """Open one more connection with the settings of all."""
        name = quote(str(self.path))
        connection = sqlite3.connect(
            f"file:{name}?mode={self._mode}",
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            cached_statements=128,
            timeout=self._timeout,
        )
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            connection.execute(f"PRAGMA query_only = {'ON' if self.read_only else 'OFF'}")
        except BaseException:  # a file that isn't a database fails only here
            connection.close()
            raise
        return connection

    def prepare(self, *, create: bool, make_about: Callable[[], dict[str, str]]) -> bool:
        """See `Database.prepare`."""
        with translated():
            self._find(create=create)
            deadline = time.monotonic() + self._timeout
            while True:
                try:
                    return self._prepare(create=create, make_about=make_about)
                except sqlite3.OperationalError as error:
                    # while another program makes the ledger, SQLite fails without waiting
                    is_busy = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
                    if not is_busy or time.monotonic() > deadline:
                        raise
                    time.sleep(_POLL_SECONDS)

    def _prepare(self, *, create: bool, make_about: Callable[[], dict[str, str]]) -> bool:
        connection = self.connect()
        try:
            was_made = self._open_or_make(connection, create=create, make_about=make_about)
        except BaseException:
            connection.close()
            raise
        self._idle_connections.append(connection)  # the next step after opening is reading
        return was_made

    def _open_or_make(
        self, connection: sqlite3.Connection, *, create: bool, make_about: Callable[[], dict[str, str]]
    ) -> bool:
        if self._is_ledger(connection):
            return False
        if not create or self.read_only:
            raise _build_no_ledger_error(self.path)
        return self._make(connection, make_about())

    def _find(self, *, create: bool) -> None:
        refuse_strange(self.path)
        if self.path.is_dir():
            raise NotALedgerError(
                phrase("{path} is a folder, not a ledger", path=self.path),
                phrase("Give the path of the ledger's file."),
            )
        if self.path.exists():
            self._allow_frozen()
            return
        if not create or self.read_only:
            raise _build_no_ledger_error(self.path)
        if not self._makes_folder and not self.path.parent.exists():
            raise _build_no_folder_error(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
        except OSError as error:
            raise StorageFullError(
                f"no ledger can be made at {self.path}: {error.strerror}",
                "Choose another place with --ledger or HANDLEDGER_URL.",
            ) from error

    def _allow_frozen(self) -> None:
        """Allow reading a ledger in a read-only folder if its WAL is empty."""
        wal = self.path.with_name(self.path.name + "-wal")
        folder_writable = os.access(self.path.parent, os.W_OK)
        if self.read_only and not folder_writable and not (wal.exists() and wal.stat().st_size):
            self._mode = "ro&immutable=1"

    def _is_ledger(self, connection: sqlite3.Connection) -> bool:
        """Return False for an empty database; raise for anything else that isn't our ledger."""
        # counted first: another program may finish the ledger between these statements
        object_count = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION_ID:
            if application == 0 and object_count == 0:
                return False
            raise NotALedgerError(
                phrase("{path} is a SQLite database of another program, not a ledger", path=self.path),
                phrase("Give the path of a ledger. To make a new one: handledger import FILES --ledger NEW.ledger"),
            )
        if schema > SCHEMA:
            raise NewerLedgerError(
                phrase(
                    "{path} was written by a newer handledger (layout {schema}, this one knows {known_schema})",
                    path=self.path,
                    schema=schema,
                    known_schema=SCHEMA,
                ),
                phrase("Install a newer handledger. This one doesn't touch the file."),
            )
        self._check_layout(connection)
        if not self.read_only:
            self._check_guards(connection)
        return True

    def _check_layout(self, connection: sqlite3.Connection) -> None:
        """Refuse a file with a view or a virtual table in a table's place: it could return anything."""
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
            definition = str(sql or "").upper()
            if (
                (kind == "view" and name != "events")
                or (kind == "table" and definition.startswith("CREATE VIRTUAL"))
                or (kind == "table" and name in TABLES and "GENERATED ALWAYS" in definition)
                or (name in TABLES and kind != "table")
            ):
                raise IntegrityError(
                    f"{self.path}: {kind} {name!r} is none that handledger makes",
                    "Somebody else laid this file out. Do not read it as a ledger.",
                )

    def _check_guards(self, connection: sqlite3.Connection) -> None:
        guards = {
            sql
            for (sql,) in connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger' OR name = 'events'")
        }
        if guards != set(SQLITE_GUARDS):
            raise IntegrityError(
                f"{self.path}: the triggers that guard the log were changed, or foreign ones added",
                "Do not write to it. `handledger verify` says what still holds.",
            )

    def _make(self, connection: sqlite3.Connection, about_values: dict[str, str]) -> bool:
        connection.execute("PRAGMA page_size = 16384")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        if self._is_ledger(connection):  # another program was faster
            connection.execute("ROLLBACK")
            return False
        for statement in (*_list_table_statements(), *SQLITE_GUARDS):
            connection.execute(statement)
        connection.executemany("INSERT INTO about (name, value) VALUES (?, ?)", about_values.items())
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
        return True

    @contextmanager
    def reading(self) -> Iterator[Link]:
        """See `Database.reading`."""
        with translated():
            try:
                connection = self._idle_connections.pop()
            except IndexError:
                connection = self.connect()
            try:
                yield cast("Link", connection)
            finally:
                self._idle_connections.append(connection)
                if self._is_closed or len(self._idle_connections) > _MAX_IDLE:
                    self._end_idle()

    @contextmanager
    def snapshot(self) -> Iterator[Link]:
        """See `Database.snapshot`; without SQLAlchemy."""
        with self.reading() as link:
            link.execute("BEGIN")
            try:
                yield link
            finally:
                link.execute("ROLLBACK")  # nothing was written

    @contextmanager
    def writing(self, *, bulk: bool = False) -> Iterator[Link]:
        """See `Database.writing`."""
        with translated(), self.lock:
            connection = self._writer(bulk=bulk)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield cast("Link", connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                raise

    def _end_idle(self) -> None:
        """Close idle reading connections: those over the limit, or all once the ledger is closed."""
        with suppress(IndexError):  # another thread took the last one
            while self._is_closed or len(self._idle_connections) > _MAX_IDLE:
                self._idle_connections.pop().close()

    def _writer(self, *, bulk: bool) -> sqlite3.Connection:
        if self.read_only:
            raise StorageFullError("the ledger was opened for reading only")
        if bulk:
            if self._bulk is None:
                self._bulk = self.connect()
                self._bulk.execute("PRAGMA synchronous = NORMAL")
            return self._bulk
        if self._live is None:
            self._live = self.connect()
            self._live.execute("PRAGMA synchronous = FULL")
        return self._live

    def make_durable(self) -> None:
        """Checkpoint the WAL; if a reader prevents that, sync the WAL itself."""
        with translated(), self.lock:
            if self._bulk is None:
                return
            bulk, self._bulk = self._bulk, None
            try:
                bulk.execute("PRAGMA synchronous = FULL")
                is_busy, frames, checkpointed = bulk.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                bulk.close()
            if is_busy or frames != checkpointed:
                wal = os.open(self.path.with_name(self.path.name + "-wal"), os.O_RDWR)
                try:
                    os.fsync(wal)
                finally:
                    os.close(wal)

    def read_head(self, link: Link) -> tuple[int, bytes]:
        """See `Database.read_head`."""
        last_row = link.execute("SELECT position, hash FROM log ORDER BY position DESC LIMIT 1")
        return last_row.fetchone() or (0, START)

    read_end = read_head

    def scrub(self) -> list[str]:
        """Empty the WAL, which holds older states of pages, and the samples of ANALYZE."""
        with translated(), self.lock:
            writer = self._writer(bulk=False)
            if writer.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'").fetchone():
                writer.execute("DELETE FROM sqlite_stat4")
            busy = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return [*([_READ_ELSEWHERE] if busy else []), _COPIES]

    def raise_layout(self, link: Link) -> None:
        """See `Database.raise_layout`."""
        link.execute(f"PRAGMA user_version = {SCHEMA}")

    def add(self, link: Link, rows: list[Row], position: int, link_hash: bytes) -> None:
        """See `Database.add`."""
        del position, link_hash  # the last row is the head
        if len(rows) == 1:
            link.execute(_INSERT, rows[0])
        else:
            link.executemany(_INSERT, rows)

    def add_hands(self, link: Link, rows: list[Row]) -> None:
        """See `Database.add_hands`."""
        link.executemany(_INSERT_HAND, rows)

    def values_table(self, types: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, Sequence[object]]:
        """See `Database.values_table`."""
        row_placeholder = f"({','.join('?' * len(types))})"
        return f"(VALUES {','.join([row_placeholder] * len(rows))}) AS v", [cell for row in rows for cell in row]

    def watch_outside(self, on_append: Callable[[], None], stop: threading.Event) -> None:
        """Poll the file's change counter, which takes microseconds."""
        with translated():
            connection = self.connect()
            try:
                last_version = -1
                while not stop.wait(_POLL_SECONDS):
                    data_version = connection.execute("PRAGMA data_version").fetchone()[0]
                    if data_version != last_version:
                        last_version = data_version
                        on_append()
            finally:
                connection.close()

    def bytes_of(self, column: str) -> str:
        """See `Database.bytes_of`."""
        return f"CAST({column} AS BLOB)"

    def link_of(self, connection: Connection) -> Link:
        """See `Database.link_of`."""
        return cast("Link", connection.connection.driver_connection)

    def close(self) -> None:
        """Close all connections; a ledger in memory is gone."""
        with self.lock:
            if not self.read_only:
                self.make_durable()
            for connection in (self._live, self._bulk):
                if connection is not None:
                    connection.close()
            self._live = self._bulk = None
            super().close()
            self._end_idle()
            if self._scratch is not None:
                self._scratch.cleanup()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("handledger_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _build_no_folder_error(path: Path) -> NoLedgerError:
    return NoLedgerError(
        phrase("no ledger can be made at {path}: the folder {folder} doesn't exist", path=path, folder=path.parent),
        phrase("Check the path. If it's right, make the folder first."),
    )


def _build_no_ledger_error(path: Path) -> NoLedgerError:
    return NoLedgerError(
        phrase("there is no ledger at {path}", path=path),
        phrase("Import hands to make one, or name another with --ledger or HANDLEDGER_URL."),
    )
