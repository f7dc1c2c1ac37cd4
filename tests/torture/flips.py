"""Bits flip, suffixes are rewritten, old copies come back: `python -m tests.torture.flips --flips 5000`.

Every flip that changes what the ledger says must be found by `verify`; one that changes nothing must
not be called a change. SQLite's own check is asked beside it.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import ledger
from ledger import chain
from ledger.errors import ForkError, HandledgerError
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.database.ledger_layout import SQLITE_GUARDS
from ledger.store.seals import sealer
from ledger.store.seals.merkle_tiles import encode_commit
from ledger.store.verify.tree_checks import Anchor
from tests.ledger.store.hands import draft

SAMPLES = Path(__file__).resolve().parent.parent.parent / "cli" / "samples"
CONTENT = (
    "SELECT position, count, kind, stream, version, codec, data, marks, at, writer, source, start, length, key, hash FROM log ORDER BY position",
    "SELECT * FROM writers ORDER BY id",
    "SELECT id, digest, length FROM sources ORDER BY id",
    "SELECT * FROM blocks ORDER BY source, start",
    "SELECT * FROM hands ORDER BY position",
    "SELECT * FROM places ORDER BY id",
    "SELECT * FROM dictionaries ORDER BY id",
    "SELECT level, number, data FROM tiles ORDER BY level, number",
    "SELECT * FROM checkpoints ORDER BY size",
    "SELECT * FROM names ORDER BY id",
    "SELECT * FROM texts ORDER BY ref",
    "SELECT * FROM about ORDER BY name",
    "SELECT name, sql FROM sqlite_schema ORDER BY name",
)


class Flips(NamedTuple):
    """What became of flipped bits."""

    changed: int = 0  # what the ledger says is another now, or cannot be read
    found: int = 0
    by_sqlite: int = 0
    harmless: int = 0
    alarms: int = 0  # about harmless ones


def make_ledger(folder: Path) -> Path:
    """A ledger of the sample evenings, sealed."""
    path = folder / "x.ledger"
    with ledger.open(path) as book:
        import_paths(book, [SAMPLES])
        key = keys.create_key(folder / "k")
        sealer.seal(book, HeldKey(sealer.origin(book), key), keys.SignatureMemory(folder / "k"))
    return path


def content(path: Path) -> object:
    """All that the ledger says, or the error with which it cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.text_factory = bytes
            return [connection.execute(sql).fetchall() for sql in CONTENT]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)


def verified(path: Path) -> bool:
    """Whether the ledger passes as sound."""
    try:
        with ledger.open(path, read_only=True) as book:
            return not book.verify()
    except HandledgerError:
        return False


def checked(path: Path) -> bool:
    """Whether SQLite's own check passes it."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def flip(path: Path, folder: Path, count: int, seed: int) -> tuple[Flips, list[str]]:
    """Flip one bit at a time, anywhere in the file."""
    chance = random.Random(seed)
    data, sound_content = path.read_bytes(), content(path)
    altered, score, missed = folder / "altered.ledger", Flips(), []
    for _ in range(count):
        index, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        altered.write_bytes(data[:index] + bytes([data[index] ^ bit]) + data[index + 1 :])
        sound, same_content = verified(altered), content(altered) == sound_content
        if same_content:  # an index that is broken is no false alarm either
            score = score._replace(harmless=score.harmless + 1, alarms=score.alarms + (not sound and checked(altered)))
        else:
            score = score._replace(
                changed=score.changed + 1,
                found=score.found + (not sound),
                by_sqlite=score.by_sqlite + (not checked(altered)),
            )
            if sound:
                missed.append(f"byte {index} bit {bit}")
    return score, missed


def rewrite(folder: Path, count: int, seed: int) -> tuple[int, int, int]:
    """Rewrite the past and put all links right: found by links alone, by an old checkpoint, by the signer."""
    chance = random.Random(seed)
    links = anchors = signers = 0
    for number in range(count):
        place = folder / str(number)
        place.mkdir()
        path = place / "x.ledger"
        with ledger.open(path) as book:
            book.append_all([draft(n, book.people) for n in range(12)])
            key = keys.create_key(place / "k")
            signer, memory = HeldKey(sealer.origin(book), key), keys.SignatureMemory(place / "k")
            point = sealer.seal(book, signer, memory).checkpoint
        _rewritten(path, chance)
        with ledger.open(path) as book:
            links += bool(book.verify())
            anchors += any(p.code == "checkpoint" for p in book.verify([Anchor("kept", point.size, point.root)]))
            try:
                book.append_all([draft(n, book.people) for n in range(50, 60)])
                sealer.seal(book, signer, memory)
            except ForkError:
                signers += 1
    return links, anchors, signers


def _rewritten(path: Path, chance: random.Random) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in ("log_unchanged", "log_kept", "log_follows"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM log WHERE key LIKE 'checkpoint:%'")  # that it was sealed at all
        connection.execute("DELETE FROM writers WHERE by = 'seal'")
        connection.execute("DELETE FROM tiles")
        connection.execute("DELETE FROM checkpoints")
        rows = [
            row[0]
            for row in connection.execute(
                "SELECT position FROM log WHERE kind = 1 AND data LIKE '%200%' ORDER BY position"
            )
        ]
        if chance.random() < 0.5:
            connection.execute(
                "UPDATE log SET data = replace(data, '200', '201') WHERE position = ?", (chance.choice(rows),)
            )
        else:
            last = chance.choice(rows[2:])
            connection.execute("DELETE FROM log WHERE position >= ?", (last,))
            connection.execute("DELETE FROM hands WHERE position >= ?", (last,))
    start, hashes = chain.START, []
    with ledger.open(path, read_only=True) as book:
        for commit in book.commits():
            start = chain.compute_link(start, chain.hash_leaf(encode_commit(commit)))
            hashes.append((start, commit.position))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("UPDATE log SET hash = ? WHERE position = ?", hashes)
        for guard in SQLITE_GUARDS[:3]:
            connection.execute(guard)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=5000)
    parser.add_argument("--rewrites", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        score, missed = flip(make_ledger(folder), folder, options.flips, options.seed)
        print(
            f"{options.flips:,} flipped bits: {score.found} of {score.changed} that change content found "
            f"(SQLite's own check: {score.by_sqlite}); {score.alarms} false alarms in {score.harmless} harmless ones"
        )
        for miss in missed[:10]:
            print("   missed:", miss)
        links, anchors, signers = rewrite(folder, options.rewrites, options.seed)
        print(
            f"{options.rewrites:,} rewritten or cut histories: {links} found by links alone, {anchors} against an old checkpoint, {signers} by the signer"
        )
    return 1 if missed or score.alarms or options.rewrites != anchors or signers != options.rewrites else 0


if __name__ == "__main__":
    sys.exit(main())
