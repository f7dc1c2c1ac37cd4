"""Import a shard's part of the spools into its own log, as an import of the same sources would."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from ledger import formats
from ledger.account import Reject, TableAccount
from ledger.house.events import SourceImported
from ledger.intake.account_cache import AccountCache
from ledger.intake.account_writer import AccountWriter
from ledger.intake.accounts import Editions
from ledger.intake.chunk_preparation import ChunkPart, PackedHand, PreparedHand
from ledger.intake.games import GameTables
from ledger.intake.import_progress import ImportProgress
from ledger.intake.source_drafts import SourceReading
from ledger.intake.spools import FlushMark, PieceEnd, SpooledCorrections, SpooledFacts, SpooledSource, SpoolItem
from ledger.intake.summary import ACCOUNTS_SHOWN, COUNTED, AccountSummary
from ledger.notation import Format

if TYPE_CHECKING:
    from ledger.store import Ledger


class SourceArrival(msgspec.Struct):
    """The result of importing a source's hands into a shard."""

    counts: dict[str, int] = {}
    accounts: list[AccountSummary] = []
    rejects: list[Reject] = msgspec.field(name="refused", default_factory=list)  # corrections that didn't fit


def import_spools(
    ledger: Ledger,
    items: Iterable[SpoolItem],
    passed_sources: Container[int],
    families: Mapping[int, list[SourceImported]],
    moment: int,
) -> dict[int, SourceArrival]:
    """Import spooled items into an empty ledger. Return the result of each source by its number.

    `passed_sources`: numbers of sources without hands. `families`: number of a source → the events of its earlier
    editions.
    """
    arrivals: dict[int, SourceArrival] = {}
    shard_import = _ShardImport(ledger, moment)
    with ledger.bulk():
        source_import: _SpooledImport | None = None
        for item in items:
            if isinstance(item, SpooledSource):
                if source_import is None or item.number != source_import.number:
                    _finish_source(arrivals, source_import)
                    is_wanted = item.number not in passed_sources
                    source_import = (
                        shard_import.begin_source(item, families.get(item.number, [])) if is_wanted else None
                    )
            elif source_import is not None:
                source_import.add(item)
        _finish_source(arrivals, source_import)
    return arrivals


def _finish_source(arrivals: dict[int, SourceArrival], source_import: _SpooledImport | None) -> None:
    if source_import is not None:
        arrivals[source_import.number] = source_import.finish()


class _ShardImport:
    """The state that all sources of a shard share."""

    def __init__(self, ledger: Ledger, moment: int) -> None:
        self.ledger = ledger
        self.moment = moment
        self.account_cache = AccountCache()
        self.game_tables = GameTables(ledger)
        self._editions = Editions(ledger)

    def begin_source(self, source: SpooledSource, family: list[SourceImported]) -> _SpooledImport:
        editions = self._editions
        if family:
            editions = Editions(self.ledger)
            for event in family:
                editions.learn(event)
        reading = SourceReading(source.source, source.reader, self.moment, frozenset(source.keys))
        writer = AccountWriter(self.ledger, reading, ImportProgress(), editions, self.account_cache)
        return _SpooledImport(self, source, formats.get(source.format), writer)


class _SpooledImport:
    """One source, imported piece by piece."""

    def __init__(
        self, shard_import: _ShardImport, source: SpooledSource, source_format: Format, writer: AccountWriter
    ) -> None:
        self.number = source.number
        self._shard_import, self._source, self._format, self._writer = shard_import, source, source_format, writer
        self._arrival = SourceArrival()
        self._waiting: list[SpoolItem] = []  # of this piece, if the ledger may have other names for its tables

    def add(self, item: SpoolItem) -> None:
        if self._format.is_named_by_file and not isinstance(item, PieceEnd):
            self._waiting.append(item)
            return
        if self._waiting:
            self._store_waiting()
        self._store_item(item)

    def _store_waiting(self) -> None:
        """Store the waiting items of a piece at the tables that the ledger has for them."""
        table_items = [item for item in self._waiting if isinstance(item, PackedHand | SpooledFacts)]
        parts: list[ChunkPart] = [self._unpack(item) for item in table_items]
        moved_parts = iter(self._shard_import.game_tables.match_tables(self._source.source, parts))
        for item in self._waiting:
            if isinstance(item, PackedHand | SpooledFacts):
                self._add_part(item, next(moved_parts))
            else:
                self._store_item(item)
        self._waiting.clear()

    def _unpack(self, item: PackedHand | SpooledFacts) -> ChunkPart:
        return (
            item.unpack(self._source.source, self._shard_import.moment)
            if isinstance(item, PackedHand)
            else item.account
        )

    def _add_part(self, item: PackedHand | SpooledFacts, part: ChunkPart) -> None:
        if isinstance(part, PreparedHand):
            self._writer.add_hand(part)
        elif isinstance(item, SpooledFacts) and isinstance(part, TableAccount):
            self._writer.add_facts_after(part, item.number, item.facts_before)

    def _store_item(self, item: SpoolItem) -> None:
        if isinstance(item, PackedHand | SpooledFacts):
            self._add_part(item, self._unpack(item))
        elif isinstance(item, SpooledCorrections):
            amendment = item.unpack_amendment()
            reject = self._writer.add_amendment(amendment)
            self._arrival.rejects += [reject] if reject else []
        elif isinstance(item, FlushMark):
            self._writer.flush()
        elif isinstance(item, PieceEnd):
            self._writer.store(item.start, item.length)

    def finish(self) -> SourceArrival:
        self._writer.void_dropped_facts()
        progress = self._writer.progress
        self._arrival.counts = {name: getattr(progress, name) for name in COUNTED if getattr(progress, name)}
        self._arrival.accounts = self._writer.listed_accounts[:ACCOUNTS_SHOWN]
        return self._arrival
