"""A server that is killed while devices record: `python -m tests.torture.recording --kills 100`.

Each device sends acts at a table of its own, in the middle of hands, each under a key, and again until it is
answered. The server is killed at random moments and started on what it left. In the end each act that was
acknowledged stands once, in its order, and the ledger verifies.
"""

from __future__ import annotations

import argparse
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import ledger
from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled
from ledger.streams import HOUSE
from tests.children import child
from tests.postgres import NoPostgresError, server
from web.api.client import Client, RefusedError

ROOT = Path(__file__).resolve().parent.parent.parent
GAME = "holdem no-limit cash blinds 2/5 unit USD 2"
SERVER = """
import sys
from contextlib import asynccontextmanager
import uvicorn
from starlette.applications import Starlette
import ledger
from web.api.application import ApiDispatcher, build_api
from web.api.tables import RecordedTables
from web.log_growth import LogGrowth
with ledger.open(sys.argv[1], timeout=30) as book:
    port = int(sys.argv[2])
    growth = LogGrowth(book)
    @asynccontextmanager
    async def living(_):
        with growth:
            yield
    api = build_api(RecordedTables(book), growth, [f"127.0.0.1:{port}"])
    uvicorn.run(ApiDispatcher(Starlette(lifespan=living), api), host="127.0.0.1", port=port, log_level="error")
"""


class Came(NamedTuple):
    """What came of it: how often the server was killed, what was acknowledged, what is wrong with it."""

    kills: int
    acknowledged: int
    wrong: list[str]


@contextmanager
def running(url: str, port: int, program_text: str = SERVER) -> Iterator[subprocess.Popen[bytes]]:
    """Run the server, and wait until it listens."""
    with child([sys.executable, "-c", program_text, url, str(port)], cwd=ROOT) as program:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield program


class Device(threading.Thread):
    """A device that keeps one table: hands of acts, each followed by a remark that numbers it."""

    def __init__(self, port: int, key: str, table: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.client = Client(f"http://127.0.0.1:{port}", key, venue="Room", table=table, timeout=5)
        self.over = stop
        self.acknowledged = 0
        self.wrong = ""

    def run(self) -> None:
        try:
            self._say(lambda: self.client.open(GAME))
            while not self.over.is_set():
                hand = self.acknowledged
                for line in (
                    f"hand {hand + 1}",
                    "seat 1 Ana 500",
                    "seat 2 Bo 500",
                    "button 1",
                    "1 posts small 2",
                    "2 posts big 5",
                    "deal done",
                ):
                    self._tell(line)
                for _ in range(12):
                    self.acknowledged += self._tell(f'remark "act {self.acknowledged}"')
                    if self.over.is_set():
                        return
                self._tell("1 folds")
                self._tell("stop")
        except Exception as error:  # noqa: BLE001 - a device that is gone acknowledges nothing: that must be seen
            if not self.over.is_set():
                self.wrong = f"{self.client.table}: {error!r}"

    def _tell(self, line: str) -> bool:
        request = {"lines": [line], "key": secrets.token_hex(8)}
        return self._say(lambda: self.client._request("POST", "/table/lines", request))

    def _say(self, ask: Callable[[], object]) -> bool:
        """Ask until it is answered; whether it was."""
        opens = False
        while not self.over.is_set():
            try:
                if opens:
                    self.client.open(GAME)
                    opens = False
                ask()
            except OSError:
                time.sleep(0.02)  # no server: it is on its way
            except RefusedError as error:
                already = error.status == 409 and "already" in str(error)
                if already and not opens:
                    return True
                if error.status != 404 and not already:
                    raise
                opens = not already  # the server began anew before the table's first hand
            else:
                return True
        return False


def kills(url: str, count: int, seed: int, tables: int = 3) -> Came:
    """Kill the server so often while devices record."""
    chance = random.Random(seed)
    keys = [secrets.token_hex(20) for _ in range(tables)]
    with ledger.open(url) as book:
        events = [DeviceEnrolled(f"device {index}", digest_of(key)) for index, key in enumerate(keys)]
        book.append("house", HOUSE, events, recorded=Provenance(book.now()))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    stop = threading.Event()
    devices = [Device(port, key, f"T{index}", stop) for index, key in enumerate(keys)]
    for index in range(count + 1):
        with running(url, port) as program:
            if index == 0:
                for device in devices:
                    device.start()
            time.sleep(chance.uniform(0.05, 0.8))
            if index == count:
                time.sleep(2)
                stop.set()
                for device in devices:
                    device.join(20)
            program.kill()
    return Came(
        count,
        sum(killed_device.acknowledged for killed_device in devices),
        [*(killed_device.wrong for killed_device in devices if killed_device.wrong), *_wrong(url, devices)],
    )


def _wrong(url: str, devices: list[Device]) -> Iterator[str]:
    with ledger.open(url, create=False) as book:
        yield from (f"verify: {problem}" for problem in book.verify())
        for device in devices:
            hands = sorted(book.hands(venue="Room", table=device.client.table), key=lambda row: row.position)
            acts = [
                int(line.rstrip('"').rpartition(" ")[2])
                for row in hands
                for line in write_lines(book.events(row.stream), book.people)
                if line.startswith("remark")
            ]
            if acts != list(range(len(acts))):
                yield f"{device.client.table}: acts are {acts[:40]}"
            if len(acts) < device.acknowledged:
                yield f"{device.client.table}: {device.acknowledged} were acknowledged, {len(acts)} are there"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.postgres:
            try:
                with server() as url:
                    result = kills(url, options.kills, options.seed)
            except NoPostgresError as error:
                sys.exit(str(error))
        else:
            result = kills(str(Path(folder, "x.ledger")), options.kills, options.seed)
    print(f"{result.kills} kills, {result.acknowledged} acts acknowledged, {len(result.wrong)} wrong")
    for problem in result.wrong:
        print(" ", problem)
    sys.exit(1 if result.wrong else 0)


if __name__ == "__main__":
    main()
