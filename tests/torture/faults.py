"""A fault at every call to the file system: `python -m tests.torture.faults --runs 1000`.

Each run makes one call of the program fail (EIO, ENOSPC) or kills it there (SIGKILL), the first, the
second, and so on. The program may end in one of its own errors and no other way; afterwards the
ledger opens, verifies, holds all that was acknowledged, and can be written on.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import ledger
from ledger.errors import HandledgerError
from tests.torture.disk import strace

ROOT = Path(__file__).resolve().parent.parent.parent
CALLS: Final = ("openat", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "write", "pread64")
FAULTS: Final = ("error=EIO", "error=ENOSPC", "signal=KILL")

PROGRAM = """
import sys
from pathlib import Path
from uuid import UUID
import ledger
import ledger.store.database.sqlite, ledger.store.seals.sealer
from ledger.errors import HandledgerError
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.seals import sealer
from ledger.table.events import HandsMissing
from tests.ledger.store.hands import draft
home, beside = Path(sys.argv[1]), Path(sys.argv[2])
def acknowledge(book):
    with open(beside / "said", "a") as out:
        out.write(f"{book.head()[0]} ")
try:
    with ledger.open(home / "x.ledger") as book:
        version = len(book.entries(UUID(int=4)))
        acknowledge(book)
        for number in range(version + 1, version + 4):
            book.append("table", UUID(int=4), [HandsMissing(str(number))])
            acknowledge(book)
        with book.bulk():
            book.append_all([draft(n, book.people) for n in range(8)])
        book.sources.store(b"x" * 300_000)
        acknowledge(book)
        path = beside / "k"
        key = keys.load_key(path) if path.exists() else keys.create_key(path)
        sealer.seal(book, HeldKey(sealer.origin(book), key), keys.SignatureMemory(path))
        acknowledge(book)
except HandledgerError as error:
    print(type(error).__name__, error.message)
    sys.exit(2)
except OSError as error:
    print("OSError", error)  # of the paper it writes what it said on, or of a key
    sys.exit(2)
"""


class Ended(NamedTuple):
    """How one run ended: what it was, and what is wrong; "" = nothing."""

    how: str
    wrong: str


def calls(folder: Path) -> list[tuple[str, int]]:
    """Return every call of the program that touches its files: its name, and which of that name it is."""
    home, side_folder = _places(folder)
    log = folder / "calls"
    subprocess.run(
        [
            strace() or "strace",
            "-f",
            "-y",
            "-e",
            "signal=none",
            "-e",
            f"trace={','.join(CALLS)}",
            "-o",
            str(log),
            sys.executable,
            "-c",
            PROGRAM,
            str(home),
            str(side_folder),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    counts: Counter[str] = Counter()
    call_list = []
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"^\d+ +(\w+)\(", line)
        if call:
            counts[call[1]] += 1
            if str(folder) in line:
                call_list.append((call[1], counts[call[1]]))
    return call_list


def _places(folder: Path) -> tuple[Path, Path]:
    home, side_folder = folder / "home", folder / "beside"
    for place in (home, side_folder):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    return home, side_folder


def once(folder: Path, call: str, number: int, fault: str) -> Ended:
    """Run the program with one fault, then look at what it left."""
    home, side_folder = _places(folder)
    result = subprocess.run(
        [
            strace() or "strace",
            "-f",
            "-e",
            "signal=none",
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:{fault}:when={number}",
            "-o",
            "/dev/null",
            sys.executable,
            "-c",
            PROGRAM,
            str(home),
            str(side_folder),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    outcome = {0: "went on", 2: result.stdout.split(" ", 1)[0].strip()}.get(
        result.returncode, f"exit {result.returncode}"
    )
    if "Traceback" in result.stderr and "signal" not in fault:
        return Ended(outcome, f"a traceback: {result.stderr.strip().splitlines()[-1]}")
    return Ended(outcome, find_leftovers(home, side_folder))


def find_leftovers(home: Path, side_folder: Path) -> str:
    """Say what is wrong with what a run left; "" = nothing."""
    output_file = side_folder / "said"
    words = output_file.read_text().split(" ")[:-1] if output_file.exists() else []
    acknowledged = int(words[-1]) if words else 0
    path = home / "x.ledger"
    if not path.exists() or not path.stat().st_size:
        return "the ledger is gone" if acknowledged else ""
    try:
        with ledger.open(path) as book:
            problems = book.verify()
            if problems:
                return problems[0].reason
            if book.head()[0] < acknowledged:
                return f"{acknowledged} were acknowledged, {book.head()[0]} are there"
    except HandledgerError as error:
        return "" if not acknowledged and "no ledger" in error.message else f"it does not open: {error.message}"
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(home), str(side_folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if result.returncode == 0 else f"it cannot be written on: {result.stdout or result.stderr}"


def chosen(calls_found: list[tuple[str, int]], runs: int, seed: int) -> Iterator[tuple[str, int, str]]:
    every = [(call, number, fault) for call, number in calls_found for fault in FAULTS]
    yield from random.Random(seed).sample(every, min(runs, len(every)))


def torture(runs: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how runs ended, and everything that was wrong."""
    endings: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        base = Path(scratch)
        faults = list(chosen(calls(base / "first"), runs, seed))
        results = pool.map(lambda one: once(base / str(one[0]), *one[1]), enumerate(faults))
        for fault, end in zip(faults, results, strict=True):
            endings[end.how] += 1
            if end.wrong:
                wrong.append(f"{fault}: {end.wrong}")
    return endings, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    endings, wrong = torture(options.runs, options.seed)
    print(f"{sum(endings.values()):,} faults: {len(wrong)} wrong; they ended: {dict(endings.most_common())}")
    for problem in wrong[:20]:
        print("  ", problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
