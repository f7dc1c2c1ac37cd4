"""A watch that is killed while a log grows: `python -m tests.torture.feeding --kills 100`.

A program appends rows to PokerNow's log; `import --watch` follows it, is killed at random moments, and begun
again. In the end the ledger verifies and has each hand once, as an import of the whole log tells it.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ledger
from ledger.intake import import_paths
from tests.children import child
from tests.intake.feeds import corrections, facts, hands, rising, rows

_HAND = re.compile(r"(?<=hand #)\d+")
_HOUR = 60 * 60 * 1000
WATCH = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from cli.main import run; run()"


class Came(NamedTuple):
    """What came of it: kills, hands, how many of them were followed act by act, corrections, what is wrong."""

    kills: int
    hands: int
    fed: int
    corrections: int
    wrong: list[str]


def night(evenings: int) -> list[list[str]]:
    """Rows of several evenings in one log, one behind the other; the last hand of each is not ended."""
    night_rows = []
    for index in range(evenings):
        for text, created, order in rows():
            number = _HAND.search(text)
            new_text = text if number is None else _HAND.sub(str(int(number[0]) + 4 * index), text)
            hour = int(created[11:13]) + index
            moved = f"{created[:8]}{int(created[8:10]) + hour // 24:02}T{hour % 24:02}{created[13:]}"
            night_rows.append([new_text, moved, str(int(order) + index * _HOUR * 100)])
    return night_rows


class Room(threading.Thread):
    """Writes a log row by row."""

    def __init__(self, log: Path, log_rows: list[list[str]], pace: float, seed: int) -> None:
        super().__init__(daemon=True)
        self.log = log
        self.told = log_rows
        self.pace = pace
        self.chance = random.Random(seed)
        self.over = threading.Event()

    def run(self) -> None:
        header = rising([])
        self.log.write_bytes(header)
        for row in self.told:
            data = rising([row]).removeprefix(header)
            cut = self.chance.randrange(len(data))  # half a row may be seen
            for part in (data[:cut], data[cut:]):
                with self.log.open("ab") as out:
                    out.write(part)
                if self.over.wait(self.chance.uniform(0, self.pace)):
                    return


def kills(folder: Path, count: int, seed: int, evenings: int, pace: float) -> Came:
    """Kill the watch so often while the log grows; what is left of the log is written at once."""
    chance = random.Random(seed)
    log, url = folder / "night.csv", folder / "l"
    log_rows = night(evenings)
    room = Room(log, log_rows, pace, seed)
    room.start()
    command = [sys.executable, "-c", WATCH, "import", "--watch", str(log), "--ledger", str(url)]
    for _ in range(count):
        with child(command, stdout=subprocess.DEVNULL) as running:
            try:
                running.wait(chance.uniform(0.4, 3))
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
    room.over.set()
    room.join()
    log.write_bytes(rising(log_rows))
    with child(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        running.wait(120)
    with ledger.open(url) as book:
        fed = [row for row in book.hands() if not row.source]
        return Came(count, len(hands(book)), len(fed), corrections(book), list(_wrong(book, log, folder)))


def _wrong(book: ledger.Ledger, log: Path, folder: Path) -> Iterator[str]:
    yield from (f"verify: {problem}" for problem in book.verify())
    total = import_paths(book, [log]).total
    if total.new or total.second or total.superseded:
        yield f"an import told {total.new} new, {total.second} again"
    numbers = [row.number for row in book.hands() if not row.source]
    yield from (f"hand {number} was told twice" for number in set(numbers) if numbers.count(number) > 1)
    with ledger.open(folder / "plain") as plain_ledger:
        import_paths(plain_ledger, [log])
        watched_hands, imported_hands = hands(book), hands(plain_ledger)
        yield from (
            f"hand {number}: not as the log tells it"
            for number in imported_hands
            if watched_hands.get(number) != imported_hands[number]
        )
        yield from (f"hand {number}: no such hand" for number in watched_hands.keys() - imported_hands.keys())
        if facts(book) != facts(plain_ledger):
            yield f"between hands: {facts(book) - facts(plain_ledger)}, {facts(plain_ledger) - facts(book)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evenings", type=int, default=12)
    parser.add_argument("--pace", type=float, default=0.2, help="seconds between two writes, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = kills(Path(folder), options.kills, options.seed, options.evenings, options.pace)
    print(
        f"{result.kills} kills, {result.hands} hands, {result.fed} of them followed act by act with {result.corrections} corrections, "
        f"{len(result.wrong)} wrong"
    )
    for problem in result.wrong:
        print(" ", problem)
    sys.exit(1 if result.wrong else 0)


if __name__ == "__main__":
    main()
