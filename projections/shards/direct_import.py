"""Files straight into shards, without a ledger between: read apart, dealt to shards by table, each shard a log of its own.

Three kinds of work follow one another, each done by any number of processes in any order, each with a receipt: files
are read into spools (`ledger.intake.spooling`); what a shard is told comes into a log, and out of it into the shard;
hands beside lines that nobody could read are marked, which is known only when all shards are there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

import msgspec

from ledger import formats
from ledger.errors import HandledgerError, IntegrityError, SourceError, StorageFullError, StoreError
from ledger.intake.apart import Apart, Told
from ledger.intake.arriving import arrive
from ledger.intake.files import in_file
from ledger.intake.spooling import Spool, items
from ledger.intake.summary import FileSummary, ImportSummary
from ledger.lake import layout
from ledger.lake.layout import Manifest, Receipt, Sheet
from ledger.lake.several import written
from ledger.lake.sources import BLOCKS
from ledger.lake.writing import finished, sheet
from ledger.processes import pool
from ledger.store import open as open_ledger
from ledger.store.accounts import Place
from ledger.store.sources import BLOCK
from projections.findings.doubts import bits_of
from projections.shards import shard_plan
from projections.shards.lake_totals import Arrived, Settled, sealed, settled
from projections.shards.shard_plan import WORK, Begun, Plan
from projections.table_walk.unread_lines import Told as Where
from projections.table_walk.unread_lines import by_place, spoiled

if TYPE_CHECKING:
    from ledger.house.events import SourceImported
    from ledger.store import Ledger


class Made(NamedTuple):
    """A lake that files went into: what became of each, and the file of the key of its ids if that was made now."""

    summary: ImportSummary
    manifest: Manifest
    key_made: Path | None = None


class Read(msgspec.Struct):
    """What a task read."""

    told: list[Told]
    sources: Receipt | None


def to_shards(
    paths: Sequence[str | Path],
    folder: Path,
    *,
    at: int,
    format: str | None = None,  # noqa: A002 - the word of the command line
    hands: int = layout.HANDS,
    jobs: int = 1,
    people_key: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Made:
    """Read the files that `paths` name into a lake, about `hands` hands a shard, in `jobs` processes.

    `at`: when all of it counts as imported, in milliseconds. What is found in the lake is what is found in the lake of a ledger into which the files were imported. Asked again,
    it goes on where it was ended. `UsageError` where something else lies in the folder.
    """
    forced = formats.get(format).name if format else ""
    layout.arrow()
    files = shard_plan.found(paths, folder)
    made_of = shard_plan.digest_of(files, forced, hands)
    shard_plan.refuse_others(folder, made_of)
    with shard_plan.alone(folder):
        there = shard_plan.refuse_others(folder, made_of)  # it may have come meanwhile
        if there is not None:
            _swept(folder)
            _whole(folder, there)
            return Made(_again(folder, there), there)
        begun = shard_plan.begun(folder, files, made_of, forced, hands, people_key, at)
        return _made(_Work(folder, begun, jobs, progress), folder, begun)


def _made(work: _Work, folder: Path, begun: Begun) -> Made:
    """Read and deal what is planned."""
    try:
        told = [one for task in work.read() for one in task.told]
        with open_ledger(":memory:", announce=False, clock=lambda: begun.plan.at) as house:
            house.people.ids.secret = begun.secret
            made = _arrived(work, house, told)
            summary, manifest = sealed(house, folder, begun.plan, made, work.sources(), work.marked)
    except OSError as error:
        raise StorageFullError(f"{folder} cannot be written: {error.strerror or error}") from error
    _swept(folder)
    return Made(summary, manifest, begun.key_made)


def _swept(folder: Path) -> None:
    """Take away what was put by, and drafts of processes that were ended."""
    shutil.rmtree(folder / WORK, ignore_errors=True)
    for one in (folder, folder / "shards", folder / "sources"):
        for draft in one.glob(f"{layout.DRAFT}*"):
            draft.unlink(missing_ok=True)


def _whole(folder: Path, there: Manifest) -> None:
    """Refuse a lake of which a file is not what was written: it cannot be made again by itself."""
    straight = there.straight
    assert straight is not None  # noqa: S101 - it was asked for
    leaves = [one.leaves for one in straight.logs if one.leaves is not None]
    for one in (there.house, *there.shards, *leaves, straight.files, straight.rejects, *straight.sources):
        if wrong := layout.damage(folder, one):
            raise IntegrityError(f"{one.name}: {wrong}", f"Remove {folder} and import the files again.")


def _again(folder: Path, there: Manifest) -> ImportSummary:
    """Return what became of the files of a lake that is there."""
    assert there.straight is not None  # noqa: S101 - it was asked for
    rows = layout.rows(folder / there.straight.files.name)
    return ImportSummary([shard_plan.decoded(row[-1], FileSummary) for row in rows])


def _arrived(work: _Work, house: Ledger, told: list[Told]) -> Settled:
    """Let every shard be told; once more where a correction that did not fit changes what its source is to others."""
    after = settled(house, told, set())
    while True:
        plan = after
        plan.arrived = work.arrived(plan)
        refused = {number for one in plan.arrived for number, came in one.came.items() if came.refused}
        after = settled(house, told, refused)
        if after.same(plan):
            after.arrived = plan.arrived
            return after


_NOTHING: Final[Mapping[Any, Any]] = {}


class _Given(NamedTuple):
    """What every process knows."""

    folder: Path
    begun: Begun
    where: str  # the folder that names of files are of
    before: Sequence[int] = ()  # of each task, how many sources were read before its own
    passed: frozenset[int] = frozenset()
    family: Mapping[int, list[SourceImported]] = _NOTHING
    beside: frozenset[str] = frozenset()  # sources of which it must be known where their hands stand
    key: str = ""  # what tells these decisions from others
    names: Sequence[str] = ()  # of shards
    marks: Mapping[str, dict[str, int]] = _NOTHING  # bits of hands beside what was not read, by shard and stream

    @property
    def plan(self) -> Plan:
        return self.begun.plan

    def of_task(self, number: int, suffix: str) -> Path:
        return self.folder / WORK / "read" / f"{number + 1:05}.{suffix}"


_here: Final[list[_Given]] = []


def _begin(given: _Given) -> None:
    _here[:] = [given]
    os.chdir(given.where)
    tempfile.tempdir = str(given.folder / WORK)  # beside the lake: there is room for it


class _Work:
    """Lets processes do what is to be done, or does it here."""

    def __init__(self, folder: Path, begun: Begun, jobs: int, progress: Callable[[str], None]) -> None:
        self._given = _Given(folder.absolute(), begun, str(Path.cwd()))
        self._jobs, self._progress = jobs, progress
        self._read: list[Read] = []

    def _each(self, what: str, work: Callable[[int], None], numbers: Sequence[int], given: _Given) -> None:
        """Do a work for each of these numbers; all are there when it returns."""
        _here[:] = [given]
        said = f"{what}: {{:,}} of {len(numbers):,}"
        if self._jobs < 2 or len(numbers) < 2:
            with _scratch(given.folder / WORK):
                for done, number in enumerate(numbers):
                    self._progress(said.format(done))
                    work(number)
            return
        try:
            with pool(min(self._jobs, len(numbers)), [__name__], _begin, (given,)) as processes:
                for done, _ in enumerate(processes.map(work, numbers)):
                    self._progress(said.format(done + 1))
        except BrokenProcessPool:
            raise StoreError(
                "a process that was reading ended before it was done",
                "Ask again: it goes on where it stopped. With fewer --jobs it needs less memory.",
            ) from None

    def read(self) -> list[Read]:
        """Read all files; return what every task came to."""
        numbers = range(len(self._given.plan.tasks))
        self._each("files are read", _read, numbers, self._given)
        self._read = [shard_plan.get(self._given.of_task(number, "json"), Read) for number in numbers]
        return self._read

    def sources(self) -> list[Receipt]:
        """Return the files of sources."""
        return [one.sources for one in self._read if one.sources is not None]

    def arrived(self, plan: Settled) -> list[Arrived]:
        """Make every shard; return what came of each."""
        before, so_far = [], 0
        for one in self._read:
            before.append(so_far)
            so_far += len(one.told)
        given = self._given._replace(
            before=before,
            passed=frozenset(plan.passed),
            family=plan.family,
            beside=frozenset(plan.beside),
            key=plan.key(self._given.plan),
        )
        numbers = range(given.plan.shards)
        self._each("shards are made", _arrive, numbers, given)
        return [shard_plan.get(_arrived_at(given, number), Arrived) for number in numbers]

    def marked(self, marks: dict[str, dict[str, int]], shards: Sequence[Receipt]) -> list[Receipt]:
        """Mark hands of these shards, by shard and stream; return the receipts of all."""
        names = [one.name for one in shards]
        given = self._given._replace(names=names, marks=marks)
        self._each("shards are marked", _mark, [at for at, name in enumerate(names) if name in marks], given)
        found = [layout.receipt_of(self._given.folder / name) for name in names]
        return [one for one in found if one is not None]


@contextmanager
def _scratch(folder: Path) -> Iterator[None]:
    """Let what is put by for a while lie in a folder, which has room."""
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


# files


def _read(number: int) -> None:
    """Read the files of a task into a spool, and their bytes into a file of sources."""
    given = _here[0]
    path = given.of_task(number, "json")
    name = f"sources/{number + 1:05}.parquet"
    if _is_read(given, number):
        return
    with layout.drafted(path.with_suffix(".spool")) as spooled, layout.draft_in(given.folder / "sources") as draft:
        kept = _Kept(draft)
        forced = formats.get(given.plan.forced) if given.plan.forced else None
        told: list[Told] = []
        with Spool(spooled, given.plan.shards) as spool:
            apart = Apart(given.begun.secret, spool, forced, given.plan.at, kept.keep)
            for file in given.plan.tasks[number]:
                for source in in_file(file.name):
                    told.append(apart.read(source, len(told)))
                _unchanged(file)
        receipt = kept.closed(given.folder, name)
    shard_plan.put(path, Read(told, receipt))


def _is_read(given: _Given, number: int) -> bool:
    try:
        before = shard_plan.get(given.of_task(number, "json"), Read)
    except HandledgerError:
        return False
    whole = before.sources is None or not layout.damage(given.folder, before.sources)
    return whole and given.of_task(number, "spool").is_file()


def _unchanged(file: shard_plan.File) -> None:
    try:
        told = Path(file.path).stat()
    except OSError as error:
        raise SourceError(f"{file.name}: {(error.strerror or 'cannot be read').lower()}") from error
    if (told.st_size, told.st_mtime_ns) != (file.size, file.changed):
        raise SourceError(
            f"{file.name}: it changed while it was read", "Import again when nothing writes to it any more."
        )


class _Kept:
    """The bytes of the sources of a task, on their way into a file."""

    def __init__(self, draft: Path) -> None:
        self._draft = draft
        self._sheet = Sheet(draft, layout.SOURCES, BLOCKS)
        self._there: set[str] = set()

    def keep(self, summary: FileSummary, stream: BinaryIO) -> None:
        """Keep the bytes of a source, once."""
        if summary.source in self._there:
            return
        self._there.add(summary.source)
        name, start = layout.plain(summary.name), 0
        while block := _block(stream):
            self._sheet.add((summary.source, summary.sha256, name, start, block))
            start += len(block)

    def closed(self, folder: Path, name: str) -> Receipt | None:
        """Put the file where it belongs; None if nothing is in it."""
        self._sheet.close()
        if not self._there:
            return None
        size, digest = self._draft.stat().st_size, layout.sha256_of(self._draft)
        layout.placed(self._draft, folder / name)
        return finished(folder, Receipt(name, digest, size, digest, self._sheet.rows))


def _block(stream: BinaryIO) -> bytes:
    parts, size = [], 0
    while size < BLOCK and (part := stream.read(BLOCK - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


# shards


def _arrived_at(given: _Given, number: int) -> Path:
    return given.folder / WORK / "arrived" / f"{number + 1:05}.json"


def _arrive(number: int) -> None:
    """Bring what a shard is told into a log of its own, and write the shard."""
    given = _here[0]
    path, name = _arrived_at(given, number), f"shards/{number + 1:05}.parquet"
    if _is_there(given, path):
        return
    spools = [(given.of_task(at, "spool"), before) for at, before in enumerate(given.before)]
    with open_ledger(":memory:", announce=False, clock=lambda: given.plan.at) as ledger:
        ledger.people.ids.secret = given.begun.secret
        came = arrive(ledger, items(spools, number), given.passed, given.family, given.plan.at)
        unread = {
            place: {stream: bits_of(one) for stream, one in some.items()}
            for place, some in by_place(ledger, spoiled(ledger)).items()
        }
        made = written(ledger, given.folder, name, given.key, unread)
        hands = {digest: list(_hands(ledger, digest)) for digest in sorted(given.beside)}
    shard, log = made or (None, None)
    shard_plan.put(path, Arrived(given.key, came, shard, log, {digest: some for digest, some in hands.items() if some}))


def _is_there(given: _Given, path: Path) -> bool:
    try:
        before = shard_plan.get(path, Arrived)
    except HandledgerError:
        return False
    if before.plan != given.key:
        return False
    if before.shard is None:
        return True
    receipt = layout.receipt_of(given.folder / before.shard.name)  # it may be marked already
    files = [receipt, before.log.leaves if before.log else None]
    return receipt is not None and not any(one and layout.damage(given.folder, one) for one in files)


def _hands(ledger: Ledger, digest: str) -> Iterator[Where]:
    for row in ledger.hands(source=digest):
        yield Where(row.start, row.length, row.stream.bytes, Place(row.venue, row.tournament, row.table))


_UNREAD: Final = [name for name, _ in layout.SHARD].index("unread")
_STREAM: Final = [name for name, _ in layout.SHARD].index("stream")
_NUMBER: Final = [name for name, _ in layout.SHARD].index("number")
_ROWS: Final = 2_000


def _mark(number: int) -> None:
    """Mark hands of a shard beside which, in their source, something was not read."""
    given = _here[0]
    name = given.names[number]
    own, before = given.marks[name], layout.receipt_of(given.folder / name)
    if before is None or before.plan.endswith(_MARKED):
        return

    def rows() -> Iterator[tuple[object, ...]]:
        for row in layout.rows(given.folder / name, _ROWS):
            more = own.get(row[_STREAM].hex(), 0) if row[_NUMBER] is not None else 0
            yield (*row[:_UNREAD], row[_UNREAD] | more, *row[_UNREAD + 1 :]) if more else row

    made = sheet(given.folder, name, before.plan + _MARKED, layout.SHARD, rows(), _ROWS)
    told = {"hands": before.hands, "tables": before.tables, "first": before.first, "last": before.last}
    finished(given.folder, msgspec.structs.replace(made, **told))


_MARKED: Final = " marked"
