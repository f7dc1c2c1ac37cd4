"""Import files directly into the shards of a lake, without a ledger. A table's hands go to one shard with its own log.

The work has three stages. Within a stage, processes may run the tasks in any order, and each task leaves a receipt:

1. Files are read into spools (`ledger.intake.spools`).
2. The hands of each shard are appended to a log in memory and written as the shard.
3. Hands next to unreadable lines are marked. These lines are known only after all shards are written.
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
from ledger.errors import HandledgerError
from ledger.intake import import_errors
from ledger.intake.apart import SpoolReader, SpoolResult
from ledger.intake.files import open_file_sources
from ledger.intake.import_options import DEFAULT_OPTIONS, ImportOptions
from ledger.intake.spool_import import import_spools
from ledger.intake.spools import Spool, read_spools
from ledger.intake.summary import FileSummary, ImportSummary
from ledger.lake import atomic_files, lake_errors, layout
from ledger.lake.layout import FileReceipt, LakeManifest, ParquetSheet
from ledger.lake.several import write_log_shard
from ledger.lake.shard_writer import store_receipt, write_sheet
from ledger.lake.sources import BLOCKS_PER_GROUP
from ledger.process.worker_pool import worker_pool
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.stored_sources import BLOCK_BYTES
from projections.findings.doubts import pack_unread
from projections.shards import shard_errors, shard_plan
from projections.shards.json_files import decode_json, read_json, write_json
from projections.shards.lake_totals import ShardResult, SourceDecisions, decide_sources, write_totals
from projections.shards.shard_plan import WORK, KeyedPlan, Plan
from projections.table_walk.unread_lines import HandSpan, find_unread_lines, group_by_table

if TYPE_CHECKING:
    from ledger.house.events import SourceImported
    from ledger.store import Ledger


class DirectImport(NamedTuple):
    """The result of a direct import."""

    summary: ImportSummary
    manifest: LakeManifest
    created_key_file: Path | None = None  # as in `KeyedPlan`


class TaskResult(msgspec.Struct):
    """The result of a task that read files."""

    source_results: list[SpoolResult]
    sources: FileReceipt | None  # the file with the sources' bytes; None = there were none


def import_to_shards(
    paths: Sequence[str | Path],
    folder: Path,
    options: ImportOptions = DEFAULT_OPTIONS,
    *,
    imported_at: int,
    hands_per_shard: int = layout.HANDS_PER_SHARD,
    people_key: Path | None = None,
) -> DirectImport:
    """Import files into a lake in `folder`, with about `hands_per_shard` hands per shard.

    `imported_at`: the recorded time of the import, in ms. `UsageError` if `options` has one that is only for ledgers.
    A second call resumes an interrupted import. `UsageError` if the folder contains anything else. An audit of the
    lake gives the same result as one of a lake built from a ledger with the same files.
    """
    _require_shard_options(options)
    forced = formats.get(options.format_name).name if options.format_name else ""
    layout.import_arrow()
    files = shard_plan.list_input_files(paths, folder)
    input_digest = shard_plan.digest_input(files, forced, hands_per_shard)
    shard_plan.find_existing_lake(folder, input_digest)
    with shard_plan.lock_lake(folder):
        manifest = shard_plan.find_existing_lake(folder, input_digest)  # another process may just have finished it
        if manifest is not None:
            _remove_work(folder)
            _require_undamaged(folder, manifest)
            return DirectImport(_read_stored_summary(folder, manifest), manifest)
        keyed_plan = shard_plan.load_or_make_plan(
            folder, files, input_digest, forced, hands_per_shard, people_key, imported_at
        )
        return _import_planned(_ImportWork(folder, keyed_plan, options), folder, keyed_plan)


def _require_shard_options(options: ImportOptions) -> None:
    """Raise `UsageError` for an option that only an import into a ledger has."""
    is_set = {
        "dry_run": options.dry_run,
        "compress": options.compress is not None,
        "hide_cards": options.hide_cards,
        "answers": bool(options.answers),
    }
    for name in filter(is_set.get, is_set):
        raise import_errors.option_without_shards(name)


def _import_planned(work: _ImportWork, folder: Path, keyed_plan: KeyedPlan) -> DirectImport:
    """Read the planned files, write the shards, and finish the lake."""
    try:
        source_results = [source_result for task in work.read_files() for source_result in task.source_results]
        with open_ledger(":memory:", announce=False, clock=lambda: keyed_plan.plan.imported_at) as house:
            house.people.ids.secret = keyed_plan.secret
            decisions = _fill_shards(work, house, source_results)
            summary, manifest = write_totals(
                house, folder, keyed_plan.plan, decisions, work.list_source_files(), work.mark_shards
            )
    except OSError as error:
        raise lake_errors.file_unwritable(folder, error.strerror or str(error)) from error
    _remove_work(folder)
    return DirectImport(summary, manifest, keyed_plan.created_key_file)


def _remove_work(folder: Path) -> None:
    """Remove the work folder, and drafts that killed processes left behind."""
    shutil.rmtree(folder / WORK, ignore_errors=True)
    for parent in (folder, folder / "shards", folder / "sources"):
        for draft in parent.glob(f"{atomic_files.DRAFT_PREFIX}*"):
            draft.unlink(missing_ok=True)


def _require_undamaged(folder: Path, manifest: LakeManifest) -> None:
    """Raise `IntegrityError` if a file of the lake is damaged, because a single file can't be rebuilt."""
    straight = manifest.straight
    assert straight is not None  # noqa: S101 - `find_existing_lake` returns only lakes of direct imports
    leaves = [receipt.leaves for receipt in straight.logs if receipt.leaves is not None]
    for receipt in (manifest.house, *manifest.shards, *leaves, straight.files, straight.rejects, *straight.sources):
        if damage := layout.describe_damage(folder, receipt):
            raise shard_errors.imported_file_damaged(receipt.name, damage, folder)


