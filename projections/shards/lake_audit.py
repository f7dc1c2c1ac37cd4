"""Audit a lake: judge its shards one by one, on this machine or a cluster, and merge the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from hashlib import sha256
from heapq import merge
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import msgspec

from ledger.decoders import decode_json
from ledger.errors import HandledgerError
from ledger.files.disk_spool import DiskSpool
from ledger.lake import atomic_files, lake_errors, layout
from ledger.lake.shard_reader import read_adoptions
from ledger.process.worker_pool import worker_pool
from projections.audit.audit_result import AuditResult, merge_books
from projections.audit.book_differences import Difference
from projections.findings.finding import Finding
from projections.shards import shard_errors, shard_judge
from projections.shards.shard_judge import COVERAGE, BookResults, Receipt, Task, judge_shard
from projections.tables.code import code_digest

if TYPE_CHECKING:
    from ledger.lake.layout import LakeManifest
    from projections.books.rulebook import Rulebook

Job: TypeAlias = Callable[[Task], bytes]
Mapper: TypeAlias = Callable[[Job, Sequence[Task]], Iterable[bytes]]
"""Calls a job with each task, on any machine, and yields the return values in any order."""

RUN: Final = "run.json"
"""Name of the file with the `LakeRun` in an output folder."""


class LakeRun(msgspec.Struct, frozen=True):
    """The record of a lake audit: totals, and the receipts of the jobs in the order of the shards."""

    digest: str  # over the digests of all tables, hex
    sessions: int  # tables
    hands: int
    findings: int
    receipts: list[Receipt]  # finished jobs
    troubles: list[Receipt] = []  # failed jobs
    files: dict[str, str] = {}  # file name → SHA-256, hex; {} in records of earlier versions


def map_in_turn(run_job: Job, tasks: Sequence[Task]) -> Iterator[bytes]:
    """Run jobs in this process, one after the other."""
    return map(run_job, tasks)


def make_process_mapper(jobs: int) -> Mapper:
    """Return a mapper that runs jobs in `jobs` processes of this machine.

    If a process is killed, a new pool runs the unfinished tasks. After two such rounds in a row without a finished
    job, it raises `StoreError`.
    """

    def map_in_pool(run_job: Job, tasks: Sequence[Task]) -> Iterator[bytes]:
        remaining_tasks, failed_rounds = list(tasks), 0
        while remaining_tasks:
            finished_keys: set[str] = set()
            try:
                with worker_pool(min(jobs, len(remaining_tasks)), [run_job.__module__]) as processes:
                    task_by_future = {processes.submit(run_job, task): task for task in remaining_tasks}
                    for future in as_completed(task_by_future):
                        data = future.result()
                        finished_keys.add(task_by_future[future].key)
                        yield data
            except BrokenProcessPool:
                failed_rounds = 0 if finished_keys else failed_rounds + 1
                if failed_rounds == _MAX_FAILED_ROUNDS:
                    raise shard_errors.judges_lost() from None
            remaining_tasks = [task for task in remaining_tasks if task.key not in finished_keys]

    return map_in_pool


_MAX_FAILED_ROUNDS: Final = 2  # rounds in a row without a finished job


def audit_lake(
    lake: Path,
    books: Sequence[Rulebook],
    out: Path,
    mapper: Mapper = map_in_turn,
    progress: Callable[[int, int], None] = lambda _count, _total: None,
) -> LakeRun:
    """Judge a lake under these books, or else the house's; write the results to `out` and return their record.

    Shards that were already judged under the same books by the same code are skipped. Damaged and failed shards are
    listed in `troubles`. `progress` is called with the hands judged so far and in all.
    """
    manifest = layout.read_manifest(lake)
    if not books and (damage := layout.describe_damage(lake, manifest.house)):
        raise lake_errors.file_damaged(manifest.house.name, damage)
    house = lake.absolute() / manifest.house.name
    adopted = "" if books else shard_judge.digest_adoptions(read_adoptions(house))
    tasks = [
        Task(
            str(lake.absolute() / shard.name),
            shard.sha256,
            str(house),
            adopted,
            tuple(books),
            code_digest(),
            position_before,
        )
        for shard, position_before in zip(manifest.shards, _list_positions_before(manifest), strict=True)
    ]
    out.mkdir(parents=True, exist_ok=True)
    _drop_damaged(out, tasks)
    receipts = {
        task.key: receipt for task in tasks if (receipt := shard_judge.read_stored_receipt(out, task)) is not None
    }
    hands = {task.key: shard.hands for task, shard in zip(tasks, manifest.shards, strict=True)}
    finished = sum(hands[key] for key in receipts)
    progress(finished, sum(hands.values()))
    for data in mapper(
        partial(_run_job, out=str(out.absolute())), [task for task in tasks if task.key not in receipts]
    ):
        receipt = decode_json(data, Receipt)
        receipts[receipt.key] = receipt
        finished += hands[receipt.key]
        progress(finished, sum(hands.values()))
    return _write_run(out, [receipts[task.key] for task in tasks], [shard.tables for shard in manifest.shards])


def _list_positions_before(manifest: LakeManifest) -> list[int]:
    """Return the number of events in earlier logs for each shard, because positions count through the whole lake."""
    if manifest.straight is None:
        return [0] * len(manifest.shards)
    return [*accumulate(log.position for log in manifest.straight.logs)][:-1]


def _run_job(task: Task, out: str) -> bytes:
    return judge_shard(task, out)


def _write_run(out: Path, receipts: Sequence[Receipt], tables: Sequence[int]) -> LakeRun:
    """Merge the receipts and write the record. `tables`: how many tables each shard has; other counts are an error."""
    finished = [receipt for receipt in receipts if not receipt.trouble]
    for receipt, table_count in zip(receipts, tables, strict=True):
        if not receipt.trouble and receipt.sessions != table_count:
            raise shard_errors.tables_missing(receipt.shard, receipt.sessions, table_count)
    digest = sha256()
    for *place, _, _, table_digest in merge(
        *(layout.read_rows(_find_result_file(out, receipt, "sessions")) for receipt in finished)
    ):
        digest.update(shard_judge.encode_json(place) + table_digest)
    lake_run = LakeRun(
        digest.hexdigest(),
        sum(receipt.sessions for receipt in finished),
        sum(receipt.hands for receipt in finished),
        sum(receipt.findings for receipt in finished),
        finished,
        [receipt for receipt in receipts if receipt.trouble],
        {
            file.name: atomic_files.hash_file(file)
            for receipt in finished
            for file in shard_judge.list_job_files(out, receipt)
        },
    )
    atomic_files.write_file(out / RUN, msgspec.json.encode(lake_run))
    return lake_run


def _find_result_file(out: Path, receipt: Receipt, kind: str) -> Path:
    """Return a job's result file of one kind: a key of `SHEETS`, or `COVERAGE`."""
    names = [*shard_judge.SHEETS, COVERAGE]
    return shard_judge.list_job_files(out, receipt)[names.index(kind)]


