"""A finding in a JSON file shows the member that was read, not the bracket before it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import ROOT

SAMPLE = ROOT / "tests" / "formats" / "pokernow" / "samples" / "fetched.json"


def test_the_marked_line_is_the_longest_of_its_object(run: Run, tmp_path: Path) -> None:
    ledger = str(tmp_path / "x.ledger")
    run("import", str(SAMPLE), "--ledger", ledger)
    shown = run("audit", "-r", "rrop4", "--ledger", ledger).out
    number = 1 + SAMPLE.read_text().splitlines().index(
        '   "msg": "\\"Cy @ cc-ccccccc\\" posts a small blind of 5"', 160
    )
    assert f'{number} |    "msg": "\\"Cy @ cc-ccccccc\\" posts a small blind of 5"' in shown
    assert not [line for line in shown.splitlines() if line.endswith("|   {")]
