"""Build a lake from a ledger: its tables, with bits that mark the hands that unread lines may affect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.lake import layout, shard_writer
from projections.findings.doubts import pack_unread
from projections.queries.ledger_query import list_matching_hands
from projections.table_walk.unread_lines import find_unread_lines, group_by_table

if TYPE_CHECKING:
    from ledger.lake.layout import LakeManifest
    from ledger.store import Ledger


def build_lake(
    ledger: Ledger,
    folder: Path,
    query: str = "",
    *,
    day_start: str,
    hands_per_shard: int = layout.HANDS_PER_SHARD,
    sources: bool = True,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda _count, _total: None,
) -> LakeManifest:
    """Write a lake of all tables, or of those with a hand that matches the query; return its manifest.

    The lake contains the ledger up to `ledger.upto`. If that isn't set, it's set to the current end of the log, so later
    events are left to the next lake. Shards that exist already aren't written again. `day_start`: when a gaming day
    begins, for the query. `hands_per_shard` is approximate. `sources`: also store the bytes of the sources. `jobs`: the
    number of processes.
    """
    if ledger.upto is None:
        ledger.upto = ledger.head()[0]
    tables = list(ledger.tables())
    if query:
        matching_tables = {
            (row.venue, row.tournament, row.table) for row in list_matching_hands(ledger, query, day_start)
        }
        tables = [table for table in tables if (table.venue, table.tournament, table.table) in matching_tables]
    unread_bits = {
        table_key: {stream: pack_unread(unread_lines) for stream, unread_lines in hands_of_table.items()}
        for table_key, hands_of_table in group_by_table(ledger, find_unread_lines(ledger)).items()
    }
    return shard_writer.write_lake(
        ledger,
        shard_writer.LakeSelection(tables, query, hands_per_shard, sources),
        unread_bits,
        folder,
        progress,
        jobs=jobs,
    )
