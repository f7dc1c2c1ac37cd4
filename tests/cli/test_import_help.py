"""`handledger import --help` names what can be named."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.output import console
from ledger import formats
from tests.cli.conftest import Run
from tests.intake.test_accounts import HEADER, hand


def test_every_format_is_named_and_no_line_is_wide(run: Run) -> None:
    output = run("import", "--help").out
    assert set(formats.NAMES) <= set(output.partition("Formats, by name:")[2].split())
    assert all(len(line) <= 100 for line in output.splitlines())


def test_the_table_of_an_import_fits_eighty_columns(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "find_width", lambda: 80)
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
    result = run("import", str(mend), "--ledger", str(tmp_path / "book.ledger"))
    assert result.code == 2
    assert "No hand was stored: see what was rejected." in result.out


def test_a_folder_of_other_things_does_not_bury_its_hands(run: Run, tmp_path: Path) -> None:
    pile = tmp_path / "pile"
    pile.mkdir()
    for index in range(60):
        (pile / f"letter-{index:02}.txt").write_text(f"Dear Ann, letter {index}.\n")
        (pile / f"photo-{index:02}.bin").write_bytes(bytes((index, 0, 255)) * 100)
    (pile / "night.hand").write_text(HEADER + hand(1) + hand(2) + "hand 3\nseat\nend\n")
    result = run("import", str(pile), "--ledger", str(tmp_path / "book.ledger"))
    assert result.code == 3
    rows = [line.split() for line in result.out.partition("\n\n")[0].splitlines()]
    (night,) = (row for row in rows if row[0].endswith("night.hand"))
    assert night[1:] == ["handscript", "2", "0", "0", "1", "0"]
    assert "(115 more files in which no hand was found)" in result.out
    assert "night.hand:" in result.out, "what was rejected beside hands is told"
    assert result.out.count("(unknown-format)") == result.out.count("(binary)") == 5
    assert "more were rejected: 55 unknown-format, 55 binary; handledger rejects has them all" in result.out
    assert len(result.out.splitlines()) < 70


def test_of_many_files_each_kind_is_counted_in_a_sentence(run: Run, tmp_path: Path) -> None:
    pile = tmp_path / "pile"
    pile.mkdir()
    for index in range(45):
        (pile / f"night-{index:02}.hand").write_text(HEADER + hand(index + 1))
    (pile / "letter.txt").write_text("Dear Ann.\n")
    out = run("import", str(pile), "--ledger", str(tmp_path / "book.ledger")).out
    assert "(40 more files, all read to the last byte)" in out
    assert "letter.txt:" in out
    assert "more were rejected" not in out
