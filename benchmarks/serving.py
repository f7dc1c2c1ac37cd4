"""Many who look at live tables while hands come in: what a page takes then, beside what it takes one alone.

Run: python benchmarks/serving.py [clients] [seconds]
Each client follows /live and asks for /tables whenever the log has grown; 50 hands a second come in meanwhile.
Both sides of the ratio come from the same run: one client first, then all. What each heard is checked.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generated

from ledger.intake import import_paths
from ledger.store import open as open_ledger

HANDS = 2_000  # there before
HANDS_PER_FILE = 10  # five times a second


class Client:
    """Somebody's browser."""

    def __init__(self, port: int, cookie: str) -> None:
        self.port, self.cookie = port, cookie
        self.positions_heard: list[int] = []
        self.page_seconds: list[float] = []
        self.asking: asyncio.Task[None] | None = None

    async def ask(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Ask for a page."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode())
        await writer.drain()
        return reader, writer

    async def follow(self, end_time: float) -> None:
        """Look at the tables whenever the log has grown beyond where it was when they came, as `live.js` does."""
        await asyncio.sleep(random.random())  # nobody comes in the same instant as all the others
        reader, writer = await self.ask("/live")
        while time.monotonic() < end_time:
            try:
                line = await asyncio.wait_for(reader.readline(), max(0.1, end_time - time.monotonic()))
            except TimeoutError:
                break
            if line.startswith(b"data: "):
                position, spread = line[6:].split()
                self.positions_heard.append(int(position))
                if len(self.positions_heard) == 1:
                    continue
                if self.asking is None or self.asking.done():
                    self.asking = asyncio.create_task(self.look(int(spread)))
        if self.asking is not None:
            await self.asking
        writer.close()

    async def look(self, spread: int) -> None:
        """Ask for the tables some time within a spread of milliseconds, as `live.js` does."""
        await asyncio.sleep(random.random() * spread / 1000)
        started_at = time.perf_counter()
        page, page_writer = await self.ask("/tables")
        text = await page.read()
        page_writer.close()
        assert text.startswith(b"HTTP/1.1 200"), text[:200]
        self.page_seconds.append(time.perf_counter() - started_at)


async def run_clients(port: int, cookie: str, clients: int, seconds: float) -> list[Client]:
    """Let clients look for some seconds."""
    browsers = [Client(port, cookie) for _ in range(clients)]
    end_time = time.monotonic() + seconds
    await asyncio.gather(*(browser.follow(end_time) for browser in browsers))
    return browsers


def start_writer(folder: Path, url: str, seconds: float) -> subprocess.Popen[bytes]:
    """Bring 50 hands a second into the ledger, in a process of its own."""
    return subprocess.Popen([sys.executable, __file__, "--write", str(folder), url, str(seconds)])


def write_hands(folder: Path, url: str, seconds: float) -> None:
    end_time, file_number = time.monotonic() + seconds, len(list(folder.iterdir())) + 2
    with open_ledger(url) as ledger:
        while time.monotonic() < end_time:
            started_at = time.monotonic()
            file_number += 1
            file = folder / f"{file_number}.txt"
            file.write_text("".join(generated.hands(HANDS_PER_FILE, seed=file_number, tables=4)))
            import_paths(ledger, [file])
            time.sleep(max(0.0, HANDS_PER_FILE / 50 - (time.monotonic() - started_at)))


def main() -> None:
    if sys.argv[1:2] == ["--write"]:
        write_hands(Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
        return
    clients, seconds = (
        (int(browser) for browser in (*sys.argv[1:], "200", "15")[:2]) if len(sys.argv) != 2 else (int(sys.argv[1]), 15)
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = str(folder / "x.ledger")
        (folder / "night.txt").write_text("".join(generated.hands(HANDS, seed=1, tables=20)))
        with open_ledger(url) as ledger:
            import_paths(ledger, [folder / "night.txt"])
        command = [sys.executable, "-u", "-m", "cli.main", "serve", "--port", "0", "--ledger", url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            server.stdout.readline()
            port, key = server.stdout.readline().split()[0].removeprefix("http://127.0.0.1:").split("/?key=")
            p99_seconds = []
            for count in (1, clients):
                with start_writer(folder, url, seconds + 1):
                    browsers = asyncio.run(run_clients(int(port), f"handledger={key}", count, seconds))
                page_seconds = sorted(t for browser in browsers for t in browser.page_seconds)
                p99_seconds.append(page_seconds[int(0.99 * (len(page_seconds) - 1))])
                last_positions = {browser.positions_heard[-1] for browser in browsers}
                assert all(browser.positions_heard == sorted(set(browser.positions_heard)) for browser in browsers), (
                    "a position twice, or backwards"
                )
                print(
                    f"{count:>4} clients: {len(page_seconds):,} pages, median {1000 * statistics.median(page_seconds):.0f} ms, "
                    f"p99 {1000 * p99_seconds[-1]:.0f} ms; last positions heard: {len(last_positions)}"
                )
            server.terminate()
        print(f"p99 of {clients} clients / of one: {p99_seconds[1] / p99_seconds[0]:.1f} (goal: at most 5)")


if __name__ == "__main__":
    main()
