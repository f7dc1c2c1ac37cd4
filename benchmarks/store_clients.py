"""Many clients that append to one PostgreSQL ledger at once; `benchmarks/store.py --postgres` runs it."""

from __future__ import annotations

import multiprocessing
import statistics
import threading
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from typing import Any
from uuid import UUID

import ledger
from ledger.errors import HandledgerError
from ledger.table.events import HandsMissing

CLIENTS = 64
PROGRAMS = 4


def run_clients(url: str, first: int, threads: int, seconds: float, go: Event, results: Queue[Any]) -> None:
    """Append from so many clients of one program, each with a ledger and a table of its own."""
    append_seconds: list[float] = []
    errors: list[str] = []

    def client(number: int) -> None:
        try:
            with ledger.open(url, timeout=30) as book:
                go.wait()
                end, thread_number = time.monotonic() + seconds, 0
                while (started_at := time.monotonic()) < end:
                    book.append("table", UUID(int=number), [HandsMissing(str(thread_number))])
                    append_seconds.append(time.monotonic() - started_at)
                    thread_number += 1
        except HandledgerError as error:
            errors.append(error.message)

    thread_list = [threading.Thread(target=client, args=(first + thread_number,)) for thread_number in range(threads)]
    for thread in thread_list:
        thread.start()
    for thread in thread_list:
        thread.join()
    results.put((append_seconds, errors))


def measure_rate(url: str, first: int, programs: int, threads: int, seconds: float) -> tuple[list[float], list[str]]:
    """Return how long each append took, in seconds, and what went wrong."""
    go, results = multiprocessing.Event(), multiprocessing.Queue()
    processes = [
        multiprocessing.Process(
            target=run_clients, args=(url, first + program_number * 1000, threads, seconds, go, results)
        )
        for program_number in range(programs)
    ]
    for process in processes:
        process.start()
    time.sleep(2)  # until all are connected: that is not what is measured
    go.set()
    answers = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return sorted(seconds_taken for append_seconds, _ in answers for seconds_taken in append_seconds), [
        error for _, errors in answers for error in errors
    ]


def measure_clients(url: str, seconds: float = 8) -> tuple[str, float, float, float, str]:
    """Append durably from 64 clients with connections of their own, against one client."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(url, autocommit=True) as connection:
        name = f"bench{time.monotonic_ns()}"
        connection.execute(f"CREATE SCHEMA {name}".encode())
    url = f"{url}?options=-csearch_path%3D{name}"
    ledger.open(url).close()
    ratios: list[tuple[float, float, float]] = []
    slowest: list[float] = []
    all_errors: list[str] = []
    for turn in range(3):
        single_seconds, errors = measure_rate(url, 1 + turn * 100_000, 1, 1, seconds)
        client_seconds, more_errors = measure_rate(url, 10_000 + turn * 100_000, PROGRAMS, CLIENTS // PROGRAMS, seconds)
        ratios.append(
            (len(client_seconds) / len(single_seconds), len(client_seconds) / seconds, len(single_seconds) / seconds)
        )
        slowest.append(client_seconds[int(len(client_seconds) * 0.99)])
        all_errors += errors + more_errors
    _, client_rate, single_rate = sorted(ratios)[1]
    print(
        f"{'':4}99 of 100 appends of the {CLIENTS} took at most {statistics.median(slowest) * 1000:.0f} ms; errors: {len(all_errors)} {sorted(set(all_errors))[:2]}"
    )
    return f"{CLIENTS} clients append, PostgreSQL / one client", client_rate, single_rate, 3.0, "events/s"
