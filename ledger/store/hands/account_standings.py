"""Where the hands of a ledger's index belong: which account of each stands. A table is looked at only if it has to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import AccountStanding, TableKey

if TYPE_CHECKING:
    from ledger.store.commits import HandRow
    from ledger.store.log.event_log import EventLog


class AccountStandings:
    """The accounts of one reading of a ledger. A table is looked at only where a number was told twice."""

    def __init__(self, ledger: EventLog) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._places: dict[TableKey, dict[str, AccountStanding]] = {}

    def with_standings(self, rows: Iterator[HandRow]) -> Iterator[HandRow]:
        """Yield rows of the index, each with what its table says of it."""
        for row in rows:
            if row.accounts == 1:
                yield row
                continue
            place = TableKey(row.venue, row.tournament, row.table)
            if place not in self._places:
                self._places[place] = self._standings(place)
            account_standing = self._places[place].get(row.stream.hex)
            if account_standing is None:  # the table was not told of it: by an older program, or by none
                account_standing = AccountStanding(1, row.account, row.account == 1)
            session, account, is_standing, _ = account_standing
            yield row._replace(session=session, account=account, stands=is_standing)

    def _standings(self, place: TableKey) -> dict[str, AccountStanding]:
        from ledger.store.hands.table_streams import standings, table_entries  # noqa: PLC0415 - few numbers are told twice

        return standings(table_entries(self._ledger, place))
