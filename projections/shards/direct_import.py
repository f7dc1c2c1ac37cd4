"""Imports files straight into shards, without a ledger: hands go to shards by table, and each shard is a log of its own.

Three kinds of tasks follow one another. Any number of processes run them in any order, and each task leaves a receipt.
First, files are read into spools (`ledger.intake.spooling`). Then each shard's hands go through a log into the shard.
Last, hands beside unreadable lines are marked: those are known only when all shards are written.
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
from ledger.lake import layout, whole_files
from ledger.lake.layout import FileReceipt, LakeManifest, ParquetSheet
from ledger.lake.several import write_log_shard
from ledger.lake.sources import BLOCKS_PER_GROUP
from ledger.lake.writing import store_receipt, write_sheet
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.stored_sources import BLOCK_BYTES
from projections.findings.doubts import pack_unread
from projections.shards import shard_plan
from projections.shards.lake_totals import ShardResult, SourceDecisions, decide_sources, write_totals
from projections.shards.shard_plan import WORK, Plan, ResumedPlan
from projections.table_walk.unread_lines import HandSpan, find_unread_lines, group_by_place

if TYPE_CHECKING:
    from ledger.house.events import SourceImported
    from ledger.store import Ledger


class DirectImport(NamedTuple):
    """A lake of imported files: the summary, the manifest, and the file of a newly made key for its ids."""

    summary: ImportSummary
    manifest: LakeManifest
    key_made: Path | None = None


class TaskResult(msgspec.Struct):
    """The sources that a task read."""

    source_results: list[Told]
    sources: FileReceipt | None


def import_to_shards(
    paths: Sequence[str | Path],
    folder: Path,
    *,
    imported_at: int,
    format: str | None = None,  # noqa: A002 - the word of the command line
    hands: int = layout.HANDS_PER_SHARD,
    jobs: int = 1,
    people_key: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> DirectImport:
    """Read the files that `paths` name into a lake, about `hands` hands a shard, in `jobs` processes.

    `at`: the time of the import, in milliseconds. An audit of this lake equals an audit of a lake made from a ledger
    with the same files. A second call resumes an interrupted import. `UsageError` if the folder holds something else.
    """
    forced = formats.get(format).name if format else ""
    layout.import_arrow()
    files = shard_plan.input_files(paths, folder)
    input_digest = shard_plan.input_digest(files, forced, hands)
    shard_plan.existing_lake(folder, input_digest)
    with shard_plan.lake_lock(folder):
        manifest = shard_plan.existing_lake(folder, input_digest)  # it may have come meanwhile
        if manifest is not None:
            _remove_work(folder)
            _require_undamaged(folder, manifest)
            return DirectImport(_stored_summary(folder, manifest), manifest)
        resumed_plan = shard_plan.resume_plan(folder, files, input_digest, forced, hands, people_key, imported_at)
        return _import_planned(_ImportWork(folder, resumed_plan, jobs, progress), folder, resumed_plan)


def _import_planned(work: _ImportWork, folder: Path, resumed_plan: ResumedPlan) -> DirectImport:
    """Read the planned files and fill the shards."""
    try:
        source_results = [source_result for task in work.read() for source_result in task.source_results]
        with open_ledger(":memory:", announce=False, clock=lambda: resumed_plan.plan.at) as house:
            house.people.ids.secret = resumed_plan.secret
            decisions = _fill_shards(work, house, source_results)
            summary, manifest = write_totals(house, folder, resumed_plan.plan, decisions, work.sources(), work.marked)
    except OSError as error:
        raise StorageFullError(f"{folder} cannot be written: {error.strerror or error}") from error
    _remove_work(folder)
    return DirectImport(summary, manifest, resumed_plan.key_made)


def _remove_work(folder: Path) -> None:
    """Remove the work folder, and drafts left by killed processes."""
    shutil.rmtree(folder / WORK, ignore_errors=True)
    for parent in (folder, folder / "shards", folder / "sources"):
        for draft in parent.glob(f"{whole_files.DRAFT_PREFIX}*"):
            draft.unlink(missing_ok=True)


def _require_undamaged(folder: Path, manifest: LakeManifest) -> None:
    """Refuse a lake with a damaged file: one file alone can't be made again."""
    straight = manifest.straight
    assert straight is not None  # noqa: S101 - it was asked for
    leaves = [receipt.leaves for receipt in straight.logs if receipt.leaves is not None]
    for receipt in (manifest.house, *manifest.shards, *leaves, straight.files, straight.rejects, *straight.sources):
        if damage := layout.describe_damage(folder, receipt):
            raise IntegrityError(f"{receipt.name}: {damage}", f"Remove {folder} and import the files again.")


