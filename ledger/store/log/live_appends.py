"""Live appends: each is durable when it returns, and many are made durable together.

Threads of one program share a transaction: who comes first takes along whoever waits. Programs that
write to one server cannot; there the log is held for one statement instead of for a conversation
(`Database.at_once`), which can be written as soon as it is known where in its stream a commit
stands. Whatever is not known, or turns out otherwise, is decided while the log is held.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from ledger.chain import entry
from ledger.errors import ConflictError, HandledgerError, IntegrityError
from ledger.people import People
from ledger.store.commits import Draft, Outcome, Ready
from ledger.store.database.database import Database, Link
from ledger.store.log.mapper import code_of
from ledger.store.log.row_numbers import Numbers

_GROUP: Final = 512  # appends of one group commit at most
_AT_ONCE: Final = 32  # and of those that are written without a question: beyond, COPY is faster
_REMEMBERED: Final = 10_000  # ends of streams


class _Request:
    """One append that waits for its group commit."""

    __slots__ = ("done", "draft", "error", "outcome")

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.done = False
        self.error: HandledgerError | None = None
        self.outcome: Outcome | None = None


class Live:
    """The live appends of one open ledger."""

    def __init__(
        self, database: Database, numbers: Numbers, people: People, decided: Callable[[Sequence[Draft]], list[Outcome]]
    ) -> None:
        """`decided` appends drafts in one transaction that holds the log from its beginning."""
        self._database = database
        self._numbers = numbers
        self._people = people
        self._decided = decided
        self._waiting: deque[_Request] = deque()
        self._ends: dict[bytes, int] = {}  # stream → next version, as far as this program knows

    def append(self, draft: Draft) -> Outcome:
        """Append one draft; it is durable when this returns."""
        request = _Request(draft)
        self._waiting.append(request)
        with self._database.lock:
            if not request.done:
                self._serve()
        if request.error is not None:
            raise request.error
        return cast("Outcome", request.outcome)

    def _serve(self) -> None:
        """Append what waits, one transaction for all; who cannot be served hears why."""
        group: list[_Request] = []
        while self._waiting and len(group) < _GROUP:
            group.append(self._waiting.popleft())
        try:
            self._commit(group)
        except HandledgerError as error:
            if len(group) == 1:
                group[0].error, group[0].done = error, True
                return
            for request in group:  # each for itself: only the guilty fail
                try:
                    self._commit([request])
                except HandledgerError as own:
                    request.error, request.done = own, True

    def _commit(self, group: list[_Request]) -> None:
        drafts = [request.draft for request in group]
        outcomes = self._at_once(drafts) or self._decided(drafts)
        if len(self._ends) > _REMEMBERED:
            self._ends.clear()
        for request, outcome in zip(group, outcomes, strict=True):
            request.outcome, request.done = outcome, True
            if outcome.state == "new":
                self._ends[request.draft.stream.bytes] = outcome.version + request.draft.count

    def _at_once(self, drafts: list[Draft]) -> list[Outcome] | None:
        """Append drafts without a question; None where there is one, and nothing was appended."""
        database = self._database
        if not database.appends_at_once or database.read_only or len(drafts) > _AT_ONCE:
            return None
        if self._people.fresh:
            return None
        rows: list[Ready] = []
        ends: dict[bytes, int] = {}
        with self._database.reading() as link:
            for draft in drafts:
                row = self._ready(link, draft, ends)
                if row is None:
                    return None
                rows.append(row)
                ends[row.stream] = row.version + row.count
        try:
            placed = self._database.append_at_once(rows)
        except (ConflictError, IntegrityError):  # the guards found it otherwise than we know
            for row in rows:
                self._ends.pop(row.stream, None)
            return None
        self._database.notify_watchers()
        return [
            Outcome("new", draft.stream, row.version, position, 0, link)
            for draft, row, (position, link) in zip(drafts, rows, placed, strict=True)
        ]

    def _ready(self, link: Link, draft: Draft, ends: dict[bytes, int]) -> Ready | None:
        """Return the row of a draft; None if something about it has to be looked up or decided."""
        kind, stream_id, version, count, data, marks, recorded, _ = draft
        at, clock, by, key, source = recorded
        code, stream = code_of(kind), stream_id.bytes
        if kind == "opaque" or source is not None or b"\\u0000" in data:
            return None
        following = ends.get(stream) or self._end(link, stream)
        writer = self._numbers.known_writer(link, clock, by)
        first_of_hand = kind == "hand" and following == 1  # which has a place in the index
        if version not in (None, following) or writer is None or first_of_hand:
            return None
        number, clock_said, by_said = writer
        told = entry(0, count, code, stream, following, at, clock_said, by_said, key.encode(), b"", 0, 0, marks, data)
        return Ready(count, told[8:], code, stream, following, data, marks, at, number, key or None)

    def _end(self, link: Link, stream: bytes) -> int:
        """Return the next version of a stream, as it was when it was last looked at."""
        known = self._ends.get(stream)
        if known is None:
            row = link.execute(
                "SELECT version + count FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1", (stream,)
            ).fetchone()
            known = self._ends[stream] = row[0] if row else 1
        return known
