"""Read the hands of a ledger: one by one, or as a replay of their table reaches them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar, cast
from uuid import UUID

from ledger.replay import PlayedHand
from ledger.store.database.quick_checks import check_opening
from ledger.store.hands.hand_accounts import TableKey, repeated_numbers
from ledger.store.log.log_reader import HandAt, check_indexed, hands_at
from ledger.table.plain import Rereadable
from ledger.table.played import played as table_hand_of
from ledger.table.standing import hands_of, held

if TYPE_CHECKING:
    from ledger.entry import Mark
    from ledger.hand.events import HandEvent
    from ledger.store.commits import Commit, HandRow
    from ledger.store.ledger import Ledger
    from ledger.table.events import HandPlayed
    from ledger.table.standing import Told


def read_hands(ledger: Ledger, streams: Iterable[UUID]) -> Iterator[PlayedHand]:
    """Yield the hands of these streams, each with its corrections and its position in the log."""
    remaining = iter(streams)
    while batch := [stream.bytes for stream in islice(remaining, _BATCH_SIZE)]:
        yield from map(HandReader(ledger, b"".join(batch)).read_hand, batch)


_BATCH_SIZE: Final = 200
"""Hands in one read."""
ID_LENGTH: Final = 16
"""Bytes in the id of a stream."""
_PART_COUNT: Final = 4096
"""Parts of a `StreamSet`. The first 12 bits of an id choose its part. Ids are digests, so the parts fill evenly."""
NO_SESSIONS: Final[Mapping[bytes, int]] = MappingProxyType({})
"""For tables that never used a hand's number twice."""


class HandReader:
    """Reads hands from the log a page at a time, by guessing the order in which they will be asked for."""

    def __init__(
        self,
        ledger: Ledger,
        stream_order: bytes,
        sessions: Mapping[bytes, int] = NO_SESSIONS,
        table_place: TableKey | None = None,
    ) -> None:
        """Take the likely order: the ids of the hands' streams, joined.

        `sessions`: for a hand whose number the table used before, which use it is (2, 3, ...). `table_place`: the
        table by the index; each hand is checked against it (None: no check).
        """
        self._ledger = ledger
        self._place = table_place
        self._order = stream_order
        self._sessions = sessions
        self._next_offset = 0
        self._commits: dict[bytes, list[Commit]] = {}

    def read_hand(self, stream: bytes) -> PlayedHand:
        """Return a hand by its stream's id. Ask for each hand once."""
        commits = self._commits.pop(stream, None)
        if commits is None:
            page_end = self._next_offset + ID_LENGTH * _BATCH_SIZE
            page = _split_ids(self._order[self._next_offset : page_end])
            if stream in page:
                self._next_offset = page_end
            else:
                page = [stream]  # not in the guessed order: read this hand alone
            self._read_page(page)
            commits = self._commits.pop(stream)
        return self._build_hand(stream, commits)

    def _read_page(self, streams: list[bytes]) -> None:
        ledger = self._ledger
        with ledger.database.reading() as connection:
            for commit in ledger.reader.streams(connection, streams):
                if ledger.upto is None or commit.position <= ledger.upto:
                    self._commits.setdefault(commit.stream_bytes[:ID_LENGTH], []).append(commit)

    def _build_hand(self, stream: bytes, commits: list[Commit]) -> PlayedHand:
        ledger, first_commit = self._ledger, commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", ledger.mapper.decode("hand", first_commit.data))
            origin_marks: bytes | list[Mark] = first_commit.marks
        else:
            entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
            events = [cast("HandEvent", entry.event) for entry in entries]
            origin_marks = [entry.mark for entry in entries]
        if self._place is not None:
            check_opening(ledger.database.address.name, events[0], first_commit.position, self._place)
        position = first_commit.position - first_commit.count + 1
        session = self._sessions.get(stream, 1)
        return PlayedHand(
            events, origin_marks, stream, position=position, recorded=lambda: first_commit.recorded, session=session
        )


