"""A lake judged: its shards handed to whatever maps a function over them, and what they found put together again."""

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

from ledger.disk_spool import Kept
from ledger.errors import HandledgerError, IntegrityError, NothingFoundError, StoreError
from ledger.lake import layout
from ledger.lake.reading import adoptions
from ledger.processes import pool
from projections.audit.audit_result import AuditResult, joined
from projections.audit.book_differences import Difference
from projections.findings.finding import Finding
from projections.shards import shard_judge
from projections.shards.shard_judge import COVERAGE, Receipt, Task, Under, job
from projections.tables.code import code_digest

if TYPE_CHECKING:
    from ledger.lake.layout import Manifest
    from projections.books.rulebook import Rulebook

Job: TypeAlias = Callable[[Task], bytes]
Mapper: TypeAlias = Callable[[Job, Sequence[Task]], Iterable[bytes]]
"""Calls a function with each task, somewhere, and yields what it returns, in any order."""

RUN: Final = "run.json"
JUDGE_AGAIN: Final = "handledger lake audit LAKE --out DIR judges it again."


class Run(msgspec.Struct, frozen=True):
    """What came of a lake: which jobs, in the order of its shards, and the digest over the sessions in theirs."""

    digest: str
    sessions: int
    hands: int
    findings: int
    receipts: list[Receipt]
    troubles: list[Receipt] = []
    files: dict[str, str] = {}  # SHA-256 of each file of the jobs, hex, by its name; none of an earlier version


def in_turn(work: Job, tasks: Sequence[Task]) -> Iterator[bytes]:
    """Run jobs here, one after the other."""
    return map(work, tasks)


def in_processes(jobs: int) -> Mapper:
    """Return what runs jobs in so many processes of this machine.

    Where one of them is ended from outside the others are started anew and go on from the receipts; where that
    happens twice without any job being done meanwhile, it is an error.
    """

    def run(work: Job, tasks: Sequence[Task]) -> Iterator[bytes]:
        left, idle = list(tasks), 0
        while left:
            done: set[str] = set()
            try:
                with pool(min(jobs, len(left)), [work.__module__]) as processes:
                    waiting = {processes.submit(work, task): task for task in left}
                    for one in as_completed(waiting):
                        data = one.result()
                        done.add(waiting[one].key)
                        yield data
            except BrokenProcessPool:
                idle = 0 if done else idle + 1
                if idle == _PATIENCE:
                    raise StoreError(
                        "processes that were judging ended before they were done",
                        "Ask again: it goes on where it stopped. With fewer --jobs it needs less memory.",
                    ) from None
            left = [task for task in left if task.key not in done]

    return run


_PATIENCE: Final = 2


