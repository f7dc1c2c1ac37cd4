"""Tell which account of each hand in the index counts. Reads a table's stream only if needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import AccountStanding, TableKey

if TYPE_CHECKING:
    from ledger.store.commits import HandRow
    from ledger.store.log.event_log import EventLog


class AccountStandings:
    """Standings of accounts for one reading of a ledger. Reads tables only where a number repeats."""

    def __init__(self, ledger: EventLog) -> None:
        """Take the ledger to read."""
        self._ledger = ledger
        self._places: dict[TableKey, dict[str, AccountStanding]] = {}

    def add_standings(self, rows: Iterator[HandRow]) -> Iterator[HandRow]:
        """Yield rows of the index, each with its standing at its table."""
        for row in rows:
            if row.accounts == 1:
                yield row
                continue
            place = TableKey(row.venue, row.tournament, row.table)
            if place not in self._places:
                self._places[place] = self._read_standings(place)
            account_standing = self._places[place].get(row.stream.hex)
            if account_standing is None:  # the table's stream lacks the hand, as an older program left it
                account_standing = AccountStanding(1, row.account, row.account == 1)
            session, account, is_standing, _ = account_standing
            yield row._replace(session=session, account=account, stands=is_standing)

    def _read_standings(self, place: TableKey) -> dict[str, AccountStanding]:
        from ledger.store.hands.table_streams import standings, table_entries  # noqa: PLC0415 - few numbers repeat

        return standings(table_entries(self._ledger, place))
