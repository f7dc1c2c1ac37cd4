"""Check a lake against what its ledger signed: files, commit hashes, the links between commits, the Merkle tree.

A lake has all of a commit or its leaf, so the entire chain can be recomputed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain as joined
from pathlib import Path

from ledger.lake import layout
from ledger.lake.checks import DAMAGE_ERRORS, LogEnd, check_chain, check_file, check_sources
from ledger.lake.layout import FileReceipt, LakeManifest
from ledger.lake.several import check_logs
from ledger.lake.shard_reader import read_rulebooks
from ledger.lake.shard_writer import SOURCES_FILE
from ledger.process.worker_pool import worker_pool
from ledger.seal.note import read_checkpoint, read_note
from ledger.store.commits import IntegrityProblem
from ledger.store.verify.tree_checks import Anchor


def verify(
    lake_folder: Path, anchors: Sequence[Anchor] = (), *, jobs: int = 1
) -> tuple[LakeManifest, list[IntegrityProblem]]:
    """Return the manifest of a lake, and the problems; none if the lake is sound.

    `anchors` are roots of the ledger's log that were seen elsewhere; the lake's own checkpoint is added. `jobs`: number
    of processes, each with a file at a time.
    """
    manifest = layout.read_manifest(lake_folder)
    problems: list[IntegrityProblem] = []
    try:
        if manifest.straight is not None:
            problems += check_logs(lake_folder, manifest, [*anchors, *find_own_anchors(manifest)], jobs=jobs)
        else:
            problems += _check_ledger_lake(lake_folder, manifest, anchors, jobs)
    except DAMAGE_ERRORS as error:
        problems.append(
            IntegrityProblem(None, "file", f"{layout.MANIFEST_FILE} doesn't match the files of the lake: {error}")
        )
    return manifest, problems


def _check_ledger_lake(
    lake_folder: Path, manifest: LakeManifest, anchors: Sequence[Anchor], jobs: int
) -> Iterator[IntegrityProblem]:
    """Yield the problems of a lake of one ledger's log."""
    yield from _check_order(manifest)
    check = partial(check_file, lake_folder)
    receipts = [*manifest.shards, manifest.house, *([manifest.leaves] if manifest.leaves else [])]
    if jobs > 1:
        with worker_pool(min(jobs, len(receipts)), [__name__]) as processes:
            file_checks = list(processes.map(check, receipts))
    else:
        file_checks = list(map(check, receipts))
    if manifest.sources is not None:
        yield from check_sources(lake_folder, manifest.sources)
    elif (lake_folder / SOURCES_FILE).exists():
        yield IntegrityProblem(None, "file", f"{SOURCES_FILE} is there, and {layout.MANIFEST_FILE} doesn't name it")
    if manifest.rulebooks is not None:
        yield from _check_rulebooks(lake_folder, manifest.rulebooks)
    problems = [*joined.from_iterable(entry.problems for entry in file_checks)]
    yield from problems
    if not any(entry.code == "file" for entry in problems):  # without a file, there is no chain
        yield from check_chain(
            LogEnd(manifest.position, manifest.head, manifest.commits),
            file_checks,
            [*anchors, *find_own_anchors(manifest)],
        )


def _check_rulebooks(lake_folder: Path, receipt: FileReceipt) -> Iterator[IntegrityProblem]:
    """Yield the rulebook files whose digest the house's stream doesn't have."""
    if damage := layout.describe_damage(lake_folder, receipt):
        yield IntegrityProblem(None, "file", f"{receipt.name}: {damage}")
        return
    for book_file in read_rulebooks(lake_folder):
        if not book_file.is_sound:
            yield IntegrityProblem(
                None, "rulebook", f"the rulebook of SHA-256 {book_file.digest[:12]} has other bytes in the lake"
            )


def find_own_anchors(manifest: LakeManifest) -> Iterator[Anchor]:
    """Yield the lake's own checkpoint, if it covers the lake's commits."""
    if manifest.checkpoint:
        checkpoint = read_checkpoint(read_note(manifest.checkpoint))
        if checkpoint.size <= manifest.commits:
            yield Anchor(f"the lake's own checkpoint of {checkpoint.size:,} commits", checkpoint.size, checkpoint.root)


def _check_order(manifest: LakeManifest) -> Iterator[IntegrityProblem]:
    """Yield the shards with a table that is also in another shard, or in the wrong one."""
    for earlier_shard, later_shard in zip(manifest.shards, manifest.shards[1:], strict=False):
        if earlier_shard.last is None or later_shard.first is None or not earlier_shard.last < later_shard.first:
            yield IntegrityProblem(
                None, "order", f"{later_shard.name} doesn't begin after the last table of {earlier_shard.name}"
            )
