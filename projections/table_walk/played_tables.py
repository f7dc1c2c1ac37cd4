"""List the tables of a ledger at which hands were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import TableKey

if TYPE_CHECKING:
    from ledger.store import Ledger


def list_places(ledger: Ledger) -> list[TableKey]:
    """Return the tables with hands, sorted by venue, tournament and name."""
    with ledger.database.reading() as connection:
        return sorted(
            TableKey(*row) for row in connection.execute("SELECT venue, tournament, name FROM places").fetchall()
        )
