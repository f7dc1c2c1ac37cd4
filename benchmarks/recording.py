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
from web.api.client import Client

EVENING = Path(__file__).parent.parent / "cli" / "samples" / "riverside-nl-evening.hand"

HAND = 40
"""Seconds that a hand takes here."""


def read_evening() -> tuple[str, list[str]]:
    """Return what is played, and each line of the README's evening."""
    lines = [line.partition("  #")[0].strip() for line in EVENING.read_text().splitlines()[1:]]
    game = next(line.removeprefix("game ") for line in lines if line.startswith("game "))
    return game, [line for line in lines if line and not line.startswith(("#", "venue ", "game "))]


def record_table(port: int, key: str, name: str, end_time: float, act_seconds: list[float]) -> None:
    """Record a table until then, or to the evening's end: a line a second."""
    client = Client(f"http://127.0.0.1:{port}", key, venue="Room", table=name)
    game, lines = read_evening()
    client.open(game)
    next_line_at = time.monotonic() + secrets.randbelow(1000 * HAND) / 1000
    for line in lines:
        if (next_line_at := next_line_at + 1) > end_time:
            return
        time.sleep(max(0.0, next_line_at - time.monotonic()))
        sent_at = time.monotonic()
        client.tell(line)
        act_seconds.append(time.monotonic() - sent_at)


def commit_raw(url: str, end_time: float, commit_seconds: list[float]) -> None:
    """Commit single events straight into the store until then."""
    with ledger.open(url, create=False) as book:
        number = 0
        while time.monotonic() < end_time:
            number += 1
            started_at = time.monotonic()
            book.append("table", UUID(int=7), [HandsMissing(str(number))])
            commit_seconds.append(time.monotonic() - started_at)
            time.sleep(0.1)


def main() -> None:
    """Print how long acts took, and raw commits in the same run."""
    arguments = [value for value in sys.argv[1:] if value != "--postgres"]
    postgres = arguments.pop() if "--postgres" in sys.argv else None
    tables, seconds = (int(value) for value in [*arguments, *("64", "60")[len(arguments) :]])
    with tempfile.TemporaryDirectory() as folder:
        url = postgres or str(Path(folder, "x.ledger"))
        keys = [secrets.token_hex(20) for _ in range(tables)]
        with ledger.open(url) as book:
            devices = [
                DeviceEnrolled(f"device {device_number}", digest_of(key)) for device_number, key in enumerate(keys)
            ]
            book.append("house", HOUSE, devices, recorded=Provenance(book.now()))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        act_seconds: list[float] = []
        commit_seconds: list[float] = []
        with running(url, port) as server:
            end_time = time.monotonic() + seconds
            threads = [
                threading.Thread(target=record_table, args=(port, key, f"T{device_number}", end_time, act_seconds))
                for device_number, key in enumerate(keys)
            ]
            threads.append(threading.Thread(target=commit_raw, args=(url, end_time, commit_seconds)))
            for value in threads:
                value.start()
            for value in threads:
                value.join()
            server.kill()
        with ledger.open(url, create=False) as book:
            sound = not list(book.verify())
    for label, times in (("an act over HTTP", act_seconds), ("a raw commit", commit_seconds)):
        cuts = statistics.quantiles(times, n=100)
        print(f"{label:18} {len(times):7,}  p50 {cuts[49] * 1000:6.1f} ms  p99 {cuts[98] * 1000:6.1f} ms")
    print(
        f"{tables} tables, {seconds} s, {'PostgreSQL' if postgres else 'SQLite'}; the ledger is {'sound' if sound else 'BROKEN'}"
    )


if __name__ == "__main__":
    main()
