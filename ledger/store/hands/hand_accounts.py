"""Which accounts of hands stand in a ledger: what the streams of its tables say, for every reader the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from ledger.errors import IntegrityError
from ledger.store.log import log_reader
from ledger.store.log.log_reader import HandAccount

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.store.commits import Commit
    from ledger.store.log.event_log import Log
    from ledger.vocabulary import Millis


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


def hand_accounts(ledger: Log, place: Place, numbers: Iterable[str]) -> list[HandAccount]:
    """Return the accounts of some numbers at a table as they came, whatever was said of them."""
    wanted = [number for number in dict.fromkeys(numbers) if log_reader.keepable(number)]
    if not all(map(log_reader.keepable, place)):
        return []
    with ledger.database.reading() as link:
        return list(log_reader.hand_accounts(link, place, wanted))


def told_twice(ledger: Log, place: Place) -> set[str]:
    """Return the numbers at a table of which there is more than one account."""
    with ledger.database.reading() as link:
        return log_reader.told_twice(link, place)


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
        most = max(1, min(2 * most, log_reader.PAGE // max(commit.count for commit in page)))


def position_at(ledger: Log, moment: Millis) -> int:
    """Return the position that the log had reached at a time of its own clock."""
    with ledger.database.reading() as link:
        row = link.execute("SELECT coalesce(max(position), 0) FROM log WHERE at <= ?", (moment,)).fetchone()
    return int(row[0])
