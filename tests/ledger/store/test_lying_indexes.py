"""An index of PostgreSQL that lacks an entry is found, whichever index it is."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

import ledger
from ledger.entry import Provenance
from ledger.errors import IntegrityError, UsageError
from ledger.intake import import_paths
from ledger.store.database.db_errors import as_store_error
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import empty_schema

SAMPLES = Path("cli/samples")
pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def url(postgres_server: str) -> str:
    """The URL of a sound ledger with hands, a checkpoint and a few appends by key."""
    place = empty_schema(postgres_server)
    with ledger.open(place) as opened:
        import_paths(opened, [SAMPLES])
    return place


@pytest.fixture
def connection(url: str) -> Iterator[psycopg.Connection]:
    """A connection of an insider with full rights."""
    with psycopg.connect(url, autocommit=True) as opened:
        yield opened


INDEXES = """SELECT i.relname, c.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_class c ON c.oid = x.indrelid WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'"""


def lose_entry(connection: psycopg.Connection, index: str, table: str) -> bool:
    """Take one row's entry out of an index and leave the table whole; False if the table is empty."""
    condition = sql.SQL(" WHERE key IS NOT NULL") if index == "log_key" else sql.SQL("")
    name = sql.Identifier(table)
    connection.execute("SET session_replication_role = replica")
    state = "UPDATE pg_index SET indisready = {0}, indisvalid = {0} WHERE indexrelid = %s::regclass"
    connection.execute(state.format("false").encode(), (index,))
    row = connection.execute(
        sql.SQL("SELECT ctid::text FROM {}{} ORDER BY ctid DESC LIMIT 1").format(name, condition)
    ).fetchone()
    if row is not None:
        connection.execute(sql.SQL("CREATE TEMP TABLE lost AS SELECT * FROM {} WHERE ctid = %s::tid").format(name), row)
        connection.execute(sql.SQL("DELETE FROM {} WHERE ctid = %s::tid").format(name), row)
        connection.execute(sql.SQL("INSERT INTO {} SELECT * FROM lost").format(name))
        connection.execute("DROP TABLE lost")
    connection.execute(state.format("true").encode(), (index,))
    connection.execute("SET session_replication_role = origin")
    return row is not None


def verified(url: str) -> list[tuple[str, str]]:
    """What a verification finds."""
    with ledger.open(url, read_only=True) as opened:
        return [(problem.code, problem.reason) for problem in opened.verify()]


def test_every_index_that_lacks_an_entry_is_found(url: str, connection: psycopg.Connection) -> None:
    assert verified(url) == []
    silent = []
    tried = 0
    for index, table in connection.execute(INDEXES).fetchall():
        if not lose_entry(connection, index, table):
            continue
        tried += 1
        if not any(code == "index" and index in reason for code, reason in verified(url)):
            silent.append(index)
        connection.execute(sql.SQL("REINDEX INDEX {}").format(sql.Identifier(index)))
    assert not silent
    assert tried > 10
    assert verified(url) == []


def test_a_key_recorded_twice_behind_a_lying_index_is_found(postgres_server: str) -> None:
    place = empty_schema(postgres_server)
    table_stream = uuid.UUID(int=5)
    keyed = Provenance(5, key="tablet-7:113")
    with ledger.open(place) as opened:
        opened.append("table", table_stream, [HandsMissing("1")], recorded=keyed)
    with psycopg.connect(place, autocommit=True) as connection:
        lose_entry(connection, "log_key", "log")
        with ledger.open(place) as opened:
            opened.append("table", table_stream, [HandsMissing("2")], recorded=keyed)
    assert ("key", "2 appends carry the key of this one: each key is used once") in verified(place)


def test_no_writer_opens_a_ledger_without_the_constraints_it_relies_on(postgres_server: str) -> None:
    place = empty_schema(postgres_server)
    with ledger.open(place):
        pass
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("ALTER TABLE hands DROP CONSTRAINT hands_pkey")
    with pytest.raises(IntegrityError, match="hands is not laid out"):
        ledger.open(place)
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("ALTER TABLE hands ADD PRIMARY KEY (position)")
        connection.execute("DROP INDEX log_key")
    with pytest.raises(IntegrityError, match="log_key"):
        ledger.open(place)


def test_a_nul_byte_in_a_key_is_called_what_it_is(postgres_server: str) -> None:
    with ledger.open(empty_schema(postgres_server)) as opened, pytest.raises(UsageError, match="NUL"):
        opened.append("table", uuid.UUID(int=5), [HandsMissing("1")], recorded=Provenance(5, key="tablet\0"))


def test_a_server_that_takes_no_changes_is_called_that() -> None:
    error = psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction")
    handledger_error = as_store_error(error)
    assert handledger_error is not None
    assert "takes no changes" in handledger_error.message
    assert "primary" in handledger_error.hint
