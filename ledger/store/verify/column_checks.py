"""Check every column of every table for values that no ledger writes: of a wrong type, or out of bounds.

Part of `ledger.store.verify`. A damaged page or somebody's statement can put text where a number belongs, or
a number that takes gigabytes to compute with. This check names such a value before anything reads it.
"""

# ruff: noqa: S608 - statements are made of names that the database gave, quoted

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import find_schema

_GREATEST: Final = 2**53
"""No position, amount, time in milliseconds or length in a ledger reaches it."""

_BOUNDS: Final = {
    ("tiles", "level"): (0, 7),  # 256 ** 7 leaves are more commits than positions
    ("tiles", "number"): (0, _GREATEST),
    ("tiles", "upto"): (0, _GREATEST),
    ("log", "position"): (1, _GREATEST),
    ("log", "count"): (1, 2**31),
    ("log", "version"): (1, _GREATEST),
    ("checkpoints", "size"): (0, _GREATEST),
}
_SQLITE_TYPES: Final = {"INTEGER": "integer", "INT": "integer", "TEXT": "text", "BLOB": "blob"}


class _Column(NamedTuple):
    """A column of a table that the database has."""

    table: str
    name: str
    type: str  # as SQLite's typeof() names it; "" = any
    is_number: bool
    may_be_null: bool


def check_columns(connection: Connection) -> Iterator[IntegrityProblem]:
    """Yield a problem for each column that holds values no ledger writes."""
    for table, columns in groupby(_list_columns(connection), attrgetter("table")):
        conditions_by_column = {
            column.name: [*_build_type_conditions(connection, column), *_build_bound_conditions(column)]
            for column in columns
        }
        condition_by_column = {
            name: " OR ".join(conditions) for name, conditions in conditions_by_column.items() if conditions
        }
        if not condition_by_column:
            continue
        counts = ", ".join(f"count(CASE WHEN {condition} THEN 1 END)" for condition in condition_by_column.values())
        statement = f"SELECT {counts} FROM {_quote_table(connection, table)}"  # each table is read once, not once for each column
        for name, count in zip(condition_by_column, connection.exec_driver_sql(statement).one(), strict=True):
            if count:
                rows = "1 row" if count == 1 else f"{count:,} rows"
                yield IntegrityProblem(None, "column", f"{table}.{name} holds what no ledger writes, in {rows}")


def _list_columns(connection: Connection) -> Iterator[_Column]:
    if connection.dialect.name == "sqlite":
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
        for (table,) in tables:
            if table.startswith("sqlite_"):
                continue
            column_rows = connection.exec_driver_sql(
                'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)
            )
            for name, declared_type, not_null, primary_key in column_rows.all():
                storage_type = _SQLITE_TYPES.get(declared_type, "")
                yield _Column(table, name, storage_type, storage_type == "integer", not (not_null or primary_key))
        return
    rows = connection.exec_driver_sql(
        "SELECT c.relname, a.attname, a.atttypid IN (20, 21, 23), NOT a.attnotnull FROM pg_class AS c "
        "JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid "
        "WHERE n.nspname = %s AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum",
        (find_schema(connection),),
    )
    for table, name, is_number, may_be_null in rows.all():
        yield _Column(table, name, "", is_number, may_be_null)  # the server itself enforces types


def _build_type_conditions(connection: Connection, column: _Column) -> Iterator[str]:
    if connection.dialect.name == "sqlite" and column.type:
        allowed = f"'{column.type}', 'null'" if column.may_be_null else f"'{column.type}'"
        yield f"typeof({_quote_name(column.name)}) NOT IN ({allowed})"
    elif connection.dialect.name != "sqlite" and not column.may_be_null:
        yield f"num_nulls({_quote_name(column.name)}) > 0"  # PostgreSQL skips IS NULL on a column declared NOT NULL


def _build_bound_conditions(column: _Column) -> Iterator[str]:
    if column.is_number:
        lower_bound, upper_bound = _BOUNDS.get((column.table, column.name), (-_GREATEST, _GREATEST))
        quoted_name = _quote_name(column.name)
        yield f"{quoted_name} < {lower_bound} OR {quoted_name} > {upper_bound}"


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""').replace("%", "%%") + '"'


def _quote_table(connection: Connection, table: str) -> str:
    if connection.dialect.name == "sqlite":
        return _quote_name(table)
    return f"{_quote_name(find_schema(connection))}.{_quote_name(table)}"
