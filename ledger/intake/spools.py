"""Spools: files with the items of several sources, divided by shard, until a worker imports a shard.

One worker reads sources from start to end. Another imports everything about some tables into a log. The spools in
between have each shard's items in the order of the sources, with the ends of their pieces. So the log becomes the same
as in an import of the same sources.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeAlias

import msgspec

from ledger.account import Amendment, CorrectionReader, Reject, TableAccount
from ledger.decoders import build_msgpack_decoder
from ledger.formats.handscript.correction_lines import read_behind
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import HandOpened
from ledger.intake import import_errors
from ledger.intake.chunk_preparation import PackedHand, PreparedHand
from ledger.intake.import_progress import ImportProgress
from ledger.streams import find_shard

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_COMPRESSION_LEVEL: Final = 3
_BLOCK_BYTES: Final = 256 * 1024
_MAX_HELD_BYTES: Final = 16 * 1024 * 1024
"""Bytes in memory that cause the blocks of all shards to be written, even if they aren't full."""


class SpooledSource(msgspec.Struct, array_like=True, tag="s"):
    """Marks the start of a source's items."""

    number: int  # of the source in its spool, or in all spools
    source: str  # its name
    reader: str
    format: str
    keys: list[str]  # of its `SourceOrigins`


class SpooledFacts(msgspec.Struct, array_like=True, tag="b"):
    """Facts about a table, and what they follow in their source: a hand of any table, and other facts."""

    account: TableAccount
    number: str
    facts_before: int


class SpooledCorrections(msgspec.Struct, array_like=True, tag="c"):
    """Corrections of a hand elsewhere, with the lines that come with each."""

    opened: HandOpened
    corrections: list[tuple[CorrectionMade, tuple[str, ...]]]
    start: int
    length: int
    line: int

    def unpack_amendment(self) -> Amendment:
        """Return the amendment as it was read."""
        corrections: list[tuple[CorrectionMade, CorrectionReader]] = [
            (correction, partial(read_behind, lines)) for correction, lines in self.corrections
        ]
        return Amendment(self.opened, corrections, self.start, self.length, self.line)


class FlushMark(msgspec.Struct, array_like=True, tag="f"):
    """Marks a correction of a hand in the same piece, so what came before is stored first."""


class PieceEnd(msgspec.Struct, array_like=True, tag="e"):
    """Marks the end of a piece, which is stored in one transaction."""

    start: int
    length: int


SpoolItem: TypeAlias = SpooledSource | PackedHand | SpooledFacts | SpooledCorrections | FlushMark | PieceEnd

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = build_msgpack_decoder(SpoolItem).decode
_FLUSH_MARK: Final = FlushMark()