def _split_ids(joined_ids: bytes) -> list[bytes]:
    return [joined_ids[offset : offset + ID_LENGTH] for offset in range(0, len(joined_ids), ID_LENGTH)]


def list_standing_accounts(ledger: Ledger, place: TableKey) -> list[HandAt]:
    """Return the accounts in force of a table's hands, in the order they were stored."""
    if repeated_numbers(ledger, place):
        return [HandAt(row.id, row.position, row.session) for row in ledger.hands(**place._asdict(), standing=True)]
    with ledger.database.reading() as connection:
        return hands_at(connection, place, ledger.upto)


def group_rows_by_place(rows: Iterable[HandRow]) -> Iterator[tuple[TableKey, list[HandRow]]]:
    """Yield these hands table by table, sorted by table; each stream once."""
    rows_by_place: dict[TableKey, list[HandRow]] = {}
    for row in rows:
        rows_by_place.setdefault(TableKey(row.venue, row.tournament, row.table), []).append(row)
    for place in sorted(rows_by_place):
        yield place, list({row.stream: row for row in rows_by_place[place]}.values())


def join_streams(rows: Iterable[HandRow | HandAt]) -> tuple[bytes, dict[bytes, int]]:
    """Return the ids of these hands' streams, joined, and the sessions of those whose number was used before."""
    stream_order, sessions = bytearray(), {}
    for row in rows:
        stream_order += row.id
        if row.session > 1:
            sessions[row.id] = row.session
    return bytes(stream_order), sessions


class ReplayedHand(Protocol):
    """A hand of a table's replay, with all that the replay adds to it."""

    @property
    def hand(self) -> HandPlayed:
        """The hand as the table's stream has it."""
        ...

    def for_account(self, hand: HandPlayed) -> Self:
        """Return the same for another account of this hand."""
        ...


Replayed = TypeVar("Replayed", bound=ReplayedHand)


class ChosenHands:
    """Chosen hands of one table, to be read from the log as a replay of the table reaches them."""

    def __init__(
        self,
        ledger: Ledger,
        place: TableKey,
        entries: Iterable[Told],
        stream_order: bytes,
        sessions: Mapping[bytes, int] = NO_SESSIONS,
    ) -> None:
        """Take the table's entries, and the ids of the chosen hands' streams, joined; `sessions` as for `HandReader`."""
        self._ledger, self._place, self._sessions = ledger, place, sessions
        self._reader = HandReader(ledger, stream_order, sessions, place)
        self._is_whole_table = isinstance(entries, Rereadable) and entries.hands() == stream_order  # each hand once
        self._streams = StreamSet()
        self._other_accounts: dict[bytes | None, list[HandRow]] = {}
        if not self._is_whole_table:
            self._streams = StreamSet(_split_ids(stream_order))
            self._other_accounts = _take_other_accounts(ledger, place, self._streams, entries)

    def read(self, replay: Iterable[Replayed], *, to_the_end: bool = False) -> Iterator[tuple[PlayedHand, Replayed]]:
        """Yield the chosen hands in the order of their table's replay, each with its hand of the replay.

        Hands that aren't chosen are not read from the log. With `to_the_end` the replay goes on after the last chosen hand.
        """
        unchosen: list[bytes] = []  # hands that nobody chose; or that the index lacks, which is checked
        for replayed_hand in replay if to_the_end or not self._is_done else ():
            stream = bytes.fromhex(replayed_hand.hand.hand)
            if self._is_whole_table or self._streams.take(stream):
                yield self._reader.read_hand(stream), replayed_hand
            else:
                unchosen.append(stream)
                if len(unchosen) == _BATCH_SIZE:
                    check_indexed(self._ledger.database, unchosen)
                    unchosen.clear()
            for row in sorted(self._other_accounts.pop(stream, ()), key=_account_order):
                hand = HandReader(self._ledger, row.id, self._sessions, self._place).read_hand(row.id)
                yield hand, replayed_hand.for_account(table_hand_of(hand.final, row.stream.hex))
            if self._is_done and not to_the_end:
                break
        check_indexed(self._ledger.database, unchosen)
        assert not self._streams  # noqa: S101 - all others are in the table's stream

    def read_unplaced(self) -> Iterator[PlayedHand]:
        """Yield the chosen hands that the replay didn't reach: no account of theirs is in the table's stream."""
        rows = sorted((row for rows in self._other_accounts.values() for row in rows), key=_account_order)
        reader = HandReader(self._ledger, b"".join(row.id for row in rows), self._sessions, self._place)
        for row in rows:
            yield reader.read_hand(row.id)

    @property
    def _is_done(self) -> bool:
        """Whether no chosen hand can come any more."""
        return not (self._is_whole_table or self._streams or self._other_accounts)


