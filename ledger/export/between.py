"""Find the table facts between hands, to export them with the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.account import TableAccount
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import put_in_order

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.table.standing_accounts import TableEntry


class _Neighbours(NamedTuple):
    """The hand before a hand ("" = first), the facts between them, and the facts after the last hand."""

    previous_hand: str
    facts_before: TableAccount | None
    facts_after: TableAccount | None = None


class TableFacts:
    """The facts of tables between the hands of an export.

    Facts between two hands are exported only if both hands are.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Read the facts from a ledger."""
        self._ledger = ledger
        self._neighbours_by_table: dict[TableKey, dict[str, _Neighbours]] = {}
        self._last_hands: dict[TableKey, str] = {}  # the last exported hand of each table

    def facts_around(self, hand_row: HandRow) -> tuple[TableAccount | None, TableAccount | None]:
        """Return the facts to write before a hand and after it."""
        table_key, hand_id = TableKey(hand_row.venue, hand_row.tournament, hand_row.table), hand_row.stream.hex
        if table_key not in self._neighbours_by_table:
            self._neighbours_by_table[table_key] = self._walk_table(table_key)
        neighbours = self._neighbours_by_table[table_key].get(hand_id)
        previous_hand, self._last_hands[table_key] = self._last_hands.get(table_key, ""), hand_id
        if neighbours is None or neighbours.previous_hand != previous_hand:
            return None, None
        return neighbours.facts_before, neighbours.facts_after

    def _walk_table(self, table_key: TableKey) -> dict[str, _Neighbours]:
        neighbours: dict[str, _Neighbours] = {}
        waiting_entries: list[TableEntry] = []
        previous_hand = ""
        for entry in put_in_order(table_entries(self._ledger, table_key)):
            if isinstance(entry.event, HandPlayed):
                neighbours[entry.event.hand] = _Neighbours(
                    previous_hand, _build_table_account(table_key, waiting_entries)
                )
                previous_hand, waiting_entries = entry.event.hand, []
            elif not isinstance(entry.event, TableOpened):
                waiting_entries.append(entry)
        if previous_hand:
            neighbours[previous_hand] = neighbours[previous_hand]._replace(
                facts_after=_build_table_account(table_key, waiting_entries)
            )
        return neighbours


def _build_table_account(table_key: TableKey, entries: list[TableEntry]) -> TableAccount | None:
    if not entries:
        return None
    event_times = {index: entry.time for index, entry in enumerate(entries) if entry.time is not None}
    return TableAccount(
        table_key.venue,
        table_key.table,
        [entry.event for entry in entries],
        [],
        0,
        0,
        table_key.tournament,
        times=event_times,
    )
