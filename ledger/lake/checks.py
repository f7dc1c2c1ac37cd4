"""Check parts of a lake by themselves: a file, the chain and the tree of a log, sources."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain as joined
from pathlib import Path
from struct import error as StructError  # noqa: N812 - it is a class
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger import chain
from ledger.chain import KIND_CODES
from ledger.errors import HandledgerError
from ledger.lake import layout
from ledger.lake.layout import FileReceipt
from ledger.seal.tree import HASH_SIZE, TreePeaks
from ledger.store.commits import KIND_NAMES, IntegrityProblem
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.store.log.mapper import Mapper
from ledger.store.verify.tree_checks import Anchor
from ledger.streams import HOUSE, find_shard, table_stream

if TYPE_CHECKING:
    from ledger.store.database.database import Row

DAMAGE_ERRORS: Final = (
    HandledgerError,
    ArithmeticError,
    AttributeError,
    LookupError,
    StructError,
    TypeError,
    ValueError,
)
"""Errors that reading a damaged file raises."""
_COMMIT_START: Final = len(layout.SHARD_COLUMNS) - len(layout.COMMIT_COLUMNS)
_UNREAD_VALUES: Final = (None, *range(8))
"""The bits of hands: unread lines within, before or after the hand."""
_HAND, _TABLE = KIND_CODES["hand"], KIND_CODES["table"]


class FileCheck(NamedTuple):
    """The hashes of a file's commits, in the file's order: 8 bytes for a position, 32 for each hash."""

    positions: bytes
    leaves: bytes
    hashes: bytes  # the stored links; empty for a file of leaves
    problems: list[IntegrityProblem]


def check_file(lake_folder: Path, receipt: FileReceipt, shard_count: int = 0) -> FileCheck:
    """Read a file and check it by itself.

    `shard_count`: the number of shards that tables were divided into, 0 = they weren't.
    """
    problems: list[IntegrityProblem] = []
    positions, leaves, hashes = array("q"), bytearray(), bytearray()
    damage = layout.describe_damage(lake_folder, receipt)
    if damage:
        problems.append(IntegrityProblem(None, "file", f"{receipt.name}: {damage}"))
        return FileCheck(b"", b"", b"", problems)
    row_count = 0
    try:
        row_checker = _RowChecker(receipt, shard_count)
        for stored_row in layout.read_rows(lake_folder / receipt.name):
            row_count += 1
            if len(stored_row) == len(layout.LEAF_COLUMNS):
                positions.append(stored_row[0])
                leaves += stored_row[1]
                continue
            commit = stored_row[-len(layout.COMMIT_COLUMNS) :]
            positions.append(commit[0])
            leaves += layout.hash_row_leaf(commit)
            hashes += commit[13]
            problems += row_checker.check_row(stored_row)
            if (missing_place := _find_missing_place(commit)) is not None:
                problems.append(missing_place)
    except DAMAGE_ERRORS as error:
        problems.append(IntegrityProblem(None, "file", f"{receipt.name}: {error}"))
    if row_count != receipt.rows:
        problems.append(
            IntegrityProblem(None, "file", f"{receipt.name} has {row_count:,} rows, its receipt says {receipt.rows:,}")
        )
    return FileCheck(positions.tobytes(), bytes(leaves), bytes(hashes), problems)


def _find_missing_place(commit_row: Row) -> IntegrityProblem | None:
    """Return a problem if a commit has a source without a place in it, which its hash treats as 0."""
    source, start, length = commit_row[8:11]
    if (source is None, start is None, length is None) in ((True, True, True), (False, False, False)):
        return None
    return IntegrityProblem(
        commit_row[0], "place", "a commit has a source without a place in it, or a place without a source"
    )


class _RowChecker:
    """Checks rows of a file: that they are in the right place, and that a hand's row matches its events."""

    def __init__(self, receipt: FileReceipt, shard_count: int) -> None:
        self._shard_count, self._shard_index = shard_count, int(Path(receipt.name).stem) - 1 if shard_count else 0
        self._is_house = receipt.first is None
        self._mapper = Mapper()
        self._table_key: Row = ()
        self._hand_streams: set[bytes] = set()

    def check_row(self, stored_row: Row) -> Iterator[IntegrityProblem]:
        """Yield the problems of a row."""
        if self._is_house:
            if stored_row[3] != HOUSE.bytes:
                yield IntegrityProblem(stored_row[0], "place", "the house's stream has a commit of another stream")
            return
        table_key, (number, _, *hand_facts, unread_bits) = stored_row[:3], stored_row[3:_COMMIT_START]
        position, _, kind_code, stream, version, *_, source = stored_row[_COMMIT_START : _COMMIT_START + 9]
        if table_key != self._table_key:
            if not table_key > self._table_key:
                yield IntegrityProblem(position, "order", f"table {table_key[2]!r} isn't in the order of names")
            if (
                self._shard_count
                and find_shard(table_key[0], table_key[1], table_key[2], self._shard_count) != self._shard_index
            ):
                yield IntegrityProblem(position, "order", f"table {table_key[2]!r} doesn't belong in this shard")
            self._table_key, self._hand_streams = table_key, set()
        if unread_bits not in _UNREAD_VALUES:
            yield IntegrityProblem(
                position, "index", f"the bits for unread lines near a hand are {unread_bits}, outside 0 to 7"
            )
        if kind_code == _TABLE:
            if stream != table_stream(*table_key).bytes:
                yield IntegrityProblem(position, "place", f"a commit of another table is at table {table_key[2]!r}")
        elif kind_code != _HAND:
            yield IntegrityProblem(
                position, "place", f"a shard has a commit of kind {KIND_NAMES.get(kind_code, kind_code)}"
            )
        elif version > 1:
            if stream not in self._hand_streams:
                yield IntegrityProblem(
                    position, "place", f"table {table_key[2]!r} continues a hand that doesn't begin there"
                )
        else:
            self._hand_streams.add(stream)
            facts_of_events = infer_hand_facts(self._mapper.decode("hand", stored_row[-1]), live=source is None)
            if tuple(facts_of_events) != (*table_key, number, *hand_facts):
                yield IntegrityProblem(position, "index", "a hand's row doesn't match its events")


