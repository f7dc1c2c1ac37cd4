"""What a ledger's tables were told between their hands, to be written beside the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.account import TableAccount
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import in_order

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.table.standing import Told


class _Around(NamedTuple):
    """The hand before one, "" for none, and what was told between them and, if it is the last, behind it."""

    previous: str
    before: TableAccount | None
    behind: TableAccount | None = None


class Between:
    """Facts of tables, given with the hands that are written one behind the other.

    A hand whose neighbour is not written stands alone: what lies between them is not its own.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._tables: dict[TableKey, dict[str, _Around]] = {}
        self._last: dict[TableKey, str] = {}  # the hand of each table that was written last

    def around(self, row: HandRow) -> tuple[TableAccount | None, TableAccount | None]:
        """Return what is to be written before a hand, and behind it."""
        place, hand = TableKey(row.venue, row.tournament, row.table), row.stream.hex
        if place not in self._tables:
            self._tables[place] = self._walked(place)
        found = self._tables[place].get(hand)
        last, self._last[place] = self._last.get(place, ""), hand
        if found is None or found.previous != last:
            return None, None
        return found.before, found.behind

    def _walked(self, place: TableKey) -> dict[str, _Around]:
        found: dict[str, _Around] = {}
        waiting: list[Told] = []
        last = ""
        for one in in_order(table_entries(self._ledger, place)):
            if isinstance(one.event, HandPlayed):
                found[one.event.hand] = _Around(last, _facts(place, waiting))
                last, waiting = one.event.hand, []
            elif not isinstance(one.event, TableOpened):
                waiting.append(one)
        if last:
            found[last] = found[last]._replace(behind=_facts(place, waiting))
        return found


def _facts(place: TableKey, told: list[Told]) -> TableAccount | None:
    if not told:
        return None
    times = {index: one.at for index, one in enumerate(told) if one.at is not None}
    return TableAccount(place.venue, place.table, [one.event for one in told], [], 0, 0, place.tournament, times=times)
