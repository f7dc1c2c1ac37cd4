"""The tables of a ledger at which hands were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import Place

if TYPE_CHECKING:
    from ledger.store import Ledger


def places(ledger: Ledger) -> list[Place]:
    """Return the tables in an order that does not hang on when they came."""
    with ledger.database.reading() as link:
        return sorted(Place(*row) for row in link.execute("SELECT venue, tournament, name FROM places").fetchall())
