"""Kept judgement: what it costs first, again, under five books, and for an evening that comes in late.

Run: python benchmarks/judging.py [hands] [--postgres URL]
Legal generated hands at 20 tables, where the same six always play; then real tables, where players come and go: sampled
ones with hands missing, and complete evenings. Those come from ../shared/data, the evenings without it from the samples of
the tests. CPU seconds of one process, `--jobs 2` on two idle cores; both sides of a ratio come from the same run. With a URL
all is measured on that (empty) PostgreSQL database instead.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import generated
from children import PROGRAM, Children
from figures import cpu, line, on_two_cores, peak_memory

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books import rulebook
from projections.queries.ledger_query import select_hands
from projections.tables.judgement import Judgement
from projections.tables.judgement_update import update_judgements
from projections.tables.table_set import build_results_projection

BOOKS = ("hilton", "rrop4", "bicycle", "house-burn", "record")
EVENING = 300
TABLES = 20
ROOT = Path(__file__).parent.parent
REAL = {
    "sampled tables": [ROOT.parent / "shared/data/pokerstars/cash-2021-nl50-masked"],
    "complete evenings": [ROOT.parent / "shared/data/pokernow", ROOT / "tests/formats/pokernow/samples"],
}
"""Real hands and the folders where they may be, the best first."""
REAL_ROUNDS = 3
QUERY = 'pot>=200 player:"player 7.3" position:BTN'
"""As in the README: a pot, a player, a position; with what was found where a book is named."""


def written(path: Path, count: int, *, seed: int = 1, tables: int = TABLES) -> Path:
    with path.open("w") as out:
        out.writelines(generated.hands(count, seed=seed, tables=tables))
    return path


def judge(ledger: Ledger, *books: str) -> int:
    """Bring the judgement under these books up to date; return how many findings there are."""
    judgements = [Judgement(ledger, rulebook.load(name), ledger.database) for name in books]
    update_judgements(judgements)
    return sum(len(one.result().findings) for one in judgements)


def imported(ledger: Ledger, path: Path) -> None:
    total = import_paths(ledger, [path]).total
    assert total.new, "a benchmark of nothing is none"
    assert not total.rejected, "a benchmark of rejects is none"


def first(folder: Path, where: Callable[[str], str], hands: int) -> None:
    """Import, judge, judge again, ask; then the same with five books."""
    night = written(folder / "night.txt", hands)
    with open_ledger(where("a")) as ledger:
        importing = cpu(lambda: imported(ledger, night))
        one = cpu(lambda: judge(ledger, "hilton"))
        again = statistics.median(cpu(lambda: judge(ledger, "hilton")) for _ in range(3))
        cpu(lambda: ledger.catch_up(build_results_projection(ledger)))
        results = cpu(lambda: ledger.rebuild(build_results_projection(ledger)))
        asking = statistics.median(cpu(partial(ask, ledger, QUERY)) for _ in range(3))
        found = statistics.median(cpu(partial(ask, ledger, QUERY + " clause:hilton.*")) for _ in range(3))
    with open_ledger(where("c")) as ledger:
        imported(ledger, night)
        five = cpu(lambda: judge(ledger, *BOOKS))
    print(f"{hands:,} hands at {TABLES} tables, µs of CPU each: import {1e6 * importing / hands:.0f}, ", end="")
    print(f"judging {1e6 * one / hands:.0f}, results {1e6 * results / hands:.0f}")
    line("judging under one book / importing", one / importing, 0.5, most=True)
    line("five books / one book", five / one, 2, most=True)
    line("asking again / first time", again / one, 0.02, most=True)
    line("query, seconds of CPU", asking, 0.3, most=True)
    line("query with findings, seconds of CPU", found, 0.3, most=True)


def real(where: Callable[[str], str]) -> None:
    """Judge real tables under two books, each beside its import."""
    for kind, folders in REAL.items():
        files = next((found for folder in folders if (found := real_files(folder))), None)
        if files is None:
            print(f"real {kind}: no such hands beside the checkout")
            continue
        ratios: dict[str, list[float]] = {"hilton": [], "rrop4": []}
        hands = tables = 0
        for turn in range(REAL_ROUNDS):
            with open_ledger(where(f"{kind.split()[0]}{turn}")) as ledger:
                importing = cpu(partial(import_paths, ledger, files))
                for book, found in ratios.items():
                    found.append(cpu(partial(judge, ledger, book)) / importing)
                hands, tables = sum(1 for _ in ledger.hands()), sum(1 for _ in ledger.tables())
        print(f"real {kind}: {hands:,} hands at {tables} tables")
        for book, found in ratios.items():
            line(f"judging / importing, {kind}, {book}", statistics.median(found), 0.5, most=True)


def real_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".csv"))


def ask(ledger: Ledger, query: str) -> None:
    with select_hands(ledger, query, "06:00", [rulebook.load("hilton")]) as found:
        list(found.iter_rows())


def evening(folder: Path, where: Callable[[str], str]) -> None:
    """Judge an evening at one table, behind everything that `first` left, and in an empty ledger."""
    late = written(folder / "late.txt", EVENING, seed=7, tables=1)
    took = []
    for name in ("a", "b"):
        with open_ledger(where(name)) as ledger:
            if name == "b":
                judge(ledger, "hilton")
            took.append(cpu(lambda: (imported(ledger, late), judge(ledger, "hilton"))))
    line(f"{EVENING} hands into the large ledger / into an empty one", took[0] / took[1], 1.5, most=True)


def verifying(where: Callable[[str], str]) -> None:
    """Everything recomputed, beside SHA-256 and decoding of the same rows."""
    with open_ledger(where("a")) as ledger:
        commits = list(ledger.commits())

        def alone() -> None:
            for one in commits:
                hashlib.sha256(one.data).digest()
                ledger.mapper.decode(one.kind, one.data)

        floor = cpu(alone)
        whole = cpu(ledger.verify)
    line("verify / SHA-256 and decode alone (rate)", floor / whole, 0.5)


def starting(folder: Path, where: Callable[[str], str]) -> None:
    """Short commands beside an empty Typer program."""
    with open_ledger(where("a")) as ledger:
        number = next(ledger.hands(limit=1)).number
    told = (["show", number], ["log", "-n", "20"], ["due", "Table 1", "-r", "hilton"])
    children = Children(folder)
    ours = [[*PROGRAM, *args, "--ledger", where("a")] for args in told]
    typer, *took = children.medians(children.empty, *ours, runs=11)
    for args, seconds in zip(told, took, strict=True):
        line(f"{args[0]} / an empty Typer program", seconds / typer, 1.6, most=True)


def side_by_side(folder: Path, where: Callable[[str], str]) -> None:
    """Judge in one and in two processes."""
    took = []
    for jobs, measured in ((1, cpu), (2, on_two_cores)):
        with open_ledger(where(f"jobs{jobs}")) as ledger:
            imported(ledger, folder / "night.txt")
            judgements = [Judgement(ledger, rulebook.load("hilton"), ledger.database)]
            took.append(measured(partial(update_judgements, judgements, jobs=jobs)))
    line("judging on two idle cores with --jobs 2 / one", took[0] / took[1], 1.8)


def main() -> None:
    args = sys.argv[1:]
    url = args.pop(args.index("--postgres") + 1) if "--postgres" in args else None
    hands = int(next((arg for arg in args if arg.isdigit()), "20000"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def where(database: str) -> str:
            return str(folder / f"{database}.ledger") if url is None else f"{url}_{database}"

        first(folder, where, hands)
        real(where)
        evening(folder, where)
        side_by_side(folder, where)
        verifying(where)
        starting(folder, where)
    print(f"peak memory {peak_memory():.0f} MB (all of the above in one process)")


if __name__ == "__main__":
    main()
