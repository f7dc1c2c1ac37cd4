"""A clause asks for no fact where what it speaks of did not come up: CANNOT TELL is no answer to that."""

from __future__ import annotations

import pytest

from tests.projections.pages import book_cases
from tests.projections.running import run


@pytest.mark.parametrize(
    ("page", "title", "clause"),
    [
        ("B8b.3", "a straddle that went back isn't a straddle", "B8b.3"),
        ("B19.3", "no post", "B17.3"),  # the player was seen going broke here, and nobody moved him
    ],
)
def test_what_did_not_come_up_asks_for_nothing(page: str, title: str, clause: str) -> None:
    (case,) = [one for one in book_cases() if one.name == f"hilton {page}: {title}"]
    (row,) = [one for one in run(case).result.coverage if (one.book, one.clause) == ("hilton", clause)]
    assert [one.fact for one in row.missing if one.fact != "the hands before it"] == []
