"""A ledger that is closed while other threads read: none loses its connection in the middle."""

from __future__ import annotations

import threading
import time
from typing import Any

import psycopg
import pytest

import ledger
from ledger.store import Ledger
from tests.ledger.store.conftest import empty_schema

_WAIT = 20


def test_a_thread_that_reads_while_the_ledger_is_closed_reads_on(url: str) -> None:
    book: Ledger = ledger.open(url)
    event, closed, rows = threading.Event(), threading.Event(), list[Any]()

    def read() -> None:
        with book.database.reading() as link:
            link.execute("SELECT count(*) FROM log").fetchone()
            event.set()
            closed.wait(_WAIT)
            rows.extend(link.execute("SELECT count(*) FROM log").fetchone())

    reading = threading.Thread(target=read)
    reading.start()
    assert event.wait(_WAIT)
    book.close()
    closed.set()
    reading.join(_WAIT)
    assert rows == [1]


@pytest.mark.postgres
def test_no_connection_stays_open_behind_threads_that_read_while_the_ledger_is_closed(postgres_server: str) -> None:
    """A connection that was ended while a thread used it once freed memory twice: the program fell."""
    errors: list[Exception] = []
    for _ in range(6):
        name = "closing"
        book = ledger.open(f"{empty_schema(postgres_server)}&application_name={name}")
        stop, busy = threading.Event(), threading.Barrier(5)
        threads = [threading.Thread(target=_read_on, args=(book, busy, stop, errors)) for _ in range(4)]
        for thread in threads:
            thread.start()
        busy.wait(_WAIT)
        book.close()
        stop.set()
        for thread in threads:
            thread.join(_WAIT)
        assert not any(thread.is_alive() for thread in threads)
        assert count_connections(postgres_server, name) == 0
    assert errors == []


def _read_on(book: Ledger, busy: threading.Barrier, stop: threading.Event, errors: list[Exception]) -> None:
    book.head()
    busy.wait(_WAIT)
    while not stop.is_set():
        try:
            book.head()
        except Exception as error:  # noqa: BLE001 - it is what the test asks
            errors.append(error)


def count_connections(server: str, name: str) -> int:
    """Return how many connections of this name the server still has, when it had time to see them end."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    count = 0
    for _ in range(100):
        with psycopg.connect(server) as connection:
            row = connection.execute(query, (name,)).fetchone()
        count = row[0] if row else 0
        if not count:
            break
        time.sleep(0.05)
    return count
