"""Numbers that a table used for several hands, and what tells these hands apart: the day, or which of them it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from ledger.clocks import wall
from ledger.store.accounts import Place, told_twice
from ledger.store.standings import Accounts
from projections.addresses import room_days
from projections.addresses.grammar import ordinal, ordinal_number

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


def place_of(row: HandRow) -> Place:
    """Return the table at which a hand was played."""
    return Place(row.venue, row.tournament, row.table)


def day_of(ledger: Ledger, row: HandRow) -> str:
    """Return the day on which a hand began, by its room's clock; "" if no time is on record."""
    shows = room_days.clock_of(ledger, row)
    return "" if shows is None else wall(shows.wall)[: len("2026-11-20")]


def played_on(ledger: Ledger, rows: Iterable[HandRow], day: str) -> list[HandRow]:
    """Return the hands that a day of an address means: that day, else that gaming day; or `2nd` of its number."""
    rows = list(rows)
    number = ordinal_number(day)
    if number is not None:
        return [row for row in rows if row.session == number]
    evening = room_days.span(day, day, room_days.BEGINS)
    return [row for row in rows if day_of(ledger, row) == day] or [
        row for row in rows if evening.fits(row.started, room_days.clock_of(ledger, row))
    ]


def without_void_deals(ledger: Ledger, rows: list[HandRow]) -> list[HandRow]:
    """Leave out the void deals of a number that one source deals again: the new deal is meant."""
    if len(rows) < 2 or len({(*place_of(row), row.source) for row in rows}) > 1:
        return rows
    from ledger.store.table_streams import remembered  # noqa: PLC0415 - it loads the fold, and few numbers are used twice

    events = {row: cast("list[HandEvent]", ledger.events(row.stream)) for row in rows}
    return [row for row in rows if not remembered(events[row], row.stream.hex).voided] or rows


def later_hands(ledger: Ledger, place: Place) -> dict[str, HandRow]:
    """Return the second and later hands of their numbers at a table, by the ids of their streams, hex."""
    if not told_twice(ledger, place):
        return {}
    return {row.stream.hex: row for row in ledger.hands(**place._asdict()) if row.session > 1}


class ReusedNumbers:
    """The hands of reused numbers, table by table; each table is read once."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._of: dict[Place, dict[str, list[HandRow]]] = {}
        self._accounts = Accounts(ledger)

    def row(self, stream: str) -> HandRow | None:
        """Return the hand that a stream records, by its id, hex; None if there is none."""
        from ledger.store.reading import rows_of  # noqa: PLC0415 - what prints rows it has needs none

        try:
            wanted = bytes.fromhex(stream)
        except ValueError:
            return None
        rows = rows_of(self._ledger.database, [wanted] if wanted else [], self._ledger.upto)
        return next(self._accounts.placed(rows), None)

    def day(self, row: HandRow) -> str:
        """Return the day that tells a hand from the others of its number; "" if none is needed."""
        if row.accounts == 1:
            return ""
        hands = self._hands(place_of(row)).get(row.number, [])
        if len(hands) < 2 or _only(without_void_deals(self._ledger, hands), row):
            return ""
        day = day_of(self._ledger, row)
        if day and _only(without_void_deals(self._ledger, played_on(self._ledger, hands, day)), row):
            return day
        return ordinal(row.session)

    def _hands(self, place: Place) -> dict[str, list[HandRow]]:
        """Return the hands of the numbers that a table used again, of each the account that counts."""
        if place not in self._of:
            found: dict[str, list[HandRow]] = {}
            for row in self._ledger.hands(**place._asdict(), standing=True):
                if row.accounts > 1:
                    found.setdefault(row.number, []).append(row)
            self._of[place] = {number: hands for number, hands in found.items() if len(hands) > 1}
        return self._of[place]


def _only(rows: list[HandRow], row: HandRow) -> bool:
    return len(rows) == 1 and rows[0].session == row.session
