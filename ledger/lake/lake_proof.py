"""Proofs that a lake's checkpoint covers a commit. The Merkle tree behind them is recomputed from the lake's files."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from ledger.lake import lake_errors, layout
from ledger.lake.layout import FileReceipt, LakeManifest, StraightImport
from ledger.seal.note import InclusionProof, read_checkpoint, read_note
from ledger.seal.tree import HASH_SIZE, build_inclusion_path, compute_subtree_root

_BATCH_ROWS: Final = 1_000
_COMMIT_COLUMN_NAMES: Final = [name for name, _ in layout.COMMIT_COLUMNS]
_LEAF_COLUMN_NAMES: Final = [name for name, _ in layout.LEAF_COLUMNS]
_PAIR_SIZE: Final = 2 * HASH_SIZE
"""Bytes of two hashes, which one hash of the next level covers."""


class SignedLog(NamedTuple):
    """The part of a lake that its checkpoint signs."""

    ledger: str
    shards: Sequence[FileReceipt]
    house: FileReceipt | None  # holds the stream that names the signer; None: `key` is the signer's
    logs: Sequence[Sequence[FileReceipt]]  # the files of each log; the tree covers one log after the other
    checkpoint: str  # a signed note; "" = none
    key: str = ""

    @property
    def is_of_ledger(self) -> bool:
        """Whether the lake was written from a ledger; otherwise files were imported straight into it."""
        return self.house is not None


def find_signed_log(manifest: LakeManifest) -> SignedLog:
    """Return the signed part of a lake. `NotSealedError` if files were imported into it and nobody signed it."""
    if manifest.straight is None:
        receipts = [*manifest.shards, manifest.house, *([manifest.leaves] if manifest.leaves else [])]
        return SignedLog(manifest.ledger, manifest.shards, manifest.house, [receipts], manifest.checkpoint)
    if not manifest.checkpoint:
        raise lake_errors.never_signed()
    log_receipts = list_log_receipts(manifest, manifest.straight)
    return SignedLog(manifest.ledger, manifest.shards, None, log_receipts, manifest.checkpoint, manifest.key)


def list_log_receipts(manifest: LakeManifest, straight_import: StraightImport) -> list[list[FileReceipt]]:
    """Return the files of each log of a lake that files were imported into: its commits and, if any, its leaves."""
    commit_receipts = (manifest.house, *manifest.shards)
    return [
        [receipt, shard_log.leaves] if shard_log.leaves else [receipt]
        for receipt, shard_log in zip(commit_receipts, straight_import.logs, strict=True)
    ]


class _LogLeaves(NamedTuple):
    """The place of a log in the lake's tree."""

    first_leaf: int  # index in the tree
    end_positions: array[int]  # of its commits, ascending: the position of each one's last event


