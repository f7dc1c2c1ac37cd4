"""How fast each reader reads, per byte, beside the PokerStars reader in the same run.

    python benchmarks/readers.py [NAME ...]

The goal for every text reader is 0.5. Each reads the samples that its tests bring along, repeated to
about two megabytes; the ratio is the median of rounds in which both take turns.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import process_time

from ledger import formats
from ledger.account import Account
from ledger.notation import Chunk
from ledger.people import People

ROUNDS = 7
SIZE = 2_000_000
SAMPLES = Path(__file__).parents[1] / "tests/formats"
BASE = "pokerstars"


def source(name: str) -> bytes:
    """Return the samples of a format, those that are read whole, as often as fits."""
    form = formats.get(name)
    folder = SAMPLES / formats.package(name).rpartition(".")[2] / "samples"
    parts = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() and path.suffix != ".golden" else b""
        if data and not data.startswith((b"\xff\xfe", b"\xfe\xff")) and form.sniff(data):
            items = list(form.read(Chunk(data, name=path.name), People(bytes(32))))
            if items and all(isinstance(item, Account) for item in items):
                parts.append(data.removeprefix(b"\xef\xbb\xbf").rstrip() + b"\n\n\n")
    whole = b"".join(parts)
    return whole * max(1, SIZE // max(len(whole), 1)) if form.appended else (parts or [b""])[0]


def rate(name: str, data: bytes) -> float:
    """Return bytes per second of processor time."""
    form, people = formats.get(name), People(bytes(32))
    times = 1 if form.appended else max(1, SIZE // max(len(data), 1))
    before = process_time()
    for _ in range(times):
        for _item in form.read(Chunk(data), people):
            pass
    return len(data) * times / max(process_time() - before, 1e-9)


def main(names: list[str]) -> None:
    """Print a line for each reader."""
    base = source(BASE)
    for name in names or [name for name in formats.NAMES if name != BASE]:
        data = source(name)
        if not data:
            print(f"{name:<12} no sample that is read whole")
            continue
        ratios = []
        for _ in range(ROUNDS):
            theirs = rate(BASE, base)
            ratios.append(rate(name, data) / theirs)
        print(f"{name:<12} {statistics.median(ratios):5.2f} of {BASE} per byte")


if __name__ == "__main__":
    main(sys.argv[1:])
