"""When a hand began: the wall times that PokerStars writes, turned into UTC where that can be told."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from ledger.vocabulary import Millis

_EPOCH: Final = date(1970, 1, 1).toordinal()
_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI: Final = timedelta(milliseconds=1)
_HOUR: Final = 3_600_000
_DAY: Final = 24 * _HOUR
_MINUTE: Final = 60_000
_SECONDS_MOST: Final = 11
_SUMMER: Final = 4 * _HOUR
_WINTER: Final = 5 * _HOUR


_AHEAD: Final = {
    "PDT": -7 * _HOUR,
    "WEST": _HOUR,
    "CEST": 2 * _HOUR,
    "EEST": 3 * _HOUR,
    "KST": 9 * _HOUR,
    "JST": 9 * _HOUR,
}
"""Names of zones that mean one offset alone. CET, WET and PST do not: rooms write them in summer too."""
_EUROPE: Final = {"WET": "+00", "BST": "+01", "CET": "+01", "EET": "+02"}
"""Zones of rooms that name summer time when it is."""
_DAYLIGHT: Final = {"Eastern": -4, "Central": -5, "Mountain": -6, "Pacific": -7, "GMT": 1, "W. Europe": 2}
_WINDOWS: Final = {
    **{f"{name} Daylight Time": f"{hours:+03}" for name, hours in _DAYLIGHT.items()},
    **{f"{name} Standard Time": f"{hours - 1:+03}" for name, hours in _DAYLIGHT.items()},
}
"""Hours east of Greenwich, for the names that Windows gives."""
_OFFSET: Final = re.compile(r"[+-](?:0\d|1[0-4])(?::?[0-5]\d)?", re.ASCII)


def parse_start(written: str) -> Millis | None:
    """Return the moment that `written` tells: its Eastern time if there is one, or its UTC.

    >>> started("2011/06/26 23:34:01 WET [2011/06/26 18:34:01 ET]")
    1309127641000
    >>> started("2020/03/02 18:20 UTC [2020/03/02 19:20 CET]")
    1583173200000
    >>> started("2026/07/04 18:01:15 +08")
    1783159275000
    """
    at = written.find("[")
    if at < 0 and written[-3:] == " ET":
        return _eastern(written[:-3])
    if at >= 0:
        inner = written[at + 1 :].rstrip("] \t")
        if inner.endswith(" ET"):
            return _eastern(inner[:-3].rstrip())
        written = written[:at]
    bare = written.rstrip()
    if bare.endswith("(ET)"):
        return _moment(bare[:-4].replace(" - ", " ").rstrip(), eastern=True)
    if bare.endswith((" ET", " EST", " EDT")):
        return _moment(bare.rpartition(" ")[0].rstrip(), eastern=True)
    if bare.endswith((" UTC", " GMT")):
        return _moment(bare[:-4].rstrip(), eastern=False)
    text, _, zone = bare.rpartition(" ")
    ahead = _AHEAD.get(zone)
    if ahead is None and _OFFSET.fullmatch(zone):
        ahead = int(zone[:3]) * _HOUR + int(zone[0] + (zone[-2:] if len(zone) > 3 else "0")) * _MINUTE
    moment = None if ahead is None else _moment(text.rstrip(), eastern=False)
    return None if moment is None or ahead is None else moment - ahead


def parse_european(wall: str, zone: str) -> Millis | None:
    """Return the moment of a wall time in `CET`, `CEST` or `GMT+0100`, of rooms that name summer time when it is.

    >>> european("2010/08/18 19:32:32", "GMT+01:00")
    1282156352000
    """
    if zone.startswith(("GMT+", "GMT-")):
        digits = zone[4:].replace(":", "")
        zone = zone[3] + digits.zfill(2).ljust(4, "0")
    return parse_start(f"{wall} {_EUROPE.get(zone, zone)}")


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def number_month(words: list[str]) -> list[str]:
    """Return a moment whose month is named with its day as a number; any other as it is.

    >>> numbered("Thursday May 12 17:41:57 EDT 2016".split())
    ['2016/05/12', '17:41:57', 'EDT']
    """
    at = 1 if words[1:2] and words[1][:3].lower() in _MONTHS else 0
    if len(words) < at + 3 or words[at][:3].lower() not in _MONTHS:
        return words
    day, year = words[at + 1], words[-1]
    if not (day.isdigit() and len(day) < 3 and year.isdigit() and len(year) == 4):
        return words
    return [f"{year}/{_MONTHS.index(words[at][:3].lower()) + 1:02}/{day:0>2}", *words[at + 2 : -1]]


def parse_any_order(written: str, *, summer_named: bool = False) -> Millis | None:
    """Return the moment of a day, a clock and a zone, in any order; `summer_named`: of a room that names summer time when it is.

    >>> in_any_order("UTC 21:59:56 2026/06/05")
    1780696796000
    """
    at = written.find(":")
    minute, second = _TWO.get(written[at + 1 : at + 3]), _TWO.get(written[at + 4 : at + 6])
    if minute is None or second is None or written[at + 3 : at + 4] != ":" or "[" in written:
        return _in_any_order(written, summer_named)
    hour = _in_any_order(f"{written[:at]}:00:00{written[at + 6 :]}", summer_named)  # of which many hands are read
    return None if hour is None else hour + minute * _MINUTE + second * 1000


@lru_cache(maxsize=4096)
def _in_any_order(written: str, summer_named: bool) -> Millis | None:
    """Return the moment of a day, a clock and a zone.

    >>> _in_any_order("2012/04/11 01:59:39 GMT Daylight Time", False), _in_any_order("01:59:39 ET - 2012/04/11", False)
    (1334105979000, 1334123979000)
    >>> _in_any_order("2012-05-31 02:03:38 GMT+01:00", True), _in_any_order("2012-05-31 02:03:38", False)
    (1338426218000, None)
    """
    day = clock = ""
    zone: list[str] = []
    words = written.partition("[")[0].split()
    for word in words if written[:1].isdigit() else number_month(words):
        if not day and word[:4].isdigit() and word[4:5] in ("/", "-"):
            day = word.replace("-", "/")
        elif not clock and word[:1].isdigit() and ":" in word:
            clock = word.partition(".")[0]
        elif word != "-":
            zone.append(word)
    name = " ".join(zone).strip("()")
    wall = f"{day} {clock}"
    return parse_european(wall, name) if summer_named else parse_start(f"{wall} {_WINDOWS.get(name, name)}")


def parse_iso(written: str) -> Millis | None:
    """Return the moment of `2026-01-15T20:04:05.123Z`; without a zone it counts as UTC.

    >>> iso("2026-01-15T20:04:05Z")
    1768507445000
    """
    if not written.isascii() or not 10 <= len(written) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    since = moment - _START
    return since // _MILLI


def parse_seconds(written: str) -> Millis | None:
    """Return the moment of a number of seconds since 1970, None where it is none.

    >>> seconds("1509363236"), seconds("2017-10-30")
    (1509363236000, None)
    """
    known = written.isascii() and written.isdecimal() and len(written) < _SECONDS_MOST
    return int(written) * 1000 if known else None


@lru_cache(maxsize=90_000)
def parse_clock(written: str) -> Millis | None:
    """Return the time since midnight of `14:09:13`.

    >>> clock("00:01:01")
    61000
    """
    seconds = _seconds(written) if len(written) == 8 else None
    return None if seconds is None else seconds * 1000


def parse_duration(written: object) -> Millis | None:
    """Return the time that `PT1M12.5000000S` (ISO 8601, without years and months) takes.

    >>> lasted("PT1M12.5S")
    72500
    """
    if not isinstance(written, str) or not written.isascii() or len(written) > 60:
        return None
    found = _LASTED.fullmatch(written)
    if not found or not any(found.groups()):
        return None
    days, hours, minutes, seconds, fraction = (part or "0" for part in found.groups())
    whole = int(days) * 86_400 + int(hours) * 3_600 + int(minutes) * 60 + int(seconds)
    return whole * 1000 + int(fraction[:3].ljust(3, "0"))


def _eastern(text: str) -> Millis | None:
    """Return the moment of `2011/06/26 18:34:01` in New York, where many hands of one hour are read."""
    minute, second = _TWO.get(text[-5:-3]), _TWO.get(text[-2:])
    if minute is None or second is None or not text[-6:-5] == ":" == text[-3:-2]:
        return _moment(text, eastern=True)
    hour = _hour(text[:-6])
    return None if hour is None else hour + minute * _MINUTE + second * 1000


@lru_cache(maxsize=4096)
def _hour(text: str) -> Millis | None:
    return _moment(text + ":00:00", eastern=True)


def _moment(text: str, *, eastern: bool) -> Millis | None:
    day, _, clock = text.partition(" ")
    seconds = _seconds(clock)
    found = _day(day)
    if seconds is None or found is None:
        return None
    midnight, spring, autumn = found
    moment = midnight + seconds * 1000
    if not eastern:
        return moment
    # The hour that autumn shows twice counts as summer time: nothing in the text tells them apart.
    return moment + (_SUMMER if spring <= moment < autumn else _WINTER)


_LASTED: Final = re.compile(
    r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.(\d{1,9}))?S)?)?", re.ASCII
)

_TWO: Final = {f"{number:02}": number for number in range(60)}
"""Two digits of a clock → their number."""


def _seconds(clock: str) -> int | None:
    full = "0" + clock if len(clock) == 7 else clock
    if len(full) == 8 and full[2] == ":" == full[5]:
        hour, minute, second = _TWO.get(full[:2]), _TWO.get(full[3:5]), _TWO.get(full[6:])
        if hour is not None and hour < 24 and minute is not None and second is not None:
            return hour * 3600 + minute * 60 + second
    parts = clock.split(":")
    if len(parts) == 2:
        parts.append("0")
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) <= 2 for p in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    return hours * 3600 + minutes * 60 + seconds


@lru_cache(maxsize=4096)
def _day(day: str) -> tuple[Millis, Millis, Millis] | None:
    """Return a day's midnight as if it were UTC, and its year's summer time in New York."""
    parts = day.split("/")
    if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) <= 4 for p in parts):
        return None
    try:
        midnight = (date(*map(int, parts)).toordinal() - _EPOCH) * _DAY
    except ValueError:
        return None
    return midnight, *_summer(int(parts[0]))


@lru_cache(maxsize=256)
def _summer(year: int) -> tuple[Millis, Millis]:
    """Return when summer time begins and ends in New York, as wall time read as if it were UTC."""
    if year >= 2007:
        spring, autumn = _sunday(year, 3, 8), _sunday(year, 11, 1)
    else:
        spring, autumn = _sunday(year, 4, 1), _sunday(year, 10, 25)
    return (spring - _EPOCH) * _DAY + 2 * _HOUR, (autumn - _EPOCH) * _DAY + 2 * _HOUR


def _sunday(year: int, month: int, day: int) -> int:
    """Return the first Sunday on or after that day, as an ordinal."""
    first = date(year, month, day)
    return first.toordinal() + (6 - first.weekday()) % 7