def _take_other_accounts(
    ledger: Ledger, place: TableKey, chosen_streams: StreamSet, entries: Iterable[Told]
) -> dict[bytes | None, list[HandRow]]:
    """Remove the accounts that aren't in force from the chosen; return their rows by the account that is in force.

    Under None are the accounts of hands that have no account in force in the table's stream.
    """
    standing_ids: dict[str, str] = {}
    unplaced = StreamSet(chosen_streams)
    hands = entries.hands() if isinstance(entries, Rereadable) else None
    if hands is not None:
        for offset in range(0, len(hands), 16):
            unplaced.take(hands[offset : offset + 16])
    else:
        for hand in hands_of(held(entries)):
            standing_id = hand.stands.hand.hand
            standing_ids.update((account.hand.hand, standing_id) for account in hand.accounts)
            unplaced.take(bytes.fromhex(standing_id))
    rows_by_standing: dict[bytes | None, list[HandRow]] = {}
    for row in ledger.hands(**place._asdict()) if unplaced else ():
        if unplaced.take(row.stream.bytes):
            chosen_streams.take(row.stream.bytes)
            standing_id = standing_ids.get(row.stream.hex) or _standing_by_number(ledger, place, row)
            rows_by_standing.setdefault(bytes.fromhex(standing_id) if standing_id else None, []).append(row)
    return rows_by_standing


def _standing_by_number(ledger: Ledger, place: TableKey, row: HandRow) -> str:
    """Return the id (hex) of the account in force of a hand that isn't in its table's stream; "" = none."""
    rows = ledger.hands(**place._asdict(), number=row.number, standing=True)
    return next((other_row.stream.hex for other_row in rows if other_row.stream != row.stream), "")


def _account_order(row: HandRow) -> tuple[str, int]:
    return row.number, row.account


class StreamSet:
    """A set of stream ids in little memory: 16 bytes for each, and no object."""

    def __init__(self, streams: Iterable[bytes] = ()) -> None:
        """Start with these ids."""
        self._parts: list[bytearray | None] = [None] * _PART_COUNT
        self._count = 0
        for stream in streams:
            self.add(stream)

    def add(self, stream: bytes) -> None:
        """Add an id, if it isn't in the set."""
        number = _part_number(stream)
        part = self._parts[number]
        if part is None:
            part = self._parts[number] = bytearray()
        if _find_offset(part, stream) < 0:
            part += stream
            self._count += 1

    def take(self, stream: bytes) -> bool:
        """Remove an id; return whether it was in the set."""
        part = self._parts[_part_number(stream)]
        offset = -1 if part is None else _find_offset(part, stream)
        if part is None or offset < 0:
            return False
        del part[offset : offset + ID_LENGTH]
        self._count -= 1
        return True

    def __len__(self) -> int:
        """Return the number of ids."""
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the ids in no particular order."""
        for part in filter(None, self._parts):
            for offset in range(0, len(part), ID_LENGTH):
                yield bytes(part[offset : offset + ID_LENGTH])


def _part_number(stream: bytes) -> int:
    """Return the first 12 bits of an id."""
    return stream[0] << 4 | stream[1] >> 4


def _find_offset(part: bytearray, stream: bytes) -> int:
    """Return the offset of an id in a part; negative if it isn't there."""
    offset = part.find(stream)
    while offset > 0 and offset % ID_LENGTH:
        offset = part.find(stream, offset + 1)
    return offset
