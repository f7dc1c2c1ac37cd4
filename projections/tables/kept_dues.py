"""What each table owes on its coming hand, kept with the judgement that the same walk made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.errors import StoreError
from ledger.json_encoding import encode
from ledger.store.accounts import Place
from projections.table_walk.table_dues import Owing
from projections.tables.code import code_digest

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.database import Row
    from projections.books.rulebook import Rulebook
    from projections.tables.lending import Keeping


_FEW: Final = 500
"""Tables that are asked for by their names; of more all are read."""


def encoded(one: Owing) -> bytes:
    """Return it as it is kept."""
    return encode(one)


def decoded(data: bytes | memoryview) -> Owing:
    """Return it as it was."""
    return msgspec.convert(json.loads(bytes(data)), Owing, str_keys=True)


def kept_owing(keeping: Keeping, judgement: int, places: Sequence[Place]) -> Iterator[tuple[Place, Owing]]:
    """Yield what is kept of these tables under a book."""
    from sqlalchemy import select  # noqa: PLC0415 - half of the time of a command that asks for one table

    from projections.tables.kept_findings import obligations  # noqa: PLC0415 - as above

    columns = obligations.c
    asked = select(columns.venue, columns.tournament, columns.name, columns.owing).where(columns.judgement == judgement)
    if len(places) <= _FEW:
        asked = asked.where(columns.name.in_({place.table for place in places}))
    with keeping.core() as connection:
        rows = {Place(*row[:3]): row[3] for row in connection.execute(asked)}
    for place in places:
        if place in rows:
            yield place, decoded(rows[place])


def kept_at_end(ledger: Ledger, place: Place, books: Sequence[Rulebook]) -> list[Owing] | None:
    """Return what is kept of one table under each of these books; None unless all that is in the log was judged."""
    if ledger.upto is not None:
        return None
    sql = "SELECT o.owing, j.position FROM judgements AS j JOIN obligations AS o ON o.judgement = j.id"
    head, _ = ledger.head()
    rows = of_each(ledger, sql, place, books)
    if rows is None or any(reached != head for _, reached in rows):
        return None
    found = [decoded(row[0]) for row in rows]
    named = zip(found, books, strict=True)
    return found if all(one.due.book == book.name for one, book in named) else None


def of_each(ledger: Ledger, sql: str, place: Place, books: Sequence[Rulebook]) -> list[Row] | None:
    """Return what is kept (`o`) of a table with the judgement (`j`) under each of these books; None if anything is not."""
    where = "WHERE j.digest = ? AND j.code = ? AND o.venue = ? AND o.tournament = ? AND o.name = ?"
    found = []
    try:
        with ledger.database.reading() as link:
            for book in books:
                row = link.execute(f"{sql} {where}", (book.digest, code_digest(), *place)).fetchone()
                if row is None:
                    return None
                found.append(row)
    except StoreError:  # the tables are made with the first judgement
        return None
    return found
