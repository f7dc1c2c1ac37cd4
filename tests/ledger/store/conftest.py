"""An empty place for a ledger, once in SQLite and once in PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

import ledger
from ledger.store import Ledger
from tests.postgres import NoPostgresError, server

STORES = [pytest.param("sqlite", id="sqlite"), pytest.param("postgres", id="postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server of these tests' own; skips where there is no PostgreSQL."""
    running = server()
    try:
        url = running.__enter__()
    except NoPostgresError as error:
        pytest.skip(str(error))
    yield url
    running.__exit__(None, None, None)


def empty_schema(server_url: str) -> str:
    """The URL of a new schema of the server."""
    name = "t" + secrets.token_hex(6)
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{server_url}?options={quote('-csearch_path=' + name, safe='')}"


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    """Which store this test runs on."""
    return str(request.param)


@pytest.fixture
def new_url(store: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the URL of a place where no ledger is yet, another each time."""
    if store == "sqlite":
        return lambda: f"sqlite:///{tmp_path / secrets.token_hex(4)}.ledger"
    server_url = request.getfixturevalue("postgres_server")
    return lambda: empty_schema(server_url)


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


class Clock:
    """A clock that tells a second more each time."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


@pytest.fixture
def book(url: str) -> Iterator[Ledger]:
    """A new ledger."""
    with ledger.open(url, clock=Clock()) as opened:
        yield opened
