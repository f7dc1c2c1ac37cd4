"""PokerStars text into a durable, validated ledger, beside PokerKit's reader and beside cutting alone.

Run: python benchmarks/importing.py [hands] [megabytes for the memory run, 0 = leave it out]
All rates are hands per CPU second of one process; both sides of a ratio come from the same run.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generated
from pokerkit.notation import PokerStarsParser

from ledger.intake import import_paths
from ledger.store import open as open_ledger

ROUNDS = 3
PARSED_BY_POKERKIT = 250
FPDB_TO_POKERKIT = 545 / 281
"""FPDB classic imports 545 hands/CPU-s where PokerKit reads 281: measured once on one machine."""


def cpu(job: Callable[[], object]) -> float:
    before = time.process_time()
    job()
    return time.process_time() - before


def pokerkit(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(PokerStarsParser()(text))
    assert len(found) == PARSED_BY_POKERKIT


def cut(text: str) -> int:
    """Cut the text of hands into tuples with string methods: the floor of any reader in Python."""
    count = 0
    for hand in text.split("\n\n\n\n"):
        seats: dict[str, int] = {}
        acts: list[tuple[object, ...]] = []
        for line in hand.split("\n"):
            if line.startswith("Seat ") and line.endswith(" in chips) "):
                colon, bracket = line.index(": "), line.rindex(" (")
                seats[line[colon + 2 : bracket]] = int(line[5:colon])
            elif line.startswith(("***", "Dealt to ")):
                acts.append((line,))
            else:
                at = line.rfind(": ")
                who = seats.get(line[:at])
                acts.append((who, *line[at + 2 :].split(" ")) if who else (line,))
        count += len(acts)
    return count


def imported(path: Path, ledger: Path) -> None:
    with open_ledger(ledger) as opened:
        total = import_paths(opened, [path]).total
        assert not total.rejected, "a benchmark of rejects is none"


def size(ledger: Path) -> int:
    return sum(file.stat().st_size for file in ledger.parent.glob(ledger.name + "*"))


def line(name: str, found: float, goal: float, *, most: bool = False) -> None:
    reached = found <= goal if most else found >= goal
    sign = "≤" if most else "≥"
    print(
        f"  {name:<52} {found:8.2f}   goal {sign} {goal:<6g} {'reached' if reached else 'MISSED'}"
    )


def rates(count: int) -> None:
    parts = list(generated.hands(count))
    text = "".join(parts)
    few = "".join(parts[:PARSED_BY_POKERKIT])
    found: dict[str, list[float]] = {
        name: [] for name in ("pokerkit", "cut", "first", "again", "wall")
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "hands.txt"
        source.write_text(text)
        imported(source, folder / "warm.ledger")
        for turn in range(ROUNDS):
            ledger = folder / f"{turn}.ledger"
            found["pokerkit"].append(PARSED_BY_POKERKIT / cpu(lambda: pokerkit(few)))
            found["cut"].append(count / cpu(lambda: cut(text)))
            before = time.perf_counter()
            found["first"].append(count / cpu(partial(imported, source, ledger)))
            found["wall"].append(count / (time.perf_counter() - before))
            found["again"].append(count / cpu(partial(imported, source, ledger)))
        kept = size(ledger)
    rate = {name: statistics.median(values) for name, values in found.items()}
    print(f"{count:,} hands, {len(text) / count:,.0f} bytes each; hands per CPU second:")
    print(f"  PokerKit reads {rate['pokerkit']:,.0f}; cutting alone {rate['cut']:,.0f}; "
          f"import {rate['first']:,.0f} ({rate['wall']:,.0f} by the clock); again {rate['again']:,.0f}")  # fmt: skip
    line("import / PokerKit's reader", rate["first"] / rate["pokerkit"], 30)
    line(
        "import / FPDB classic's import (from its published ratio)",
        rate["first"] / rate["pokerkit"] / FPDB_TO_POKERKIT,
        15,
    )
    line("import / cutting the text alone", rate["first"] / rate["cut"], 0.3)
    line("importing again / first import", rate["again"] / rate["first"], 3)
    line("ledger on disk / text", kept / len(text), 1.2, most=True)


def memory(megabytes: int) -> None:
    """Import one big file in a process of its own and ask how much memory it took at most."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "big.txt"
        with source.open("w") as out:
            for hand in generated.hands(megabytes * 1_000_000 // 1400):
                out.write(hand)
        code = [sys.executable, __file__, "--import", str(source), str(Path(name) / "ledger")]
        done = subprocess.run(code, check=True, capture_output=True, text=True)
    peak, seconds = map(float, done.stdout.split())
    print(f"One file of {megabytes} MB, {seconds:.0f} s:")
    line("peak memory, MB", peak, 200, most=True)


def main() -> None:
    if sys.argv[1:2] == ["--import"]:
        took = cpu(lambda: imported(Path(sys.argv[2]), Path(sys.argv[3])))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, took)
        return
    numbers = [int(arg) for arg in sys.argv[1:]]
    rates(numbers[0] if numbers else 6000)
    if megabytes := (numbers[1] if len(numbers) > 1 else 60):
        memory(megabytes)


if __name__ == "__main__":
    main()