class Spool:
    """A spool that is being written."""

    def __init__(self, path: Path, shards: int) -> None:
        """Take the path of an empty file, and how many shards there will be."""
        self.shards = shards
        self._link = sqlite3.connect(path, isolation_level=None)
        self._link.execute("PRAGMA journal_mode = OFF")
        self._link.execute("PRAGMA synchronous = OFF")
        self._link.execute("CREATE TABLE parts (shard INTEGER, at INTEGER, data BLOB, PRIMARY KEY (shard, at)) STRICT")
        self._link.execute("BEGIN")
        self._blocks: dict[int, bytearray] = {}
        self._held_bytes = self._block_number = 0
        self._last_sources: dict[int, int] = {}  # by shard: the source of its last items

    def add(self, shard: int, source: SpooledSource, item: SpoolItem) -> None:
        """Add an item of a source for a shard."""
        if self._last_sources.get(shard) != source.number:
            self._last_sources[shard] = source.number
            self._append(shard, source)
        self._append(shard, item)

    def _append(self, shard: int, item: SpoolItem) -> None:
        encoded_item = _encode(item)
        block = self._blocks.setdefault(shard, bytearray())
        block += len(encoded_item).to_bytes(4, "big") + encoded_item
        self._held_bytes += len(encoded_item)
        if len(block) >= _BLOCK_BYTES:
            self._write_block(shard)
        elif self._held_bytes >= _MAX_HELD_BYTES:
            for full_shard in [*self._blocks]:
                self._write_block(full_shard)

    def _write_block(self, shard: int) -> None:
        block = self._blocks.pop(shard)
        self._held_bytes -= len(block)
        self._block_number += 1
        try:
            self._link.execute(
                "INSERT INTO parts VALUES (?, ?, ?)",
                (shard, self._block_number, zstd.compress(block, _COMPRESSION_LEVEL)),
            )
        except sqlite3.Error as error:
            raise import_errors.spool_full(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write the remaining items, or nothing after an error."""
        try:
            if kind is not None:
                return
            for shard in [*self._blocks]:
                self._write_block(shard)
            self._link.execute("COMMIT")
        except sqlite3.Error as error:
            raise import_errors.spool_full(str(error)) from error
        finally:
            self._link.close()


def read_spools(spools: Sequence[tuple[Path, int]], shard: int) -> Iterator[SpoolItem]:
    """Yield the items of a shard, spool by spool, with one block in memory.

    `spools`: each with the number of sources read before its own.
    """
    for path, earlier_sources in spools:
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as link:
                for (compressed_block,) in link.execute("SELECT data FROM parts WHERE shard = ? ORDER BY at", (shard,)):
                    block = memoryview(zstd.decompress(compressed_block))
                    item_end = 0
                    while item_end < len(block):
                        item_start = item_end + 4
                        item_end = item_start + int.from_bytes(block[item_end:item_start], "big")
                        item = _decode(block[item_start:item_end])
                        if isinstance(item, SpooledSource):
                            item.number += earlier_sources
                        yield item
        except (sqlite3.Error, zstd.ZstdError, msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise import_errors.damaged_spool(path, str(error)) from error


class SpoolWriter:
    """Takes the items of one source, as `AccountWriter` does, and adds them to a spool."""

    def __init__(self, spool: Spool, source: SpooledSource) -> None:
        """Take the spool and the source."""
        self.progress = ImportProgress()
        self.rejects: list[Reject] = []
        self.has_corrections = False
        self._spool, self._source = spool, source
        self._fact_count = 0  # facts since the last hand
        self._touched_shards: dict[int, bool] = {}  # shards with items of this piece
        self._numbers: set[str] = set()  # of hands since the start of the piece or the last flush

    def _add(self, shard: int, item: SpoolItem) -> None:
        self._touched_shards[shard] = True
        self._spool.add(shard, self._source, item)

    def _find_shard(self, venue: str, tournament: str, table: str) -> int:
        return find_shard(venue, tournament, table, self._spool.shards)

    def add_hand(self, hand: PreparedHand) -> None:
        """Add a hand."""
        opened = hand.opened
        self.progress.number, self._fact_count = opened.number, 0
        self.progress.unwitnessed += not opened.witnesses
        self._numbers.add(opened.number)
        self._add(self._find_shard(opened.venue, opened.tournament, opened.table), hand.pack())

    def add_facts(self, account: TableAccount) -> None:
        """Add facts about a table."""
        shard = self._find_shard(account.venue, account.tournament, account.table)
        self._add(shard, SpooledFacts(account, self.progress.number, self._fact_count))
        self._fact_count += 1

    def add_amendment(self, amendment: Amendment) -> Reject | None:
        """Add corrections. Whether they fit is checked where the hand is."""
        opened = amendment.opened
        self.has_corrections = True
        if opened.number in self._numbers:
            for shard in self._touched_shards:
                self._spool.add(shard, self._source, _FLUSH_MARK)
            self._numbers.clear()
        corrections = [
            (correction, tuple(getattr(reread, "args", ((),))[0])) for correction, reread in amendment.corrections
        ]
        self._add(
            self._find_shard(opened.venue, opened.tournament, opened.table),
            SpooledCorrections(opened, corrections, amendment.start, amendment.length, amendment.line),
        )
        return None

    def add_reject(self, reject: Reject) -> None:
        """Add a span that can't be read."""
        self.rejects.append(reject)

    def store(self, start: int, length: int) -> None:
        """End a piece."""
        for shard in self._touched_shards:
            self._spool.add(shard, self._source, PieceEnd(start, length))
        self._touched_shards, self._numbers = {}, set()