def _stored_summary(folder: Path, manifest: LakeManifest) -> ImportSummary:
    """Return the import summary of an existing lake."""
    assert manifest.straight is not None  # noqa: S101 - it was asked for
    rows = layout.read_rows(folder / manifest.straight.files.name)
    return ImportSummary([shard_plan.decode_json(row[-1], FileSummary) for row in rows])


def _fill_shards(work: _ImportWork, house: Ledger, source_results: list[Told]) -> SourceDecisions:
    """Fill every shard; repeat if a refused correction changes how its source relates to others."""
    decisions = decide_sources(house, source_results, set())
    while True:
        applied_decisions = decisions
        applied_decisions.arrived = work.arrived(applied_decisions)
        refused_sources = {
            number
            for shard_result in applied_decisions.arrived
            for number, arrival in shard_result.arrivals.items()
            if arrival.refused
        }
        decisions = decide_sources(house, source_results, refused_sources)
        if decisions.has_same_decisions(applied_decisions):
            decisions.arrived = applied_decisions.arrived
            return decisions


_EMPTY: Final[Mapping[Any, Any]] = {}


class _WorkerContext(NamedTuple):
    """What every worker process needs."""

    folder: Path
    resumed_plan: ResumedPlan
    working_folder: str  # the folder that file names are relative to
    sources_before: Sequence[int] = ()  # by task: the number of sources in earlier tasks
    passed: frozenset[int] = frozenset()
    family: Mapping[int, list[SourceImported]] = _EMPTY
    partly_read_sources: frozenset[str] = frozenset()  # sources whose hands' spans are needed
    key: str = ""  # digest of these decisions
    names: Sequence[str] = ()  # of shards
    marks: Mapping[str, dict[str, int]] = _EMPTY  # bits of hands beside unread lines, by shard and stream

    @property
    def plan(self) -> Plan:
        return self.resumed_plan.plan

    def of_task(self, number: int, suffix: str) -> Path:
        return self.folder / WORK / "read" / f"{number + 1:05}.{suffix}"


_worker_context: Final[list[_WorkerContext]] = []


def _init_worker(context: _WorkerContext) -> None:
    _worker_context[:] = [context]
    os.chdir(context.working_folder)
    tempfile.tempdir = str(context.folder / WORK)  # on the lake's disk, which has room


