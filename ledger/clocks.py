"""Read the clock that a source shows for a hand: local time and zone.

`HandOpened.started` is a moment in UTC. `HandOpened.written` is date, time and zone as the source has them. The
difference between the two gives the zone, so no time zone table is needed.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.vocabulary import Millis

_NO_ZONE_TEXT: Final = "(no zone)"
_EPOCH: Final = date(1970, 1, 1).toordinal()
_MINUTE: Final = 60_000
_QUARTER_HOUR: Final = 15 * _MINUTE  # offsets from UTC are multiples of it
_DAY: Final = 24 * 60 * _MINUTE
_MAX_OFFSET: Final = 15 * 60 * _MINUTE

_TIME: Final = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?(?![\d:])", re.ASCII)
_YEAR_FIRST: Final = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", re.ASCII)
_YEAR_LAST: Final = re.compile(r"(?<!\d)(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})(?!\d)", re.ASCII)
_MONTH_NAME_DATE: Final = re.compile(
    r"(?:(?<!\d)(\d{1,2})[ -])?\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b(?:[ -](\d{1,2})\b(?!:))?",
    re.ASCII | re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<![\d:.])(?:19|20)\d\d(?![\d:])", re.ASCII)
_COMPACT_TIME: Final = re.compile(r"(?:19|20)\d{12}", re.ASCII)
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_ZONE: Final = re.compile(
    r"(?:GMT|UTC)?([+-]\d{1,2}(?::?\d\d)?)\b|\b([A-Z][A-Z]{1,4}|[A-Z][a-z]+/[A-Z][A-Za-z_]+)\b|(?<=\d)Z\b", re.ASCII
)


def format_moment(millis: Millis | None) -> str:
    """Return a moment in ISO 8601, UTC. Return "" if it is None or outside the years 1 to 9999."""
    if millis is None or not -62_135_596_800_000 <= millis < 253_402_300_800_000:  # years 1 to 9999
        return ""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)
    return moment.isoformat(timespec="milliseconds" if millis % 1000 else "seconds").replace("+00:00", "Z")


class LocalTime(NamedTuple):
    """A local time where the hand was played. `zone` "" means that the source doesn't name the zone."""

    wall: Millis  # what the clock shows, as if it were UTC
    zone: str


def find_local_time(started: Millis | None, source_text: str) -> LocalTime | None:
    """Return the room's local time of a hand, or None if its source has no time.

    >>> find_local_time(1309127641000, "2011/06/26 23:34:01 WET [2011/06/26 18:34:01 ET]")
    LocalTime(wall=1309113241000, zone='ET')
    >>> find_local_time(1763696366000, "2025-11-20T22:39:26-05:00")
    LocalTime(wall=1763678366000, zone='-05:00')
    >>> find_local_time(None, "2014-03-22 21:37:05")
    LocalTime(wall=1395524225000, zone='')
    """
    outer_text, bracket, inner_text = source_text.partition("[")
    texts = (inner_text, outer_text) if bracket and " ET" in inner_text else (outer_text,)
    for text in texts:
        wall_time = parse_wall_time(text)
        if wall_time is None:
            continue
        if started is None:
            return LocalTime(wall_time, _find_zone(text, None))
        offset = wall_time - started
        if abs(offset) <= _MAX_OFFSET and offset % _QUARTER_HOUR == 0:
            return LocalTime(wall_time, _find_zone(text, offset))
    return None if started is None else LocalTime(started, "UTC")


@lru_cache(maxsize=1024)
def _midnight_of(year: int, month: int, day: int) -> Millis | None:
    try:
        return (date(year, month, day).toordinal() - _EPOCH) * _DAY
    except ValueError:
        return None


def parse_wall_time(source_text: str) -> Millis | None:
    """Return the date and time that a text shows, as if its clock were UTC; None if it shows none.

    Ignore a date if its day and month could be swapped.

    >>> parse_wall_time("10/04/2011 20:38:51") is None
    True
    >>> parse_wall_time("26.2.2013 19:05") == parse_wall_time("2013-02-26T19:05:00")
    True
    """
    if len(source_text) == 14 and _COMPACT_TIME.fullmatch(source_text):
        clock = f"{source_text[8:10]}:{source_text[10:12]}:{source_text[12:]}"
        source_text = f"{source_text[:4]}-{source_text[4:6]}-{source_text[6:8]} {clock}"
    if source_text[10:11] == "T":
        source_text = source_text.replace("T", " ", 1)
    time = _TIME.search(source_text)
    if time is None:
        return None
    hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
    midnight = _find_date(source_text)
    if midnight is None or hour > 23 or minute > 59 or second > 60:
        return None
    return midnight + ((hour * 60 + minute) * 60 + second) * 1000


def _find_date(source_text: str) -> Millis | None:
    if date_match := _YEAR_FIRST.search(source_text):
        return _midnight_of(int(date_match[1]), int(date_match[2]), int(date_match[3]))
    if date_match := _YEAR_LAST.search(source_text):
        first, second, year = int(date_match[1]), int(date_match[3]), int(date_match[4])
        if first == second or second > 12:
            return _midnight_of(year, first, second)
        return _midnight_of(year, second, first) if first > 12 or date_match[2] in " ." else None
    year_match, named_match = _YEAR.search(source_text), _MONTH_NAME_DATE.search(source_text)
    if year_match and named_match and (named_match[1] or named_match[3]):
        return _midnight_of(
            int(year_match[0]), _MONTHS[named_match[2].lower()[:3]], int(named_match[1] or named_match[3])
        )
    return None


def _find_zone(text: str, offset: Millis | None) -> str:
    """Return the zone's abbreviation if the text has one, else its offset from UTC."""
    for zone_match in _ZONE.finditer(_MONTH_NAME_DATE.sub(" ", _YEAR_LAST.sub(" ", _YEAR_FIRST.sub(" ", text)))):
        if zone_match[2] and zone_match[2] not in ("AM", "PM"):
            return "UTC" if zone_match[2] == "GMT" else zone_match[2]
        if zone_match[1] or zone_match[0] == "Z":
            break
    if offset is None:
        return ""
    if not offset:
        return "UTC"
    minutes = abs(offset) // _MINUTE
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def format_wall_time(millis: Millis) -> str:
    """Return date and time as `2026-01-02T20:00:00`, or "" outside the years 1 to 9999."""
    if not -62_135_596_800_000 < millis < 253_402_300_800_000:  # years 1 to 9999
        return ""
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def format_minute(millis: Millis) -> str:
    """Return a time in UTC, to the minute."""
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%MZ")


def describe_local_time(wall_time: str, zone: str) -> str:
    """Return a time for people: `2026-01-02 20:00 ET`, or with `(no zone)`."""
    if not wall_time:
        return "no time"
    if wall_time[10:11] == "T":
        wall_time = wall_time[:16].replace("T", " ")
    return f"{wall_time} {zone or _NO_ZONE_TEXT}"
