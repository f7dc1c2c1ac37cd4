"""A ledger with a few hands, and the program run inside the test's own process."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.main import run_program
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.conftest import ROOT
from tests.intake.hands import hands


class Result(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the program with arguments; nothing of the machine's own settings is seen."""
    monkeypatch.delenv("HANDLEDGER_URL", raising=False)
    monkeypatch.delenv("HANDLEDGER_DEBUG", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def runner(*args: str) -> Result:
        capsys.readouterr()
        code = run_program(list(args))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return runner


def sealed(run: Run, book: str, key: Path) -> str:
    """Seal a ledger with a new key; return the public one."""
    result = run("seal", "--new-key", "--key", str(key), "--name", "room.example", "--ledger", book, "--format", "json")
    return str(result.document["key"])


def copy_ledger(template: Path, folder: Path) -> Path:
    """Copy a ledger into a folder, with what still stands in its journal."""
    path = folder / template.name
    with closing(sqlite3.connect(template)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)
    return path


SAMPLES = ROOT / "cli" / "samples"
"""The hands that come with the program."""


@pytest.fixture(scope="session")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with the sample hands; who writes into it takes a copy."""
    path = tmp_path_factory.mktemp("sampled") / "x.ledger"
    with open_ledger(path) as ledger:
        import_paths(ledger, [SAMPLES])
    return path


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with several hundred hands of a room, with strange names; who writes into it takes a copy."""
    path = tmp_path_factory.mktemp("room") / "x.ledger"
    with open_ledger(path) as ledger:
        import_paths(ledger, [ROOT / "tests" / "formats" / "pokerstars"])
    return path


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of five hands, one of them damaged."""
    path = tmp_path_factory.mktemp("night") / "night.phhs"
    path.write_text(hands(1, 2, 3, 4) + '\n[5]\nvariant = "NT"\nactions = [\n')
    return path


@pytest.fixture(scope="session")
def book(night: Path) -> str:
    """The address of a ledger that holds that file."""
    path = night.parent / "hands.ledger"
    with open_ledger(path) as ledger:
        import_paths(ledger, [night])
    return str(path)
