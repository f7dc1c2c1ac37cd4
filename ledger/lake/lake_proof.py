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
from ledger.lake import layout, whole_files
from ledger.lake.layout import FileReceipt, LakeManifest
from ledger.seal.note import InclusionProof, read_checkpoint, read_note
from ledger.seal.tree import HASH_SIZE, inclusion_path, subtree_root

_BATCH_ROWS: Final = 1_000
_COMMIT_NAMES: Final = [name for name, _ in layout.COMMIT_COLUMNS]
_LEAF_NAMES: Final = [name for name, _ in layout.LEAF_COLUMNS]


class SignedLog(NamedTuple):
    """What of a lake was signed: by which ledger, and in which files the commits or their leaves lie that were."""

    ledger: str
    shards: Sequence[FileReceipt]
    house: FileReceipt | None  # the stream that says who signed; None: `key` does
    logs: Sequence[
        Sequence[FileReceipt]
    ]  # the files of each log; the tree is over all of them, one log after the other
    checkpoint: str  # the note, "" = none
    key: str = ""


def signed_log_of(manifest: LakeManifest) -> SignedLog:
    """Return what of a lake was signed; `NotSealedError` of one that files went straight into and nobody signed."""
    if manifest.straight is None:
        receipts = [*manifest.shards, manifest.house, *([manifest.leaves] if manifest.leaves else [])]
        return SignedLog(manifest.ledger, manifest.shards, manifest.house, [receipts], manifest.checkpoint)
    if not manifest.checkpoint:
        raise NotSealedError(
            "files went straight into this lake, and nobody signed it, so no hand of it can be proved or cited",
            "handledger seal --lake LAKE signs it.",
        )
    return SignedLog(
        manifest.ledger, manifest.shards, None, receipts_by_log(manifest), manifest.checkpoint, manifest.key
    )


def receipts_by_log(manifest: LakeManifest) -> list[list[FileReceipt]]:
    """Return the files of each log of a lake that files went straight into."""
    receipts = (manifest.house, *manifest.shards)
    receipts_with_logs = zip(receipts, manifest.straight.logs if manifest.straight else (), strict=True)
    return [[receipt, *([shard_log.leaves] if shard_log.leaves else [])] for receipt, shard_log in receipts_with_logs]


class LakeTree:
    """The tree over the commits of a log, up to its checkpoint: some 80 bytes of each are in memory."""

    def __init__(self, lake_folder: Path, signed_log: SignedLog) -> None:
        """Take the folder and the log, and read every file of it.

        `NotSealedError` where it has no checkpoint, `ProofError` where the files do not come to what was signed,
        `IntegrityError` where one is not what was written.
        """
        if not signed_log.checkpoint:
            raise NotSealedError(
                "the lake has no signed checkpoint, so nothing of it can be proved", _repair_hint(signed_log)
            )
        self._repair_hint = _repair_hint(signed_log)
        self.note = signed_log.checkpoint
        self.point = read_checkpoint(read_note(signed_log.checkpoint))
        signed_size = self.point.size
        if not signed_size:
            raise NotSealedError("the lake's checkpoint was signed before anything was in it", _repair_hint(signed_log))
        self._end_positions: dict[str, array[int]] = {}  # of each log, by its first file: where its commits end
        self._first_leaves: dict[str, int] = {}  # and which leaf is its first
        self._levels = [bytearray()]
        commit_count = 0
        for receipts in signed_log.logs:
            end_positions, leaves = read_leaves(lake_folder, receipts)
            self._end_positions[receipts[0].name], self._first_leaves[receipts[0].name] = end_positions, commit_count
            self._levels[0] += leaves[: HASH_SIZE * max(signed_size - commit_count, 0)]
            commit_count += len(end_positions)
        if commit_count < signed_size:
            raise ProofError(
                f"the checkpoint is of {signed_size:,} commits, the lake is of {commit_count:,}",
                _repair_hint(signed_log),
            )
        while len(self._levels[-1]) >= 2 * HASH_SIZE:
            self._levels.append(_parent_level(self._levels[-1]))
        if subtree_root(0, signed_size, self._read_node) != self.point.root:
            raise ProofError(
                f"the lake's first {signed_size:,} commits are not those that its checkpoint signs",
                "handledger verify LAKE says what does not hold.",
            )

    def _read_node(self, level_index: int, node_index: int) -> bytes:
        return bytes(self._levels[level_index][HASH_SIZE * node_index : HASH_SIZE * (node_index + 1)])

    def prove(self, position: int, log_name: str = "") -> InclusionProof:
        """Return the proof that the commit whose last event stands at `position` is in what was signed.

        `log_name`: name of the log's first file; it may be left out if there is only one log. Raise `NotSealedError`
        if the commit is newer than the checkpoint.
        """
        first_file = log_name or next(iter(self._end_positions))
        end_positions = self._end_positions[first_file]
        leaf_index = bisect_left(end_positions, position)
        if leaf_index == len(end_positions) or end_positions[leaf_index] != position:
            raise ProofError(f"no commit ends at position {position:,} of this log")
        leaf_index += self._first_leaves[first_file]
        if leaf_index >= self.point.size:
            raise NotSealedError(
                f"this commit is newer than the lake's checkpoint, which covers {self.point.size:,} commits",
                self._repair_hint,
            )
        return InclusionProof(
            leaf_index, tuple(inclusion_path(leaf_index, self.point.size, self._read_node)), self.note
        )


