"""`floor TABLE`: what a floor manager sees of a stopped game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.web.nights import wrong_button


@pytest.fixture
def book(tmp_path: Path) -> str:
    """An evening whose last hand has its button in the wrong seat."""
    (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
    return str(tmp_path / "x.ledger")


def test_one_screen_says_what_is_due_and_what_was_wrong(run: Run, book: str) -> None:
    found = run("floor", "T7", "-r", "rrop4", "--ledger", book)
    assert found.code == 1
    due, _, hands = found.out.partition("the last 2 hands")
    assert "after hand 412, under rrop4" in due
    assert "now due" in due
    first, second = hands.split("  411  ")
    assert "412" in first
    assert "none dealt since" in first
    assert "✗ rrop4" in first
    assert "(sums to 0)" in first
    assert "1 dealt since; nothing was found" in second


def test_as_many_hands_as_are_asked_for_and_the_same_as_a_document(run: Run, book: str) -> None:
    told = run("floor", "T7", "-r", "rrop4", "-n", "1", "--ledger", book, "--format", "json").document
    assert [one["hand"]["number"] for one in told["hands"]] == ["412"]
    assert told["hands"][0]["since"] == 0
    assert told["hands"][0]["findings"]
    assert told["due"]["after"] == "412"


def test_where_no_book_is_adopted_it_says_so_and_still_shows_the_hands(run: Run, book: str) -> None:
    found = run("floor", "T7", "--ledger", book)
    assert found.code == 0
    assert "the last 2 hands" in found.out
    assert "-r" in found.out
