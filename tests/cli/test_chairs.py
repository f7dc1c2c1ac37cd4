"""What is summed up by chairs, at tables whose record names nobody, is said to be no person's."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.people import CHAIR_NAMES_NOTE
from tests.cli.conftest import Run

SAMPLE = Path("tests/formats/bovada/samples/dead-button.txt")
ALIASES = Path("tests/formats/cointext/samples/aliases.txt")
NOTE_WORDS = CHAIR_NAMES_NOTE.split()


@pytest.mark.parametrize(("sample", "table"), [(SAMPLE, "55500010"), (ALIASES, "100021")])
def test_results_and_seats_say_that_a_chair_is_no_person(run: Run, tmp_path: Path, sample: Path, table: str) -> None:
    url = str(tmp_path / "l")
    run("import", str(sample), "--ledger", url)
    results = run("results", "--ledger", url).out
    seats = run("seats", table, "--ledger", url).out
    assert f"Seat 6 of {table}" in results
    assert "Hero" in seats
    for out in (results, seats):
        assert out.split()[-len(NOTE_WORDS) :] == NOTE_WORDS


def test_nothing_of_chairs_is_said_of_positions_and_people(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "l")
    run("import", str(SAMPLE), "--ledger", url)
    for words in (("results", "player:Hero"), ("results", "--by", "position")):
        assert NOTE_WORDS[-1] not in run(*words, "--ledger", url).out


def test_hands_in_which_all_have_other_aliases_follow_each_other_at_the_chairs(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "l")
    output = run("import", str(ALIASES), "--ledger", url).out
    assert "breaks" not in output
    rows = [line.split() for line in run("results", "--ledger", url).out.splitlines()]
    assert {" ".join(row[:4]): row[4] for row in rows if row[:1] == ["Seat"]} == {
        f"Seat {seat} of 100021": "3" for seat in (1, 2, 6)
    }
    assert run("import", str(ALIASES), "--ledger", url).out.split("aliases.txt", 1)[1].split()[1:3] == ["0", "4"]
