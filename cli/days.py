"""Days and times as a room counts them: what its own clock shows, and when its gaming day begins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from ledger.clocks import Local, local
from ledger.errors import UsageError
from ledger.readers.timestamps import iso
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger

_DAY: Final = 24 * 60 * 60 * 1000
_FAR: Final = 15 * 60 * 60 * 1000  # no zone is farther from UTC
_NO_ZONE: Final = "(no zone)"
BEGINS: Final = "06:00"
"""When a gaming day begins where nobody says otherwise."""

DayBegins = Annotated[
    str,
    typer.Option(
        "--day-begins",
        metavar="HH:MM",
        envvar="HANDLEDGER_DAY_BEGINS",
        help="When a gaming day begins on the room's clock: what is dealt at 02:00 belongs to the "
        "evening before. For rooms whose zone is known; elsewhere a day begins at midnight.",
    ),
]


class _Bound(NamedTuple):
    at: Millis
    how: str  # "moment": with a zone; "wall": as the room's clock shows; "day": of the gaming day


class Span(NamedTuple):
    """From when to when hands began; None = no bound. `day`: when a gaming day begins, in milliseconds."""

    since: _Bound | None = None
    until: _Bound | None = None
    day: Millis = 0

    @property
    def coarse(self) -> tuple[Millis | None, Millis | None]:
        """Bounds in UTC outside of which no hand fits, wherever its room is."""
        since = None if self.since is None else self.since.at - _FAR
        return since, None if self.until is None else self.until.at + self.day + _FAR

    def fits(self, started: Millis | None, shows: Local | None) -> bool:
        """Whether a hand began within the span, by the clock that its room shows."""
        return (self.since is None or self._reached(self.since, started, shows) is True) and (
            self.until is None or self._reached(self.until, started, shows) is False
        )

    def _reached(self, bound: _Bound, started: Millis | None, shows: Local | None) -> bool | None:
        if bound.how == "moment":
            return None if started is None else started >= bound.at
        if shows is None:
            return None
        late = self.day if bound.how == "day" and shows.zone not in ("", "UTC") else 0
        return shows.wall >= bound.at + late

    def sifted(self, ledger: Ledger, rows: Iterator[HandRow]) -> Iterator[HandRow]:
        """Yield the hands that fit."""
        if self.since is None and self.until is None:
            yield from rows
            return
        for row in rows:
            if self._within(row.started) or self.fits(row.started, clock_of(ledger, row)):
                yield row

    def _within(self, started: Millis | None) -> bool:
        """Whether a hand fits wherever its room is, so that it need not be read."""
        return (
            started is not None
            and (self.since is None or started >= self.since.at + self.day + _FAR)
            and (self.until is None or started < self.until.at - _FAR)
        )


def span(since: str | None, until: str | None, begins: str) -> Span:
    """Read what was asked for: days and times of the room's clock, or moments with a zone."""
    return Span(_bound(since, "--since"), _bound(until, "--until", end=True), _begins(begins))


def _bound(told: str | None, option: str, *, end: bool = False) -> _Bound | None:
    if told is None:
        return None
    at = iso(told)
    if at is None:
        raise UsageError(f"{option}: {told!r} is no day and no time", "Say 2026-01-02, or 2026-01-02T20:00Z.")
    if len(told) == len("2026-01-02"):
        return _Bound(at + _DAY if end else at, "day")
    zoned = datetime.fromisoformat(told).tzinfo is not None
    return _Bound(at, "moment" if zoned else "wall")


def _begins(told: str) -> Millis:
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


def clock_of(ledger: Ledger, row: HandRow) -> Local | None:
    """Return what the room's clock showed when a hand began."""
    from ledger.hand.opening import HandOpened

    commit = ledger.stream(row.stream)[0]
    opened = ledger.mapper.decode(commit.kind, commit.data)[0]
    return local(row.started, opened.written if isinstance(opened, HandOpened) else "")


def shown(ledger: Ledger, row: HandRow) -> tuple[str, str]:
    """Return date and time of a hand on its room's clock, and the zone, as documents have them."""
    shows = clock_of(ledger, row)
    return ("", "") if shows is None else (wall(shows.wall), shows.zone)


def wall(millis: Millis) -> str:
    """Return date and time of day as `2026-01-02T20:00:00`; "" where no calendar reaches."""
    if not -62_135_596_800_000 < millis < 253_402_300_800_000:  # years 1 to 9999
        return ""
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def when(shown: str, zone: str) -> str:
    """Return a time for people: `2026-01-02 20:00 ET`; one without a zone is its source's own and says so."""
    if not shown:
        return "no time"
    return f"{shown[:16].replace('T', ' ') if shown[10:11] == 'T' else shown} {zone or _NO_ZONE}"
