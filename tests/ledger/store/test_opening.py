"""What may be opened as a ledger, and what is said of everything else."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

import ledger
from ledger.errors import (
    HandledgerError,
    IntegrityError,
    LedgerBusyError,
    NewerLedgerError,
    NoLedgerError,
    NotALedgerError,
    StorageFullError,
    UsageError,
)
from ledger.store import Ledger, default_url
from ledger.store.database.ledger_layout import TABLES
from ledger.store.database.tables import LATER_TABLES, META
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import empty_schema
from tests.ledger.store.hands import draft
from tests.ledger.store.plain import plain_sqlite

STREAM = UUID(int=42)


def test_opening_again_finds_everything(url: str) -> None:
    with ledger.open(url) as book:
        book.append("table", STREAM, [HandsMissing("1")])
        player = book.people.player("V", "Anna")
        book.append_all([draft(1, book.people)])
        head, ledger_id = book.head(), book.id
    with ledger.open(url, create=False) as book:
        assert (book.head(), book.id) == (head, ledger_id)
        assert book.people.player("V", "Anna") == player
        assert book.people.name(player) == "Anna"
        assert book.verify() == []


def test_a_ledger_that_is_not_there_is_not_made_unasked(url: str) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(NoLedgerError, match="there is no ledger"):
            ledger.open(url, **options)


def test_a_missing_file_stays_missing(tmp_path: Path) -> None:
    with pytest.raises(NoLedgerError):
        ledger.open(tmp_path / "none.ledger", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_opened_for_reading_takes_nothing(url: str) -> None:
    with ledger.open(url) as book:
        book.append("table", STREAM, [HandsMissing("1")])
    with ledger.open(url, read_only=True) as book:
        assert len(book.entries(STREAM)) == 1
        assert book.verify() == []
        with pytest.raises(StorageFullError, match="reading only"):
            book.append("table", STREAM, [HandsMissing("2")])
        with pytest.raises(HandledgerError), book.database.reading() as link:
            link.execute("INSERT INTO erased (id) VALUES ('x')")


@pytest.mark.parametrize(
    "content", [b"PokerStars Hand #1: ...\n" * 50, b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 500]
)
def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(content)
    with pytest.raises((NotALedgerError, IntegrityError)):
        ledger.open(file)
    assert file.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with plain_sqlite(file) as connection:
        connection.execute("CREATE TABLE players (name TEXT)")
    connection.close()
    data = file.read_bytes()
    with pytest.raises(NotALedgerError, match="another program"):
        ledger.open(file)
    assert file.read_bytes() == data


@pytest.mark.postgres
def test_another_programs_schema_is_refused(postgres_server: str) -> None:
    url = empty_schema(postgres_server)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE players (name text)")
    with pytest.raises(NotALedgerError, match="another program"):
        ledger.open(url)


def test_a_newer_ledger_is_refused(url: str) -> None:
    ledger.open(url).close()
    if url.startswith("sqlite"):
        with plain_sqlite(url.removeprefix("sqlite:///")) as connection:
            connection.execute("PRAGMA user_version = 3")
        connection.close()
    else:
        with psycopg.connect(url) as server:
            server.execute("UPDATE about SET value = '3' WHERE name = 'layout'")
    with pytest.raises(NewerLedgerError, match="newer handledger"):
        ledger.open(url)


def test_a_server_that_does_not_answer_is_said_so() -> None:
    with pytest.raises(HandledgerError, match="no connection"):
        ledger.open("postgresql://nobody@127.0.0.1:1/none")


def test_other_databases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in mysql"):
        ledger.open("mysql://x/y")
    with pytest.raises(UsageError):
        ledger.open("://")
    with pytest.raises(UsageError):
        ledger.open("")
    with pytest.raises(NotALedgerError, match="folder"):
        ledger.open(tmp_path)


def test_the_layout_names_the_tables_that_are_made() -> None:
    assert {*META.tables, *LATER_TABLES.tables} == TABLES


@pytest.mark.parametrize("name", ["a?b=c.ledger", "50%.ledger", "a#b", "sqlite:x"])
def test_what_a_ledger_says_of_its_address_opens_it_again(tmp_path: Path, name: str) -> None:
    with ledger.open(tmp_path / name) as book:
        assert book.database.address.name == str(tmp_path / name)
        with ledger.open(book.database.address.full_url, create=False) as reopened:
            assert reopened.id == book.id


def test_reading_from_many_threads_keeps_few_connections_and_closing_ends_them(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "x.ledger") as book:
        barrier = threading.Barrier(12)

        def read() -> None:
            with book.database.reading():
                barrier.wait(30)

        threads = [threading.Thread(target=read) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(book.database._idle_connections) == 5
        with book.database.reading() as link:
            book.close()
            assert link.execute("SELECT 1").fetchone() == (1,), "what is read is not ended under the reader's feet"
        assert _open_files(tmp_path / "x.ledger") == 0


def _open_files(path: Path) -> int:
    """How often this process has a file open."""
    return sum(os.path.realpath(descriptor) == str(path) for descriptor in Path("/proc/self/fd").iterdir())


def test_a_ledger_in_memory_is_gone_when_closed() -> None:
    with ledger.open("sqlite://") as book:
        book.append_all([draft(1, book.people)])
        assert len(list(book.hands())) == 1
        path = book.database.path
    assert not path.exists()


def test_the_ledger_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HANDLEDGER_URL", str(tmp_path / "deep" / "my.ledger"))
    with ledger.open() as book:
        assert book.database.path == tmp_path / "deep" / "my.ledger"
    assert stat.S_IMODE((tmp_path / "deep" / "my.ledger").stat().st_mode) == 0o600
    monkeypatch.delenv("HANDLEDGER_URL")
    assert default_url().endswith("hands.ledger")


@pytest.mark.parametrize("prefix", ["", "sqlite:///"])
def test_a_mistyped_folder_is_refused_and_not_made(tmp_path: Path, prefix: str) -> None:
    path = tmp_path / "nights" / "2026" / "my.ledger"
    with pytest.raises(NoLedgerError, match="doesn't exist") as refused:
        ledger.open(f"{prefix}{path}")
    assert str(path.parent) in str(refused.value)
    assert "make the folder first" in refused.value.hint
    assert not list(tmp_path.iterdir())
    path.parent.mkdir(parents=True)
    ledger.open(f"{prefix}{path}").close()
    assert path.exists()


def test_a_ledger_that_another_program_writes_to_is_busy(tmp_path: Path) -> None:
    file = tmp_path / "busy.ledger"
    with ledger.open(file, timeout=0.05) as book:
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusyError):
            book.append("table", STREAM, [HandsMissing("1")])
        with pytest.raises(LedgerBusyError):
            book.append_all([draft(1, book.people)])
        connection.execute("ROLLBACK")
        connection.close()
        assert book.append("table", STREAM, [HandsMissing("1")]).version == 1
        assert book.append_all([draft(1, book.people)])[0].state == "new"


def test_a_disk_that_is_full_loses_nothing(tmp_path: Path) -> None:
    with ledger.open(tmp_path / "full.ledger") as book:
        book.append("table", STREAM, [HandsMissing("0")])
        link = book.database._writer(bulk=False)
        pages = link.execute("PRAGMA page_count").fetchone()[0]
        link.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFullError, match="cannot be written"):
            book.append_all([draft(n, book.people) for n in range(500)])
        link.execute("PRAGMA max_page_count = 1000000")
        assert book.verify() == []
        assert len(book.append_all([draft(n, book.people) for n in range(500)])) == 500
        assert book.verify() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageFullError):
        ledger.open(tmp_path / "new.ledger")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TRIGGER log_kept",
        "CREATE TRIGGER spy AFTER INSERT ON log BEGIN DELETE FROM names; END",
        "CREATE TRIGGER spy AFTER INSERT ON names BEGIN SELECT 1; END",
        "DROP VIEW events",
    ],
)
def test_a_ledger_with_other_triggers_than_ours_is_not_written_to(tmp_path: Path, sql: str) -> None:
    file = tmp_path / "hostile.ledger"
    ledger.open(file).close()
    with plain_sqlite(file) as connection:
        connection.execute(sql)
    connection.close()
    with pytest.raises(IntegrityError, match="triggers"):
        ledger.open(file)
    with ledger.open(file, read_only=True) as book:
        assert "guard" in {p.code for p in book.verify()}


def test_many_open_a_new_ledger_at_once(new_url: Callable[[], str]) -> None:
    url, books, errors = new_url(), [], []

    def work() -> None:
        try:
            books.append(ledger.open(url))
        except Exception as error:  # noqa: BLE001 - it is what the test asks
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len({book.id for book in books}) == 1
    assert books[0].head()[0] == 1
    for book in books:
        book.close()


def test_a_closed_ledger_leaves_one_file(tmp_path: Path) -> None:
    book: Ledger = ledger.open(tmp_path / "one.ledger")
    with book.bulk():
        book.append_all([draft(n, book.people) for n in range(50)])
    book.close()
    assert [file.name for file in tmp_path.iterdir()] == ["one.ledger"]


def test_a_schema_whose_text_is_damaged_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger"
    ledger.open(path).close()
    data = path.read_bytes()
    index = data.index(b"CREATE TABLE log")
    for wrong in (b"CREATE TABL\xd4 log", b"CREATE\xffTABLE log", b"\xd4REATE TABLE log"):
        path.write_bytes(data[:index] + wrong + data[index + len(wrong) :])
        with pytest.raises(HandledgerError, match="damaged|no ledger|not"):  # noqa: RUF043 - any of our own words
            ledger.open(path, create=False)


def test_a_lost_connection_writes_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("sqlalchemy.pool").error("Exception during reset", exc_info=ValueError("x"))
    assert capfd.readouterr().err == ""
