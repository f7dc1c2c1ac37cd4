"""The ledger as the rest of the program knows it: open, append, read, follow, verify."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self
from uuid import UUID

from ledger.entry import Entry, Recorded
from ledger.errors import IntegrityError
from ledger.event import Event
from ledger.house.events import LedgerCreated, SourceImported
from ledger.seal.note import Key
from ledger.store import erasing, reading
from ledger.store.accounts import Accounts
from ledger.store.commits import (
    KIND_NAMES,
    Commit,
    Draft,
    HandRow,
    Kind,
    Outcome,
    Problem,
    TableRow,
)
from ledger.store.database import Database, Link, open_database
from ledger.store.ids import Begun, Ids
from ledger.store.live import Live
from ledger.store.mapper import Mapper
from ledger.store.numbers import Numbers
from ledger.store.packing import Packing
from ledger.store.projecting import Projection, catch_up, rebuild
from ledger.store.sources import Progress, Sources, imported_key
from ledger.store.trouble import translated
from ledger.store.vault import Vault
from ledger.store.writing import Batch, append_batch, reindex
from ledger.streams import HOUSE
from ledger.vocabulary import Millis, PlayerId, Role

if TYPE_CHECKING:
    from ledger.store.erasing import Basis
    from ledger.store.verify_tree import Anchor


class Ledger:
    """One open ledger; safe to use from many threads."""

    def __init__(
        self, database: Database, *, clock: Callable[[], Millis], software: str = "",
        people_key: str | os.PathLike[str] | None = None,
    ) -> None:  # fmt: skip
        """Take an open database that holds a ledger; see `open_ledger`."""
        self.database = database
        self.key_made: Path | None = None  # where the key of its ids was made just now
        self.mapper = Mapper()
        self._clock = clock
        self._software = software
        self._numbers = Numbers()
        self.packing = Packing()
        self.reader = reading.Reader(database, self._numbers, self.packing)
        self.beyond: list[str] = []  # what the last erasure did not reach, in words
        self.upto: int | None = None  # read as if nothing lay behind this position
        self._in_bulk = 0
        self._compressing = 0
        with database.reading() as link:
            self._about: dict[str, str] = dict(
                link.execute("SELECT name, value FROM about").fetchall()
            )
        try:
            self.id = self._about["ledger"]
            self.people = Vault(database, Ids(self.id, self._about, people_key))
        except (KeyError, ValueError) as error:
            raise IntegrityError(f"the ledger does not say what it is: {error}") from error
        self._live = Live(database, self._numbers, self.people, self._decide)
        self.sources = Sources(
            database, self._numbers, clock, lambda: self.writing(bulk=self._in_bulk > 0),
            self.people.source_id,
        )  # fmt: skip

    # writing

    def append(
        self, kind: Kind, stream: UUID, events: Sequence[Event], *, version: int | None = None,
        recorded: Recorded | None = None, marks: bytes = b"",
    ) -> Commit:  # fmt: skip
        """Append events to a stream; when this returns they are durable.

        `version` is the place at which the first shall stand (`ConflictError` if it is taken), None
        = wherever the stream ends. With a key that was used before, the commit of then is returned.
        Appends of many threads are made durable together.
        """
        data = self.mapper.encode(kind, events)
        recorded = recorded or Recorded(self._clock(), by="live")
        draft = Draft(kind, stream, version, len(events), data, marks, recorded)
        outcome = self._live.append(draft)
        if outcome.state == "new":
            return Commit.of(draft, outcome)
        with self.database.reading() as link:
            found = self.reader.at(link, outcome.position)
        if found is None:
            raise IntegrityError("what was appended is not in the ledger")
        return found

    def _decide(self, drafts: Sequence[Draft]) -> list[Outcome]:
        with self.writing() as link:
            outcomes = append_batch(self._batch(link, strict=True), drafts)
            self.people.put(link)
        self.people.stored()
        return outcomes

    def append_all(
        self, drafts: Sequence[Draft], *,
        then: Callable[[list[Outcome]], Sequence[Draft]] | None = None,
        source: str = "", reader: str = "",
        progress: Progress | Callable[[], Progress] | None = None,
        also: Callable[[Link], None] | None = None, strict: bool = False,
    ) -> list[Outcome]:  # fmt: skip
        """Append all drafts in one transaction, or none; names go into the vault with them.

        A draft that is in the ledger already is `same`. `then` is told what became of the drafts
        and returns more that belong into the same transaction. `progress` says how far the import
        of `source` has come with all of them; as a function it is asked afterwards. `also` does
        more inside the transaction. With `strict`, what is there already is a `ConflictError`.
        """
        with self.writing(bulk=self._in_bulk > 0) as link:
            batch = self._batch(link, strict=strict, compress=self._compressing > 0)
            outcomes = append_batch(batch, drafts, then)
            self.people.put(link)
            if also is not None:
                also(link)
            if progress is not None:
                reached = progress() if callable(progress) else progress
                self.sources.advance(link, source, reader, reached)
        self.people.stored()
        return outcomes

    def _batch(self, link: Link, *, strict: bool, compress: bool = False) -> Batch:
        return Batch(
            self.database, link, self._numbers, self.mapper, self.packing, strict=strict,
            compress=compress,
        )  # fmt: skip

    @contextmanager
    def bulk(self, *, compress: bool = False) -> Iterator[None]:
        """Import mode: `append_all` is durable only when this is left, and much faster.

        With `compress` it keeps events in a quarter of the room; hashes and what is read stay the
        same. Until a ledger holds 200 commits, of which a dictionary is made, they stand plain.
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
                    self.database.settle()

    def finish(
        self, imported: SourceImported, *, reader: str = "", by: str = "import", again: str = ""
    ) -> Commit:
        """Say that a source was read to its end; the same said again is said once, but for `again`."""
        key = imported_key(imported, again)
        commit = self.append(
            "house", HOUSE, [imported], recorded=Recorded(self._clock(), by=by, key=key)
        )
        with self.writing() as link:
            self.sources.done(link, imported.source, reader)
        return commit

    def append_within(
        self, link: Link, kind: Kind, stream: UUID, events: Sequence[Event], recorded: Recorded
    ) -> None:
        """Append inside a transaction of `writing`, together with what else it changes."""
        data = self.mapper.encode(kind, events)
        batch = self._batch(link, strict=True)
        append_batch(batch, [Draft(kind, stream, None, len(events), data, b"", recorded)])
        self.people.put(link)

    def erase(
        self, person: PlayerId, *, by: Role = "unknown", basis: Basis = "request"
    ) -> list[PlayerId]:
        """Forget a person for good, wherever the name stands; return the ids that the person had.

        Events and proofs stay as they are.
        """
        return erasing.erase(self, person, by=by, basis=basis)

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
        self.database.appended()

    # reading

    def head(self) -> tuple[int, str]:
        """Return the position of the last event and the hash that binds all, hex."""
        with self.database.reading() as link:
            position, link_hash = self.database.end(link)
        if not isinstance(position, int) or not isinstance(link_hash, bytes | memoryview):
            raise IntegrityError(
                "the end of the log cannot be read", "handledger verify says what still holds."
            )
        return position, bytes(link_hash).hex()

    def commits(self, after: int = 0, kind: Kind | None = None) -> Iterator[Commit]:
        """Yield the commits behind position `after`, in order; memory stays small."""
        return takewhile(self._there, self.reader.commits(after, kind))

    def _there(self, commit: Commit) -> bool:
        return self.upto is None or commit.position <= self.upto

    def stream(self, stream: UUID) -> list[Commit]:
        """Return the commits of a stream."""
        with self.database.reading() as link:
            found = self.reader.stream(link, stream.bytes)
        return found if self.upto is None else list(takewhile(self._there, found))

    def entries(self, stream: UUID) -> list[Entry]:
        """Return the events of a stream, each in its place; empty if there is no such stream."""
        return [entry for c in self.stream(stream) for entry in reading.entries(c, self.mapper)]

    def entries_of(self, commit: Commit) -> list[Entry]:
        """Return the events of a commit, each in its place."""
        return reading.entries(commit, self.mapper)

    def events(self, stream: UUID) -> list[Event]:
        """Return the events of a stream."""
        decode = self.mapper.decode
        return [event for c in self.stream(stream) for event in decode(c.kind, c.data)]

    def commit_of(self, stream: UUID) -> Commit | None:
        """Return the first commit of a stream, None if there is no such stream."""
        found = self.stream(stream)
        return found[0] if found else None

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

    def known(self, streams: Iterable[UUID]) -> set[UUID]:
        """Return those of `streams` that are in the ledger."""
        return self._among(streams, "version = 1")

    def continued(self, streams: Iterable[UUID]) -> set[UUID]:
        """Return those of `streams` that have more than one commit."""
        upto = "" if self.upto is None else f" AND position <= {self.upto:d}"
        return self._among(streams, f"version > 1{upto}")

    def _among(self, streams: Iterable[UUID], condition: str) -> set[UUID]:
        """Return those of `streams` of which the log has a commit that fits."""
        wanted = [stream.bytes for stream in streams]
        found: set[UUID] = set()
        with self.database.reading() as link:
            for at in range(0, len(wanted), 200):
                some = wanted[at : at + 200]
                marks = ",".join("?" * len(some))
                rows = link.execute(
                    f"SELECT stream FROM log WHERE {condition} AND stream IN ({marks})",
                    some,
                )
                found.update(UUID(bytes=bytes(row[0])) for row in rows)
        return found

    def hands(
        self, *, venue: str | None = None, tournament: str | None = None, table: str | None = None,
        number: str | None = None, source: str | Sequence[str] | None = None, since: Millis | None = None,
        until: Millis | None = None, variant: str | None = None, betting: str | None = None,
        format: str | None = None, account: int | None = None, note: str | None = None,  # noqa: A002 - the field's word
        beginning: str | None = None, order: Literal["log", "played", "newest"] = "log",
        limit: int | None = None,
        standing: bool = False,
    ) -> Iterator[HandRow]:  # fmt: skip
        """Yield the accounts of hands that fit, at most `limit`; with `standing` those that stand.

        `source` is the SHA-256 of a file, or of several; `since` and `until` bound when a hand began
        (until excluded), `beginning` is how the hand's number or the id of its stream (hex) begins.
        `order`: as they came into the log, as they were played (`ledger.store.listing`), or that
        the other way round; in these two, hands without a time are within any bounds of time.
        """
        wanted: dict[str, Any] = {
            "venue": venue, "tournament": tournament, "table": table, "number": number,
            "source": source, "since": since, "until": until, "variant": variant,
            "betting": betting, "format": format, "note": note, "beginning": beginning,
            "upto": self.upto,
        }  # fmt: skip

        def number_of(digest: str) -> int | None:
            with self.database.reading() as link:
                return reading.source_number(link, digest)

        rows: Iterator[HandRow]
        if order == "log":
            rows = reading.hand_rows(self.database, wanted=wanted, known=number_of)
        else:
            from ledger.store.listing import in_order  # noqa: PLC0415 - it reads tables, which few commands do

            spare = reading.further(self.database) if limit and (standing or account) else 0
            most = limit + spare if limit else None
            rows = in_order(self, wanted, number_of, newest_first=order == "newest", limit=most)
        found = (
            row for row in Accounts(self).placed(rows)
            if (row.stands or not standing) and account in (None, row.account)
        )  # fmt: skip
        return islice(found, limit)

    def tables(self) -> Iterator[TableRow]:
        """Yield the tables at which hands were played."""
        return reading.table_rows(self.database)

    def follow(
        self, after: int = 0, kind: Kind | None = None, *, stop: threading.Event | None = None
    ) -> Iterator[Commit]:
        """Yield the commits behind `after` and then new ones as they come, until `stop` is set.

        What is yielded is durable: whoever follows never sees what a power cut could take back.
        """
        told = threading.Event()
        stop = stop or threading.Event()
        with self.database.watch(told.set):
            while not stop.is_set():
                told.clear()
                end = self.head()[0]
                self.database.wait_for_disk()
                for commit in self.commits(after, kind):
                    if commit.position > end:
                        told.set()
                        break
                    after = commit.position
                    yield commit
                    if stop.is_set():
                        return
                while not stop.is_set() and not told.wait(0.2):
                    pass

    # keeping

    def verify(self, anchors: Sequence[Anchor] = ()) -> list[Problem]:
        """Derive everything anew from the raw rows; return what does not hold, empty if all does.

        `anchors` are roots of the log that were seen before: it must begin with each of them.
        """
        from ledger.store import verify  # noqa: PLC0415 - only `handledger verify` and `seal` look at everything

        return verify.verify(self.database.engine, anchors, self._unsalted_secret())

    def signed_by(self, keys: list[Key]) -> tuple[int, list[Problem]]:
        """Return how many kept checkpoints one of these keys signed, and what is wrong with the others."""
        from ledger.store.verify_checkpoints import signed_by  # noqa: PLC0415 - as `verify`
        from ledger.store.verify_raw import raw  # noqa: PLC0415 - as `verify`

        with translated(), raw(self.database.engine) as connection:
            return signed_by(connection, keys)

    def unseen(self) -> list[str]:
        """Return, in words, what a verification of this ledger cannot see."""
        from ledger.store.verify_limits import unseen  # noqa: PLC0415 - as `verify`
        from ledger.store.verify_raw import raw  # noqa: PLC0415 - as `verify`

        with translated(), raw(self.database.engine) as connection:
            return [
                *unseen(connection, keyless=self._unsalted_secret() is None),
                *erasing.unseen(self),
            ]

    def _unsalted_secret(self) -> bytes | None:
        return None if self.people.salted else self.people.ids.known_secret()

    def catch_up(self, projection: Projection, *, batch: int = 1000) -> int:
        """Bring a projection up to the end of the log, each commit exactly once; return its place."""
        return catch_up(self.database, self.reader, projection, batch)

    def rebuild(self, projection: Projection, *, batch: int = 1000) -> int:
        """Drop a projection and make it anew from the log."""
        return rebuild(self.database, self.reader, projection, batch)

    def reindex(self) -> int:
        """Make the index of hands anew from the log, in one transaction; return how many there are."""
        with self.writing() as link:
            return reindex(self._batch(link, strict=True), self.reader)

    def close(self) -> None:
        """Give everything back."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def system_clock() -> Millis:
    """Return the time of this machine's clock."""
    return time.time_ns() // 1_000_000


