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
from figures import measure_cpu, measure_on_two_cores, peak_memory, print_goal

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books import rulebook
from projections.queries.ledger_query import select_hands
from projections.tables.judgement import TableJudgement
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


def write_hands(path: Path, count: int, *, seed: int = 1, tables: int = TABLES) -> Path:
    with path.open("w") as out:
        out.writelines(generated.hands(count, seed=seed, tables=tables))
    return path


def judge(ledger: Ledger, *books: str) -> int:
    """Bring the judgement under these books up to date; return how many findings there are."""
    judgements = [TableJudgement(ledger, rulebook.load(name), ledger.database) for name in books]
    update_judgements(judgements)
    return sum(len(judgement.load_result().findings) for judgement in judgements)


def import_file(ledger: Ledger, path: Path) -> None:
    total = import_paths(ledger, [path]).total
    assert total.new, "a benchmark of nothing is none"
    assert not total.rejected, "a benchmark of rejects is none"


def measure_first(folder: Path, ledger_url: Callable[[str], str], hands: int) -> None:
    """Import, judge, judge again, ask; then the same with five books."""
    night = write_hands(folder / "night.txt", hands)
    with open_ledger(ledger_url("a")) as ledger:
        import_seconds = measure_cpu(lambda: import_file(ledger, night))
        judging_seconds = measure_cpu(lambda: judge(ledger, "hilton"))
        second_seconds = statistics.median(measure_cpu(lambda: judge(ledger, "hilton")) for _ in range(3))
        measure_cpu(lambda: ledger.catch_up(build_results_projection(ledger)))
        results = measure_cpu(lambda: ledger.rebuild(build_results_projection(ledger)))
        query_seconds = statistics.median(measure_cpu(partial(ask, ledger, QUERY)) for _ in range(3))
        finding_query_seconds = statistics.median(
            measure_cpu(partial(ask, ledger, QUERY + " clause:hilton.*")) for _ in range(3)
        )
    with open_ledger(ledger_url("c")) as ledger:
        import_file(ledger, night)
        five_book_seconds = measure_cpu(lambda: judge(ledger, *BOOKS))
    print(f"{hands:,} hands at {TABLES} tables, µs of CPU each: import {1e6 * import_seconds / hands:.0f}, ", end="")
    print(f"judging {1e6 * judging_seconds / hands:.0f}, results {1e6 * results / hands:.0f}")
    print_goal("judging under one book / importing", judging_seconds / import_seconds, 0.5, is_maximum=True)
    print_goal("five books / one book", five_book_seconds / judging_seconds, 2, is_maximum=True)
    print_goal("asking again / first time", second_seconds / judging_seconds, 0.02, is_maximum=True)
    print_goal("query, seconds of CPU", query_seconds, 0.3, is_maximum=True)
    print_goal("query with findings, seconds of CPU", finding_query_seconds, 0.3, is_maximum=True)


def measure_real_hands(ledger_url: Callable[[str], str]) -> None:
    """Judge real tables under two books, each beside its import."""
    for kind, folders in REAL.items():
        files = next((values for folder in folders if (values := real_files(folder))), None)
        if files is None:
            print(f"real {kind}: no such hands beside the checkout")
            continue
        ratios: dict[str, list[float]] = {"hilton": [], "rrop4": []}
        hands = tables = 0
        for turn in range(REAL_ROUNDS):
            with open_ledger(ledger_url(f"{kind.split()[0]}{turn}")) as ledger:
                import_seconds = measure_cpu(partial(import_paths, ledger, files))
                for book, values in ratios.items():
                    values.append(measure_cpu(partial(judge, ledger, book)) / import_seconds)
                hands, tables = sum(1 for _ in ledger.hands()), sum(1 for _ in ledger.tables())
        print(f"real {kind}: {hands:,} hands at {tables} tables")
        for book, values in ratios.items():
            print_goal(f"judging / importing, {kind}, {book}", statistics.median(values), 0.5, is_maximum=True)


def real_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".csv"))


def ask(ledger: Ledger, query: str) -> None:
    with select_hands(ledger, query, "06:00", [rulebook.load("hilton")]) as selection:
        list(selection.iter_rows())


def measure_late_evening(folder: Path, ledger_url: Callable[[str], str]) -> None:
    """Judge an evening at one table, behind everything that `first` left, and in an empty ledger."""
    late_file = write_hands(folder / "late.txt", EVENING, seed=7, tables=1)
    cpu_seconds = []
    for name in ("a", "b"):
        with open_ledger(ledger_url(name)) as ledger:
            if name == "b":
                judge(ledger, "hilton")
            cpu_seconds.append(measure_cpu(lambda: (import_file(ledger, late_file), judge(ledger, "hilton"))))
    print_goal(
        f"{EVENING} hands into the large ledger / into an empty one",
        cpu_seconds[0] / cpu_seconds[1],
        1.5,
        is_maximum=True,
    )


def measure_verify(ledger_url: Callable[[str], str]) -> None:
    """Everything recomputed, beside SHA-256 and decoding of the same rows."""
    with open_ledger(ledger_url("a")) as ledger:
        commits = list(ledger.commits())

        def decode_all() -> None:
            for commit in commits:
                hashlib.sha256(commit.data).digest()
                ledger.mapper.decode(commit.kind, commit.data)

        decode_seconds = measure_cpu(decode_all)
        verify_seconds = measure_cpu(ledger.verify)
    print_goal("verify / SHA-256 and decode alone (rate)", decode_seconds / verify_seconds, 0.5)


def measure_startup(folder: Path, ledger_url: Callable[[str], str]) -> None:
    """Short commands beside an empty Typer program."""
    with open_ledger(ledger_url("a")) as ledger:
        number = next(ledger.hands(limit=1)).number
    argument_lists = (["show", number], ["log", "-n", "20"], ["due", "Table 1", "-r", "hilton"])
    children = Children(folder)
    commands = [[*PROGRAM, *args, "--ledger", ledger_url("a")] for args in argument_lists]
    typer, *command_seconds = children.medians(children.empty, *commands, runs=11)
    for args, seconds in zip(argument_lists, command_seconds, strict=True):
        print_goal(f"{args[0]} / an empty Typer program", seconds / typer, 1.6, is_maximum=True)


def measure_two_processes(folder: Path, ledger_url: Callable[[str], str]) -> None:
    """Judge in one and in two processes."""
    cpu_seconds = []
    for jobs, measured in ((1, measure_cpu), (2, measure_on_two_cores)):
        with open_ledger(ledger_url(f"jobs{jobs}")) as ledger:
            import_file(ledger, folder / "night.txt")
            judgements = [TableJudgement(ledger, rulebook.load("hilton"), ledger.database)]
            cpu_seconds.append(measured(partial(update_judgements, judgements, jobs=jobs)))
    print_goal("judging on two idle cores with --jobs 2 / one", cpu_seconds[0] / cpu_seconds[1], 1.8)


def main() -> None:
    args = sys.argv[1:]
    url = args.pop(args.index("--postgres") + 1) if "--postgres" in args else None
    hands = int(next((arg for arg in args if arg.isdigit()), "20000"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def ledger_url(database: str) -> str:
            return str(folder / f"{database}.ledger") if url is None else f"{url}_{database}"

        measure_first(folder, ledger_url, hands)
        measure_real_hands(ledger_url)
        measure_late_evening(folder, ledger_url)
        measure_two_processes(folder, ledger_url)
        measure_verify(ledger_url)
        measure_startup(folder, ledger_url)
    print(f"peak memory {peak_memory():.0f} MB (all of the above in one process)")


if __name__ == "__main__":
    main()
