"""Poker tables that changed after a position of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.mapper import find_kind_code
from ledger.streams import table_stream
from projections.table_walk.played_tables import list_places

if TYPE_CHECKING:
    from ledger.store import Ledger


class ChangedTables(NamedTuple):
    """The tables that changed after a position of the log."""

    with_new_entries: set[TableKey]
    with_changed_hands: set[TableKey]  # an earlier hand was corrected or finished since


def find_changed_tables(ledger: Ledger, since_position: int) -> ChangedTables:
    """Return the tables that changed after a position of the log."""
    select_new_hands = (
        "SELECT DISTINCT p.venue, p.tournament, p.name FROM hands AS h "
        "JOIN places AS p ON p.id = h.place WHERE h.position > ?"
    )
    select_table_streams = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ?"
    with ledger.database.reading() as connection:
        with_new_entries = {TableKey(*row) for row in connection.execute(select_new_hands, (since_position,))}
        rows = connection.execute(select_table_streams, (since_position, find_kind_code("table")))
        table_streams = {bytes(row[0]) for row in rows}
    with_changed_hands = set()
    for row in ledger.hands_of(find_continued_hands(ledger, since_position)):
        if row.position <= since_position:
            with_changed_hands.add(TableKey(row.venue, row.tournament, row.table))
    if table_streams - {table_stream(*table_key).bytes for table_key in with_new_entries}:
        with_new_entries |= {
            table_key for table_key in list_places(ledger) if table_stream(*table_key).bytes in table_streams
        }
    return ChangedTables(with_new_entries | with_changed_hands, with_changed_hands)


def find_continued_hands(ledger: Ledger, since_position: int) -> set[bytes]:
    """Return the stream ids of hands that were played on or corrected after a position of the log."""
    sql = "SELECT DISTINCT stream FROM log WHERE position > ? AND kind = ? AND version > 1"
    with ledger.database.reading() as connection:
        return {bytes(row[0]) for row in connection.execute(sql, (since_position, find_kind_code("hand")))}


def count_accounts(ledger: Ledger, table_key: TableKey, log_position: int | None = None) -> int:
    """Count a table's accounts of hands in the index, up to a position of the log or to its end."""
    log_position = ledger.head()[0] if log_position is None else log_position
    sql = (
        "SELECT count(*) FROM hands WHERE place = "
        "(SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?) AND position <= ?"
    )
    with ledger.database.reading() as connection:
        return int(connection.execute(sql, (*table_key, log_position)).fetchone()[0])
