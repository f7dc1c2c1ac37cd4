"""How fast each reader reads, per byte and per event, beside the PokerStars reader in the same run.

    python benchmarks/readers.py [NAME ...]

The goal for every text reader is 0.5 per byte; a log that tells an event in three letters is better
judged by its events. Each reads the samples that its tests bring along, repeated to about a megabyte;
the ratios are medians of rounds in which both take turns, by processor time.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import process_time
from typing import NamedTuple

from ledger import formats
from ledger.account import Account, Reject
from ledger.notation import Chunk
from ledger.people import People

ROUNDS = 7
SIZE = 1_000_000
SAMPLES = Path(__file__).parents[1] / "tests/formats"
BASE = "pokerstars"


class Rate(NamedTuple):
    """What a reader reads in a second of processor time."""

    bytes: float
    events: float


def source(name: str) -> list[bytes]:
    """Return the samples of a format that are read whole; in one piece where hands are appended."""
    form = formats.get(name)
    folder = SAMPLES / formats.package(name).rpartition(".")[2] / "samples"
    parts = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() and path.suffix != ".golden" else b""
        if data and not data.startswith((b"\xff\xfe", b"\xfe\xff")) and form.sniff(data):
            items = list(form.read(Chunk(data, name=path.name), People(bytes(32))))
            if items and not any(isinstance(item, Reject) for item in items):
                parts.append(data.removeprefix(b"\xef\xbb\xbf").rstrip() + b"\n\n\n")
    if form.appended and parts:
        whole = b"".join(parts)
        return [whole * max(1, SIZE // len(whole))]
    return parts * max(1, SIZE // max(sum(map(len, parts)), 1))


def rate(name: str, parts: list[bytes]) -> Rate:
    """Read all of it once, and say how fast."""
    form, people = formats.get(name), People(bytes(32))
    events = 0
    before = process_time()
    for data in parts:
        for item in form.read(Chunk(data), people):
            events += len(item.events) if isinstance(item, Account) else 0
    took = max(process_time() - before, 1e-9)
    return Rate(sum(map(len, parts)) / took, events / took)


def main(names: list[str]) -> None:
    """Print a line for each reader."""
    base = source(BASE)
    print(f"{'':<12} of {BASE}: per byte, per event")
    for name in names or [name for name in formats.NAMES if name != BASE]:
        parts = source(name)
        if not parts:
            print(f"{name:<12} no sample that is read whole")
            continue
        ratios = []
        for _ in range(ROUNDS):
            theirs, its = rate(BASE, base), rate(name, parts)
            ratios.append((its.bytes / theirs.bytes, its.events / theirs.events))
        medians = [statistics.median(one) for one in zip(*ratios, strict=True)]
        print(f"{name:<12} {medians[0]:5.2f} {medians[1]:5.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
