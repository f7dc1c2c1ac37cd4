"""Hands out of a ledger, ready to be judged: one by one, or each in its place at its table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ledger.replay import PlayedHand
from ledger.store.database.quick_checks import check_opening
from ledger.store.hands.hand_accounts import Place, told_twice
from ledger.store.hands.table_streams import told as told_to
from ledger.store.log.log_reader import HandAt, check_indexed, hands_at
from ledger.table.plain import Rereadable
from ledger.table.played import played as remembered
from ledger.table.standing import hands_of, held
from projections.table_walk.hand_streams import Streams
from projections.table_walk.table_context import Table, of_tables
from projections.table_walk.to_hand import Start
from projections.table_walk.unread_lines import find_unread_lines

if TYPE_CHECKING:
    from ledger.entry import Mark
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger
    from ledger.store.commits import Commit
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.table_walk.table_context import TableContexts


def played(ledger: Ledger, streams: Iterable[UUID]) -> Iterator[PlayedHand]:
    """Yield the hands of these streams, each with all its commits and its place in the ledger."""
    remaining = iter(streams)
    while batch := [stream.bytes for stream in islice(remaining, _BATCH_SIZE)]:
        yield from map(_Read(ledger, b"".join(batch)).take, batch)


_BATCH_SIZE: Final = 200
"""Hands that are read at once."""
NO_SESSIONS: Final[Mapping[bytes, int]] = MappingProxyType({})


class _Read:
    """Hands on their way out of the log: read by the page, in the order in which they are likely to be asked for."""

    def __init__(
        self, ledger: Ledger, order: bytes, sessions: Mapping[bytes, int] = NO_SESSIONS, place: Place | None = None
    ) -> None:
        """Take in which order: the ids of streams, one behind the other.

        `sessions`: of hands whose numbers were used before, which hand of its number each is. `place`: the table that the index names for them.
        """
        self._ledger = ledger
        self._place = place
        self._order = order
        self._sessions = sessions
        self._at = 0
        self._commits: dict[bytes, list[Commit]] = {}

    def take(self, stream: bytes) -> PlayedHand:
        """Return a hand, once."""
        commits = self._commits.pop(stream, None)
        if commits is None:
            page = [self._order[offset : offset + 16] for offset in range(self._at, self._at + 16 * _BATCH_SIZE, 16)]
            if stream in page:
                self._at += 16 * _BATCH_SIZE
            else:
                page = []
            self._read([*(page_stream for page_stream in page if page_stream), *([] if page else [stream])])
            commits = self._commits.pop(stream)
        return self._hand(stream, commits)

    def _read(self, streams: list[bytes]) -> None:
        ledger = self._ledger
        with ledger.database.reading() as link:
            for commit in ledger.reader.streams(link, streams):
                if ledger.upto is None or commit.position <= ledger.upto:
                    self._commits.setdefault(commit.stream_bytes[:16], []).append(commit)

    def _hand(self, stream: bytes, commits: list[Commit]) -> PlayedHand:
        ledger, first_commit = self._ledger, commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", ledger.mapper.decode("hand", first_commit.data))
            marks: bytes | list[Mark] = first_commit.marks
        else:
            entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
            events = [cast("HandEvent", entry.event) for entry in entries]
            marks = [entry.mark for entry in entries]
        if self._place is not None:
            check_opening(ledger.database.address.name, events[0], first_commit.position, self._place)
        position = first_commit.position - first_commit.count + 1
        session = self._sessions.get(stream, 1)
        return PlayedHand(
            events, marks, stream, position=position, recorded=lambda: first_commit.recorded, session=session
        )


def standing_at(ledger: Ledger, place: Place) -> list[HandAt]:
    """Return the accounts of hands that stand at a table, as they came."""
    if told_twice(ledger, place):
        return [HandAt(row.id, row.position, row.session) for row in ledger.hands(**place._asdict(), standing=True)]
    with ledger.database.reading() as link:
        return hands_at(link, place, ledger.upto)


def by_place(rows: Iterable[HandRow]) -> Iterator[tuple[Place, list[HandRow]]]:
    """Yield hands that were picked, table by table."""
    by_table: dict[Place, list[HandRow]] = {}
    for row in rows:
        by_table.setdefault(Place(row.venue, row.tournament, row.table), []).append(row)
    for place in sorted(by_table):
        yield place, list({row.stream: row for row in by_table[place]}.values())


def seated(
    ledger: Ledger,
    wanted: Iterable[tuple[Place, Iterable[HandRow | HandAt]]],
    books: list[Rulebook],
    unread: Mapping[str, UnreadLines] | None = None,
    told: Callable[[Ledger, Place], Iterable[Told]] = told_to,
    end: Callable[[Table], None] | None = None,
    start: Callable[[Place, bytes], Start | None] | None = None,
) -> Iterator[tuple[PlayedHand, TableContexts | None]]:
    """Yield the wanted hands of each table in the order in which it played them, each in its place.

    Whatever is wanted, a table is walked from its first hand: what is owed comes from before. Of the
    hands that are not wanted only what the table remembers of them is read. A hand of which the
    table was not told stands at the end, without a place. `unread`: what was not
    read of hands, as `find_unread_lines` returns it, where that is known already; `told` what a table was told; `end` takes a
    table that was walked to its end, whatever was wanted of it. `start`: where a walk to one hand, by the bytes of its
    stream's id, may begin instead of at the first; None where it may not.
    """
    for place, rows in wanted:
        order, sessions = bytearray(), {}
        for row in rows:
            order += row.id
            if row.session > 1:
                sessions[row.id] = row.session
        walk_start = start(place, bytes(order)) if start is not None and len(order) == _ID_LENGTH else None
        if walk_start is not None:
            yield from _hand_behind_start(ledger, walk_start, bytes(order), of_tables(books), sessions)
        elif order or end:
            unread = find_unread_lines(ledger) if unread is None else unread
            yield from _hands_at_place(ledger, told(ledger, place), place, bytes(order), books, unread, end, sessions)


_ID_LENGTH: Final = 16
"""Bytes of the id of a hand's stream."""


