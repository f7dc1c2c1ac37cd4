"""Peak memory of every listing and export, at two sizes of a ledger: `python -m tests.torture.memory --hands 60000`.

All but a quarter of the hands were played at one table, the rest at tables of 500 hands each; the second ledger has
twice as many.
Each command runs in a process of its own, which says at its end the most memory that it had (VmHWM). None may have had
more than 200 MB, and none may take a few megabytes more for the larger ledger: what a database, a page and a draft of
the output take at most is in the smaller one already.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.conftest import ROOT, script

FIRST: Final = 2_000_000_000
MAX_MEGABYTES: Final = 200.0
GROWN: Final = 4.0
"""Megabytes that a command may have, and may have more for each 50,000 further hands."""

FORMATS: Final = ("phh", "ohh", "pokerstars", "handscript", "jsonl", "csv", "parquet", "original")
COMMANDS: Final = [
    *(["export", "--lossy", "--to", format_name] for format_name in FORMATS),
    ["log", "-n", "0"],
    ["log", "-n", "0", "--format", "json"],
    ["audit", "-r", "hilton"],
    ["audit", "-r", "hilton", "--format", "csv", "--coverage"],
    ["audit", "-r", "hilton", "-r", "rrop4", "--format", "json"],
    ["due", "Table 1", "-r", "hilton", "--before", str(FIRST + 7)],
    ["accounts", str(FIRST + 7)],
    ["show", str(FIRST + 7)],
    ["people"],
    ["rejects"],
]
"""Every listing, every export, and what is said of one hand. Each is given `--ledger` and `-o`."""

EVIDENCE: Final = ["evidence", str(FIRST + 7), "-r", "hilton"]
"""The same of a ledger that is sealed."""

_RUN: Final = """
import atexit, sys
from cli.main import run
atexit.register(lambda: sys.stderr.write("\\nVmHWM " + open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]))
run()
"""


def fill(folder: Path, hands: int, hand_size: int, other_files: int) -> list[Path]:
    """Write so many hands, `each` into a file: all but a quarter of one table, the rest of tables of `others` hands.

    Between any two numbers there is room, as in a room that counts the hands of all its tables.
    """
    generated = script(ROOT / "benchmarks/generated.py")
    table, files = generated.Table(1, 1), []
    long_count = hands - hands // 4
    for start in range(0, hands, hand_size):
        files.append(folder / f"{start:09}.txt")
        with files[-1].open("w", encoding="utf-8") as out:
            for index in range(start, min(hands, start + hand_size)):
                number, remainder = divmod(index - long_count, other_files)
                if number >= 0 and not remainder:
                    table = generated.Table(number + 2, number + 2)
                out.write(table.hand(FIRST + 7 * index))
    return files


def peak(command: list[str], book: Path) -> float:
    """Return the most memory that a command had, in MB; no answer of its is an error but 2 and more."""
    result = subprocess.run(
        [sys.executable, "-c", _RUN, *command, "--ledger", str(book)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"HANDLEDGER_PEOPLE_KEY": str(book.parent / "key")},
    )
    if result.returncode > 1:
        raise SystemExit(f"{' '.join(command)} ended with {result.returncode}: {result.stderr}")
    return int(result.stderr.rpartition("VmHWM ")[2]) / (1 << 10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=60_000, help="of the smaller ledger")
    hands = parser.parse_args().hands
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        books = []
        for size in (hands, 2 * hands):
            book = Path(scratch) / f"{size}.ledger"
            [file] = fill(Path(scratch), size, size, 500)
            books.append(book)
            print(f"{peak(['import', str(file)], book):6.1f} MB  import of {size:,} hands")
            file.unlink()
            key = ["--new-key", "--key", f"{book}.key", "--name", "room.example"]
            print(f"{peak(['seal', *key], book):6.1f} MB  seal")
        for command in [*COMMANDS, EVIDENCE]:
            few, many = (peak([*command, "-o", str(Path(scratch) / "out")], book) for book in books)
            wrong = many > MAX_MEGABYTES or many - few > max(GROWN, GROWN * hands / 50_000)
            bad += wrong
            print(f"{few:6.1f} {many:6.1f} MB  {' '.join(command)}{'  TOO MUCH' if wrong else ''}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
