"""Changes to a ledger's database, made from the schema that the database itself shows: projections and indexes included.

Each change is a list of statements, or a step of the store's own (a table dropped, an index made to lie).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple, Protocol

Statement = tuple[str, tuple[Any, ...]]
EXTREMES: Final = (-1, 0, 2**31, -(2**31), 2**31 - 1, 2**62)
GARBAGE: Final = b"\x00\xff\x81{"


class Column(NamedTuple):
    """A column as the database declares it."""

    name: str
    kind: str  # "integer", "text", "blob" or "any"
    is_key: bool


class Change(NamedTuple):
    """What is done to a table: to which column or index, in words, and how."""

    table: str
    target: str  # a column, an index, or "" for the whole
    what: str
    statements: tuple[Statement, ...] = ()
    loosen: bool = False  # the table's own rules must give way first
    index_lie: str = ""  # "missing", "stale" or "doubled": what the index is made to do


class Schema(Protocol):
    """What a store shows of its tables."""

    def tables(self) -> list[str]:
        """Return the names of all tables."""

    def columns(self, table: str) -> list[Column]:
        """Return the columns of a table, in order."""

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Return all rows of a table."""

    def indexes(self, table: str) -> list[str]:
        """Return the indexes that can lie; the one that is the table itself can't."""

    quote: str  # how a parameter is written: ? or %s


def changes(schema: Schema) -> Iterator[Change]:
    """Yield every change of every table."""
    for table in schema.tables():
        yield from _of_table(schema, table)
        for column in schema.columns(table):
            yield from _of_column(schema, table, column)
        for index in schema.indexes(table):
            for lie in ("missing", "stale", "doubled"):
                yield Change(table, index, f"the index is {lie}", index_lie=lie)


def _of_table(schema: Schema, table: str) -> Iterator[Change]:
    yield Change(table, "", "table dropped", ((f'DROP TABLE "{table}"', ()),))
    rows, columns = schema.rows(table), schema.columns(table)
    if not rows:
        return
    yield Change(table, "", "table emptied", ((f'DELETE FROM "{table}"', ()),))
    for name, row in _first_and_last(rows):
        condition, values = _row_condition(columns, row, schema.quote)
        yield Change(table, "", f"{name} row deleted", ((f'DELETE FROM "{table}" WHERE {condition}', values),))
        marks = ", ".join([schema.quote] * len(row))
        for step in (1, 1000, -1):
            ghost = tuple(
                _moved(cell, step) if column.is_key else cell for column, cell in zip(columns, row, strict=True)
            )
            insert = (f'INSERT INTO "{table}" VALUES ({marks})', ghost)
            yield Change(table, "", f"{name} row duplicated, its key moved by {step}", (insert,))
    free = [column for column in columns if not column.is_key]
    if len(free) > 1:
        yield from _swap(schema, table, free, "rows swapped")


def _of_column(schema: Schema, table: str, column: Column) -> Iterator[Change]:
    yield Change(table, column.name, "column dropped", ((f'ALTER TABLE "{table}" DROP COLUMN "{column.name}"', ()),))
    rename = f'ALTER TABLE "{table}" RENAME COLUMN "{column.name}" TO "was_{column.name}"'
    yield Change(table, column.name, "column renamed", ((rename, ()),))
    columns, rows = schema.columns(table), schema.rows(table)
    if not rows:
        return
    index = [column_item.name for column_item in columns].index(column.name)
    chosen = Random(f"{table}.{column.name}").choice(rows)
    for value in _values(chosen[index]):
        condition, values = _row_condition(columns, chosen, schema.quote)
        update = f'UPDATE "{table}" SET "{column.name}" = {schema.quote} WHERE {condition}'
        yield Change(table, column.name, f"{value!r:.40} in a row", ((update, (value, *values)),), loosen=True)
    text = f'UPDATE "{table}" SET "{column.name}" = {schema.quote}'
    for value in _of_all(chosen[index]):
        yield Change(table, column.name, f"{value!r:.40} in all rows", ((text, (value,)),), loosen=True)
    yield from _swap(schema, table, [column], "swapped with another row")


def _values(value: Any) -> Iterator[Any]:
    """Yield what is put in the place of a value."""
    candidates: list[Any] = [None, "text", GARBAGE]
    if isinstance(value, str):
        candidates += [0, "", value + " "]
        candidates += [("b" if value[0] == "a" else "a") + value[1:], value[: len(value) // 2]] if value else []
    elif isinstance(value, bytes):
        middle = len(value) // 2
        candidates += [0, b"", value + b"\0"]
        candidates += (
            [value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :], value[:middle]] if value else []
        )
    else:
        candidates += EXTREMES
        candidates += [value + 1, -value - 1] if value is not None else []
    yield from dict.fromkeys(
        candidate for candidate in candidates if type(candidate) is not type(value) or candidate != value
    )


def _of_all(value: Any) -> Iterator[Any]:
    yield 2**62 if isinstance(value, int) else GARBAGE if isinstance(value, bytes) else "text"


def _swap(schema: Schema, table: str, columns: list[Column], description: str) -> Iterator[Change]:
    """Exchange what two rows hold in some columns, if they differ there."""
    every, rows = schema.columns(table), schema.rows(table)
    indexes = [every.index(column) for column in columns]
    first = rows[0]
    other_row = next((row for row in reversed(rows) if any(row[i] != first[i] for i in indexes)), None)
    if other_row is None:
        return
    text = ", ".join(f'"{column.name}" = {schema.quote}' for column in columns)
    statements: list[Statement] = []
    places = [_row_condition(every, row, schema.quote) for row in (first, other_row)]
    if any(column.is_key for column in columns):
        kept_indexes = [i for i in range(len(every)) if i not in indexes]
        names = ", ".join(f'"{column.name}"' for column in every)
        marks = ", ".join([schema.quote] * len(every))
        for condition, values in places:
            statements.append((f'DELETE FROM "{table}" WHERE {condition}', values))
        for row, source in ((first, other_row), (other_row, first)):
            mixed = tuple(row[i] if i in kept_indexes else source[i] for i in range(len(every)))
            statements.append((f'INSERT INTO "{table}" ({names}) VALUES ({marks})', mixed))
    else:
        for (condition, values), source in zip(places, (other_row, first), strict=True):
            swapped = tuple(source[i] for i in indexes)
            statements.append((f'UPDATE "{table}" SET {text} WHERE {condition}', (*swapped, *values)))
    yield Change(table, columns[0].name if len(columns) == 1 else "", description, tuple(statements), loosen=True)


def _first_and_last(rows: list[tuple[Any, ...]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    yield "the first", rows[0]
    if len(rows) > 1:
        yield "the last", rows[-1]


def _row_condition(columns: list[Column], row: tuple[Any, ...], quote: str) -> tuple[str, tuple[Any, ...]]:
    """Return the condition that finds a row by its key."""
    keys = [(column.name, cell) for column, cell in zip(columns, row, strict=True) if column.is_key]
    return " AND ".join(f'"{name}" = {quote}' for name, _ in keys), tuple(cell for _, cell in keys)


def _moved(value: Any, step: int) -> Any:
    """Return a value of a key that no row has yet."""
    if isinstance(value, int):
        return value + step
    if isinstance(value, bytes):
        return value + bytes([step % 256])
    return f"{value}{step}" if isinstance(value, str) else value
