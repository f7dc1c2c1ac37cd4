"""Append live: each append is durable when it returns, and many become durable together.

Threads of one program share a transaction: the first one takes all waiting appends along. Programs that
write to one server can't; there one statement locks the log instead of a conversation
(`Database.append_at_once`), once a commit's place in its stream is known. Anything unknown, or found
otherwise, is decided while the log is locked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from ledger.chain import encode_entry
from ledger.errors import ConflictError, HandledgerError, IntegrityError
from ledger.people import People
from ledger.store.commits import CommitDraft, Outcome, Ready
from ledger.store.database.database import Database, Link
from ledger.store.log.mapper import find_kind_code
from ledger.store.log.row_numbers import RowNumbers

_MAX_GROUP: Final = 512  # appends of one group commit at most
_MAX_UNASKED: Final = 32  # appends without a query; for more, COPY is faster
_MAX_ENDS: Final = 10_000  # ends of streams


class _Request:
    """One append that waits for its group commit."""

    __slots__ = ("draft", "error", "is_done", "outcome")

    def __init__(self, draft: CommitDraft) -> None:
        self.draft = draft
        self.is_done = False
        self.error: HandledgerError | None = None
        self.outcome: Outcome | None = None


class LiveAppender:
    """The live appends of one open ledger."""

    def __init__(
        self,
        database: Database,
        numbers: RowNumbers,
        people: People,
        decided: Callable[[Sequence[CommitDraft]], list[Outcome]],
    ) -> None:
        """Take what an append needs; `decided` appends drafts in a transaction that locks the log first."""
        self._database = database
        self._numbers = numbers
        self._people = people
        self._append_decided = decided
        self._waiting: deque[_Request] = deque()
        self._ends: dict[bytes, int] = {}  # stream → next version, as last seen

    def append(self, draft: CommitDraft) -> Outcome:
        """Append one draft; it is durable when this returns."""
        request = _Request(draft)
        self._waiting.append(request)
        with self._database.lock:
            if not request.is_done:
                self._serve()
        if request.error is not None:
            raise request.error
        return cast("Outcome", request.outcome)

    def _serve(self) -> None:
        """Append all waiting requests in one transaction; a request that fails gets its error."""
        group: list[_Request] = []
        while self._waiting and len(group) < _MAX_GROUP:
            group.append(self._waiting.popleft())
        try:
            self._commit(group)
        except HandledgerError as error:
            if len(group) == 1:
                group[0].error, group[0].is_done = error, True
                return
            for request in group:  # one by one: only the faulty ones fail
                try:
                    self._commit([request])
                except HandledgerError as own_error:
                    request.error, request.is_done = own_error, True

    def _commit(self, group: list[_Request]) -> None:
        drafts = [request.draft for request in group]
        outcomes = self._append_unasked(drafts) or self._append_decided(drafts)
        if len(self._ends) > _MAX_ENDS:
            self._ends.clear()
        for request, outcome in zip(group, outcomes, strict=True):
            request.outcome, request.is_done = outcome, True
            if outcome.state == "new":
                self._ends[request.draft.stream.bytes] = outcome.version + request.draft.count

    def _append_unasked(self, drafts: list[CommitDraft]) -> list[Outcome] | None:
        """Append drafts without a query; return None and append nothing if one needs a query."""
        database = self._database
        if not database.appends_at_once or database.read_only or len(drafts) > _MAX_UNASKED:
            return None
        if self._people.fresh:
            return None
        rows: list[Ready] = []
        ends: dict[bytes, int] = {}
        with self._database.reading() as link:
            for draft in drafts:
                row = self._prepare_row(link, draft, ends)
                if row is None:
                    return None
                rows.append(row)
                ends[row.stream] = row.version + row.count
        try:
            stored_rows = self._database.append_at_once(rows)
        except (ConflictError, IntegrityError):  # the guards know a newer state than we do
            for row in rows:
                self._ends.pop(row.stream, None)
            return None
        self._database.notify_watchers()
        return [
            Outcome("new", draft.stream, row.version, position, 0, link)
            for draft, row, (position, link) in zip(drafts, rows, stored_rows, strict=True)
        ]

    def _prepare_row(self, link: Link, draft: CommitDraft, ends: dict[bytes, int]) -> Ready | None:
        """Return the row of a draft, None if it needs a lookup or a decision."""
        kind, stream_id, version, count, data, marks, recorded, _ = draft
        recorded_ms, clock, writer_name, key, source = recorded
        code, stream = find_kind_code(kind), stream_id.bytes
        if kind == "opaque" or source is not None or b"\\u0000" in data:
            return None
        next_version = ends.get(stream) or self._next_version(link, stream)
        writer = self._numbers.known_writer(link, clock, writer_name)
        first_of_hand = kind == "hand" and next_version == 1  # which gets a row in the index
        if version not in (None, next_version) or writer is None or first_of_hand:
            return None
        number, clock_bytes, by_bytes = writer
        entry_bytes = encode_entry(
            0,
            count,
            code,
            stream,
            next_version,
            recorded_ms,
            clock_bytes,
            by_bytes,
            key.encode(),
            b"",
            0,
            0,
            marks,
            data,
        )
        return Ready(count, entry_bytes[8:], code, stream, next_version, data, marks, recorded_ms, number, key or None)

    def _next_version(self, link: Link, stream: bytes) -> int:
        """Return the next version of a stream, as last seen."""
        next_version = self._ends.get(stream)
        if next_version is None:
            row = link.execute(
                "SELECT version + count FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1", (stream,)
            ).fetchone()
            next_version = self._ends[stream] = row[0] if row else 1
        return next_version