class _ImportWork:
    """Runs the tasks in worker processes, or in this one."""

    def __init__(self, folder: Path, resumed_plan: ResumedPlan, jobs: int, progress: Callable[[str], None]) -> None:
        self._context = _WorkerContext(folder.absolute(), resumed_plan, str(Path.cwd()))
        self._jobs, self._progress = jobs, progress
        self._read: list[TaskResult] = []

    def _run_tasks(
        self, activity: str, run_task: Callable[[int], None], numbers: Sequence[int], context: _WorkerContext
    ) -> None:
        """Run a task for each of these numbers; return when all are finished."""
        _worker_context[:] = [context]
        message = f"{activity}: {{:,}} of {len(numbers):,}"
        if self._jobs < 2 or len(numbers) < 2:
            with _temporary_folder(context.folder / WORK):
                for finished, number in enumerate(numbers):
                    self._progress(message.format(finished))
                    run_task(number)
            return
        try:
            with worker_pool(min(self._jobs, len(numbers)), [__name__], _init_worker, (context,)) as processes:
                for finished, _ in enumerate(processes.map(run_task, numbers)):
                    self._progress(message.format(finished + 1))
        except BrokenProcessPool:
            raise StoreError(
                "a process that was reading ended before it was done",
                "Ask again: it goes on where it stopped. With fewer --jobs it needs less memory.",
            ) from None

    def read(self) -> list[TaskResult]:
        """Read all files; return the result of every task."""
        numbers = range(len(self._context.plan.tasks))
        self._run_tasks("files are read", _read_task, numbers, self._context)
        self._read = [shard_plan.read_json(self._context.of_task(number, "json"), TaskResult) for number in numbers]
        return self._read

    def sources(self) -> list[FileReceipt]:
        """Return the files of sources."""
        return [task_result.sources for task_result in self._read if task_result.sources is not None]

    def arrived(self, decisions: SourceDecisions) -> list[ShardResult]:
        """Write every shard; return their results."""
        sources_before, source_count = [], 0
        for task_result in self._read:
            sources_before.append(source_count)
            source_count += len(task_result.source_results)
        context = self._context._replace(
            sources_before=sources_before,
            passed=frozenset(decisions.passed),
            family=decisions.family,
            partly_read_sources=frozenset(decisions.partly_read_sources),
            key=decisions.key(self._context.plan),
        )
        numbers = range(context.plan.shards)
        self._run_tasks("shards are made", _write_shard, numbers, context)
        return [shard_plan.read_json(_receipt_path(context, number), ShardResult) for number in numbers]

    def marked(self, marks: dict[str, dict[str, int]], shards: Sequence[FileReceipt]) -> list[FileReceipt]:
        """Mark hands of these shards, by shard and stream; return the receipts of all."""
        names = [receipt.name for receipt in shards]
        context = self._context._replace(names=names, marks=marks)
        self._run_tasks(
            "shards are marked",
            _mark_shard,
            [shard_index for shard_index, name in enumerate(names) if name in marks],
            context,
        )
        receipts = [layout.read_receipt(self._context.folder / name) for name in names]
        return [receipt for receipt in receipts if receipt is not None]


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[None]:
    """Keep temporary files in a folder that has room."""
    previous_folder, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = previous_folder


# files


def _read_task(number: int) -> None:
    """Read the files of a task into a spool, and their bytes into a file of sources."""
    context = _worker_context[0]
    path = context.of_task(number, "json")
    name = f"sources/{number + 1:05}.parquet"
    if _is_read(context, number):
        return
    with (
        whole_files.replacing_file(path.with_suffix(".spool")) as spool_path,
        whole_files.open_draft(context.folder / "sources") as draft,
    ):
        source_file = _SourceFile(draft)
        forced = formats.get(context.plan.forced) if context.plan.forced else None
        source_results: list[Told] = []
        with Spool(spool_path, context.plan.shards) as spool:
            reader = Apart(context.resumed_plan.secret, spool, forced, context.plan.at, source_file.keep)
            for file in context.plan.tasks[number]:
                for source in in_file(file.name):
                    source_results.append(reader.read(source, len(source_results)))
                _require_unchanged(file)
        receipt = source_file.closed(context.folder, name)
    shard_plan.write_json(path, TaskResult(source_results, receipt))


def _is_read(context: _WorkerContext, number: int) -> bool:
    try:
        stored_result = shard_plan.read_json(context.of_task(number, "json"), TaskResult)
    except HandledgerError:
        return False
    has_sources = stored_result.sources is None or not layout.describe_damage(context.folder, stored_result.sources)
    return has_sources and context.of_task(number, "spool").is_file()


def _require_unchanged(file: shard_plan.InputFile) -> None:
    try:
        file_status = Path(file.path).stat()
    except OSError as error:
        raise SourceError(f"{file.name}: {(error.strerror or 'cannot be read').lower()}") from error
    if (file_status.st_size, file_status.st_mtime_ns) != (file.size, file.changed):
        raise SourceError(
            f"{file.name}: it changed while it was read", "Import again when nothing writes to it any more."
        )


class _SourceFile:
    """The bytes of the sources of a task, on their way into a file."""

    def __init__(self, draft: Path) -> None:
        self._draft = draft
        self._sheet = ParquetSheet(draft, layout.SOURCE_COLUMNS, BLOCKS_PER_GROUP)
        self._written_sources: set[str] = set()

    def keep(self, summary: FileSummary, stream: BinaryIO) -> None:
        """Keep the bytes of a source, once."""
        if summary.source in self._written_sources:
            return
        self._written_sources.add(summary.source)
        name, start = layout.utf8_name(summary.name), 0
        while block := _read_block(stream):
            self._sheet.add_row((summary.source, summary.sha256, name, start, block))
            start += len(block)

    def closed(self, folder: Path, name: str) -> FileReceipt | None:
        """Move the file to its place; None if it is empty."""
        self._sheet.close()
        if not self._written_sources:
            return None
        size, digest = self._draft.stat().st_size, whole_files.sha256_of(self._draft)
        whole_files.place_draft(self._draft, folder / name)
        return store_receipt(folder, FileReceipt(name, digest, size, digest, self._sheet.rows))


