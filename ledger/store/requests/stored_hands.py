"""Read the hands of a ledger: one by one, or as a replay of their table reaches them.

A hand may have several accounts, such as the files of two players. Each account has a stream of its own, and one of them
is in force. Some tables number their hands from 1 again each session: a hand's session is 1 for the first hand with its
number at the table, 2 for the second, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self, TypeVar, cast
from uuid import UUID

from ledger.replay import HandReplay
from ledger.store.database.quick_checks import check_opening
from ledger.store.hands.hand_accounts import TableKey, list_repeated_numbers
from ledger.store.log.log_reader import HandAt, check_indexed, list_hands_at
from ledger.store.requests.stream_set import ID_LENGTH, StreamSet, split_ids
from ledger.table.plain import StoredEntries
from ledger.table.played import build_hand_played as table_hand_of
from ledger.table.standing_accounts import apply_table_corrections, group_hands

if TYPE_CHECKING:
    from ledger.entry import EventOrigin
    from ledger.hand.events import HandEvent
    from ledger.store.commits import Commit, HandRow
    from ledger.store.ledger import Ledger
    from ledger.table.events import HandPlayed
    from ledger.table.standing_accounts import TableEntry


_BATCH_SIZE: Final = 200
"""Hands in one read."""
NO_SESSIONS: Final[Mapping[bytes, int]] = MappingProxyType({})
"""For tables that never used a hand's number twice."""


def read_hands(ledger: Ledger, streams: Iterable[UUID]) -> Iterator[HandReplay]:
    """Yield the hands of these streams, each with its corrections and its position in the log."""
    remaining = iter(streams)
    while batch := [stream.bytes for stream in islice(remaining, _BATCH_SIZE)]:
        yield from map(HandReader(ledger, b"".join(batch)).read_hand, batch)


class HandReader:
    """Reads hands from the log a page at a time, by guessing the order in which they will be asked for."""

    def __init__(
        self,
        ledger: Ledger,
        stream_order: bytes,
        sessions: Mapping[bytes, int] = NO_SESSIONS,
        table_key: TableKey | None = None,
    ) -> None:
        """Take the likely order: the ids of the hands' streams, joined.

        `sessions`: the sessions of hands by their streams' ids; those of session 1 may be missing. `table_key`: the table
        of the hands by the index; with it, each hand is checked to be of this table.
        """
        self._ledger = ledger
        self._table_key = table_key
        self._order = stream_order
        self._sessions = sessions
        self._next_offset = 0
        self._commits: dict[bytes, list[Commit]] = {}

    def read_hand(self, stream: bytes) -> HandReplay:
        """Return a hand by its stream's id. Ask for each hand once."""
        commits = self._commits.pop(stream, None)
        if commits is None:
            page_end = self._next_offset + ID_LENGTH * _BATCH_SIZE
            page = list(split_ids(self._order[self._next_offset : page_end]))
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
                    self._commits.setdefault(commit.stream_bytes, []).append(commit)

    def _build_hand(self, stream: bytes, commits: list[Commit]) -> HandReplay:
        ledger, first_commit = self._ledger, commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", ledger.mapper.decode("hand", first_commit.data))
            origin_marks: bytes | list[EventOrigin] = first_commit.marks
        else:
            entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
            events = [cast("HandEvent", entry.event) for entry in entries]
            origin_marks = [entry.mark for entry in entries]
        if self._table_key is not None:
            check_opening(ledger.database.address.name, events[0], first_commit.position, self._table_key)
        position = first_commit.position - first_commit.count + 1
        return HandReplay(
            events,
            origin_marks,
            stream,
            position=position,
            recorded=lambda: first_commit.recorded,  # built only if it's asked for: few hands need it
            session=self._sessions.get(stream, 1),
        )


def list_standing_accounts(ledger: Ledger, table_key: TableKey) -> list[HandAt]:
    """Return the accounts in force of a table's hands, in the order they were stored."""
    if list_repeated_numbers(ledger, table_key):
        return [HandAt(row.id, row.position, row.session) for row in ledger.hands(**table_key._asdict(), standing=True)]
    with ledger.database.reading() as connection:
        return list_hands_at(connection, table_key, ledger.upto)


def group_rows_by_table(rows: Iterable[HandRow]) -> Iterator[tuple[TableKey, list[HandRow]]]:
    """Yield these hands table by table, in the order of the tables; a stream that has several rows comes once."""
    rows_by_table: dict[TableKey, list[HandRow]] = {}
    for row in rows:
        rows_by_table.setdefault(TableKey(row.venue, row.tournament, row.table), []).append(row)
    for table_key in sorted(rows_by_table):
        yield table_key, list({row.stream: row for row in rows_by_table[table_key]}.values())


def join_streams(rows: Iterable[HandRow | HandAt]) -> tuple[bytes, dict[bytes, int]]:
    """Return the ids of these hands' streams, joined, and their sessions, if not 1, by those ids."""
    stream_order, sessions = bytearray(), {}
    for row in rows:
        stream_order += row.id
        if row.session > 1:
            sessions[row.id] = row.session
    return bytes(stream_order), sessions


class ReplayedHand(Protocol):
    """A hand of a table's replay, with everything that the replay adds to it."""

    @property
    def hand(self) -> HandPlayed:
        """The hand as the table's stream has it. Its `hand` is the id of its stream, hex."""
        ...

    def for_account(self, hand: HandPlayed) -> Self:
        """Return what the replay adds to the hand, for another account of it."""
        ...


