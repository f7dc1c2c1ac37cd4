"""What stands in a lake proved by the checkpoint that lies in it: the Merkle tree of its log, recomputed from the files."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from ledger.errors import IntegrityError, NotSealedError, ProofError
from ledger.lake import layout
from ledger.lake.layout import Manifest, Receipt
from ledger.seal.note import Proof, read_checkpoint, read_note
from ledger.seal.tree import HASH, inclusion, part

_ROWS: Final = 1_000
_COMMIT: Final = [name for name, _ in layout.COMMIT]
_LEAVES: Final = [name for name, _ in layout.LEAVES]


class Log(NamedTuple):
    """What of a lake was signed: by which ledger, and in which files the commits or their leaves lie that were."""

    ledger: str
    shards: Sequence[Receipt]
    house: Receipt | None  # the stream that says who signed; None: `key` does
    logs: Sequence[Sequence[Receipt]]  # the files of each log; the tree is over all of them, one log after the other
    checkpoint: str  # the note, "" = none
    key: str = ""


def log_of(found: Manifest) -> Log:
    """Return what of a lake was signed; `NotSealedError` of one that files went straight into and nobody signed."""
    if found.straight is None:
        files = [*found.shards, found.house, *([found.leaves] if found.leaves else [])]
        return Log(found.ledger, found.shards, found.house, [files], found.checkpoint)
    if not found.checkpoint:
        raise NotSealedError(
            "files went straight into this lake, and nobody signed it, so no hand of it can be proved or cited",
            "handledger seal --lake LAKE signs it.",
        )
    return Log(found.ledger, found.shards, None, logs_of(found), found.checkpoint, found.key)


def logs_of(found: Manifest) -> list[list[Receipt]]:
    """Return the files of each log of a lake that files went straight into."""
    files = (found.house, *found.shards)
    told = zip(files, found.straight.logs if found.straight else (), strict=True)
    return [[one, *([log.leaves] if log.leaves else [])] for one, log in told]


class Tree:
    """The tree over the commits of a log, up to its checkpoint: some 80 bytes of each are in memory."""

    def __init__(self, lake: Path, log: Log) -> None:
        """Take the folder and the log, and read every file of it.

        `NotSealedError` where it has no checkpoint, `ProofError` where the files do not come to what was signed,
        `IntegrityError` where one is not what was written.
        """
        if not log.checkpoint:
            raise NotSealedError("the lake has no signed checkpoint, so nothing of it can be proved", _of(log))
        self._again = _of(log)
        self.note = log.checkpoint
        self.point = read_checkpoint(read_note(log.checkpoint))
        size = self.point.size
        if not size:
            raise NotSealedError("the lake's checkpoint was signed before anything was in it", _of(log))
        self._ends: dict[str, array[int]] = {}  # of each log, by its first file: where its commits end
        self._starts: dict[str, int] = {}  # and which leaf is its first
        self._levels = [bytearray()]
        count = 0
        for files in log.logs:
            ends, leaves = read_log(lake, files)
            self._ends[files[0].name], self._starts[files[0].name] = ends, count
            self._levels[0] += leaves[: HASH * max(size - count, 0)]
            count += len(ends)
        if count < size:
            raise ProofError(f"the checkpoint is of {size:,} commits, the lake is of {count:,}", _of(log))
        while len(self._levels[-1]) >= 2 * HASH:
            self._levels.append(_above(self._levels[-1]))
        if part(0, size, self._node) != self.point.root:
            raise ProofError(
                f"the lake's first {size:,} commits are not those that its checkpoint signs",
                "handledger verify LAKE says what does not hold.",
            )

    def _node(self, level: int, index: int) -> bytes:
        return bytes(self._levels[level][HASH * index : HASH * (index + 1)])

    def prove(self, position: int, within: str = "") -> Proof:
        """Return the proof that the commit whose last event stands at `position` is in what was signed.

        `within`: of the log whose first file is called so, where there are several. `NotSealedError` where the
        commit came later.
        """
        name = within or next(iter(self._ends))
        ends = self._ends[name]
        at = bisect_left(ends, position)
        if at == len(ends) or ends[at] != position:
            raise ProofError(f"no commit ends at position {position:,} of this log")
        at += self._starts[name]
        if at >= self.point.size:
            raise NotSealedError(
                f"it came in behind the lake's checkpoint, which is of {self.point.size:,} commits", self._again
            )
        return Proof(at, tuple(inclusion(at, self.point.size, self._node)), self.note)


def _of(log: Log) -> str:
    """Return the way to a lake that proves: one of a ledger is written again, one of files came in as a whole."""
    return _AGAIN if log.house is not None else _ANEW


_AGAIN: Final = (
    "Seal its ledger, and write the lake again: handledger seal, then handledger shard into the same folder."
)
_ANEW: Final = (
    "Take the lake from a copy, or make it anew of the same files: "
    "handledger import --to-shards into another folder, then handledger seal --lake."
)


def whole(lake: Path, receipt: Receipt) -> Path:
    """Return the path of a file of a lake; `IntegrityError` unless it is what was written."""
    wrong = layout.damage(lake, receipt)
    if wrong:
        raise IntegrityError(f"{receipt.name}: {wrong}", layout.AGAIN)
    return lake / receipt.name


def read_log(lake: Path, files: Sequence[Receipt]) -> tuple[array[int], bytes]:
    """Return of each commit of a log, in its order, the position of its last event, and the leaf.

    `IntegrityError` where a file is not what was written.
    """
    positions, leaves = array("q"), bytearray()
    for receipt in files:
        _read(lake, receipt, positions, leaves, _LEAVES if receipt.name.endswith("leaves.parquet") else _COMMIT)
    pyarrow, _ = layout.arrow()
    ends, ordered = array("q"), bytearray()
    for at in layout.ordered(pyarrow.array(positions, pyarrow.int64())):
        ends.append(positions[at])
        ordered += leaves[HASH * at : HASH * (at + 1)]
    return ends, bytes(ordered)


def _read(lake: Path, receipt: Receipt, positions: array[int], leaves: bytearray, columns: list[str]) -> None:
    """Add the positions and the leaves of a file, in its order."""
    try:
        for batch in layout.batches(whole(lake, receipt), _ROWS, columns):
            told = [one.to_pylist() for one in batch.columns]
            positions.extend(told[0])
            leaves += b"".join(told[1] if columns is _LEAVES else map(layout.leaf, zip(*told, strict=True)))
    except (TypeError, ValueError, OverflowError, AttributeError, struct.error) as error:
        raise IntegrityError(f"{receipt.name} holds what is no commit: {error}") from None
    if len(leaves) != HASH * len(positions):
        raise IntegrityError(f"{receipt.name} holds a leaf that is none")


def _above(level: bytearray) -> bytearray:
    """Return the complete nodes above those of a level."""
    found = bytearray()
    for at in range(0, len(level) - 2 * HASH + 1, 2 * HASH):
        found += sha256(b"\1" + level[at : at + 2 * HASH]).digest()
    return found
