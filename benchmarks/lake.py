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
from figures import cpu, line, on_two_cores
from judging import imported, written

from ledger.lake import layout
from ledger.lake.verifying import verify
from ledger.store import open as open_ledger
from ledger.store.open_ledger import system_clock
from projections.books import rulebook
from projections.shards.direct_import import import_to_shards
from projections.shards.lake_audit import LakeRun, audit_lake, make_process_mapper
from projections.shards.lake_builder import build_lake
from projections.shards.spark import spark_mapper
from projections.tables.judgement import Judgement
from projections.tables.judgement_update import update_judgements
from projections.tables.table_set import build_results_projection

TABLES = 40
SHARDS = 10
BOOKS = [rulebook.load("hilton")]
BILLION = 1e9 / 3600
JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {"spark.driver.extraJavaOptions": JVM, "spark.executor.extraJavaOptions": JVM}


def told(what: str, seconds: float, hands: int) -> None:
    each = seconds / hands
    print(f"  {what:<52} {1e6 * each:8.0f} µs of CPU a hand, {BILLION * each:6.0f} core-hours for 1e9")


def ledger_of(folder: Path, hands: int) -> tuple[float, float]:
    """Make the ledger and judge it itself; return the CPU seconds of its import, and of judging and of its results."""
    night = written(folder / "night.txt", hands, tables=TABLES)
    with open_ledger(folder / "x.ledger") as ledger:
        reading = cpu(lambda: imported(ledger, night))
        told("import", reading, hands)
        judged = cpu(lambda: update_judgements([Judgement(ledger, BOOKS[0], ledger.database)]))
        results = cpu(lambda: ledger.catch_up(build_results_projection(ledger)))
    told("the ledger's own judgement and results", judged + results, hands)
    return reading, judged + results


def straight(folder: Path, hands: int, through: float) -> None:
    """Let the same file go straight into as many shards; `through`: CPU seconds of import and shard."""
    key = folder / "people.key"
    at = {"imported_at": system_clock(), "hands": hands // SHARDS, "people_key": key}
    took = cpu(lambda: import_to_shards([folder / "night.txt"], folder / "straight", **at))
    told("import --to-shards", took, hands)
    line("import --to-shards / import and shard", took / through, 1.25, most=True)
    assert not verify(folder / "straight")[1], "what went straight does not hold"


def sizes(lake: Path, hands: int) -> None:
    told_ = layout.read_manifest(lake)
    shards = sum(one.bytes for one in told_.shards)
    sources = told_.sources.bytes if told_.sources else 0
    ledger = (lake.parent / "x.ledger").stat().st_size
    print(f"  bytes a hand: shards {shards / hands:.0f}, sources {sources / hands:.0f}, ledger {ledger / hands:.0f}")
    line("bytes a hand in shards", shards / hands, 400, most=True)


def processes() -> dict[int, tuple[int, float]]:
    """Every process of this machine with its parent and the CPU seconds of it and of those of its own that ended."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            told_ = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        found[int(stat.parent.name)] = int(told_[1]), sum(map(int, told_[11:15])) / os.sysconf("SC_CLK_TCK")
    return found


def of_all() -> float:
    """CPU seconds of this process and of all below it."""
    there = processes()
    mine = {os.getpid()}
    while fresh := {pid for pid, (parent, _) in there.items() if parent in mine} - mine:
        mine |= fresh
    return sum(there[pid][1] for pid in mine)


def spark(lake: Path, out: Path, plain: float, digest: str) -> None:
    """Judge on two workers of Spark, from the moment at which they are there."""
    before = of_all()
    with spark_mapper("local-cluster[2,1,1024]", settings=SETTINGS) as mapper:
        audit_lake(lake, [rulebook.load("record")], out / "first", mapper)  # workers load their modules
        started, clock = of_all(), time.monotonic()
        made = audit_lake(lake, BOOKS, out / "second", mapper)
        clock = time.monotonic() - clock
        took = of_all() - started
    assert made.digest == digest, "Spark found otherwise"
    print(
        f"  Spark: {started - before:.0f} s of CPU before, then {took:.1f} s of CPU, {clock:.1f} s by this machine's clock"
    )
    line("one process / Spark's two workers, by two idle cores", plain / (took / 2), 1.5)
    line("CPU of Spark's processes / of one process", took / plain, 1.15, most=True)


def main() -> None:
    hands = int(next((arg for arg in sys.argv[1:] if arg.isdigit()), "40000"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reading, own = ledger_of(folder, hands)
        lake, out = folder / "lake", folder / "out"
        with open_ledger(folder / "x.ledger", read_only=True) as ledger:
            sharding = cpu(lambda: build_lake(ledger, lake, day_start="06:00", hands_per_shard=hands // SHARDS))
            told("shard", sharding, hands)
            again = cpu(lambda: build_lake(ledger, lake, day_start="06:00", hands_per_shard=hands // SHARDS))
        sizes(lake, hands)
        straight(folder, hands, reading + sharding)
        made: list[LakeRun] = []
        plain = cpu(lambda: made.append(audit_lake(lake, BOOKS, out)))
        told("lake audit, findings, results and seats", plain, hands)
        line("a lake / the ledger's own judgement and results", plain / own, 1.25, most=True)
        line(
            "a finished lake judged again / first",
            statistics.median(cpu(lambda: audit_lake(lake, BOOKS, out)) for _ in range(3)) / plain,
            0.02,
            most=True,
        )
        print(f"  a lake written again / judged: {again / plain:.3f}")
        two = on_two_cores(lambda: made.append(audit_lake(lake, BOOKS, folder / "two", make_process_mapper(2))))
        assert made[0].digest == made[1].digest, "two processes found otherwise"
        line("one process / --jobs 2, by two idle cores", plain / two, 1.8)
        wrong: list[object] = []
        told("verify", cpu(lambda: wrong.extend(verify(lake)[1])), hands)
        assert not wrong, wrong
        print(
            f"  peak memory of one process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (all of the above in it)"
        )
        if "--spark" in sys.argv:
            spark(lake, folder / "spark", plain, made[0].digest)


if __name__ == "__main__":
    main()
