"""Judge hands in a process of its own, so that no page waits for them and no hand stops the server.

The process ends with the server, also where the server is killed: it reads from a pipe that closes then.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

from ledger.errors import HandledgerError, StoreError
from ledger.store import open as open_ledger
from ledger.store.accounts import Place
from projections.rulebook import Rulebook
from projections.tables import walking
from projections.tables.judgement import Judgement
from projections.tables.judging import current

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from ledger.store import Ledger

_SECONDS: Final = 0.4
"""How long a page waits for what is new to be judged, in all."""
_TOLD: Final = 0.2
"""How long it waits to hear which hand that is."""

_SOME: Final = "hands that came in"

STILL: ContextVar[str] = ContextVar("still", default="")
"""Which hand was still being judged as a page was made; "" = none."""

_Key: TypeAlias = tuple[tuple[str, ...], frozenset[Place] | None]


class _Request(NamedTuple):
    number: int
    books: Sequence[Rulebook]
    only: Collection[Place] | None


class _Job:
    """What was asked of the process, and how far it is."""

    def __init__(self, number: int, head: int) -> None:
        self.number, self.head = number, head
        self.done = threading.Event()
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
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join(timeout=5)

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    def bring_up(self, books: Sequence[Rulebook], only: Collection[Place] | None) -> None:
        """Judge what is new, as far as that goes in time; `STILL` says of which hand it is not done."""
        until = time.monotonic() + (0.0 if STILL.get() else self._seconds)
        self._enter(books)
        if all(Judgement(self._ledger, book, self._ledger.database).at_end() for book in books):
            return
        key = tuple(book.digest for book in books), None if only is None else frozenset(only)
        while True:
            head = self._ledger.head()[0]
            job = self._job(key, books, only, head)
            if not job.done.wait(max(0.0, until - time.monotonic())):
                STILL.set(STILL.get() or self._being_judged())
                return
            if job.error is not None:
                raise job.error
            if job.head == head:
                return

    def _enter(self, books: Sequence[Rulebook]) -> None:
        """See that there is a judgement under each book, if one of nothing yet."""
        ledger = self._ledger
        fresh = [book for book in books if not Judgement(ledger, book, ledger.database).is_entered()]
        if fresh:
            with open_ledger(ledger.database.address.whole, create=False) as writable:
                for book in fresh:
                    Judgement(writable, book, writable.database).enter()

    def _job(self, key: _Key, books: Sequence[Rulebook], only: Collection[Place] | None, head: int) -> _Job:
        """Return what was asked for already, or ask for it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not job.done.is_set():
                return job
            pipe = self._begin()
            self._asked += 1
            job = self._jobs[key] = self._by_number[self._asked] = _Job(self._asked, head)
            pipe.send(_Request(job.number, list(books), only))
            return job

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
        url = self._ledger.database.address.whole
        self._process = context.Process(target=_judge_on, args=(theirs, url), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._hear, args=(self._pipe,), daemon=True).start()
        return self._pipe

    def _hear(self, pipe: Connection) -> None:
        """Take what the process says, until it ends."""
        try:
            while True:
                said = pipe.recv()
                if isinstance(said, str):
                    self._now.put(said)
                    continue
                number, error = said
                job = self._by_number.pop(number)
                job.error = error
                job.done.set()
        except (EOFError, OSError):
            self._ended()

    def _ended(self) -> None:
        """Tell whoever waits that the process is gone; the next page begins another."""
        for job in [*self._by_number.values()]:
            job.error = StoreError("the process that judges ended before it was done", "Ask again.")
            job.done.set()
        self._by_number.clear()


@contextmanager
def judging_apart(ledger: Ledger) -> Iterator[None]:
    """Judge in another process as long as the context lasts, where that can write what it finds into the ledger."""
    try:
        open_ledger(ledger.database.address.whole, create=False).close()
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
    """What the process itself does: one thread hears what is asked, another judges."""

    def __init__(self, pipe: Connection, url: str) -> None:
        self._pipe = pipe
        self._ledger = open_ledger(url, create=False)
        self._work: queue.Queue[_Request] = queue.Queue()
        self._at = ""

    def run(self) -> None:
        walking.on_hand = self._passed
        threading.Thread(target=self._judge, daemon=True).start()
        while True:
            asked = self._pipe.recv()
            if asked is None:
                self._pipe.send(self._at or _SOME)
            else:
                self._work.put(asked)

    def _judge(self) -> None:
        while True:
            asked = self._work.get()
            error: HandledgerError | None = None
            try:
                current([Judgement(self._ledger, book, self._ledger.database) for book in asked.books], asked.only)
            except HandledgerError as wrong:
                error = wrong
            self._at = ""
            self._pipe.send((asked.number, error))

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
