"""A damaged index of hands is named by every command that reads it: none lists fewer hands and exits 0."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import Run, copy_ledger
from tests.ledger.store.conftest import empty_schema, postgres_server
from tests.ledger.store.plain import plain_sqlite

__all__ = ["postgres_server"]

FIRST = "(SELECT min(position) FROM hands)"
AT_OPENING = {
    "a position past the head": f"UPDATE hands SET position = 4611686018427387904 WHERE position = {FIRST}",
    "a position before the log": f"UPDATE hands SET position = -1 WHERE position = {FIRST}",
    "a hand at no table": f"UPDATE hands SET place = 999 WHERE position = {FIRST}",
    "a hand at table 0": f"UPDATE hands SET place = 0 WHERE position = {FIRST}",
    "another id of the first table": "UPDATE places SET id = 999 WHERE id = 1",
    "another id of the last table": "UPDATE places SET id = 998 WHERE id = (SELECT max(id) FROM places)",
    "a table gone": "DELETE FROM places WHERE id = 2",
    "all hands gone": "DELETE FROM hands",
}
"""What bounds of the index's columns show; every command says so."""

WHEN_READ = {
    "a position within the log": (f"UPDATE hands SET position = position - 1 WHERE position = {FIRST}", True),
    "another number": (f"UPDATE hands SET number = 'X' WHERE position = {FIRST}", False),
    "another table's name": ("UPDATE places SET name = 'X' WHERE id = 1", True),
    "another room": ("UPDATE places SET venue = 'X' WHERE id = 1", True),
    "another table that is there": (f"UPDATE hands SET place = 5 - place, account = 9 WHERE position = {FIRST}", True),
    "another time": (f"UPDATE hands SET started = 1 WHERE position = {FIRST}", False),
}
"""What only the hand itself contradicts, and whether an audit reads it from the index."""


LOST = ("about", "hands", "places", "names", "log", "tracking")
AUDIT = ("audit", "-r", "rrop4")


@pytest.fixture
def url(sampled: Path, tmp_path: Path) -> str:
    """A ledger with several tables."""
    return str(copy_ledger(sampled, tmp_path))


def change(url: str, sql: str) -> None:
    """Change a ledger behind the program's back."""
    if "://" in url:
        with psycopg.connect(url) as connection:
            connection.execute(sql.encode())
        return
    with plain_sqlite(url) as link:
        link.execute(sql)


def damage_named(run: Run, url: str, *command: str) -> None:
    """Check that a command names the damage, with what to do."""
    result = run(*command, "--ledger", url)
    assert result.code == 4, (command, result)
    words = " ".join(result.err.split())
    assert "is damaged" in words, words
    assert "verify" in words, words
    assert "fault of handledger" not in words


@pytest.mark.parametrize("name", AT_OPENING)
def test_every_command_names_an_index_that_is_out_of_bounds(run: Run, url: str, name: str) -> None:
    assert run("log", "--ledger", url).code == 0
    change(url, AT_OPENING[name])
    for command in (("log",), AUDIT, ("results",), ("import", "cli/samples")):
        damage_named(run, url, *command)
    assert run("verify", "--ledger", url).code == 4


@pytest.mark.parametrize("name", WHEN_READ)
def test_whoever_reads_a_hand_names_an_index_that_contradicts_it(run: Run, url: str, name: str) -> None:
    sql, audit_reads_it = WHEN_READ[name]
    change(url, sql)
    for command in (("log", "--limit", "0"), *([AUDIT] if audit_reads_it else [])):
        damage_named(run, url, *command)
    assert run("verify", "--ledger", url).code == 4


def test_an_audit_names_a_hand_that_the_index_lacks(run: Run, url: str) -> None:
    change(url, f"DELETE FROM hands WHERE position = {FIRST}")
    damage_named(run, url, *AUDIT)
    assert run("verify", "--ledger", url).code == 4


def test_an_audit_from_what_is_kept_names_a_table_that_was_renamed(run: Run, url: str) -> None:
    assert run(*AUDIT, "--ledger", url).code == 1
    change(url, "UPDATE places SET name = 'X' WHERE id = 1")
    damage_named(run, url, *AUDIT)


@pytest.mark.parametrize("table", LOST)
def test_a_core_table_that_is_gone_is_named_with_the_file(run: Run, url: str, table: str) -> None:
    change(url, f"DROP TABLE {table}")
    for command in (("log",), AUDIT, ("verify",)):
        result = run(*command, "--ledger", url)
        words = " ".join((result.err + result.out).split())
        assert result.code == 4, (command, words)
        assert f"the table {table} is gone" in words
        assert Path(url).name in words
        assert "backup" in words


@pytest.mark.postgres
def test_the_same_holds_on_postgresql(run: Run, postgres_server: str) -> None:
    for sql in (AT_OPENING["a position past the head"], AT_OPENING["a hand at no table"], WHEN_READ["another room"][0]):
        url = empty_schema(postgres_server)
        run("import", "cli/samples", "--ledger", url)
        assert run("log", "--ledger", url).code == 0
        change(url, sql)
        damage_named(run, url, "log", "--limit", "0")
    for table in ("about", "hands"):
        url = empty_schema(postgres_server)
        run("import", "cli/samples", "--ledger", url)
        change(url, f"DROP TABLE {table} CASCADE")
        result = run("log", "--ledger", url)
        assert (result.code, f"the table {table} is gone" in " ".join(result.err.split())) == (4, True), result
