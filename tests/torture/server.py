"""A server that is cut off, shared and restarted: `python -m tests.torture.server --appends 1000`.

Connections go through a proxy that cuts them at random, before and after the server has answered.
Every append has a key and is tried again until it is acknowledged: none may be there twice, none may
be missing. Then 16 writers write to 16 tables at once while a follower listens and the server is
started anew under them.
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from urllib.parse import urlsplit
from uuid import UUID

import ledger
from ledger.entry import Provenance
from ledger.errors import HandledgerError
from ledger.table.events import HandsMissing
from tests.postgres import NoPostgresError, server


class Proxy:
    """Passes bytes on, and cuts a connection now and then: a request that never arrives, an answer lost."""

    def __init__(self, target: tuple[str, int], seed: int) -> None:
        self._to = target
        self._chance = random.Random(seed)
        self.rate = 0.0  # of answers and requests that are lost with their connection
        self.cuts = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
                connection = socket.create_connection(self._to)
            except OSError:
                return
            for source, target in ((client, connection), (connection, client)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if self._chance.random() < self.rate:
                    self.cuts += 1
                    target.sendall(data[: self._chance.randrange(len(data) + 1)])
                    break
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, target):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def close(self) -> None:
        self._listening.close()


@contextmanager
def proxied(url: str, seed: int) -> Iterator[tuple[str, Proxy]]:
    parts = urlsplit(url)
    assert parts.port is not None
    proxy = Proxy(("127.0.0.1", parts.port), seed)
    try:
        yield url.replace(f":{parts.port}/", f":{proxy.port}/"), proxy
    finally:
        proxy.close()


def cut(url: str, appends: int, seed: int) -> tuple[int, int, int, int]:
    """Append over a bad line; return cuts, tries, events that are there twice, events that are missing."""
    stream, tries = UUID(int=77), 0
    ledger.open(url).close()
    with proxied(url, seed) as (through, proxy):
        book, number = None, 0
        while number < appends:
            tries += 1
            try:
                if book is None:
                    proxy.rate = 0.0
                    book = ledger.open(through, timeout=5)
                proxy.rate = 0.03
                book.append(
                    "table",
                    stream,
                    [HandsMissing(str(number))],
                    recorded=Provenance(1, writer="torture", key=f"try:{number}"),
                )
                number += 1
            except HandledgerError:
                if book is not None:
                    book.close()
                book = None
        proxy.rate = 0.0
        cuts = proxy.cuts
        if book is not None:
            book.close()
    with ledger.open(url) as book:
        stored_numbers = [event.after for event in book.events(stream) if isinstance(event, HandsMissing)]
        assert book.verify() == []
    return (
        cuts,
        tries,
        len(stored_numbers) - len(set(stored_numbers)),
        len({str(n) for n in range(appends)} - set(stored_numbers)),
    )


class Crowd:
    """Many writers, each with a table of its own, who go on whatever happens to the server."""

    def __init__(self, url: str, seconds: float, writers: int) -> None:
        self._url = url
        self._until = time.monotonic() + seconds
        self.counts = [0] * writers
        self.again = 0  # appends that had to be tried once more

    def write(self, number: int) -> None:
        book = None
        while time.monotonic() < self._until or book is None:
            try:
                book = book or ledger.open(self._url, timeout=30)
                hands_missing = HandsMissing(str(self.counts[number]))
                book.append(
                    "table",
                    UUID(int=1000 + number),
                    [hands_missing],
                    recorded=Provenance(1, writer="torture", key=f"{number}:{hands_missing.after}"),
                )
                self.counts[number] += 1
            except HandledgerError:
                self.again += 1
                if book is not None:
                    book.close()
                book = None
                time.sleep(0.1)
        book.close()


def crowd(url: str, seconds: float, writers: int = 16, restarts: int = 0) -> tuple[int, int, int]:
    """Write from many at once; return events, gaps, and what a follower missed (-1: none followed)."""
    ledger.open(url).close()
    all_ = Crowd(url, seconds, writers)
    heard_positions: list[int] = []
    stop = threading.Event()

    def listen() -> None:
        with ledger.open(url) as book:
            heard_positions.extend(commit.position for commit in book.follow(stop=stop))

    threads = [threading.Thread(target=all_.write, args=(number,)) for number in range(writers)]
    follower = threading.Thread(target=listen)
    if not restarts:
        follower.start()
    for thread in threads:
        thread.start()
    for _ in range(restarts):
        time.sleep(seconds / (restarts + 1))
        url.restart()  # type: ignore[attr-defined]  # of `tests.postgres.ServerUrl`
    for thread in threads:
        thread.join()
    with ledger.open(url) as book:
        positions = [commit.position for commit in book.commits()]
        patience = time.monotonic() + 20
        while not restarts and len(heard_positions) < len(positions) and time.monotonic() < patience:
            time.sleep(0.05)
        stop.set()
        if not restarts:
            follower.join()
        for number, count in enumerate(all_.counts):
            stored_numbers = [
                event.after for event in book.events(UUID(int=1000 + number)) if isinstance(event, HandsMissing)
            ]
            assert stored_numbers == [str(n) for n in range(count)], "an acknowledged event is lost, or there twice"
        assert book.verify() == []
    gaps = sum(later - earlier != 1 for earlier, later in pairwise(positions))
    return sum(all_.counts), gaps, -1 if restarts else len(set(positions) - set(heard_positions))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--appends", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        with server() as url:
            cuts, tries, twice, missing = cut(url, options.appends, options.seed)
            print(
                f"{options.appends:,} appends over a line that was cut {cuts} times ({tries} tries): {twice} twice, {missing} missing"
            )
        with server() as url:
            events, gaps, missed = crowd(url, options.seconds)
            print(
                f"16 writers on 16 tables for {options.seconds:g} s: {events:,} events, {gaps} gaps, the follower missed {missed}"
            )
        with server() as url:
            events, more_commits, _ = crowd(url, options.seconds, restarts=3)
            print(
                f"the same with the server stopped at once and started 3 times: {events:,} events, "
                f"{more_commits} gaps, none lost, none twice"
            )
    except NoPostgresError as error:
        print(f"skipped: {error}")
        return 0
    return 1 if twice or missing or gaps or missed or more_commits else 0


if __name__ == "__main__":
    sys.exit(main())
