"""`handledger import --help` names what can be named."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import output
from ledger import formats
from tests.cli.conftest import Run
from tests.intake.test_accounts import HEADER, hand


def test_every_format_is_named_and_no_line_is_wide(run: Run) -> None:
    told = run("import", "--help").out
    assert set(formats.NAMES) <= set(told.partition("Formats, by name:")[2].split())
    assert all(len(line) <= 100 for line in told.splitlines())


def test_the_table_of_an_import_fits_eighty_columns(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "width", lambda: 80)
    night, url = tmp_path / ("a-long-name-of-a-night-" * 4 + ".hand"), str(tmp_path / "book.ledger")
    for raised in (15, 20):
        night.write_text(HEADER + hand(1) + hand(2, raised=raised))
        table = run("import", str(night), "--ledger", url).out.split("\n\n")[0].splitlines()
        assert all(len(line) <= 80 for line in table)
    upper, lower, row = table
    assert upper.split() == ["ALREADY", "ANOTHER", "BYTES"]
    assert lower.split() == ["FORMAT", "NEW", "THERE", "ACCOUNT", "SUPERSEDED", "REJECTED", "NOT", "READ"]
    assert row.split()[-6:] == ["0", "1", "0", "1", "0", "0"]


def test_a_correction_that_fits_nothing_is_not_called_no_hand(run: Run, tmp_path: Path) -> None:
    mend = tmp_path / "mend.hand"
    mend.write_text(f"{HEADER}\nhand 9\ncorrection 3 after 2 count 1 by floor\n6 bets 120\nend\n")
    found = run("import", str(mend), "--ledger", str(tmp_path / "book.ledger"))
    assert found.code == 2
    assert "Nothing of it could be taken in." in found.out
