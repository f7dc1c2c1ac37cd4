"""How `handledger import` keeps events: compressed, or so that plain SQL can read them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
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
    outputs = {}
    for name, options in (("plain", ["--plain"]), ("packed", [])):
        ledger = str(tmp_path / f"{name}.ledger")
        result = run("import", str(evening), "--ledger", ledger, *options)
        assert result.code == 0, result.err
        assert run("verify", "--ledger", ledger).code == 0
        outputs[name] = run("show", "417", "--ledger", ledger).out
    assert "417" in outputs["plain"]
    assert outputs["plain"] == outputs["packed"]
    sizes = [(tmp_path / f"{name}.ledger").stat().st_size for name in outputs]
    assert sizes[1] < 0.7 * sizes[0]


def types(ledger: Path) -> set[str]:
    """Return the types of events that plain SQL sees."""
    with closing(sqlite3.connect(ledger)) as link:
        return {row[0] for row in link.execute("SELECT DISTINCT type FROM events WHERE kind = 'hand'")}


def test_a_new_ledger_compresses_unless_it_is_to_be_plain(run: Run, evening: Path, tmp_path: Path) -> None:
    for name, options, compressed in (("new", [], True), ("told", ["--compress"], True), ("plain", ["--plain"], False)):
        assert run("import", str(evening), "--ledger", str(tmp_path / name), *options).code == 0
        assert ("(compressed)" in types(tmp_path / name)) is compressed


def test_a_plain_ledger_stays_plain(run: Run, tmp_path: Path) -> None:
    path, ledger = tmp_path / "evening.phhs", tmp_path / "x.ledger"
    path.write_text(hands(*range(1, 401)))
    run("import", str(path), "--ledger", str(ledger), "--plain")
    path.write_text(hands(*range(401, 801)))
    assert run("import", str(path), "--ledger", str(ledger), "--format", "json").document["total"]["new"] == 400
    assert "(compressed)" not in types(ledger)
    path.write_text(hands(*range(801, 1101)))
    run("import", str(path), "--ledger", str(ledger), "--compress")
    assert "(compressed)" in types(ledger), "who asks for it gets it"
    assert run("verify", "--ledger", str(ledger)).code == 0


def test_a_ledger_that_grows_by_small_files_compresses(run: Run, tmp_path: Path) -> None:
    """No import alone has the 200 hands of which a dictionary is made."""
    path, ledger = tmp_path / "evening.phhs", tmp_path / "x.ledger"
    for first in range(1, 401, 40):
        path.write_text(hands(*range(first, first + 40)))
        assert run("import", str(path), "--ledger", str(ledger)).code == 0
    assert "(compressed)" in types(ledger)


def test_importing_again_is_the_same_with_and_without(run: Run, evening: Path, tmp_path: Path) -> None:
    ledger = str(tmp_path / "x.ledger")
    run("import", str(evening), "--ledger", ledger, "--plain")
    evening.write_text(evening.read_text() + "\n")
    result = run("import", str(evening), "--ledger", ledger, "--format", "json")
    assert (result.document["total"]["new"], result.document["total"]["same"]) == (0, 250)


def test_a_dry_run_compresses_nothing(run: Run, evening: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "x.ledger"
    assert run("import", str(evening), "--ledger", str(ledger), "--dry-run", "--compress").code == 0
    assert not ledger.exists()
