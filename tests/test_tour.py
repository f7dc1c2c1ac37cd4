"""The tour is true: its code runs and prints what it shows, and its links lead to files."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

TOUR = ROOT / "docs/tour.md"
STOPS = 10


def test_the_tour_runs_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(TOUR), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
    assert result.attempted > 3 * STOPS


def test_each_stop_of_the_tour_leads_to_real_files() -> None:
    text = TOUR.read_text("utf-8")
    stops = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [stop.split(".")[0] for stop in stops] == [str(number) for number in range(1, STOPS + 1)]
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    for link in links:
        assert (TOUR.parent / Path(link)).is_file(), link
