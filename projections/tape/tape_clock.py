"""Convert times of the ledger to places on a recording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from ledger.clocks import parse_wall_time
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import Millis
from projections.tape import tape_errors

_OFFSET: Final = re.compile(
    r"(?P<sign>[+-])(?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,4})m)?(?:(?P<seconds>\d{1,6}(?:\.\d{1,3})?)s?)?",
    re.ASCII,
)
_PLACE: Final = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d(?:\.\d{1,3})?)", re.ASCII)
_MAX_DRIFT: Final = 0.01
"""A camera's clock drifts by seconds a day. A greater drift than this means a wrong match."""


class MomentTimes(NamedTuple):
    """When something happened, by both clocks of a ledger. `None` = that clock isn't recorded."""

    moment: Millis | None  # UTC
    room: Millis | None  # as the room's clock showed it, as if it were UTC


class TapeClock(NamedTuple):
    """Converts times of the ledger to places on a recording."""

    start: float  # the ledger's time at the recording's first frame, in milliseconds
    rate: float = 1.0  # milliseconds of the recording for each of the ledger
    uses_room_clock: bool = False

    def locate(self, times: MomentTimes) -> Millis | None:
        """Return milliseconds from the recording's first frame, negative before it; None without a time."""
        moment = times.room if self.uses_room_clock else times.moment
        return None if moment is None else round((moment - self.start) * self.rate)


class MatchedMoment(NamedTuple):
    """An event of the ledger that somebody sees on the recording."""

    address: str  # T7/408@12
    place: Millis  # from the recording's first frame


def parse_clock_offset(typed_offset: str) -> Millis:
    """Parse how far a camera's clock is ahead of the ledger's; return milliseconds, negative if it's behind.

    >>> parse_clock_offset("+3.2s"), parse_clock_offset("-1m5s")
    (3200, -65000)
    """
    offset_match = _OFFSET.fullmatch(typed_offset.strip().replace(" ", ""))
    if offset_match is None or not any(offset_match.group("hours", "minutes", "seconds")):
        raise tape_errors.offset_unreadable(typed_offset)
    millis = _to_millis(offset_match)
    return -millis if offset_match["sign"] == "-" else millis


def parse_match(typed_match: str) -> MatchedMoment:
    """Parse a matched moment.

    >>> parse_match("T7/408@12=00:41:07.5")
    MatchedMoment(address='T7/408@12', place=2467500)
    """
    address, _, place_text = typed_match.rpartition("=")
    place_match = _PLACE.fullmatch(place_text.strip())
    if not address.strip() or place_match is None:
        raise tape_errors.match_unreadable(typed_match)
    return MatchedMoment(address.strip(), _to_millis(place_match))


def build_clock_from_start(typed_start: str, offset: Millis = 0) -> TapeClock:
    """Return the clock of a recording that begins at this time of the camera's clock.

    A time with a zone is compared with the ledger's UTC times, a time without one with the room's clock.
    `offset`: how far the camera's clock is ahead of the ledger's.
    """
    start, has_zone = _parse_time(typed_start, "--starts")
    return TapeClock(start - offset, uses_room_clock=not has_zone)


def find_length(clock: TapeClock, typed_end: str, offset: Millis = 0) -> Millis:
    """Return the length of a recording that ends at this time of the camera's clock.

    The end must have a zone if the start has one. `offset`: as for the start.
    """
    end, has_zone = _parse_time(typed_end, "--ends")
    if has_zone == clock.uses_room_clock:
        raise tape_errors.zones_differ()
    length = clock.locate(MomentTimes(end - offset, end - offset))
    if length is None or length <= 0:
        raise tape_errors.ends_early()
    return length


def build_clock_from_matches(matches: Sequence[MatchedMoment], times_of_matches: Sequence[MomentTimes]) -> TapeClock:
    """Return the clock of a recording that shows one or two events of the ledger.

    Two events also give the rate of the recording's clock.
    """
    if len(matches) > 2:
        raise tape_errors.too_many_matches()
    uses_room_clock = any(times.moment is None for times in times_of_matches)
    moments = []
    for match, times in zip(matches, times_of_matches, strict=True):
        moment = times.room if uses_room_clock else times.moment
        if moment is None:
            raise tape_errors.match_without_time(match.address)
        moments.append(moment)
    rate = 1.0
    if len(matches) == 2:
        if moments[0] == moments[1]:
            raise tape_errors.matches_same_moment()
        rate = (matches[1].place - matches[0].place) / (moments[1] - moments[0])
        if abs(rate - 1) > _MAX_DRIFT:
            raise tape_errors.matches_contradict(100 * (rate - 1))
    return TapeClock(moments[0] - matches[0].place / rate, rate, uses_room_clock)


def _parse_time(typed_time: str, option: str) -> tuple[Millis, bool]:
    """Return a typed time in milliseconds, and whether it has a zone."""
    has_zone = _has_zone(typed_time)
    time = parse_iso(typed_time) if has_zone else parse_wall_time(typed_time)
    if time is None:
        raise tape_errors.time_unreadable(option, typed_time)
    return time, has_zone


def _has_zone(typed_time: str) -> bool:
    try:
        return datetime.fromisoformat(typed_time).tzinfo is not None
    except ValueError:
        return False


def _to_millis(parts: re.Match[str]) -> Millis:
    seconds = float(parts["seconds"] or 0)
    return round(((int(parts["hours"] or 0) * 60 + int(parts["minutes"] or 0)) * 60 + seconds) * 1000)
