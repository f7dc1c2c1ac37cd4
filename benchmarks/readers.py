"""How fast each reader reads, per byte and per event, beside the PokerStars reader in the same run.

    python benchmarks/readers.py [NAME ...]

The goal for every text reader is 0.5 per byte; a log that tells an event in three letters is better
judged by its events. Each reads the samples of its tests under ever new names, hand numbers and times, about
half a megabyte: readers remember lines, and text that repeats would be read faster than a room's real text.
Each round begins with nothing remembered. The ratios are medians of rounds in which both take turns, by
processor time; `distinct` is the share of the text that could be varied so.
"""

from __future__ import annotations

import functools
import gc
import statistics
import sys
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
import distinct

from ledger import formats
from ledger.account import Account
from ledger.notation import Chunk
from ledger.people import People

ROUNDS = 7
SIZE = 500_000
SAMPLES = Path(__file__).parents[1] / "tests/formats"
BASE = "pokerstars"


class Rate(NamedTuple):
    """What a reader reads in a second of processor time."""

    bytes: float
    events: float


class Text(NamedTuple):
    """The sources that a reader reads, and which share of their bytes differs from copy to copy."""

    sources: list[bytes]
    distinct: float


def vary_samples(name: str) -> Text | None:
    """Return the samples of a format that are read whole, varied; in one piece where hands are appended."""
    form = formats.get(name)
    folder = SAMPLES / formats.find_module_name(name).rpartition(".")[2] / "samples"
    samples = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() and path.suffix != ".golden" else b""
        if data and not data.startswith((b"\xff\xfe", b"\xfe\xff")) and form.sniff(data):
            events = distinct.events_of(form, data)
            if events is not None and events[0]:
                samples.append(data.removeprefix(b"\xef\xbb\xbf").rstrip() + b"\n\n\n")
    if not samples:
        return None
    copies = max(2, SIZE // sum(map(len, samples)))
    varied = [distinct.variants(form, data, copies) for data in samples]
    changed_bytes = sum(len(data) * (count + 1) for data, (_, count) in zip(samples, varied, strict=True))
    sources = [source for copy in zip(*(sources for sources, _ in varied), strict=True) for source in copy]
    total_bytes = sum(map(len, sources))
    return Text([b"".join(sources)] if form.is_appended else sources, min(1.0, changed_bytes / total_bytes))


def clear_caches() -> None:
    """Let every function of the program forget what it remembers, so that a round does not read for the next."""
    for function in gc.get_objects():
        if isinstance(function, functools._lru_cache_wrapper) and function.cache_parameters()["maxsize"]:  # noqa: SLF001 - no public name
            function.cache_clear()


def measure_rate(name: str, parts: list[bytes]) -> Rate:
    """Read all of it once, and say how fast."""
    clear_caches()
    form, people = formats.get(name), People(bytes(32))
    events = 0
    started_at = process_time()
    for data in parts:
        for item in form.read(Chunk(data), people):
            events += len(item.events) if isinstance(item, Account) else 0
    cpu_seconds = max(process_time() - started_at, 1e-9)
    return Rate(sum(map(len, parts)) / cpu_seconds, events / cpu_seconds)


def main(names: list[str]) -> None:
    """Print a line for each reader."""
    base = vary_samples(BASE)
    assert base is not None, "there are samples of it"
    print(f"{'':<14} of {BASE}: per byte, per event; distinct ({BASE} {base.distinct:.0%})")
    for name in names or [name for name in formats.NAMES if name != BASE]:
        format_text = vary_samples(name)
        if format_text is None:
            print(f"{name:<14} no sample that is read whole")
            continue
        ratios = []
        for _ in range(ROUNDS):
            base_rate, format_rate = measure_rate(BASE, base.sources), measure_rate(name, format_text.sources)
            ratios.append((format_rate.bytes / base_rate.bytes, format_rate.events / base_rate.events))
        medians = [statistics.median(column) for column in zip(*ratios, strict=True)]
        print(f"{name:<14} {medians[0]:5.2f} {medians[1]:5.2f} {format_text.distinct:5.0%}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
