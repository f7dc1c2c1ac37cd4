"""The drawn table: a floor manager must never read a stack of which digits were cut off."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize("stack", ["56.86", "973456.25"])
def test_a_stack_beside_a_bet_keeps_its_digits(run: Run, tmp_path, stack: str) -> None:
    night, book = tmp_path / "night.hand", str(tmp_path / "hands.ledger")
    night.write_text(
        "handscript 1\nvenue R  table T\ngame holdem no-limit cash blinds 0.25/0.50 unit USD 2\n"
        f"hand 9\nseat 1 Ann {stack}\nseat 2 Bo 50\nseat 3 Cy 50\nseat 4 Dee 50\nbutton 3\n"
        "4 posts small 0.25\n1 posts big 0.50\ndeal done\n2 folds\nstop\n"
    )
    assert run("import", str(night), "--ledger", book).code == 0
    output = run("show", "9@11", "--ledger", book).out
    text = f"{float(stack) - 0.5:.2f}"
    assert f"${text}" in output
    assert "…" not in output