class LakeTree:
    """The Merkle tree over a lake's commits, up to its checkpoint. A commit takes some 80 bytes of memory."""

    def __init__(self, lake_folder: Path, signed_log: SignedLog) -> None:
        """Read every file of the log, and compare the tree with the checkpoint.

        `NotSealedError` if there is no checkpoint, `ProofError` if it signs other commits, `IntegrityError` if a
        file was changed.
        """
        self._is_of_ledger = signed_log.is_of_ledger
        if not signed_log.checkpoint:
            raise lake_errors.no_checkpoint(is_of_ledger=self._is_of_ledger)
        self.note = signed_log.checkpoint
        self.point = read_checkpoint(read_note(signed_log.checkpoint))
        if not self.point.size:
            raise lake_errors.empty_checkpoint(is_of_ledger=self._is_of_ledger)
        self._logs: dict[str, _LogLeaves] = {}  # by the name of the log's first file
        self._levels = [self._read_signed_leaves(lake_folder, signed_log)]  # the hashes of each level, joined
        while len(self._levels[-1]) >= _PAIR_SIZE:
            self._levels.append(_hash_pairs(self._levels[-1]))
        if compute_subtree_root(0, self.point.size, self._read_node) != self.point.root:
            raise lake_errors.other_commits_signed(self.point.size)

    def prove(self, position: int, log_name: str = "") -> InclusionProof:
        """Return the proof that the checkpoint covers the commit whose last event is at `position`.

        `log_name`: the name of the log's first file; needed only if there are several logs. `NotSealedError` if the
        commit is newer than the checkpoint.
        """
        log = self._logs[log_name or next(iter(self._logs))]
        commit_index = bisect_left(log.end_positions, position)
        if commit_index == len(log.end_positions) or log.end_positions[commit_index] != position:
            raise lake_errors.commit_missing(position)
        leaf_index = log.first_leaf + commit_index
        if leaf_index >= self.point.size:
            raise lake_errors.newer_than_checkpoint(self.point.size, is_of_ledger=self._is_of_ledger)
        proof_path = build_inclusion_path(leaf_index, self.point.size, self._read_node)
        return InclusionProof(leaf_index, tuple(proof_path), self.note)

    def _read_signed_leaves(self, lake_folder: Path, signed_log: SignedLog) -> bytearray:
        """Return the leaves that the checkpoint covers, joined, and note the place of each log."""
        signed_leaves = bytearray()
        commit_count = 0
        for receipts in signed_log.logs:
            end_positions, leaves = read_leaves(lake_folder, receipts)
            self._logs[receipts[0].name] = _LogLeaves(commit_count, end_positions)
            signed_leaves += leaves[: HASH_SIZE * max(self.point.size - commit_count, 0)]
            commit_count += len(end_positions)
        if commit_count < self.point.size:
            raise lake_errors.commits_missing(self.point.size, commit_count, is_of_ledger=self._is_of_ledger)
        return signed_leaves

    def _read_node(self, level_index: int, node_index: int) -> bytes:
        return bytes(self._levels[level_index][HASH_SIZE * node_index : HASH_SIZE * (node_index + 1)])


def _hash_pairs(level_hashes: bytearray) -> bytearray:
    """Return the next level of a tree: a hash for each pair. Leave out a last hash without a partner."""
    parent_hashes = bytearray()
    for offset in range(0, len(level_hashes) - _PAIR_SIZE + 1, _PAIR_SIZE):
        parent_hashes += sha256(b"\1" + level_hashes[offset : offset + _PAIR_SIZE]).digest()
    return parent_hashes


def require_intact(lake_folder: Path, receipt: FileReceipt) -> Path:
    """Return the path of a lake's file. `IntegrityError` if the file isn't as it was written."""
    damage = layout.describe_damage(lake_folder, receipt)
    if damage:
        raise lake_errors.file_damaged(receipt.name, damage)
    return lake_folder / receipt.name


def read_leaves(lake_folder: Path, receipts: Sequence[FileReceipt]) -> tuple[array[int], bytes]:
    """Return the commits of a log in its order: the positions of their last events, and their leaves, joined.

    `IntegrityError` if a file isn't as it was written.
    """
    positions, leaves = array("q"), bytearray()
    for receipt in receipts:
        _add_leaves(lake_folder, receipt, positions, leaves)
    pyarrow, _ = layout.import_arrow()
    ordered_positions, ordered_leaves = array("q"), bytearray()
    for index in layout.sort_indexes(pyarrow.array(positions, pyarrow.int64())):
        ordered_positions.append(positions[index])
        ordered_leaves += leaves[HASH_SIZE * index : HASH_SIZE * (index + 1)]
    return ordered_positions, bytes(ordered_leaves)


def _add_leaves(lake_folder: Path, receipt: FileReceipt, positions: array[int], leaves: bytearray) -> None:
    """Add the positions and the leaves of a file, in the file's order."""
    holds_leaves = receipt.name.endswith("leaves.parquet")  # otherwise it holds commits
    column_names = _LEAF_COLUMN_NAMES if holds_leaves else _COMMIT_COLUMN_NAMES
    try:
        for batch in layout.read_batches(require_intact(lake_folder, receipt), _BATCH_ROWS, column_names):
            columns = [column.to_pylist() for column in batch.columns]
            positions.extend(columns[0])
            leaves += b"".join(columns[1] if holds_leaves else map(layout.hash_row_leaf, zip(*columns, strict=True)))
    except (TypeError, ValueError, OverflowError, AttributeError, struct.error) as error:
        raise lake_errors.commit_damaged(receipt.name, str(error)) from None
    if len(leaves) != HASH_SIZE * len(positions):
        raise lake_errors.leaf_damaged(receipt.name)
