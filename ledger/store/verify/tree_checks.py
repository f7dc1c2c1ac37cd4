"""Recompute the Merkle tree while the log is checked, and compare it with the kept tree and its signatures.

Shares no code with the modules that grow and sign the tree.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table

_ROW_NODES: Final = 256
_TOP_LEVEL: Final = 7  # level of a tree over more commits than there are positions


class Anchor(NamedTuple):
    """A root seen before, here or elsewhere; `label` names where it comes from, `name` does so in short."""

    label: str
    size: int
    root: bytes
    name: str = ""


class LogTree:
    """The tree over the leaves so far; compares its root with the anchors of its size."""

    def __init__(self, connection: Connection, anchors: Sequence[Anchor]) -> None:
        self._connection = connection
        self._has_tiles = has_table(connection, "tiles")
        self._anchors: dict[int, list[Anchor]] = {}
        for anchor in (*anchors, *(_read_checkpoint_anchors(connection) if self._has_tiles else ())):
            self._anchors.setdefault(anchor.size, []).append(anchor)
        self._rows: dict[int, list[bytes]] = {}  # by level: hashes without a parent yet
        self._last_positions: dict[int, list[int]] = {}  # position of the last commit under each of them
        self._numbers: dict[int, int] = {}
        self.size = 0
        self._has_skipped = False

    def skip_leaf(self) -> None:
        """Go on without a leaf that can't be computed: from here on, no root can be compared."""
        self._has_skipped = True

    def add_leaf(self, leaf: bytes, position: int) -> Iterable[IntegrityProblem]:
        """Add the leaf of the commit at this position; return the problems found."""
        self.size += 1
        size_anchors = self._anchors.pop(self.size, ()) if self._anchors else ()
        if self._has_skipped:
            return ()
        row_problems = self._add_node(0, leaf, position)
        if not size_anchors:
            return row_problems
        root = self._compute_root()
        anchor_problems = [
            IntegrityProblem(
                None, "checkpoint", f"the first {self.size} commits are not those of {anchor.name or anchor.label}"
            )
            for anchor in size_anchors
            if anchor.root != root
        ]
        return [*anchor_problems, *row_problems]

    def finish(self) -> Iterator[IntegrityProblem]:
        """Yield signatures and tiles over commits that are gone."""
        for size, anchors in sorted(self._anchors.items()):
            if size == 0:
                continue
            for anchor in anchors:
                subject = anchor.name or anchor.label
                reason = f"{subject} covers {size} commits, but the log has only {self.size}: its end was cut off"
                yield IntegrityProblem(None, "checkpoint", reason)
        if not self._has_tiles:
            if has_table(self._connection, "checkpoints") and self._signed_size():
                yield IntegrityProblem(
                    None, "tree", "the table tiles is gone: it holds the Merkle tree over what was signed"
                )
            return
        for level, node_row in self._rows.items():
            if node_row and not self._has_skipped:
                yield from self._compare_tile(level, node_row, is_full=False)
        yield from self._find_gaps()
        for level, number in self._connection.exec_driver_sql("SELECT level, number FROM tiles"):
            if (
                not (0 <= level <= _TOP_LEVEL)
                or number < 0
                or (number * _ROW_NODES + 1) * _ROW_NODES**level > self.size
            ):
                yield IntegrityProblem(None, "tree", "the kept tree is longer than the log")

    def _find_gaps(self) -> Iterator[IntegrityProblem]:
        """Yield the signed rows that the kept tree lacks: without them there is no proof."""
        signed_size = self._signed_size()
        rows = self._connection.exec_driver_sql("SELECT level, number FROM tiles").all()
        kept_rows = {(level, number) for level, number in rows}
        row_count, level = min(signed_size, self.size), 0
        while row_count > 0:  # a damaged size may be negative, and -1 // 256 is -1 again
            for number in range((row_count + _ROW_NODES - 1) // _ROW_NODES):
                if (level, number) not in kept_rows:
                    yield IntegrityProblem(
                        None, "tree", f"the kept tree lacks level {level}, row {number}, of what was signed"
                    )
            row_count, level = row_count // _ROW_NODES, level + 1

    def _signed_size(self) -> int:
        """Return how many commits the newest checkpoint covers, 0 if there is none."""
        return self._connection.exec_driver_sql("SELECT max(size) FROM checkpoints").scalar_one() or 0

    def _compute_root(self) -> bytes:
        stack: list[tuple[int, bytes]] = []  # leaves below, hash
        for level in sorted(self._rows, reverse=True):
            for node_hash in self._rows[level]:
                stack.append((_ROW_NODES**level, node_hash))
                while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
                    (leaf_count, right_hash), (_, left_hash) = stack.pop(), stack.pop()
                    stack.append((2 * leaf_count, _hash_parent(left_hash, right_hash)))
        root_hash = stack.pop()[1]
        for _, left_hash in reversed(stack):
            root_hash = _hash_parent(left_hash, root_hash)
        return root_hash

    def _add_node(self, level: int, node_hash: bytes, position: int) -> Iterable[IntegrityProblem]:
        node_row, positions = self._rows.setdefault(level, []), self._last_positions.setdefault(level, [])
        node_row.append(node_hash)
        positions.append(position)
        if len(node_row) < _ROW_NODES:
            return ()
        problems = [*self._compare_tile(level, node_row, is_full=True)] if self._has_tiles else []
        parent_hashes = list(node_row)
        while len(parent_hashes) > 1:
            parent_hashes = [
                _hash_parent(parent_hashes[child_index], parent_hashes[child_index + 1])
                for child_index in range(0, len(parent_hashes), 2)
            ]
        node_row.clear()
        positions.clear()
        self._numbers[level] = self._numbers.get(level, 0) + 1
        return [*problems, *self._add_node(level + 1, parent_hashes[0], position)]

    def _compare_tile(self, level: int, node_row: list[bytes], *, is_full: bool) -> Iterator[IntegrityProblem]:
        number = self._numbers.get(level, 0)
        kept_tile = self._connection.exec_driver_sql(
            f"SELECT data, upto FROM tiles WHERE level = {level} AND number = {number}"  # noqa: S608 - numbers
        ).fetchone()
        tile_bytes = b"" if kept_tile is None else bytes(kept_tile[0])
        if is_full and kept_tile is None:
            return  # not sealed yet: signing grows the tree
        if b"".join(node_row)[: len(tile_bytes)] != tile_bytes or len(tile_bytes) % 32:
            yield IntegrityProblem(None, "tree", f"the kept tree differs from the log (level {level}, row {number})")
        elif kept_tile is not None and (
            not tile_bytes or kept_tile[1] != self._last_positions[level][len(tile_bytes) // 32 - 1]
        ):
            yield IntegrityProblem(
                None, "tree", f"the kept tree ends a row at the wrong commit (level {level}, row {number})"
            )


def _hash_parent(left_hash: bytes, right_hash: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left_hash + right_hash).digest()


def _read_checkpoint_anchors(connection: Connection) -> Iterator[Anchor]:
    """Yield the roots of the ledger's own checkpoints; another check looks at signatures."""
    for size, note in connection.exec_driver_sql("SELECT size, note FROM checkpoints"):
        note_lines = note.split("\n")
        try:
            stated_size, stated_root = int(note_lines[1]), base64.b64decode(note_lines[2], validate=True)
        except (IndexError, ValueError):
            stated_size, stated_root = -1, b""
        yield Anchor(f"the ledger's checkpoint of {size} commits", size, stated_root if stated_size == size else b"")
