"""What is summed up by chairs, at tables whose record names nobody, is said to be no person's."""

from __future__ import annotations

from pathlib import Path

from ledger.people import CHAIRS_TOLD
from tests.cli.conftest import Run

SAMPLE = Path("tests/formats/bovada/samples/dead-button.txt")
SAID = CHAIRS_TOLD.split()


def test_results_and_seats_say_that_a_chair_is_no_person(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "l")
    run("import", str(SAMPLE), "--ledger", url)
    results = run("results", "--ledger", url).out
    seats = run("seats", "55500010", "--ledger", url).out
    assert "Seat 6 of 55500010" in results
    assert "Hero" in seats
    for out in (results, seats):
        assert out.split()[-len(SAID) :] == SAID


def test_nothing_of_chairs_is_said_of_positions_and_people(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "l")
    run("import", str(SAMPLE), "--ledger", url)
    for asked in (("results", "player:Hero"), ("results", "--by", "position")):
        assert SAID[-1] not in run(*asked, "--ledger", url).out
