"""What came into a ledger since a position of its log: at which tables, and whether it speaks of what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.store.accounts import Place
from ledger.store.mapper import code_of
from ledger.streams import table_stream
from projections.table_walk.played_tables import places

if TYPE_CHECKING:
    from ledger.store import Ledger


class Touched(NamedTuple):
    """Tables of which commits tell, or of whose hands."""

    late: set[Place]  # something came in
    amended: set[Place]  # hands that were there went on: they were corrected, or finished


def touched(ledger: Ledger, reached: int) -> Touched:
    """Return the tables of which anything came in behind a position."""
    new_hands = (
        "SELECT DISTINCT p.venue, p.tournament, p.name FROM hands AS h "
        "JOIN places AS p ON p.id = h.place WHERE h.position > ?"
    )
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ?"
    with ledger.database.reading() as link:
        late = {Place(*row) for row in link.execute(new_hands, (reached,))}
        told = {bytes(row[0]) for row in link.execute(sql, (reached, code_of("table")))}
    amended = set()
    for row in ledger.hands_of(gone_on(ledger, reached)):
        if row.position <= reached:
            amended.add(Place(row.venue, row.tournament, row.table))
    if told - {table_stream(*place).bytes for place in late}:
        late |= {place for place in places(ledger) if table_stream(*place).bytes in told}
    return Touched(late | amended, amended)


def gone_on(ledger: Ledger, reached: int) -> set[bytes]:
    """Return the hands, by the ids of their streams, that went on behind a position: they are played, or were corrected."""
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ? AND version > 1"
    with ledger.database.reading() as link:
        return {bytes(row[0]) for row in link.execute(sql, (reached, code_of("hand")))}


def accounts_at(ledger: Ledger, place: Place, upto: int | None = None) -> int:
    """Return how many accounts of hands a table has, as the index counts them; `upto` a position of the log."""
    upto = ledger.head()[0] if upto is None else upto
    sql = (
        "SELECT count(*) FROM hands WHERE place = "
        "(SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?) AND position <= ?"
    )
    with ledger.database.reading() as link:
        return int(link.execute(sql, (*place, upto)).fetchone()[0])
