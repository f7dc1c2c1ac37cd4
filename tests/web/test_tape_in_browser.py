"""A browser shows the index of a recording as its subtitles: each hand and finding at its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.browser import chromium, needs_chromium
from tests.web.recorded_tape import can_record, played_tape, write_index

pytestmark = [needs_chromium, pytest.mark.slow]


def test_a_browser_shows_each_cue_at_its_place(tmp_path: Path) -> None:
    index = write_index(tmp_path)
    with chromium() as browser:
        if not can_record(browser):
            pytest.skip("this Chromium has no encoder for video")
        with played_tape(index, browser) as (_, cues):
            pass
    assert len(cues["all"]) == len(re.findall("^.* --> .*$", index, re.MULTILINE)) > 20
    hand, finding = sorted(cues["shown"], key=lambda cue: -float(str(cue[1])))
    assert hand[:2] == [0, 161]  # seconds: hand 409 begins then
    assert str(hand[2]).startswith("T7/408 ")
    assert finding[0] == 0
    assert "hilton B8a.1" in str(finding[2])
