"""Whatever somebody changes around the tables of a ledger in a SQLite file is found, or the verdict names it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ledger
from ledger.errors import HandledgerError, IntegrityError
from ledger.store.database.tables import LATER_TABLES
from ledger.store.requests.erasure import list_blind_spots
from tests.cli.conftest import Run, run
from tests.ledger.store.plain import plain_sqlite

__all__ = ["run"]

GUARDS = {
    "BEFORE UPDATE ON log BEGIN": "DROP TRIGGER log_unchanged; CREATE TRIGGER log_unchanged BEFORE UPDATE ON log WHEN 0 BEGIN SELECT RAISE(ROLLBACK, 'handledger: what is in the log stays as it is'); END",
    "another body": "DROP TRIGGER log_kept; CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN SELECT 1; END",
    "on another table": "DROP TRIGGER log_follows; CREATE TRIGGER log_follows BEFORE INSERT ON places BEGIN SELECT 1; END",
    "gone": "DROP TRIGGER dictionary_kept",
    "foreign": "CREATE TRIGGER spy AFTER INSERT ON names BEGIN DELETE FROM erased; END",
    "a view that lies": "DROP VIEW events; CREATE VIEW events AS SELECT 1 AS position",
    "a view that is a table": "DROP VIEW events; CREATE TABLE events (position)",
    "no view": "DROP VIEW events",
}

TABLES = {
    "a table that is a view": "ALTER TABLE names RENAME TO names_; CREATE VIEW names AS SELECT * FROM names_",
    "another column": "ALTER TABLE names ADD COLUMN more TEXT",
    "a default": "DROP TABLE snapshots; CREATE TABLE snapshots (purpose TEXT DEFAULT 'x' NOT NULL)",
    "no uniqueness": "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE (clock, \"by\")', 'CHECK (1)') WHERE name = 'writers'",
    "not strict": "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'progress'",
    "no key index": "DROP INDEX log_key",
    "another key index": "DROP INDEX log_key; CREATE UNIQUE INDEX log_key ON log (key) WHERE key = 'x'",
    "gone": "DROP TABLE tracking",
    "a virtual table": "CREATE VIRTUAL TABLE found USING fts5(words)",
    "a foreign view": "CREATE VIEW theirs AS SELECT 1",
    "stamps of another layout": "DROP TABLE stamps; CREATE TABLE stamps (size INTEGER, number INTEGER, answer BLOB)",
}

NAMED_CHANGES = {
    "CREATE TABLE theirs (x)": "tables that are not handledger's: theirs",
    "CREATE INDEX quicker ON names (name)": "indexes that are not handledger's: quicker",
    "CREATE INDEX sittings_player ON names (name)": "indexes that are not handledger's: sittings_player",
}


def make_ledger(folder: Path) -> Path:
    path = folder / "x.ledger"
    with ledger.open(path) as book:
        with book.database.core(write=True) as core:
            LATER_TABLES.create_all(core)
        assert book.verify() == []
    return path


def do(path: Path, sql: str) -> None:
    with plain_sqlite(path) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")  # what names a table is left as it is
        connection.executescript(sql)


@pytest.mark.parametrize("deed", [*GUARDS.values(), *TABLES.values()], ids=[*GUARDS, *TABLES])
def test_guards_and_tables_are_compared_word_by_word(tmp_path: Path, deed: str) -> None:
    path = make_ledger(tmp_path)
    do(path, deed)
    try:
        with ledger.open(path, read_only=True) as book:
            assert {p.code for p in book.verify()} & {"guard", "layout", "file"}
    except HandledgerError:
        pass  # not even opened


@pytest.mark.parametrize("deed", GUARDS.values(), ids=GUARDS)
def test_nothing_is_written_where_the_guards_were_changed(tmp_path: Path, deed: str) -> None:
    path = make_ledger(tmp_path)
    do(path, deed)
    with pytest.raises(IntegrityError):
        ledger.open(path)


@pytest.mark.parametrize("deed", NAMED_CHANGES)
def test_what_lies_around_the_tables_is_named(tmp_path: Path, deed: str) -> None:
    path = make_ledger(tmp_path)
    do(path, deed)
    with ledger.open(path, read_only=True) as book:
        assert book.verify() == []
        assert NAMED_CHANGES[deed] in list_blind_spots(book)


def test_a_line_of_the_verdict_that_does_not_hold_has_no_tick(tmp_path: Path, run: Run) -> None:
    path = make_ledger(tmp_path)
    sound = run("verify", "--ledger", str(path))
    assert sound.code == 0
    assert "✓ the tables, and the triggers" in sound.out
    assert "shows only against a checkpoint kept elsewhere" in sound.out.rstrip().rpartition("\n")[2]
    do(path, GUARDS["another body"])
    broken = run("verify", "--ledger", str(path))
    assert broken.code == 4
    assert "✗ the tables, and the triggers" in broken.out
    assert "✓ the index of hands" in broken.out
    assert "\nBROKEN in 1 place:" in broken.out
