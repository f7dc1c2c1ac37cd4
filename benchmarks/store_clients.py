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


def clients(url: str, first: int, threads: int, seconds: float, go: Event, out: Queue[Any]) -> None:
    """Append from so many clients of one program, each with a ledger and a table of its own."""
    taken: list[float] = []
    wrong: list[str] = []

    def client(number: int) -> None:
        try:
            with ledger.open(url, timeout=30) as book:
                go.wait()
                end, at = time.monotonic() + seconds, 0
                while (begun := time.monotonic()) < end:
                    book.append("table", UUID(int=number), [HandsMissing(str(at))])
                    taken.append(time.monotonic() - begun)
                    at += 1
        except HandledgerError as error:
            wrong.append(error.message)

    work = [threading.Thread(target=client, args=(first + at,)) for at in range(threads)]
    for one in work:
        one.start()
    for one in work:
        one.join()
    out.put((taken, wrong))


def rate(url: str, first: int, programs: int, threads: int, seconds: float) -> tuple[list[float], list[str]]:
    """Return how long each append took, in seconds, and what went wrong."""
    go, out = multiprocessing.Event(), multiprocessing.Queue()
    work = [
        multiprocessing.Process(target=clients, args=(url, first + at * 1000, threads, seconds, go, out))
        for at in range(programs)
    ]
    for one in work:
        one.start()
    time.sleep(2)  # until all are connected: that is not what is measured
    go.set()
    told = [out.get() for _ in work]
    for one in work:
        one.join()
    return sorted(took for taken, _ in told for took in taken), [said for _, wrong in told for said in wrong]


def crowded(url: str, seconds: float = 8) -> tuple[str, float, float, float, str]:
    """Append durably from 64 clients with connections of their own, against one client."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(url, autocommit=True) as connection:
        name = f"bench{time.monotonic_ns()}"
        connection.execute(f"CREATE SCHEMA {name}".encode())
    url = f"{url}?options=-csearch_path%3D{name}"
    ledger.open(url).close()
    ratios: list[tuple[float, float, float]] = []
    slowest: list[float] = []
    wrong: list[str] = []
    for turn in range(3):
        alone, errors = rate(url, 1 + turn * 100_000, 1, 1, seconds)
        many, more = rate(url, 10_000 + turn * 100_000, PROGRAMS, CLIENTS // PROGRAMS, seconds)
        ratios.append((len(many) / len(alone), len(many) / seconds, len(alone) / seconds))
        slowest.append(many[int(len(many) * 0.99)])
        wrong += errors + more
    _, together, single_ = sorted(ratios)[1]
    print(
        f"{'':4}99 of 100 appends of the {CLIENTS} took at most {statistics.median(slowest) * 1000:.0f} ms; errors: {len(wrong)} {sorted(set(wrong))[:2]}"
    )
    return f"{CLIENTS} clients append, PostgreSQL / one client", together, single_, 3.0, "events/s"
