"""The bounds of a room's evening are noticed when they're broken."""

from __future__ import annotations

import os

import pytest

from tests.torture.room import MAX_ACT_P99, MAX_GROWTH, EveningFigures, find_wrong_figures, report
from tests.torture.room_devices import AnswerTime
from tests.torture.room_host import ServerLife


def figures(growth: float, seconds: float, acts: int = 20_000) -> EveningFigures:
    life = ServerLife(acts, 100.0, 100.0 + growth, growth, 130.0, 90.0, 10.0)
    settled = [AnswerTime(seconds, seconds / 2, 60.0)] * 50
    starting = [AnswerTime(9.0, 9.0, 1.0)] * 50
    return EveningFigures(
        acts, 4_800, 900.0, 2.2, [*settled, *starting], settled, [("/log", settled[0])], 0, 0, 0, 0, 0, 0, [life], []
    )


def test_memory_that_grows_is_wrong() -> None:
    assert list(find_wrong_figures(figures(MAX_GROWTH, 0.01), 10)) == []
    (wrong,) = find_wrong_figures(figures(MAX_GROWTH + 0.1, 0.01), 10)
    assert wrong.startswith("memory grew")
    assert list(find_wrong_figures(figures(MAX_GROWTH + 0.1, 0.01, acts=4_000), 10)) == [], "a short life still fills"


def test_slow_acts_are_wrong_at_a_room_s_rate_on_an_idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = figures(0.0, MAX_ACT_P99 / 1000 + 0.001)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.5, 0.5, 0.5))
    assert list(find_wrong_figures(figures(0.0, 0.01), 1)) == [], "acts right after a start are counted apart"
    (wrong,) = find_wrong_figures(slow, 1)
    assert wrong.startswith("acts p99")
    assert list(find_wrong_figures(slow, 10)) == []
    monkeypatch.setattr(os, "getloadavg", lambda: (9.0, 9.0, 9.0))
    assert list(find_wrong_figures(slow, 1)) == []


def test_the_report_counts_acts_after_a_start_apart() -> None:
    lines = list(report(figures(0.0, 0.01)))
    assert lines[1].startswith("acts: 50, p50 10.0 ms")
    assert lines[2].startswith("acts in the server: 50, p50 5.0 ms")
    assert lines[3].startswith("acts in the first 30 s after a start: 50, p50 9000.0 ms")
