"""Give jobs to the threads that judge hands, each job once, and wait for them within a page's time limit."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ledger.store import open as open_ledger
from ledger.store.database.derived_tables import RESULTS_NAME, SITTINGS_NAME, STATISTICS_NAME
from ledger.text.language import ENGLISH, language_in_force
from projections.tables import finding_events, table_set
from projections.tables.book_comparison import BookComparison, compare_recent_hands
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from web.pages import hand_page
from web.server import page_errors
from web.server.worker_jobs import UNFINISHED_HAND, UNNAMED_HANDS, Job, JobKind, JobRequest, UnfinishedComparison

if TYPE_CHECKING:
    from ledger.errors import HandledgerError
    from ledger.house.events import FindingChanged
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from projections.books.rulebook import Rulebook
    from web.pages.documents import HandPage
    from web.pages.hand_frames import Viewer
    from web.pages.page_judgement import BookChoice

WAIT_SECONDS: Final = 0.4
"""How long a page waits for new hands to be judged, in all."""
_MAX_JOBS: Final = 64
"""How many jobs are kept. The oldest finished ones are dropped."""
_COMPARISON_SECONDS: Final = 300
"""How long a comparison of books counts while the log grows."""
_MAX_COMPARISONS: Final = 8
"""How many comparisons may wait or run."""

_Key: TypeAlias = tuple[Any, ...]


def _judge(ledger: Ledger, books: Sequence[Rulebook], table_keys: Collection[TableKey] | None) -> None:
    """Judge new hands under some books."""
    update_judgements([TableJudgement(ledger, book, ledger.database) for book in books], table_keys)


def _update(ledger: Ledger, results: bool, seats: bool, statistics: bool) -> bool:
    """Update tables made from the log."""
    return table_set.update_tables(ledger, (), results=results, seats=seats, statistics=statistics)


def draw_hand(ledger: Ledger, row: HandRow, books: BookChoice, viewer: Viewer) -> HandPage:
    """Judge a hand and draw its page."""
    (page,) = hand_page.build_pages(ledger, [row], books, viewer)
    return page


class JudgingDesk(ABC):
    """Where pages of one process ask for judgements. Any number of threads may use it."""

    def __init__(self, ledger: Ledger, wait_seconds: float = WAIT_SECONDS) -> None:
        """`ledger`: one that can be opened again. `wait_seconds`: how long a page waits."""
        self._ledger, self._seconds = ledger, wait_seconds
        self._lock = threading.Lock()
        self._jobs: dict[_Key, Job] = {}
        self._jobs_by_number: dict[int, Job] = {}
        self._last_number = 0
        self._writable: Ledger | None = None
        self._writing = threading.Lock()

    @abstractmethod
    def _send(self, request: JobRequest) -> None:
        """Send a job to the threads that do it. Raise if it can't be sent. Called with the lock held."""

    @abstractmethod
    def _get_ready(self) -> None:
        """Make sure that somebody takes jobs. Called with the lock held."""

    @abstractmethod
    def _find_current_hand(self) -> str:
        """Return the address of the hand that is being judged."""

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

    def bring_up(self, books: Sequence[Rulebook], table_keys: Collection[TableKey] | None) -> None:
        """Judge new hands within the time limit. `UNFINISHED_HAND` names a hand that takes longer."""
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds)
        self._enter_books(books)
        if all(TableJudgement(self._ledger, book, self._ledger.database).is_at_end() for book in books):
            return
        key = tuple(book.digest for book in books), None if table_keys is None else frozenset(table_keys)
        if self._wait_for_job(key, _judge, (list(books), table_keys), deadline, kind=JobKind.JUDGE) is None:
            UNFINISHED_HAND.set(UNFINISHED_HAND.get() or self._find_current_hand())

    def update(self, *, results: bool, seats: bool, statistics: bool) -> bool:
        """Update these tables within the time limit; see `table_set.update_tables`. `UNFINISHED_HAND` is set if it takes longer.

        Tables that were never made have no time limit.
        """
        names = ((RESULTS_NAME, results), (SITTINGS_NAME, seats), (STATISTICS_NAME, statistics))
        is_made = all(table_set.has_begun(self._ledger, name) for name, is_wanted in names if is_wanted)
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds) if is_made else None
        key = "update", results, seats, statistics
        job = self._wait_for_job(key, _update, (results, seats, statistics), deadline, kind=JobKind.UPDATE)
        if job is None:
            UNFINISHED_HAND.set(UNFINISHED_HAND.get() or UNNAMED_HANDS)
            return True
        is_updated: bool = job.result
        return is_updated

    def hand_page(self, row: HandRow, books: BookChoice, viewer: Viewer, address: str) -> HandPage | None:
        """Return a hand's page, or None if that takes too long. `UNFINISHED_HAND` then holds the hand's address."""
        deadline = time.monotonic() + (0.0 if UNFINISHED_HAND.get() else self._seconds)
        digests = tuple(
            tuple(book.digest for book in book_list) for book_list in (books.primary_books, books.comparison_books)
        )
        key = row.stream, digests, viewer, language_in_force()
        job = self._wait_for_job(key, draw_hand, (row, books, viewer), deadline, kind=JobKind.DRAW)
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
        language = language_in_force()
        key = ("compare", old.digest, new.digest, language)
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
            request = JobRequest(0, compare_recent_hands, (old, new), JobKind.COMPARE, language)
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
            kind=JobKind.JUDGE,
        )
        if job is None:
            UNFINISHED_HAND.set(self._find_current_hand())
            return None
        changes: list[FindingChanged] = job.result
        return changes

    def _wait_for_job(
        self, key: _Key, work: Callable[..., Any], arguments: tuple[Any, ...], deadline: float | None, *, kind: JobKind
    ) -> Job | None:
        """Return a finished job that covers the log as it is now, or None if time runs out. It may grow meanwhile."""
        head, language = self._ledger.head()[0], language_in_force() if kind is JobKind.DRAW else ENGLISH
        while True:
            job = self._job(key, JobRequest(0, work, arguments, kind, language), head)
            if not job.finished_event.wait(None if deadline is None else max(0.0, deadline - time.monotonic())):
                return None
            if job.error is not None:
                raise job.error
            if job.head >= head:
                return job

    def _enter_books(self, books: Sequence[Rulebook]) -> None:
        """Store an empty judgement for each book that has none."""
        ledger = self._ledger
        new_books = [book for book in books if not TableJudgement(ledger, book, ledger.database).has_row()]
        if new_books:
            with self.writable_ledger() as writable:
                for book in new_books:
                    TableJudgement(writable, book, writable.database).enter()

    def _job(self, key: _Key, request: JobRequest, head: int) -> Job:
        """Return the job that is already running for a key, or start one."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and (not job.finished_event.is_set() or self._is_unfetched_page(job, request, head)):
                return job
            job = self._start_job(request)
            self._keep_job(key, job)
            return job

    def _start_job(self, request: JobRequest) -> Job:
        """Send a new job. Call it with the lock held."""
        self._get_ready()
        self._last_number += 1
        # The end of the log as it is now: the job also answers requests that came while the last one ran.
        job = self._jobs_by_number[self._last_number] = Job(self._last_number, self._ledger.head()[0])
        try:
            self._send(request._replace(number=job.number))
        except Exception:  # it can't be pickled: nobody may wait for the job
            self._jobs_by_number.pop(job.number, None)
            raise
        return job

    @staticmethod
    def _is_unfetched_page(job: Job, request: JobRequest, head: int) -> bool:
        """Whether a drawn hand is still unfetched and up to date."""
        return request.kind is JobKind.DRAW and job.head >= head and job.error is None

    def _keep_job(self, key: _Key, job: Job) -> None:
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


def finish_job(jobs: dict[int, Job], number: int, result: Any, error: HandledgerError | None) -> None:  # noqa: ANN401 - any job's result
    """Set the result of one of these jobs, and drop it from them: the request that waits has the job itself."""
    jobs.pop(number).finish(result, error)


def report_progress(jobs: dict[int, Job], number: int, done: int, total: int) -> None:
    """Note how far a comparison among these jobs has come."""
    jobs[number].progress = UnfinishedComparison(done, total)