def run(
    lake: Path,
    books: Sequence[Rulebook],
    out: Path,
    mapper: Mapper = in_turn,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Run:
    """Judge a lake, or what was not judged of it under the same books by the same code; say what came of it.

    Shards that are damaged, or cannot be judged, are named in `troubles`, and the others are judged.
    """
    found = layout.manifest(lake)
    if not books and (wrong := layout.damage(lake, found.house)):
        raise IntegrityError(f"{found.house.name}: {wrong}", layout.AGAIN)
    house = lake.absolute() / found.house.name
    adopted = "" if books else shard_judge.said_by(adoptions(house))
    tasks = [
        Task(str(lake.absolute() / one.name), one.sha256, str(house), adopted, tuple(books), code_digest(), behind)
        for one, behind in zip(found.shards, _behind(found), strict=True)
    ]
    out.mkdir(parents=True, exist_ok=True)
    _drop_damaged(out, tasks)
    there = {task.key: receipt for task in tasks if (receipt := shard_judge.done(out, task)) is not None}
    hands = {task.key: one.hands for task, one in zip(tasks, found.shards, strict=True)}
    finished = sum(hands[key] for key in there)
    progress(finished, sum(hands.values()))
    for data in mapper(partial(_job, out=str(out.absolute())), [task for task in tasks if task.key not in there]):
        receipt = msgspec.json.decode(data, type=Receipt)
        there[receipt.key] = receipt
        finished += hands[receipt.key]
        progress(finished, sum(hands.values()))
    return _sealed(out, [there[task.key] for task in tasks], [one.tables for one in found.shards])


def _behind(found: Manifest) -> list[int]:
    """Return for each shard how many events there are before it in other logs: positions of a lake are those of all."""
    if found.straight is None:
        return [0] * len(found.shards)
    return [*accumulate(one.position for one in found.straight.logs)][:-1]


def _job(task: Task, out: str) -> bytes:
    return job(task, out)


def _sealed(out: Path, receipts: Sequence[Receipt], tables: Sequence[int]) -> Run:
    """Return what jobs came to together; one that judged another number of tables than its shard has is an error."""
    good = [one for one in receipts if not one.trouble]
    for one, expected in zip(receipts, tables, strict=True):
        if not one.trouble and one.sessions != expected:
            raise IntegrityError(f"of shard {one.shard} {one.sessions} tables were judged, and it has {expected}")
    digest = sha256()
    for *place, _, _, own in merge(*(layout.rows(_file(out, one, "sessions")) for one in good)):
        digest.update(shard_judge.encoded(place) + own)
    made = Run(
        digest.hexdigest(),
        sum(one.sessions for one in good),
        sum(one.hands for one in good),
        sum(one.findings for one in good),
        good,
        [one for one in receipts if one.trouble],
        {file.name: layout.sha256_of(file) for one in good for file in shard_judge.files(out, one)},
    )
    layout.write(out / RUN, msgspec.json.encode(made))
    return made


def _file(out: Path, receipt: Receipt, kind: str) -> Path:
    names = [*shard_judge.SHEETS, COVERAGE]
    return shard_judge.files(out, receipt)[names.index(kind)]


def read(out: Path) -> Run:
    """Return what came of the lake that was judged into a folder; an error where none was."""
    try:
        made = msgspec.json.decode((out / RUN).read_bytes(), type=Run)
    except OSError:
        raise NothingFoundError(f"no lake was judged in {out}", "handledger lake audit LAKE --out DIR does.") from None
    except msgspec.DecodeError as error:
        raise IntegrityError(f"{out / RUN} is no account of a lake that was judged: {error}") from None
    if not made.receipts:
        raise NothingFoundError(f"nothing of the lake was judged in {out}", "handledger lake audit says why.")
    if not _adds_up(made):
        raise IntegrityError(f"{out / RUN} doesn't add up: its jobs aren't those that it counts", JUDGE_AGAIN)
    return made


def _adds_up(made: Run) -> bool:
    """Whether each job is named once, and the jobs come to the sums that are named."""
    jobs = made.receipts
    sums = sum(job.sessions for job in jobs), sum(job.hands for job in jobs), sum(job.findings for job in jobs)
    return len({job.shard for job in jobs}) == len(jobs) and sums == (made.sessions, made.hands, made.findings)


def check_files(out: Path, made: Run) -> None:
    """Raise `IntegrityError` where a file of a lake that was judged has other bytes than were written."""
    for receipt in made.receipts:
        for file in shard_judge.files(out, receipt):
            try:
                digest = layout.sha256_of(file)
            except OSError as error:
                raise IntegrityError(f"{file} can't be read: {error.strerror or error}", JUDGE_AGAIN) from None
            if made.files.get(file.name, digest) != digest:
                raise IntegrityError(f"{file} has other bytes than were written", JUDGE_AGAIN)


def _drop_damaged(out: Path, tasks: Sequence[Task]) -> None:
    """Let jobs be done again whose files have other bytes than were written."""
    try:
        made = read(out)
    except HandledgerError:
        return
    for receipt in made.receipts:
        try:
            check_files(out, msgspec.structs.replace(made, receipts=[receipt]))
        except HandledgerError:
            for task in tasks:
                if task.key == receipt.key:
                    shard_judge.place_of(out, task).unlink(missing_ok=True)


def paths(out: Path, made: Run, kind: str) -> list[Path]:
    """Return the files of one kind of a lake that was judged."""
    return [_file(out, one, kind) for one in made.receipts]


def frames(out: Path, receipt: Receipt) -> list[Under]:
    """Return what was found in a shard under which books, without the findings."""
    return msgspec.json.decode(_file(out, receipt, COVERAGE).read_bytes(), type=list[Under])


class _Of(NamedTuple):
    """What was found under some books in one shard: which shard, which part of it, and the frame."""

    receipt: Receipt
    part: int
    frame: Under


def result(out: Path, made: Run) -> AuditResult:
    """Return what was found in a lake as an audit of the ledger gives it, to the byte."""
    groups: dict[tuple[object, ...], list[_Of]] = {}
    for receipt in made.receipts:
        for part, frame in enumerate(frames(out, receipt)):
            groups.setdefault(tuple(frame.books), []).append(_Of(receipt, part, frame))
    merged = [_merged(out, some) for some in groups.values()]
    return joined(merged) if len(merged) > 1 else merged[0]


def _merged(out: Path, some: Sequence[_Of]) -> AuditResult:
    whole = AuditResult(some[0].frame.books, 0, Kept(Finding), [], Kept(Difference))
    for receipt, part, frame in some:
        of_part = AuditResult(frame.books, frame.hands, [], frame.coverage, frame.differences)
        if whole.coverage:
            whole.merge(of_part)
        else:
            whole.hands, whole.coverage = frame.hands, frame.coverage
            whole.differences.extend(frame.differences)
        rows = layout.rows(_file(out, receipt, "findings"))
        whole.findings.extend(msgspec.json.decode(row[-2], type=Finding) for row in rows if row[-1] == part)
    return whole
