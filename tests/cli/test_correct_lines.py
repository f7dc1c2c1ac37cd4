"""`correct` takes lines as import does, and shows what it would change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

HAND = Path(__file__).parent / "offered" / "f7.hand"
SAID = ("--by", "floor", "--why", "the tape shows it")


@pytest.fixture
def ledger(run: Run, tmp_path: Path) -> str:
    made = str(tmp_path / "l")
    assert run("import", str(HAND), "--ledger", made).code == 0
    return made


def shown(run: Run, ledger: str) -> list[str]:
    return run("show", "T1/1", "--ledger", ledger).out.splitlines()


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("4 calls 2", ["4 Player 4 calls $2"]),
        ("4 calls 2; 5 and 6 fold", ["4 Player 4 calls $2", "5 Player 5 folds", "6 Player 6 folds"]),
        ('"Player 4" folds', ["4 Player 4 folds"]),
    ],
)
def test_a_line_may_name_players_and_tell_several_facts(run: Run, ledger: str, line: str, events: list[str]) -> None:
    before = shown(run, ledger)
    planned = run("correct", "T1/1@13", line, *SAID, "--dry-run", "--ledger", ledger)
    assert planned.out.splitlines()[0] == "Hand T1/1 would be corrected. Nothing was written."
    assert shown(run, ledger) == before
    done = run("correct", "T1/1@13", line, *SAID, "--ledger", ledger)
    assert done.code == 0
    assert [row.partition(": ")[2] for row in done.out.splitlines()[2 : 2 + len(events)]] == events
    assert done.out.splitlines()[1:] == planned.out.splitlines()[1:]


def test_what_is_no_fact_of_a_hand_is_refused(run: Run, ledger: str) -> None:
    for line in ("hand 9", "venue Elsewhere", "end"):
        assert run("correct", "T1/1@13", line, *SAID, "--ledger", ledger).code == 2


def test_for_programs_a_dry_run_says_so(run: Run, ledger: str) -> None:
    document = run("correct", "T1/1@13", "4 folds", *SAID, "--dry-run", "--format", "json", "--ledger", ledger).document
    assert (document["dry_run"], len(document["events"])) == (True, 2)