def _read_block(stream: BinaryIO) -> bytes:
    parts, size = [], 0
    while size < BLOCK_BYTES and (part := stream.read(BLOCK_BYTES - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


# shards


def _receipt_path(context: _WorkerContext, number: int) -> Path:
    return context.folder / WORK / "arrived" / f"{number + 1:05}.json"


def _write_shard(number: int) -> None:
    """Bring a shard's hands into a log of its own, and write the shard."""
    context = _worker_context[0]
    path, name = _receipt_path(context, number), f"shards/{number + 1:05}.parquet"
    if _is_written(context, path):
        return
    spools = [
        (context.of_task(task_index, "spool"), sources_before)
        for task_index, sources_before in enumerate(context.sources_before)
    ]
    with open_ledger(":memory:", announce=False, clock=lambda: context.plan.at) as ledger:
        ledger.people.ids.secret = context.resumed_plan.secret
        arrival = arrive(ledger, items(spools, number), context.passed, context.family, context.plan.at)
        unread_bits = {
            place: {stream: pack_unread(unread_lines) for stream, unread_lines in hands_of_source.items()}
            for place, hands_of_source in group_by_place(ledger, find_unread_lines(ledger)).items()
        }
        shard_and_log = write_log_shard(ledger, context.folder, name, context.key, unread_bits)
        hands = {digest: list(_stored_spans(ledger, digest)) for digest in sorted(context.partly_read_sources)}
    shard, log = shard_and_log or (None, None)
    shard_plan.write_json(
        path,
        ShardResult(
            context.key,
            arrival,
            shard,
            log,
            {digest: hands_of_source for digest, hands_of_source in hands.items() if hands_of_source},
        ),
    )


def _is_written(context: _WorkerContext, path: Path) -> bool:
    try:
        stored_result = shard_plan.read_json(path, ShardResult)
    except HandledgerError:
        return False
    if stored_result.plan != context.key:
        return False
    if stored_result.shard is None:
        return True
    receipt = layout.read_receipt(context.folder / stored_result.shard.name)  # it may be marked already
    files = [receipt, stored_result.log.leaves if stored_result.log else None]
    return receipt is not None and not any(file and layout.describe_damage(context.folder, file) for file in files)


def _stored_spans(ledger: Ledger, digest: str) -> Iterator[HandSpan]:
    for row in ledger.hands(source=digest):
        yield HandSpan(row.start, row.length, row.stream.bytes, TableKey(row.venue, row.tournament, row.table))


_UNREAD_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("unread")
_STREAM_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("stream")
_NUMBER_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("number")
_BATCH_ROWS: Final = 2_000


def _mark_shard(number: int) -> None:
    """Mark hands of a shard that lie beside unread lines in their source."""
    context = _worker_context[0]
    name = context.names[number]
    marks, old_receipt = context.marks[name], layout.read_receipt(context.folder / name)
    if old_receipt is None or old_receipt.plan.endswith(_MARKED):
        return

    def marked_rows() -> Iterator[tuple[object, ...]]:
        for row in layout.read_rows(context.folder / name, _BATCH_ROWS):
            bits = marks.get(row[_STREAM_COLUMN].hex(), 0) if row[_NUMBER_COLUMN] is not None else 0
            yield (*row[:_UNREAD_COLUMN], row[_UNREAD_COLUMN] | bits, *row[_UNREAD_COLUMN + 1 :]) if bits else row

    new_receipt = write_sheet(
        context.folder, name, old_receipt.plan + _MARKED, layout.SHARD_COLUMNS, marked_rows(), _BATCH_ROWS
    )
    counts = {
        "hands": old_receipt.hands,
        "tables": old_receipt.tables,
        "first": old_receipt.first,
        "last": old_receipt.last,
    }
    store_receipt(context.folder, msgspec.structs.replace(new_receipt, **counts))


_MARKED: Final = " marked"
