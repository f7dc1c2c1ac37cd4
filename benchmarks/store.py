"""How fast the store is, as ratios in one run, each against a named baseline.

    python benchmarks/store.py [--hands 20000] [--postgres URL]

Both sides of a ratio run interleaved, several rounds; the medians are compared. Hands are of 27
events, made here, each with its own amounts and players.

Bulk appends are measured twice. As commit rows: events encoded, hashed into the chain, looked up, stored under
the guards, against the same rows inserted raw. As hands: that and what we add on top, the id of the
stream, packed places and the index of hands, against raw inserts of the same rows into both tables.
"""

from __future__ import annotations

import argparse
import gc
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from uuid import UUID

import msgspec
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text

import ledger
from ledger.account import Account
from ledger.entry import Provenance, SourceSpan
from ledger.hand.betting import BetReturned, Called, Checked, Folded, Raised
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt
from ledger.hand.ending import DropTaken, HandCompleted, PotAwarded
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import BlindPosted, ButtonPlaced, GameSet, HandOpened, SeatDealtIn
from ledger.store import Commit, CommitDraft, Ledger, hand_draft
from ledger.table.events import HandsMissing

BATCH = 1000
SOURCE = "ab" * 32
ENCODE = msgspec.json.Encoder().encode
DECODE = msgspec.json.Decoder(list[HandEvent]).decode


def account(number: int, people: Sequence[str]) -> Account:
    """Return one hand of 27 events, as a reader would."""
    blind = 50 * (1 + number % 7)
    seats = [people[(number + seat * 13) % len(people)] for seat in range(6)]
    events: list[HandEvent] = [
        HandOpened(
            "PokerStars",
            f"Aludra {number % 40}",
            str(240_000_000_000 + number),
            917_503,
            started=1_600_000_000_000 + number * 1000,
            written="2020/09/13 12:26:40 ET",
            seats=6,
        ),
        GameSet("holdem", "no-limit", "cash", "USD", 2, (blind, 2 * blind)),
        *(SeatDealtIn(s + 1, player, 10_000 + number * 7 % 5000 + s) for s, player in enumerate(seats)),
        ButtonPlaced(1 + number % 6),
        BlindPosted(2, "small", blind),
        BlindPosted(3, "big", 2 * blind),
        HoleCardsDealt(4, "AhKd"),
        DealCompleted(),
        Raised(4, 6 * blind, 6 * blind),
        Folded(5),
        Folded(6),
        Folded(1),
        Folded(2),
        Called(3, 4 * blind, 6 * blind),
        BoardDealt("flop", "2h7dTc"),
        Checked(3),
        Raised(4, 8 * blind, 8 * blind),
        Folded(3),
        BetReturned(4, 8 * blind),
        PotAwarded(4, 12 * blind),
        DropTaken("rake", blind),
        HandCompleted(),
    ]
    places = [value for event_index in range(len(events)) for value in (event_index * 40, 38)]
    return Account(events, places, number * 1340, 1340)


def run_rounds(sides: dict[str, Callable[[], float]], times: int) -> dict[str, float]:
    """Run all sides in turn; return the median seconds of each."""
    seconds_by_side: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(times):
        for name, side in sides.items():
            seconds_by_side[name].append(side())
    return {name: statistics.median(seconds) for name, seconds in seconds_by_side.items()}


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds of `work`: two cores are shared with other programs."""
    started_at = time.process_time()
    work()
    return time.process_time() - started_at


def wall_seconds(work: Callable[[], object]) -> float:
    """Return the wall's seconds of `work`, for what waits for the disk."""
    started_at = time.perf_counter()
    work()
    return time.perf_counter() - started_at


def print_ratio(label: str, our_rate: float, baseline_rate: float, goal: float, unit: str) -> None:
    """Print both sides (units per second) and their ratio."""
    ratio = our_rate / baseline_rate
    verdict = "reached" if ratio >= goal else f"{goal / ratio - 1:.0%} too slow"
    print(f"{label:58} {our_rate:12,.0f} {baseline_rate:12,.0f} {unit:9} {ratio:6.2f}  goal {goal:.2f}  {verdict}")


