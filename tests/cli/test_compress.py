"""`handledger import --compress`: the same hands in less room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.intake.hands import hands


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A file of enough hands to make a dictionary of."""
    path = tmp_path / "evening.phhs"
    path.write_text(hands(*range(1, 251)))
    return path


def test_a_compressed_import_takes_less_room_and_shows_the_same(run: Run, evening: Path, tmp_path: Path) -> None:
    evening.write_text(hands(*range(1, 601)))  # tables and a dictionary take room of their own
    shown = {}
    for name, more in (("plain", []), ("packed", ["--compress"])):
        ledger = str(tmp_path / f"{name}.ledger")
        done = run("import", str(evening), "--ledger", ledger, *more)
        assert done.code == 0, done.err
        assert run("verify", "--ledger", ledger).code == 0
        shown[name] = run("show", "417", "--ledger", ledger).out
    assert "417" in shown["plain"]
    assert shown["plain"] == shown["packed"]
    sizes = [(tmp_path / f"{name}.ledger").stat().st_size for name in shown]
    assert sizes[1] < 0.7 * sizes[0]


def test_importing_again_is_the_same_with_and_without(run: Run, evening: Path, tmp_path: Path) -> None:
    ledger = str(tmp_path / "x.ledger")
    run("import", str(evening), "--ledger", ledger, "--compress")
    evening.write_text(evening.read_text() + "\n")
    again = run("import", str(evening), "--ledger", ledger, "--format", "json")
    assert (again.document["total"]["new"], again.document["total"]["same"]) == (0, 250)


def test_a_dry_run_compresses_nothing(run: Run, evening: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "x.ledger"
    assert run("import", str(evening), "--ledger", str(ledger), "--dry-run", "--compress").code == 0
    assert not ledger.exists()
