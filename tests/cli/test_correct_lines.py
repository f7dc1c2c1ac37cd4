"""`correct` takes lines as import does, and shows what it would change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

HAND = Path(__file__).parent / "offered" / "f7.hand"
SIGNED = ("--by", "floor", "--why", "the tape shows it")


@pytest.fixture
def ledger(run: Run, tmp_path: Path) -> str:
    url = str(tmp_path / "l")
    assert run("import", str(HAND), "--ledger", url).code == 0
    return url


def hand_lines(run: Run, ledger: str) -> list[str]:
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
    lines_before = hand_lines(run, ledger)
    planned = run("correct", "T1/1@13", line, *SIGNED, "--dry-run", "--ledger", ledger)
    assert planned.out.splitlines()[0] == "Hand T1/1 would be corrected. Nothing was written."
    assert hand_lines(run, ledger) == lines_before
    result = run("correct", "T1/1@13", line, *SIGNED, "--ledger", ledger)
    assert result.code == 0
    assert [row.partition(": ")[2] for row in result.out.splitlines()[2 : 2 + len(events)]] == events
    assert result.out.splitlines()[1:] == planned.out.splitlines()[1:]


def test_what_is_no_fact_of_a_hand_is_refused(run: Run, ledger: str) -> None:
    for line in ("hand 9", "venue Elsewhere", "end"):
        assert run("correct", "T1/1@13", line, *SIGNED, "--ledger", ledger).code == 2


def test_for_programs_a_dry_run_says_so(run: Run, ledger: str) -> None:
    document = run(
        "correct", "T1/1@13", "4 folds", *SIGNED, "--dry-run", "--format", "json", "--ledger", ledger
    ).document
    assert (document["dry_run"], len(document["events"])) == (True, 2)


TURN = """handscript 1
venue Room  table 7
witness everything
game holdem no-limit cash blinds 5/10 unit USD 2
hand 1
seat 1 Ann 1000
seat 2 "Mrs. Chen" 1000
seat 3 Cy 1000
button 1
2 posts small 5
3 posts big 10
deal done
1 calls 10
2 calls 5
3 checks
flop Ah Kd 7s
2 checks
3 checks
1 checks
turn 2c
2 checks
3 checks
1 checks
river 9d
2 checks
3 checks
1 checks
2 wins 30
end
"""
"""The checks of the flop are events 14 to 16, the payout is event 25."""


@pytest.mark.parametrize(
    ("event", "line", "events"),
    [
        (14, "check check", ["2 Mrs. Chen checks", "3 Cy checks"]),
        (14, "x x", ["2 Mrs. Chen checks", "3 Cy checks"]),
        (14, "everybody checks", ["2 Mrs. Chen checks", "3 Cy checks", "1 Ann checks"]),
        (14, "Mrs. Chen bets 20, Cy and Ann fold", ["2 Mrs. Chen bets $20", "3 Cy folds", "1 Ann folds"]),
        (25, "Cy takes it", ["3 Cy wins $30"]),
    ],
)
def test_a_correction_takes_notes(run: Run, tmp_path: Path, event: int, line: str, events: list[str]) -> None:
    night, ledger = tmp_path / "n.hand", str(tmp_path / "l")
    night.write_text(TURN)
    run("import", str(night), "--ledger", ledger)
    planned = run("correct", f"7/1@{event}", line, *SIGNED, "--dry-run", "--ledger", ledger)
    assert [row.partition(": ")[2] for row in planned.out.splitlines()[2 : 2 + len(events)]] == events
    result = run("correct", f"7/1@{event}", line, *SIGNED, "--ledger", ledger)
    assert result.out.splitlines()[1:] == planned.out.splitlines()[1:]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("3 b 20", "Seat 2 acts before that. Write it, too, as in: 2 checks; 3 b 20"),
        ("Mrs. Chen bets lots", "How much does seat 2 (Mrs. Chen) bet?"),
        ("folds around", "is a bet missing?"),
    ],
)
def test_a_correction_fills_in_no_act(run: Run, tmp_path: Path, line: str, message: str) -> None:
    night, ledger = tmp_path / "n.hand", str(tmp_path / "l")
    night.write_text(TURN)
    run("import", str(night), "--ledger", ledger)
    refused = run("correct", "7/1@14", line, *SIGNED, "--ledger", ledger)
    assert refused.code == 2
    assert message in " ".join(refused.err.split())
