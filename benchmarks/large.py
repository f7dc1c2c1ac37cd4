"""A PostgreSQL ledger of many hands: what its size does to an append, a night, a read, verifying and a backup.

Run: python benchmarks/large.py [hands] --postgres URL
An empty schema is filled with commits of real hands under new ids, linked and indexed as the program does, by its own
statements under its own guards. Figures of the full ledger stand over those of the one with 20,000 hands that it was
before, of the same run; beside the log a copy of it in 16 hash partitions by stream is made, and asked the same.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast
from uuid import UUID, uuid4

import psycopg

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
import generated

from ledger.chain import chain_commit
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.database.raw_connection import open_raw
from ledger.store.verify.log_checks import _check_part, _split_log
from ledger.store.verify.packed_texts import PackedTexts
from ledger.table.events import HandsMissing

FIRST = 20_000
BATCH = 50_000
PARTS = 16
READS = 400
_SAMPLE = """SELECT l.count, l.codec, l.data, l.marks, l.at, l.writer, l.source, l.start, l.length,
  w.clock, w.by, s.digest, h.place, h.number, h.started, h.variant, h.betting, h.format, h.note
  FROM log AS l JOIN writers AS w ON w.id = l.writer JOIN sources AS s ON s.id = l.source
  JOIN hands AS h ON h.position = l.position WHERE l.kind = 1 ORDER BY l.position"""


def fill(ledger: Ledger, hands: int) -> None:
    """Append so many more hands, each of a new id, with what one of the first hands says."""
    with ledger.database.reading() as link:
        sample = link.execute(_SAMPLE).fetchall()
    with open_raw(ledger.database.engine) as connection:
        texts = PackedTexts(connection)
        unpacked_events = [
            bytes(cast("bytes", texts.unpack(row[1], bytes(row[2])))) for row in sample
        ]  # as it is hashed
    filled = 0
    while filled < hands:
        with ledger.database.writing(bulk=True) as link:
            position, previous_link = ledger.database.read_head(link)
            rows: list[tuple[Any, ...]] = []
            index: list[tuple[Any, ...]] = []
            for number in range(filled, min(filled + BATCH, hands)):
                (
                    count,
                    codec,
                    data,
                    marks,
                    occurred_at,
                    writer,
                    source,
                    start,
                    length,
                    clock,
                    writer_name,
                    digest,
                    place,
                    *hand_columns,
                ) = sample[number % len(sample)]
                stream = blake2b(number.to_bytes(8, "big"), digest_size=16).digest()
                position += count
                previous_link = chain_commit(
                    previous_link,
                    position,
                    count,
                    1,
                    stream,
                    1,
                    occurred_at,
                    clock.encode(),
                    writer_name.encode(),
                    b"",
                    bytes(digest),
                    start,
                    length,
                    bytes(marks),
                    unpacked_events[number % len(sample)],
                )
                rows.append(
                    (
                        position,
                        count,
                        1,
                        stream,
                        1,
                        codec,
                        data,
                        marks,
                        occurred_at,
                        writer,
                        source,
                        start,
                        length,
                        None,
                        previous_link,
                    )
                )
                index.append((position, place, hand_columns[0], 2 + number // len(sample), *hand_columns[1:]))
            ledger.database.add(link, rows, position, previous_link)
            ledger.database.add_hands(link, index)
        filled += len(rows)
        if filled % 1_000_000 == 0:
            print(f"  {filled:,} hands", flush=True)


def timed(job: Callable[[], object], count: int) -> list[float]:
    """Return how long each of several runs took, the quickest first."""
    seconds = []
    for _ in range(count):
        began = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)


def measure_operations(ledger: Ledger, folder: Path, seed: int) -> dict[str, float]:
    """Return what takes how many seconds: one append, a night of 300 hands, a hand by its id."""
    appends = timed(lambda: ledger.append("table", uuid4(), [HandsMissing("7")]), READS)
    night = folder / f"{seed}.txt"
    night.write_text("".join(generated.hands(300, seed=seed, tables=1)))
    (evening,) = timed(lambda: import_paths(ledger, [night]), 1)
    with ledger.database.reading() as link:
        streams = [
            row[0] for row in link.execute("SELECT stream FROM log WHERE kind = 1 ORDER BY hash LIMIT ?", (READS,))
        ]
    remaining_streams = iter(streams)
    reads = timed(lambda: ledger.events(UUID(bytes=bytes(next(remaining_streams)))), READS)
    return {
        "one append, median": statistics.median(appends),
        "one append, p99": appends[int(0.99 * READS)],
        "a night of 300 hands imported": evening,
        "a hand read by its id, median": statistics.median(reads),
        "a hand read by its id, p99": reads[int(0.99 * READS)],
    }


def time_verify(ledger: Ledger, parts: int) -> float:
    """Return how many seconds following 10,000 commits takes, from the middle of each of so many parts of the log."""
    with open_raw(ledger.database.engine) as connection:
        edges = _split_log(connection)[:-1]  # the last is not whole
        chosen_edges = edges[:: max(1, len(edges) // parts)]
        began, problems = time.process_time(), []
        for edge in chosen_edges:
            problems += _check_part(connection, *edge).problems
    assert not problems, problems[:3]
    return (time.process_time() - began) / len(chosen_edges)


_PARTITION_SQL = f"""CREATE TABLE parted (LIKE log INCLUDING DEFAULTS) PARTITION BY HASH (stream);
{"".join(f"CREATE TABLE parted_{n} PARTITION OF parted FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {n});" for n in range(PARTS))}
INSERT INTO parted SELECT * FROM log;
ALTER TABLE parted ADD UNIQUE (stream, version);
CREATE INDEX ON parted (position);
ANALYZE log; ANALYZE parted;"""


def partitioned(url: str) -> Iterator[tuple[str, float, float]]:
    """Yield what takes how many seconds in the log and in its copy in partitions, without guards and index."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_PARTITION_SQL.encode())
        (last,) = cast("tuple[int]", connection.execute("SELECT max(position) FROM log").fetchone())
        streams = [
            row[0] for row in connection.execute("SELECT stream FROM log WHERE kind = 1 ORDER BY hash LIMIT 2000")
        ]
        connection.execute("ALTER TABLE log DISABLE TRIGGER log_follows")
        times_by_table = [_time_queries(connection, name, last, streams) for name in ("log", "parted")]
        for operation in times_by_table[0]:
            yield operation, times_by_table[0][operation], times_by_table[1][operation]


