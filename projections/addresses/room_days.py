"""Times typed by users: moments, days, gaming days and spans, by the clock of the room where a hand was played."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.clocks import LocalTime, find_local_time, format_wall_time
from ledger.errors import UsageError
from ledger.readers.timestamps import parse_iso
from ledger.text.language import phrase
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.store import HandRow, Ledger, TableRow

DAY_MILLIS: Final = 24 * 60 * 60 * 1000
MAX_UTC_OFFSET: Final = 15 * 60 * 60 * 1000  # no zone is farther from UTC
DEFAULT_DAY_START: Final = "06:00"
"""When a gaming day begins, unless the user says otherwise."""
_OTHER_DATE: Final = re.compile(r"([0-9]{1,4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,4})")
_EXAMPLE_DATE: Final = "2026-01-02"
_TIME_OF_DAY: Final = re.compile(r"(?=.{1,5}\Z)([0-9]+):([0-9]+)")


class Bound(NamedTuple):
    """One end of a span of time."""

    millis: Millis  # since 1970, on the clock that `clock` names
    clock: str  # "moment": UTC, typed with a zone; "wall": the room's clock; "day": a gaming day on the room's clock


class TimeSpan(NamedTuple):
    """A span of time in which hands began."""

    start: Bound | None = None  # None = no bound
    end: Bound | None = None  # excluded; None = no bound
    day: Millis = 0  # when a gaming day begins, in ms after midnight

    @property
    def utc_bounds(self) -> tuple[Millis | None, Millis | None]:
        """The widest bounds in UTC: a hand outside them isn't in the span, wherever its room is."""
        earliest = None if self.start is None else self.start.millis - MAX_UTC_OFFSET
        return earliest, None if self.end is None else self.end.millis + self.day + MAX_UTC_OFFSET

    def includes(self, started: Millis | None, local_start: LocalTime | None) -> bool:
        """Whether a hand began in the span. False if the clock that a bound needs is unknown."""
        if self.start is not None and self._begins_after(self.start, started, local_start) is not True:
            return False
        return self.end is None or self._begins_after(self.end, started, local_start) is False

    def _begins_after(self, bound: Bound, started: Millis | None, local_start: LocalTime | None) -> bool | None:
        """Whether a hand began at or after a bound, or None if that's unknown."""
        if bound.clock == "moment":
            return None if started is None else started >= bound.millis
        if local_start is None:
            return None
        day_offset = self.day if bound.clock == "day" and local_start.zone not in ("", "UTC") else 0
        return local_start.wall >= bound.millis + day_offset

    def surely_includes(self, started: Millis | None) -> bool:
        """Whether a hand began in the span wherever its room is, so that its own record needn't be read."""
        return (
            started is not None
            and (self.start is None or started >= self.start.millis + self.day + MAX_UTC_OFFSET)
            and (self.end is None or started < self.end.millis - MAX_UTC_OFFSET)
        )


def parse_span(since_text: str | None, until_text: str | None, day_begins_text: str) -> TimeSpan:
    """Parse the options --since, --until and --day-begins."""
    return TimeSpan(
        parse_bound(since_text, "--since"),
        parse_bound(until_text, "--until", is_end=True),
        parse_day_start(day_begins_text),
    )


def suggest_date(typed_text: str) -> str:
    """Return a typed date with the year first, if it can be read in one way only; else an example.

    >>> suggest_date("11/21/2026"), suggest_date("21.11.2026"), suggest_date("2026/1/2"), suggest_date("1/2/2025")
    ('2026-11-21', '2026-11-21', '2026-01-02', '2026-01-02')
    """
    numbers = _OTHER_DATE.fullmatch(typed_text)
    if numbers is None:
        return _EXAMPLE_DATE
    first, second, third = map(int, numbers.groups())
    candidates = [(first, second, third)] if len(numbers[1]) == 4 else [(third, first, second), (third, second, first)]
    dates = set()
    for year, month, day in candidates:
        with suppress(ValueError):
            dates.add(date(year, month, day).isoformat())
    return dates.pop() if len(dates) == 1 else _EXAMPLE_DATE


def _unreadable_date_error(typed_text: str, option: str) -> UsageError:
    """Return the error for a text that isn't a date or time, with a date to type instead."""
    example = suggest_date(typed_text)
    return UsageError(
        phrase("{option}: I can't read {text} as a date or time", option=option, text=repr(typed_text)),
        phrase("Write the year first: {example} or {example}T20:00Z.", example=example),
    )


def parse_bound(typed_text: str | None, option: str, *, is_end: bool = False) -> Bound | None:
    """Parse a gaming day, a time on the room's clock, or a moment with a time zone. `is_end`: take the end of a day."""
    if typed_text is None:
        return None
    parsed_time = parse_iso(typed_text)
    if parsed_time is None:
        raise _unreadable_date_error(typed_text, option)
    if len(typed_text) == len("2026-01-02"):
        return Bound(parsed_time + DAY_MILLIS if is_end else parsed_time, "day")
    has_zone = datetime.fromisoformat(typed_text).tzinfo is not None
    return Bound(parsed_time, "moment" if has_zone else "wall")


