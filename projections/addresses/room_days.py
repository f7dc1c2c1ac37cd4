"""Gaming days: from when to when hands began, by the clock that their room shows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.clocks import Local, local, wall
from ledger.errors import UsageError
from ledger.readers.timestamps import iso
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger, TableRow

DAY: Final = 24 * 60 * 60 * 1000
FAR: Final = 15 * 60 * 60 * 1000  # no zone is farther from UTC
BEGINS: Final = "06:00"
"""When a gaming day begins where nobody says otherwise."""


class Bound(NamedTuple):
    """One end of a span: a moment, a time of the room's clock, or a gaming day."""

    at: Millis
    how: str  # "moment": with a zone; "wall": as the room's clock shows; "day": of the gaming day


class Span(NamedTuple):
    """From when to when hands began; None = no bound. `day`: when a gaming day begins, in milliseconds."""

    since: Bound | None = None
    until: Bound | None = None
    day: Millis = 0

    @property
    def coarse(self) -> tuple[Millis | None, Millis | None]:
        """Bounds in UTC outside of which no hand fits, wherever its room is."""
        since = None if self.since is None else self.since.at - FAR
        return since, None if self.until is None else self.until.at + self.day + FAR

    def fits(self, started: Millis | None, shows: Local | None) -> bool:
        """Whether a hand began within the span, by the clock that its room shows."""
        return (self.since is None or self._reached(self.since, started, shows) is True) and (
            self.until is None or self._reached(self.until, started, shows) is False
        )

    def _reached(self, bound: Bound, started: Millis | None, shows: Local | None) -> bool | None:
        if bound.how == "moment":
            return None if started is None else started >= bound.at
        if shows is None:
            return None
        late = self.day if bound.how == "day" and shows.zone not in ("", "UTC") else 0
        return shows.wall >= bound.at + late

    def within(self, started: Millis | None) -> bool:
        """Whether a hand fits wherever its room is, so that it need not be read."""
        return (
            started is not None
            and (self.since is None or started >= self.since.at + self.day + FAR)
            and (self.until is None or started < self.until.at - FAR)
        )


def span(since: str | None, until: str | None, begins: str) -> Span:
    """Read what was asked for: days and times of the room's clock, or moments with a zone."""
    return Span(bound(since, "--since"), bound(until, "--until", end=True), day_begins(begins))


def bound(told: str | None, option: str, *, end: bool = False) -> Bound | None:
    """Read a day, a time of the room's clock, or a moment with a zone; with `end`, the end of a day."""
    if told is None:
        return None
    at = iso(told)
    if at is None:
        raise UsageError(f"{option}: {told!r} is no day and no time", "Say 2026-01-02, or 2026-01-02T20:00Z.")
    if len(told) == len("2026-01-02"):
        return Bound(at + DAY if end else at, "day")
    zoned = datetime.fromisoformat(told).tzinfo is not None
    return Bound(at, "moment" if zoned else "wall")


def day_begins(told: str) -> Millis:
    """Return how long after midnight a gaming day begins."""
    hour, mark, minute = told.partition(":")
    if not (
        told.isascii()
        and mark
        and hour.isdigit()
        and minute.isdigit()
        and len(told) < 6
        and int(hour) < 24
        and int(minute) < 60
    ):
        raise UsageError(f"--day-begins: {told!r} is no time of day", "Say 06:00.")
    return (int(hour) * 60 + int(minute)) * 60_000


def sifted(ledger: Ledger, span: Span, rows: Iterator[HandRow]) -> Iterator[HandRow]:
    """Yield the hands that fit."""
    if span.since is None and span.until is None:
        yield from rows
        return
    for row in rows:
        if span.within(row.started) or span.fits(row.started, clock_of(ledger, row)):
            yield row


def clock_of(ledger: Ledger, row: HandRow) -> Local | None:
    """Return what the room's clock showed when a hand began."""
    from ledger.hand.opening import HandOpened  # noqa: PLC0415 - asked of few hands

    commit = ledger.stream(row.stream)[0]
    opened = ledger.mapper.decode(commit.kind, commit.data)[0]
    return local(row.started, opened.written if isinstance(opened, HandOpened) else "")


def shown(ledger: Ledger, row: HandRow) -> tuple[str, str]:
    """Return date and time of a hand on its room's clock, and the zone, as documents have them."""
    shows = clock_of(ledger, row)
    return ("", "") if shows is None else (wall(shows.wall), shows.zone)


class RoomClock:
    """What the clock of a table's room shows, as its hands tell it: a room may go over to summer time."""

    def __init__(self, ledger: Ledger, table: TableRow) -> None:
        """Take the table."""
        self._ledger, self._table = ledger, table
        self._known: dict[str, tuple[Millis, str] | None] = {}
        self._last: tuple[Millis, str] | None = None  # for what no hand of its own tells

    def shows(self, at: Millis | None, number: str) -> tuple[str, str]:
        """Return date and time of a moment about a hand, and the zone; UTC where no hand tells another clock."""
        if at is None:
            return "", ""
        ahead, zone = self._of(number) or self._last or self._of_any() or (0, "UTC")
        return wall(at + ahead), zone

    def _of(self, number: str) -> tuple[Millis, str] | None:
        """Return how far the clock was ahead of UTC at a hand, and what it is called."""
        if number and number not in self._known:
            self._known[number] = self._asked(number)
        found = self._known.get(number)
        self._last = found or self._last
        return found

    def _of_any(self) -> tuple[Millis, str] | None:
        self._last = self._asked(None)
        return self._last

    def _asked(self, number: str | None) -> tuple[Millis, str] | None:
        of = self._table
        for row in self._ledger.hands(venue=of.venue, tournament=of.tournament, table=of.table, number=number, limit=1):
            told = clock_of(self._ledger, row)
            if told is not None and row.started is not None:
                return told.wall - row.started, told.zone
        return None


def zoned(told: str, option: str) -> None:
    """Refuse a time without a zone, where no room's clock is asked of: that would be hours off, and nobody would see it."""
    if len(told) > len("2026-01-02") and datetime.fromisoformat(told).tzinfo is None:
        raise UsageError(f"{option}: {told!r} says no zone", f"Say {told}Z, or with the room's own: {told}-05:00.")


def moment(told: str | None, option: str, *, end: bool = False) -> Millis | None:
    """Read a day, which is UTC's, or a time with its zone; of a day the beginning, or the end."""
    if told is None:
        return None
    at = iso(told)
    if at is None:
        raise UsageError(f"{option}: {told!r} is no day and no time", "Say 2026-01-02, or 2026-01-02T20:00Z.")
    zoned(told, option)
    return at + DAY if end and len(told) == len("2026-01-02") else at
