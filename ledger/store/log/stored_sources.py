"""Original bytes of what was imported: content-addressed, compressed, sliced in little memory.

`digest` is what a source is named by in the log: a salted digest of its SHA-256 (`ledger.people`); in
older ledgers the SHA-256 itself.
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
from ledger.people import SALT
from ledger.store.database.database import Database, Link
from ledger.store.log.row_numbers import Numbers, digest_of
from ledger.store.people.veil import NO_VEIL
from ledger.vocabulary import Millis, TextRef

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK: Final = 1 << 18
"""Bytes in a block, but for the last: the unit of compression, and of what a slice must unpack."""

_LEVEL: Final = 3
_AT_ONCE: Final = 32  # blocks written in one transaction
_STALE_MS: Final = 24 * 3600 * 1000
_STAGED: Final = "staged "
_CACHED: Final = 8


def imported_key(done: SourceImported, again: str = "") -> str:
    """Return the key under which it is said once that a source was read to its end."""
    return f"imported:{done.source}:{done.reader}:{done.new}:{done.rejected}" + again


class Hashing(Protocol):
    """A digest that takes bytes as they come."""

    def update(self, data: bytes, /) -> None:
        """Take more bytes."""


class Progress(NamedTuple):
    """How far an unfinished import has come: bytes dealt with, and what the importer wrote down."""

    upto: int
    state: str = ""


class SourceRow(NamedTuple):
    """One source. `length` None: the ledger knows of it, and has not its bytes."""

    digest: str
    length: int | None
    name: TextRef


class Sources:
    """The sources of one ledger."""

    def __init__(
        self,
        database: Database,
        numbers: Numbers,
        clock: Callable[[], Millis],
        writing: Callable[[], AbstractContextManager[Link]],
        identify: Callable[[bytes], tuple[bytes, bytes]],
    ) -> None:
        """`identify`: of a SHA-256 what a source is named by, and the salt of that; see `People.source_id`."""
        self._identify = identify
        self._database = database
        self._numbers = numbers
        self._clock = clock
        self._writing = writing
        self.veil = NO_VEIL
        self._cache: OrderedDict[tuple[int, int], bytes] = OrderedDict()

    def put(self, data: bytes | Iterable[bytes], name: TextRef = "") -> str:
        """Keep the bytes of a source, all or nothing; return by what it is named, hex.

        `data` may come in pieces of any size; not more than some blocks are held in memory.
        `name` is a reference of `People.text`. Bytes that are kept already are not kept twice.
        """
        if isinstance(data, bytes | bytearray | memoryview):
            data = bytes(data)
            made = self._identify(sha256(data).digest())[0].hex()
            if self.kept(made):
                return made
            data = (data,)
        whole = sha256()
        number, length = self._stage()
        try:
            for piece in _batches(_packed(data, whole)):
                with self._writing() as link:
                    rows = [(number, start, size, packed) for start, size, packed in piece]
                    link.executemany("INSERT INTO blocks (source, start, length, data) VALUES (?, ?, ?, ?)", rows)
                length = rows[-1][1] + rows[-1][2]
        except BaseException:
            with self._writing() as link:
                _drop(link, number)
            raise
        return self._name(number, whole.digest(), length, name)

    def _stage(self) -> tuple[int, int]:
        """Make room for a source whose digest is not known yet; clear what a crash left behind."""
        now = self._clock()
        with self._writing() as link:
            self._database.read_head(link)  # on both stores, nobody else gives out numbers now
            staged = link.execute("SELECT id, name FROM sources WHERE digest IS NULL").fetchall()
            for number, name in staged:
                if int(name.removeprefix(_STAGED)) < now - _STALE_MS:
                    _drop(link, number)
            row = link.execute("SELECT coalesce(max(id), 0) + 1 FROM sources").fetchone()
            link.execute(
                "INSERT INTO sources (id, digest, length, name) VALUES (?, NULL, NULL, ?)", (row[0], f"{_STAGED}{now}")
            )
        return row[0], 0

    def _name(self, number: int, plain: bytes, length: int, name: TextRef) -> str:
        """Give staged blocks what names them; if it is there already, they were not needed."""
        digest, salt = self._identify(plain)
        with self._writing() as link:
            self._database.read_head(link)
            row = link.execute("SELECT id, length FROM sources WHERE digest = ?", (digest,)).fetchone()
            if row is None:
                link.execute(
                    "UPDATE sources SET digest = ?, length = ?, name = ? WHERE id = ?", (digest, length, name, number)
                )
            elif row[1] is None:  # named by a commit before its bytes came
                link.execute("UPDATE blocks SET source = ? WHERE source = ?", (row[0], number))
                link.execute("UPDATE sources SET length = ?, name = ? WHERE id = ?", (length, name, row[0]))
                link.execute("DELETE FROM sources WHERE id = ?", (number,))
            else:
                _drop(link, number)
            if salt and (row is None or row[1] is None):
                link.execute(
                    "INSERT INTO salts (id, salt) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest.hex(), salt + plain)
                )
        return digest.hex()

    def call(self, digest: str, name: TextRef) -> None:
        """Know a source by its id and name, without its bytes, and without what would let them be tried."""
        with self._writing() as link:
            number, _ = self._numbers.source(link, digest)
            link.execute("UPDATE sources SET name = ? WHERE id = ? AND length IS NULL", (name, number))

    def sha256s(self) -> dict[str, str]:
        """Return the SHA-256 of the bytes of each source, hex, by what the ledger names it.

        Of a source whose bytes are not kept, or of which a name was taken out, it is not known.
        """
        if self.veil.bytes_:  # of an older copy: they would tell names that were forgotten since
            return {}
        with self._database.reading() as link:
            salted = link.execute("SELECT value FROM about WHERE name = 'ids'").fetchone()
            if salted is None or not salted[0].startswith("salted:"):
                return {row.digest: row.digest for row in self}
            rows = link.execute("SELECT id, salt FROM salts WHERE length(id) = 64").fetchall()
        return {one: bytes(salt)[SALT:].hex() for one, salt in rows}

    def kept(self, digest: str) -> bool:
        """Return whether the bytes of a source are in the ledger."""
        found = self.find(digest)
        return found is not None and found[1] is not None

    def find(self, digest: str) -> tuple[int, int | None] | None:
        """Return number and length of a source, None if it is unknown."""
        with self._database.reading() as link:
            row = link.execute("SELECT id, length FROM sources WHERE digest = ?", (digest_of(digest),)).fetchone()
        return None if row is None else (row[0], row[1])

    def __iter__(self) -> Iterator[SourceRow]:
        """Yield every source, in the order in which they came."""
        with self._database.reading() as link:
            rows = link.execute(
                "SELECT digest, length, name FROM sources WHERE digest IS NOT NULL ORDER BY id"
            ).fetchall()
        for digest, length, name in rows:
            yield SourceRow(bytes(digest).hex(), length, name)

    def length(self, digest: str) -> int:
        """Return how many bytes a source has."""
        return self._known(digest)[1]

    def get(self, digest: str) -> bytes:
        """Return all bytes of a source."""
        return b"".join(self.read(digest))

    def read(self, digest: str) -> Iterator[bytes]:
        """Yield the bytes of a source, block by block."""
        number, length = self._known(digest)
        for start in range(0, length, BLOCK):
            yield self._block(number, start)

    def slice(self, digest: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a source from `start` on; fewer where it ends before."""
        number, whole = self._known(digest)
        end = min(start + length, whole)
        if start < 0 or start >= end:
            return b""
        pieces = [self._block(number, at) for at in range(start - start % BLOCK, end, BLOCK)]
        first = start % BLOCK
        return b"".join(pieces)[first : first + end - start]

    def _known(self, digest: str) -> tuple[int, int]:
        found = self.find(digest)
        if found is None or found[1] is None:
            raise NothingFoundError(f"the bytes of source {digest[:12]} are not in this ledger")
        return found[0], found[1]

    def _block(self, number: int, start: int) -> bytes:
        block = self._cache.get((number, start))
        if block is not None:
            self._cache.move_to_end((number, start))
            return block
        block = self._stored(number, start)
        if block is None:
            raise IntegrityError(f"source {number} lacks its bytes from {start} on")
        if self.veil.bytes_:
            reach = self.veil.reach
            before = self._stored(number, start - BLOCK) or b"" if start else b""
            behind = self._stored(number, start + BLOCK) or b""
            block = self.veil.block(before[-reach:], block, behind[:reach])
        self._cache[number, start] = block
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return block

    def _stored(self, number: int, start: int) -> bytes | None:
        with self._database.reading() as link:
            row = link.execute(
                "SELECT data, length FROM blocks WHERE source = ? AND start = ?", (number, start)
            ).fetchone()
        return None if row is None else unpack(row[0], row[1])

    def forget(self) -> None:
        """Forget the blocks that are remembered: what lies in the database has changed."""
        self._cache.clear()

    def progress(self, digest: str, reader: str = "") -> Progress | None:
        """Return how far an unfinished import of a source has come; None if none has begun."""
        with self._database.reading() as link:
            row = link.execute(
                "SELECT p.upto, p.state FROM progress AS p JOIN sources AS s ON s.id = p.source "
                "WHERE s.digest = ? AND p.reader = ?",
                (digest_of(digest), reader),
            ).fetchone()
        return None if row is None else Progress(row[0], row[1])

    def advance(self, link: Link, digest: str, reader: str, to: Progress) -> None:
        """Write down how far an import has come, inside the transaction of what it appended."""
        number, _ = self._numbers.source(link, digest)
        link.execute(
            "INSERT INTO progress (source, reader, upto, state) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (source, reader) DO UPDATE SET upto = excluded.upto, "
            "state = excluded.state",
            (number, reader, to.upto, to.state),
        )

    def done(self, link: Link, digest: str, reader: str) -> None:
        """Forget the progress of an import that came to its end."""
        number, _ = self._numbers.source(link, digest)
        link.execute("DELETE FROM progress WHERE source = ? AND reader = ?", (number, reader))


