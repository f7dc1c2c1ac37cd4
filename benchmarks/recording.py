"""Many tables recorded at once over HTTP: how long an act takes until it is durable and answered.

Run: python benchmarks/recording.py [tables] [seconds] [--postgres URL]
Each table keeps the README's evening, a line a second, hand after hand, as a dealer's device would; they begin within a
hand's time, so that hands end at different moments, as in a room. Beside it, in the same run, one
thread commits a single event each tenth of a second straight into the store: what a durable commit takes on this disk.
Expected: p99 below 50 ms, where a raw commit's p99 is below 10 ms.
"""

from __future__ import annotations

import secrets
import socket
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parent.parent))
import ledger
from ledger.entry import Provenance
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled
from ledger.streams import HOUSE
from ledger.table.events import HandsMissing
from tests.torture.recording import running
from web.client import Client

EVENING = Path(__file__).parent.parent / "cli" / "samples" / "riverside-nl-evening.hand"

HAND = 40
"""Seconds that a hand takes here."""


def evening() -> tuple[str, list[str]]:
    """Return what is played, and each line of the README's evening."""
    lines = [line.partition("  #")[0].strip() for line in EVENING.read_text().splitlines()[1:]]
    game = next(line.removeprefix("game ") for line in lines if line.startswith("game "))
    return game, [line for line in lines if line and not line.startswith(("#", "venue ", "game "))]


def table(port: int, key: str, name: str, until: float, took: list[float]) -> None:
    """Record a table until then, or to the evening's end: a line a second."""
    client = Client(f"http://127.0.0.1:{port}", key, venue="Room", table=name)
    game, lines = evening()
    client.open(game)
    at = time.monotonic() + secrets.randbelow(1000 * HAND) / 1000
    for line in lines:
        if (at := at + 1) > until:
            return
        time.sleep(max(0.0, at - time.monotonic()))
        before = time.monotonic()
        client.tell(line)
        took.append(time.monotonic() - before)


def raw(url: str, until: float, took: list[float]) -> None:
    """Commit single events straight into the store until then."""
    with ledger.open(url, create=False) as book:
        number = 0
        while time.monotonic() < until:
            number += 1
            before = time.monotonic()
            book.append("table", UUID(int=7), [HandsMissing(str(number))])
            took.append(time.monotonic() - before)
            time.sleep(0.1)


def main() -> None:
    """Print how long acts took, and raw commits in the same run."""
    told = [one for one in sys.argv[1:] if one != "--postgres"]
    postgres = told.pop() if "--postgres" in sys.argv else None
    tables, seconds = (int(one) for one in [*told, *("64", "60")[len(told) :]])
    with tempfile.TemporaryDirectory() as folder:
        url = postgres or str(Path(folder, "x.ledger"))
        keys = [secrets.token_hex(20) for _ in range(tables)]
        with ledger.open(url) as book:
            devices = [DeviceEnrolled(f"device {at}", digest_of(key)) for at, key in enumerate(keys)]
            book.append("house", HOUSE, devices, recorded=Provenance(book.now()))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        took: list[float] = []
        plain: list[float] = []
        with running(url, port) as server:
            until = time.monotonic() + seconds
            work = [
                threading.Thread(target=table, args=(port, key, f"T{at}", until, took)) for at, key in enumerate(keys)
            ]
            work.append(threading.Thread(target=raw, args=(url, until, plain)))
            for one in work:
                one.start()
            for one in work:
                one.join()
            server.kill()
        with ledger.open(url, create=False) as book:
            sound = not list(book.verify())
    for what, times in (("an act over HTTP", took), ("a raw commit", plain)):
        cuts = statistics.quantiles(times, n=100)
        print(f"{what:18} {len(times):7,}  p50 {cuts[49] * 1000:6.1f} ms  p99 {cuts[98] * 1000:6.1f} ms")
    print(
        f"{tables} tables, {seconds} s, {'PostgreSQL' if postgres else 'SQLite'}; the ledger is {'sound' if sound else 'BROKEN'}"
    )


if __name__ == "__main__":
    main()
