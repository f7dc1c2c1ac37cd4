"""An import says of files without a witness line what cannot be judged, and which line to add."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.output import import_output
from ledger.intake import ImportOptions, import_paths
from ledger.store import open as open_ledger

HAND = "hand 1\nseat 1 Ann 500\nseat 2 Bob 500\nseat 3 Cat 500\nbutton 1\n2 posts small 5\n3 posts big 10\ndeal done\nend\n"
GAME = "game holdem no-limit cash blinds 5/10 unit USD 0\n"


@pytest.mark.parametrize("dry", [False, True])
@pytest.mark.parametrize(("witness", "expected"), [("", 1), ("witness burns\n", 0), ("witness floor-form\n", 0)])
def test_import_counts_and_says_it_in_one_line(tmp_path: Path, witness: str, expected: int, dry: bool) -> None:
    path = tmp_path / "night.hand"
    path.write_text(f"handscript 1\nvenue R table 1 seats 9\n{witness}{GAME}{HAND}")
    with open_ledger(tmp_path / "book.ledger") as book:
        summary = import_paths(book, [path], ImportOptions(dry_run=dry))
    assert summary.files[0].unwitnessed == expected
    lines = [line for line in import_output.format_import(summary).splitlines() if "witness" in line]
    assert len(lines) == expected
    for line in lines:
        assert "1 hand without a witness line" in line
        assert "live-table" not in line, "under it every burn that nobody wrote down is a violation"
        assert line.index("floor-form") < line.index("dealer-notes"), "the modest one first"
