"""Run the worker process: its threads judge hands and draw pages, as the jobs from the server's pipe ask."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ledger import safe
from ledger.errors import HandledgerError
from ledger.store import open as open_ledger
from ledger.text.language import use_language
from projections.tables import table_judge
from web.server import page_drawer, page_errors
from web.server.judging_desk import JudgingDesk, finish_job, report_progress
from web.server.page_drawer import PageDrawer
from web.server.worker_jobs import UNNAMED_HANDS, JobKind, JobProgress, JobRequest

if TYPE_CHECKING:
    from ledger.store import Ledger
    from web.server.page_drawer import SiteSettings

_NICENESS: Final = 5
"""How far the process stands back on a busy machine: acts at a table come first."""
_MAX_DRAWERS: Final = 4
"""Hands that are drawn at once, so that a slow one doesn't delay the others."""
_MAX_PAGES: Final = 16
"""Pages that are drawn at once. Most of them wait for the other threads: tables of a large log take minutes the first time."""

_Receiver: TypeAlias = Callable[[int, Any, HandledgerError | None], None]
_ProgressReceiver: TypeAlias = Callable[[int, int, int], None]


class _Task(NamedTuple):
    """A job, and who gets its result and its progress."""

    request: JobRequest
    on_result: _Receiver
    on_progress: _ProgressReceiver


class _Worker:
    """The process from the inside: one thread receives jobs, one judges, one updates tables, some draw."""

    def __init__(self, pipe: Connection, ledger_url: str, wait_seconds: float) -> None:
        self._pipe, self._url, self._seconds = pipe, ledger_url, wait_seconds
        self._sending = threading.Lock()
        self._pools: dict[JobKind, ThreadPoolExecutor] = {
            JobKind.DRAW: ThreadPoolExecutor(_MAX_DRAWERS),
            JobKind.PAGE: ThreadPoolExecutor(_MAX_PAGES),
            JobKind.COMPARE: ThreadPoolExecutor(1),
        }
        self._queues: dict[JobKind, queue.Queue[_Task]] = {JobKind.JUDGE: queue.Queue(), JobKind.UPDATE: queue.Queue()}
        self.current_hand = ""
        self._page_drawers: dict[SiteSettings, PageDrawer] = {}
        self._page_ledger: Ledger | None = None
        self._opening = threading.Lock()

    def run(self) -> None:
        table_judge.on_hand = self._set_current_hand
        for tasks in self._queues.values():
            threading.Thread(target=self._work, args=(tasks, open_ledger(self._url, create=False)), daemon=True).start()
        self._pools[JobKind.PAGE].submit(page_drawer.load_templates, needs_server=False)
        while True:
            request: JobRequest | None = self._pipe.recv()
            if request is None:
                self._send(self.current_hand or UNNAMED_HANDS)
            else:
                self.begin(_Task(request, self._send_result, self._send_progress))

    def begin(self, task: _Task) -> None:
        """Let the threads for its kind do a job."""
        kind = task.request.kind
        if kind in self._queues:
            self._queues[kind].put(task)
        else:
            self._pools[kind].submit(self._draw, task)

    def _send(self, message: object) -> None:
        with self._sending:
            self._pipe.send(message)

    def _send_result(self, number: int, result: Any, error: HandledgerError | None) -> None:  # noqa: ANN401 - any job's result
        self._send((number, result, error))

    def _send_progress(self, number: int, done: int, total: int) -> None:
        self._send(JobProgress(number, done, total))

    def _draw(self, task: _Task) -> None:
        """Run a job that only reads."""
        number = task.request.number
        try:
            task.on_result(number, self._run_reader(task), None)
        except HandledgerError as failure:
            task.on_result(number, None, failure)
        except Exception as failure:  # noqa: BLE001 - the sender gets it, also if the page can't be pickled; others go on
            _log_fault(failure)
            task.on_result(number, None, page_errors.judging_failed(type(failure).__name__))

    def _run_reader(self, task: _Task) -> Any:  # noqa: ANN401 - any job's result
        """Return the result of a job that only reads. A hand or a comparison has its own connection to the ledger."""
        _, work, arguments, kind, language = task.request
        if kind is JobKind.PAGE:
            settings, *rest = arguments
            return work(self._find_page_drawer(settings), *rest)
        with open_ledger(self._url, create=False, read_only=True) as ledger, use_language(language):
            if kind is JobKind.COMPARE:
                arguments += (partial(task.on_progress, task.request.number),)
            return work(ledger, *arguments)

    def _find_page_drawer(self, settings: SiteSettings) -> PageDrawer:
        """Return the drawer of a server's pages. All pages share a ledger, as the server's own do."""
        with self._opening:
            if self._page_ledger is None:
                self._page_ledger = open_ledger(self._url, create=False, read_only=True)
                self._page_ledger.judging = _WorkerDesk(self._page_ledger, self._seconds, self)
            if settings not in self._page_drawers:
                self._page_drawers[settings] = PageDrawer(self._page_ledger, settings)
            return self._page_drawers[settings]

    def _work(self, tasks: queue.Queue[_Task], ledger: Ledger) -> None:
        """Do the jobs of a queue one after the other, on a ledger that is open for writing."""
        while True:
            task = tasks.get()
            request = task.request
            job_result: Any = None
            error: HandledgerError | None = None
            try:
                job_result = request.work(ledger, *request.arguments)
            except HandledgerError as failure:
                error = failure
            except Exception as failure:  # noqa: BLE001 - the sender gets it: one hand's fault takes nobody's page away
                error = page_errors.judging_failed(type(failure).__name__)
                _log_fault(failure)
                ledger.close()
                ledger = open_ledger(self._url, create=False)
            if request.kind is JobKind.JUDGE:
                self.current_hand = ""
            task.on_result(request.number, job_result, error)

    def _set_current_hand(self, hand: str) -> None:
        self.current_hand = hand


class _WorkerDesk(JudgingDesk):
    """Where the pages that this process draws ask for judgements: the same threads judge for them and for the server."""

    def __init__(self, ledger: Ledger, wait_seconds: float, worker: _Worker) -> None:
        super().__init__(ledger, wait_seconds)
        self._worker = worker

    def _get_ready(self) -> None:
        """Do nothing: the threads run as long as the process."""

    def _send(self, request: JobRequest) -> None:
        jobs = self._jobs_by_number
        self._worker.begin(_Task(request, partial(finish_job, jobs), partial(report_progress, jobs)))

    def _find_current_hand(self) -> str:
        return self._worker.current_hand or UNNAMED_HANDS


def _log_fault(error: Exception) -> None:
    """Report a fault of the program at the terminal."""
    sys.stderr.write(f"handledger: worker process: {type(error).__name__}: {safe.terminal(str(error), 300)}\n")


def run_worker(pipe: Connection, ledger_url: str, wait_seconds: float) -> None:
    """Judge and draw in this process until the server is gone. `wait_seconds`: how long a page waits for judgements."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both processes: the server ends this one
    threading.excepthook = _exit_process
    try:
        _Worker(pipe, ledger_url, wait_seconds).run()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _exit_process(_: Any) -> None:  # noqa: ANN401 - what `threading` gives
    """End the process, since its judge is gone. The waiting requests learn of it."""
    os._exit(1)