def _hand_behind_start(
    ledger: Ledger, start: Start, stream: bytes, books: Sequence[Rulebook], sessions: Mapping[bytes, int]
) -> Iterator[tuple[PlayedHand, TableContexts | None]]:
    """Yield one hand of a table in its place; it stands behind the start."""
    name = stream.hex()
    for contexts in start.table(books).contexts(start.told):
        if contexts.hand.hand == name:
            yield _Read(ledger, stream, sessions).take(stream), contexts
            return


def _hands_at_place(
    ledger: Ledger,
    entries: Iterable[Told],
    place: Place,
    order: bytes,
    books: list[Rulebook],
    unread_hands: Mapping[str, UnreadLines],
    end: Callable[[Table], None] | None,
    sessions: Mapping[bytes, int],
) -> Iterator[tuple[PlayedHand, TableContexts | None]]:
    is_complete = isinstance(entries, Rereadable) and entries.hands() == order  # all that it was told, each hand once
    chosen = Streams() if is_complete else Streams(order[offset : offset + 16] for offset in range(0, len(order), 16))
    other_accounts = {} if is_complete else _take_other_accounts(ledger, place, chosen, entries)
    table = Table(of_tables(books), unread_hands)
    reader = _Read(ledger, order, sessions, place)
    unchosen: list[bytes] = []  # nobody asked for these hands, or the index lacks them
    for contexts in table.contexts(entries) if is_complete or chosen or other_accounts or end else ():
        stream = bytes.fromhex(contexts.hand.hand)
        if is_complete or chosen.take(stream):
            yield reader.take(stream), contexts
        else:
            unchosen.append(stream)
            if len(unchosen) == _BATCH_SIZE:
                check_indexed(ledger.database, unchosen)
                unchosen.clear()
        for row in sorted(other_accounts.pop(stream, ()), key=_account_order):
            hand = _Read(ledger, row.id, sessions, place).take(row.id)
            yield hand, contexts.other(remembered(hand.final, row.stream.hex))
        if not is_complete and not chosen and not other_accounts and end is None:
            break
    check_indexed(ledger.database, unchosen)
    if end is not None:
        end(table)
    assert not chosen  # noqa: S101 - the table was told of each that is left
    leftover = sorted((row for rows in other_accounts.values() for row in rows), key=_account_order)
    leftover_reader = _Read(ledger, b"".join(row.id for row in leftover), sessions, place)
    for row in leftover:
        yield leftover_reader.take(row.id), None


def going_on(
    ledger: Ledger, rows: Sequence[HandAt], told: Iterable[Told], table: Table
) -> Iterator[tuple[PlayedHand, TableContexts]]:
    """Yield the hands that came in behind all that a table was walked for, each in its place; all are its own."""
    sessions = {row.id: row.session for row in rows if row.session > 1}
    reader = _Read(ledger, b"".join(row.id for row in rows), sessions)
    for contexts in table.contexts(told):
        yield reader.take(bytes.fromhex(contexts.hand.hand)), contexts


def _take_other_accounts(
    ledger: Ledger, place: Place, chosen: Streams, entries: Iterable[Told]
) -> dict[bytes | None, list[HandRow]]:
    """Take the accounts that do not stand out of those that were chosen; return them by the one that does.

    None: there is none, of which the table was told.
    """
    standing_ids: dict[str, str] = {}
    unplaced = Streams(chosen)
    hands = entries.hands() if isinstance(entries, Rereadable) else None
    if hands is not None:
        for offset in range(0, len(hands), 16):
            unplaced.take(hands[offset : offset + 16])
    else:
        for hand in hands_of(held(entries)):
            standing_id = hand.stands.hand.hand
            standing_ids.update((account.hand.hand, standing_id) for account in hand.accounts)
            unplaced.take(bytes.fromhex(standing_id))
    by_standing: dict[bytes | None, list[HandRow]] = {}
    for row in ledger.hands(**place._asdict()) if unplaced else ():
        if unplaced.take(row.stream.bytes):
            chosen.take(row.stream.bytes)
            standing_id = standing_ids.get(row.stream.hex) or _standing_by_number(ledger, place, row)
            by_standing.setdefault(bytes.fromhex(standing_id) if standing_id else None, []).append(row)
    return by_standing


def _standing_by_number(ledger: Ledger, place: Place, row: HandRow) -> str:
    """Return the account that stands for one of which the table was never told, "" if there is none."""
    rows = ledger.hands(**place._asdict(), number=row.number, standing=True)
    return next((other_row.stream.hex for other_row in rows if other_row.stream != row.stream), "")


def _account_order(row: HandRow) -> tuple[str, int]:
    return row.number, row.account