def sort_leaves(file_checks: Sequence[FileCheck]) -> bytes:
    """Return the leaves of a log's commits, joined in the log's order."""
    pyarrow, _ = layout.import_arrow()
    positions = array("q")
    for file_check in file_checks:
        positions.frombytes(file_check.positions)
    leaves = b"".join(file_check.leaves for file_check in file_checks)
    commit_order = layout.sort_indexes(pyarrow.array(positions, pyarrow.int64()))
    return b"".join(leaves[HASH_SIZE * index : HASH_SIZE * (index + 1)] for index in commit_order)


class LogEnd(NamedTuple):
    """The end of a log, as the manifest states it."""

    position: int
    head: str
    commits: int
    root: str = ""  # "" = not stated


def check_chain(
    log_end: LogEnd, file_checks: Sequence[FileCheck], anchors: Sequence[Anchor]
) -> Iterator[IntegrityProblem]:
    """Recompute the chain and the tree over all commits of a log, and yield what doesn't match."""
    pyarrow, _ = layout.import_arrow()
    positions = array("q")
    for file_check in file_checks:
        positions.frombytes(file_check.positions)
    leaves, hashes = (
        b"".join(getattr(file_check, field_name) for file_check in file_checks) for field_name in ("leaves", "hashes")
    )
    commit_order = layout.sort_indexes(pyarrow.array(positions, pyarrow.int64()))
    anchors_by_size: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        anchors_by_size.setdefault(anchor.size, []).append(anchor)
    tree, chain_hash, last_position = TreePeaks(), chain.START, 0
    for index in commit_order:
        if positions[index] <= last_position:
            yield IntegrityProblem(positions[index], "position", "a commit is in the lake twice")
            return
        last_position = positions[index]
        leaf = leaves[HASH_SIZE * index : HASH_SIZE * (index + 1)]
        tree.add(leaf)
        chain_hash = chain.compute_link(chain_hash, leaf)
        stored_hash = hashes[HASH_SIZE * index : HASH_SIZE * (index + 1)]
        if stored_hash and stored_hash != chain_hash:
            yield IntegrityProblem(last_position, "hash", "the commit was changed, or an earlier one is missing")
            return
        for anchor in anchors_by_size.pop(tree.size, ()):
            if tree.compute_root() != anchor.root:
                yield IntegrityProblem(
                    None, "checkpoint", f"the first {tree.size:,} commits are not those of {anchor.label}"
                )
    if (last_position, chain_hash.hex(), tree.size) != (log_end.position, log_end.head, log_end.commits):
        yield IntegrityProblem(None, "head", "the hash over the commits differs from the one in the manifest")
    if log_end.root and tree.compute_root().hex() != log_end.root:
        yield IntegrityProblem(None, "head", "the root over the commits differs from the one in the manifest")
    for anchor_size, unmet_anchors in anchors_by_size.items():
        yield IntegrityProblem(
            None, "checkpoint", f"{unmet_anchors[0].label} covers {anchor_size:,} commits, the lake has {tree.size:,}"
        )


def check_sources(
    lake_folder: Path, receipt: FileReceipt, lengths: dict[str, int] | None = None
) -> Iterator[IntegrityProblem]:
    """Yield the sources whose bytes don't match their digest, and note the length of each."""
    damage = layout.describe_damage(lake_folder, receipt)
    if damage:
        yield IntegrityProblem(None, "file", f"{receipt.name}: {damage}")
        return
    try:
        yield from _check_source_bytes(lake_folder, receipt, lengths)
    except DAMAGE_ERRORS as error:
        yield IntegrityProblem(None, "file", f"{receipt.name}: {error}")


def _check_source_bytes(
    lake_folder: Path, receipt: FileReceipt, lengths: dict[str, int] | None
) -> Iterator[IntegrityProblem]:
    """Compare the blocks of each source with its digest."""
    source_hash, previous_source, length = sha256(), ("", ""), 0
    end_row: list[tuple[Any, ...]] = [("", "", "", 0, b"")]
    for digest, stored_sha256, _, start, block in joined(layout.read_rows(lake_folder / receipt.name, 16), end_row):
        if (digest, stored_sha256) != previous_source:
            if previous_source[1] and source_hash.hexdigest() != previous_source[1]:
                yield IntegrityProblem(
                    None, "source", f"the bytes of source {previous_source[0][:12]} don't match its digest"
                )
            if lengths is not None and previous_source[0]:
                lengths[previous_source[0]] = length
            source_hash, previous_source, length = sha256(), (digest, stored_sha256), 0
        if start != length:
            yield IntegrityProblem(None, "source", f"source {digest[:12]} lacks its bytes from {length:,} on")
        source_hash.update(block)
        length += len(block)