class RawTable:
    """The baseline: a table like the log with its unique index, nothing else."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        for statement in (
            "PRAGMA page_size = 16384",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            (
                "CREATE TABLE log (position INTEGER PRIMARY KEY, count INTEGER, kind INTEGER, stream BLOB, "
                "version INTEGER, codec INTEGER, data ANY, marks BLOB, at INTEGER, writer INTEGER, source INTEGER, "
                "start INTEGER, length INTEGER, key TEXT, hash BLOB, UNIQUE (stream, version)) STRICT"
            ),
            (
                "CREATE TABLE hands (position INTEGER PRIMARY KEY, place INTEGER, number TEXT, account INTEGER, "
                "started INTEGER, variant TEXT, betting TEXT, format TEXT, note TEXT, "
                "UNIQUE (place, number, account)) STRICT"
            ),
        ):
            self.connection.execute(statement)

    def insert_many(self, rows: Sequence[tuple[object, ...]], hands: Sequence[tuple[object, ...]] = ()) -> None:
        """Insert rows, a thousand to a transaction."""
        for first_index in range(0, len(rows), BATCH):
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany(INSERT, rows[first_index : first_index + BATCH])
            if hands:
                self.connection.executemany(INSERT_HAND, hands[first_index : first_index + BATCH])
            self.connection.execute("COMMIT")

    def insert_one(self, row: tuple[object, ...]) -> None:
        """Insert one row, durable."""
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.execute(INSERT, row)
        self.connection.execute("COMMIT")


INSERT = f"INSERT INTO log VALUES ({','.join('?' * 15)})"

INSERT_HAND = f"INSERT INTO hands VALUES ({','.join('?' * 9)})"


def unused_paths(folder: Path) -> Iterator[Path]:
    """Yield paths that no file has."""
    number = 0
    while True:
        number += 1
        yield folder / f"{number}.ledger"


def rows_of(path: Path, sql: str = "SELECT * FROM log WHERE kind < 2 ORDER BY position") -> list[tuple[object, ...]]:
    """Return rows of a ledger as they are stored: its commits of hands or of others' events."""
    with sqlite3.connect(path) as connection:
        return connection.execute(sql).fetchall()


def append_rows(book: Ledger, drafts: Sequence[CommitDraft], accounts: Sequence[Account]) -> None:
    """Encode accounts and append them, a thousand to a transaction; all else is in the drafts."""
    for first_index in range(0, len(accounts), BATCH):
        book.append_all(
            [
                draft._replace(data=ENCODE(account.events))
                for draft, account in zip(
                    drafts[first_index : first_index + BATCH], accounts[first_index : first_index + BATCH], strict=True
                )
            ]
        )


def commit_rows(accounts: Sequence[Account]) -> list[CommitDraft]:
    """Return drafts of streams that have no index, everything known but the events."""
    return [
        hand_draft(account, Provenance(1, source=SourceSpan(SOURCE, account.start, account.length)))._replace(
            kind="opaque", hand=None, data=b""
        )
        for account in accounts
    ]


def append_all(book: Ledger, accounts: Sequence[Account]) -> None:
    """Encode, hash and append accounts, a thousand to a transaction."""
    for first_index in range(0, len(accounts), BATCH):
        book.append_all(
            [
                hand_draft(account, Provenance(1, source=SourceSpan(SOURCE, account.start, account.length)))
                for account in accounts[first_index : first_index + BATCH]
            ]
        )


def measure_bulk(places: Iterator[Path], accounts: Sequence[Account]) -> Path:
    """Append commit rows, then hands; the baselines insert the same rows raw."""
    drafts = commit_rows(accounts)
    path = next(places)
    with ledger.open(path) as book:
        append_rows(book, drafts, accounts)
    commits = rows_of(path)
    path = next(places)
    with ledger.open(path) as book:
        append_all(book, accounts)
    rows = rows_of(path)
    index = rows_of(path, "SELECT * FROM hands ORDER BY position")

    def time_ledger(work: Callable[[Ledger], None]) -> float:
        with ledger.open(next(places)) as book:
            return cpu_seconds(lambda: work(book))

    def time_raw(*rows: Sequence[tuple[object, ...]]) -> float:
        table = RawTable(next(places))
        return cpu_seconds(lambda: table.insert_many(*rows))

    medians = run_rounds(
        {
            "commits": lambda: time_ledger(lambda book: append_rows(book, drafts, accounts)),
            "raw commits": lambda: time_raw(commits),
            "hands": lambda: time_ledger(lambda book: append_all(book, accounts)),
            "raw hands": lambda: time_raw(rows, index),
        },
        5,
    )
    events = sum(len(account.events) for account in accounts)
    for rows_name in ("commits", "hands"):
        print_ratio(
            f"append {rows_name} in bulk, SQLite FULL / raw executemany of the rows",
            events / medians[rows_name],
            events / medians[f"raw {rows_name}"],
            0.40,
            "events/s",
        )
    return path


