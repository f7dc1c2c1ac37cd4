"""An audit says how to record a missing fact only to people who write the record themselves."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import ROOT

SAMPLES = ROOT / "cli/samples"


def test_a_rooms_file_brings_no_advice_on_witness_lines(run: Run, tmp_path: Path) -> None:
    book = str(tmp_path / "x.ledger")
    assert run("import", str(SAMPLES / "evening-online.txt"), "--ledger", book).code == 0
    online = run("audit", "-r", "hilton", "--ledger", book).out
    assert "Not judged; what was missing:" in online
    assert "Next time" not in online
    assert run("import", str(SAMPLES / "riverside-nl-evening.hand"), "--ledger", book).code == 0
    assert "Next time: add `looks` to the witness line" in run("audit", "-r", "hilton", "--ledger", book).out