def _repair_hint(signed_log: SignedLog) -> str:
    """Return the way to a lake that proves: one of a ledger is written again, one of files came in as a whole."""
    return _REWRITE_HINT if signed_log.house is not None else _REIMPORT_HINT


_REWRITE_HINT: Final = (
    "Seal its ledger, and write the lake again: handledger seal, then handledger shard into the same folder."
)
_REIMPORT_HINT: Final = (
    "Take the lake from a copy, or make it anew of the same files: "
    "handledger import --to-shards into another folder, then handledger seal --lake."
)


def intact_path(lake_folder: Path, receipt: FileReceipt) -> Path:
    """Return the path of a file of a lake; `IntegrityError` unless it is what was written."""
    damage = layout.describe_damage(lake_folder, receipt)
    if damage:
        raise IntegrityError(f"{receipt.name}: {damage}", whole_files.REWRITE_HINT)
    return lake_folder / receipt.name


def read_leaves(lake_folder: Path, receipts: Sequence[FileReceipt]) -> tuple[array[int], bytes]:
    """Return of each commit of a log, in its order, the position of its last event, and the leaf.

    `IntegrityError` where a file is not what was written.
    """
    positions, leaves = array("q"), bytearray()
    for receipt in receipts:
        _add_leaves(
            lake_folder,
            receipt,
            positions,
            leaves,
            _LEAF_NAMES if receipt.name.endswith("leaves.parquet") else _COMMIT_NAMES,
        )
    pyarrow, _ = layout.import_arrow()
    end_positions, ordered_leaves = array("q"), bytearray()
    for index in layout.sorted_indexes(pyarrow.array(positions, pyarrow.int64())):
        end_positions.append(positions[index])
        ordered_leaves += leaves[HASH_SIZE * index : HASH_SIZE * (index + 1)]
    return end_positions, bytes(ordered_leaves)


def _add_leaves(
    lake_folder: Path, receipt: FileReceipt, positions: array[int], leaves: bytearray, column_names: list[str]
) -> None:
    """Add the positions and the leaves of a file, in its order."""
    try:
        for batch in layout.read_batches(intact_path(lake_folder, receipt), _BATCH_ROWS, column_names):
            column_values = [column.to_pylist() for column in batch.columns]
            positions.extend(column_values[0])
            leaves += b"".join(
                column_values[1]
                if column_names is _LEAF_NAMES
                else map(layout.leaf_of_row, zip(*column_values, strict=True))
            )
    except (TypeError, ValueError, OverflowError, AttributeError, struct.error) as error:
        raise IntegrityError(f"{receipt.name} holds what is no commit: {error}") from None
    if len(leaves) != HASH_SIZE * len(positions):
        raise IntegrityError(f"{receipt.name} holds a leaf that is none")


def _parent_level(level_nodes: bytearray) -> bytearray:
    """Return the complete nodes above those of a level."""
    parent_nodes = bytearray()
    for offset in range(0, len(level_nodes) - 2 * HASH_SIZE + 1, 2 * HASH_SIZE):
        parent_nodes += sha256(b"\1" + level_nodes[offset : offset + 2 * HASH_SIZE]).digest()
    return parent_nodes