def measure_single(places: Iterator[Path], times: int = 1500) -> None:
    """Append one event, durable, against a raw commit of one such row."""
    stream = UUID(int=7)

    def time_ledger() -> float:
        with ledger.open(next(places)) as book:
            return wall_seconds(
                lambda: [book.append("table", stream, [HandsMissing(str(number))]) for number in range(times)]
            )

    def time_raw() -> float:
        table = RawTable(next(places))
        data = '[["HandsMissing","100","",null]]'
        rows = [
            (number, 1, 2, stream.bytes, number, 0, data, b"", 1, 1, None, None, None, None, bytes(32))
            for number in range(times)
        ]
        return wall_seconds(lambda: [table.insert_one(row) for row in rows])

    medians = run_rounds({"ours": time_ledger, "raw": time_raw}, 7)
    print_ratio(
        "append one event, durable / raw commit of one row",
        times / medians["ours"],
        times / medians["raw"],
        0.80,
        "events/s",
    )


def measure_threads(places: Iterator[Path], threads: int = 32, appends: int = 60) -> None:
    """Append from many live tables at once, against the same appends one after the other."""
    streams = [UUID(int=thread_number + 1) for thread_number in range(threads)]

    def time_threads() -> float:
        with ledger.open(next(places)) as book:

            def table(stream: UUID) -> None:
                for thread_number in range(appends):
                    book.append("table", stream, [HandsMissing(str(thread_number))])

            threads_running = [threading.Thread(target=table, args=(stream,)) for stream in streams]
            return wall_seconds(
                lambda: ([thread.start() for thread in threads_running], [thread.join() for thread in threads_running])
            )

    def time_serial() -> float:
        with ledger.open(next(places)) as book:
            return wall_seconds(
                lambda: [
                    book.append("table", stream, [HandsMissing(str(thread_number))])
                    for thread_number in range(appends)
                    for stream in streams
                ]
            )

    medians = run_rounds({"ours": time_threads, "serial": time_serial}, 3)
    count = threads * appends
    print_ratio(
        f"{threads} threads append, durable / one after the other",
        count / medians["ours"],
        count / medians["serial"],
        1.0,
        "events/s",
    )


class Totals:
    """A projection: for each hand its variant, what was put in, and how many acted."""

    name = "benchmark-totals"

    def __init__(self) -> None:
        self.tables = MetaData()
        self.table = Table(
            "totals",
            self.tables,
            Column("position", Integer, primary_key=True),
            Column("variant", Text),
            Column("chips", Integer),
            Column("seats", Integer),
        )

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        """Fold each hand and write its row."""
        rows = []
        for commit in commits:
            if commit.kind == "hand":
                state = fold(DECODE(commit.data))
                game = state.game
                rows.append((commit.position, game.variant if game else "", state.pot_size(), len(state.seats)))
        connection.exec_driver_sql("INSERT INTO totals VALUES (?, ?, ?, ?)", rows)


def measure_rebuild(path: Path) -> None:
    """Read, decode and fold, against decoding alone; a projection against that."""
    with ledger.open(path) as book:
        stored = [commit.data for commit in book.commits(kind="hand")]
        events = sum(len(DECODE(data)) for data in stored)

        def decoding() -> None:
            for data in stored:
                DECODE(data)

        def folding() -> None:
            for commit in book.commits(kind="hand"):
                fold(DECODE(commit.data))

        projection = Totals()
        medians = run_rounds(
            {
                "decode": lambda: cpu_seconds(decoding),
                "fold": lambda: cpu_seconds(folding),
                "rebuild": lambda: cpu_seconds(lambda: book.rebuild(projection)),
            },
            5,
        )
    print_ratio(
        "read + decode + fold / decoding the same bytes",
        events / medians["fold"],
        events / medians["decode"],
        0.30,
        "events/s",
    )
    print_ratio(
        "rebuild a projection / read + decode + fold",
        events / medians["rebuild"],
        events / medians["fold"],
        0.30,
        "events/s",
    )


