"""Lakes of several logs: a shard out of a log of its own, the Merkle tree over all of them, and how both are checked."""

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
from ledger.lake.checks import WRONG, End, leaves_of, linked, read_file, sources
from ledger.lake.layout import Account, Log, Manifest, Receipt
from ledger.lake.writing import Shard, of_stream, others, shard, sheet, told
from ledger.process.worker_pool import worker_pool
from ledger.seal.tree import HASH, Peaks
from ledger.seal.tree import root as root_of
from ledger.store.commits import Problem
from ledger.store.database.database import Row
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.mapper import Mapper
from ledger.store.seals.merkle_tiles import leaf_of
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.store.verify.tree_checks import Anchor

HOUSE_FILE: Final = "house.parquet"


def written(
    ledger: Ledger, folder: Path, name: str, plan: str, unread: Mapping[TableKey, Mapping[str, int]]
) -> tuple[Receipt, Log] | None:
    """Write all of a ledger as one shard, and the leaves of what is of no hand; None of one in which nothing is."""
    ledger.upto = ledger.head()[0]
    if not ledger.upto:
        return None
    tables = sorted(ledger.tables(), key=lambda one: one[:3])
    own = {place: unread.get(place, {}) for place in (TableKey(*one[:3]) for one in tables)}
    receipt = shard(ledger, folder, Shard(name, plan, tables, own))
    log = _ended(ledger, name)
    if log.commits == receipt.rows:
        return receipt, log
    rest = ((one.position, leaf_of(one)) for one in others(ledger, folder, [receipt]))
    leaves = sheet(folder, str(Path(name).with_suffix(".leaves.parquet")), plan, layout.LEAVES, rest)
    return receipt, msgspec.structs.replace(log, leaves=leaves)


def house_written(ledger: Ledger, folder: Path, plan: str) -> tuple[Receipt, Log]:
    """Write the stream of a house that has nothing else in its ledger."""
    ledger.upto = ledger.head()[0]
    receipt = sheet(folder, HOUSE_FILE, plan, layout.COMMIT, map(told, of_stream(ledger, HOUSE)))
    return receipt, _ended(ledger, HOUSE_FILE)


def _ended(ledger: Ledger, name: str) -> Log:
    tree = Peaks()
    for commit in ledger.commits():
        tree.add(leaf_of(commit))
    position, head = ledger.head()
    return Log(name, position, head or START.hex(), tree.size, tree.root().hex())


def root(logs: Sequence[Log], files: Sequence[Receipt]) -> str:
    """Return the root of the Merkle tree over logs, and over files that are in none, hex."""
    said = [[one.name, one.position, one.head, one.commits, one.root] for one in logs]
    leaves = [*said, *([one.name, one.sha256] for one in files)]
    return root_of(sha256(b"\0" + json.dumps(one).encode()).digest() for one in leaves).hex()


def of_several(lake: Path, found: Manifest, anchors: Sequence[Anchor] = (), *, jobs: int = 1) -> Iterator[Problem]:
    """Yield what does not hold of a lake of several logs; each log is checked by itself, in so many processes."""
    straight = found.straight
    assert straight is not None  # noqa: S101 - who calls this has looked
    work: Callable[[tuple[Receipt, Log]], _Checked] = partial(_of_log, lake, straight.dealt, bool(anchors))
    logs = [*zip((found.house, *found.shards), straight.logs, strict=True)]
    if jobs > 1:
        with worker_pool(min(jobs, len(logs)), [__name__]) as processes:
            checked = list(processes.map(work, logs))
    else:
        checked = list(map(work, logs))
    yield from joined.from_iterable(one.problems for one in checked)
    yield from _anchored(anchors, checked)
    files = [straight.files, straight.rejects, *straight.sources]
    if root(straight.logs, files) != straight.root or found.head != straight.root:
        yield Problem(None, "head", "the logs do not come to the root that the lake names")
    if [sum(one.position for one in straight.logs), sum(one.commits for one in straight.logs)] != [
        found.position,
        found.commits,
    ]:
        yield Problem(None, "head", "the logs do not have as many events as the lake says")
    lengths: dict[str, int] = {}
    for one in straight.sources:
        yield from sources(lake, one, lengths)
    try:
        yield from _accounted(lake, found.house, straight, lengths)
    except WRONG as error:
        yield Problem(None, "file", f"{lake}: {error}")


