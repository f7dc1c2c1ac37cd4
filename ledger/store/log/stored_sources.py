"""Store the original bytes of imports: content-addressed, compressed, sliced with little memory.

`digest` is the name of a source in the log: a salted digest of its SHA-256 (`ledger.people`); in older
ledgers the SHA-256 itself.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from ledger.errors import IntegrityError, NothingFoundError
from ledger.house.events import SourceImported
from ledger.people import SALT_BYTES
from ledger.store.database.database import Database, Link
from ledger.store.log.row_numbers import RowNumbers, digest_of
from ledger.store.people.veil import NO_VEIL
from ledger.vocabulary import Millis, TextRef

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK_BYTES: Final = 1 << 18
"""Bytes of a block, except the last: the unit of compression, and of unpacking for a slice."""

_LEVEL: Final = 3
_BLOCKS_PER_BATCH: Final = 32  # blocks written in one transaction
_STALE_MS: Final = 24 * 3600 * 1000
_STAGED_PREFIX: Final = "staged "
_CACHED_BLOCKS: Final = 8


def build_imported_key(imported: SourceImported, key_suffix: str = "") -> str:
    """Return the append key of the record that a source was read to its end."""
    return f"imported:{imported.source}:{imported.reader}:{imported.new}:{imported.rejected}" + key_suffix


class Hashing(Protocol):
    """A digest that takes bytes as they come."""

    def update(self, data: bytes, /) -> None:
        """Add bytes."""


class SourceProgress(NamedTuple):
    """Progress of an unfinished import: bytes read, and the importer's own state."""

    upto: int
    state: str = ""


class SourceRow(NamedTuple):
    """One source. `length` None: the ledger doesn't have its bytes."""

    digest: str
    length: int | None
    name: TextRef


