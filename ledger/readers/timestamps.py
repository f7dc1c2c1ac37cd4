"""Convert the wall times in hand histories to UTC, if they have a time zone."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from ledger.vocabulary import Millis

_EPOCH_ORDINAL: Final = date(1970, 1, 1).toordinal()
_UNIX_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI: Final = timedelta(milliseconds=1)
_HOUR: Final = 3_600_000
_DAY: Final = 24 * _HOUR
_MINUTE: Final = 60_000
_MAX_SECONDS_DIGITS: Final = 11
_SUMMER: Final = 4 * _HOUR
_WINTER: Final = 5 * _HOUR


_UTC_OFFSETS: Final = {
    "PDT": -7 * _HOUR,
    "WEST": _HOUR,
    "CEST": 2 * _HOUR,
    "EEST": 3 * _HOUR,
    "KST": 9 * _HOUR,
    "JST": 9 * _HOUR,
}
"""Zone names with a single offset. CET, WET and PST are missing because rooms write them in summer too."""
_EUROPE: Final = {"WET": "+00", "BST": "+01", "CET": "+01", "EET": "+02"}
"""Zones of rooms that have separate names for summer time."""
_DAYLIGHT: Final = {"Eastern": -4, "Central": -5, "Mountain": -6, "Pacific": -7, "GMT": 1, "W. Europe": 2}
_WINDOWS: Final = {
    **{f"{name} Daylight Time": f"{hours:+03}" for name, hours in _DAYLIGHT.items()},
    **{f"{name} Standard Time": f"{hours - 1:+03}" for name, hours in _DAYLIGHT.items()},
}
"""A time zone's name in Windows → its hours east of Greenwich."""
_OFFSET: Final = re.compile(r"[+-](?:0\d|1[0-4])(?::?[0-5]\d)?", re.ASCII)


def parse_start(moment_text: str) -> Millis | None:
    """Return the moment of a written time, from its Eastern time if there is one, otherwise from UTC or an offset.

    >>> parse_start("2011/06/26 23:34:01 WET [2011/06/26 18:34:01 ET]")
    1309127641000
    >>> parse_start("2020/03/02 18:20 UTC [2020/03/02 19:20 CET]")
    1583173200000
    >>> parse_start("2026/07/04 18:01:15 +08")
    1783159275000
    """
    bracket = moment_text.find("[")
    if bracket < 0 and moment_text[-3:] == " ET":
        return _parse_eastern(moment_text[:-3])
    if bracket >= 0:
        inner = moment_text[bracket + 1 :].rstrip("] \t")
        if inner.endswith(" ET"):
            return _parse_eastern(inner[:-3].rstrip())
        moment_text = moment_text[:bracket]
    stripped_text = moment_text.rstrip()
    if stripped_text.endswith("(ET)"):
        return _parse_wall_time(stripped_text[:-4].replace(" - ", " ").rstrip(), eastern=True)
    if stripped_text.endswith((" ET", " EST", " EDT")):
        return _parse_wall_time(stripped_text.rpartition(" ")[0].rstrip(), eastern=True)
    if stripped_text.endswith((" UTC", " GMT")):
        return _parse_wall_time(stripped_text[:-4].rstrip(), eastern=False)
    wall_text, _, zone = stripped_text.rpartition(" ")
    utc_offset = _UTC_OFFSETS.get(zone)
    if utc_offset is None and _OFFSET.fullmatch(zone):
        utc_offset = int(zone[:3]) * _HOUR + int(zone[0] + (zone[-2:] if len(zone) > 3 else "0")) * _MINUTE
    moment = None if utc_offset is None else _parse_wall_time(wall_text.rstrip(), eastern=False)
    return None if moment is None or utc_offset is None else moment - utc_offset


