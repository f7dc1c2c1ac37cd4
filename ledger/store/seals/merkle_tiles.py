"""The Merkle tree over the log as it is kept: grown from the stored rows, never from what was meant.

A leaf is a commit, in the order of the log. Growing reads each row back, hashes it again and checks
its link, so that what is signed is what lies in the database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ledger import chain
from ledger.errors import IntegrityError, NotSealedError, ProofError
from ledger.seal.tree import HASH, Peaks, node
from ledger.store.commits import Commit
from ledger.store.database.database import Database, Link
from ledger.store.log.log_reader import PAGE, Reader

WIDTH: Final = 256
"""Hashes in a full tile; a level of tiles is eight levels of the tree."""

_STEP: Final = 8
_PUT: Final = (
    "INSERT INTO tiles (level, number, upto, data) VALUES (?, ?, ?, ?) ON CONFLICT (level, number) "
    "DO UPDATE SET upto = excluded.upto, data = excluded.data"
)


class Grown(NamedTuple):
    """The tree as kept: how many commits it covers, up to which position, and its root."""

    size: int
    position: int
    root: bytes


class Tiles:
    """The kept tree of one ledger. Its methods take the link of the transaction they belong to."""

    def __init__(self, database: Database, reader: Reader) -> None:
        """Take the database and how its log is read."""
        self._database = database
        self._reader = reader

    def prepare(self) -> None:
        """Make the tables of the tree in a ledger that has none yet."""
        if self.there():
            return
        from ledger.store.database.tables import META, checkpoints, tiles  # noqa: PLC0415 - it loads SQLAlchemy, once in a ledger

        with self._database.core(write=True) as core:
            META.create_all(core, tables=[tiles, checkpoints])

    def there(self) -> bool:
        """Whether this ledger has the tables of the tree."""
        return self._database.has_table("tiles")

    def reached(self) -> int:
        """Return the position up to which the log is in the tree; 0 if nothing was ever signed."""
        if not self.there():
            return 0
        with self._database.reading() as link:
            return self.kept(link).position

    def kept(self, link: Link) -> Grown:
        """Return the tree as it is kept now, without growing it."""
        size, position, _, peaks = self._end(link)
        return Grown(size, position, Peaks(size, peaks).root())

    def grow(self, link: Link, told: Callable[[int], None] | None = None) -> Grown:
        """Take in every commit that is not in the tree yet; `told` hears the size now and then.

        `IntegrityError` where a row is not what was recorded: nothing of it may be signed.
        """
        size, position, row, _ = self._end(link)
        before = chain.START
        if position:
            last = self._reader.at(link, position)
            if last is None or last.position != position:
                raise IntegrityError("the log ends before the tree that was kept of it")
            before = last.hash
        rows: dict[int, list[bytes]] = {0: row}  # level → hashes of its last, unfinished tile
        while True:
            page = self._reader.page(link, position)
            for commit in page:
                leaf = leaf_of(commit)
                before = chain.link(before, leaf)
                if before != commit.hash:
                    raise IntegrityError(
                        f"the commit at position {commit.position} is not what was recorded",
                        "handledger verify says more.",
                    )
                position = commit.position
                self._add(link, rows, 0, leaf, size, position)
                size += 1
            if told is not None:
                told(size)
            if len(page) < PAGE:
                break
        if rows[0]:
            link.execute(_PUT, (0, size // WIDTH, position, b"".join(rows[0])))
        _, _, _, peaks = self._end(link)
        return Grown(size, position, Peaks(size, peaks).root())

    def _add(
        self, link: Link, rows: dict[int, list[bytes]], level: int, found: bytes, index: int, position: int
    ) -> None:
        """Put a hash behind the others of its level; a tile that is full is kept and passed up."""
        number = index // WIDTH
        row = rows.get(level)
        if row is None:
            row = rows[level] = self._tile(link, level, number)[: index % WIDTH]
        row.append(found)
        if len(row) == WIDTH:
            link.execute(_PUT, (level, number, position, b"".join(row)))
            above = _over(row)
            row.clear()
            self._add(link, rows, level + 1, above, number, position)
        elif level:
            link.execute(_PUT, (level, number, position, b"".join(row)))

    def _tile(self, link: Link, level: int, number: int) -> list[bytes]:
        found = link.execute("SELECT data FROM tiles WHERE level = ? AND number = ?", (level, number)).fetchone()
        data = b"" if found is None else bytes(found[0])
        return [data[at : at + HASH] for at in range(0, len(data), HASH)]

    def _end(self, link: Link) -> tuple[int, int, list[bytes], list[bytes]]:
        """Return size, position, the hashes of the last leaf tile if unfinished, and the peaks."""
        last = link.execute(
            "SELECT number, upto, data FROM tiles WHERE level = 0 ORDER BY number DESC LIMIT 1"
        ).fetchone()
        if last is None:
            return 0, 0, [], []
        data = bytes(last[2])
        size = last[0] * WIDTH + len(data) // HASH
        row = [data[at : at + HASH] for at in range(0, len(data), HASH)]
        of = self.node(link)
        peaks, start = [], 0
        for level in reversed(range(size.bit_length())):
            if size >> level & 1:
                peaks.append(of(level, start >> level))
                start += 1 << level
        return size, last[1], row if len(row) < WIDTH else [], peaks

    def node(self, link: Link) -> Callable[[int, int], bytes]:
        """Return what gives the hash of a complete node, for proofs. Tiles read are remembered."""
        read: dict[tuple[int, int], list[bytes]] = {}

        def of(level: int, index: int) -> bytes:
            tall, rest = divmod(level, _STEP)
            first = index << rest
            number, at = divmod(first, WIDTH)
            tile = read.get((tall, number))
            if tile is None:
                tile = read[tall, number] = self._tile(link, tall, number)
            if at + (1 << rest) > len(tile):
                raise ProofError("the kept tree has no such node: seal the ledger again")
            return _over(tile[at : at + (1 << rest)])

        return of

    def leaf(self, link: Link, position: int) -> int:
        """Return which leaf of the tree holds the event at a position."""
        row = link.execute(
            "SELECT number FROM tiles WHERE level = 0 AND upto >= ? ORDER BY number LIMIT 1", (position,)
        ).fetchone()
        if row is None:
            raise NotSealedError("the event is not in the sealed part of the log", "Seal the ledger first.")
        number: int = row[0]
        before = link.execute("SELECT upto FROM tiles WHERE level = 0 AND number = ?", (number - 1,)).fetchone()
        count = link.execute(
            "SELECT count(*) FROM log WHERE position > ? AND position < ?",
            (0 if before is None else before[0], position),
        ).fetchone()
        return number * WIDTH + int(count[0])


def leaf_of(commit: Commit) -> bytes:
    """Return the Merkle leaf of a commit as it was read."""
    return chain.leaf(entry_of(commit))


def entry_of(commit: Commit) -> bytes:
    """Return the bytes of a commit that are hashed."""
    clock, by = commit.writer
    return chain.entry(
        commit.position,
        commit.count,
        commit.code,
        commit.stream_bytes,
        commit.version,
        commit.at,
        clock.encode(),
        by.encode(),
        (commit.key or "").encode(),
        bytes.fromhex(commit.source) if commit.source else b"",
        commit.start or 0,
        commit.length or 0,
        commit.marks,
        commit.data,
    )


def _over(row: list[bytes]) -> bytes:
    """Return the root over hashes whose number is a power of two."""
    while len(row) > 1:
        row = [node(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]
