"""A ledger in PostgreSQL 15 or newer: the same promises, with a head row as the only sequencer.

Its tables are in the first schema of the connection's search path. A schema holds one ledger.
"""

from __future__ import annotations

import hashlib
import logging
import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Final, cast

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.pool import PoolProxiedConnection

from ledger.chain import START
from ledger.errors import (
    IntegrityError,
    MissingExtraError,
    NewerLedgerError,
    NoLedgerError,
    NotALedgerError,
    StorageFullError,
)
from ledger.store.commits import Ready
from ledger.store.database import postgres_remains
from ledger.store.database.database import HAND_COLUMNS, Cursor, Database, DatabaseAddress, Link, Row
from ledger.store.database.db_errors import translated
from ledger.store.database.ledger_layout import POSTGRES_GUARDS, SCHEMA
from ledger.store.database.postgres_catalog import check_constraints, check_guards
from ledger.store.database.quick_checks import check_tables
from ledger.store.database.raw_connection import open_raw
from ledger.store.database.tables import META, log

try:
    import psycopg
except ImportError:  # pragma: no cover - depends on what is installed
    raise MissingExtraError("A ledger in PostgreSQL", "postgres") from None

# As for the pool: our own errors report a failure.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

_COLUMNS: Final = (
    "position, count, kind, stream, version, codec, data, marks, at, writer, source, start, length, key, hash"
)
_INSERT: Final = f"INSERT INTO log ({_COLUMNS}) VALUES ({','.join('?' * 15)})"  # noqa: S608 - constants
_COPY_SQL: Final = f"COPY log ({_COLUMNS}) FROM STDIN (FORMAT BINARY)"
_LOG_TYPES: Final = (
    "int8",
    "int4",
    "int4",
    "bytea",
    "int8",
    "int4",
    "bytea",
    "bytea",
    "int8",
    "int4",
    "int4",
    "int8",
    "int8",
    "text",
    "bytea",
)
_INSERT_HAND: Final = f"INSERT INTO hands ({HAND_COLUMNS}) VALUES ({','.join('?' * 9)})"  # noqa: S608 - constants
_COPY_HANDS: Final = f"COPY hands ({HAND_COLUMNS}) FROM STDIN (FORMAT BINARY)"
_HAND_TYPES: Final = ("int8", "int4", "text", "int4", "int8", "text", "text", "text", "text")
_COPY_MIN_ROWS: Final = 8  # from so many rows on, COPY is faster than INSERT
_APPEND_SQL: Final = """WITH h AS (
  UPDATE head SET position = position + %(count)s, hash = pg_catalog.sha256('\\x02'::bytea || hash ||
    pg_catalog.sha256('\\x00'::bytea || pg_catalog.int8send(position + %(count)s) || %(entry_tail)s))
  WHERE one = 1 RETURNING position, hash)
INSERT INTO log (position, count, kind, stream, version, codec, data, marks, at, writer, key, hash)
  SELECT h.position, %(count)s, %(kind)s, %(stream)s, %(version)s, 0, %(data)s, %(marks)s, %(recorded_ms)s,
    %(writer)s, %(key)s, h.hash FROM h RETURNING position, hash"""
"""Append one commit after the head, with its hash as `ledger.chain.bound` makes it."""

_FLUSH_SQL: Final = b"SELECT pg_catalog.pg_logical_emit_message(true, 'handledger', '')"
"""A synchronous commit after asynchronous ones: it makes all earlier commits durable."""

_FLUSHED_SQL: Final = "SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn"
_WAL_BLOCK_BYTES: Final = 8192  # of the server's journal; a block begins with a header of at most 40 bytes
_WAL_HEADER_BYTES: Final = 40
_FULL_SERVER_TEXTS: Final = ("too many clients", "remaining connection slots", "too many connections")
_CREATION_LOCK: Final = 0x484C6467  # advisory lock while a ledger is made
_KEPT_CONNECTIONS: Final = 20
"""Connections that a pool keeps open: as many as tables that are kept at once. Opening one takes as long as ten queries."""


