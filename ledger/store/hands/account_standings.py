"""Where the hands of a ledger's index belong: which account of each stands. A table is looked at only if it has to be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import Place, Standing

if TYPE_CHECKING:
    from ledger.store.commits import HandRow
    from ledger.store.log.event_log import Log


class Accounts:
    """The accounts of one reading of a ledger. A table is looked at only where a number was told twice."""

    def __init__(self, ledger: Log) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._places: dict[Place, dict[str, Standing]] = {}

    def placed(self, rows: Iterator[HandRow]) -> Iterator[HandRow]:
        """Yield rows of the index, each with what its table says of it."""
        for row in rows:
            if row.accounts == 1:
                yield row
                continue
            place = Place(row.venue, row.tournament, row.table)
            if place not in self._places:
                self._places[place] = self._standings(place)
            found = self._places[place].get(row.stream.hex)
            if found is None:  # the table was not told of it: by an older program, or by none
                found = Standing(1, row.account, row.account == 1)
            session, account, stands, _ = found
            yield row._replace(session=session, account=account, stands=stands)

    def _standings(self, place: Place) -> dict[str, Standing]:
        from ledger.store.hands.table_streams import standings, told  # noqa: PLC0415 - few numbers are told twice

        return standings(told(self._ledger, place))