def _read_stored_summary(folder: Path, manifest: LakeManifest) -> ImportSummary:
    """Return the import summary stored in a lake."""
    assert manifest.straight is not None  # noqa: S101 - `find_existing_lake` returns only lakes of direct imports
    rows = layout.read_rows(folder / manifest.straight.files.name)
    return ImportSummary([decode_json(row[-1], FileSummary) for row in rows])


def _fill_shards(work: _ImportWork, house: Ledger, source_results: list[SpoolResult]) -> SourceDecisions:
    """Write every shard. Repeat if a refused correction changes the decisions on sources."""
    decisions = decide_sources(house, source_results, set())
    while True:
        applied_decisions = decisions
        applied_decisions.shard_results = work.write_shards(applied_decisions)
        refused_sources = {
            number
            for shard_result in applied_decisions.shard_results
            for number, arrival in shard_result.arrivals.items()
            if arrival.rejects
        }
        decisions = decide_sources(house, source_results, refused_sources)
        if decisions.has_same_decisions(applied_decisions):
            decisions.shard_results = applied_decisions.shard_results
            return decisions


_EMPTY_MAPPING: Final[Mapping[Any, Any]] = {}


class _WorkerContext(NamedTuple):
    """The data of every worker process. Later stages set more fields."""

    folder: Path
    keyed_plan: KeyedPlan
    working_folder: str  # file names in the plan are relative to it
    sources_before: Sequence[int] = ()  # by task: the number of sources in earlier tasks
    skipped_sources: frozenset[int] = frozenset()  # numbers of sources without hands for any shard
    earlier_versions: Mapping[int, list[SourceImported]] = (
        _EMPTY_MAPPING  # by source number: earlier versions of the same source
    )
    partly_read_sources: frozenset[str] = frozenset()  # digests of sources whose hands' spans are needed
    decisions_digest: str = ""
    names: Sequence[str] = ()  # file names of the shards
    unread_bits: Mapping[str, dict[str, int]] = (
        _EMPTY_MAPPING  # bits for hands next to unread lines, by shard and stream
    )

    @property
    def plan(self) -> Plan:
        """The plan of the import."""
        return self.keyed_plan.plan

    def build_task_path(self, number: int, suffix: str) -> Path:
        """Return the path of a file that belongs to a reading task, counted from 0."""
        return self.folder / WORK / "read" / f"{number + 1:05}.{suffix}"


_worker_context: Final[list[_WorkerContext]] = []
"""The context of this process, in a list with one element, so that it can be replaced."""


def _init_worker(context: _WorkerContext) -> None:
    _worker_context[:] = [context]
    os.chdir(context.working_folder)
    tempfile.tempdir = str(context.folder / WORK)  # on the lake's disk, which has enough space


