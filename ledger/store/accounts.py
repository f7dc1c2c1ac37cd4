"""Which accounts of hands stand in a ledger: what the streams of its tables say, for every reader the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

from ledger.errors import IntegrityError
from ledger.hand.ending import CorrectionMade, HandCompleted
from ledger.hand.fold import fold
from ledger.replay import corrected
from ledger.store import reading
from ledger.store.reading import HandAccount
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
    from ledger.store.commits import Commit, HandRow
    from ledger.store.log import Log
    from ledger.vocabulary import Millis


_AWARDS: Final = int(Witness.AWARDS)


class Place(NamedTuple):
    """A table, by its names."""

    venue: str
    tournament: str
    table: str


class Standing(NamedTuple):
    """Where an account belongs: which hand of its number it tells, which account of it, whether it stands."""

    session: int
    account: int
    stands: bool
    doubtful: bool = False


class Accounts:
    """The accounts of one reading of a ledger. A table is looked at only where a number was told twice."""

    def __init__(self, ledger: Log) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._places: dict[Place, dict[str, Standing]] = {}

    def placed(self, rows: Iterator[HandRow]) -> Iterator[HandRow]:
        """Yield rows of the index, each with what its table says of it."""
        for row in rows:
            if row.accounts == 1:
                yield row
                continue
            place = Place(row.venue, row.tournament, row.table)
            if place not in self._places:
                self._places[place] = standings(told(self._ledger, place))
            found = self._places[place].get(row.stream.hex)
            if found is None:  # the table was not told of it: by an older program, or by none
                found = Standing(1, row.account, row.account == 1)
            session, account, stands, _ = found
            yield row._replace(session=session, account=account, stands=stands)


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
            while entries := list(islice(behind, reading.PAGE)):
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
        return [_ended(ledger, _amended(ledger, one, amended), cut_off) for one in stream]

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


def _amended(ledger: Log, one: Told, amended: set[str]) -> Told:
    """Put what follows from a hand's corrections in the place of what was told first.

    `handledger correct` tells the table too; whoever appends a correction by other means need not.
    """
    event = one.event
    if not isinstance(event, HandPlayed) or event.hand not in amended:
        return one
    events = cast("list[HandEvent]", ledger.events(UUID(hex=event.hand)))
    if not any(isinstance(told, CorrectionMade) for told in events):
        return one
    return one._replace(event=remembered(events, event.hand))


def _is_cut_off(hand: HandPlayed) -> bool:
    """Whether a table was told that a hand did not end, perhaps only as its record names no winner."""
    return not (hand.completed or hand.voided) and bool(hand.witnesses & _AWARDS)


def _ended(ledger: Log, one: Told, cut_off: set[str]) -> Told:
    """Let a hand count as ended that an earlier version took for cut off, as nobody was paid."""
    event = one.event
    if not isinstance(event, HandPlayed) or event.hand not in cut_off:
        return one
    events = cast("list[HandEvent]", ledger.events(UUID(hex=event.hand)))
    if not any(isinstance(told, HandCompleted) for told in events):
        return one
    return one._replace(event=remembered(events, event.hand))


def remembered(events: list[HandEvent], stream: str) -> HandPlayed:
    """Return what a table remembers of a hand as it was corrected."""
    return played(fold([event for _, event in corrected(events)]), stream)


def hand_accounts(ledger: Log, place: Place, numbers: Iterable[str]) -> list[HandAccount]:
    """Return the accounts of some numbers at a table as they came, whatever was said of them."""
    wanted = [number for number in dict.fromkeys(numbers) if reading.keepable(number)]
    if not all(map(reading.keepable, place)):
        return []
    with ledger.database.reading() as link:
        return list(reading.hand_accounts(link, place, wanted))


def as_told(ledger: Log, accounts: list[HandAccount]) -> Iterator[tuple[HandAccount, HandPlayed]]:
    """Yield accounts with what a table remembers of each, as it was corrected."""
    streams = [one.stream.bytes for one in accounts]
    events: dict[UUID, list[Event]] = {}
    with ledger.database.reading() as link:
        for commit in ledger.reader.streams(link, streams):
            events.setdefault(commit.stream, []).extend(ledger.mapper.decode(commit.kind, commit.data))
    for one in accounts:
        yield one, remembered(cast("list[HandEvent]", events[one.stream]), one.stream.hex)


def told_twice(ledger: Log, place: Place) -> set[str]:
    """Return the numbers at a table of which there is more than one account."""
    with ledger.database.reading() as link:
        return reading.told_twice(link, place)


def entries_behind(ledger: Log, stream: UUID, version: int) -> Iterator[Entry]:
    """Yield the events of a stream behind a version; memory stays small."""
    for page in pages(ledger, stream, version):
        for commit in page:
            yield from ledger.entries_of(commit)


def pages(ledger: Log, stream: UUID, version: int) -> Iterator[list[Commit]]:
    """Yield the commits of a stream behind a version, so many at once as bound the memory.

    A commit of a table is one live hand, or all that a part of an import told.
    """
    most = 1
    while True:
        with ledger.database.reading() as link:
            page = ledger.reader.stream(link, stream.bytes, version, most)
        yield page
        if len(page) < most:
            return
        last = page[-1]
        if last.version <= version or last.count < 1:
            raise IntegrityError(
                f"the commit at position {last.position:,} of the log tells no event behind the one before it",
                "handledger verify says what was changed.",
            )
        version = last.version + last.count - 1
        most = max(1, min(2 * most, reading.PAGE // max(commit.count for commit in page)))


def position_at(ledger: Log, moment: Millis) -> int:
    """Return the position that the log had reached at a time of its own clock."""
    with ledger.database.reading() as link:
        row = link.execute("SELECT coalesce(max(position), 0) FROM log WHERE at <= ?", (moment,)).fetchone()
    return int(row[0])