def parse_european(wall: str, zone: str) -> Millis | None:
    """Return the moment of a wall time in `CET`, `CEST` or `GMT+0100`, in rooms with separate names for summer time.

    >>> parse_european("2010/08/18 19:32:32", "GMT+01:00")
    1282156352000
    """
    if zone.startswith(("GMT+", "GMT-")):
        digits = zone[4:].replace(":", "")
        zone = zone[3] + digits.zfill(2).ljust(4, "0")
    return parse_start(f"{wall} {_EUROPE.get(zone, zone)}")


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def convert_month_name(words: list[str]) -> list[str]:
    """Replace a month's name and its day by a numeric date; return other words unchanged.

    >>> convert_month_name("Thursday May 12 17:41:57 EDT 2016".split())
    ['2016/05/12', '17:41:57', 'EDT']
    """
    month_index = 1 if words[1:2] and words[1][:3].lower() in _MONTHS else 0
    if len(words) < month_index + 3 or words[month_index][:3].lower() not in _MONTHS:
        return words
    day, year = words[month_index + 1], words[-1]
    if not (day.isdigit() and len(day) < 3 and year.isdigit() and len(year) == 4):
        return words
    return [f"{year}/{_MONTHS.index(words[month_index][:3].lower()) + 1:02}/{day:0>2}", *words[month_index + 2 : -1]]


def parse_any_order(moment_text: str, *, summer_named: bool = False) -> Millis | None:
    """Return the moment of a day, a clock and a zone in any order.

    `summer_named`: the room has separate names for summer time.

    >>> parse_any_order("UTC 21:59:56 2026/06/05")
    1780696796000
    """
    colon = moment_text.find(":")
    minute, second = (
        _TWO_DIGITS.get(moment_text[colon + 1 : colon + 3]),
        _TWO_DIGITS.get(moment_text[colon + 4 : colon + 6]),
    )
    if minute is None or second is None or moment_text[colon + 3 : colon + 4] != ":" or "[" in moment_text:
        return _parse_any_order_cached(moment_text, summer_named)
    hour = _parse_any_order_cached(
        f"{moment_text[:colon]}:00:00{moment_text[colon + 6 :]}", summer_named
    )  # cached, because many hands begin in the same hour
    return None if hour is None else hour + minute * _MINUTE + second * 1000


@lru_cache(maxsize=4096)
def _parse_any_order_cached(moment_text: str, summer_named: bool) -> Millis | None:
    """Return the moment of a day, a clock and a zone.

    >>> _parse_any_order_cached("2012/04/11 01:59:39 GMT Daylight Time", False), _parse_any_order_cached("01:59:39 ET - 2012/04/11", False)
    (1334105979000, 1334123979000)
    >>> _parse_any_order_cached("2012-05-31 02:03:38 GMT+01:00", True), _parse_any_order_cached("2012-05-31 02:03:38", False)
    (1338426218000, None)
    """
    day = clock = ""
    zone: list[str] = []
    words = moment_text.partition("[")[0].split()
    for word in words if moment_text[:1].isdigit() else convert_month_name(words):
        if not day and word[:4].isdigit() and word[4:5] in ("/", "-"):
            day = word.replace("-", "/")
        elif not clock and word[:1].isdigit() and ":" in word:
            clock = word.partition(".")[0]
        elif word != "-":
            zone.append(word)
    name = " ".join(zone).strip("()")
    wall = f"{day} {clock}"
    return parse_european(wall, name) if summer_named else parse_start(f"{wall} {_WINDOWS.get(name, name)}")