class _ImportWork:
    """Runs the stages of an import, in worker processes or in this one."""

    def __init__(self, folder: Path, keyed_plan: KeyedPlan, options: ImportOptions) -> None:
        self._context = _WorkerContext(folder.absolute(), keyed_plan, str(Path.cwd()))
        self._jobs, self._progress = options.jobs, options.on_progress
        self._read: list[TaskResult] = []

    def _run_tasks(
        self, activity: str, run_task: Callable[[int], None], numbers: Sequence[int], context: _WorkerContext
    ) -> None:
        """Run a task for each number, and return when all are finished. `activity` begins the progress message."""
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
            raise import_errors.reader_process_lost() from None

    def read_files(self) -> list[TaskResult]:
        """Read all files; return the result of every task."""
        numbers = range(len(self._context.plan.tasks))
        self._run_tasks("files are read", _read_task, numbers, self._context)
        self._read = [read_json(self._context.build_task_path(number, "json"), TaskResult) for number in numbers]
        return self._read

    def list_source_files(self) -> list[FileReceipt]:
        """Return the files with the sources' bytes."""
        return [task_result.sources for task_result in self._read if task_result.sources is not None]

    def write_shards(self, decisions: SourceDecisions) -> list[ShardResult]:
        """Write every shard by these decisions; return their results."""
        sources_before, source_count = [], 0
        for task_result in self._read:
            sources_before.append(source_count)
            source_count += len(task_result.source_results)
        context = self._context._replace(
            sources_before=sources_before,
            skipped_sources=frozenset(decisions.skipped_sources),
            earlier_versions=decisions.earlier_versions,
            partly_read_sources=frozenset(decisions.partly_read_sources),
            decisions_digest=decisions.compute_digest(self._context.plan),
        )
        numbers = range(context.plan.shard_count)
        self._run_tasks("shards are made", _write_shard, numbers, context)
        return [read_json(_build_receipt_path(context, number), ShardResult) for number in numbers]

    def mark_shards(self, unread_bits: dict[str, dict[str, int]], shards: Sequence[FileReceipt]) -> list[FileReceipt]:
        """Add the bits for unread lines to hands, by shard and stream id, and return the receipts of all shards."""
        names = [receipt.name for receipt in shards]
        context = self._context._replace(names=names, unread_bits=unread_bits)
        self._run_tasks(
            "shards are marked",
            _mark_shard,
            [shard_index for shard_index, name in enumerate(names) if name in unread_bits],
            context,
        )
        receipts = [layout.read_receipt(self._context.folder / name) for name in names]
        return [receipt for receipt in receipts if receipt is not None]


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[None]:
    """Use a folder on the lake's disk, which has enough space, for temporary files."""
    previous_folder, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = previous_folder


# Stage 1: read files


def _read_task(number: int) -> None:
    """Read the files of a task into a spool, and store their bytes in a file of sources."""
    context = _worker_context[0]
    path = context.build_task_path(number, "json")
    name = f"sources/{number + 1:05}.parquet"
    if _is_read(context, number):
        return
    with (
        atomic_files.open_replacement(path.with_suffix(".spool")) as spool_path,
        atomic_files.open_draft(context.folder / "sources") as draft,
    ):
        source_file = _SourceFile(draft)
        forced = formats.get(context.plan.forced_format) if context.plan.forced_format else None
        source_results: list[SpoolResult] = []
        with Spool(spool_path, context.plan.shard_count) as spool:
            reader = SpoolReader(
                context.keyed_plan.secret, spool, forced, context.plan.imported_at, source_file.store_source
            )
            for file in context.plan.tasks[number]:
                for source in open_file_sources(file.name):
                    source_results.append(reader.read(source, len(source_results)))
                _require_unchanged(file)
        receipt = source_file.finish(context.folder, name)
    write_json(path, TaskResult(source_results, receipt))


def _is_read(context: _WorkerContext, number: int) -> bool:
    """Whether a reading task is finished and its files are undamaged."""
    try:
        stored_result = read_json(context.build_task_path(number, "json"), TaskResult)
    except HandledgerError:
        return False
    has_sources = stored_result.sources is None or not layout.describe_damage(context.folder, stored_result.sources)
    return has_sources and context.build_task_path(number, "spool").is_file()


def _require_unchanged(file: shard_plan.InputFile) -> None:
    """Raise `SourceError` if a file changed since the plan was made."""
    try:
        file_status = Path(file.path).stat()
    except OSError as error:
        raise import_errors.unreadable_file(file.name, error.strerror or "") from error
    if (file_status.st_size, file_status.st_mtime_ns) != (file.size, file.changed):
        raise import_errors.changed_while_read(file.name)


class _SourceFile:
    """Writes the bytes of a task's sources into one file."""

    def __init__(self, draft: Path) -> None:
        self._draft = draft
        self._sheet = ParquetSheet(draft, layout.SOURCE_COLUMNS, BLOCKS_PER_GROUP)
        self._written_sources: set[str] = set()

    def store_source(self, summary: FileSummary, stream: BinaryIO) -> None:
        """Write the bytes of a source, unless the file has them already."""
        if summary.source in self._written_sources:
            return
        self._written_sources.add(summary.source)
        name, start = layout.replace_non_utf8(summary.name), 0
        while block := _read_block(stream):
            self._sheet.add_row((summary.source, summary.sha256, name, start, block))
            start += len(block)

    def finish(self, folder: Path, name: str) -> FileReceipt | None:
        """Move the finished file into the lake and return its receipt; None if it's empty."""
        self._sheet.close()
        if not self._written_sources:
            return None
        size, digest = self._draft.stat().st_size, atomic_files.hash_file(self._draft)
        atomic_files.rename_draft(self._draft, folder / name)
        return store_receipt(folder, FileReceipt(name, digest, size, digest, self._sheet.rows))


