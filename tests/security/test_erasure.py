"""After a person is forgotten no byte of the name is left: database, journal, statistics, a copy put back.

On PostgreSQL after the statements that `people forget` ends with were run; the whole data directory is
searched.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import ledger
from ledger.intake import ImportOptions, import_paths
from ledger.store import Ledger
from ledger.store.database import postgres_remains
from ledger.store.requests.erasure import erase
from tests.cli.conftest import Run, run
from tests.ledger.store.conftest import empty_schema
from tests.ledger.store.test_erasing import NAME, evening, person, traces
from tests.postgres import NoPostgresError, ServerUrl, server

__all__ = ["run"]

SECOND = NAME.split()[1]
"""Of the name only: pages and logs may cut it anywhere."""


@pytest.fixture
def own_server() -> Iterator[ServerUrl]:
    """A server that nobody else writes to: all that it keeps is searched."""
    try:
        with server() as url:
            yield url
    except NoPostgresError as error:
        pytest.skip(str(error))


def told_often(book: Ledger, folder: Path) -> str:
    """Import a person's hands, and say the name in texts; return the person's id."""
    import_paths(book, [evening(folder)])
    for number in range(3):
        book.people.text(f"{NAME} was warned, {number}")
    import_paths(book, [evening(folder)], ImportOptions(hide_cards=True))
    return person(book)


def data_folder(url: str) -> Path:
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row
    return Path(row[0])


@pytest.mark.postgres
def test_postgres_keeps_no_byte_of_a_name_once_its_statements_were_run(
    own_server: ServerUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("HANDLEDGER_ERASED", str(tmp_path / "lists"))
    url = empty_schema(own_server)
    folder = data_folder(own_server)
    with ledger.open(url) as book:
        forgotten_player = told_often(book, tmp_path)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ANALYZE")
        row = connection.execute(
            "SELECT count(*) FROM pg_stats WHERE pg_stats::text LIKE %s", (f"%{NAME}%",)
        ).fetchone()
        assert row == (0,), "statistics are off for what is private"
        connection.execute("CHECKPOINT")
        assert traces(folder, SECOND), "the name is there to be searched for"
        result = run("people", "forget", forgotten_player, "--ledger", url, "--format", "json")
        assert result.code == 0
        for advice in result.document["beyond"]:
            statements = advice.partition("runs: ")[2]
            for statement in filter(None, statements.split("; ")):
                connection.execute(statement.encode())
        assert traces(folder, SECOND) == []
        connection.execute("ANALYZE")
        assert connection.execute(
            "SELECT count(*) FROM pg_stats WHERE pg_stats::text LIKE %s", (f"%{NAME}%",)
        ).fetchone() == (0,)
    (path,) = (tmp_path / "lists").iterdir()
    assert forgotten_player in path.read_text()
    assert str(path) in "".join(result.document["beyond"])


@pytest.mark.postgres
def test_an_older_ledger_in_postgres_loses_the_samples_that_were_taken(own_server: ServerUrl, tmp_path: Path) -> None:
    url = empty_schema(own_server)
    with ledger.open(url) as book:
        told_often(book, tmp_path)
    with psycopg.connect(url, autocommit=True) as connection:
        for table, columns in postgres_remains.PRIVATE.items():
            for column in columns:
                connection.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS -1".encode())
        connection.execute("ANALYZE")
        samples_query = ("SELECT count(*) FROM pg_stats WHERE pg_stats::text LIKE %s", (f"%{NAME}%",))
        assert connection.execute(*samples_query).fetchone() != (0,), "as an earlier version left it"
        with ledger.open(url) as book:
            assert book.verify() == []
        assert connection.execute(*samples_query).fetchone() == (0,)
        connection.execute("ANALYZE")
        assert connection.execute(*samples_query).fetchone() == (0,)


@pytest.mark.postgres
def test_a_dump_of_postgres_that_is_put_back_does_not_show_the_name(
    own_server: ServerUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("HANDLEDGER_ERASED", str(tmp_path / "lists"))
    url = empty_schema(own_server)
    with ledger.open(url) as book:
        forgotten_player = told_often(book, tmp_path)
    with psycopg.connect(own_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE dump TEMPLATE postgres")
    with ledger.open(url) as book:
        erase(book, forgotten_player)
    dump = url.replace("/postgres?", "/dump?")
    for words in (["people", "list"], ["log"], ["verify"], ["show", "1"], ["sources"]):
        result = run(*words, "--ledger", dump)
        assert NAME not in result.out + result.err, words
    text = " ".join(run("verify", "--ledger", dump).out.split())  # its lines are wrapped
    assert "anything about 1 person who was forgotten since this copy was made" in text
    monkeypatch.setenv("HANDLEDGER_ERASED", str(tmp_path / "elsewhere"))
    assert NAME in run("people", "list", "--ledger", dump).out
    text = " ".join(run("verify", "--ledger", dump).out.split())
    assert f"there is no list of forgotten people at {tmp_path / 'elsewhere'}" in text
    monkeypatch.setenv("HANDLEDGER_ERASED", str(tmp_path / "lists"))
    with ledger.open(dump) as book:
        assert book.people.find_players(NAME) == []
        assert book.verify() == []


def test_sqlite_keeps_no_byte_of_a_name(tmp_path: Path, run: Run) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = home / "x.ledger"
    with ledger.open(path) as book:
        forgotten_player = told_often(book, tmp_path)
    shutil.copy(path, tmp_path / "backup")
    connection = sqlite3.connect(path)
    connection.execute("ANALYZE")
    connection.commit()
    connection.close()
    assert traces(home, SECOND)
    result = run("people", "forget", forgotten_player, "--ledger", str(path))
    assert result.code == 0
    assert "! not reached: copies and backups" in result.out
    assert traces(home, SECOND) == []
    for journal in home.glob("x.ledger-*"):
        journal.unlink()
    shutil.copy(tmp_path / "backup", path)
    for words in (["people", "list"], ["log"], ["verify"], ["show", "1"], ["sources"]):
        output = run(*words, "--ledger", str(path))
        assert NAME not in output.out + output.err, words
    with ledger.open(path):
        pass
    assert traces(home, SECOND) == []
    assert json.loads(run("verify", "--ledger", str(path), "--format", "json").out)["sound"]
