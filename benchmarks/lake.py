"""A lake: what it costs to write, out of a ledger or straight, judge, judge again, verify, in one process, two, and on Spark; and its size.

Run: python benchmarks/lake.py [hands] [--spark]
Legal generated hands at 40 tables, ten shards. CPU seconds; two processes by the clock of two idle cores, as what others
do on a machine says nothing. On Spark, whose workers are at work at once, that clock is half of the CPU seconds of
all its processes; the clock of this machine stands beside it.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from figures import measure_cpu, measure_on_two_cores, print_goal
from judging import import_file, write_hands

from ledger.lake import layout
from ledger.lake.lake_check import verify
from ledger.store import open as open_ledger
from ledger.store.open_ledger import system_clock
from projections.books import rulebook
from projections.shards.direct_import import import_to_shards
from projections.shards.lake_audit import LakeRun, audit_lake, make_process_mapper
from projections.shards.lake_builder import build_lake
from projections.shards.spark import open_spark_mapper
from projections.tables.judgement import TableJudgement
from projections.tables.judgement_update import update_judgements
from projections.tables.table_set import build_results_projection

TABLES = 40
SHARDS = 10
BOOKS = [rulebook.load("hilton")]
BILLION = 1e9 / 3600
JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {"spark.driver.extraJavaOptions": JVM, "spark.executor.extraJavaOptions": JVM}


def print_cost(label: str, seconds: float, hands: int) -> None:
    seconds_per_hand = seconds / hands
    print(
        f"  {label:<52} {1e6 * seconds_per_hand:8.0f} µs of CPU a hand, {BILLION * seconds_per_hand:6.0f} core-hours for 1e9"
    )


def build_ledger(folder: Path, hands: int) -> tuple[float, float]:
    """Make the ledger and judge it itself; return the CPU seconds of its import, and of judging and of its results."""
    night = write_hands(folder / "night.txt", hands, tables=TABLES)
    with open_ledger(folder / "x.ledger") as ledger:
        reading = measure_cpu(lambda: import_file(ledger, night))
        print_cost("import", reading, hands)
        judged = measure_cpu(lambda: update_judgements([TableJudgement(ledger, BOOKS[0], ledger.database)]))
        results = measure_cpu(lambda: ledger.catch_up(build_results_projection(ledger)))
    print_cost("the ledger's own judgement and results", judged + results, hands)
    return reading, judged + results


def measure_direct_import(folder: Path, hands: int, two_step_seconds: float) -> None:
    """Let the same file go straight into as many shards; `through`: CPU seconds of import and shard."""
    key = folder / "people.key"
    options = {"imported_at": system_clock(), "hands_per_shard": hands // SHARDS, "people_key": key}
    cpu_seconds = measure_cpu(lambda: import_to_shards([folder / "night.txt"], folder / "straight", **options))
    print_cost("import --to-shards", cpu_seconds, hands)
    print_goal("import --to-shards / import and shard", cpu_seconds / two_step_seconds, 1.25, is_maximum=True)
    assert not verify(folder / "straight")[1], "what went straight does not hold"


def print_sizes(lake: Path, hands: int) -> None:
    manifest = layout.read_manifest(lake)
    shards = sum(shard.bytes for shard in manifest.shards)
    sources = manifest.sources.bytes if manifest.sources else 0
    ledger = (lake.parent / "x.ledger").stat().st_size
    print(f"  bytes a hand: shards {shards / hands:.0f}, sources {sources / hands:.0f}, ledger {ledger / hands:.0f}")
    print_goal("bytes a hand in shards", shards / hands, 400, is_maximum=True)


def list_processes() -> dict[int, tuple[int, float]]:
    """Every process of this machine with its parent and the CPU seconds of it and of those of its own that ended."""
    process_table = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat_fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        process_table[int(stat.parent.name)] = (
            int(stat_fields[1]),
            sum(map(int, stat_fields[11:15])) / os.sysconf("SC_CLK_TCK"),
        )
    return process_table


def tree_cpu_seconds() -> float:
    """CPU seconds of this process and of all below it."""
    process_table = list_processes()
    own_pids = {os.getpid()}
    while new_pids := {pid for pid, (parent, _) in process_table.items() if parent in own_pids} - own_pids:
        own_pids |= new_pids
    return sum(process_table[pid][1] for pid in own_pids)


def measure_spark(lake: Path, out: Path, one_process_seconds: float, digest: str) -> None:
    """Judge on two workers of Spark, from the moment at which they are there."""
    seconds_before = tree_cpu_seconds()
    with open_spark_mapper("local-cluster[2,1,1024]", settings=SETTINGS) as mapper:
        audit_lake(lake, [rulebook.load("record")], out / "first", mapper)  # workers load their modules
        started, clock = tree_cpu_seconds(), time.monotonic()
        lake_run = audit_lake(lake, BOOKS, out / "second", mapper)
        clock = time.monotonic() - clock
        cpu_seconds = tree_cpu_seconds() - started
    assert lake_run.digest == digest, "Spark found otherwise"
    print(
        f"  Spark: {started - seconds_before:.0f} s of CPU before, then {cpu_seconds:.1f} s of CPU, {clock:.1f} s by this machine's clock"
    )
    print_goal("one process / Spark's two workers, by two idle cores", one_process_seconds / (cpu_seconds / 2), 1.5)
    print_goal("CPU of Spark's processes / of one process", cpu_seconds / one_process_seconds, 1.15, is_maximum=True)


def main() -> None:
    hands = int(next((arg for arg in sys.argv[1:] if arg.isdigit()), "40000"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reading, ledger_seconds = build_ledger(folder, hands)
        lake, out = folder / "lake", folder / "out"
        with open_ledger(folder / "x.ledger", read_only=True) as ledger:
            sharding = measure_cpu(lambda: build_lake(ledger, lake, day_start="06:00", hands_per_shard=hands // SHARDS))
            print_cost("shard", sharding, hands)
            rewrite_seconds = measure_cpu(
                lambda: build_lake(ledger, lake, day_start="06:00", hands_per_shard=hands // SHARDS)
            )
        print_sizes(lake, hands)
        measure_direct_import(folder, hands, reading + sharding)
        lake_runs: list[LakeRun] = []
        one_process_seconds = measure_cpu(lambda: lake_runs.append(audit_lake(lake, BOOKS, out)))
        print_cost("lake audit, findings, results and seats", one_process_seconds, hands)
        print_goal(
            "a lake / the ledger's own judgement and results",
            one_process_seconds / ledger_seconds,
            1.25,
            is_maximum=True,
        )
        print_goal(
            "a finished lake judged again / first",
            statistics.median(measure_cpu(lambda: audit_lake(lake, BOOKS, out)) for _ in range(3))
            / one_process_seconds,
            0.02,
            is_maximum=True,
        )
        print(f"  a lake written again / judged: {rewrite_seconds / one_process_seconds:.3f}")
        two_process_seconds = measure_on_two_cores(
            lambda: lake_runs.append(audit_lake(lake, BOOKS, folder / "two", make_process_mapper(2)))
        )
        assert lake_runs[0].digest == lake_runs[1].digest, "two processes found otherwise"
        print_goal("one process / --jobs 2, by two idle cores", one_process_seconds / two_process_seconds, 1.8)
        problems: list[object] = []
        print_cost("verify", measure_cpu(lambda: problems.extend(verify(lake)[1])), hands)
        assert not problems, problems
        print(
            f"  peak memory of one process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (all of the above in it)"
        )
        if "--spark" in sys.argv:
            measure_spark(lake, folder / "spark", one_process_seconds, lake_runs[0].digest)


if __name__ == "__main__":
    main()
