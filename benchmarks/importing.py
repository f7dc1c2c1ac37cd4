"""PokerStars text into a durable, validated ledger, beside PokerKit's reader and beside cutting alone.

Run: python benchmarks/importing.py [hands] [megabytes for the memory run, 0 = leave it out] [FILE...]
With files, one line more says how much disk a ledger of these takes, beside the same for generated hands.
All rates are hands per CPU second of one process; both sides of a ratio come from the same run.
"""

from __future__ import annotations

import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import closing
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generated
import msgspec
from figures import measure_cpu, measure_on_two_cores, peak_memory, print_goal

from ledger import formats
from ledger.account import Account
from ledger.hand.fold import fold
from ledger.intake import ImportOptions, import_paths
from ledger.marks import pack_origins
from ledger.notation import Chunk
from ledger.people import People
from ledger.store import open as open_ledger
from ledger.table.played import build_hand_played

ROUNDS = 3
PARSED_BY_POKERKIT = 250
FPDB_TO_POKERKIT = 545 / 281
"""FPDB classic imports 545 hands/CPU-s where PokerKit reads 281: measured once on one machine."""


def parse_with_pokerkit(text: str) -> None:
    from pokerkit.notation import PokerStarsParser  # noqa: PLC0415 - processes that work beside this one need none of it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        histories = list(PokerStarsParser()(text))
    assert len(histories) == PARSED_BY_POKERKIT


def cut_text(text: str) -> int:
    """Cut the text of hands into tuples with string methods: the floor of any reader in Python."""
    count = 0
    for hand in text.split("\n\n\n\n"):
        seats: dict[str, int] = {}
        acts: list[tuple[object, ...]] = []
        for text_line in hand.split("\n"):
            if text_line.startswith("Seat ") and text_line.endswith(" in chips) "):
                colon, bracket = text_line.index(": "), text_line.rindex(" (")
                seats[text_line[colon + 2 : bracket]] = int(text_line[5:colon])
            elif text_line.startswith(("***", "Dealt to ")):
                acts.append((text_line,))
            else:
                colon_index = text_line.rfind(": ")
                seat = seats.get(text_line[:colon_index])
                acts.append((seat, *text_line[colon_index + 2 :].split(" ")) if seat else (text_line,))
        count += len(acts)
    return count


def import_file(path: Path, ledger: Path, *, compress: bool = True, jobs: int = 1) -> None:
    with open_ledger(ledger) as opened:
        total = import_paths(opened, [path], ImportOptions(compress=compress, jobs=jobs)).total
        assert not total.rejected, "a benchmark of rejects is none"


def size(ledger: Path) -> int:
    return sum(file.stat().st_size for file in ledger.parent.glob(ledger.name + "*"))


def bytes_by_part(ledger: Path) -> dict[str, int]:
    with closing(sqlite3.connect(ledger)) as connection:
        events, marks, table = connection.execute(
            "SELECT sum(length(data) * (kind = 1)), sum(length(marks)), sum(length(data) * (kind = 2)) FROM log"
        ).fetchone()
        [blocks] = connection.execute("SELECT sum(length(data)) FROM blocks").fetchone()
    return {"events": events, "what the table remembers": table, "marks": marks, "original text": blocks}


def seconds_by_part(data: bytes) -> dict[str, float]:
    """CPU seconds of the parts of an import, each done alone over all hands."""
    encode = msgspec.json.Encoder().encode
    form, people = formats.get("pokerstars"), People(bytes(32))
    accounts: list[Account] = []
    parts = {
        "reading": lambda: accounts.extend(
            item for item in form.read(Chunk(data), people) if isinstance(item, Account)
        ),
        "folding": lambda: [build_hand_played(fold(account.events), "") for account in accounts],
        "encoding": lambda: [
            (encode(account.events), pack_origins(account.places, account.inferred, account.times))
            for account in accounts
        ],
    }
    return {name: measure_cpu(part) for name, part in parts.items()}


