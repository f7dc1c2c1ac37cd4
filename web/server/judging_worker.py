"""Judge hands and draw pages in another process, so that no page waits long and none holds up the acts at tables.

The process ends with the server, even if the server is killed: it reads from a pipe, which closes then.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from ledger.errors import HandledgerError
from ledger.store import open as open_ledger
from web.server import page_drawer, page_errors
from web.server.judging_desk import WAIT_SECONDS, JudgingDesk, finish_job, report_progress
from web.server.worker_jobs import UNNAMED_HANDS, Job, JobKind, JobProgress, JobRequest
from web.server.worker_process import run_worker

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from ledger.store import Ledger
    from web.server.answer_cache import RenderedAnswer
    from web.server.page_drawer import AnswerFormat, PageVisit, SiteSettings

_NAME_WAIT_SECONDS: Final = 0.2
"""How long a page waits for the address of the hand that is being judged."""
_DRAWING_MINUTES: Final = 5
"""How long a page may take. Tables made from a large log take minutes the first time."""
_DRAWING_TRIES: Final = 2
"""Attempts at a page if the process ends meanwhile. A page that ends it each time is given up."""


class JudgingWorker(JudgingDesk):
    """The process from the server's side. Any number of threads may use it."""

    def __init__(self, ledger: Ledger, wait_seconds: float = WAIT_SECONDS) -> None:
        """`ledger`: one that other processes can open. `wait_seconds`: how long a page waits for judgements."""
        super().__init__(ledger, wait_seconds)
        self._current_hands: queue.Queue[str] = queue.Queue()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._listener: threading.Thread | None = None
        self._naming = threading.Lock()

    def __enter__(self) -> Self:
        """Start the process before the first page."""
        with self._lock:
            self._get_ready()
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

    @property
    def pid(self) -> int | None:
        """The process id, or None before the start."""
        return None if self._process is None else self._process.pid

    def draw_page(
        self, settings: SiteSettings, page_name: str, answer_format: AnswerFormat, visit: PageVisit
    ) -> RenderedAnswer:
        """Return a page as its visitor sees it, drawn from the log as it is now or later.

        Raise `StoreError` if the process ends each time, or if the page takes minutes.
        """
        request = JobRequest(0, page_drawer.draw_page, (settings, page_name, answer_format, visit), JobKind.PAGE)
        for _ in range(_DRAWING_TRIES):
            with suppress(page_errors.WorkerStoppedError):
                return self._draw_once(request)
        raise page_errors.drawing_stopped()

    def _draw_once(self, request: JobRequest) -> RenderedAnswer:
        """Return the answer of a page's job. Raise `WorkerStoppedError` if the process ends meanwhile."""
        with self._lock:
            job = self._start_job(request)
        if not job.finished_event.wait(60 * _DRAWING_MINUTES):
            raise page_errors.page_too_slow(_DRAWING_MINUTES)
        if job.error is not None:
            raise job.error
        answer: RenderedAnswer = job.result
        return answer

    def _get_ready(self) -> None:
        """Start the process if it isn't running."""
        self._connect()

    def _send(self, request: JobRequest) -> None:
        if self._pipe is None:
            raise page_errors.judging_stopped()
        try:
            self._pipe.send(request)
        except OSError:  # it is just ending: the next job starts another process
            self._pipe = None
            raise page_errors.judging_stopped() from None

    def _find_current_hand(self) -> str:
        """Return the address of the hand that the process is judging. Other requests don't wait for it."""
        with self._naming:
            while not self._current_hands.empty():
                self._current_hands.get()
            try:
                with self._lock:
                    self._connect().send(None)
                return self._current_hands.get(timeout=_NAME_WAIT_SECONDS)
            except (OSError, queue.Empty):  # it is just ending, or has only just started
                return UNNAMED_HANDS

    def _connect(self) -> Connection:
        """Return the pipe to the process. Start the process if it isn't running."""
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        context = multiprocessing.get_context("spawn")
        self._pipe, worker_pipe = context.Pipe()
        ledger_url = self._ledger.database.address.full_url
        self._process = context.Process(target=run_worker, args=(worker_pipe, ledger_url, self._seconds), daemon=True)
        self._process.start()
        worker_pipe.close()
        self._jobs_by_number = {}  # the earlier listener ends the jobs of the earlier process
        self._listener = threading.Thread(
            target=self._receive_results, args=(self._pipe, self._jobs_by_number), daemon=True
        )
        self._listener.start()
        return self._pipe

    def _receive_results(self, pipe: Connection, jobs: dict[int, Job]) -> None:
        """Receive messages until the process ends, then fail the unfinished jobs."""
        try:
            while True:
                message = pipe.recv()
                if isinstance(message, str):
                    self._current_hands.put(message)
                    continue
                if isinstance(message, JobProgress):
                    report_progress(jobs, *message)
                    continue
                finish_job(jobs, *message)
        except (EOFError, OSError):
            with self._lock:
                if self._pipe is pipe:
                    self._pipe = None  # the process may still count as alive: the next job starts another
            for job in [*jobs.values()]:
                job.finish(None, page_errors.judging_stopped())
            jobs.clear()


@contextmanager
def judging_in_process(ledger: Ledger) -> Iterator[None]:
    """Judge and draw in another process while the context lasts, if the ledger is writable."""
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