def print_size(path: Path, accounts: Sequence[Account]) -> None:
    """How much disk the events take, originals apart."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    text = sum(account.length for account in accounts)
    events = sum(len(account.events) for account in accounts)
    file_bytes = path.stat().st_size
    print(
        f"on disk without originals: {file_bytes / events:.1f} bytes an event, {file_bytes / text:.2f} x 1,340 bytes a hand"
    )


def measure_postgres(url: str, accounts: Sequence[Account], rows: list[tuple[object, ...]]) -> None:
    """Bulk append of commit rows, and of hands, against COPY of the same commits into a bare table."""
    drafts = commit_rows(accounts)
    import psycopg  # noqa: PLC0415 - an extra

    from ledger.store.database.postgres import _COPY_SQL, _LOG_TYPES  # noqa: PLC0415 - an extra

    with psycopg.connect(url, autocommit=True) as connection:

        def schema() -> str:
            name = f"bench{time.monotonic_ns()}"
            connection.execute(f"CREATE SCHEMA {name}".encode())
            return f"{url}?options=-csearch_path%3D{name}"

        def time_ledger(work: Callable[[Ledger], None]) -> float:
            with ledger.open(schema()) as book:
                return wall_seconds(lambda: work(book))

        def time_raw() -> float:
            with psycopg.connect(schema()) as raw_connection:
                raw_connection.execute(
                    "CREATE TABLE log (position int8 PRIMARY KEY, count int4, kind int4, stream bytea, "
                    "version int8, codec int4, data bytea, marks bytea, at int8, writer int4, source int4, start int8, "
                    "length int8, key text, hash bytea, UNIQUE (stream, version))"
                )
                raw_connection.commit()

                def copy() -> None:
                    for first_index in range(0, len(rows), BATCH):
                        with raw_connection.cursor() as cursor, cursor.copy(_COPY_SQL) as copy_stream:
                            copy_stream.set_types(_LOG_TYPES)
                            for row in rows[first_index : first_index + BATCH]:
                                copy_stream.write_row(row)
                        raw_connection.commit()

                return wall_seconds(copy)

        medians = run_rounds(
            {
                "commits": lambda: time_ledger(lambda book: append_rows(book, drafts, accounts)),
                "hands": lambda: time_ledger(lambda book: append_all(book, accounts)),
                "raw": time_raw,
            },
            3,
        )
    events = sum(len(account.events) for account in accounts)
    for rows_name in ("commits", "hands"):
        print_ratio(
            f"append {rows_name} in bulk, PostgreSQL / raw COPY of the commits",
            events / medians[rows_name],
            events / medians["raw"],
            0.40,
            "events/s",
        )


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--postgres", metavar="URL", default="", help="also measure a server")
    options = parser.parse_args()
    people = [f"{player_number:016d}" for player_number in range(400)]
    accounts = [account(number, people) for number in range(options.hands)]
    gc.freeze()  # what a reader made is not the store's to look through
    print(f"{'':58} {'ours':>12} {'baseline':>12} {'':9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as name:
        places = unused_paths(Path(name))
        path = measure_bulk(places, accounts)
        print_size(path, accounts)
        measure_rebuild(path)
        measure_single(places)
        measure_threads(places)
        if options.postgres:
            as_bytes = "CAST(data AS BLOB), marks, at, writer, source, start, length, key, hash"
            sql = f"SELECT position, count, kind, stream, version, codec, {as_bytes} FROM log WHERE kind = 1"
            measure_postgres(options.postgres, accounts, rows_of(path, sql))
            from store_clients import measure_clients  # noqa: PLC0415 - beside this script

            print_ratio(*measure_clients(options.postgres))


if __name__ == "__main__":
    main()