Replayed = TypeVar("Replayed", bound=ReplayedHand)


class ChosenHands:
    """Chosen hands of one table, to be read from the log as a replay of the table reaches them."""

    def __init__(
        self,
        ledger: Ledger,
        table_key: TableKey,
        entries: Iterable[TableEntry],
        stream_order: bytes,
        sessions: Mapping[bytes, int] = NO_SESSIONS,
    ) -> None:
        """Take the table's entries, and the ids of the chosen hands' streams, joined; `sessions` as for `HandReader`."""
        self._ledger, self._table_key, self._sessions = ledger, table_key, sessions
        self._reader = HandReader(ledger, stream_order, sessions, table_key)
        self._is_whole_table = (
            isinstance(entries, StoredEntries) and entries.join_hand_ids() == stream_order
        )  # each hand once
        self._streams = StreamSet()
        self._other_accounts = _OtherAccounts({}, [])
        if not self._is_whole_table:
            self._streams = StreamSet(split_ids(stream_order))
            self._other_accounts = _find_other_accounts(ledger, table_key, self._streams, entries)
            for row in self._other_accounts.list_rows():
                self._streams.discard(row.id)

    def read(self, replay: Iterable[Replayed], *, to_the_end: bool = False) -> Iterator[tuple[HandReplay, Replayed]]:
        """Yield the chosen hands in the order of their table's replay, each with its hand of the replay.

        Hands that aren't chosen are not read from the log. With `to_the_end` the replay goes on after the last chosen hand.
        """
        unchosen: list[bytes] = []  # nobody chose these hands, or the index lacks them: that is checked
        for replayed_hand in replay if to_the_end or not self._is_done else ():
            stream = bytes.fromhex(replayed_hand.hand.hand)
            if self._is_whole_table or self._streams.take(stream):
                yield self._reader.read_hand(stream), replayed_hand
            else:
                unchosen.append(stream)
                if len(unchosen) == _BATCH_SIZE:
                    check_indexed(self._ledger.database, unchosen)
                    unchosen.clear()
            for row in sorted(self._other_accounts.by_account_in_force.pop(stream, ()), key=_build_account_sort_key):
                hand = HandReader(self._ledger, row.id, self._sessions, self._table_key).read_hand(row.id)
                yield hand, replayed_hand.for_account(table_hand_of(hand.final_state, row.stream.hex))
            if self._is_done and not to_the_end:
                break
        check_indexed(self._ledger.database, unchosen)
        assert not self._streams  # noqa: S101 - all others are in the table's stream

    def read_unplaced(self) -> Iterator[HandReplay]:
        """Yield the chosen hands that the replay didn't reach: no account of theirs is in the table's stream."""
        rows = sorted(self._other_accounts.list_rows(), key=_build_account_sort_key)
        reader = HandReader(self._ledger, b"".join(row.id for row in rows), self._sessions, self._table_key)
        for row in rows:
            yield reader.read_hand(row.id)

    @property
    def _is_done(self) -> bool:
        """Whether the replay can reach no further chosen hand."""
        return not (self._is_whole_table or self._streams or self._other_accounts.by_account_in_force)


class _OtherAccounts(NamedTuple):
    """The rows of chosen accounts that aren't in force."""

    by_account_in_force: dict[bytes, list[HandRow]]  # by the stream's id of the account that is in force for the hand
    without_account_in_force: list[HandRow]  # of hands that the table's stream lacks

    def list_rows(self) -> list[HandRow]:
        """Return the rows of both kinds."""
        return [*chain.from_iterable(self.by_account_in_force.values()), *self.without_account_in_force]


def _find_other_accounts(
    ledger: Ledger, table_key: TableKey, chosen_streams: StreamSet, entries: Iterable[TableEntry]
) -> _OtherAccounts:
    """Return those of the chosen accounts that aren't in force."""
    other_streams = StreamSet(chosen_streams)
    ids_in_force: dict[str, str] = {}  # by the id of each account of the same hand; all ids in hex
    streams_in_force = entries.join_hand_ids() if isinstance(entries, StoredEntries) else None
    if streams_in_force is not None:
        for stream in split_ids(streams_in_force):
            other_streams.discard(stream)
    else:
        for hand in group_hands(apply_table_corrections(entries)):
            account_in_force = hand.standing_account.hand
            ids_in_force.update((account.hand.hand, account_in_force.hand) for account in hand.accounts)
            other_streams.discard(bytes.fromhex(account_in_force.hand))
    other_accounts = _OtherAccounts({}, [])
    for row in ledger.hands(**table_key._asdict()) if other_streams else ():
        if not other_streams.take(row.id):
            continue
        id_in_force = ids_in_force.get(row.stream.hex) or _find_id_in_force(ledger, table_key, row)
        if id_in_force is None:
            other_accounts.without_account_in_force.append(row)
        else:
            other_accounts.by_account_in_force.setdefault(bytes.fromhex(id_in_force), []).append(row)
    return other_accounts


def _find_id_in_force(ledger: Ledger, table_key: TableKey, row: HandRow) -> str | None:
    """Return the id (hex) of another account of the same number that is in force, or None if there is none.

    This is for accounts that the table's stream lacks.
    """
    rows = ledger.hands(**table_key._asdict(), number=row.number, standing=True)
    return next((other_row.stream.hex for other_row in rows if other_row.stream != row.stream), None)


def _build_account_sort_key(row: HandRow) -> tuple[str, int]:
    return row.number, row.account
