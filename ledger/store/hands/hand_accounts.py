"""Read accounts of hands and the pages of streams, the same way for every reader."""

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
    from ledger.store.log.event_log import EventLog
    from ledger.vocabulary import Millis


class TableKey(NamedTuple):
    """The names of a table."""

    venue: str
    tournament: str
    table: str


class AccountStanding(NamedTuple):
    """The standing of an account: which hand of its number, which account of that hand, whether it counts."""

    session: int
    account: int
    is_standing: bool
    is_doubtful: bool = False


def list_hand_accounts(ledger: EventLog, place: TableKey, numbers: Iterable[str]) -> list[HandAccount]:
    """Return the accounts of some numbers at a table in the order of import, whatever their standing."""
    storable_numbers = [number for number in dict.fromkeys(numbers) if log_reader.is_storable(number)]
    if not all(map(log_reader.is_storable, place)):
        return []
    with ledger.database.reading() as link:
        return list(log_reader.read_hand_accounts(link, place, storable_numbers))


def list_repeated_numbers(ledger: EventLog, place: TableKey) -> set[str]:
    """Return the numbers with several accounts at a table."""
    with ledger.database.reading() as link:
        return log_reader.find_repeated_numbers(link, place)


def read_entries_after(ledger: EventLog, stream: UUID, version: int) -> Iterator[Entry]:
    """Yield the events of a stream after a version; memory stays small."""
    for page in read_stream_pages(ledger, stream, version):
        for commit in page:
            yield from ledger.entries_of(commit)


def read_stream_pages(ledger: EventLog, stream: UUID, version: int) -> Iterator[list[Commit]]:
    """Yield the commits of a stream after a version, in pages that bound the memory.

    A table's commit holds one live hand, or everything of a part of an import.
    """
    page_size = 1
    while True:
        with ledger.database.reading() as link:
            page = ledger.reader.stream(link, stream.bytes, version, page_size)
        yield page
        if len(page) < page_size:
            return
        last_commit = page[-1]
        if last_commit.version <= version or last_commit.count < 1:
            raise IntegrityError(
                f"the commit at position {last_commit.position:,} of the log adds no event to the commit before it",
                "handledger verify lists what was changed.",
            )
        version = last_commit.version + last_commit.count - 1
        page_size = max(1, min(2 * page_size, log_reader.PAGE // max(commit.count for commit in page)))


def find_position_at(ledger: EventLog, moment: Millis) -> int:
    """Return the log's last position at a time of its own clock."""
    with ledger.database.reading() as link:
        row = link.execute("SELECT coalesce(max(position), 0) FROM log WHERE at <= ?", (moment,)).fetchone()
    return int(row[0])
