"""A lake checked against what its ledger signed: every file, every commit's hash, the links between all, the Merkle tree.

A lake holds of each commit of the ledger either all of it or its leaf, so the whole chain is recomputed from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain as joined
from pathlib import Path

from ledger.lake import layout
from ledger.lake.checks import WRONG, End, linked, read_file, sources
from ledger.lake.layout import Manifest, Receipt
from ledger.lake.reading import rulebooks
from ledger.lake.several import of_several
from ledger.lake.writing import SOURCES
from ledger.process.worker_pool import worker_pool
from ledger.seal.note import read_checkpoint, read_note
from ledger.store.commits import Problem
from ledger.store.verify.tree_checks import Anchor


def verify(lake: Path, anchors: Sequence[Anchor] = (), *, jobs: int = 1) -> tuple[Manifest, list[Problem]]:
    """Return what a lake says of itself, and what does not hold, empty if all does.

    `anchors` are roots of the ledger's log that were seen elsewhere; the checkpoint that lies in the lake is one
    more. `jobs`: in so many processes, a file at a time.
    """
    found = layout.manifest(lake)
    problems: list[Problem] = []
    try:
        if found.straight is not None:
            problems += of_several(lake, found, [*anchors, *own(found)], jobs=jobs)
        else:
            problems += _of_one(lake, found, anchors, jobs)
    except WRONG as error:
        problems.append(Problem(None, "file", f"{layout.MANIFEST} does not fit the files of the lake: {error}"))
    return found, problems


def _of_one(lake: Path, found: Manifest, anchors: Sequence[Anchor], jobs: int) -> Iterator[Problem]:
    """Yield what does not hold of a lake of one ledger's log."""
    yield from _order(found)
    work = partial(read_file, lake)
    files = [*found.shards, found.house, *([found.leaves] if found.leaves else [])]
    if jobs > 1:
        with worker_pool(min(jobs, len(files)), [__name__]) as processes:
            read = list(processes.map(work, files))
    else:
        read = list(map(work, files))
    if found.sources is not None:
        yield from sources(lake, found.sources)
    elif (lake / SOURCES).exists():
        yield Problem(None, "file", f"{SOURCES} is there, and {layout.MANIFEST} doesn't name it")
    if found.rulebooks is not None:
        yield from _rulebooks(lake, found.rulebooks)
    problems = [*joined.from_iterable(one.problems for one in read)]
    yield from problems
    if not any(one.code == "file" for one in problems):  # what lacks a file has no chain
        yield from linked(End(found.position, found.head, found.commits), read, [*anchors, *own(found)])


def _rulebooks(lake: Path, receipt: Receipt) -> Iterator[Problem]:
    """Say which files of rulebooks are not those of which the house's stream names the digests."""
    if wrong := layout.damage(lake, receipt):
        yield Problem(None, "file", f"{receipt.name}: {wrong}")
        return
    for one in rulebooks(lake):
        if not one.is_sound:
            yield Problem(None, "rulebook", f"the rulebook of SHA-256 {one.digest[:12]} lies in it with other bytes")


def own(found: Manifest) -> Iterator[Anchor]:
    """Yield the checkpoint that lies in the lake, where it is of what is there."""
    if found.checkpoint:
        point = read_checkpoint(read_note(found.checkpoint))
        if point.size <= found.commits:
            yield Anchor(f"the lake's own checkpoint of {point.size:,} commits", point.size, point.root)


def _order(found: Manifest) -> Iterator[Problem]:
    """Say which tables stand in more than one shard, or in the wrong one."""
    for before, one in zip(found.shards, found.shards[1:], strict=False):
        if before.last is None or one.first is None or not before.last < one.first:
            yield Problem(None, "order", f"{one.name} does not begin behind the last table of {before.name}")
