"""The clock that a hand's source shows, from what it wrote, and which zone that is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.clocks import LocalTime, find_local_time, parse_wall_time
from ledger.readers.timestamps import parse_start


def wall(local: LocalTime | None) -> tuple[str, str]:
    assert local is not None
    return datetime.fromtimestamp(local.wall / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S"), local.zone


@pytest.mark.parametrize(
    ("text", "clock", "zone"),
    [
        ("2009/03/15 6:20:33 ET", "2009-03-15 06:20:33", "ET"),
        ("2026/01/15 21:04:05 CET [2026/01/15 15:04:05 ET]", "2026-01-15 15:04:05", "ET"),
        ("2026/07/04 18:01:15 +08", "2026-07-04 18:01:15", "+08:00"),
        ("2026/03/02 20:15:09 UTC", "2026-03-02 20:15:09", "UTC"),
    ],
)
def test_a_moment_is_shown_on_the_clock_of_its_room(text: str, clock: str, zone: str) -> None:
    assert wall(find_local_time(parse_start(text), text)) == (clock, zone)


@pytest.mark.parametrize(
    ("text", "clock", "zone"),
    [
        ("2010/04/19 21:36:14", "2010-04-19 21:36:14", ""),
        ("2014/03/17 - 21:08:54", "2014-03-17 21:08:54", ""),
        ("19:05:42 6.2.2013", "2013-02-06 19:05:42", ""),
        ("14 09 2013 19:05:22", "2013-09-14 19:05:22", ""),
        ("11-Nov-2015 10:11:12", "2015-11-11 10:11:12", ""),
        ("09 Jun 2012 21:18:05", "2012-06-09 21:18:05", ""),
        ("Friday, August 16, 19:12:44 2013", "2013-08-16 19:12:44", ""),
        ("Wed Oct 27 21:09:33 MSK 2010", "2010-10-27 21:09:33", "MSK"),
        ("20131017223507", "2013-10-17 22:35:07", ""),
        ("2018/9/5 22:41:7", "2018-09-05 22:41:07", ""),
        ("2026-11-20T22:41", "2026-11-20 22:41:00", ""),
    ],
)
def test_a_clock_without_a_moment_is_the_sources_own(text: str, clock: str, zone: str) -> None:
    assert wall(find_local_time(None, text)) == (clock, zone)


@pytest.mark.parametrize("text", ["", "d2", "10/04/2011 20:38:51", "2026-13-01 10:00", "25:00 2026-01-01"])
def test_what_shows_no_date_and_time_is_none(text: str) -> None:
    assert find_local_time(None, text) is None
    assert find_local_time(0, text) == LocalTime(0, "UTC")


@given(moment=st.integers(0, 4_000_000_000).map(lambda seconds: seconds * 1000), quarters=st.integers(-48, 56))
def test_the_offset_is_found_from_moment_and_clock(moment: int, quarters: int) -> None:
    offset = quarters * 15 * 60 * 1000
    text = datetime.fromtimestamp((moment + offset) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    local = find_local_time(moment, text)
    assert local is not None
    assert local.wall == moment + offset
    assert (local.zone == "UTC") == (not quarters)


@given(text=st.text(max_size=60))
def test_no_text_is_refused(text: str) -> None:
    parse_wall_time(text)
    find_local_time(0, text)
