"""A ledger laid out as a lake: which tables, and what the judgement of their hands is told of lines that nobody could read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.lake import layout, writing
from projections.findings.doubts import bits_of
from projections.queries.ledger_query import list_matching_hands
from projections.table_walk.unread_lines import by_place, spoiled

if TYPE_CHECKING:
    from ledger.lake.layout import Manifest
    from ledger.store import Ledger


def lay(
    ledger: Ledger,
    folder: Path,
    query: str = "",
    *,
    begins: str,
    hands: int = layout.HANDS,
    sources: bool = True,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Manifest:
    """Write a lake of the tables at which a hand fits the query, whole, or of all; return its manifest.

    What is there already is not written again. `begins`: when a gaming day begins, for the query;
    `jobs`: in so many processes.
    """
    if ledger.upto is None:
        ledger.upto = ledger.head()[0]  # what comes in meanwhile is of the next lake
    tables = list(ledger.tables())
    if query:
        fit = {(row.venue, row.tournament, row.table) for row in list_matching_hands(ledger, query, begins)}
        tables = [one for one in tables if one[:3] in fit]
    unread = {
        place: {stream: bits_of(one) for stream, one in some.items()}
        for place, some in by_place(ledger, spoiled(ledger)).items()
    }
    return writing.write(ledger, writing.Wanted(tables, query, hands, sources), unread, folder, progress, jobs=jobs)
