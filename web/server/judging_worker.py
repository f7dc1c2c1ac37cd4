"""Judge hands and draw their pages in another process, so that no page waits long and no hand stops the server.

The process ends with the server, even if the server is killed: it reads from a pipe, which closes then.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, auto
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

from ledger.errors import HandledgerError
from ledger.store import open as open_ledger
from ledger.store.database.derived_tables import RESULTS_NAME, SITTINGS_NAME, STATISTICS_NAME
from ledger.store.hands.hand_accounts import TableKey
from projections.books.rulebook import Rulebook
from projections.tables import finding_events, table_judge, table_set
from projections.tables.book_comparison import BookComparison, compare_recent_hands
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from web.pages import hand_page
from web.server import page_errors

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from ledger.house.events import FindingChanged
    from ledger.store import HandRow, Ledger
    from web.pages.documents import HandPage
    from web.pages.hand_frames import Viewer
    from web.pages.page_judgement import BookChoice

_WAIT_SECONDS: Final = 0.4
"""How long a page waits for new hands to be judged, in all."""
_NAME_WAIT_SECONDS: Final = 0.2
"""How long a page waits for the address of the hand that is being judged."""

_UNNAMED_HANDS: Final = "hands that came in"

UNFINISHED_HAND: ContextVar[str] = ContextVar("still", default="")
"""The hand that was still being judged when a page was built; "" if none."""

_NICENESS: Final = 5
"""How far the process stands back on a busy machine: acts at a table come first."""
_MAX_DRAWERS: Final = 4
"""How many pages are drawn at once, so that a heavy one delays no other."""
_MAX_JOBS: Final = 64
"""How many jobs are kept. The oldest finished ones are dropped."""

_COMPARISON_SECONDS: Final = 300
"""How long a comparison of books counts while the log grows."""
_MAX_COMPARISONS: Final = 8
"""How many comparisons may wait or run."""

_Key: TypeAlias = tuple[Any, ...]


class _JobKind(Enum):
    JUDGE = auto()
    UPDATE = auto()  # of tables made from the log: it need not wait for the judge
    DRAW = auto()  # it only reads
    COMPARE = auto()  # it only reads, takes long and reports progress; drawings need not wait for it


class _JobRequest(NamedTuple):
    number: int
    work: Callable[..., Any]  # called with the ledger and the arguments
    arguments: tuple[Any, ...]
    kind: _JobKind


class _JobProgress(NamedTuple):
    number: int
    done: int
    total: int


class UnfinishedComparison(NamedTuple):
    """How far a comparison has come. `total` is 0 before it begins."""

    judged_hands: int
    total: int


def _judge(ledger: Ledger, books: Sequence[Rulebook], table_keys: Collection[TableKey] | None) -> None:
    """Judge new hands under some books."""
    update_judgements([TableJudgement(ledger, book, ledger.database) for book in books], table_keys)


def _update(ledger: Ledger, results: bool, seats: bool, statistics: bool) -> bool:
    """Update tables made from the log."""
    return table_set.update_tables(ledger, (), results=results, seats=seats, statistics=statistics)


def draw_page(ledger: Ledger, row: HandRow, books: BookChoice, viewer: Viewer) -> HandPage:
    """Judge a hand and draw its page."""
    (page,) = hand_page.build_pages(ledger, [row], books, viewer)
    return page


class _Job:
    """A job for the process, with its result."""

    def __init__(self, number: int, head: int) -> None:
        self.number, self.head = number, head
        self.finished_event = threading.Event()
        self.result: Any = None
        self.error: HandledgerError | None = None
        self.progress = UnfinishedComparison(0, 0)
        self._finished_at = 0.0

    def finish(self, result: Any, error: HandledgerError | None) -> None:  # noqa: ANN401 - any job's result
        """Set the result, and wake those who wait."""
        self.result, self.error, self._finished_at = result, error, time.monotonic()
        self.finished_event.set()

    def is_fresh(self, seconds: float) -> bool:
        """Whether it succeeded in the last seconds."""
        return self.finished_event.is_set() and self.error is None and time.monotonic() - self._finished_at < seconds


class JudgingWorker:
    """The process from the server's side. Any number of threads may use it."""

    def __init__(self, ledger: Ledger, wait_seconds: float = _WAIT_SECONDS) -> None:
        """`ledger`: one that other processes can open. `wait_seconds`: how long a page waits."""
        self._ledger, self._seconds = ledger, wait_seconds
        self._lock = threading.Lock()
        self._jobs: dict[_Key, _Job] = {}
        self._by_number: dict[int, _Job] = {}
        self._last_number = 0
        self._current_hands: queue.Queue[str] = queue.Queue()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._listener: threading.Thread | None = None
        self._writable: Ledger | None = None
        self._writing = threading.Lock()
        self._naming = threading.Lock()

    def __enter__(self) -> Self:
        """Start the process before the first page."""
        with self._lock:
            self._connect()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the process."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            process, self._process = self._process, None
            listener, self._listener = self._listener, None
        if process is not None:
            process.kill()
            process.join(timeout=5)
        if listener is not None:  # it reads the pipe until the process ends: closing it earlier would break that read
            listener.join(timeout=5)
        if pipe is not None:
            pipe.close()
        with self._writing:
            self._close_writable()

    @contextmanager
    def writable_ledger(self) -> Iterator[Ledger]:
        """Lend the ledger opened for writing, to one thread at a time. It stays open for the next one, except after an error."""
        with self._writing:
            if self._writable is None:
                self._writable = open_ledger(self._ledger.database.address.full_url, create=False)
            try:
                yield self._writable
            except BaseException:
                self._close_writable()
                raise

    def _close_writable(self) -> None:
        ledger, self._writable = self._writable, None
        if ledger is not None:
            ledger.close()

    @property
    def pid(self) -> int | None:
        """The process id, or None before the start."""
        return None if self._process is None else self._process.pid

    def bring_up(self, books: Sequence[Rulebook], table_keys: Collection[TableKey] | None) -> None:
        """Judge new hands within the time limit. `UNFINISHED_HAND` names a hand that takes longer."""
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds)
        self._enter_books(books)
        if all(TableJudgement(self._ledger, book, self._ledger.database).is_at_end() for book in books):
            return
        key = tuple(book.digest for book in books), None if table_keys is None else frozenset(table_keys)
        if self._wait_for_job(key, _judge, (list(books), table_keys), deadline, kind=_JobKind.JUDGE) is None:
            UNFINISHED_HAND.set(UNFINISHED_HAND.get() or self._hand_being_judged())

    def update(self, *, results: bool, seats: bool, statistics: bool) -> bool:
        """Update these tables within the time limit; see `table_set.update_tables`. `UNFINISHED_HAND` is set if it takes longer.

        Tables that were never made have no time limit.
        """
        names = ((RESULTS_NAME, results), (SITTINGS_NAME, seats), (STATISTICS_NAME, statistics))
        is_made = all(table_set.has_begun(self._ledger, name) for name, is_wanted in names if is_wanted)
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds) if is_made else None
        key = "update", results, seats, statistics
        job = self._wait_for_job(key, _update, (results, seats, statistics), deadline, kind=_JobKind.UPDATE)
        if job is None:
            UNFINISHED_HAND.set(UNFINISHED_HAND.get() or _UNNAMED_HANDS)
            return True
        is_updated: bool = job.result
        return is_updated

    def hand_page(self, row: HandRow, books: BookChoice, viewer: Viewer, address: str) -> HandPage | None:
        """Return a hand's page, or None if that takes too long. `UNFINISHED_HAND` then holds the hand's address."""
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds)
        digests = tuple(
            tuple(book.digest for book in book_list) for book_list in (books.primary_books, books.comparison_books)
        )
        key = row.stream, digests, viewer
        job = self._wait_for_job(key, draw_page, (row, books, viewer), deadline, kind=_JobKind.DRAW)
        if job is None:
            UNFINISHED_HAND.set(address)
            return None
        with self._lock:
            self._jobs.pop(key, None)  # a page is large, and this one is fetched now
        page: HandPage = job.result
        return page

    def compare(self, old: Rulebook, new: Rulebook) -> BookComparison | UnfinishedComparison:
        """Compare two books on the hands of the last month, or return how far the process has come.

        While a table is recorded the log grows all the time, so a comparison counts for some minutes.
        """
        key = ("compare", old.digest, new.digest)
        with self._lock:
            job = self._jobs.get(key)
            waiting = [
                other_key
                for other_key, other_job in self._jobs.items()
                if other_key[0] == "compare" and other_key != key and not other_job.finished_event.is_set()
            ]
        if job is None or not job.is_fresh(_COMPARISON_SECONDS):
            if len(waiting) >= _MAX_COMPARISONS:
                raise page_errors.comparisons_running()
            request = _JobRequest(0, compare_recent_hands, (old, new), _JobKind.COMPARE)
            job = self._job(key, request, self._ledger.head()[0])
        if not job.finished_event.wait(self._seconds):
            return job.progress
        if job.error is not None:
            raise job.error
        comparison: BookComparison = job.result
        return comparison

    def announce(self) -> list[FindingChanged] | None:
        """Judge new hands under the house's books and return the changes, or None if it goes on in the background."""
        job = self._wait_for_job(
            ("announce",),
            finding_events.announce_new_findings,
            (),
            time.monotonic() + self._seconds,
            kind=_JobKind.JUDGE,
        )
        if job is None:
            UNFINISHED_HAND.set(self._hand_being_judged())
            return None
        changes: list[FindingChanged] = job.result
        return changes

    def _wait_for_job(
        self, key: _Key, work: Callable[..., Any], arguments: tuple[Any, ...], deadline: float | None, *, kind: _JobKind
    ) -> _Job | None:
        """Return a finished job that covers the log as it is now, or None if time runs out. It may grow meanwhile."""
        head = self._ledger.head()[0]
        while True:
            job = self._job(key, _JobRequest(0, work, arguments, kind), head)
            if not job.finished_event.wait(None if deadline is None else max(0.0, deadline - time.monotonic())):
                return None
            if job.error is not None:
                raise job.error
            if job.head >= head:
                return job

    def _enter_books(self, books: Sequence[Rulebook]) -> None:
        """Store an empty judgement for each book that has none."""
        ledger = self._ledger
        new_books = [book for book in books if not TableJudgement(ledger, book, ledger.database).is_entered()]
        if new_books:
            with self.writable_ledger() as writable:
                for book in new_books:
                    TableJudgement(writable, book, writable.database).enter()

    def _job(self, key: _Key, request: _JobRequest, head: int) -> _Job:
        """Return the job that is already running for a key, or start one."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and (not job.finished_event.is_set() or self._is_unfetched_page(job, request, head)):
                return job
            pipe = self._connect()
            self._last_number += 1
            # The end of the log as it is now: the job also answers requests that came while the last one ran.
            job = self._by_number[self._last_number] = _Job(self._last_number, self._ledger.head()[0])
            try:
                pipe.send(request._replace(number=job.number))
            except Exception:  # it can't be pickled: nobody may wait for the job
                del self._by_number[job.number]
                raise
            self._keep_job(key, job)
            return job

    @staticmethod
    def _is_unfetched_page(job: _Job, request: _JobRequest, head: int) -> bool:
        """Whether a drawn page is still unfetched and up to date."""
        return request.kind is _JobKind.DRAW and job.head >= head and job.error is None

    def _keep_job(self, key: _Key, job: _Job) -> None:
        """Keep a job, and drop the oldest finished ones."""
        self._jobs.pop(key, None)
        self._jobs[key] = job
        if len(self._jobs) > _MAX_JOBS:
            finished_keys = [
                finished_key
                for finished_key, finished_job in self._jobs.items()
                if finished_job.finished_event.is_set()
            ]
            for finished_key in finished_keys[: len(self._jobs) - _MAX_JOBS]:
                del self._jobs[finished_key]

    def _hand_being_judged(self) -> str:
        """Return the address of the hand that the process is judging. Other requests don't wait for it."""
        with self._naming:
            while not self._current_hands.empty():
                self._current_hands.get()
            with self._lock:
                self._connect().send(None)
            try:
                return self._current_hands.get(timeout=_NAME_WAIT_SECONDS)
            except queue.Empty:  # it has only just started
                return _UNNAMED_HANDS

    def _connect(self) -> Connection:
        """Return the pipe to the process. Start the process if it isn't running."""
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        context = multiprocessing.get_context("spawn")
        self._pipe, worker_pipe = context.Pipe()
        ledger_url = self._ledger.database.address.full_url
        self._process = context.Process(target=_run_worker, args=(worker_pipe, ledger_url), daemon=True)
        self._process.start()
        worker_pipe.close()
        self._by_number = {}  # the earlier listener ends the jobs of the earlier process
        self._listener = threading.Thread(target=self._receive_results, args=(self._pipe, self._by_number), daemon=True)
        self._listener.start()
        return self._pipe

    def _receive_results(self, pipe: Connection, jobs: dict[int, _Job]) -> None:
        """Receive messages until the process ends, then fail the unfinished jobs."""
        try:
            while True:
                message = pipe.recv()
                if isinstance(message, str):
                    self._current_hands.put(message)
                    continue
                if isinstance(message, _JobProgress):
                    jobs[message.number].progress = UnfinishedComparison(message.done, message.total)
                    continue
                number, job_result, error = message
                jobs.pop(number).finish(job_result, error)
        except (EOFError, OSError):
            for job in [*jobs.values()]:
                job.finish(None, page_errors.judging_stopped())
            jobs.clear()


