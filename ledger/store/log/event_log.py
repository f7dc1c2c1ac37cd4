"""The log of a ledger: append, read, follow."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self
from uuid import UUID

from ledger.entry import Entry, Provenance
from ledger.errors import IntegrityError
from ledger.event import Event
from ledger.house.events import SourceImported
from ledger.store.commits import KIND_NAMES, Commit, CommitDraft, Kind, Outcome
from ledger.store.database.database import Database, Link
from ledger.store.log import log_reader
from ledger.store.log.batch import Batch, append_batch
from ledger.store.log.compression import PLAIN_FROM_COMMITS, EventCompression
from ledger.store.log.live_appends import LiveAppender
from ledger.store.log.mapper import Mapper
from ledger.store.log.row_numbers import RowNumbers
from ledger.store.log.stored_sources import SourceProgress, SourceStore, build_imported_key
from ledger.store.people.ids import Ids
from ledger.store.people.vault import Vault
from ledger.streams import HOUSE
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from ledger.store.database.derived_tables import LostTable, OutOfLog


def require_text(value: object) -> str:
    """Return the value of a text column; `ValueError` if a damaged file holds another type."""
    if not isinstance(value, str):
        raise ValueError(f"a text is stored as {type(value).__name__}")  # noqa: TRY004 - a value of a file, no argument
    return value


class LedgerJudge(Protocol):
    """Judges new hands, within the time that a reader can wait."""

    def bring_up(self, books: Any, only: Any) -> None:  # noqa: ANN401 - books are not known here
        """Judge new hands under some rulebooks; `only`: of these tables."""

    def update(self, *, results: bool, seats: bool, statistics: bool) -> bool:
        """Update these tables made from the log; return False if they can't be stored."""

    def hand_page(self, row: Any, books: Any, eyes: Any, address: str) -> Any:  # noqa: ANN401 - nor are pages
        """Draw the page of a hand; None if that takes too long."""

    def writable_ledger(self) -> AbstractContextManager[Any]:
        """Lend the ledger opened for writing. It stays open, since opening it takes longer than most pages."""

    def compare(self, old: Any, new: Any) -> Any:  # noqa: ANN401 - as above
        """Compare two rulebooks on the hands of the last month; how far it is if that takes too long."""

    def announce(self) -> Any:  # noqa: ANN401 - nor are findings
        """Judge and announce new findings; None if that takes too long."""


