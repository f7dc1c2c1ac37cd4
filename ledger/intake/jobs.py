"""Chunks made ready in several processes, and handed over in the order of the source.

Each process knows the ledger's secret and nothing else of it: names become ids there, and what it
met for the first time comes back with the chunk. The ledger that results is the same to the byte.
Where cards are hidden one process reads: the keys that hide them stay in it.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, NamedTuple

from ledger import formats
from ledger.account import Reject
from ledger.errors import SourceError
from ledger.intake.preparing import Origin, Part, prepared
from ledger.people import People
from ledger.vocabulary import PlayerId, TextRef

if TYPE_CHECKING:
    from ledger.notation import Chunk, Format


class Fresh(NamedTuple):
    """Names and texts that a process met for the first time."""

    names: dict[PlayerId, tuple[str, str]]
    texts: dict[TextRef, str]


class Jobs:
    """Processes that make chunks ready; they are started when there is more than one chunk."""

    def __init__(self, count: int, people: People) -> None:
        """Take how many, and the people of the ledger, who learn what the processes met."""
        self.count = count
        self._people = people
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End the processes; work that nobody waits for any more is not begun."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def prepared(
        self, form: Format, pieces: Iterable[Chunk | Reject], origin: Origin
    ) -> Iterator[tuple[Chunk | Reject, list[Part]]]:
        """Yield each piece of a source with what is in it, in order, a few pieces ahead at most."""
        waiting: deque[tuple[Chunk | Reject, list[Part] | Future[tuple[list[Part], Fresh]]]] = (
            deque()
        )
        several = False
        for piece in pieces:
            if isinstance(piece, Reject):
                waiting.append((piece, [piece]))
            elif self.count > 1 and not origin.hide and (several or not piece.last):
                several = True
                waiting.append((piece, self._started().submit(_work, form.name, piece, origin)))
            else:
                waiting.append((piece, prepared(form, piece, self._people, origin)))
            while len(waiting) > (2 * self.count if self.count > 1 else 0):
                yield self._done(*waiting.popleft())
        while waiting:
            yield self._done(*waiting.popleft())

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Not forked: a connection to a database must not be had twice.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.count, context, initializer=_begin, initargs=(self._people.secret,)
            )
        return self._pool

    def _done(
        self, piece: Chunk | Reject, found: list[Part] | Future[tuple[list[Part], Fresh]]
    ) -> tuple[Chunk | Reject, list[Part]]:
        if isinstance(found, list):
            return piece, found
        try:
            parts, fresh = found.result()
        except BrokenProcessPool:
            self._pool = None
            raise SourceError(
                "a process that was reading ended before it was done",
                "Import again: it goes on where it stopped. With --jobs 1 it needs less memory.",
            ) from None
        self._people.learn(fresh.names, fresh.texts)
        return piece, parts


_people: list[People] = []
"""In a process of `Jobs`: the people it has met."""


def _begin(secret: bytes) -> None:
    _people[:] = [People(secret)]


def _work(form: str, chunk: Chunk, origin: Origin) -> tuple[list[Part], Fresh]:
    people = _people[0]
    parts = prepared(formats.get(form), chunk, people, origin)
    fresh = Fresh(people.fresh_names, people.fresh_texts)
    people.stored()
    return parts, fresh