def parse_day_start(typed_text: str) -> Millis:
    """Return when a gaming day begins, in milliseconds after midnight, for a text like `06:00`."""
    time_match = _TIME_OF_DAY.fullmatch(typed_text)
    if time_match is not None:
        hours, minutes = int(time_match[1]), int(time_match[2])
        if hours < 24 and minutes < 60:
            return (hours * 60 + minutes) * 60_000
    raise UsageError(phrase("--day-begins: {text} isn't a time of day", text=repr(typed_text)), phrase("Say 06:00."))


def select_in_span(ledger: Ledger, time_span: TimeSpan, hand_rows: Iterator[HandRow]) -> Iterator[HandRow]:
    """Yield the hands that began in a span."""
    if time_span.start is None and time_span.end is None:
        yield from hand_rows
        return
    for hand_row in hand_rows:
        if time_span.surely_includes(hand_row.started) or time_span.includes(
            hand_row.started, find_local_start(ledger, hand_row)
        ):
            yield hand_row


def find_local_start(ledger: Ledger, hand_row: HandRow) -> LocalTime | None:
    """Return when a hand began on its room's clock, or None if it isn't recorded."""
    from ledger.hand.opening import HandOpened  # noqa: PLC0415 - few hands need it

    first_commit = ledger.stream(hand_row.stream)[0]
    hand_opened = ledger.mapper.decode(first_commit.kind, first_commit.data)[0]
    return find_local_time(hand_row.started, hand_opened.written if isinstance(hand_opened, HandOpened) else "")


def format_local_start(ledger: Ledger, hand_row: HandRow) -> tuple[str, str]:
    """Return when a hand began on its room's clock, and the zone, as text; two empty strings if unknown."""
    local_start = find_local_start(ledger, hand_row)
    return ("", "") if local_start is None else (format_wall_time(local_start.wall), local_start.zone)


class RoomClock:
    """Converts UTC to the clock of a table's room. The offset comes from each hand, since summer time may begin."""

    def __init__(self, ledger: Ledger, table_row: TableRow) -> None:
        """Create the clock of a table. It reads offsets when they're needed."""
        self._ledger = ledger
        self._table = table_row
        self._offsets: dict[str, tuple[Millis, str] | None] = {}
        self._last_offset: tuple[Millis, str] | None = None  # for hands that don't show the clock themselves

    def format_time(self, utc_time: Millis | None, hand_number: str) -> tuple[str, str]:
        """Return a moment in a hand as date and time, and the zone, by the room's clock.

        If the hand doesn't show the room's clock, use the offset of the last hand that did, else of any hand, else UTC.
        """
        if utc_time is None:
            return "", ""
        utc_offset, zone_name = (
            self._find_offset(hand_number) or self._last_offset or self._find_any_offset() or (0, "UTC")
        )
        return format_wall_time(utc_time + utc_offset), zone_name

    def _find_offset(self, hand_number: str) -> tuple[Millis, str] | None:
        """Return how many milliseconds the clock was ahead of UTC during a hand, and its zone, or None if unknown."""
        if hand_number and hand_number not in self._offsets:
            self._offsets[hand_number] = self._read_offset(hand_number)
        clock_offset = self._offsets.get(hand_number)
        self._last_offset = clock_offset or self._last_offset
        return clock_offset

    def _find_any_offset(self) -> tuple[Millis, str] | None:
        self._last_offset = self._read_offset(None)
        return self._last_offset

    def _read_offset(self, hand_number: str | None) -> tuple[Millis, str] | None:
        table_row = self._table
        for hand_row in self._ledger.hands(
            venue=table_row.venue, tournament=table_row.tournament, table=table_row.table, number=hand_number, limit=1
        ):
            local_start = find_local_start(self._ledger, hand_row)
            if local_start is not None and hand_row.started is not None:
                return local_start.wall - hand_row.started, local_start.zone
        return None


def require_zone(typed_text: str, option: str) -> None:
    """Raise `UsageError` for a time without a zone: it could be hours off, and nobody would notice."""
    if len(typed_text) > len("2026-01-02") and datetime.fromisoformat(typed_text).tzinfo is None:
        raise UsageError(
            phrase("{option}: {text} has no time zone", option=option, text=repr(typed_text)),
            phrase("Say {text}Z, or add the room's zone: {text}-05:00.", text=typed_text),
        )


def parse_moment(typed_text: str | None, option: str, *, is_end: bool = False) -> Millis | None:
    """Parse a day in UTC, or a time with its zone, or return None without a text. `is_end`: take the end of a day."""
    if typed_text is None:
        return None
    parsed_time = parse_iso(typed_text)
    if parsed_time is None:
        raise _unreadable_date_error(typed_text, option)
    require_zone(typed_text, option)
    return parsed_time + DAY_MILLIS if is_end and len(typed_text) == len("2026-01-02") else parsed_time
