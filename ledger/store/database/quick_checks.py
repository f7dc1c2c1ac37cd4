"""Cheap checks: of the core tables at opening, of the index of hands at each read."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from ledger.errors import IntegrityError
from ledger.hand.opening import HandOpened

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store.commits import HandRow
    from ledger.store.database.database import Database

CORE_TABLES: Final = (
    "about",
    "log",
    "writers",
    "dictionaries",
    "places",
    "hands",
    "names",
    "texts",
    "openings",
    "erased",
    "sources",
    "blocks",
    "progress",
    "tracking",
)
"""Tables that every ledger has, of any version and on either store."""

_VERIFY_HINT: Final = "handledger verify lists all damage. Keep this ledger as it is, and go on from a sound backup."
_BACKUP_HINT: Final = "Keep this ledger as it is, and go on from a backup that handledger verify finds sound."

_BOUNDS: Final = (
    "SELECT (SELECT max(position) FROM log), (SELECT min(position) FROM hands), (SELECT max(position) FROM hands), "
    "(SELECT min(place) FROM hands), (SELECT max(place) FROM hands), "
    "(SELECT min(id) FROM places), (SELECT max(id) FROM places), (SELECT count(*) FROM places), "
    "(SELECT min(p.id) FROM places AS p WHERE NOT EXISTS (SELECT 1 FROM hands AS h WHERE h.place = p.id))"
)
"""One statement, so one state of the ledger: reads only ends of indexes, and one entry for each table."""


def check_tables(name: str, tables: AbstractSet[str]) -> None:
    """Raise if a ledger's core tables aren't all there."""
    lost = [table for table in CORE_TABLES if table not in tables]
    if not lost:
        return
    words = f"the table {lost[0]} is gone" if len(lost) == 1 else f"the tables {', '.join(lost)} are gone"
    raise IntegrityError(f"the ledger {name} is damaged: {words}", _BACKUP_HINT)


def find_index_damage(database: Database) -> str:
    """Return how the index of hands contradicts itself or the log's end, "" if it doesn't."""
    with database.reading() as link:
        head, *bounds, unused = link.execute(_BOUNDS).fetchone()
    first, last, least_place, most_place, least_id, most_id, count = bounds
    head = head or 0
    if not isinstance(head, int):
        return ""  # the log itself is damaged, and its check reports that
    for position in (first, last):
        if not _is_counted(position, head):
            return f"hands.position is {position!r:.40}, but the log ends at {head}"
    for number in (least_id, most_id):
        if not _is_counted(number, count):
            return f"places.id is {number!r:.40}, but there are {count} tables"
    for number in (least_place, most_place):
        if not _is_counted(number, most_id or 0):
            return f"hands.place is {number!r:.40}, and no table has that number"
    if unused is not None:
        return f"table {unused} of places has no hands"
    return ""


def _is_counted(number: object, count: int) -> bool:
    """Whether a number is one of those from 1 to `count`, or there is none."""
    return number is None or (isinstance(number, int) and 1 <= number <= count)


def build_index_error(name: str, reason: str) -> IntegrityError:
    """Return the error for a ledger whose index of hands is damaged; `name` may be ""."""
    ledger = f"the ledger {name}" if name else "the ledger"
    return IntegrityError(f"{ledger} is damaged: {reason}", _VERIFY_HINT)


def check_opening(name: str, opened: Event, position: int, place: tuple[str, str, str]) -> None:
    """Raise if a hand isn't of the table (venue, tournament, table) that the index names."""
    if isinstance(opened, HandOpened) and place != (opened.venue, opened.tournament, opened.table):
        reason = f"the hand at position {position} is of another table than the index of hands says"
        raise build_index_error(name, reason)


def check_row(name: str, opened: Event, row: HandRow) -> None:
    """Raise if a hand isn't the one that its row of the index names."""
    check_opening(name, opened, row.position, (row.venue, row.tournament, row.table))
    if isinstance(opened, HandOpened) and (row.number, row.started) != (opened.number, opened.started):
        reason = f"the hand at position {row.position} has another number or time than the index of hands says"
        raise build_index_error(name, reason)
