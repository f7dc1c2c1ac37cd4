"""Every column of a ledger at values that no ledger writes: a verification names it, and ends soon."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import psycopg
import pytest

import ledger
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import Ledger
from ledger.store.seals import sealer
from tests.laws import FULL_SIZE
from tests.ledger.store.conftest import empty_schema
from tests.ledger.store.plain import plain_sqlite

SAMPLES = Path("cli/samples")
VALUES = {
    "INTEGER": ("'text'", "9223372036854775807", "-9223372036854775808", "x'00ff'", "1.5"),
    "TEXT": ("x'00ff'",),
    "BLOB": ("'text'", "7", "-9223372036854775808"),
}
UNLOOKED = {"snapshots"}
"""Of other programs: a verification says that it doesn't look at them."""


def fill(opened: Ledger, folder: Path) -> None:
    """Import hands and seal the ledger, so that every table has rows."""
    import_paths(opened, [SAMPLES])
    key_file = folder / "room.key"
    key = HeldKey(sealer.origin(opened, "room.example"), keys.create_key(key_file))
    sealer.seal(opened, key, keys.SignatureMemory(key_file))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed ledger of some dozens of commits."""
    folder = tmp_path_factory.mktemp("sound")
    with ledger.open(folder / "x.ledger") as opened:
        fill(opened, folder)
        assert opened.verify() == []
    return folder / "x.ledger"


def is_row_number(connection: sqlite3.Connection, table: str, column: str) -> bool:
    """Whether SQLite keeps the column as the row's own number, which is an integer whatever happens."""
    keys_ = connection.execute("SELECT name, type FROM pragma_table_info(?) WHERE pk", (table,)).fetchall()
    schema = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    return keys_ == [(column, "INTEGER")] and "WITHOUT ROWID" not in schema


def columns_with_rows(file: Path) -> list[tuple[str, str, str]]:
    """Return table, column and type of each column that has a row."""
    with plain_sqlite(file) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [
            (table, name, declared)
            for table in tables
            if table not in UNLOOKED and connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for name, declared in connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            if declared in VALUES and not is_row_number(connection, table, name)
        ]


def spoil(file: Path, table: str, column: str, value: str) -> None:
    """Put a value into one row, past every rule of the table, and leave the schema as it was."""
    with plain_sqlite(file) as connection:
        schema = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
        triggers = [row[0] for row in connection.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")]
        for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {row[0]}")
        connection.execute("PRAGMA writable_schema = ON")
        loose = re.sub(rf'("?{column}"?) (INTEGER|TEXT|BLOB)\b', r"\1 ANY", schema.replace("STRICT", "")).rstrip(" ,\n")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (loose, table))
    with plain_sqlite(file) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        keys_ = [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?) WHERE pk", (table,))]
        key = ", ".join(f'"{name}"' for name in keys_) or "rowid"
        connection.execute(
            f'UPDATE {table} SET "{column}" = {value} WHERE ({key}) = (SELECT {key} FROM {table} LIMIT 1)'
        )
    with plain_sqlite(file) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (schema, table))
        for trigger in triggers:
            connection.execute(trigger)


@pytest.mark.law
def test_a_value_that_no_ledger_writes_is_named_in_every_column(sound: Path, tmp_path: Path) -> None:
    silent = []
    spoiled = tmp_path / "spoiled.ledger"
    for number, (table, column, declared) in enumerate(columns_with_rows(sound)):
        values = VALUES[declared] if FULL_SIZE else [VALUES[declared][number % len(VALUES[declared])]]
        for value in values:
            shutil.copy(sound, spoiled)
            try:
                spoil(spoiled, table, column, value)
            except Exception as error:  # noqa: BLE001 - whatever stops the damage is told
                silent.append((table, column, value, repr(error)))
                continue
            try:
                with ledger.open(spoiled, read_only=True) as opened:
                    if not opened.verify():
                        silent.append((table, column, value, "SOUND"))
            except ledger.errors.HandledgerError:
                pass  # refused by name at opening
    assert not silent, "\n".join(map(str, silent))


@pytest.mark.parametrize("size", [-1, -(2**63), 2**63 - 1])
def test_a_size_of_a_checkpoint_that_no_log_has_is_named_and_the_verification_ends(
    sound: Path, tmp_path: Path, size: int
) -> None:
    spoiled = tmp_path / "spoiled.ledger"
    shutil.copy(sound, spoiled)
    with plain_sqlite(spoiled) as connection:
        connection.execute("UPDATE checkpoints SET size = ?", (size,))
    with ledger.open(spoiled, read_only=True) as opened:
        reasons = [problem.reason for problem in opened.verify()]
    assert f"the log does not say that the ledger's checkpoint of {size} commits was signed" in reasons


@pytest.mark.postgres
def test_a_number_out_of_all_bounds_is_named_on_postgres(postgres_server: str, tmp_path: Path) -> None:
    url = empty_schema(postgres_server)
    with ledger.open(url) as opened:
        fill(opened, tmp_path)
        assert opened.verify() == []
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE tiles SET level = 2147483647")
    with ledger.open(url, read_only=True) as opened:
        assert ("column", "tiles.level holds what no ledger writes, in 1 row") in [
            (problem.code, problem.reason) for problem in opened.verify()
        ]


@pytest.mark.postgres
def test_null_where_none_may_be_is_named_on_postgres(postgres_server: str, tmp_path: Path) -> None:
    url = empty_schema(postgres_server)
    with ledger.open(url) as opened:
        fill(opened, tmp_path)
    mark = "UPDATE pg_attribute SET attnotnull = %s WHERE attrelid = 'hands'::regclass AND attname = 'format'"
    with psycopg.connect(url) as connection:  # as a damaged page does: the catalog goes on saying NOT NULL
        connection.execute(mark, (False,))
        connection.execute("UPDATE hands SET format = NULL WHERE position = (SELECT max(position) FROM hands)")
        connection.execute(mark, (True,))
    with ledger.open(url, read_only=True) as opened:
        reasons = [problem.reason for problem in opened.verify()]
    assert "hands.format holds what no ledger writes, in 1 row" in reasons


@pytest.mark.postgres
def test_the_kept_tree_that_is_gone_is_named_on_postgres(postgres_server: str, tmp_path: Path) -> None:
    url = empty_schema(postgres_server)
    with ledger.open(url) as opened:
        fill(opened, tmp_path)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE tiles")
    with ledger.open(url, read_only=True) as opened:
        reasons = [problem.reason for problem in opened.verify()]
    assert "the table tiles is gone: it holds the Merkle tree over what was signed" in reasons
