"""An import of much text, interrupted and killed on the way: `python -m tests.torture.bulk --megabytes 1000`.

Half of the text is one file of 20 tables, the rest files of 10 tables each, every hand with a number
of its own. The import is interrupted (SIGINT) when a sixth of it is stored, taken up again, killed
(SIGKILL) at two fifths, taken up again and let run to its end. Then every number must be in the ledger
once, and where its hand lies in the files must be the beginning of that hand.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import ledger
from tests.children import child
from tests.conftest import ROOT, script
from tests.intake.test_killed import LISTENING

FIRST = 2_000_000_000
SHARE = 1.3
"""Bytes of ledger for a byte of text, rather less than there are: when a part of the text is stored."""


class Run(NamedTuple):
    """One run of the import: how it ended (a signal is negative), seconds, CPU seconds, peak memory in MB."""

    ended: int
    seconds: float
    cpu: float
    peak: float


class Score(NamedTuple):
    """What came of it. `wrong` says what is lost, doubled or misplaced; empty = nothing."""

    hands: int
    text: int
    kept: int
    runs: list[Run]
    wrong: list[str]


def fill(folder: Path, text: int, small: int) -> int:
    """Write so many bytes of hands into files of a folder, half of them into one; return how many hands."""
    generated = script(ROOT / "benchmarks/generated.py")
    folder.mkdir()
    number = FIRST
    for nth in chain([0], range(1, 1 + text // 2 // small)):
        first, many = (1, 20) if nth == 0 else (90 + 10 * nth, 10)
        tables = [generated.Table(table, table) for table in range(first, first + many)]
        bytes_left = text // 2 if nth == 0 else small
        with (folder / f"{nth:04}.txt").open("w") as out:
            while bytes_left > 0:
                bytes_left -= out.write(tables[number % many].hand(number))
                number += 1
    return number - FIRST


def imported(folder: Path, book: Path, bytes_before: int = 0, sign: signal.Signals | None = None) -> Run:
    """Import a folder in a process of its own; send it a signal when the ledger has `after` bytes."""
    start = time.monotonic()
    waiting, high = sign, 0.0
    with child(
        [sys.executable, "-c", LISTENING, "import", str(folder), "--ledger", str(book)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        while True:
            ended_pid, status, used = os.wait4(running.pid, os.WNOHANG)
            if ended_pid:
                break
            high = max(high, peak(running.pid))
            if waiting is not None and size(book) >= bytes_before:
                os.kill(running.pid, waiting)
                waiting = None
            time.sleep(0.02)
        running.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        running.returncode, time.monotonic() - start, used.ru_utime + used.ru_stime, high or used.ru_maxrss / (1 << 20)
    )


def peak(process: int) -> float:
    """Return the most memory that a process has had so far, in MB; 0 where the system does not say.

    What the system says of a process that ended counts what its parent had when it was started.
    """
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return int(text.partition("VmHWM:")[2].split()[0]) / (1 << 10) if "VmHWM:" in text else 0.0


def size(book: Path) -> int:
    """Return the bytes of a ledger on the disk, its journal too."""
    return sum(file.stat().st_size for file in book.parent.glob(book.name + "*") if file.exists())


def lost(folder: Path, book: Path, hands: int) -> list[str]:
    """Return what is not as it should be: numbers that lack or stand twice, places that are none."""
    wrong: list[str] = []
    places: dict[int, tuple[str, int, int]] = {}
    with ledger.open(book, read_only=True) as opened:
        for row in opened.hands():
            number = int(row.number)
            if number in places:
                wrong.append(f"hand {number} stands twice")
            places[number] = row.source, row.start, row.length
        digests = opened.sources.sha256s()
    wrong += [f"hand {n} is lost" for n in range(FIRST, FIRST + hands) if n not in places]
    wrong += [f"hand {n} was never written" for n in places if not FIRST <= n < FIRST + hands]
    texts = {sha256(path.read_bytes()).hexdigest(): path for path in sorted(folder.iterdir())}
    known_source: tuple[str, bytes] = "", b""
    for number, (source, start, _) in sorted(places.items(), key=lambda item: item[1]):
        if known_source[0] != source:
            file = texts.get(digests.get(source, source))
            known_source = source, file.read_bytes() if file else b""
        if not known_source[1].startswith(b"PokerStars Hand #%d:" % number, start):
            wrong.append(f"hand {number} lies elsewhere")
    return wrong


def torture(scratch: Path, text: int, small: int = 2_000_000) -> Score:
    """Fill a folder, import it with the two interruptions, and look at what is there."""
    folder, book = scratch / "in", scratch / "bulk.ledger"
    hands = fill(folder, text, small)
    part = text * SHARE
    runs = [
        imported(folder, book, int(part / 6), signal.SIGINT),
        imported(folder, book, int(part * 2 / 5), signal.SIGKILL),
        imported(folder, book),
    ]
    size_again = size(book)
    runs.append(imported(folder, book))
    wrong = lost(folder, book, hands)
    wrong += [
        f"run {nth} ended with {run.ended}"
        for nth, run, expected_status in zip(count(1), runs, (130, -signal.SIGKILL, 0, 0), strict=False)
        if run.ended != expected_status
    ]
    if size(book) > size_again + 1_000_000:
        wrong.append("importing again made the ledger larger")
    return Score(hands, text, size_again, runs, wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        score = torture(Path(scratch), options.megabytes * 1_000_000)
    peak = max(run.peak for run in score.runs)
    print(
        f"{score.hands:,} hands, {score.text / 1e6:,.0f} MB of text, {score.kept / 1e6:,.0f} MB of ledger: "
        f"peak memory {peak:.0f} MB, {sum(run.cpu for run in score.runs[:3]):.0f} CPU seconds; "
        f"{len(score.wrong)} hands lost, doubled or misplaced"
    )
    for run in score.runs:
        print(f"  ended {run.ended:4}  {run.seconds:7.1f} s  {run.cpu:7.1f} CPU s  {run.peak:5.0f} MB")
    for line in score.wrong[:20]:
        print(f"  {line}")
    return 1 if score.wrong or peak > 200 else 0


if __name__ == "__main__":
    sys.exit(main())
