"""What a shard is told, out of the spools into a log of its own: as an import of the same sources brings it in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from ledger import formats
from ledger.account import Reject, TableAccount
from ledger.house.events import SourceImported
from ledger.intake.accounts import AccountCache, Editions
from ledger.intake.games import GameTables
from ledger.intake.preparing import ChunkPart, PackedHand, PreparedHand
from ledger.intake.spooling import FlushMark, PieceEnd, SpooledCorrections, SpooledFacts, SpooledSource, SpoolItem
from ledger.intake.summary import ACCOUNTS_SHOWN, COUNTED, AccountSummary
from ledger.intake.writing import AccountWriter, ImportProgress
from ledger.notation import Format

if TYPE_CHECKING:
    from ledger.store import Ledger


class SourceArrival(msgspec.Struct):
    """What came of what a source told a shard."""

    counts: dict[str, int] = {}
    accounts: list[AccountSummary] = []
    rejects: list[Reject] = msgspec.field(name="refused", default_factory=list)  # corrections that did not fit


def import_spools(
    ledger: Ledger,
    items: Iterable[SpoolItem],
    passed: Container[int],
    family: Mapping[int, list[SourceImported]],
    at: int,
) -> dict[int, SourceArrival]:
    """Bring all into an empty ledger; say what came of each source, by its number.

    `passed` are sources that tell nothing; `family`, of a source, what was said of those before it that were read
    from the same places.
    """
    found: dict[int, SourceArrival] = {}
    arriving = _ShardImport(ledger, at)
    with ledger.bulk():
        current: _SourceImport | None = None
        for item in items:
            if isinstance(item, SpooledSource):
                if current is None or item.number != current.number:
                    _finish_source(found, current)
                    here = item.number not in passed
                    current = arriving.begin_source(item, family.get(item.number, [])) if here else None
            elif current is not None:
                current.add(item)
        _finish_source(found, current)
    return found


def _finish_source(found: dict[int, SourceArrival], current: _SourceImport | None) -> None:
    if current is not None:
        found[current.number] = current.finish()


class _ShardImport:
    """What all sources of a shard share."""

    def __init__(self, ledger: Ledger, at: int) -> None:
        self.ledger = ledger
        self.moment = at
        self.account_cache = AccountCache()
        self.game_tables = GameTables(ledger)
        self._editions = Editions(ledger)

    def begin_source(self, coming: SpooledSource, family: list[SourceImported]) -> _SourceImport:
        editions = self._editions
        if family:
            editions = Editions(self.ledger)
            for event in family:
                editions.learn(event)
        keys = set(coming.keys)
        writer = AccountWriter(
            self.ledger, coming.source, coming.reader, self.moment, ImportProgress(), editions, self.account_cache, keys
        )
        return _SourceImport(self, coming, formats.get(coming.format), writer)


class _SourceImport:
    """A source on its way, piece by piece."""

    def __init__(self, shared: _ShardImport, coming: SpooledSource, form: Format, writer: AccountWriter) -> None:
        self.number = coming.number
        self._shared, self._source, self._form, self._writer = shared, coming, form, writer
        self._arrival = SourceArrival()
        self._waiting: list[SpoolItem] = []  # of this piece, where its tables may be known under other names

    def add(self, item: SpoolItem) -> None:
        if self._form.named_by_file and not isinstance(item, PieceEnd):
            self._waiting.append(item)
            return
        if self._waiting:
            self._store_waiting()
        self._store_item(item)

    def _store_waiting(self) -> None:
        """Take a piece of which it is known only now at which tables its hands were."""
        told = [one for one in self._waiting if isinstance(one, PackedHand | SpooledFacts)]
        parts: list[ChunkPart] = [self._unpack(one) for one in told]
        names = iter(self._shared.game_tables.match_tables(self._source.source, parts))
        for one in self._waiting:
            if isinstance(one, PackedHand | SpooledFacts):
                self._add_part(one, next(names))
            else:
                self._store_item(one)
        self._waiting.clear()

    def _unpack(self, item: PackedHand | SpooledFacts) -> ChunkPart:
        return item.unpack(self._source.source, self._shared.moment) if isinstance(item, PackedHand) else item.account

    def _add_part(self, item: PackedHand | SpooledFacts, part: ChunkPart) -> None:
        if isinstance(part, PreparedHand):
            self._writer.add_hand(part)
        elif isinstance(item, SpooledFacts) and isinstance(part, TableAccount):
            self._writer.add_facts_after(part, item.number, item.facts_before)

    def _store_item(self, item: SpoolItem) -> None:
        if isinstance(item, PackedHand | SpooledFacts):
            self._add_part(item, self._unpack(item))
        elif isinstance(item, SpooledCorrections):
            amendment = item.amendment()
            refused = self._writer.add_amendment(amendment)
            self._arrival.rejects += [refused] if refused else []
        elif isinstance(item, FlushMark):
            self._writer.flush()
        elif isinstance(item, PieceEnd):
            self._writer.store(item.start, item.length)

    def finish(self) -> SourceArrival:
        self._writer.settle_facts()
        standing = self._writer.progress
        self._arrival.counts = {name: getattr(standing, name) for name in COUNTED if getattr(standing, name)}
        self._arrival.accounts = self._writer.accounts[:ACCOUNTS_SHOWN]
        return self._arrival