def unpack(packed: bytes, length: int) -> bytes:
    """Return the bytes of a block; a damaged one, or one of another length, is an error."""
    if not 0 <= length <= BLOCK:
        raise IntegrityError(f"a block of a source says that it has {length} bytes")
    try:
        block = zstd.ZstdDecompressor().decompress(packed, max_length=length + 1)
    except (zstd.ZstdError, EOFError) as error:
        raise IntegrityError(f"a block of a source is damaged: {error}") from error
    if len(block) != length:
        raise IntegrityError(f"a block of a source has {len(block)} bytes instead of {length}")
    return block


def _packed(data: Iterable[bytes], whole: Hashing) -> Iterator[tuple[int, int, bytes]]:
    """Cut pieces of any size into blocks: start, length, compressed bytes."""
    waiting = bytearray()
    start = 0
    for piece in data:
        whole.update(piece)
        view = memoryview(piece)
        while view:
            room = BLOCK - len(waiting)
            waiting += view[:room]
            view = view[room:]
            if len(waiting) == BLOCK:
                yield start, BLOCK, zstd.compress(bytes(waiting), _LEVEL)
                start += BLOCK
                waiting.clear()
    if waiting or not start:
        yield start, len(waiting), zstd.compress(bytes(waiting), _LEVEL)


def _batches(blocks: Iterator[tuple[int, int, bytes]]) -> Iterator[list[tuple[int, int, bytes]]]:
    some: list[tuple[int, int, bytes]] = []
    for block in blocks:
        some.append(block)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _drop(link: Link, number: int) -> None:
    link.execute("DELETE FROM blocks WHERE source = ?", (number,))
    link.execute("DELETE FROM sources WHERE id = ?", (number,))
