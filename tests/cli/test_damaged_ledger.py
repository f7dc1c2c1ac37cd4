"""A command that meets a damaged ledger names the damage: it never calls it a fault of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import run_program
from tests.cli.conftest import Run, copy_ledger
from tests.ledger.store.plain import plain_sqlite

COMMANDS = (
    ("audit", "-r", "rrop4"),
    ("log", "--where", "finding:error"),
    ("results",),
    ("findings",),
    ("verify",),
    ("show", "1"),
)
DAMAGE = (
    "UPDATE judged_tables SET result = x'00ff'",
    "UPDATE judged_tables SET result = x''",
    "UPDATE kept_findings SET finding = x'7b'",
    "UPDATE obligations SET owing = x'81ff'",
    "UPDATE log SET count = 4611686018427387904 WHERE position = (SELECT max(position) FROM log)",
    "UPDATE log SET version = 4611686018427387904 WHERE position = (SELECT max(position) FROM log WHERE kind = 1)",
)


@pytest.fixture(scope="session")
def judged(sampled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with findings, for copies."""
    path = copy_ledger(sampled, tmp_path_factory.mktemp("judged"))
    assert run_program(["audit", "-r", "rrop4", "--ledger", str(path)]) in (0, 1)
    return path


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named(run: Run, judged: Path, tmp_path: Path, damage: str) -> None:
    url = str(copy_ledger(judged, tmp_path))
    for command in COMMANDS:
        with plain_sqlite(url) as connection:
            for trigger in ("log_unchanged", "log_kept", "log_follows"):
                connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
            connection.execute(damage)
        result = run(*command, "--ledger", url)
        assert "fault of handledger" not in result.err, command
        assert "Traceback" not in result.err, command
