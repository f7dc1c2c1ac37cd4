"""Programs that are killed at random moments: `python -m tests.torture.kills --kills 1000`.

One writes live and says each position that it was promised, one imports in bulk, one seals. Each is
started again on what the one before left; nothing that was promised may be missing.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import ledger
from ledger.errors import HandledgerError
from tests.children import child
from tests.postgres import NoPostgresError, server

ROOT = Path(__file__).resolve().parent.parent.parent
HEAD = """
import itertools, os, sys
from pathlib import Path
from uuid import UUID
import ledger
import ledger.store.database.sqlite
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.seals import sealer
from ledger.table.events import HandsMissing
from tests.ledger.store.hands import draft
url, beside, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
book = ledger.open(url, timeout=30)
def promise():
    os.write(1, b"%d " % book.head()[0])
os.write(1, b"0 ")
"""
PROGRAMS = {
    "live": """
for number in itertools.count(len(book.entries(UUID(int=4))) + 1):
    book.append("table", UUID(int=4), [HandsMissing(str(number))])
    promise()
""",
    "import": """
for run in itertools.count():
    with book.bulk():
        for part in range(4):
            first = seed * 1_000_000 + run * 1000 + part * 100
            book.append_all([draft(n, book.people) for n in range(first, first + 20)])
    promise()
    book.sources.store(b"%d %d " % (seed, run) * 30_000)
""",
    "seal": """
path = beside / "k"
key = keys.load_key(path) if path.exists() else keys.create_key(path)
signer, memory = HeldKey(sealer.origin(book), key), keys.SignatureMemory(path)
for run in itertools.count():
    sealer.seal(book, signer, memory)
    book.append_all([draft(10**9 + seed * 10_000 + run, book.people)])
    promise()
""",
}


class Killed(NamedTuple):
    """What came of so many kills."""

    kills: int
    lost: int
    broken: list[str]


def kill(url: str, path: Path, kills: int, seed: int) -> Killed:
    """Kill programs on one ledger, and look at it after each."""
    chance, promised, lost, broken = random.Random(seed), 0, 0, list[str]()
    ledger.open(url).close()
    for number in range(kills):
        program = chance.choice(sorted(PROGRAMS))
        with child(
            [sys.executable, "-c", HEAD + PROGRAMS[program], url, str(path), str(number + 1)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            output = running.stdout.read(2)
            time.sleep(chance.random() * 0.15)
            running.kill()
            output += running.stdout.read()
            complaint = running.stderr.read()
        if complaint:
            broken.append(f"{program}: {complaint.decode(errors='replace').strip().splitlines()[-1]}")
        words = output.split(b" ")[:-1]
        promised = max(promised, *(int(word) for word in words)) if words else promised
        try:
            with ledger.open(url) as book:
                lost += book.head()[0] < promised
                if number % 20 == 19 or number + 1 == kills:
                    broken += [p.reason for p in book.verify()]
        except HandledgerError as error:
            broken.append(f"{program}: {error.message}")
    return Killed(kills, lost, broken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch)
        killed = kill(f"sqlite:///{path / 'x.ledger'}", path, options.kills, options.seed)
        print(
            f"SQLite: {killed.kills:,} kills, {killed.lost} times a promised event was missing, {len(killed.broken)} broken  {killed.broken[:3]}"
        )
        worst += killed.lost + len(killed.broken)
    try:
        with server() as url, tempfile.TemporaryDirectory() as scratch:
            killed = kill(url, Path(scratch), options.kills, options.seed)
            print(
                f"PostgreSQL: {killed.kills:,} kills, {killed.lost} times a promised event was missing, {len(killed.broken)} broken  {killed.broken[:3]}"
            )
            worst += killed.lost + len(killed.broken)
    except NoPostgresError as error:
        print(f"PostgreSQL: skipped, {error}")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
