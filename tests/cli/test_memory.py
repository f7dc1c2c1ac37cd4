"""What lists or writes hands keeps none of them: four times as many take no more memory.

Counted in the bytes that Python gives out (`tracemalloc`), so it is the same on every machine; what a
million hands take is measured with `python -m tests.torture.memory`.
"""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.conftest import ROOT, script

FEW = 300
GROWN = 300
"""Bytes for each further hand: two numbers of eight bytes to put it in order, and room for chance."""

COMMANDS = [
    ["log", "-n", "0"],
    ["log", "-n", "0", "--format", "json"],
    ["log", "-n", "0", "--reverse", "--accounts", "--format", "json"],
    ["rejects"],
    ["rejects", "--format", "json"],
    ["export", "--to", "jsonl", "-o", "OUT"],
    ["export", "--to", "csv", "-o", "OUT"],
    ["export", "--to", "parquet", "-o", "OUT"],
    ["export", "--to", "phh", "--lossy", "-o", "OUT"],
    ["export", "--to", "ohh", "--lossy", "-o", "OUT"],
    ["export", "--to", "handscript", "--lossy", "-o", "OUT"],
    ["export", "--to", "pokerstars", "--lossy", "-o", "OUT"],
    ["export", "--to", "jsonl", "--format", "json", "-o", "OUT"],
    ["audit", "-r", "hilton", "-o", "OUT"],
    ["audit", "-r", "hilton", "--format", "json", "-o", "OUT"],
    ["audit", "-r", "hilton", "--format", "csv", "-o", "OUT"],
    ["verify"],
    ["import", "AGAIN", "--format", "json"],
    ["people"],
]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[str, Path]]:
    """Ledgers of so many hands and of four times as many, with what was imported."""
    made = script(ROOT / "benchmarks/generated.py")
    folder = tmp_path_factory.mktemp("memory")
    found = {}
    for many in (FEW, 4 * FEW):
        tables = [made.Table(number, number) for number in range(4)]
        text = "".join(
            tables[n % 4].hand(10**9 + n) + "PokerStars was here\n\n\n" * (n % 3 == 0)
            for n in range(many)
        )
        path = folder / f"{many}.txt"
        path.write_text(text)
        with open_ledger(folder / f"{many}.ledger") as book:
            import_paths(book, [path])
        found[many] = (str(folder / f"{many}.ledger"), path)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_four_times_as_many_hands_take_no_more_memory(
    run: Run, books: dict[int, tuple[str, Path]], tmp_path: Path, command: list[str]
) -> None:
    peaks = {}
    for many in (FEW, FEW, 4 * FEW):  # the first run imports what the command needs
        book, text = books[many]
        places = {"OUT": str(tmp_path / "out"), "AGAIN": str(text)}
        (tmp_path / "out").unlink(missing_ok=True)
        gc.collect()
        tracemalloc.start()
        try:
            found = run(*(places.get(one, one) for one in command), "--ledger", book)
            peaks[many] = tracemalloc.get_traced_memory()[1] - len(found.out) - len(found.err)
        finally:
            tracemalloc.stop()
        assert found.code in (0, 1, 3), found.err
    assert peaks[4 * FEW] - peaks[FEW] < 3 * FEW * GROWN, peaks
