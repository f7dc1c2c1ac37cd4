"""`floor TABLE`: what a floor manager sees of a stopped game."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.web.nights import HEAD, wrong_button


@pytest.fixture
def book(tmp_path: Path) -> str:
    """An evening whose last hand has its button in the wrong seat."""
    (tmp_path / "night.hand").write_text(wrong_button(), encoding="utf-8")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [tmp_path / "night.hand"])
    return str(tmp_path / "x.ledger")


def test_one_screen_says_whether_a_ruling_is_possible_what_is_due_and_what_was_wrong(run: Run, book: str) -> None:
    result = run("floor", "T7", "-r", "rrop4", "--ledger", book)
    assert result.code == 1
    head, _, hands = result.out.partition("last 2 hands")
    assert "under rrop4" in head.splitlines()[0]
    assert "Hand 412 is finished and the next hasn't been dealt" in head
    assert "  Button seat 6 (Flo). Small blind $2 seat 1 (Ana), big blind $5 seat 2 (Bo).\n" in head
    first, second = hands.split("✓ T7/411")
    assert "✗ T7/412" in first
    assert "no hand dealt since" in first
    assert "✗ Button moved to the wrong seat: seat 5" in first
    assert "(rrop4 blinds.1b.1, error," in first
    assert re.search(r"Seat \d owes seat \d \$\d", first)
    assert second.startswith("  nothing wrong found; 1 dealt since\n")
    assert "handledger replay T7/412@9 -r rrop4" in second
    assert len(result.out.splitlines()) < 24, "it is one screen"


def test_a_hand_that_is_not_over_and_open_cases_are_told(run: Run, book: str, tmp_path: Path) -> None:
    later = "hand 413 " + wrong_button().partition("hand 412 ")[2].partition("burn turn")[0]
    (tmp_path / "more.hand").write_text(HEAD + later.replace("22:41", "22:44") + "stop\n", encoding="utf-8")
    with open_ledger(book) as ledger:
        import_paths(ledger, [tmp_path / "more.hand"])
    claim = "charged \u202eearly"
    assert run("case", "open", "412@9", "--claim", claim, "--by", "player", "--ledger", book).code == 0
    result = run("floor", "T7", "-r", "rrop4", "--ledger", book)
    assert "Hand 413 isn't over: its actions can still be corrected." in result.out
    assert "open cases" in result.out
    assert "charged \\u202eearly" in result.out
    document = run("floor", "T7", "-r", "rrop4", "--ledger", book, "--format", "json").document
    assert document["running"]
    assert [case["status"] for case in document["cases"]] == ["open"]
    number = document["cases"][0]["number"]
    assert run("case", "close", number, "withdrawn", "--ledger", book).code == 0
    assert "open cases" not in run("floor", "T7", "-r", "rrop4", "--ledger", book).out


def test_what_is_due_on_a_hand_that_is_kept_is_not_told_of_the_coming_one(
    run: Run, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "due on the coming hand\n" in run("floor", "T7", "-r", "rrop4", "--ledger", book).out
    monkeypatch.setattr(sys, "stdin", io.StringIO(".\n"))
    assert run("record", "T7", "-r", "rrop4", "--ledger", book).code == 0
    output = run("floor", "T7", "-r", "rrop4", "--ledger", book).out
    assert "Hand 413 isn't over" in output
    assert "due on hand 413\n" in output
    assert "coming hand" not in output
    due = run("due", "T7", "-r", "rrop4", "--ledger", book)
    assert "What is due on hand 413, which is being played, under rrop4" in due.out
    assert "coming hand" not in due.out
    document = run("due", "T7", "-r", "rrop4", "--format", "json", "--ledger", book).document
    assert (document["playing"], document["before"], document["after"]) == ("413", "", "412")
    result = run("due", "T7", "--before", "413", "-r", "rrop4", "--ledger", book)
    assert "hand '413' isn't over" in result.err
    assert "without --before" in result.err
    assert "it isn't over" in run("aftermath", "413", "-r", "rrop4", "--ledger", book).out


def test_as_many_hands_as_are_asked_for_and_the_same_as_a_document(run: Run, book: str) -> None:
    document = run("floor", "T7", "-r", "rrop4", "-n", "1", "--ledger", book, "--format", "json").document
    assert [hand["hand"]["number"] for hand in document["hands"]] == ["412"]
    assert document["hands"][0]["since"] == 0
    assert document["hands"][0]["findings"]
    assert document["due"]["after"] == "412"


def test_where_no_book_is_adopted_it_says_so_and_still_shows_the_hands(run: Run, book: str) -> None:
    result = run("floor", "T7", "--ledger", book)
    assert result.code == 0
    assert "last 2 hands" in result.out
    assert "-r" in result.out
    assert "not judged" in result.out
    assert "✓" not in result.out, "nothing was looked for"


def test_a_hand_without_a_rulebook_in_force_is_not_called_clean(run: Run, book: str) -> None:
    assert run("rules", "adopt", "hilton", "--table", "T99", "--ledger", book).code == 0
    result = run("floor", "T7", "--ledger", book)
    assert "? T7/411  not judged: no rulebook was in force; 1 dealt since" in result.out
    assert "nothing wrong found" not in result.out
    everywhere = run("due", "--ledger", book)
    assert (everywhere.code, "no table has a rulebook in force today" in everywhere.err) == (2, True)
