"""The connection of a verification: no foreign object can stand in for a ledger's tables.

Used by `ledger.store.verify`. PostgreSQL looks names up along a path that a role, a database or a schema can
change: it may find a temporary table, a table of an earlier schema, or a better fitting function. So
each table is named with its schema, the path holds only PostgreSQL's own objects, and a row that a policy
would hide is an error. All statements see one state of the database.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and quoted names

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError

from ledger.store.database.tables import LATER_TABLES, META

_SCHEMA: Final = "handledger_schema"
LEDGER_NAMES: Final = frozenset({*META.tables, *LATER_TABLES.tables, "events"})
_UNQUALIFIED: Final = re.compile(rf"\b(FROM|JOIN) ({'|'.join(sorted(LEDGER_NAMES))})\b(?!\.)")


@contextmanager
def open_raw(engine: Engine) -> Iterator[Connection]:
    """Lend a connection that reaches only the ledger's tables and the database's own functions."""
    with engine.connect() as connection:
        if connection.dialect.name != "sqlite":
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            schema = connection.exec_driver_sql("SELECT pg_catalog.current_schema()").scalar_one()
            connection.exec_driver_sql("SET LOCAL search_path = pg_catalog, pg_temp")
            connection.exec_driver_sql("SET LOCAL row_security = off")
            quoted = '"' + str(schema).replace('"', '""').replace("%", "%%") + '"'
            connection.info[_SCHEMA] = str(schema)

            def qualified(
                _link: object, _cursor: object, sql: str, parameters: object, *_: object
            ) -> tuple[str, object]:
                return _UNQUALIFIED.sub(lambda match: f"{match[1]} {quoted}.{match[2]}", sql), parameters

            event.listen(connection, "before_cursor_execute", qualified, retval=True)
        yield connection


def fetch_rows(connection: Connection, sql: str) -> Sequence[Sequence[Any]]:
    """Return the rows of a large result. For SQLite from the driver: SQLAlchemy's rows take a fifth of a verification."""
    if connection.dialect.name != "sqlite":
        return connection.exec_driver_sql(sql).all()
    cursor = connection.connection.cursor()
    try:
        cursor.execute(sql)
        return cursor.fetchall()
    except sqlite3.Error as error:  # as SQLAlchemy raises it
        raise DBAPIError.instance(sql, None, error, sqlite3.Error) from error
    finally:
        cursor.close()


def find_schema(connection: Connection) -> str:
    """Return the schema of this connection's ledger; PostgreSQL only."""
    return str(connection.info[_SCHEMA])


def has_table(connection: Connection, table: str) -> bool:
    """Return whether the ledger has this table."""
    if connection.dialect.name == "sqlite":
        count_result = connection.exec_driver_sql(
            f"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '{table}'"
        )
    else:
        count_result = connection.exec_driver_sql(
            "SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            f"WHERE n.nspname = %s AND c.relname = '{table}' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')",
            (find_schema(connection),),
        )
    return bool(count_result.scalar_one())