def _read_block(stream: BinaryIO) -> bytes:
    """Return the next full block of a stream, or a shorter one at its end."""
    parts, size = [], 0
    while size < BLOCK_BYTES and (part := stream.read(BLOCK_BYTES - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


# Stage 2: write shards


def _build_receipt_path(context: _WorkerContext, number: int) -> Path:
    return context.folder / WORK / "arrived" / f"{number + 1:05}.json"


def _write_shard(number: int) -> None:
    """Append a shard's hands to a log of its own in memory, and write both as the shard."""
    context = _worker_context[0]
    path, name = _build_receipt_path(context, number), f"shards/{number + 1:05}.parquet"
    if _is_written(context, path):
        return
    spools = [
        (context.build_task_path(task_index, "spool"), sources_before)
        for task_index, sources_before in enumerate(context.sources_before)
    ]
    with open_ledger(":memory:", announce=False, clock=lambda: context.plan.imported_at) as ledger:
        ledger.people.ids.secret = context.keyed_plan.secret
        arrival = import_spools(
            ledger,
            read_spools(spools, number),
            context.skipped_sources,
            context.earlier_versions,
            context.plan.imported_at,
        )
        unread_bits = {
            table_key: {stream: pack_unread(unread_lines) for stream, unread_lines in hands_of_table.items()}
            for table_key, hands_of_table in group_by_table(ledger, find_unread_lines(ledger)).items()
        }
        shard_and_log = write_log_shard(ledger, context.folder, name, context.decisions_digest, unread_bits)
        spans = {digest: list(_iter_hand_spans(ledger, digest)) for digest in sorted(context.partly_read_sources)}
    shard, log = shard_and_log or (None, None)
    spans = {digest: source_spans for digest, source_spans in spans.items() if source_spans}
    write_json(path, ShardResult(context.decisions_digest, arrival, shard, log, spans))


def _is_written(context: _WorkerContext, path: Path) -> bool:
    """Whether a shard was written by the same decisions, and its files are undamaged. `path`: of its receipt."""
    try:
        stored_result = read_json(path, ShardResult)
    except HandledgerError:
        return False
    if stored_result.plan != context.decisions_digest:
        return False
    if stored_result.shard is None:
        return True
    receipt = layout.read_receipt(context.folder / stored_result.shard.name)  # newer than the result if marked since
    files = [receipt, stored_result.log.leaves if stored_result.log else None]
    return receipt is not None and not any(file and layout.describe_damage(context.folder, file) for file in files)


def _iter_hand_spans(ledger: Ledger, digest: str) -> Iterator[HandSpan]:
    """Yield the span of each hand in a source's bytes."""
    for row in ledger.hands(source=digest):
        yield HandSpan(row.start, row.length, row.stream.bytes, TableKey(row.venue, row.tournament, row.table))


# Stage 3: mark hands


_UNREAD_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("unread")
_STREAM_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("stream")
_NUMBER_COLUMN: Final = [name for name, _ in layout.SHARD_COLUMNS].index("number")
_BATCH_ROWS: Final = 2_000


def _mark_shard(number: int) -> None:
    """Mark the hands of a shard that are next to unread lines in their source."""
    context = _worker_context[0]
    name = context.names[number]
    unread_bits, old_receipt = context.unread_bits[name], layout.read_receipt(context.folder / name)
    if old_receipt is None or old_receipt.plan.endswith(_MARKED):
        return

    def iter_marked_rows() -> Iterator[tuple[object, ...]]:
        for row in layout.read_rows(context.folder / name, _BATCH_ROWS):
            bits = unread_bits.get(row[_STREAM_COLUMN].hex(), 0) if row[_NUMBER_COLUMN] is not None else 0
            yield (*row[:_UNREAD_COLUMN], row[_UNREAD_COLUMN] | bits, *row[_UNREAD_COLUMN + 1 :]) if bits else row

    new_receipt = write_sheet(
        context.folder, name, old_receipt.plan + _MARKED, layout.SHARD_COLUMNS, iter_marked_rows(), _BATCH_ROWS
    )
    counts = {
        "hands": old_receipt.hands,
        "tables": old_receipt.tables,
        "first": old_receipt.first,
        "last": old_receipt.last,
    }
    store_receipt(context.folder, msgspec.structs.replace(new_receipt, **counts))


_MARKED: Final = " marked"
"""Suffix of `plan` in the receipt of a shard that has its bits for unread lines."""