def parse_iso(moment_text: str) -> Millis | None:
    """Return the moment of `2026-01-15T20:04:05.123Z`; without a zone it counts as UTC.

    >>> parse_iso("2026-01-15T20:04:05Z")
    1768507445000
    """
    if not moment_text.isascii() or not 10 <= len(moment_text) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(moment_text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    elapsed = moment - _UNIX_EPOCH
    return elapsed // _MILLI


def parse_seconds(seconds_text: str) -> Millis | None:
    """Return the moment of a number of seconds since 1970, or None if the text isn't one.

    >>> parse_seconds("1509363236"), parse_seconds("2017-10-30")
    (1509363236000, None)
    """
    is_number = seconds_text.isascii() and seconds_text.isdecimal() and len(seconds_text) < _MAX_SECONDS_DIGITS
    return int(seconds_text) * 1000 if is_number else None


@lru_cache(maxsize=90_000)
def parse_clock(clock_text: str) -> Millis | None:
    """Return the time since midnight of `14:09:13`.

    >>> parse_clock("00:01:01")
    61000
    """
    seconds = _parse_clock_seconds(clock_text) if len(clock_text) == 8 else None
    return None if seconds is None else seconds * 1000


def parse_duration(duration_text: object) -> Millis | None:
    """Parse a duration such as `PT1M12.5000000S` (ISO 8601, without years and months).

    >>> parse_duration("PT1M12.5S")
    72500
    """
    if not isinstance(duration_text, str) or not duration_text.isascii() or len(duration_text) > 60:
        return None
    match = _DURATION.fullmatch(duration_text)
    if not match or not any(match.groups()):
        return None
    days, hours, minutes, seconds, fraction = (part or "0" for part in match.groups())
    whole_seconds = int(days) * 86_400 + int(hours) * 3_600 + int(minutes) * 60 + int(seconds)
    return whole_seconds * 1000 + int(fraction[:3].ljust(3, "0"))


def _parse_eastern(text: str) -> Millis | None:
    """Return the moment of `2011/06/26 18:34:01` in New York. The hour is cached, because many hands share it."""
    minute, second = _TWO_DIGITS.get(text[-5:-3]), _TWO_DIGITS.get(text[-2:])
    if minute is None or second is None or not text[-6:-5] == ":" == text[-3:-2]:
        return _parse_wall_time(text, eastern=True)
    hour = _parse_eastern_hour(text[:-6])
    return None if hour is None else hour + minute * _MINUTE + second * 1000


@lru_cache(maxsize=4096)
def _parse_eastern_hour(text: str) -> Millis | None:
    return _parse_wall_time(text + ":00:00", eastern=True)


def _parse_wall_time(text: str, *, eastern: bool) -> Millis | None:
    day, _, clock = text.partition(" ")
    seconds = _parse_clock_seconds(clock)
    day_bounds = _parse_day(day)
    if seconds is None or day_bounds is None:
        return None
    midnight, spring, autumn = day_bounds
    moment = midnight + seconds * 1000
    if not eastern:
        return moment
    # The repeated hour in autumn counts as summer time: the text doesn't distinguish the two.
    return moment + (_SUMMER if spring <= moment < autumn else _WINTER)


_DURATION: Final = re.compile(
    r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.(\d{1,9}))?S)?)?", re.ASCII
)

_TWO_DIGITS: Final = {f"{number:02}": number for number in range(60)}
"""Two digits of a clock → the number."""


def _parse_clock_seconds(clock: str) -> int | None:
    full = "0" + clock if len(clock) == 7 else clock
    if len(full) == 8 and full[2] == ":" == full[5]:
        hour, minute, second = _TWO_DIGITS.get(full[:2]), _TWO_DIGITS.get(full[3:5]), _TWO_DIGITS.get(full[6:])
        if hour is not None and hour < 24 and minute is not None and second is not None:
            return hour * 3600 + minute * 60 + second
    return _parse_rare_clock_seconds(clock)


def _parse_rare_clock_seconds(clock: str) -> int | None:
    """Parse a time without seconds, with single digits or with a leap second; return None for other text."""
    parts = clock.split(":")
    if len(parts) == 2:
        parts.append("0")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    return hours * 3600 + minutes * 60 + seconds


@lru_cache(maxsize=4096)
def _parse_day(day: str) -> tuple[Millis, Millis, Millis] | None:
    """Return a day's midnight as if it were UTC, and the bounds of summer time in New York in its year."""
    parts = day.split("/")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        return None
    try:
        midnight = (date(*map(int, parts)).toordinal() - _EPOCH_ORDINAL) * _DAY
    except ValueError:
        return None
    return midnight, *_find_summer_time(int(parts[0]))


@lru_cache(maxsize=256)
def _find_summer_time(year: int) -> tuple[Millis, Millis]:
    """Return when summer time begins and ends in New York: wall times as if they were UTC."""
    if year >= 2007:
        spring, autumn = _find_sunday(year, 3, 8), _find_sunday(year, 11, 1)
    else:
        spring, autumn = _find_sunday(year, 4, 1), _find_sunday(year, 10, 25)
    return (spring - _EPOCH_ORDINAL) * _DAY + 2 * _HOUR, (autumn - _EPOCH_ORDINAL) * _DAY + 2 * _HOUR


def _find_sunday(year: int, month: int, day: int) -> int:
    """Return the first Sunday on or after that day, as an ordinal."""
    first = date(year, month, day)
    return first.toordinal() + (6 - first.weekday()) % 7
