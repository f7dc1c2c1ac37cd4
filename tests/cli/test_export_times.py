"""What a live record says of time leaves the ledger whole in handscript, or is said to be lost."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

NIGHT = """\
handscript 1
venue Riverside  table T1  seats 6
witness live-table
hand 9 2026-11-20T20:00:00-05:00
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 100
seat 2 Bo 100
button 1
1 posts small 1
2 posts big 2
deal done
1 calls 1 at 20:00:07.500
2 checks at 20:00:09
burn flop
flop Ah Kd 2c
2 checks derived
stop
"""


def test_times_and_what_was_derived_come_back(run: Run, tmp_path: Path) -> None:
    night, book = tmp_path / "night.hand", str(tmp_path / "hands.ledger")
    night.write_text(NIGHT)
    assert run("import", str(night), "--ledger", book).code == 0
    assert run("export", "9", "--to", "handscript", "--ledger", book).out == NIGHT


def test_a_format_without_times_says_so(run: Run, tmp_path: Path) -> None:
    night, book = tmp_path / "night.hand", str(tmp_path / "hands.ledger")
    night.write_text(NIGHT)
    run("import", str(night), "--ledger", book)
    refused = run("export", "9", "--to", "phh", "--ledger", book)
    assert refused.code == 2
    assert "when 2 events of hand 9 happened" in refused.err
    assert run("export", "9", "--to", "phh", "--ledger", book, "--lossy").code == 0
