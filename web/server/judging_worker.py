"""Judge hands and draw their pages in a process of its own: no page waits for long, and no hand stops the server.

The process ends with the server, also where the server is killed: it reads from a pipe that closes then.
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
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

from ledger.errors import HandledgerError, StoreError
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.books.rulebook import Rulebook
from projections.tables import finding_events, table_judge
from projections.tables.judgement import Judgement
from projections.tables.judgement_update import update_judgements
from web import hand_page

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from ledger.house.events import FindingChanged
    from ledger.store import HandRow, Ledger
    from web.documents import HandPage
    from web.frames import Eyes
    from web.judging import Books

_SECONDS: Final = 0.4
"""How long a page waits for what is new to be judged, in all."""
_TOLD: Final = 0.2
"""How long it waits to hear which hand that is."""

_SOME: Final = "hands that came in"

STILL: ContextVar[str] = ContextVar("still", default="")
"""Which hand was still being judged as a page was made; "" = none."""

_DRAWERS: Final = 4
"""So many pages are drawn at once: a heavy one holds up no other."""
_JOBS: Final = 64
"""So many jobs are remembered; of those that are done, the oldest are forgotten."""

_Key: TypeAlias = tuple[Any, ...]


class _Request(NamedTuple):
    number: int
    work: Callable[..., Any]  # of the ledger and the rest
    rest: tuple[Any, ...]
    draws: bool  # it reads alone, and need not wait for what is being judged


def _judge(ledger: Ledger, books: Sequence[Rulebook], only: Collection[TableKey] | None) -> None:
    """Judge what is new under some books."""
    update_judgements([Judgement(ledger, book, ledger.database) for book in books], only)


def draw(ledger: Ledger, row: HandRow, books: Books, eyes: Eyes) -> HandPage:
    """Judge a hand and draw its page."""
    (page,) = hand_page.pages(ledger, [row], books, eyes)
    return page


class _Job:
    """What was asked of the process, and how far it is."""

    def __init__(self, number: int, head: int) -> None:
        self.number, self.head = number, head
        self.done = threading.Event()
        self.result: Any = None
        self.error: HandledgerError | None = None


class JudgingWorker:
    """The process, as the server sees it; any number of threads may ask."""

    def __init__(self, ledger: Ledger, seconds: float = _SECONDS) -> None:
        """Take the ledger, which others can open, and how long a page waits."""
        self._ledger, self._seconds = ledger, seconds
        self._lock = threading.Lock()
        self._jobs: dict[_Key, _Job] = {}
        self._by_number: dict[int, _Job] = {}
        self._asked = 0
        self._now: queue.Queue[str] = queue.Queue()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._listener: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Begin: the process is there before the first page."""
        with self._lock:
            self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            process, self._process = self._process, None
            listener, self._listener = self._listener, None
        if process is not None:
            process.kill()
            process.join(timeout=5)
        if listener is not None:  # it reads the pipe until the process is gone: closed earlier, that read breaks
            listener.join(timeout=5)
        if pipe is not None:
            pipe.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    def bring_up(self, books: Sequence[Rulebook], only: Collection[TableKey] | None) -> None:
        """Judge what is new, as far as that goes in time; `STILL` says of which hand it is not done."""
        until = time.monotonic() + (0.0 if STILL.get() else self._seconds)
        self._enter(books)
        if all(Judgement(self._ledger, book, self._ledger.database).is_at_end() for book in books):
            return
        key = tuple(book.digest for book in books), None if only is None else frozenset(only)
        if self._result(key, _judge, (list(books), only), until) is None:
            STILL.set(STILL.get() or self._being_judged())

    def hand_page(self, row: HandRow, books: Books, eyes: Eyes, address: str) -> HandPage | None:
        """Return a hand's page, or None if that takes too long; `STILL` has the hand's address then."""
        until = time.monotonic() + (0.0 if STILL.get() else self._seconds)
        digests = tuple(tuple(book.digest for book in some) for some in (books.chosen, books.beside))
        key = row.stream, digests, eyes
        job = self._result(key, draw, (row, books, eyes), until, draws=True)
        if job is None:
            STILL.set(address)
            return None
        with self._lock:
            self._jobs.pop(key, None)  # a page is large, and fetched now
        page: HandPage = job.result
        return page

    def announce(self) -> list[FindingChanged] | None:
        """Judge what is new under the house's books, and announce it; None if that takes too long. It is done all the same."""
        job = self._result(("announce",), finding_events.announce_new_findings, (), time.monotonic() + self._seconds)
        if job is None:
            STILL.set(self._being_judged())
            return None
        found: list[FindingChanged] = job.result
        return found

    def _result(
        self, key: _Key, work: Callable[..., Any], rest: tuple[Any, ...], until: float, *, draws: bool = False
    ) -> _Job | None:
        """Return what was done for the ledger as it is now; None if it is not done in time."""
        while True:
            head = self._ledger.head()[0]
            job = self._job(key, _Request(0, work, rest, draws), head)
            if not job.done.wait(max(0.0, until - time.monotonic())):
                return None
            if job.error is not None:
                raise job.error
            if job.head == head:
                return job

    def _enter(self, books: Sequence[Rulebook]) -> None:
        """See that there is a judgement under each book, if one of nothing yet."""
        ledger = self._ledger
        fresh = [book for book in books if not Judgement(ledger, book, ledger.database).is_entered()]
        if fresh:
            with open_ledger(ledger.database.address.full_url, create=False) as writable:
                for book in fresh:
                    Judgement(writable, book, writable.database).enter()

    def _job(self, key: _Key, request: _Request, head: int) -> _Job:
        """Return what was asked for already, or ask for it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and (not job.done.is_set() or self._is_news(job, request, head)):
                return job
            pipe = self._begin()
            self._asked += 1
            job = self._by_number[self._asked] = _Job(self._asked, head)
            try:
                pipe.send(request._replace(number=job.number))
            except Exception:  # it can't be pickled: nobody may wait for it
                del self._by_number[job.number]
                raise
            self._remember(key, job)
            return job

    @staticmethod
    def _is_news(job: _Job, request: _Request, head: int) -> bool:
        """Whether a page that is drawn was not fetched yet, and nothing came in since."""
        return request.draws and job.head == head and job.error is None

    def _remember(self, key: _Key, job: _Job) -> None:
        """Keep a job, and forget the oldest ones that are done."""
        self._jobs.pop(key, None)
        self._jobs[key] = job
        if len(self._jobs) > _JOBS:
            done = [other for other, one in self._jobs.items() if one.done.is_set()]
            for other in done[: len(self._jobs) - _JOBS]:
                del self._jobs[other]

    def _being_judged(self) -> str:
        """Return which hand the process is at."""
        with self._lock:
            pipe = self._begin()
            while not self._now.empty():
                self._now.get()
            pipe.send(None)
            try:
                return self._now.get(timeout=_TOLD)
            except queue.Empty:  # it has only just begun
                return _SOME

    def _begin(self) -> Connection:
        """Return the pipe to the process, which is begun if it is not there."""
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        url = self._ledger.database.address.full_url
        self._process = context.Process(target=_judge_on, args=(theirs, url), daemon=True)
        self._process.start()
        theirs.close()
        self._by_number = {}  # the listener of the process before ends what was asked of that one
        self._listener = threading.Thread(target=self._hear, args=(self._pipe, self._by_number), daemon=True)
        self._listener.start()
        return self._pipe

    def _hear(self, pipe: Connection, jobs: dict[int, _Job]) -> None:
        """Take what the process says, until it ends; then end the jobs that nobody does any more."""
        try:
            while True:
                said = pipe.recv()
                if isinstance(said, str):
                    self._now.put(said)
                    continue
                number, job_result, error = said
                job = jobs.pop(number)
                job.result, job.error = job_result, error
                job.done.set()
        except (EOFError, OSError):
            for job in [*jobs.values()]:
                job.error = StoreError("the process that judges ended before it was done", "Ask again.")
                job.done.set()
            jobs.clear()


@contextmanager
def judging_apart(ledger: Ledger) -> Iterator[None]:
    """Judge in another process as long as the context lasts, where that can write what it finds into the ledger."""
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
    """What the process itself does: one thread hears what is asked, another judges, some draw pages."""

    def __init__(self, pipe: Connection, url: str) -> None:
        self._pipe, self._url = pipe, url
        self._saying = threading.Lock()
        self._ledger = open_ledger(url, create=False)
        self._drawers = ThreadPoolExecutor(_DRAWERS)
        self._work: queue.Queue[_Request] = queue.Queue()
        self._at = ""

    def run(self) -> None:
        table_judge.on_hand = self._passed
        threading.Thread(target=self._judge, daemon=True).start()
        while True:
            asked = self._pipe.recv()
            if asked is None:
                self._say(self._at or _SOME)
            elif asked.draws:
                self._drawers.submit(self._draw, asked)
            else:
                self._work.put(asked)

    def _say(self, said: object) -> None:
        with self._saying:
            self._pipe.send(said)

    def _draw(self, asked: _Request) -> None:
        """Do what only reads, in a ledger of its own."""
        try:
            with open_ledger(self._url, create=False, read_only=True) as ledger:
                self._say((asked.number, asked.work(ledger, *asked.rest), None))
        except HandledgerError as wrong:
            self._say((asked.number, None, wrong))
        except Exception as wrong:  # noqa: BLE001 - it is told, also where the page can't be pickled; the others go on
            error = StoreError(f"the page could not be made: {type(wrong).__name__}", "Please report it.")
            self._say((asked.number, None, error))

    def _judge(self) -> None:
        while True:
            asked = self._work.get()
            done: Any = None
            error: HandledgerError | None = None
            try:
                done = asked.work(self._ledger, *asked.rest)
            except HandledgerError as wrong:
                error = wrong
            self._at = ""
            self._say((asked.number, done, error))

    def _passed(self, hand: str) -> None:
        self._at = hand


def _judge_on(pipe: Connection, url: str) -> None:
    """Judge in this process until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both: the server ends this
    threading.excepthook = _fell
    try:
        _Worker(pipe, url).run()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _fell(_: Any) -> None:  # noqa: ANN401 - what `threading` gives
    """End the process: what judged in it is gone, and whoever waits hears of it."""
    os._exit(1)