def read_run(out: Path) -> LakeRun:
    """Return the record of the audit in an output folder; `NothingFoundError` if there is none."""
    try:
        lake_run = decode_json((out / RUN).read_bytes(), LakeRun)
    except OSError:
        if (out / "lake.json").is_file():
            raise shard_errors.lake_as_results(out) from None
        raise shard_errors.no_results(out) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise shard_errors.run_damaged(out / RUN, str(error)) from None
    if not lake_run.receipts:
        raise shard_errors.nothing_judged(out)
    if not _has_matching_totals(lake_run):
        raise shard_errors.run_contradictory(out / RUN)
    return lake_run


def _has_matching_totals(lake_run: LakeRun) -> bool:
    """Whether each shard has one job, and the jobs add up to the totals."""
    jobs = lake_run.receipts
    sums = sum(job.sessions for job in jobs), sum(job.hands for job in jobs), sum(job.findings for job in jobs)
    return len({job.shard for job in jobs}) == len(jobs) and sums == (
        lake_run.sessions,
        lake_run.hands,
        lake_run.findings,
    )


def check_files(out: Path, lake_run: LakeRun) -> None:
    """Raise `IntegrityError` if a result file doesn't have the bytes that were written."""
    for receipt in lake_run.receipts:
        for file in shard_judge.list_job_files(out, receipt):
            try:
                digest = atomic_files.hash_file(file)
            except OSError as error:
                raise shard_errors.result_unreadable(file, error.strerror or str(error)) from None
            if lake_run.files.get(file.name, digest) != digest:
                raise shard_errors.result_changed(file)


def _drop_damaged(out: Path, tasks: Sequence[Task]) -> None:
    """Delete the receipts of jobs with damaged files, so that these jobs run again."""
    try:
        lake_run = read_run(out)
    except HandledgerError:
        return
    for receipt in lake_run.receipts:
        try:
            check_files(out, msgspec.structs.replace(lake_run, receipts=[receipt]))
        except HandledgerError:
            for task in tasks:
                if task.key == receipt.key:
                    shard_judge.build_receipt_path(out, task).unlink(missing_ok=True)


def list_sheet_paths(out: Path, lake_run: LakeRun, kind: str) -> list[Path]:
    """Return the result files of one kind (a key of `SHEETS`), in the order of the shards."""
    return [_find_result_file(out, receipt, kind) for receipt in lake_run.receipts]


def read_book_results(out: Path, receipt: Receipt) -> list[BookResults]:
    """Return a shard's results without the findings, one for each set of books."""
    return decode_json(_find_result_file(out, receipt, COVERAGE).read_bytes(), list[BookResults])


class _ShardPart(NamedTuple):
    """The results of one shard under some books."""

    receipt: Receipt
    part: int  # index of the results in the shard's coverage file; its findings have the same number
    results: BookResults


def merge_results(out: Path, lake_run: LakeRun) -> AuditResult:
    """Return the audit result of the whole lake, identical to an audit of the ledger with the same hands."""
    parts_by_books: dict[tuple[object, ...], list[_ShardPart]] = {}
    for receipt in lake_run.receipts:
        for part, results in enumerate(read_book_results(out, receipt)):
            parts_by_books.setdefault(tuple(results.books), []).append(_ShardPart(receipt, part, results))
    audit_results = [_merge_parts(out, shard_parts) for shard_parts in parts_by_books.values()]
    return merge_books(audit_results) if len(audit_results) > 1 else audit_results[0]


def _merge_parts(out: Path, shard_parts: Sequence[_ShardPart]) -> AuditResult:
    """Merge the results of several shards under the same books, with their findings."""
    merged_result = AuditResult(shard_parts[0].results.books, 0, DiskSpool(Finding), [], DiskSpool(Difference))
    for receipt, part, results in shard_parts:
        if merged_result.coverage:
            merged_result.append(AuditResult(results.books, results.hands, [], results.coverage, results.differences))
        else:
            merged_result.hands, merged_result.coverage = results.hands, results.coverage
            merged_result.differences.extend(results.differences)
        rows = layout.read_rows(_find_result_file(out, receipt, "findings"))
        merged_result.findings.extend(decode_json(row[-2], Finding) for row in rows if row[-1] == part)
    return merged_result