class SourceStore:
    """The sources of one ledger."""

    def __init__(
        self,
        database: Database,
        numbers: RowNumbers,
        clock: Callable[[], Millis],
        writing: Callable[[], AbstractContextManager[Link]],
        identify: Callable[[bytes], tuple[bytes, bytes]],
    ) -> None:
        """Take what storing needs; `identify` returns a source's name and salt for a SHA-256: see `People.source_id`."""
        self._identify = identify
        self._database = database
        self._numbers = numbers
        self._clock = clock
        self._writing = writing
        self.veil = NO_VEIL
        self._cache: OrderedDict[tuple[int, int], bytes] = OrderedDict()

    def store(self, data: bytes | Iterable[bytes], name: TextRef = "") -> str:
        """Store the bytes of a source, all or nothing; return its digest, hex.

        `data` may come in pieces of any size; memory holds only some blocks. `name` is a reference of
        `People.text`. Bytes stored already aren't stored twice.
        """
        if isinstance(data, bytes | bytearray | memoryview):
            data = bytes(data)
            source_digest = self._identify(sha256(data).digest())[0].hex()
            if self.has_bytes(source_digest):
                return source_digest
            data = (data,)
        source_hash = sha256()
        number, length = self._stage()
        try:
            for piece in _batch_blocks(_compress_blocks(data, source_hash)):
                with self._writing() as link:
                    rows = [(number, start, size, packed) for start, size, packed in piece]
                    link.executemany("INSERT INTO blocks (source, start, length, data) VALUES (?, ?, ?, ?)", rows)
                length = rows[-1][1] + rows[-1][2]
        except BaseException:
            with self._writing() as link:
                _drop_source(link, number)
            raise
        return self._name_source(number, source_hash.digest(), length, name)

    def _stage(self) -> tuple[int, int]:
        """Stage a source whose digest isn't known yet; clear the leftovers of a crash."""
        current_time = self._clock()
        with self._writing() as link:
            self._database.read_head(link)  # on both stores, nobody else assigns numbers now
            staged = link.execute("SELECT id, name FROM sources WHERE digest IS NULL").fetchall()
            for number, name in staged:
                if int(name.removeprefix(_STAGED_PREFIX)) < current_time - _STALE_MS:
                    _drop_source(link, number)
            row = link.execute("SELECT coalesce(max(id), 0) + 1 FROM sources").fetchone()
            link.execute(
                "INSERT INTO sources (id, digest, length, name) VALUES (?, NULL, NULL, ?)",
                (row[0], f"{_STAGED_PREFIX}{current_time}"),
            )
        return row[0], 0

    def _name_source(self, number: int, plain_digest: bytes, length: int, name: TextRef) -> str:
        """Name staged blocks by their digest; drop them if the source is stored already."""
        digest, salt = self._identify(plain_digest)
        with self._writing() as link:
            self._database.read_head(link)
            row = link.execute("SELECT id, length FROM sources WHERE digest = ?", (digest,)).fetchone()
            if row is None:
                link.execute(
                    "UPDATE sources SET digest = ?, length = ?, name = ? WHERE id = ?", (digest, length, name, number)
                )
            elif row[1] is None:  # a commit named it before its bytes came
                link.execute("UPDATE blocks SET source = ? WHERE source = ?", (row[0], number))
                link.execute("UPDATE sources SET length = ?, name = ? WHERE id = ?", (length, name, row[0]))
                link.execute("DELETE FROM sources WHERE id = ?", (number,))
            else:
                _drop_source(link, number)
            if salt and (row is None or row[1] is None):
                link.execute(
                    "INSERT INTO salts (id, salt) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    (digest.hex(), salt + plain_digest),
                )
        return digest.hex()

    def register_source(self, digest: str, name: TextRef) -> None:
        """Register a source by digest and name, without its bytes and without a salt."""
        with self._writing() as link:
            number, _ = self._numbers.source(link, digest)
            link.execute("UPDATE sources SET name = ? WHERE id = ? AND length IS NULL", (name, number))

    def sha256s(self) -> dict[str, str]:
        """Return the SHA-256 of each source's bytes, hex, by its digest in the ledger.

        Sources without stored bytes, or with a redacted name, are left out.
        """
        if self.veil.bytes_:  # in an older copy, they could reveal names erased since
            return {}
        with self._database.reading() as link:
            salted = link.execute("SELECT value FROM about WHERE name = 'ids'").fetchone()
            if salted is None or not salted[0].startswith("salted:"):
                return {row.digest: row.digest for row in self}
            rows = link.execute("SELECT id, salt FROM salts WHERE length(id) = 64").fetchall()
        return {source_digest: bytes(salt)[SALT_BYTES:].hex() for source_digest, salt in rows}

    def has_bytes(self, digest: str) -> bool:
        """Return whether the bytes of a source are in the ledger."""
        source_row = self.find(digest)
        return source_row is not None and source_row[1] is not None

    def find(self, digest: str) -> tuple[int, int | None] | None:
        """Return number and length of a source, None if it's unknown."""
        with self._database.reading() as link:
            row = link.execute("SELECT id, length FROM sources WHERE digest = ?", (digest_of(digest),)).fetchone()
        return None if row is None else (row[0], row[1])

    def __iter__(self) -> Iterator[SourceRow]:
        """Yield every source, in the order of import."""
        with self._database.reading() as link:
            rows = link.execute(
                "SELECT digest, length, name FROM sources WHERE digest IS NOT NULL ORDER BY id"
            ).fetchall()
        for digest, length, name in rows:
            yield SourceRow(bytes(digest).hex(), length, name)

    def length(self, digest: str) -> int:
        """Return how many bytes a source has."""
        return self._find_known(digest)[1]

    def read_all(self, digest: str) -> bytes:
        """Return all bytes of a source."""
        return b"".join(self.read(digest))

    def read(self, digest: str) -> Iterator[bytes]:
        """Yield the bytes of a source, block by block."""
        number, length = self._find_known(digest)
        for start in range(0, length, BLOCK_BYTES):
            yield self._block(number, start)

    def slice(self, digest: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a source from `start` on; fewer if it ends before."""
        number, source_length = self._find_known(digest)
        slice_end = min(start + length, source_length)
        if start < 0 or start >= slice_end:
            return b""
        pieces = [
            self._block(number, block_start)
            for block_start in range(start - start % BLOCK_BYTES, slice_end, BLOCK_BYTES)
        ]
        first_byte = start % BLOCK_BYTES
        return b"".join(pieces)[first_byte : first_byte + slice_end - start]

    def _find_known(self, digest: str) -> tuple[int, int]:
        source_row = self.find(digest)
        if source_row is None or source_row[1] is None:
            raise NothingFoundError(f"the bytes of source {digest[:12]} are not in this ledger")
        return source_row[0], source_row[1]

    def _block(self, number: int, start: int) -> bytes:
        block = self._cache.get((number, start))
        if block is not None:
            self._cache.move_to_end((number, start))
            return block
        block = self._read_block(number, start)
        if block is None:
            raise IntegrityError(f"source {number} lacks its bytes from {start} on")
        if self.veil.bytes_:
            reach = self.veil.reach
            bytes_before = self._read_block(number, start - BLOCK_BYTES) or b"" if start else b""
            bytes_after = self._read_block(number, start + BLOCK_BYTES) or b""
            block = self.veil.block(bytes_before[-reach:], block, bytes_after[:reach])
        self._cache[number, start] = block
        if len(self._cache) > _CACHED_BLOCKS:
            self._cache.popitem(last=False)
        return block

    def _read_block(self, number: int, start: int) -> bytes | None:
        with self._database.reading() as link:
            row = link.execute(
                "SELECT data, length FROM blocks WHERE source = ? AND start = ?", (number, start)
            ).fetchone()
        return None if row is None else unpack_block(row[0], row[1])

    def forget(self) -> None:
        """Clear the cached blocks, since the database has changed."""
        self._cache.clear()

    def progress(self, digest: str, reader: str = "") -> SourceProgress | None:
        """Return the progress of an unfinished import, None if there is none."""
        with self._database.reading() as link:
            row = link.execute(
                "SELECT p.upto, p.state FROM progress AS p JOIN sources AS s ON s.id = p.source "
                "WHERE s.digest = ? AND p.reader = ?",
                (digest_of(digest), reader),
            ).fetchone()
        return None if row is None else SourceProgress(row[0], row[1])

    def advance(self, link: Link, digest: str, reader: str, import_progress: SourceProgress) -> None:
        """Store the progress of an import, inside the transaction of its appends."""
        number, _ = self._numbers.source(link, digest)
        link.execute(
            "INSERT INTO progress (source, reader, upto, state) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (source, reader) DO UPDATE SET upto = excluded.upto, "
            "state = excluded.state",
            (number, reader, import_progress.upto, import_progress.state),
        )

    def end_progress(self, link: Link, digest: str, reader: str) -> None:
        """Delete the progress of a finished import."""
        number, _ = self._numbers.source(link, digest)
        link.execute("DELETE FROM progress WHERE source = ? AND reader = ?", (number, reader))


def unpack_block(packed: bytes, length: int) -> bytes:
    """Return the bytes of a block; raise if it's damaged or has another length."""
    if not 0 <= length <= BLOCK_BYTES:
        raise IntegrityError(f"a block of a source says that it has {length} bytes")
    try:
        block = zstd.ZstdDecompressor().decompress(packed, max_length=length + 1)
    except (zstd.ZstdError, EOFError) as error:
        raise IntegrityError(f"a block of a source is damaged: {error}") from error
    if len(block) != length:
        raise IntegrityError(f"a block of a source has {len(block)} bytes instead of {length}")
    return block


def _compress_blocks(data: Iterable[bytes], source_hash: Hashing) -> Iterator[tuple[int, int, bytes]]:
    """Cut pieces of any size into blocks: start, length, compressed bytes."""
    waiting = bytearray()
    start = 0
    for piece in data:
        source_hash.update(piece)
        view = memoryview(piece)
        while view:
            room_left = BLOCK_BYTES - len(waiting)
            waiting += view[:room_left]
            view = view[room_left:]
            if len(waiting) == BLOCK_BYTES:
                yield start, BLOCK_BYTES, zstd.compress(bytes(waiting), _LEVEL)
                start += BLOCK_BYTES
                waiting.clear()
    if waiting or not start:
        yield start, len(waiting), zstd.compress(bytes(waiting), _LEVEL)


def _batch_blocks(blocks: Iterator[tuple[int, int, bytes]]) -> Iterator[list[tuple[int, int, bytes]]]:
    block_batch: list[tuple[int, int, bytes]] = []
    for block in blocks:
        block_batch.append(block)
        if len(block_batch) == _BLOCKS_PER_BATCH:
            yield block_batch
            block_batch = []
    if block_batch:
        yield block_batch


def _drop_source(link: Link, number: int) -> None:
    link.execute("DELETE FROM blocks WHERE source = ?", (number,))
    link.execute("DELETE FROM sources WHERE id = ?", (number,))