def measure_rates(count: int) -> None:
    parts = list(generated.hands(count))
    text = "".join(parts)
    pokerkit_text = "".join(parts[:PARSED_BY_POKERKIT])
    samples: dict[str, list[float]] = {name: [] for name in ("pokerkit", "cut", "first", "again", "wall")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "hands.txt"
        source.write_text(text)
        import_file(source, folder / "warm.ledger")
        for round_number in range(ROUNDS):
            ledger = folder / f"{round_number}.ledger"
            samples["pokerkit"].append(PARSED_BY_POKERKIT / measure_cpu(lambda: parse_with_pokerkit(pokerkit_text)))
            samples["cut"].append(count / measure_cpu(lambda: cut_text(text)))
            started_at = time.perf_counter()
            samples["first"].append(count / measure_cpu(partial(import_file, source, ledger)))
            samples["wall"].append(count / (time.perf_counter() - started_at))
            samples["again"].append(count / measure_cpu(partial(import_file, source, ledger)))
        packed_bytes = size(ledger)
        plain_rate = count / measure_cpu(partial(import_file, source, folder / "plain.ledger", compress=False))
        plain_bytes = size(folder / "plain.ledger")
        two_core_seconds = measure_on_two_cores(partial(import_file, source, folder / "shared.ledger", jobs=2))
        shares = bytes_by_part(folder / "plain.ledger")
        times = seconds_by_part(text.encode())
    rate = {name: statistics.median(values) for name, values in samples.items()}
    print(f"{count:,} hands, {len(text) / count:,.0f} bytes each; hands per CPU second:")
    print(
        f"  PokerKit reads {rate['pokerkit']:,.0f}; cutting alone {rate['cut']:,.0f}; "
        f"import {rate['first']:,.0f} ({rate['wall']:,.0f} by the clock); again {rate['again']:,.0f}"
    )
    print_goal("import / PokerKit's reader", rate["first"] / rate["pokerkit"], 30)
    print_goal(
        "import / FPDB classic's import (from its published ratio)",
        rate["first"] / rate["pokerkit"] / FPDB_TO_POKERKIT,
        15,
    )
    print_goal("import / cutting the text alone", rate["first"] / rate["cut"], 0.3)
    print_goal("importing again / first import", rate["again"] / rate["first"], 3)
    print_goal("ledger on disk, plain / text", plain_bytes / len(text), 1.2, is_maximum=True)
    print_goal("ledger on disk, compressed / text", packed_bytes / len(text), 1.2, is_maximum=True)
    print_goal("import on two idle cores with --jobs 2 / with one", count / rate["first"] / two_core_seconds, 1.8)
    print(f"  compressing, the import has {rate['first'] / plain_rate:.2f} of its plain rate")
    microseconds = 1e6 / rate["first"]
    parts_text = ", ".join(f"{name} {1e6 * seconds / count:.0f}" for name, seconds in times.items())
    print(f"  where the time goes, µs of {microseconds:.0f} for each hand: {parts_text}, the rest is storing")
    parts_text = ", ".join(f"{name} {amount / count:.0f}" for name, amount in shares.items())
    print(f"  where the bytes go, of {plain_bytes / count:.0f} for each hand: {parts_text}, the rest is the database's")


def measure_disk(paths: list[Path]) -> None:
    """How much disk a ledger of these files takes, plain and compressed."""
    text = b"".join(path.read_bytes() for path in paths)
    print(f"{len(paths)} files of {len(text):,} bytes:")
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "all.txt"
        source.write_bytes(text)
        for word, compress in (("plain", False), ("compressed", True)):
            ledger = Path(name) / f"{word}.ledger"
            import_file(source, ledger, compress=compress)
            print_goal(f"ledger on disk, {word} / text", size(ledger) / len(text), 1.2, is_maximum=True)


def measure_memory(megabytes: int) -> None:
    """Import one big file in a process of its own and ask how much memory it took at most."""
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "big.txt"
        with source.open("w") as out:
            for hand in generated.hands(megabytes * 1_000_000 // 1400):
                out.write(hand)
        code = [sys.executable, __file__, "--import", str(source), str(Path(name) / "ledger")]
        completed = subprocess.run(code, check=True, capture_output=True, text=True)
    peak, seconds = map(float, completed.stdout.split())
    print(f"One file of {megabytes} MB, {seconds:.0f} s:")
    print_goal("peak memory, MB", peak, 200, is_maximum=True)


def main() -> None:
    if sys.argv[1:2] == ["--import"]:
        cpu_seconds = measure_cpu(lambda: import_file(Path(sys.argv[2]), Path(sys.argv[3])))
        print(peak_memory(), cpu_seconds)
        return
    numbers = [int(arg) for arg in sys.argv[1:3]]
    measure_rates(numbers[0] if numbers else 6000)
    if megabytes := (numbers[1] if len(numbers) > 1 else 60):
        measure_memory(megabytes)
    if files := [Path(arg) for arg in sys.argv[3:]]:
        measure_disk(files)


if __name__ == "__main__":
    main()