class _Checked(NamedTuple):
    """What is wrong with a log, and its leaves, in its order, where they are asked for."""

    problems: list[Problem]
    leaves: bytes


def _anchored(anchors: Sequence[Anchor], checked: Sequence[_Checked]) -> Iterator[Problem]:
    """Say which checkpoints are not of these logs: of one tree over the commits of all, one log after the other."""
    if not anchors or any(one.code in ("file", "position") for log in checked for one in log.problems):
        return  # what lacks a file has no tree
    tree = Peaks()
    for log in checked:
        for at in range(0, len(log.leaves), HASH):
            tree.add(log.leaves[at : at + HASH])
    for anchor in anchors:
        if (tree.size, tree.root()) != (anchor.size, anchor.root):
            yield Problem(None, "checkpoint", f"the {tree.size:,} commits of the lake are not those of {anchor.label}")


def _of_log(lake: Path, dealt: int, wanted: bool, pair: tuple[Receipt, Log]) -> _Checked:
    receipt, log = pair
    read = [read_file(lake, receipt, 0 if receipt.name == HOUSE_FILE else dealt)]
    if log.leaves is not None:
        read.append(read_file(lake, log.leaves))
    problems = [*joined.from_iterable(one.problems for one in read)]
    if not any(one.code == "file" for one in problems):
        problems += linked(End(log.position, log.head, log.commits, log.root), read, ())
    told = [one._replace(reason=f"{log.name}: {one.reason}") if one.code != "file" else one for one in problems]
    return _Checked(told, leaves_of(read) if wanted else b"")


def _accounted(lake: Path, house: Receipt, straight: layout.Straight, lengths: Mapping[str, int]) -> Iterator[Problem]:
    """Say which bytes are not accounted for, and what of the accounts the house's log does not say."""
    damaged = [(one, layout.damage(lake, one)) for one in (straight.files, straight.rejects)]
    if any(wrong for _, wrong in damaged):
        yield from (Problem(None, "file", f"{one.name}: {wrong}") for one, wrong in damaged if wrong)
        return
    try:
        events = list(_house(lake / house.name))
        files = list(layout.rows(lake / straight.files.name))
        rejects = {tuple(row[1:6]) for row in layout.rows(lake / straight.rejects.name)}
    except WRONG as error:
        yield Problem(None, "file", f"{lake}: {error}")
        return
    for number, name, source, _, length, *parts, _ in files:
        if sum(parts) != length:
            yield Problem(
                None, "account", f"of file {number} ({name!r}) {sum(parts):,} of {length:,} bytes are told of"
            )
        if lengths.get(source, length) != length:
            yield Problem(None, "account", f"file {number} ({name!r}) has {lengths[source]:,} bytes, not {length:,}")
    if account(files) != straight.account:
        yield Problem(None, "account", "the files do not have as many bytes as the lake says")
    said = {(e.source, e.line, e.start, e.length, e.code) for e in events if isinstance(e, SourceRejected)}
    if said != rejects:
        yield Problem(None, "account", "the spans that were rejected are not those of which the house's log tells")
    told_of = {(row[2], *row[4:8]) for row in files}
    for event in events:
        if isinstance(event, SourceImported):
            counts = event.length, event.bytes_read, event.bytes_blank, event.bytes_rejected
            if (event.source, *counts) not in told_of:
                yield Problem(None, "account", f"the house's log tells otherwise of source {event.source[:12]}")


def account(files: Sequence[Row]) -> Account:
    """Return the sum of the accounts of files."""
    sums = [sum(row[at] for row in files) for at in range(4, 9)]
    return Account(len(files), *sums)


def _house(path: Path) -> Iterator[Event]:
    mapper = Mapper()
    for row in layout.rows(path):
        yield from mapper.decode("house", row[-1])