class PostgresLink:
    """psycopg's connection, taking `?` for parameters as SQLite's does."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def execute(self, sql: str, parameters: Sequence[object] = (), /) -> Cursor:
        """Run one statement."""
        return cast("Cursor", self.connection.execute(_replace_placeholders(sql), parameters or None))

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        """Run one statement for each row."""
        with self.connection.cursor() as cursor:
            cursor.executemany(_replace_placeholders(sql), rows)


class PostgresDatabase(Database):
    """PostgreSQL through psycopg 3."""

    keeps_texts = False
    table_query = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?"

    def __init__(self, address: DatabaseAddress, *, read_only: bool = False, timeout: float = 5.0) -> None:
        super().__init__(address, read_only=read_only)
        self._settings: tuple[str, ...] = (
            f"SET lock_timeout = {int(timeout * 1000)}",
            f"SET default_transaction_read_only = {'on' if read_only else 'off'}",
            "SET synchronous_commit = on",
            "SET client_encoding = 'UTF8'",
        )
        self._timeout = timeout
        self._channel = ""
        self.appends_at_once = psycopg.Pipeline.is_supported()

    def _make_engine(self) -> Engine:
        engine = create_engine(
            self.address.full_url,
            pool_size=_KEPT_CONNECTIONS,
            max_overflow=-1,
            pool_pre_ping=False,
            connect_args={"connect_timeout": max(2, int(self._timeout))},
        )
        event.listen(engine, "connect", self._set_up)
        event.listen(engine, "do_connect", self._connect)
        return engine

    def _connect(
        self, _dialect: object, _record: object, arguments: Sequence[str], keywords: dict[str, Any]
    ) -> psycopg.Connection:
        """Connect; wait for a slot while the server has its maximum of clients."""
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                return psycopg.connect(*arguments, **keywords)
            except psycopg.OperationalError as error:
                is_full = any(words in str(error) for words in _FULL_SERVER_TEXTS)
                if not is_full or time.monotonic() > deadline:
                    raise
            time.sleep(0.05 + 0.1 * random.random())  # noqa: S311 - so that not all come at once

    def _set_up(self, connection: psycopg.Connection, _: object) -> None:
        with connection.cursor() as cursor:
            for setting in self._settings:
                cursor.execute(setting)
        connection.commit()

    def prepare(self, *, create: bool, make_about: Callable[[], dict[str, str]]) -> bool:
        """See `Database.prepare`."""
        with translated(), self.engine.connect() as connection, connection.begin():
            link = self.link_of(connection)
            if create:
                link.execute("SELECT pg_advisory_xact_lock(?)", (_CREATION_LOCK,))
            schema = link.execute("SELECT current_schema()").fetchone()[0]
            if schema is None:
                raise NotALedgerError(
                    "the search path names no schema that exists",
                    "Create the schema, or name another in the URL's options.",
                )
            self._channel = "handledger_" + hashlib.sha256(schema.encode()).hexdigest()[:16]
            # PostgreSQL would prefer a better fitting function of a later schema to its own:
            # the path has no such schema, and temporary tables come last.
            quoted = schema.replace('"', '""')
            self._settings = (*self._settings, f'SET search_path = "{quoted}", pg_temp')
            link.execute(self._settings[-1])
            is_ledger = self._is_ledger(link, schema)
            if not is_ledger and not create:
                raise NoLedgerError(
                    f"there is no ledger in schema {schema} of this database",
                    "Import hands to make one, or name another with --ledger or HANDLEDGER_URL.",
                )
            if not is_ledger:
                self._make(connection, link, make_about())
        if is_ledger and not self.read_only:
            self._check_guards()
        if not self.read_only:
            with translated(), self.engine.connect() as connection:
                postgres_remains.forget_statistics(connection)
        return not is_ledger

    def _check_guards(self) -> None:
        with translated(), open_raw(self.engine) as connection:
            for problem in check_guards(connection):
                raise IntegrityError(
                    f"what guards the log was changed: {problem.reason}",
                    "Do not write to it. `handledger verify` says what still holds.",
                )
            for problem in check_constraints(connection):
                raise IntegrityError(
                    f"the database lacks what writers rely on: {problem.reason}",
                    "Do not write to it. `handledger verify` lists everything that was changed.",
                )

    def _is_ledger(self, link: Link, schema: str) -> bool:
        """Return False for an empty schema; raise for anything else that isn't our ledger."""
        tables = {row[0] for row in link.execute("SELECT tablename FROM pg_tables WHERE schemaname = ?", (schema,))}
        if not tables:
            return False
        layout = None
        if {"about", "log", "head"} <= tables:
            # read in full, since an index could hide the row: `verify` must open such a ledger, too
            about_values: dict[str, str] = dict(link.execute("SELECT name, value FROM about").fetchall())
            layout = about_values.get("layout")
        if layout is None and {"writers", "dictionaries", "places", "hands"} & tables and "tracking" in tables:
            check_tables(self.address.name, tables)
        if layout is None:
            raise NotALedgerError(
                f"schema {schema} of this database holds tables of another program, not a ledger",
                "Name another database, or an empty schema in the URL's options.",
            )
        if not re.fullmatch(r"[0-9]{1,9}", layout):
            raise IntegrityError(
                "the ledger doesn't state the version of its tables",
                "Somebody changed the table `about`. Don't read this database as a ledger.",
            )
        if int(layout) > SCHEMA:
            raise NewerLedgerError(
                f"the ledger was written by a newer handledger (layout {layout}, this one knows {SCHEMA})",
                "Install a newer handledger; this one does not touch it.",
            )
        return True

    def _make(self, core: Connection, link: Link, about_values: dict[str, str]) -> None:
        (log_key,) = log.indexes  # set here, since naming PostgreSQL loads all of its dialect
        log_key.dialect_options["postgresql"]["where"] = text("key IS NOT NULL")
        META.create_all(core)
        for statement in (*POSTGRES_GUARDS, *postgres_remains.WITHOUT_STATISTICS):
            link.execute(statement)
        link.execute("INSERT INTO head (one, position, hash) VALUES (1, 0, ?)", (START,))
        link.executemany("INSERT INTO about (name, value) VALUES (?, ?)", list(about_values.items()))

    @contextmanager
    def reading(self) -> Iterator[Link]:
        """See `Database.reading`. Runs without a transaction, which would take three round trips instead of one."""
        with translated(), self._borrowed(autocommit=True) as connection:
            yield PostgresLink(connection)

    @contextmanager
    def writing(self, *, bulk: bool = False) -> Iterator[Link]:
        """See `Database.writing`. The server makes each commit durable; `bulk` changes nothing."""
        del bulk
        with translated(), self.lock:
            if self.read_only:
                raise StorageFullError("the ledger was opened for reading only")
            with self._borrowed() as connection:
                yield PostgresLink(connection)
                connection.commit()

    def give_back(self, pooled: PoolProxiedConnection) -> None:
        """Return a connection to the pool, or end it if the ledger is closed."""
        with self.lending():
            if self._is_closed:
                pooled.invalidate()
            else:
                pooled.close()

    @contextmanager
    def _borrowed(self, *, autocommit: bool = False) -> Iterator[psycopg.Connection]:
        """Lend a connection of the pool for a transaction, undone unless committed. `autocommit`: each statement by itself.

        Reading and writing share the connection: a client takes one slot of the server, not two.
        """
        pooled = self.engine.raw_connection()
        connection = cast("psycopg.Connection", pooled.driver_connection)
        try:
            if autocommit:
                connection.autocommit = True
            yield connection
        except BaseException:
            with suppress(psycopg.Error):
                connection.rollback()
            raise
        finally:
            with suppress(psycopg.Error):  # of a connection that is lost
                connection.autocommit = False
            if connection.broken or connection.closed or connection.autocommit:  # the next one may write
                pooled.invalidate()
            else:
                self.give_back(pooled)

    def append_at_once(self, rows: Sequence[Ready]) -> list[tuple[int, bytes]]:
        """See `Database.append_at_once`.

        All statements go out together, so that the head's row is locked only while the server works. The lock
        ends before the disk answers: all clients then wait for the disk together.
        """
        with translated(), self.lock, self._borrowed() as connection:
            with connection.pipeline():
                connection.execute("SET LOCAL synchronous_commit = off")
                cursors = [connection.execute(_APPEND_SQL, row._asdict()) for row in rows]
                connection.execute(f"NOTIFY {self._channel}".encode())
                connection.commit()
                connection.execute(_FLUSH_SQL)
                connection.commit()
            head_rows = [cursor.fetchone() for cursor in cursors]
        stored = [(row[0], bytes(row[1])) for row in head_rows if row is not None]
        if len(stored) < len(rows):
            raise IntegrityError("the end of the log cannot be read", "handledger verify says what still holds.")
        return stored

    def wait_for_disk(self) -> None:
        """See `Database.wait_for_disk`: readers see a commit of `append_at_once` a moment before it's durable."""
        with self.reading() as link:
            insert_position = link.execute(
                "SELECT CASE WHEN pg_is_in_recovery() THEN '0/0'::pg_lsn ELSE pg_current_wal_insert_lsn() END - '0/0'::pg_lsn"
            ).fetchone()
            awaited_position = int(insert_position[0])
            if awaited_position % _WAL_BLOCK_BYTES <= _WAL_HEADER_BYTES:  # a new block without content
                awaited_position -= awaited_position % _WAL_BLOCK_BYTES
            while awaited_position and int(link.execute(_FLUSHED_SQL).fetchone()[0]) < awaited_position:
                time.sleep(0.002)

    def make_durable(self) -> None:
        """Do nothing: each commit is durable."""

    def read_head(self, link: Link) -> tuple[int, bytes]:
        """See `Database.read_head`; the row stays locked until the transaction ends."""
        return _read_head(link, "SELECT position, hash FROM head WHERE one = 1 FOR UPDATE")

    def read_end(self, link: Link) -> tuple[int, bytes]:
        """See `Database.read_end`."""
        return _read_head(link, "SELECT position, hash FROM head WHERE one = 1")

    def add(self, link: Link, rows: list[Row], position: int, link_hash: bytes) -> None:
        """See `Database.add`; listeners are notified when the transaction ends."""
        if len(rows) < _COPY_MIN_ROWS:
            for row in rows:
                link.execute(_INSERT, row)
        else:
            _copy_rows(link, _COPY_SQL, _LOG_TYPES, rows)
        link.execute("UPDATE head SET position = ?, hash = ? WHERE one = 1", (position, link_hash))
        link.execute(f"NOTIFY {self._channel}")

    def add_hands(self, link: Link, rows: list[Row]) -> None:
        """See `Database.add_hands`."""
        if len(rows) < _COPY_MIN_ROWS:
            for row in rows:
                link.execute(_INSERT_HAND, row)
        else:
            _copy_rows(link, _COPY_HANDS, _HAND_TYPES, rows)

    def values_table(self, types: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, Sequence[object]]:
        """See `Database.values_table`; with arrays, one plan serves all lengths."""
        names = ",".join(f"column{column_index + 1}" for column_index in range(len(types)))
        arrays = ",".join(f"?::{name}[]" for name in types)
        columns = [list(column) for column in zip(*rows, strict=True)]
        return f"unnest({arrays}) AS v({names})", columns

    def scrub(self) -> list[str]:
        """Let the server clear deleted rows and its statistics of them; see `Database.scrub`."""
        with translated(), self.lending(), self.engine.connect() as connection:
            postgres_remains.forget_statistics(connection)
            connection.rollback()
            postgres_remains.vacuum(connection.execution_options(isolation_level="AUTOCOMMIT"))
            return postgres_remains.describe_remains(connection)

    def raise_layout(self, link: Link) -> None:
        """Do nothing: the layout is in `about`."""

    def watch_outside(self, on_append: Callable[[], None], stop: threading.Event) -> None:
        """Listen to the server's notices."""
        with translated():
            pooled = self.engine.raw_connection()
            connection = cast("psycopg.Connection", pooled.driver_connection)
            try:
                connection.commit()
                connection.autocommit = True
                connection.execute(f"LISTEN {self._channel}".encode())
                on_append()
                while not stop.is_set():
                    for _ in connection.notifies(timeout=0.1, stop_after=1):
                        on_append()
            finally:
                pooled.invalidate()

    def bytes_of(self, column: str) -> str:
        """See `Database.bytes_of`."""
        return column

    def link_of(self, connection: Connection) -> Link:
        """See `Database.link_of`."""
        return PostgresLink(cast("psycopg.Connection", connection.connection.driver_connection))


def _read_head(link: Link, sql: str) -> tuple[int, bytes]:
    row = link.execute(sql).fetchone()
    if row is None:
        raise IntegrityError("the ledger does not say where its log ends", "handledger verify says what still holds.")
    return row[0], row[1]


def _copy_rows(link: Link, sql: str, types: Sequence[str], rows: list[Row]) -> None:
    connection = cast("PostgresLink", link).connection
    with connection.cursor() as cursor, cursor.copy(sql.encode()) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


@cache
def _replace_placeholders(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()
