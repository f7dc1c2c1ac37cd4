"""An audit under a book that the table didn't play by: what the book leaves open is said, and nothing fails."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.evenings import evening
from tests.evenings.script import script


def test_a_button_that_moved_back_where_a_book_gives_no_positions(run: Run, tmp_path: Path) -> None:
    """Three tables of one room end in a hand for which Robert's Rules give no placement."""
    url = str(tmp_path / "rooms.ledger")
    for seed, room in ((7, "bicycle"), (8, "bicycle-pl"), (9, "bicycle-short")):
        path = tmp_path / f"{room}.hand"
        path.write_text(script(evening(room, seed, 15)))
        assert run("import", str(path), "--ledger", url).code == 0
    audited = run("audit", "-r", "rrop4", "--ledger", url)
    assert audited.code < 2, audited.err
    assert "findings" in audited.out