def _time_queries(
    connection: psycopg.Connection[Any], name: str, last: int, streams: Sequence[bytes]
) -> dict[str, float]:
    """Return the median of what is asked of one of the two tables."""
    positions, remaining_streams, page_starts = (
        iter(range(last + 1, last + 10**6)),
        iter(streams),
        iter(range(0, last, last // 101)),
    )
    insert = (
        f"INSERT INTO {name} SELECT %s, count, 1, %s, 1, codec, data, marks, at, writer, source, start, length, "
        "NULL, hash FROM log WHERE position = %s"
    )
    stream = f"SELECT data FROM {name} WHERE stream = %s ORDER BY version"
    page = f"SELECT position, hash FROM {name} WHERE position > %s ORDER BY position LIMIT 500"
    vacuum_sql = f"VACUUM {name}{'_0' if name == 'parted' else ''}"
    return {
        "one row": statistics.median(
            timed(lambda: connection.execute(insert.encode(), (next(positions), uuid4().bytes, last)), READS)
        ),
        "one stream": statistics.median(
            timed(lambda: connection.execute(stream.encode(), (next(remaining_streams),)).fetchall(), READS)
        ),
        "a page of 500 commits": statistics.median(
            timed(lambda: connection.execute(page.encode(), (next(page_starts),)).fetchall(), 100)
        ),
        "vacuum of what is cleaned at once": timed(lambda: connection.execute(vacuum_sql.encode()), 1)[0],
    }


def grow_ledger(ledger: Ledger, folder: Path, hands: int) -> None:
    """Fill a ledger, and say what takes how long beside what it took before."""
    (folder / "first.txt").write_text("".join(generated.hands(FIRST, seed=1, tables=20)))
    with ledger.bulk(compress=True):
        import_paths(ledger, [folder / "first.txt"])
    first_figures, verify_seconds = measure_operations(ledger, folder, 2), time_verify(ledger, 1)
    began = time.perf_counter()
    fill(ledger, hands - FIRST)
    print(f"{hands:,} hands; filled at {(hands - FIRST) / (time.perf_counter() - began):,.0f} a second")
    large_figures = measure_operations(ledger, folder, 3) | {"10,000 commits verified, CPU": time_verify(ledger, 20)}
    first_figures["10,000 commits verified, CPU"] = verify_seconds
    for operation, seconds in large_figures.items():
        print(
            f"  {operation:<40} {1000 * seconds:9.1f} ms, {seconds / first_figures[operation]:5.2f} of that at {FIRST:,}"
        )


def print_room(url: str, folder: Path, hands: int) -> None:
    """Say what room it takes, and how long a backup."""
    sizes = "SELECT pg_table_size('log'), pg_indexes_size('log'), pg_total_relation_size('hands')"
    with psycopg.connect(url) as link:
        table_sizes = cast("tuple[int, ...]", link.execute(sizes.encode()).fetchone())
    for label, size in zip(("log", "its indexes", "index of hands"), table_sizes, strict=True):
        print(f"  {label:<40} {size / 1e9:9.2f} GB, {size / hands:5.0f} bytes a hand")
    began, dump = time.perf_counter(), folder / "dump"
    subprocess.run(["pg_dump", "-Fd", "-Z0", "-j2", "-f", dump, url], check=True)
    dump_seconds, size = time.perf_counter() - began, sum(dump_file.stat().st_size for dump_file in dump.iterdir())
    print(
        f"  {'backup (pg_dump -Fd -j2)':<40} {dump_seconds:9.0f} s, {size / 1e9:.2f} GB, {hands / dump_seconds:,.0f} hands a second"
    )


def main() -> None:
    """Fill, measure, compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("hands", type=int, nargs="?", default=20_000_000)
    parser.add_argument("--postgres", metavar="URL", default="", help="an empty schema; without it nothing is measured")
    options = parser.parse_args()
    if not options.postgres:
        print("  no --postgres URL: nothing is measured")
        return
    with tempfile.TemporaryDirectory() as name:
        with open_ledger(options.postgres) as ledger:
            grow_ledger(ledger, Path(name), options.hands)
        print_room(options.postgres.replace("postgresql+psycopg", "postgresql"), Path(name), options.hands)
    print(f"The log and its copy in {PARTS} hash partitions, without guards:")
    for operation, whole_seconds, partitioned_seconds in partitioned(options.postgres):
        print(
            f"  {operation:<40} {1000 * whole_seconds:9.2f} ms and {1000 * partitioned_seconds:9.2f} ms, {partitioned_seconds / whole_seconds:5.2f}"
        )


if __name__ == "__main__":
    main()
