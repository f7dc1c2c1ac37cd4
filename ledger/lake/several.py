"""Lakes of several logs: write a shard with a log of its own, compute the Merkle tree over all logs, and check both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain as joined
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.chain import START
from ledger.house.events import SourceImported, SourceRejected
from ledger.lake import layout
from ledger.lake.checks import DAMAGE_ERRORS, LogEnd, check_chain, check_file, check_sources, sort_leaves
from ledger.lake.layout import ByteAccount, FileReceipt, LakeManifest, ShardLog
from ledger.lake.shard_writer import (
    ShardPlan,
    build_commit_row,
    find_missing_commits,
    iter_stream_commits,
    write_shard,
    write_sheet,
)
from ledger.process.worker_pool import worker_pool
from ledger.seal.tree import HASH_SIZE, TreePeaks
from ledger.seal.tree import compute_root_over as root_of
from ledger.store.commits import IntegrityProblem
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.mapper import Mapper
from ledger.store.seals.merkle_tiles import hash_commit_leaf
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.store.verify.tree_checks import Anchor

HOUSE_FILE: Final = "house.parquet"


def write_log_shard(
    ledger: Ledger, folder: Path, shard_name: str, plan_digest: str, unread_bits: Mapping[TableKey, Mapping[str, int]]
) -> tuple[FileReceipt, ShardLog] | None:
    """Write all of a ledger as one shard, with the leaves of its other commits. Return None for an empty ledger."""
    ledger.upto = ledger.head()[0]
    if not ledger.upto:
        return None
    tables = sorted(ledger.tables(), key=lambda table: table[:3])
    unread_of_tables = {
        table_key: unread_bits.get(table_key, {}) for table_key in (TableKey(*table[:3]) for table in tables)
    }
    receipt = write_shard(ledger, folder, ShardPlan(shard_name, plan_digest, tables, unread_of_tables))
    shard_log = _find_log_end(ledger, shard_name)
    if shard_log.commits == receipt.rows:
        return receipt, shard_log
    leaf_rows = ((table.position, hash_commit_leaf(table)) for table in find_missing_commits(ledger, folder, [receipt]))
    leaves = write_sheet(
        folder, str(Path(shard_name).with_suffix(".leaves.parquet")), plan_digest, layout.LEAF_COLUMNS, leaf_rows
    )
    return receipt, msgspec.structs.replace(shard_log, leaves=leaves)


def write_house(ledger: Ledger, folder: Path, plan_digest: str) -> tuple[FileReceipt, ShardLog]:
    """Write the stream of a house whose ledger has nothing else."""
    ledger.upto = ledger.head()[0]
    receipt = write_sheet(
        folder,
        HOUSE_FILE,
        plan_digest,
        layout.COMMIT_COLUMNS,
        map(build_commit_row, iter_stream_commits(ledger, HOUSE)),
    )
    return receipt, _find_log_end(ledger, HOUSE_FILE)


def _find_log_end(ledger: Ledger, file_name: str) -> ShardLog:
    merkle_tree = TreePeaks()
    for commit in ledger.commits():
        merkle_tree.add(hash_commit_leaf(commit))
    position, head_hash = ledger.head()
    return ShardLog(file_name, position, head_hash or START.hex(), merkle_tree.size, merkle_tree.compute_root().hex())


def compute_logs_root(logs: Sequence[ShardLog], receipts: Sequence[FileReceipt]) -> str:
    """Return the root of the Merkle tree over the logs and the files outside of logs, hex."""
    log_leaves = [[entry.name, entry.position, entry.head, entry.commits, entry.root] for entry in logs]
    leaf_fields = [*log_leaves, *([entry.name, entry.sha256] for entry in receipts)]
    return root_of(sha256(b"\0" + json.dumps(entry).encode()).digest() for entry in leaf_fields).hex()


def check_logs(
    lake_folder: Path, manifest: LakeManifest, anchors: Sequence[Anchor] = (), *, jobs: int = 1
) -> Iterator[IntegrityProblem]:
    """Yield the problems of a lake of several logs. Each log is checked by itself, in up to `jobs` processes."""
    straight = manifest.straight
    assert straight is not None  # noqa: S101 - checked by the caller
    check_log: Callable[[tuple[FileReceipt, ShardLog]], _CheckedLog] = partial(
        _check_log, lake_folder, straight.dealt, bool(anchors)
    )
    receipts_with_logs = [*zip((manifest.house, *manifest.shards), straight.logs, strict=True)]
    if jobs > 1:
        with worker_pool(min(jobs, len(receipts_with_logs)), [__name__]) as processes:
            checked_logs = list(processes.map(check_log, receipts_with_logs))
    else:
        checked_logs = list(map(check_log, receipts_with_logs))
    yield from joined.from_iterable(entry.problems for entry in checked_logs)
    yield from _check_anchors(anchors, checked_logs)
    receipts = [straight.files, straight.rejects, *straight.sources]
    if compute_logs_root(straight.logs, receipts) != straight.root or manifest.head != straight.root:
        yield IntegrityProblem(None, "head", "the root over the logs differs from the one in the manifest")
    if [sum(entry.position for entry in straight.logs), sum(entry.commits for entry in straight.logs)] != [
        manifest.position,
        manifest.commits,
    ]:
        yield IntegrityProblem(None, "head", "the number of events in the logs differs from the manifest's")
    source_lengths: dict[str, int] = {}
    for entry in straight.sources:
        yield from check_sources(lake_folder, entry, source_lengths)
    try:
        yield from _check_accounts(lake_folder, manifest.house, straight, source_lengths)
    except DAMAGE_ERRORS as error:
        yield IntegrityProblem(None, "file", f"{lake_folder}: {error}")


class _CheckedLog(NamedTuple):
    """The problems of a log, and its leaves in order, if they are needed."""

    problems: list[IntegrityProblem]
    leaves: bytes


def _check_anchors(anchors: Sequence[Anchor], checked_logs: Sequence[_CheckedLog]) -> Iterator[IntegrityProblem]:
    """Yield the checkpoints that don't match the tree over the commits of all logs, one log after the other."""
    if not anchors or any(
        problem.code in ("file", "position") for checked_log in checked_logs for problem in checked_log.problems
    ):
        return  # without a file, there is no tree
    merkle_tree = TreePeaks()
    for checked_log in checked_logs:
        for offset in range(0, len(checked_log.leaves), HASH_SIZE):
            merkle_tree.add(checked_log.leaves[offset : offset + HASH_SIZE])
    for anchor in anchors:
        if (merkle_tree.size, merkle_tree.compute_root()) != (anchor.size, anchor.root):
            yield IntegrityProblem(
                None, "checkpoint", f"the {merkle_tree.size:,} commits of the lake are not those of {anchor.label}"
            )