@contextmanager
def judging_in_process(ledger: Ledger) -> Iterator[None]:
    """Judge in another process while the context lasts, if the ledger is writable."""
    try:
        open_ledger(ledger.database.address.full_url, create=False).close()
    except HandledgerError:
        yield
        return
    with JudgingWorker(ledger) as worker:
        ledger.judging = worker
        try:
            yield
        finally:
            ledger.judging = None


class _Worker:
    """The process from the inside: one thread receives jobs, one judges, one updates tables, some draw pages."""

    def __init__(self, pipe: Connection, ledger_url: str) -> None:
        self._pipe, self._url = pipe, ledger_url
        self._sending = threading.Lock()
        self._drawers = ThreadPoolExecutor(_MAX_DRAWERS)
        self._comparer = ThreadPoolExecutor(1)
        self._queues: dict[_JobKind, queue.Queue[_JobRequest]] = {
            _JobKind.JUDGE: queue.Queue(),
            _JobKind.UPDATE: queue.Queue(),
        }
        self._current_hand = ""

    def run(self) -> None:
        table_judge.on_hand = self._set_current_hand
        for jobs in self._queues.values():
            threading.Thread(target=self._work, args=(jobs, open_ledger(self._url, create=False)), daemon=True).start()
        while True:
            request: _JobRequest | None = self._pipe.recv()
            if request is None:
                self._send(self._current_hand or _UNNAMED_HANDS)
            elif request.kind in self._queues:
                self._queues[request.kind].put(request)
            else:
                (self._comparer if request.kind is _JobKind.COMPARE else self._drawers).submit(self._draw, request)

    def _send(self, message: object) -> None:
        with self._sending:
            self._pipe.send(message)

    def _draw(self, request: _JobRequest) -> None:
        """Run a job that only reads, on its own connection to the ledger."""
        try:
            with open_ledger(self._url, create=False, read_only=True) as ledger:
                arguments = request.arguments
                if request.kind is _JobKind.COMPARE:
                    arguments += (lambda count, total: self._send(_JobProgress(request.number, count, total)),)
                self._send((request.number, request.work(ledger, *arguments), None))
        except HandledgerError as failure:
            self._send((request.number, None, failure))
        except Exception as failure:  # noqa: BLE001 - the sender gets it, also if the page can't be pickled; others go on
            error = page_errors.judging_failed(type(failure).__name__)
            self._send((request.number, None, error))

    def _work(self, jobs: queue.Queue[_JobRequest], ledger: Ledger) -> None:
        """Do the jobs of a queue one after the other, on a ledger that is open for writing."""
        while True:
            request = jobs.get()
            job_result: Any = None
            error: HandledgerError | None = None
            try:
                job_result = request.work(ledger, *request.arguments)
            except HandledgerError as failure:
                error = failure
            if request.kind is _JobKind.JUDGE:
                self._current_hand = ""
            self._send((request.number, job_result, error))

    def _set_current_hand(self, hand: str) -> None:
        self._current_hand = hand


def _run_worker(pipe: Connection, ledger_url: str) -> None:
    """Judge in this process until the server is gone."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both processes: the server ends this one
    threading.excepthook = _exit_process
    try:
        _Worker(pipe, ledger_url).run()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _exit_process(_: Any) -> None:  # noqa: ANN401 - what `threading` gives
    """End the process, since its judge is gone. The waiting requests learn of it."""
    os._exit(1)
