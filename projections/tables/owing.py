"""What each table owes on its coming hand, kept with the judgement that the same walk made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.errors import StoreError
from ledger.store.accounts import Place
from projections.tables.code import code_digest
from projections.walk.owing import Owing

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.rulebook import Rulebook
    from projections.tables.lending import Keeping


_FEW: Final = 500
"""Tables that are asked for by their names; of more all are read."""


def encoded(one: Owing) -> bytes:
    """Return it as it is kept."""
    return json.dumps(msgspec.to_builtins(one, str_keys=True)).encode("ascii")


def _decoded(data: bytes | memoryview) -> Owing:
    return msgspec.convert(json.loads(bytes(data)), Owing, str_keys=True)


def kept_owing(keeping: Keeping, judgement: int, places: Sequence[Place]) -> Iterator[tuple[Place, Owing]]:
    """Yield what is kept of these tables under a book."""
    from sqlalchemy import select  # noqa: PLC0415 - half of the time of a command that asks for one table

    from projections.tables.findings import obligations  # noqa: PLC0415 - as above

    columns = obligations.c
    asked = select(columns.venue, columns.tournament, columns.name, columns.owing).where(columns.judgement == judgement)
    if len(places) <= _FEW:
        asked = asked.where(columns.name.in_({place.table for place in places}))
    with keeping.core() as connection:
        rows = {Place(*row[:3]): row[3] for row in connection.execute(asked)}
    for place in places:
        if place in rows:
            yield place, _decoded(rows[place])


def kept_at_end(ledger: Ledger, place: Place, books: Sequence[Rulebook]) -> list[Owing] | None:
    """Return what is kept of one table under each of these books; None unless all that is in the log was judged."""
    if ledger.upto is not None:
        return None
    sql = (
        "SELECT o.owing FROM judgements AS j JOIN obligations AS o ON o.judgement = j.id "
        "WHERE j.digest = ? AND j.code = ? AND j.position = ? AND o.venue = ? AND o.tournament = ? AND o.name = ?"
    )
    found = []
    try:
        with ledger.database.reading() as link:
            head, _ = ledger.head()
            for book in books:
                row = link.execute(sql, (book.digest, code_digest(), head, *place)).fetchone()
                if row is None:
                    return None
                found.append(_decoded(row[0]))
    except StoreError:  # the tables are made with the first judgement
        return None
    named = zip(found, books, strict=True)
    return found if all(one.due.book == book.name for one, book in named) else None