def _check_log(
    lake_folder: Path, shard_count: int, with_leaves: bool, receipt_with_log: tuple[FileReceipt, ShardLog]
) -> _CheckedLog:
    receipt, shard_log = receipt_with_log
    file_checks = [check_file(lake_folder, receipt, 0 if receipt.name == HOUSE_FILE else shard_count)]
    if shard_log.leaves is not None:
        file_checks.append(check_file(lake_folder, shard_log.leaves))
    problems = [*joined.from_iterable(entry.problems for entry in file_checks)]
    if not any(entry.code == "file" for entry in problems):
        problems += check_chain(
            LogEnd(shard_log.position, shard_log.head, shard_log.commits, shard_log.root), file_checks, ()
        )
    labelled_problems = [
        entry._replace(reason=f"{shard_log.name}: {entry.reason}") if entry.code != "file" else entry
        for entry in problems
    ]
    return _CheckedLog(labelled_problems, sort_leaves(file_checks) if with_leaves else b"")


def _check_accounts(
    lake_folder: Path, house_receipt: FileReceipt, straight: layout.StraightImport, source_lengths: Mapping[str, int]
) -> Iterator[IntegrityProblem]:
    """Yield the files whose bytes aren't accounted for, and accounts that the house's log doesn't have."""
    damages = [
        (receipt, layout.describe_damage(lake_folder, receipt)) for receipt in (straight.files, straight.rejects)
    ]
    if any(damage for _, damage in damages):
        yield from (
            IntegrityProblem(None, "file", f"{receipt.name}: {damage}") for receipt, damage in damages if damage
        )
        return
    try:
        events = list(_read_house_events(lake_folder / house_receipt.name))
        file_rows = list(layout.read_rows(lake_folder / straight.files.name))
        reject_spans = {tuple(stored_row[1:6]) for stored_row in layout.read_rows(lake_folder / straight.rejects.name)}
    except DAMAGE_ERRORS as error:
        yield IntegrityProblem(None, "file", f"{lake_folder}: {error}")
        return
    yield from _check_lengths(file_rows, source_lengths)
    if sum_accounts(file_rows) != straight.account:
        yield IntegrityProblem(None, "account", "the number of bytes in the files differs from the manifest's")
    spans_of_log = {
        (rejection.source, rejection.line, rejection.start, rejection.length, rejection.code)
        for rejection in events
        if isinstance(rejection, SourceRejected)
    }
    if spans_of_log != reject_spans:
        yield IntegrityProblem(None, "account", "the rejected spans differ from those in the house's log")
    yield from _check_imports(file_rows, events)


def _check_lengths(file_rows: Sequence[Row], source_lengths: Mapping[str, int]) -> Iterator[IntegrityProblem]:
    """Compare the bytes in each file's account with its length, and that with its source's."""
    for file_number, file_name, source, _, length, *byte_counts, _ in file_rows:
        if sum(byte_counts) != length:
            yield IntegrityProblem(
                None,
                "account",
                f"file {file_number} ({file_name!r}) accounts for {sum(byte_counts):,} of {length:,} bytes",
            )
        if source_lengths.get(source, length) != length:
            yield IntegrityProblem(
                None,
                "account",
                f"file {file_number} ({file_name!r}) has {source_lengths[source]:,} bytes, not {length:,}",
            )


def _check_imports(file_rows: Sequence[Row], events: Sequence[Event]) -> Iterator[IntegrityProblem]:
    """Find imports in the house's log whose bytes no file accounts for in the same way."""
    accounts_of_files = {(stored_row[2], *stored_row[4:8]) for stored_row in file_rows}
    for event in events:
        if isinstance(event, SourceImported):
            event_counts = event.length, event.bytes_read, event.bytes_blank, event.bytes_rejected
            if (event.source, *event_counts) not in accounts_of_files:
                yield IntegrityProblem(
                    None, "account", f"the house's log has different figures for source {event.source[:12]}"
                )


def sum_accounts(file_rows: Sequence[Row]) -> ByteAccount:
    """Return the sum of the accounts of files."""
    byte_sums = [sum(file_row[column_index] for file_row in file_rows) for column_index in range(4, 9)]
    return ByteAccount(len(file_rows), *byte_sums)


def _read_house_events(house_path: Path) -> Iterator[Event]:
    mapper = Mapper()
    for commit_row in layout.read_rows(house_path):
        yield from mapper.decode("house", commit_row[-1])
