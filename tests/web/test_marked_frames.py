"""The events of a page that are marked as wrong, however many findings and events there are."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from tests.pace import out_of_proportion
from web.pages.display_texts import find_finding_frames


def page(frames: list[int], findings: list[int]) -> Any:
    return SimpleNamespace(
        frames=[SimpleNamespace(version=version) for version in frames],
        judgements=[SimpleNamespace(findings=[SimpleNamespace(version=version) for version in findings])],
    )


def test_a_finding_marks_its_event_or_the_last_one_drawn_before_it() -> None:
    random = Random(3)
    for _ in range(300):
        frames = random.sample(range(1, 30), random.randint(0, 12))
        findings = random.choices(range(1, 30), k=random.randint(0, 8))
        expected = {
            max((index for index, frame in enumerate(frames) if frame <= version), default=0) for version in findings
        }
        assert find_finding_frames(page(frames, findings)) == sorted(expected)


def test_marking_takes_work_in_proportion() -> None:
    half, full = (page([*range(many)], [*range(many)]) for many in (5_000, 10_000))
    assert out_of_proportion(find_finding_frames, half, full, felt=0.02) is None
