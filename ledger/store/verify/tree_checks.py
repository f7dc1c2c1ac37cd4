"""Recomputes the Merkle tree while the log is followed, and compares it with what was kept and signed.

Shares no code with what grows and signs the tree.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection

from ledger.store.commits import Problem
from ledger.store.database.raw_connection import there

_ROW: Final = 256
_HIGHEST: Final = 7  # level of a tree over more commits than there are positions


class Anchor(NamedTuple):
    """A root that was seen before, here or elsewhere: `what` says where it comes from."""

    what: str
    size: int
    root: bytes


class Tree:
    """The tree over the leaves so far; `check` compares it with the anchors of its size."""

    def __init__(self, connection: Connection, anchors: Sequence[Anchor]) -> None:
        self._connection = connection
        self._there = there(connection, "tiles")
        self._anchors: dict[int, list[Anchor]] = {}
        for anchor in (*anchors, *(_kept(connection) if self._there else ())):
            self._anchors.setdefault(anchor.size, []).append(anchor)
        self._rows: dict[int, list[bytes]] = {}  # by level what is not under a hash of the next one yet
        self._upto: dict[int, list[int]] = {}  # position of the last commit under each of them
        self._numbers: dict[int, int] = {}
        self.size = 0
        self._lost = False

    def lose(self) -> None:
        """Go on without a leaf that cannot be computed: no root can be compared from here on."""
        self._lost = True

    def add(self, leaf: bytes, position: int) -> Iterable[Problem]:
        """Take the next leaf, of the commit at this position; return what does not hold."""
        self.size += 1
        anchors = self._anchors.pop(self.size, ()) if self._anchors else ()
        if self._lost:
            return ()
        found = self._row(0, leaf, position)
        if not anchors:
            return found
        root = self._root()
        unlike = [
            Problem(None, "checkpoint", f"the first {self.size} commits are not those of {anchor.what}")
            for anchor in anchors
            if anchor.root != root
        ]
        return [*unlike, *found]

    def end(self) -> Iterator[Problem]:
        """Say what was signed or kept of commits that are not there any more."""
        for size, anchors in sorted(self._anchors.items()):
            if size == 0:
                continue
            for anchor in anchors:
                yield Problem(
                    None, "checkpoint", f"{anchor.what} is of {size} commits, the log has {self.size}: it was cut off"
                )
        if not self._there:
            if there(self._connection, "checkpoints") and self._signed():
                yield Problem(None, "tree", "the table tiles is gone: it holds the Merkle tree over what was signed")
            return
        for level, row in self._rows.items():
            if row and not self._lost:
                yield from self._compare(level, row, whole=False)
        yield from self._gaps()
        for level, number in self._connection.exec_driver_sql("SELECT level, number FROM tiles"):
            if not (0 <= level <= _HIGHEST) or number < 0 or (number * _ROW + 1) * _ROW**level > self.size:
                yield Problem(None, "tree", "the kept tree is longer than the log")

    def _gaps(self) -> Iterator[Problem]:
        """Say which rows of the kept tree are gone of what was signed: no proof can be given without them."""
        signed = self._signed()
        rows = self._connection.exec_driver_sql("SELECT level, number FROM tiles").all()
        kept = {(level, number) for level, number in rows}
        width, level = min(signed, self.size), 0
        while width > 0:  # a damaged size may be negative, and -1 // 256 is -1 again
            for number in range((width + _ROW - 1) // _ROW):
                if (level, number) not in kept:
                    yield Problem(None, "tree", f"the kept tree lacks level {level}, row {number}, of what was signed")
            width, level = width // _ROW, level + 1

    def _signed(self) -> int:
        """Return up to how many commits the ledger was signed, 0 where nobody signed it."""
        return self._connection.exec_driver_sql("SELECT max(size) FROM checkpoints").scalar_one() or 0

    def _root(self) -> bytes:
        stack: list[tuple[int, bytes]] = []  # leaves below, hash
        for level in sorted(self._rows, reverse=True):
            for one in self._rows[level]:
                stack.append((_ROW**level, one))
                while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
                    (count, right), (_, left) = stack.pop(), stack.pop()
                    stack.append((2 * count, _above(left, right)))
        found = stack.pop()[1]
        for _, left in reversed(stack):
            found = _above(left, found)
        return found

    def _row(self, level: int, found: bytes, position: int) -> Iterable[Problem]:
        row, upto = self._rows.setdefault(level, []), self._upto.setdefault(level, [])
        row.append(found)
        upto.append(position)
        if len(row) < _ROW:
            return ()
        unlike = [*self._compare(level, row, whole=True)] if self._there else []
        over = list(row)
        while len(over) > 1:
            over = [_above(over[at], over[at + 1]) for at in range(0, len(over), 2)]
        row.clear()
        upto.clear()
        self._numbers[level] = self._numbers.get(level, 0) + 1
        return [*unlike, *self._row(level + 1, over[0], position)]

    def _compare(self, level: int, row: list[bytes], *, whole: bool) -> Iterator[Problem]:
        number = self._numbers.get(level, 0)
        kept = self._connection.exec_driver_sql(
            f"SELECT data, upto FROM tiles WHERE level = {level} AND number = {number}"  # noqa: S608 - numbers
        ).fetchone()
        data = b"" if kept is None else bytes(kept[0])
        if whole and kept is None:
            return  # not sealed so far: the tree is grown when it is signed
        if b"".join(row)[: len(data)] != data or len(data) % 32:
            yield Problem(None, "tree", f"the kept tree differs from the log (level {level}, row {number})")
        elif kept is not None and (not data or kept[1] != self._upto[level][len(data) // 32 - 1]):
            yield Problem(
                None, "tree", f"the kept tree says of another commit that it ends there (level {level}, row {number})"
            )


def _above(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _kept(connection: Connection) -> Iterator[Anchor]:
    """Yield what the ledger's own checkpoints say; whether they are signed is another question."""
    for size, note in connection.exec_driver_sql("SELECT size, note FROM checkpoints"):
        lines = note.split("\n")
        try:
            told, root = int(lines[1]), base64.b64decode(lines[2], validate=True)
        except (IndexError, ValueError):
            told, root = -1, b""
        yield Anchor(f"the ledger's checkpoint of {size} commits", size, root if told == size else b"")
