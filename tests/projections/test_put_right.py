"""What was put right in time is a warning: it moved neither cards nor chips. What was not is what the book says."""

from __future__ import annotations

import pytest

from tests.projections.pages import book_cases
from tests.projections.running import run

FORGOTTEN_POST = "the post was forgotten, and "


@pytest.mark.parametrize(
    ("page", "title", "clause", "remedy"),
    [
        ("B14.2", FORGOTTEN_POST + "made before anybody looked or acted", "B14.2", ("warning", "followed")),
        ("B14.2", FORGOTTEN_POST + "the hand was dead before it acted", "B14.2", ("warning", "followed")),
        ("B14.2", FORGOTTEN_POST + "less made before anybody acted", "B14.2", ("error", "none")),
        ("B3", "a lower bet on the turn, put right before anybody else acts", "B3", ("warning", "none")),
        ("B3", "put right only after it was called", "B3", ("error", "none")),
    ],
)
def test_what_was_put_right_in_time_is_a_warning(page: str, title: str, clause: str, remedy: tuple[str, str]) -> None:
    (case,) = [one for one in book_cases() if one.name == f"hilton {page}: {title}"]
    (finding,) = [one for _, one in run(case).findings if one.clause == clause]
    assert (finding.severity, finding.remedy) == remedy
