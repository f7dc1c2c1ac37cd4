"""Append drafts as rows with gapless positions, versions and hash links. There is one code path.

A live act is a batch of one, an import a batch of a thousand. A batch decides everything while it
holds the log for writing, so nothing it looked up can change before it's stored.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar
from uuid import UUID

from ledger.chain import chain_commit
from ledger.errors import ConflictError, UnstorableError
from ledger.event import Event
from ledger.store.commits import CommitDraft, HandFacts, Outcome
from ledger.store.database.database import Database, Link, Row
from ledger.store.log.compression import PLAIN_CODEC, EventCompression
from ledger.store.log.hand_facts import infer_hand_facts
from ledger.store.log.log_reader import LogReader
from ledger.store.log.mapper import Mapper, check_storable, find_kind_code
from ledger.store.log.row_numbers import RowNumbers

_CHUNK_SIZE = 500  # values in one statement
_T = TypeVar("_T")


class Batch:
    """The state of one appending transaction: the head, the ends of streams, new rows."""

    def __init__(
        self,
        database: Database,
        link_: Link,
        numbers: RowNumbers,
        mapper: Mapper,
        packing: EventCompression,
        *,
        strict: bool,
        compress: bool,
    ) -> None:
        self._database = database
        self.link = link_
        self._numbers = numbers
        self.mapper = mapper
        self._packing = packing
        self._compress = compress
        self._packs = False  # no dictionary yet
        self._texts = database.keeps_texts
        self._strict = strict  # the same events at a taken place are a conflict, too
        self.position, self.hash = database.read_head(link_)
        self._ends: dict[bytes, tuple[int, int]] = {}  # stream → next version, kind
        self._accounts: dict[tuple[int, str], int] = {}
        self._keys: dict[str, Outcome] = {}
        self._rows: list[Row] = []
        self._fresh: dict[tuple[bytes, int], Row] = {}  # place → row, of the first `_noted_rows` rows
        self._noted_rows = 0
        self._hands: list[Row] = []

    def _look_up(self, drafts: Sequence[CommitDraft], streams: list[bytes]) -> None:
        """Look up which streams and keys of these drafts the ledger has already."""
        unknown_streams = list(set(streams) - self._ends.keys())
        if len(unknown_streams) == 1:  # a live act: the simple query is five times as fast
            sql = "SELECT version + count, kind FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1"
            row = self.link.execute(sql, unknown_streams).fetchone()
            if row is not None:
                self._ends[unknown_streams[0]] = (row[0], row[1])
            unknown_streams = []
        for stream_chunk in _split_chunks(unknown_streams):
            values_sql, parameters = self._database.values_table(("bytea",), [(stream,) for stream in stream_chunk])
            sql = (
                "SELECT column1, (SELECT version + count FROM log WHERE stream = column1 "
                "ORDER BY version DESC LIMIT 1), (SELECT kind FROM log WHERE stream = column1 "
                f"ORDER BY version DESC LIMIT 1) FROM {values_sql}"
            )
            for stream, next_version, kind in self.link.execute(sql, parameters):
                if next_version is not None:
                    self._ends[stream] = (next_version, kind)
        keys = sorted({draft[6][3] for draft in drafts} - self._keys.keys() - {""})
        for key_chunk in _split_chunks(keys):
            placeholders = ",".join("?" * len(key_chunk))
            sql = f"SELECT key, stream, version, position FROM log WHERE key IN ({placeholders})"
            for key, stream, version, position in self.link.execute(sql, key_chunk):
                self._keys[key] = Outcome("same", UUID(bytes=stream), version, position)

    def _place(self, facts: HandFacts) -> tuple[int, str]:
        """Return the number of the table and the hand's number: its identity in the index."""
        return self._numbers.place(self.link, *facts[:3]), facts[3]

    def _look_up_hands(self, drafts: Sequence[CommitDraft], streams: list[bytes]) -> None:
        """Look up how many accounts the hands of these drafts have."""
        ends, place = self._ends, self._place
        self._count_accounts(
            [
                place(draft[7])
                for draft, stream in zip(drafts, streams, strict=True)
                if draft[7] is not None and stream not in ends
            ]
        )

    def _count_accounts(self, hands: Iterable[tuple[int, str]]) -> None:
        accounts = self._accounts
        uncounted_hands = list(set(hands) - accounts.keys())
        for hand_chunk in _split_chunks(uncounted_hands):
            values_sql, parameters = self._database.values_table(("int4", "text"), hand_chunk)
            sql = (
                "SELECT column1, column2, (SELECT max(account) FROM hands WHERE place = column1 "
                f"AND number = column2) FROM {values_sql}"
            )
            for place, number, account in self.link.execute(sql, parameters):
                accounts[place, number] = account or 0

    def add_all(self, drafts: Sequence[CommitDraft]) -> list[Outcome]:
        """Place drafts after the head, one after the other; a draft stored already is `same`."""
        streams = [draft[1].bytes for draft in drafts]
        self._look_up(drafts, streams)
        self._look_up_hands(drafts, streams)
        if self._compress and not self._packs:
            stored = self._database.bytes_of("data")
            self._packs = self._packing.prepare_packer(self.link, [draft.data for draft in drafts], stored)
        try:
            return self._add_all(drafts, streams)
        except UnicodeDecodeError as error:
            raise UnstorableError(f"events to be stored are no UTF-8 text: {error}") from error

    def _add_all(self, drafts: Sequence[CommitDraft], streams: list[bytes]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        add_outcome, add_row, ends, keys = outcomes.append, self._rows.append, self._ends, self._keys
        head, last_hash, encode_row_data, make = self.position, self.hash, self._encode_row_data, tuple.__new__
        last_writer: object = None  # writer and source of the last draft: mostly those of the next, too
        last_source: object = None
        for draft, stream in zip(drafts, streams, strict=True):
            kind, stream_id, version, count, data, marks, recorded, _ = draft
            recorded_ms, clock, writer_name, key, source = recorded
            if key and key in keys:
                add_outcome(keys[key]._replace(state="same"))
                continue
            code = find_kind_code(kind)
            known_end = ends.get(stream)
            next_version, known_kind = known_end or (1, code)
            if known_kind != code:
                raise ConflictError(f"stream {stream_id.hex} is not of kind {kind}")
            if version is None:
                version = next_version
            elif version != next_version and not (code == 0 and known_end is None):
                add_outcome(self._resolve_taken(draft, next_version))
                continue
            head += count
            if last_writer != (clock, writer_name):
                last_writer = (clock, writer_name)
                writer, clock_bytes, by_bytes = self._numbers.writer(self.link, clock, writer_name)
            number, digest, start, length = None, b"", None, None
            if source is not None:
                name, start, length = source
                if name != last_source:
                    last_source, source_entry = name, self._numbers.source(self.link, name)
                number, digest = source_entry
            codec, stored_data = encode_row_data(data)
            place = head, count, code, stream, version
            last_hash = chain_commit(
                last_hash,
                *place,
                recorded_ms,
                clock_bytes,
                by_bytes,
                key.encode(),
                digest,
                start or 0,
                length or 0,
                marks,
                data,
            )
            add_row(
                (*place, codec, stored_data, marks, recorded_ms, writer, number, start, length, key or None, last_hash)
            )
            ends[stream] = (version + count, code)
            account = self._index(draft, head) if code == 1 and version == 1 else 0
            outcome = make(Outcome, ("new", stream_id, version, head, account, last_hash))
            add_outcome(outcome)
            if key:
                keys[key] = outcome
        self.position, self.hash = head, last_hash
        return outcomes

    def _encode_row_data(self, data: bytes) -> tuple[int, str | bytes]:
        """Return codec and the row's data for events."""
        if b"\\u0000" in data:
            check_storable(data)
        text = data.decode()
        if self._packs:
            codec, packed = self._packing.pack(data)
            if codec != PLAIN_CODEC:
                return codec, packed
        return PLAIN_CODEC, text if self._texts else data

    def _resolve_taken(self, draft: CommitDraft, next_version: int) -> Outcome:
        """Return `same` if the stored events at a taken place are the draft's; raise otherwise."""
        if not self._strict and draft.version is not None and draft.version < next_version:
            place = (draft.stream.bytes, draft.version)
            data, position = self._find_stored(place)
            if data == draft.data:
                return Outcome("same", draft.stream, draft.version, position)
        raise ConflictError(
            f"another writer was first: stream {draft.stream.hex} goes on at {next_version}, not at {draft.version}",
            "Read the stream again and decide anew.",
        )

    def _find_stored(self, place: tuple[bytes, int]) -> tuple[bytes, int]:
        """Return events and position of the commit at a place of a stream, b"" and 0 if there is none."""
        for row in self._rows[self._noted_rows :]:
            self._fresh[row[3], row[4]] = row
        self._noted_rows = len(self._rows)
        fresh = self._fresh.get(place)
        if fresh is not None:
            position, codec, data = fresh[0], fresh[5], fresh[6]
        else:
            stored = self._database.bytes_of("data")
            row = self.link.execute(
                f"SELECT position, codec, {stored} FROM log WHERE stream = ? AND version = ?", place
            ).fetchone()
            if row is None:
                return b"", 0
            position, codec, data = row
        if codec:
            data = self._packing.unpack(self.link, codec, data)
        return data.encode() if isinstance(data, str) else bytes(data), position

    def _index(self, draft: CommitDraft, position: int) -> int:
        facts = draft[7]
        if facts is None:
            facts = infer_hand_facts(self.mapper.decode("hand", draft.data), live=draft.recorded.source is None)
        return self._index_facts(facts, position)

    def index(self, events: Sequence[Event], position: int, *, live: bool) -> None:
        """Add a hand of the log to the index; `live`: it came from no source."""
        self._index_facts(infer_hand_facts(events, live=live), position)

    def _index_facts(self, facts: HandFacts, position: int) -> int:
        venue, tournament, table, number, started, variant, betting, form, note = facts
        place = self._numbers.place(self.link, venue, tournament, table)
        hand = (place, number)
        account = self._accounts.get(hand)
        if account is None:
            self._count_accounts([hand])
            account = self._accounts[hand]
        account += 1
        self._accounts[hand] = account
        self._hands.append((position, place, number, account, started, variant, betting, form, note))
        return account

    def store(self) -> None:
        """Insert the added rows."""
        if self._rows:
            self._database.add(self.link, self._rows, self.position, self.hash)
            self._rows, self._noted_rows = [], 0
        if self._hands:
            self._database.add_hands(self.link, self._hands)
            self._hands = []


def reindex(batch: Batch, reader: LogReader) -> int:
    """Rebuild the index of hands from the log; return how many accounts it holds."""
    batch.link.execute("DELETE FROM hands")
    position, count = 0, 0
    while True:
        page = reader.page(batch.link, position, find_kind_code("hand"))
        for commit in page:
            if commit.version == 1:
                batch.index(batch.mapper.decode("hand", commit.data), commit.position, live=commit.source is None)
                count += 1
        batch.store()
        if not page:
            return count
        position = page[-1].position


def append_batch(
    batch: Batch,
    drafts: Sequence[CommitDraft],
    follow_up: Callable[[list[Outcome]], Sequence[CommitDraft]] | None = None,
) -> list[Outcome]:
    """Append all drafts, or none if one fails; `follow_up` returns more drafts for their outcomes."""
    outcomes = batch.add_all(drafts)
    if follow_up is not None:
        outcomes += batch.add_all(follow_up(outcomes))
    batch.store()
    return outcomes


def _split_chunks(values: list[_T]) -> Iterator[list[_T]]:
    for offset in range(0, len(values), _CHUNK_SIZE):
        yield values[offset : offset + _CHUNK_SIZE]
