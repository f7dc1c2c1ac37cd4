"""The kept Merkle tree over the log, grown from the stored rows.

A leaf is a commit, in the order of the log. Growing reads each row back, hashes it again and checks
its link, so that a signature covers the rows in the database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ledger import chain
from ledger.errors import IntegrityError
from ledger.seal import proof_errors
from ledger.seal.tree import HASH_SIZE, TreePeaks, hash_node
from ledger.store.commits import Commit
from ledger.store.database.database import Database, Link
from ledger.store.log.log_reader import PAGE, LogReader

TILE_WIDTH: Final = 256
"""Hashes in a full tile; a level of tiles is eight levels of the tree."""

_LEVELS_PER_TILE: Final = 8
_UPSERT_TILE: Final = (
    "INSERT INTO tiles (level, number, upto, data) VALUES (?, ?, ?, ?) ON CONFLICT (level, number) "
    "DO UPDATE SET upto = excluded.upto, data = excluded.data"
)


class KeptTree(NamedTuple):
    """The kept tree: how many commits it covers, the last position, and its root."""

    size: int
    position: int
    root: bytes


class MerkleTiles:
    """The kept tree of one ledger. Its methods take the link of their transaction."""

    def __init__(self, database: Database, reader: LogReader) -> None:
        """Take the database and the reader of its log."""
        self._database = database
        self._reader = reader

    def create_tables(self) -> None:
        """Create the tables of the tree where a ledger lacks them."""
        if self.has_tables():
            return
        from ledger.store.database.tables import META, checkpoints, tiles  # noqa: PLC0415 - it loads SQLAlchemy, once in a ledger

        with self._database.core(write=True) as core:
            META.create_all(core, tables=[tiles, checkpoints])

    def has_tables(self) -> bool:
        """Return whether this ledger has the tables of the tree."""
        return self._database.has_table("tiles")

    def sealed_position(self) -> int:
        """Return the position up to which the tree covers the log, 0 if nothing was ever signed."""
        if not self.has_tables():
            return 0
        with self._database.reading() as link:
            return self.read_tree(link).position

    def read_tree(self, link: Link) -> KeptTree:
        """Return the kept tree without growing it."""
        size, position, _, peaks = self._read_end(link)
        return KeptTree(size, position, TreePeaks(size, peaks).compute_root())

    def grow_tree(self, link: Link, on_progress: Callable[[int], None] | None = None) -> KeptTree:
        """Add every commit that the tree lacks; `on_progress` gets the size now and then.

        Raises `IntegrityError` if a row isn't what was recorded: nothing may be signed then.
        """
        size, position, last_tile, _ = self._read_end(link)
        last_hash = chain.START
        if position:
            last_commit = self._reader.commit_at(link, position)
            if last_commit is None or last_commit.position != position:
                raise IntegrityError("the log ends before the tree that was kept of it")
            last_hash = last_commit.hash
        open_tiles: dict[int, list[bytes]] = {0: last_tile}  # level → hashes of its last, unfinished tile
        while True:
            page = self._reader.page(link, position)
            for commit in page:
                leaf = hash_commit_leaf(commit)
                last_hash = chain.compute_link(last_hash, leaf)
                if last_hash != commit.hash:
                    raise IntegrityError(
                        f"the commit at position {commit.position} is not what was recorded",
                        "handledger verify says more.",
                    )
                position = commit.position
                self._add_hash(link, open_tiles, 0, leaf, size, position)
                size += 1
            if on_progress is not None:
                on_progress(size)
            if len(page) < PAGE:
                break
        if open_tiles[0]:
            link.execute(_UPSERT_TILE, (0, size // TILE_WIDTH, position, b"".join(open_tiles[0])))
        _, _, _, peaks = self._read_end(link)
        return KeptTree(size, position, TreePeaks(size, peaks).compute_root())

    def _add_hash(
        self, link: Link, open_tiles: dict[int, list[bytes]], level: int, node_hash: bytes, index: int, position: int
    ) -> None:
        """Append a hash to its level; a full tile is stored and its root goes one level up."""
        number = index // TILE_WIDTH
        tile_hashes = open_tiles.get(level)
        if tile_hashes is None:
            tile_hashes = open_tiles[level] = self._read_tile(link, level, number)[: index % TILE_WIDTH]
        tile_hashes.append(node_hash)
        if len(tile_hashes) == TILE_WIDTH:
            link.execute(_UPSERT_TILE, (level, number, position, b"".join(tile_hashes)))
            parent_hash = _compute_root_over(tile_hashes)
            tile_hashes.clear()
            self._add_hash(link, open_tiles, level + 1, parent_hash, number, position)
        elif level:
            link.execute(_UPSERT_TILE, (level, number, position, b"".join(tile_hashes)))

    def _read_tile(self, link: Link, level: int, number: int) -> list[bytes]:
        tile_row = link.execute("SELECT data FROM tiles WHERE level = ? AND number = ?", (level, number)).fetchone()
        data = b"" if tile_row is None else bytes(tile_row[0])
        return [data[byte_offset : byte_offset + HASH_SIZE] for byte_offset in range(0, len(data), HASH_SIZE)]

    def _read_end(self, link: Link) -> tuple[int, int, list[bytes], list[bytes]]:
        """Return size, position, the hashes of the last leaf tile if unfinished, and the peaks."""
        last_row = link.execute(
            "SELECT number, upto, data FROM tiles WHERE level = 0 ORDER BY number DESC LIMIT 1"
        ).fetchone()
        if last_row is None:
            return 0, 0, [], []
        data = bytes(last_row[2])
        size = last_row[0] * TILE_WIDTH + len(data) // HASH_SIZE
        tile_hashes = [data[byte_offset : byte_offset + HASH_SIZE] for byte_offset in range(0, len(data), HASH_SIZE)]
        hash_of = self.node_reader(link)
        peaks, first_leaf = [], 0
        for level in reversed(range(size.bit_length())):
            if size >> level & 1:
                peaks.append(hash_of(level, first_leaf >> level))
                first_leaf += 1 << level
        return size, last_row[1], tile_hashes if len(tile_hashes) < TILE_WIDTH else [], peaks

    def node_reader(self, link: Link) -> Callable[[int, int], bytes]:
        """Return a function from level and index to the hash of a complete node, for proofs; it caches tiles."""
        tiles_read: dict[tuple[int, int], list[bytes]] = {}

        def hash_of(level: int, index: int) -> bytes:
            tile_level, level_in_tile = divmod(level, _LEVELS_PER_TILE)
            first_hash = index << level_in_tile
            number, hash_index = divmod(first_hash, TILE_WIDTH)
            tile = tiles_read.get((tile_level, number))
            if tile is None:
                tile = tiles_read[tile_level, number] = self._read_tile(link, tile_level, number)
            if hash_index + (1 << level_in_tile) > len(tile):
                raise proof_errors.tree_node_missing()
            return _compute_root_over(tile[hash_index : hash_index + (1 << level_in_tile)])

        return hash_of

    def leaf_index(self, link: Link, position: int) -> int:
        """Return which leaf of the tree holds the event at a position."""
        tile_row = link.execute(
            "SELECT number FROM tiles WHERE level = 0 AND upto >= ? ORDER BY number LIMIT 1", (position,)
        ).fetchone()
        if tile_row is None:
            raise proof_errors.event_not_sealed()
        number: int = tile_row[0]
        previous_tile = link.execute("SELECT upto FROM tiles WHERE level = 0 AND number = ?", (number - 1,)).fetchone()
        count = link.execute(
            "SELECT count(*) FROM log WHERE position > ? AND position < ?",
            (0 if previous_tile is None else previous_tile[0], position),
        ).fetchone()
        return number * TILE_WIDTH + int(count[0])


def hash_commit_leaf(commit: Commit) -> bytes:
    """Return the Merkle leaf of a commit."""
    return chain.hash_leaf(encode_commit(commit))


def encode_commit(commit: Commit) -> bytes:
    """Return the hashed bytes of a commit."""
    clock, writer = commit.writer
    return chain.encode_entry(
        commit.position,
        commit.count,
        commit.code,
        commit.stream_bytes,
        commit.version,
        commit.at,
        clock.encode(),
        writer.encode(),
        (commit.key or "").encode(),
        bytes.fromhex(commit.source) if commit.source else b"",
        commit.start or 0,
        commit.length or 0,
        commit.marks,
        commit.data,
    )


def _compute_root_over(hashes: list[bytes]) -> bytes:
    """Return the root over hashes whose number is a power of two."""
    while len(hashes) > 1:
        hashes = [hash_node(hashes[child_index], hashes[child_index + 1]) for child_index in range(0, len(hashes), 2)]
    return hashes[0]
