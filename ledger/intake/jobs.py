"""Prepare chunks in several processes, in the order of the source.

Each process gets the ledger's secret over a pipe, and nothing else of the ledger. It turns names into ids, and the
names of a chunk come back with it. The ledger is the same to the byte as with one process. If cards are hidden, only
one process reads, since the keys that hide them stay in it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from ledger import formats
from ledger.account import Reject
from ledger.errors import SourceError
from ledger.intake import import_errors
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart, PreparedHand, prepare_chunk
from ledger.people import People
from ledger.process.worker_pool import sigint_blocked, worker_pool
from ledger.text.repeated_texts import RepeatedTexts
from ledger.vocabulary import PlayerId, TextRef

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from ledger.notation import Chunk, Format


class ChunkNames(NamedTuple):
    """The names and texts in a chunk."""

    names: dict[PlayerId, tuple[str, str]]
    texts: dict[TextRef, str]


class ReadySource(NamedTuple):
    """A source of one chunk that another process has prepared. The time of its hands is 0."""

    form: str
    encoding: str
    parts: list[ChunkPart]
    fresh: ChunkNames


_Result = TypeVar("_Result")
_PendingParts: TypeAlias = (
    "list[ChunkPart] | tuple[list[ChunkPart], ChunkNames] | Future[tuple[list[ChunkPart], ChunkNames]]"
)


class Jobs:
    """Processes that prepare chunks. They start with the second chunk."""

    def __init__(self, count: int, people: People) -> None:
        """Take the number of processes, and the ledger's people, who learn the names from the processes."""
        self.count = count
        self._people = people
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End the processes, and drop work that nobody waits for."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def prepare_chunks(
        self,
        source_format: Format,
        pieces: Iterable[Chunk | Reject],
        origin: ChunkOrigin,
        ready_source: ReadySource | None = None,
    ) -> Iterator[tuple[Chunk | Reject, list[ChunkPart]]]:
        """Yield each piece of a source with its items, in order, reading a few pieces ahead.

        `ready_source`: the result of a process that has already read the source.
        """
        waiting_pieces: deque[tuple[Chunk | Reject, _PendingParts]] = deque()
        has_several = False
        for piece in pieces:
            if isinstance(piece, Reject):
                waiting_pieces.append((piece, [piece]))
            elif self.count > 1 and not origin.hides_cards and (has_several or not piece.last):
                has_several = True
                waiting_pieces.append((piece, self.submit(_prepare_named_chunk, source_format.name, piece, origin)))
            elif ready_source is not None and _is_ready_piece(ready_source, source_format, piece):
                waiting_pieces.append((piece, _set_import_time(ready_source, origin)))
            else:
                waiting_pieces.append((piece, prepare_chunk(source_format, piece, self._people, origin)))
            while len(waiting_pieces) > (2 * self.count if self.count > 1 else 0):
                yield self._finish_chunk(*waiting_pieces.popleft())
        while waiting_pieces:
            yield self._finish_chunk(*waiting_pieces.popleft())

    def _start_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            worker_arguments = self._people.secret, self._people.salted
            self._pool = worker_pool(self.count, [__name__, *_list_loaded_formats()], _init_worker, worker_arguments)
        return self._pool

    def submit(self, function: Callable[..., _Result], *arguments: object) -> Future[_Result]:
        """Call a function in a process; the first call starts the pool. Raise `SourceError` if a process has ended."""
        try:
            worker_pool = self._start_pool()
            with sigint_blocked():
                return worker_pool.submit(function, *arguments)
        except BrokenProcessPool:
            raise self._build_pool_error() from None

    def result(self, future: Future[_Result]) -> _Result:
        """Return the result of a process. Raise `SourceError` if it ended early."""
        try:
            return future.result()
        except BrokenProcessPool:
            raise self._build_pool_error() from None

    def _build_pool_error(self) -> SourceError:
        self._pool = None
        return import_errors.reader_process_lost()

    def _finish_chunk(
        self, piece: Chunk | Reject, pending_parts: _PendingParts
    ) -> tuple[Chunk | Reject, list[ChunkPart]]:
        if isinstance(pending_parts, list):
            return piece, pending_parts
        parts, chunk_names = pending_parts if isinstance(pending_parts, tuple) else self.result(pending_parts)
        self._people.learn(chunk_names.names, chunk_names.texts)
        return piece, parts


def _is_ready_piece(ready_source: ReadySource, source_format: Format, piece: Chunk) -> bool:
    """Whether a process has already prepared this piece: it's the entire source, read in the same way."""
    is_whole = piece.last and not piece.start and piece.line == 1
    return is_whole and ready_source.form == source_format.name and ready_source.encoding == piece.encoding


def _set_import_time(ready_source: ReadySource, origin: ChunkOrigin) -> tuple[list[ChunkPart], ChunkNames]:
    """Set the time at which their source is imported in the hands."""
    for part in ready_source.parts:
        if isinstance(part, PreparedHand):
            draft = part.draft
            part.draft = draft._replace(recorded=draft.recorded._replace(time=origin.moment))
    return ready_source.parts, ready_source.fresh


def _list_loaded_formats() -> list[str]:
    """Return the modules of the formats that were recognised here. The processes will probably need one of them."""
    return [name for name in [*sys.modules] if name.startswith(f"{formats.__name__}.")]


_worker_state: list[tuple[bytes, bool, RepeatedTexts]] = []
"""Of a process of `Jobs`: the ledger's secret, whether its ids are salted, and the repeated texts."""


def _init_worker(ledger_secret: bytes, is_salted: bool) -> None:
    # Ctrl-C in a terminal interrupts all processes: the parent decides what is still read.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_state[:] = [(ledger_secret, is_salted, RepeatedTexts())]
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process has ended for any reason.

    A killed parent sends no message, and the processes keep its work pipe open for each other.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)  # without cleanup: nothing of the ledger is open here


def create_worker_people() -> People:
    """Return the ledger's people without any names, in a process of `Jobs`."""
    secret, is_salted, read_before = _worker_state[0]
    return People(secret, salted=is_salted, read_before=read_before)


def _prepare_named_chunk(format_name: str, chunk: Chunk, origin: ChunkOrigin) -> tuple[list[ChunkPart], ChunkNames]:
    people = create_worker_people()
    parts = prepare_chunk(formats.get(format_name), chunk, people, origin)
    return parts, ChunkNames(people.names, people.texts)
