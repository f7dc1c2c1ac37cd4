"""Read the entries of a table's stream, with hands as corrected."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.fold import fold
from ledger.replay import list_corrected
from ledger.store.hands.hand_accounts import AccountStanding, TableKey, read_stream_pages
from ledger.store.log import log_reader
from ledger.store.log.log_reader import HandAccount
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.table.plain import StoredEntries
from ledger.table.played import build_hand_played
from ledger.table.standing_accounts import TableEntry, apply_table_corrections, build_table_entries, group_hands
from ledger.vocabulary import Witness

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.store.log.event_log import EventLog

_AWARDS: Final = int(Witness.AWARDS)


def standings(stream: Iterable[TableEntry]) -> dict[str, AccountStanding]:
    """Return the standing of each account in a table's stream, by its stream's id, hex."""
    standing_by_stream: dict[str, AccountStanding] = {}
    sessions: dict[str, int] = {}
    for hand in group_hands(apply_table_corrections(stream)):
        standing_account = hand.standing_account
        number = standing_account.hand.number
        sessions[number] = session = sessions.get(number, 0) + 1
        for index, account in enumerate(hand.accounts, 1):
            stream_id = account.hand.hand
            standing_by_stream[stream_id] = AccountStanding(
                session, index, account is standing_account, stream_id in hand.doubtful
            )
    return standing_by_stream


_SMALL_TABLE: Final = 4_000
"""A table with up to so many events is cached once read."""


class TableStream(StoredEntries):
    """The entries of a table, with hands as corrected; each iteration reads them page by page.

    A small table is cached, so that it can be walked several times.
    """

    def __init__(self, ledger: EventLog, place: TableKey, after_version: int = 0) -> None:
        """Take the ledger's current state, the table, and a version to read after."""
        self._ledger = ledger
        self._after_version = after_version
        self._stream = table_stream(*place)
        log_end = ledger.head()[0]
        self.log_end = log_end if ledger.upto is None else min(log_end, ledger.upto)  # position of the log
        self._remembered: list[TableEntry] | None = None

    def __iter__(self) -> Iterator[TableEntry]:
        """Yield the entries in the order of the stream."""
        if self._remembered is not None:
            yield from self._remembered
            return
        read_entries: list[TableEntry] = []
        for table_entry in self._read_pages():
            if len(read_entries) <= _SMALL_TABLE:
                read_entries.append(table_entry)
            yield table_entry
        if len(read_entries) <= _SMALL_TABLE:
            self._remembered = read_entries

    def _read_pages(self) -> Iterator[TableEntry]:
        ledger = self._ledger
        pending_positions: list[int] = []  # positions of the entries since the last hand
        for page in read_stream_pages(
            ledger, self._stream, _find_previous_commit(ledger, self._stream, self._after_version)
        ):
            page_entries = (
                entry for commit in page if commit.position <= self.log_end for entry in ledger.entries_of(commit)
            )
            later_entries = (entry for entry in page_entries if entry.version > self._after_version)
            while entries := list(islice(later_entries, log_reader.PAGE)):
                yield from self._note_openings(self._correct_entries(entries), entries, pending_positions)

    def _correct_entries(self, entries: list[Entry]) -> Iterable[TableEntry]:
        """Return the entries of some events, with hands as corrected."""
        ledger, stream = self._ledger, build_table_entries(entries)
        hand_positions = {
            bytes.fromhex(table_entry.event.hand): entry.position
            for table_entry, entry in zip(stream, entries, strict=True)
            if isinstance(table_entry.event, HandPlayed)
        }
        amended = {
            hand.hex()
            for hand, last_position in ledger.last_positions(hand_positions)
            if last_position > hand_positions[hand]
        }
        cut_off = {
            table_entry.event.hand
            for table_entry in stream
            if isinstance(table_entry.event, HandPlayed) and _is_cut_off(table_entry.event)
        }
        if not (amended or cut_off):
            return stream
        return [_correct_summary(ledger, entry, amended, cut_off) for entry in stream]

    def _note_openings(
        self, stream: Iterable[TableEntry], entries: list[Entry], pending_positions: list[int]
    ) -> Iterator[TableEntry]:
        """Yield the entries; for hands recorded as they were played, note which entries came before their start."""
        hands = {
            bytes.fromhex(table_entry.event.hand)
            for table_entry in entries
            if isinstance(table_entry.event, HandPlayed) and table_entry.recorded.source is None
        }
        first_positions = dict(self._ledger.first_positions(hands)) if hands else {}
        for table_entry, entry in zip(stream, entries, strict=True):
            pending_positions.append(entry.position)
            if not isinstance(table_entry.event, HandPlayed):
                yield table_entry
                continue
            position = first_positions.get(bytes.fromhex(table_entry.event.hand))
            pending_index = 0 if position is None else bisect_left(pending_positions, position)
            yield (
                table_entry
                if position is None
                else table_entry._replace(last_version_before=entry.version - len(pending_positions) + pending_index)
            )
            pending_positions.clear()


def _find_previous_commit(ledger: EventLog, stream: UUID, version: int) -> int:
    """Return the version before the commit that holds the event after a version: a commit may be large."""
    sql = "SELECT version, count FROM log WHERE stream = ? AND version <= ? ORDER BY version DESC LIMIT 1"
    with ledger.database.reading() as link:
        row = link.execute(sql, (stream.bytes, version)).fetchone()
    return version if row is None or row[0] + row[1] - 1 <= version else int(row[0]) - 1


def table_entries(ledger: EventLog, place: TableKey, after_version: int = 0) -> TableStream:
    """Return the entries of a table after a version of its stream, with hands as corrected."""
    return TableStream(ledger, place, after_version)


def _correct_summary(ledger: EventLog, entry: TableEntry, amended: set[str], cut_off: set[str]) -> TableEntry:
    """Replace the table's first summary of a hand by one of its events as corrected.

    `handledger correct` updates the table, too; other programs that append a correction may not. An earlier
    version noted a hand as cut off if nobody was paid; it ended if it has that event.
    """
    hand = entry.event
    if not isinstance(hand, HandPlayed):
        return entry
    looked_for = ((amended, CorrectionMade), (cut_off, HandCompleted))
    signs = tuple(event_type for hands, event_type in looked_for if hand.hand in hands)
    if not signs:
        return entry
    events = cast("list[HandEvent]", ledger.events(UUID(hex=hand.hand)))
    if not any(isinstance(event, signs) for event in events):
        return entry
    return entry._replace(event=remember_hand(events, hand.hand))


def _is_cut_off(hand: HandPlayed) -> bool:
    """Return whether the table's summary says that a hand didn't end, perhaps only for lack of a winner."""
    return not (hand.completed or hand.voided) and bool(hand.witnesses & _AWARDS)


def remember_hand(events: list[HandEvent], stream: str) -> HandPlayed:
    """Return the table's summary of a corrected hand."""
    return build_hand_played(fold([event for _, event in list_corrected(events)]), stream)


def correct_accounts(ledger: EventLog, accounts: list[HandAccount]) -> Iterator[tuple[HandAccount, HandPlayed]]:
    """Yield accounts with the table's summary of each as corrected."""
    streams = [account.stream.bytes for account in accounts]
    events: dict[UUID, list[Event]] = {}
    with ledger.database.reading() as link:
        for commit in ledger.reader.streams(link, streams):
            events.setdefault(commit.stream, []).extend(ledger.mapper.decode(commit.kind, commit.data))
    for account in accounts:
        yield account, remember_hand(cast("list[HandEvent]", events[account.stream]), account.stream.hex)
