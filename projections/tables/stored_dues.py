"""Stored dues on each poker table's next hand.

They are in the column `owing` of the database table `obligations`, which `finding_tables` defines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ledger.decoders import convert
from ledger.errors import StoreError
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.json_encoding import encode_json
from ledger.text.language import is_english
from projections.table_walk.table_dues import TableDues
from projections.tables.code import code_digest

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database.database import Row
    from projections.books.rulebook import Rulebook
    from projections.tables.table_stores import TableStore


_MAX_NAMES: Final = 500
"""The most table names in one statement. For more tables, all rows are read."""


def encode_dues(dues: TableDues) -> bytes:
    """Encode dues for storage."""
    return encode_json(dues)


def decode_dues(data: bytes | memoryview) -> TableDues:
    """Decode stored dues."""
    return convert(json.loads(bytes(data)), TableDues, str_keys=True)


def iter_stored_dues(
    table_store: TableStore, judgement: int, table_keys: Sequence[TableKey]
) -> Iterator[tuple[TableKey, TableDues]]:
    """Yield the stored dues of these tables under one judgement; skip tables without any."""
    from sqlalchemy import select  # noqa: PLC0415 - the import takes half of the time for one table

    from projections.tables.finding_tables import obligations  # noqa: PLC0415 - as above

    columns = obligations.c
    statement = select(columns.venue, columns.tournament, columns.name, columns.owing).where(
        columns.judgement == judgement
    )
    if len(table_keys) <= _MAX_NAMES:
        statement = statement.where(columns.name.in_({table_key.table for table_key in table_keys}))
    with table_store.core() as connection:
        rows = {TableKey(*row[:3]): row[3] for row in connection.execute(statement)}
    for table_key in table_keys:
        if table_key in rows:
            yield table_key, decode_dues(rows[table_key])


def load_stored_dues(ledger: Ledger, table_key: TableKey, books: Sequence[Rulebook]) -> list[TableDues] | None:
    """Return a table's stored dues, one for each of these books.

    Return None if they don't cover the whole log under every book, if the ledger is read as of an earlier position, or
    if the language isn't English, because stored sentences are in English.
    """
    if ledger.upto is not None or not is_english():
        return None
    head, _ = ledger.head()
    rows = load_stored_rows(ledger, "o.owing, j.position", "obligations", table_key, books)
    if rows is None or any(log_position != head for _, log_position in rows):
        return None
    dues_by_book = [decode_dues(row[0]) for row in rows]
    has_same_names = all(dues.due.book == book.name for dues, book in zip(dues_by_book, books, strict=True))
    return dues_by_book if has_same_names else None


def load_stored_rows(
    ledger: Ledger,
    columns: str,
    stored_table: str,
    table_key: TableKey,
    books: Sequence[Rulebook],
    *,
    more_joins: str = "",
) -> list[Row] | None:
    """Return a row about one poker table for each of these books, or None if a row is missing.

    `stored_table` is the database table with a row for each judgement and poker table. In `columns` and `more_joins`,
    `o` names it and `j` the table of judgements.
    """
    sql = (
        f"SELECT {columns} FROM judgements AS j JOIN {stored_table} AS o ON o.judgement = j.id {more_joins} "  # noqa: S608 - fixed names
        "WHERE j.digest = ? AND j.code = ? AND o.venue = ? AND o.tournament = ? AND o.name = ?"
    )
    stored_rows = []
    try:
        with ledger.database.reading() as connection:
            for book in books:
                row = connection.execute(sql, (book.digest, code_digest(), *table_key)).fetchone()
                if row is None:
                    return None
                stored_rows.append(row)
    except StoreError:  # the tables are made with the first judgement
        return None
    return stored_rows
