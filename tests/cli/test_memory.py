"""Every listing and export in memory that is level in the number of hands, at one table and over tables.

What Python's objects take at most is counted, for some hands and for three times as many: no clock and no other program
has a say in it. Pages are made small, as one is in memory at a time. The same in megabytes of processes, for ledgers of
any size: `python -m tests.torture.memory`.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.files import disk_spool
from ledger.store.hands import table_streams
from ledger.store.log import log_reader
from ledger.store.requests import stored_hands as walked
from projections.table_walk import unread_lines
from tests.cli.conftest import Run
from tests.torture import memory

FEW, MANY, BATCH = 160, 320, 20
MAX_BYTES_PER_HAND = 1000
"""Bytes of each hand that may stay in memory, with a twentieth of what is kept of a file, and what varies from run to
run. What a table remembers of a hand would be 3,000."""


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make small what is in memory at once; garbage is collected as soon as there is some."""
    monkeypatch.setattr(log_reader, "PAGE", BATCH)
    monkeypatch.setattr(log_reader, "_QUERY_HANDS", BATCH)
    monkeypatch.setattr(unread_lines, "_BATCH_SIZE", BATCH)
    monkeypatch.setattr(walked, "_BATCH_SIZE", BATCH)
    monkeypatch.setattr(disk_spool, "_MEMORY_BYTES", 1000)
    monkeypatch.setattr(table_streams, "_SMALL_TABLE", BATCH)
    threshold = gc.get_threshold()
    gc.set_threshold(1000, 5, 5)
    yield
    gc.set_threshold(*threshold)


@pytest.mark.slow
def test_no_listing_and_no_export_keeps_hands_in_memory(run: Run, tmp_path: Path) -> None:
    few, many = str(tmp_path / "few.ledger"), str(tmp_path / "many.ledger")
    for book, hands in ((few, FEW), (many, MANY)):
        for file in memory.fill(tmp_path, hands, BATCH, BATCH):  # a ledger reads at once what one import told
            assert run("import", str(file), "--ledger", book).code == 0

    def peak(command: list[str], book: str) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            result = run(*command, "--ledger", book, "-o", str(tmp_path / "out"))
            assert result.code < 2, result.err
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    def measure(command: list[str]) -> int:
        """Return the bytes that each further hand takes.

        A table of the interpreter's own, of strings say, may grow in one run, by megabytes at once: what is too much
        is measured once more.
        """
        few_bytes = min(peak(command, few) for _ in range(2))
        many_bytes = peak(command, many)
        if many_bytes - few_bytes > MAX_BYTES_PER_HAND * (MANY - FEW):
            many_bytes = min(many_bytes, peak(command, many))
        return (many_bytes - few_bytes) // (MANY - FEW)

    grown = {}
    for command in memory.COMMANDS:
        if "parquet" not in command:  # which keeps its memory from Python
            run(*command, "--ledger", many, "-o", str(tmp_path / "out"))  # caches are full then
            bytes_per_hand = measure(command)
            if bytes_per_hand > MAX_BYTES_PER_HAND:
                grown[" ".join(command)] = bytes_per_hand
    assert not grown