def open_ledger(
    url: str | os.PathLike[str] | None = None, *, create: bool = True, read_only: bool = False,
    clock: Callable[[], Millis] = system_clock, timeout: float = 5.0, software: str = "",
    announce: bool = True, people_key: str | os.PathLike[str] | None = None,
) -> Ledger:  # fmt: skip
    """Open the ledger at a SQLAlchemy URL or path of a SQLite file; make it if there is none.

    `timeout`: seconds to wait for another program that writes, then `LedgerBusyError`.
    `announce`: a new ledger begins with the event that it was made.
    `people_key`: the file of the key of its ids (`ledger.store.people_key`), made with a new ledger;
    without it HANDLEDGER_PEOPLE_KEY says which, or it lies in the user's settings folder.
    """
    database = open_database(url, read_only=read_only, timeout=timeout)
    begun = Begun(people_key, lasting=database.lasting)
    try:
        made = database.prepare(create=create and not read_only, about=begun.about)
        if not made:  # another program was faster; where making broke off, a ledger may be there
            begun.undo()
        ledger = Ledger(database, clock=clock, software=software, people_key=people_key)
        if made:
            ledger.key_made = begun.path
            ledger.people.ids.secret = begun.secret
        if made and announce:
            ledger.append(
                "house", HOUSE, [LedgerCreated(ledger.id, software=software, ids=begun.ids)], version=1,
                recorded=Recorded(clock(), by="handledger", key="created"),
            )  # fmt: skip
        elif read_only:
            erasing.veiled(ledger)
        else:
            erasing.reapply(ledger)
    except BaseException:
        database.close()
        raise
    return ledger