class EventLog:
    """The log of one open ledger; safe to use from many threads."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], Millis],
        software: str = "",
        people_key: str | os.PathLike[str] | None = None,
    ) -> None:
        """Take an open database that holds a ledger; see `open_ledger`."""
        self.database = database
        self.key_made: Path | None = None  # path of the key of its ids, if just made
        self.mapper = Mapper()
        self._clock = clock
        self._software = software
        self._numbers = RowNumbers()
        self.packing = EventCompression()
        self.reader = log_reader.LogReader(database, self._numbers, self.packing)
        self.unreached: list[str] = []  # what the last erasure didn't reach, in words
        self.derived_faults: list[OutOfLog | LostTable] = []  # positions outside of the log, found at opening
        self.index_damage = ""  # damage to its index of hands, found at opening
        self.judging: LedgerJudge | None = None  # judges new hands in another process
        self.upto: int | None = None  # read as if the log ended at this position
        self._in_bulk = 0
        self._compressing = 0
        with database.reading() as link:
            about_rows = link.execute("SELECT name, value FROM about").fetchall()
        try:
            self._about_values = {require_text(name): require_text(value) for name, value in about_rows}
            self.id = self._about_values["ledger"]
            self.people = Vault(database, Ids(self.id, self._about_values, people_key))
        except (KeyError, ValueError) as error:
            raise IntegrityError(f"the ledger does not say what it is: {error}") from error
        self._live = LiveAppender(database, self._numbers, self.people, self._decide)
        self.sources = SourceStore(
            database, self._numbers, clock, lambda: self.writing(bulk=self._in_bulk > 0), self.people.source_id
        )

    # writing

    def append(
        self,
        kind: Kind,
        stream: UUID,
        events: Sequence[Event],
        *,
        version: int | None = None,
        recorded: Provenance | None = None,
        marks: bytes = b"",
    ) -> Commit:
        """Append events to a stream; they are durable when this returns.

        `version` is the place of the first event (`ConflictError` if it's taken), None for the end of the
        stream. For a key used before, returns the commit of that append. Appends of many threads become
        durable together.
        """
        data = self.mapper.encode(kind, events)
        recorded = recorded or Provenance(self._clock(), writer="live")
        draft = CommitDraft(kind, stream, version, len(events), data, marks, recorded)
        outcome = self._live.append(draft)
        if outcome.state == "new":
            return Commit.from_draft(draft, outcome)
        with self.database.reading() as link:
            commit = self.reader.commit_at(link, outcome.position)
        if commit is None:
            raise IntegrityError("what was appended is not in the ledger")
        return commit

    def append_draft(self, draft: CommitDraft) -> Outcome:
        """Append one draft live, as `append` does. A draft that the ledger has already is a `ConflictError`."""
        return self._live.append(draft)

    def _decide(self, drafts: Sequence[CommitDraft]) -> list[Outcome]:
        with self.writing() as link:
            outcomes = append_batch(self._batch(link, strict=True), drafts)
            stored_facts = self.people.store_fresh(link)
        self.people.mark_stored(stored_facts)
        return outcomes

    def append_all(
        self,
        drafts: Sequence[CommitDraft],
        *,
        follow_up: Callable[[list[Outcome]], Sequence[CommitDraft]] | None = None,
        source: str = "",
        reader: str = "",
        progress: SourceProgress | Callable[[], SourceProgress] | None = None,
        in_transaction: Callable[[Link], None] | None = None,
        strict: bool = False,
    ) -> list[Outcome]:
        """Append all drafts in one transaction, or none; names go into the vault with them.

        A draft that the ledger has already is `same`. `follow_up` takes the outcomes and returns more drafts
        for the same transaction. `progress` is the state of the import of `source` after all of them; a
        function is called afterwards. `in_transaction` does more inside the transaction. With `strict`, a
        draft that the ledger has already is a `ConflictError`.
        """
        with self.writing(bulk=self._in_bulk > 0) as link:
            batch = self._batch(link, strict=strict, compress=self._compressing > 0)
            outcomes = append_batch(batch, drafts, follow_up)
            stored_facts = self.people.store_fresh(link)
            if in_transaction is not None:
                in_transaction(link)
            if progress is not None:
                import_progress = progress() if callable(progress) else progress
                self.sources.advance(link, source, reader, import_progress)
        self.people.mark_stored(stored_facts)
        return outcomes

    def _batch(self, link: Link, *, strict: bool, compress: bool = False) -> Batch:
        return Batch(self.database, link, self._numbers, self.mapper, self.packing, strict=strict, compress=compress)

    def compresses(self) -> bool:
        """Return whether imports compress events here by default: a ledger stays as it is."""
        with self.database.reading() as link:
            if link.execute("SELECT 1 FROM dictionaries").fetchone() is not None:
                return True
            return len(link.execute("SELECT 1 FROM log LIMIT ?", (PLAIN_FROM_COMMITS,)).fetchall()) < PLAIN_FROM_COMMITS

    @contextmanager
    def bulk(self, *, compress: bool = False) -> Iterator[None]:
        """Import mode: `append_all` is durable only at the end of this, and much faster.

        With `compress`, events take a quarter of the space; hashes and reads stay the same. Until a ledger
        holds 200 commits for a dictionary, they stay plain.
        """
        with self.database.lock:
            self._in_bulk += 1
            self._compressing += compress
        try:
            yield
        finally:
            with self.database.lock:
                self._in_bulk -= 1
                self._compressing -= compress
                if not self._in_bulk:
                    self.database.make_durable()

    def finish(self, imported: SourceImported, *, reader: str = "", by: str = "import", key_suffix: str = "") -> Commit:
        """Record that a source was read to its end, once; `key_suffix` allows a repeat."""
        key = build_imported_key(imported, key_suffix)
        commit = self.append("house", HOUSE, [imported], recorded=Provenance(self._clock(), writer=by, key=key))
        with self.writing() as link:
            self.sources.end_progress(link, imported.source, reader)
        return commit

    def append_within(
        self, link: Link, kind: Kind, stream: UUID, events: Sequence[Event], recorded: Provenance
    ) -> None:
        """Append inside a transaction of `writing`, together with its other changes."""
        data = self.mapper.encode(kind, events)
        batch = self._batch(link, strict=True)
        append_batch(batch, [CommitDraft(kind, stream, None, len(events), data, b"", recorded)])
        self.people.store_fresh(link)

    @contextmanager
    def writing(self, *, bulk: bool = False) -> Iterator[Link]:
        """Hold the ledger for writing: one transaction for tables beside the log."""
        try:
            with self.database.writing(bulk=bulk) as link:
                yield link
        except BaseException:
            self._numbers.forget()
            self.packing.forget()
            raise
        self.database.notify_watchers()

    # reading

    def head(self) -> tuple[int, str]:
        """Return the position of the last event and the hash over the whole log, hex."""
        with self.database.reading() as link:
            position, link_hash = self.database.read_end(link)
        if not isinstance(position, int) or not isinstance(link_hash, bytes | memoryview):
            raise IntegrityError("the end of the log cannot be read", "handledger verify says what still holds.")
        return position, bytes(link_hash).hex()

    def drop_erased(self) -> bool:
        """Drop cached names, texts and bytes if somebody was erased since the last call.

        Return whether they were dropped: on the first call they always are. Another program may erase people. A program
        that keeps a ledger open calls this before it shows or imports anything.
        """
        has_dropped = self.people.drop_erased()
        if has_dropped:
            self.sources.forget()
        return has_dropped

    def commits(self, after: int = 0, kind: Kind | None = None) -> Iterator[Commit]:
        """Yield the commits after a position, in order; memory stays small."""
        return takewhile(self._is_visible, self.reader.commits(after, kind))

    def _is_visible(self, commit: Commit) -> bool:
        return self.upto is None or commit.position <= self.upto

    def stream(self, stream: UUID) -> list[Commit]:
        """Return the commits of a stream."""
        with self.database.reading() as link:
            commits = self.reader.stream(link, stream.bytes)
        return commits if self.upto is None else list(takewhile(self._is_visible, commits))

    def entries(self, stream: UUID) -> list[Entry]:
        """Return the events of a stream, each in its place; empty if there is no such stream."""
        return [entry for commit in self.stream(stream) for entry in log_reader.entries(commit, self.mapper)]

    def entries_of(self, commit: Commit) -> list[Entry]:
        """Return the events of a commit, each in its place."""
        return log_reader.entries(commit, self.mapper)

    def events(self, stream: UUID) -> list[Event]:
        """Return the events of a stream."""
        decode = self.mapper.decode
        return [event for commit in self.stream(stream) for event in decode(commit.kind, commit.data)]

    def commit_of(self, stream: UUID) -> Commit | None:
        """Return the first commit of a stream, None if there is no such stream."""
        commits = self.stream(stream)
        return commits[0] if commits else None

    def kind_of(self, stream: UUID) -> str | None:
        """Return the kind of a stream, None if there is no such stream."""
        with self.database.reading() as link:
            row = link.execute(
                "SELECT kind FROM log WHERE stream = ? ORDER BY version LIMIT 1", (stream.bytes,)
            ).fetchone()
        return None if row is None else KIND_NAMES[row[0]]

    def now(self) -> Millis:
        """Return the time of this ledger's clock."""
        return self._clock()

    def known_streams(self, streams: Iterable[bytes]) -> set[bytes]:
        """Return the streams that the ledger has, by the bytes of their ids."""
        return self._find_streams(streams, "version = 1")

    def continued_streams(self, streams: Iterable[bytes]) -> set[bytes]:
        """Return the streams with more than one commit, by the bytes of their ids."""
        upto_condition = "" if self.upto is None else f" AND position <= {self.upto:d}"
        return self._find_streams(streams, f"version > 1{upto_condition}")

    def last_positions(self, streams: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
        """Yield the streams with more than one commit, each with its last position."""
        upto_condition = "" if self.upto is None else f" AND position <= {self.upto:d}"
        stream_ids = list(streams)
        with self.database.reading() as link:
            for offset in range(0, len(stream_ids), 200):
                id_chunk = stream_ids[offset : offset + 200]
                sql = (
                    f"SELECT stream, max(position) FROM log WHERE version > 1{upto_condition} "
                    f"AND stream IN ({','.join('?' * len(id_chunk))}) GROUP BY stream"
                )
                yield from [(bytes(stream), end) for stream, end in link.execute(sql, id_chunk)]

    def first_positions(self, streams: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
        """Yield streams with the last position of their first commit."""
        stream_ids = list(streams)
        with self.database.reading() as link:
            for offset in range(0, len(stream_ids), 200):
                id_chunk = stream_ids[offset : offset + 200]
                placeholders = ",".join("?" * len(id_chunk))
                sql = f"SELECT stream, position FROM log WHERE version = 1 AND stream IN ({placeholders})"
                yield from [(bytes(stream), position) for stream, position in link.execute(sql, id_chunk)]

    def _find_streams(self, streams: Iterable[bytes], condition: str) -> set[bytes]:
        """Return the streams that have a commit with this condition."""
        stream_ids = list(streams)
        matching_streams: set[bytes] = set()
        with self.database.reading() as link:
            for offset in range(0, len(stream_ids), 200):
                id_chunk = stream_ids[offset : offset + 200]
                placeholders = ",".join("?" * len(id_chunk))
                rows = link.execute(
                    f"SELECT stream FROM log WHERE {condition} AND stream IN ({placeholders})", id_chunk
                )
                matching_streams.update(bytes(row[0]) for row in rows)
        return matching_streams

    def follow(
        self, after: int = 0, kind: Kind | None = None, *, stop: threading.Event | None = None
    ) -> Iterator[Commit]:
        """Yield the commits after a position, then new ones as they come, until `stop` is set.

        Each is durable: a follower never sees a commit that a power cut could take back.
        """
        new_commits = threading.Event()
        stop = stop or threading.Event()
        with self.database.watch(new_commits.set):
            while not stop.is_set():
                new_commits.clear()
                end = self.head()[0]
                self.database.wait_for_disk()
                for commit in self.commits(after, kind):
                    if commit.position > end:
                        new_commits.set()
                        break
                    after = commit.position
                    yield commit
                    if stop.is_set():
                        return
                while not stop.is_set() and not new_commits.wait(0.2):
                    pass

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
