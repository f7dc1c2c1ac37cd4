"""Tables with entries after a position of the log, and whether hands before it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.mapper import code_of
from ledger.streams import table_stream
from projections.table_walk.played_tables import list_places

if TYPE_CHECKING:
    from ledger.store import Ledger


class ChangedTables(NamedTuple):
    """Tables that changed after a position."""

    incoming: set[TableKey]  # tables with any new entry
    amended: set[TableKey]  # tables with an earlier hand that was corrected or finished


def find_changed_tables(ledger: Ledger, since_position: int) -> ChangedTables:
    """Return the tables that changed after a position."""
    new_hands = (
        "SELECT DISTINCT p.venue, p.tournament, p.name FROM hands AS h "
        "JOIN places AS p ON p.id = h.place WHERE h.position > ?"
    )
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ?"
    with ledger.database.reading() as connection:
        incoming = {TableKey(*row) for row in connection.execute(new_hands, (since_position,))}
        table_streams = {bytes(row[0]) for row in connection.execute(sql, (since_position, code_of("table")))}
    amended = set()
    for row in ledger.hands_of(find_continued_hands(ledger, since_position)):
        if row.position <= since_position:
            amended.add(TableKey(row.venue, row.tournament, row.table))
    if table_streams - {table_stream(*place).bytes for place in incoming}:
        incoming |= {place for place in list_places(ledger) if table_stream(*place).bytes in table_streams}
    return ChangedTables(incoming | amended, amended)


def find_continued_hands(ledger: Ledger, since_position: int) -> set[bytes]:
    """Return the stream ids of hands that continued after a position: they were played on or corrected."""
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ? AND version > 1"
    with ledger.database.reading() as connection:
        return {bytes(row[0]) for row in connection.execute(sql, (since_position, code_of("hand")))}


def count_accounts(ledger: Ledger, place: TableKey, log_position: int | None = None) -> int:
    """Count a table's accounts of hands in the index, up to a position of the log."""
    log_position = ledger.head()[0] if log_position is None else log_position
    sql = (
        "SELECT count(*) FROM hands WHERE place = "
        "(SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?) AND position <= ?"
    )
    with ledger.database.reading() as connection:
        return int(connection.execute(sql, (*place, log_position)).fetchone()[0])
