"""Count the findings of a report's hands by dealer and clause."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select

from projections.queries.finding_facets import build_dealer_map
from projections.tables.sittings import hand_dealers
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.store import HandRow, Ledger
    from projections.queries.facet_documents import DealerMap


def map_dealers(
    ledger: Ledger, rows: Sequence[HandRow], clauses_by_position: Mapping[int, Sequence[str]]
) -> DealerMap | None:
    """Return findings by dealer and clause, or None if no dealer is recorded or nothing was found.

    `clauses_by_position`: the clauses of each hand's findings, by the hand's position in the ledger.
    """
    if not clauses_by_position:
        return None
    dealers = _read_dealers(ledger, rows)
    hand_counts = Counter(dealers.get(row.position, "") for row in rows)
    pair_counts = Counter(
        (dealers.get(position, ""), clause) for position, clauses in clauses_by_position.items() for clause in clauses
    )
    return build_dealer_map(hand_counts, pair_counts)


def _read_dealers(ledger: Ledger, rows: Sequence[HandRow]) -> dict[int, str]:
    """Return the recorded dealer of each hand by its position."""
    positions = [row.position for row in rows]
    statement = select(hand_dealers.c.position, hand_dealers.c.dealer).where(
        hand_dealers.c.position.between(min(positions), max(positions))
    )
    with open_tables(ledger, [], seats=True) as (table_store, _), table_store.core() as connection:
        return {
            position: ledger.people.name(dealer) or f"({dealer[:6]})"
            for position, dealer in connection.execute(statement)
            if dealer
        }
