"""The power goes at any moment: `python -m tests.torture.power --states 100000`.

A ledger is written live, imported into, sealed, and a person is forgotten. At every write, sync and
removal the disk is laid out as it may be if the power goes there, the ledger is opened, and what was
acknowledged must be in it, whole.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import ledger
from ledger.errors import HandledgerError
from tests.torture.disk import Disk, Op, lay_out, traced

ROOT = Path(__file__).resolve().parent.parent.parent

PROGRAM = """
import sys
from pathlib import Path
from uuid import UUID
import ledger
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.seals import sealer
from ledger.store.requests.erasure import erase
from ledger.table.events import HandsMissing
from tests.ledger.store.hands import draft
home = Path(sys.argv[1])
def acknowledge(book):
    sys.stdout.write(f"{book.head()[0]} ")
    sys.stdout.flush()
with ledger.open(home / "x.ledger") as book:
    acknowledge(book)
    for number in range(1, 13):
        book.append("table", UUID(int=4), [HandsMissing(str(number))])
        acknowledge(book)
    for run in range(3):
        with book.bulk():
            for part in range(3):
                book.append_all([draft(100 * run + 10 * part + n, book.people) for n in range(8)])
        acknowledge(book)
        book.sources.store(b"%d " % run * 40_000)
    key = keys.create_key(Path(sys.argv[2]) / "k")
    signer, memory = HeldKey(sealer.origin(book), key), keys.SignatureMemory(Path(sys.argv[2]) / "k")
    sealer.seal(book, signer, memory)
    acknowledge(book)
    erase(book, book.people.find_players("player 1")[0])
    acknowledge(book)
    for number in range(13, 20):
        book.append("table", UUID(int=4), [HandsMissing(str(number))])
        acknowledge(book)
with ledger.open(home / "x.ledger") as book:
    book.append("table", UUID(int=5), [HandsMissing("1")])
    acknowledge(book)
"""


class Score(NamedTuple):
    """What was found in so many states."""

    states: int = 0
    lost: int = 0  # states in which an acknowledged event was not there
    broken: int = 0  # states with anything half-written
    first: str = ""

    def plus(self, score: Score) -> Score:
        return Score(
            self.states + score.states, self.lost + score.lost, self.broken + score.broken, self.first or score.first
        )


def look(folder: Path, acknowledged: int, *, deep: bool) -> tuple[bool, str]:
    """Open what a power cut left: whether all that was acknowledged is there, and what is wrong."""
    path = folder / "x.ledger"
    try:
        if deep:
            with ledger.open(path, create=False) as book:
                problems = book.verify()
                return book.head()[0] >= acknowledged, "; ".join(p.reason for p in problems[:2])
        with closing(sqlite3.connect(path)) as connection:
            return _quick(connection, acknowledged)
    except (sqlite3.DatabaseError, HandledgerError, TypeError, ValueError) as error:
        return acknowledged == 0, "" if acknowledged == 0 else str(error)


def _quick(connection: sqlite3.Connection, acknowledged: int) -> tuple[bool, str]:
    """The same with less to do: positions, links, index and sources agree."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if "log" not in tables:
        return acknowledged == 0, ""
    end, link_before, hands = 0, bytes(32), 0
    for position, count, kind, version, recorded, data, marks, link in connection.execute(
        "SELECT position, count, kind, version, at, CAST(data AS BLOB), marks, hash FROM log ORDER BY position"
    ):
        if position - count != end:
            return end >= acknowledged, f"a gap before {position}"
        if not data or len(link) != 32 or link == link_before or recorded <= 0 or marks is None:
            return end >= acknowledged, f"a row that is not whole at {position}"
        end, link_before = position, link
        hands += kind == 1 and version == 1
    (indexed,) = connection.execute("SELECT count(*) FROM hands").fetchone()
    if indexed != hands:
        return end >= acknowledged, f"{hands} hands, {indexed} in the index"
    for number, digest, length in connection.execute(
        "SELECT id, digest, length FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
    ).fetchall():
        (stored_length,) = connection.execute(
            "SELECT coalesce(sum(length), 0) FROM blocks WHERE source = ?", (number,)
        ).fetchone()
        if stored_length != length:
            return end >= acknowledged, f"source {digest.hex()[:8]} lacks bytes"
    return end >= acknowledged, ""


def run(ops: list[Op], home: str, states: int, seed: int, *, honest: bool = True) -> Score:
    """Lay out about so many states of a trace, evenly over it, and look at each."""
    chance = random.Random(seed)
    moments = sum(op.what != "say" for op in ops)
    states_each = max(states // max(moments, 1), 2)
    score, acknowledged = Score(), 0
    disk = Disk(honest=honest)
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as scratch:
        folder = Path(scratch)
        for op in ops:
            if op.what == "say":
                acknowledged = int(op.data.split()[-1])
                continue
            disk.take(op)
            seen_digests: set[bytes] = set()
            for state in disk.states(chance, states_each):
                mark = sha256(b"".join(name.encode() + bytes(data) for name, data in sorted(state.items()))).digest()
                score = score.plus(Score(states=1))
                if mark in seen_digests:
                    continue  # the same bytes: the same answer
                seen_digests.add(mark)
                lay_out(state, home, folder)
                hand_count, wrong = look(folder, acknowledged, deep=chance.random() < 0.02)
                if not hand_count or wrong:
                    text = f"{op.what} {Path(op.file).name}: {acknowledged} acknowledged; {wrong or 'not there'}"
                    score = score.plus(Score(lost=not hand_count, broken=bool(wrong), first=text))
    return score


def trace(folder: Path) -> tuple[list[Op], str]:
    """Run the program once."""
    home, key_folder = folder / "home", folder / "keys"
    home.mkdir()
    key_folder.mkdir()
    return traced(PROGRAM, home, str(home), str(key_folder), root=ROOT), str(home)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        ops, home = trace(folder)
        with multiprocessing.Pool(2) as pool:
            parts = pool.starmap(run, [(ops, home, options.states // 2, options.seed + part) for part in (0, 1)])
        score = parts[0].plus(parts[1])
        lying = run(ops, home, 2000, options.seed, honest=False)
    finally:
        shutil.rmtree(folder)
    print(
        f"{score.states:,} states after power cuts: {score.lost} lost acknowledged events, {score.broken} half-written  {score.first}"
    )
    print(f"control, a disk that ignores syncs: {lying.lost} of {lying.states:,} states lost acknowledged events")
    return 1 if score.lost or score.broken or not lying.lost else 0


if __name__ == "__main__":
    sys.exit(main())
