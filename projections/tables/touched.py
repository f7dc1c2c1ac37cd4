"""Which tables anything came in of since a position of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.accounts import Place
from ledger.store.mapper import code_of
from ledger.streams import table_stream
from projections.walk.hands import places

if TYPE_CHECKING:
    from ledger.store import Ledger


def touched(ledger: Ledger, reached: int) -> set[Place]:
    """Return the tables of which commits behind a position tell, or of whose hands."""
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ?"
    with ledger.database.reading() as link:
        told = {bytes(row[0]) for row in link.execute(sql, (reached, code_of("table")))}
        gone_on = [bytes(row[0]) for row in link.execute(f"{sql} AND version > 1", (reached, code_of("hand")))]
    found = {place for place in places(ledger) if table_stream(*place).bytes in told} if told else set()
    for stream in gone_on:
        row = next(ledger.hands(beginning=stream.hex()), None)
        if row is not None:
            found.add(Place(row.venue, row.tournament, row.table))
    return found
