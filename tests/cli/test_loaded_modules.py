"""Which modules a command loads. Starting takes most of a short command's time, and nobody sees it creep back."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from cli.main import run_program
from tests.conftest import ROOT

SAMPLE = ROOT / "cli/samples/riverside-nl-evening.hand"
LISTS = """
import sys
from cli.main import run_program
code = run_program(sys.argv[1:])
print("\\nLOADED", code, *sorted(sys.modules))
"""
DATABASE = ("sqlalchemy", "psycopg")
QUERIES = ("lark", "projections.queries.ledger_query")
WALK = (
    "projections.audit.auditor",
    "projections.table_walk.table_context",
    "projections.detectors.blinds",
    "ledger.hand.fold",
)
PAGES = ("jinja2", "web")
SIGNATURES = ("cryptography", "ledger.seal.note")
READERS = ("ledger.readers.hand", "ledger.formats.pokerstars", "ledger.formats.handscript", "ledger.intake")
RARE_LIBRARIES = ("asyncio", "email", "http", "ssl", "eventsourcing")

NOT_LOADED = {
    "show T7/408": (
        *DATABASE,
        *QUERIES,
        *PAGES,
        *SIGNATURES,
        *READERS,
        *RARE_LIBRARIES,
        "projections.audit.auditor",
        "projections.books.rulebook",
    ),
    "log -n 3": (
        *DATABASE,
        *QUERIES,
        *PAGES,
        *SIGNATURES,
        *READERS,
        *RARE_LIBRARIES,
        "projections.audit.auditor",
        "projections.books.rulebook",
    ),
    "due T7 -r hilton": (
        *DATABASE,
        *QUERIES,
        *PAGES,
        *SIGNATURES,
        *READERS,
        *RARE_LIBRARIES,
        "projections.audit.auditor",
    ),
    "audit -r hilton": (*DATABASE, *QUERIES, *PAGES, *SIGNATURES, *READERS, *RARE_LIBRARIES, *WALK),
    "audit -r hilton --format json": (
        *DATABASE,
        *QUERIES,
        *PAGES,
        *SIGNATURES,
        *READERS,
        *RARE_LIBRARIES,
        "projections.audit.auditor",
    ),
    "report T7/408 -r hilton": (*DATABASE, *QUERIES, *SIGNATURES, *READERS, *RARE_LIBRARIES),
}
"""Command → what it does not load. The ledger has been judged before, to its end."""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ledger = tmp_path_factory.mktemp("judged") / "one.ledger"
    assert run_program(["import", str(SAMPLE), "--ledger", str(ledger)]) == 0
    assert run_program(["audit", "-r", "hilton", "--ledger", str(ledger)]) == 1
    return ledger


@pytest.mark.slow
@pytest.mark.parametrize("command", NOT_LOADED)
def test_a_command_loads_only_what_it_needs(command: str, judged: Path) -> None:
    loaded = modules(command, judged)
    names = [
        name
        for name in NOT_LOADED[command]
        if name in loaded or any(module_name.startswith(f"{name}.") for module_name in loaded)
    ]
    assert not names, f"handledger {command} loads {', '.join(names)}"


@pytest.mark.slow
def test_a_ledger_with_new_hands_is_judged(judged: Path) -> None:
    """The same command loads the walk where there is something to judge: what it leaves out is no accident."""
    loaded = modules("audit -r rrop4", judged)
    assert {"sqlalchemy", "projections.audit.auditor"} <= loaded


@cache
def modules(command: str, ledger: Path) -> frozenset[str]:
    """Return the modules that are loaded when a command has run."""
    result = subprocess.run(
        [sys.executable, "-c", LISTS, *command.split(), "--ledger", str(ledger)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, *names = result.stdout.rpartition("\nLOADED ")[2].split()
    assert code in {"0", "1"}, result.stderr
    return frozenset(names)
