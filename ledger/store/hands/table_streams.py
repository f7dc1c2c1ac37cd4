"""What a table was told, hands as they stand after their corrections: read out of its stream."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.fold import fold
from ledger.replay import corrected
from ledger.store.hands.hand_accounts import Place, Standing, pages
from ledger.store.log import log_reader
from ledger.store.log.log_reader import HandAccount
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.table.plain import Rereadable
from ledger.table.played import played
from ledger.table.standing import Told, from_entries, hands_of, held
from ledger.vocabulary import Witness

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.store.log.event_log import Log

_AWARDS: Final = int(Witness.AWARDS)


def standings(stream: Iterable[Told]) -> dict[str, Standing]:
    """Return for each account that a table was told of (its stream's id, hex) where it belongs."""
    found: dict[str, Standing] = {}
    sessions: dict[str, int] = {}
    for hand in hands_of(held(stream)):
        stands = hand.stands
        number = stands.hand.number
        sessions[number] = session = sessions.get(number, 0) + 1
        for index, account in enumerate(hand.accounts, 1):
            stream_id = account.hand.hand
            found[stream_id] = Standing(session, index, account is stands, stream_id in hand.doubtful)
    return found


_SMALL: Final = 4_000
"""Events of a table that are remembered once they were read."""


class Stream(Rereadable):
    """What a table was told, hands as they stand after their corrections: read anew each time, page by page.

    What a small table was told is remembered, so that it can be walked several times.
    """

    def __init__(self, ledger: Log, place: Place, behind: int = 0) -> None:
        """Take the ledger as it is now, the table, and a version behind which it is read."""
        self._ledger = ledger
        self._behind = behind
        self._stream = table_stream(*place)
        end = ledger.head()[0]
        self.end = end if ledger.upto is None else min(end, ledger.upto)  # position of the log
        self._whole: list[Told] | None = None

    def __iter__(self) -> Iterator[Told]:
        """Yield the events in the order in which they came."""
        if self._whole is not None:
            yield from self._whole
            return
        whole: list[Told] = []
        for one in self._read():
            if len(whole) <= _SMALL:
                whole.append(one)
            yield one
        if len(whole) <= _SMALL:
            self._whole = whole

    def _read(self) -> Iterator[Told]:
        ledger = self._ledger
        ahead: list[int] = []  # positions of what was told since the last hand
        for page in pages(ledger, self._stream, _begun(ledger, self._stream, self._behind)):
            every = (entry for commit in page if commit.position <= self.end for entry in ledger.entries_of(commit))
            behind = (entry for entry in every if entry.version > self._behind)
            while entries := list(islice(behind, log_reader.PAGE)):
                yield from self._opened(self._standing(entries), entries, ahead)

    def _standing(self, entries: list[Entry]) -> Iterable[Told]:
        """Return what some events tell, hands as they stand."""
        ledger, stream = self._ledger, from_entries(entries)
        told = {
            bytes.fromhex(one.event.hand): entry.position
            for one, entry in zip(stream, entries, strict=True)
            if isinstance(one.event, HandPlayed)
        }
        amended = {hand.hex() for hand, end in ledger.ends(told) if end > told[hand]}
        cut_off = {one.event.hand for one in stream if isinstance(one.event, HandPlayed) and _is_cut_off(one.event)}
        if not (amended or cut_off):
            return stream
        return [_as_recorded(ledger, entry, amended, cut_off) for entry in stream]

    def _opened(self, stream: Iterable[Told], entries: list[Entry], ahead: list[int]) -> Iterator[Told]:
        """Yield what was told; of hands that were recorded while they ran, behind what they began."""
        hands = {
            bytes.fromhex(one.event.hand)
            for one in entries
            if isinstance(one.event, HandPlayed) and one.recorded.source is None
        }
        begun = dict(self._ledger.begun(hands)) if hands else {}
        for one, entry in zip(stream, entries, strict=True):
            ahead.append(entry.position)
            if not isinstance(one.event, HandPlayed):
                yield one
                continue
            position = begun.get(bytes.fromhex(one.event.hand))
            before = 0 if position is None else bisect_left(ahead, position)
            yield one if position is None else one._replace(opened=entry.version - len(ahead) + before)
            ahead.clear()


def _begun(ledger: Log, stream: UUID, version: int) -> int:
    """Return the version behind which the commit begins that holds what follows a version: one may tell of very much."""
    sql = "SELECT version, count FROM log WHERE stream = ? AND version <= ? ORDER BY version DESC LIMIT 1"
    with ledger.database.reading() as link:
        row = link.execute(sql, (stream.bytes, version)).fetchone()
    return version if row is None or row[0] + row[1] - 1 <= version else int(row[0]) - 1


def told(ledger: Log, place: Place, behind: int = 0) -> Stream:
    """Return what a table was told behind a version of its stream, hands as they stand after their corrections."""
    return Stream(ledger, place, behind)


def _as_recorded(ledger: Log, entry: Told, amended: set[str], cut_off: set[str]) -> Told:
    """Put a hand as its events stand now in the place of what the table was told first.

    `handledger correct` tells the table too; whoever appends a correction by other means need not. An earlier version
    told a hand as cut off if nobody was paid; it ended if its events say so.
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
    return entry._replace(event=remembered(events, hand.hand))


def _is_cut_off(hand: HandPlayed) -> bool:
    """Whether a table was told that a hand did not end, perhaps only as its record names no winner."""
    return not (hand.completed or hand.voided) and bool(hand.witnesses & _AWARDS)


def remembered(events: list[HandEvent], stream: str) -> HandPlayed:
    """Return what a table remembers of a hand as it was corrected."""
    return played(fold([event for _, event in corrected(events)]), stream)


def as_told(ledger: Log, accounts: list[HandAccount]) -> Iterator[tuple[HandAccount, HandPlayed]]:
    """Yield accounts with what a table remembers of each, as it was corrected."""
    streams = [one.stream.bytes for one in accounts]
    events: dict[UUID, list[Event]] = {}
    with ledger.database.reading() as link:
        for commit in ledger.reader.streams(link, streams):
            events.setdefault(commit.stream, []).extend(ledger.mapper.decode(commit.kind, commit.data))
    for one in accounts:
        yield one, remembered(cast("list[HandEvent]", events[one.stream]), one.stream.hex)
