"""What clock a hand's source shows: the local time of its room and the zone, from what it wrote.

`HandOpened.started` is a moment; `HandOpened.written` is date, time and zone as the source has them.
What the zone was is seen from the two together, so that no table of zones is needed.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.vocabulary import Millis

_NO_ZONE: Final = "(no zone)"
_EPOCH: Final = date(1970, 1, 1).toordinal()
_MINUTE: Final = 60_000
_QUARTER: Final = 15 * _MINUTE  # every zone is ahead or behind by quarters of an hour
_DAY: Final = 24 * 60 * _MINUTE
_FARTHEST: Final = 15 * 60 * _MINUTE

_TIME: Final = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?:\.\d+)?(?![\d:])", re.ASCII)
_YEAR_FIRST: Final = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", re.ASCII)
_YEAR_LAST: Final = re.compile(r"(?<!\d)(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})(?!\d)", re.ASCII)
_NAMED: Final = re.compile(
    r"(?:(?<!\d)(\d{1,2})[ -])?\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b(?:[ -](\d{1,2})\b(?!:))?",
    re.ASCII | re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<![\d:.])(?:19|20)\d\d(?![\d:])", re.ASCII)
_PACKED: Final = re.compile(r"(?:19|20)\d{12}", re.ASCII)
_MONTHS: Final = {
    name: at
    for at, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}
_ZONE: Final = re.compile(
    r"(?:GMT|UTC)?([+-]\d{1,2}(?::?\d\d)?)\b|\b([A-Z][A-Z]{1,4}|[A-Z][a-z]+/[A-Z][A-Za-z_]+)\b|(?<=\d)Z\b", re.ASCII
)


def format_moment(at: Millis | None) -> str:
    """Return a moment in ISO 8601, UTC; "" where it is not told, or in no year that a calendar writes."""
    if at is None or not -62_135_596_800_000 <= at < 253_402_300_800_000:  # years 1 to 9999
        return ""
    told = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    return told.isoformat(timespec="milliseconds" if at % 1000 else "seconds").replace("+00:00", "Z")


class LocalTime(NamedTuple):
    """A time of day where the hand was played. `zone` "" = its source does not say which clock it is."""

    wall: Millis  # what the clock shows, as if it were UTC
    zone: str


def local_time(started: Millis | None, written: str) -> LocalTime | None:
    """Return the room's own time of a hand; None where its source tells no time at all.

    >>> local(1309127641000, "2011/06/26 23:34:01 WET [2011/06/26 18:34:01 ET]")
    Local(wall=1309113241000, zone='ET')
    >>> local(1763696366000, "2025-11-20T22:39:26-05:00")
    Local(wall=1763678366000, zone='-05:00')
    >>> local(None, "2014-03-22 21:37:05")
    Local(wall=1395524225000, zone='')
    """
    outer, bracket, inner = written.partition("[")
    texts = (inner, outer) if bracket and " ET" in inner else (outer,)
    for text in texts:
        wall = parse_wall_time(text)
        if wall is None:
            continue
        if started is None:
            return LocalTime(wall, _zone(text, None))
        ahead = wall - started
        if abs(ahead) <= _FARTHEST and ahead % _QUARTER == 0:
            return LocalTime(wall, _zone(text, ahead))
    return None if started is None else LocalTime(started, "UTC")


@lru_cache(maxsize=1024)
def _day(year: int, month: int, day: int) -> Millis | None:
    try:
        return (date(year, month, day).toordinal() - _EPOCH) * _DAY
    except ValueError:
        return None


def parse_wall_time(written: str) -> Millis | None:
    """Return the date and time that a text shows, as if its clock were UTC; None if it shows none.

    A date whose day and month cannot be told apart is none.

    >>> shown("10/04/2011 20:38:51") is None, shown("26.2.2013 19:05") == shown("2013-02-26T19:05:00")
    (True, True)
    """
    if len(written) == 14 and _PACKED.fullmatch(written):
        clock = f"{written[8:10]}:{written[10:12]}:{written[12:]}"
        written = f"{written[:4]}-{written[4:6]}-{written[6:8]} {clock}"
    time = _TIME.search(written.replace("T", " ", 1) if written[10:11] == "T" else written)
    if time is None:
        return None
    hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
    midnight = _date(written)
    if midnight is None or hour > 23 or minute > 59 or second > 60:
        return None
    return midnight + ((hour * 60 + minute) * 60 + second) * 1000


def _date(written: str) -> Millis | None:
    if found := _YEAR_FIRST.search(written.replace("T", " ", 1) if written[10:11] == "T" else written):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if found := _YEAR_LAST.search(written):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        if first == second or second > 12:
            return _day(year, first, second)
        return _day(year, second, first) if first > 12 or found[2] in " ." else None
    year_found, named = _YEAR.search(written), _NAMED.search(written)
    if year_found and named and (named[1] or named[3]):
        return _day(int(year_found[0]), _MONTHS[named[2].lower()[:3]], int(named[1] or named[3]))
    return None


def _zone(text: str, ahead: Millis | None) -> str:
    """Return what a zone is called where the source names it in short, else how far it is ahead of UTC."""
    for found in _ZONE.finditer(_NAMED.sub(" ", _YEAR_LAST.sub(" ", _YEAR_FIRST.sub(" ", text)))):
        if found[2] and found[2] not in ("AM", "PM"):
            return "UTC" if found[2] == "GMT" else found[2]
        if found[1] or found[0] == "Z":
            break
    if ahead is None:
        return ""
    if not ahead:
        return "UTC"
    minutes = abs(ahead) // _MINUTE
    return f"{'-' if ahead < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def format_wall_time(millis: Millis) -> str:
    """Return date and time of day as `2026-01-02T20:00:00`; "" where no calendar reaches."""
    if not -62_135_596_800_000 < millis < 253_402_300_800_000:  # years 1 to 9999
        return ""
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def format_minute(millis: Millis) -> str:
    """Return a time in UTC, to the minute."""
    return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%MZ")


def describe_local_time(shown: str, zone: str) -> str:
    """Return a time for people: `2026-01-02 20:00 ET`; one without a zone is its source's own and says so."""
    if not shown:
        return "no time"
    return f"{shown[:16].replace('T', ' ') if shown[10:11] == 'T' else shown} {zone or _NO_ZONE}"
