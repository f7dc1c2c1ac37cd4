"""Stores that are spoiled on purpose: copies of a sound ledger, each with one change of `tests.torture.changes`."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
import pytest

from ledger.store.database.sqlite import SqliteDatabase
from tests.torture.changes import Change, Column

_KINDS: Final = {"INTEGER": "integer", "TEXT": "text", "BLOB": "blob", "BIGINT": "integer"}


class SpoiledSqlite:
    """A file; every copy lies at the same path, so that what commands print of it is the same."""

    name = "SQLite"
    quote = "?"

    def __init__(self, file: Path) -> None:
        self.file = file
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.sound, self.spoiled = file.with_name("sound.base"), file.with_name("spoiled.base")
        shutil.copy(file, self.sound)
        self._sound_rows: dict[tuple[str, tuple[object, ...]], list[tuple[Any, ...]]] = {}

    def _ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows of the sound file, which nothing changes."""
        if (sql, values) not in self._sound_rows:
            with closing(sqlite3.connect(f"file:{self.sound}?mode=ro&immutable=1", uri=True)) as connection:
                self._sound_rows[sql, values] = connection.execute(sql, values).fetchall()
        return self._sound_rows[sql, values]

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        rows = self._ask("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1")
        return [name for (name,) in rows]

    def columns(self, table: str) -> list[Column]:
        """Return the columns of a table."""
        rows = self._ask("SELECT name, type, pk FROM pragma_table_info(?)", table)
        return [Column(name, _KINDS.get(kind, "any"), bool(key)) for name, kind, key in rows]

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Return all rows, ordered by the key."""
        keys = ", ".join(f'"{column.name}"' for column in self.columns(table) if column.is_key)
        return self._ask(f'SELECT * FROM "{table}" ORDER BY {keys}')

    def indexes(self, table: str) -> list[str]:
        """Return the indexes beside the table."""
        return [
            name
            for (name,) in self._ask("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?", table)
            if self._is_beside(name)
        ]

    def _is_beside(self, index: str) -> bool:
        return bool(self._ask("SELECT rootpage FROM sqlite_schema WHERE name = ? AND rootpage > 0", index))

    def apply(self, change: Change) -> bool:
        """Make a copy with this change; False where the file's own format refuses it."""
        shutil.copy(self.sound, self.spoiled)
        with closing(sqlite3.connect(self.spoiled)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            guards = connection.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
            ).fetchall()
            connection.executescript(
                "".join(f"DROP {'VIEW' if sql[7] == 'V' else 'TRIGGER'} {name};" for name, sql in guards)
            )
        try:
            if change.index_lie:
                self._lie(change)
            else:
                self._run(change)
        except (sqlite3.IntegrityError, sqlite3.OperationalError, OverflowError):
            return False
        with closing(sqlite3.connect(self.spoiled)) as connection:
            for _, sql in guards:
                with suppress(sqlite3.OperationalError):  # its table is gone
                    connection.execute(sql)
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return True

    def _run(self, change: Change) -> None:
        """Run statements; where they break rules of the table, without these rules."""
        dropped_objects = self._loosened(change.table) if change.loosen else []
        with closing(sqlite3.connect(self.spoiled)) as connection:
            for sql, values in change.statements:
                connection.execute(sql, values)
            connection.commit()
        self._put_back(dropped_objects)

    def _loosened(self, table: str) -> list[tuple[str, str]]:
        """Take types and NOT NULL out of a table's statement; return what stood there."""
        with closing(sqlite3.connect(self.spoiled)) as connection:
            rows = connection.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)
            ).fetchall()
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(
                "UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, ' STRICT', ' '), ' NOT NULL', ''), "
                "'WITHOUT ROWID,', 'WITHOUT ROWID'), ',  WITHOUT', ' WITHOUT') WHERE type = 'table' AND name = ?",
                (table,),
            )
            connection.commit()
        return rows

    def _put_back(self, dropped_objects: list[tuple[str, str]]) -> None:
        with closing(sqlite3.connect(self.spoiled)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for name, sql in dropped_objects:
                connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (sql, name))
            connection.commit()

    def _lie(self, change: Change) -> None:
        """Change a row while the database does not know of the index, which then says what was before."""
        columns, rows = self.columns(change.table), self.rows(change.table)
        if not rows:
            raise sqlite3.OperationalError("nothing to lie about")
        row = rows[-1]
        text = " AND ".join(f'"{column.name}" IS ?' for column in columns if column.is_key)
        place = tuple(cell for column, cell in zip(columns, row, strict=True) if column.is_key)
        with closing(sqlite3.connect(self.spoiled)) as connection:
            rowid = connection.execute(f'SELECT rowid FROM "{change.table}" WHERE {text}', place).fetchone()[0]
            if change.index_lie == "missing":
                connection.execute(f'DELETE FROM "{change.table}" WHERE {text}', place)
                connection.commit()
        with self._without_index(change, columns), closing(sqlite3.connect(self.spoiled)) as connection:
            names, marks = ", ".join(f'"{column.name}"' for column in columns), ", ".join("?" * len(row))
            if change.index_lie == "missing":
                connection.execute(f'INSERT INTO "{change.table}" (rowid, {names}) VALUES (?, {marks})', (rowid, *row))
            elif change.index_lie == "doubled":
                moved_row = tuple(
                    cell + 1 if column == _rowid_alias(columns) else cell
                    for column, cell in zip(columns, row, strict=True)
                )
                connection.execute(f'INSERT INTO "{change.table}" ({names}) VALUES ({marks})', moved_row)
            else:
                column_name = self._ask("SELECT name FROM pragma_index_info(?)", change.target)[-1][0]
                other_value = _another(row[[column.name for column in columns].index(column_name)])
                connection.execute(
                    f'UPDATE "{change.table}" SET "{column_name}" = ? WHERE {text}', (other_value, *place)
                )
            connection.commit()

    @contextmanager
    def _without_index(self, change: Change, columns: list[Column]) -> Iterator[None]:
        """Take an index, and those that constraints made, out of the schema; put all back at the end."""
        alias = _rowid_alias(columns)
        text = ", ".join(f'"{column.name}"' + (" INTEGER PRIMARY KEY" if column == alias else "") for column in columns)
        table = ("table", change.table)
        with closing(sqlite3.connect(self.spoiled)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?", table).fetchone()
            query = "FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND (name = ? OR sql IS NULL)"
            rows = connection.execute(f"SELECT * {query}", (change.table, change.target)).fetchall()
            connection.execute(f"DELETE {query}", (change.table, change.target))
            table_sql = f'CREATE TABLE "{change.table}" ({text})'
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?", (table_sql, *table))
            connection.commit()
        yield
        with closing(sqlite3.connect(self.spoiled)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?", (sql, *table))
            connection.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", rows)
            connection.commit()

    @contextmanager
    def fresh(self, *, spoiled: bool = True) -> Iterator[str]:
        """Lend the address of a copy that may be written to."""
        shutil.copy(self.spoiled if spoiled else self.sound, self.file)
        yield str(self.file)
        for path in self.file.parent.glob(f"{self.file.name}-*"):
            if path.name.endswith(("-wal", "-shm", "-journal")):
                path.unlink()

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """Collect the statements that the program sends."""
        collected: list[str] = []
        connect = SqliteDatabase.connect

        def traced(database: SqliteDatabase) -> sqlite3.Connection:
            connection = connect(database)
            connection.set_trace_callback(collected.append)
            return connection

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SqliteDatabase, "connect", traced)
            yield collected


def _rowid_alias(columns: list[Column]) -> Column | None:
    """Return the column that is the number of the row itself."""
    keys = [column for column in columns if column.is_key]
    return keys[0] if len(keys) == 1 and keys[0].kind == "integer" else None


def _another(value: Any) -> Any:
    """Return another value of the same kind."""
    return value + 1 if isinstance(value, int) else value + b"\1" if isinstance(value, bytes) else f"{value or ''}x"


class SpoiledPostgres:
    """A database of a server; every copy is another database, made from the sound one as a template."""

    name = "PostgreSQL"
    quote = "%s"
    COPY = "spoiled"

    def __init__(self, server: str, base: str) -> None:
        self.server, self.base = server, base
        self._is_sound = False  # the copy, but for what was asked of it
        self._sound_rows: dict[tuple[str, tuple[object, ...]], list[tuple[Any, ...]]] = {}
        self.admin = psycopg.connect(server, autocommit=True)
        for setting in ("fsync = off", "full_page_writes = off", "autovacuum = off"):
            self.admin.execute(f"ALTER SYSTEM SET {setting}".encode())
        self.admin.execute("SELECT pg_reload_conf()")

    def close(self) -> None:
        """End the connection that makes copies."""
        self.admin.close()

    def url(self, database: str) -> str:
        """Return the address of one of the server's databases."""
        parts = urlsplit(self.server)
        return parts._replace(path=f"/{database}").geturl()

    def _ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows of the sound database, which doesn't change once it is asked."""
        if (sql, values) not in self._sound_rows:
            with psycopg.connect(self.url(self.base)) as connection:
                self._sound_rows[sql, values] = connection.execute(sql.encode(), values or None).fetchall()
        return self._sound_rows[sql, values]

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        return [name for (name,) in self._ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]

    def columns(self, table: str) -> list[Column]:
        """Return the columns of a table."""
        sql = (
            "SELECT a.attname, upper(format_type(a.atttypid, NULL)), coalesce(a.attnum = ANY (x.indkey::int[]), false) "
            "FROM pg_attribute AS a LEFT JOIN pg_index AS x ON x.indrelid = a.attrelid AND x.indisprimary "
            "WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
        )
        return [Column(name, _KINDS.get(kind, "any"), key) for name, kind, key in self._ask(sql, f'"{table}"')]

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Return all rows, ordered by the key."""
        keys = ", ".join(f'"{column.name}"' for column in self.columns(table) if column.is_key)
        return self._ask(f'SELECT * FROM "{table}" ORDER BY {keys}')

    def indexes(self, table: str) -> list[str]:
        """Return the indexes of a table."""
        return [
            name
            for (name,) in self._ask(
                "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND tablename = %s", table
            )
        ]

    def apply(self, change: Change) -> bool:
        """Make a copy with this change; False where the server can't hold it."""
        self._copy()
        self._is_sound = False
        try:
            with psycopg.connect(self.url(self.COPY)) as connection:
                connection.execute("SET session_replication_role = replica")
                if change.index_lie:
                    self._lie(connection, change)
                else:
                    if change.loosen:
                        self._catalog(
                            connection,
                            "UPDATE pg_attribute SET attnotnull = false WHERE attrelid = %s::regclass AND attnotnull",
                            change,
                        )
                        marked = self._ask(
                            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnotnull AND attnum > 0",
                            f'"{change.table}"',
                        )
                    for sql, values in change.statements:
                        cascade = " CASCADE" if sql.startswith("DROP TABLE") or "DROP COLUMN" in sql else ""
                        connection.execute((sql + cascade).encode(), values or None)
                    if change.loosen:
                        for (name,) in marked:
                            connection.execute(
                                "UPDATE pg_attribute SET attnotnull = true WHERE attrelid = %s::regclass AND attname = %s",
                                (f'"{change.table}"', name),
                            )
        except psycopg.Error:
            return False
        return True

    @staticmethod
    def _catalog(connection: psycopg.Connection, sql: str, change: Change) -> None:
        connection.execute(sql.encode(), (f'"{change.table}"',))

    def _lie(self, connection: psycopg.Connection, change: Change) -> None:
        rows = self.rows(change.table)
        columns = self.columns(change.table)
        if not rows:
            raise psycopg.DataError("nothing to lie about")
        row = next(
            (row_item for row_item in reversed(rows) if None not in row_item), rows[-1]
        )  # a key that an index holds
        if change.target == "log_key":
            index = [column.name for column in columns].index("key")
            row = next(row_item for row_item in reversed(rows) if row_item[index] is not None)
        keys = [i for i, column in enumerate(columns) if column.is_key]
        text = " AND ".join(f'"{columns[i].name}" = %s' for i in keys)
        place = tuple(row[i] for i in keys)
        marks = ", ".join(["%s"] * len(row))
        off = "UPDATE pg_index SET indisready = {0}, indisvalid = {0} WHERE indexrelid = %s::regclass"
        name = f'"{change.target}"'
        connection.execute(off.format("false").encode(), (name,))
        connection.commit()
        connection.execute("SET session_replication_role = replica")
        if change.index_lie == "missing":
            connection.execute(f'DELETE FROM "{change.table}" WHERE {text}'.encode(), place)
            connection.execute(f'INSERT INTO "{change.table}" VALUES ({marks})'.encode(), row)
        elif change.index_lie == "stale":
            column_name = self._ask(
                "SELECT a.attname FROM pg_index AS x JOIN pg_attribute AS a ON a.attrelid = x.indrelid "
                "AND a.attnum = x.indkey[x.indnkeyatts - 1] WHERE x.indexrelid = %s::regclass",
                name,
            )[0][0]
            value = row[[column.name for column in columns].index(column_name)]
            other_value = (
                value + 1
                if isinstance(value, int)
                else value + b"\1"
                if isinstance(value, bytes)
                else f"{value or ''}x"
            )
            # HOT updates leave the old entry, which then leads to the new row
            connection.execute(
                f'UPDATE "{change.table}" SET "{column_name}" = %s WHERE {text}'.encode(), (other_value, *place)
            )
        else:
            connection.execute(f'INSERT INTO "{change.table}" VALUES ({marks})'.encode(), row)
        connection.execute(off.format("true").encode(), (name,))
        connection.commit()

    def _copy(self) -> None:
        self.admin.execute(f"DROP DATABASE IF EXISTS {self.COPY} WITH (FORCE)".encode())
        self.admin.execute(f"CREATE DATABASE {self.COPY} TEMPLATE {self.base}".encode())

    @contextmanager
    def fresh(self, *, spoiled: bool = True) -> Iterator[str]:
        """Lend the address of the copy: one for all commands, as a server takes long to make one."""
        if not spoiled and not self._is_sound:
            self._copy()
            self._is_sound = True
        yield self.url(self.COPY)

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """Collect the statements that the program sends."""
        collected: list[str] = []
        execute, executemany = psycopg.Cursor.execute, psycopg.Cursor.executemany

        def traced(cursor: Any, query: Any, *rest: Any, **named: Any) -> Any:
            collected.append(str(query))
            return execute(cursor, query, *rest, **named)

        def traced_many(cursor: Any, query: Any, *rest: Any, **named: Any) -> Any:
            collected.append(str(query))
            return executemany(cursor, query, *rest, **named)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(psycopg.Cursor, "execute", traced)
            patch.setattr(psycopg.Cursor, "executemany", traced_many)
            yield collected
