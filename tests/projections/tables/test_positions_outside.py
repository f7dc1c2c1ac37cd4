"""A position that somebody moved hides nothing: whatever is asked after the next import is answered as if it were right."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Integer, Table

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.positions import MADE
from ledger.store.tables import tracking
from projections import rulebook
from projections.queries import results
from projections.queries.asked import asked
from projections.tables.announcing import keep_current, known
from projections.tables.findings import FINDINGS
from projections.tables.judgement import Judgement
from projections.tables.keeping import kept
from projections.tables.owed import everywhere
from projections.tables.results import RESULTS
from projections.tables.sittings import SITTINGS, sittings
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_announcing import adopt, night

BOOK = "hilton"
MOST = {BigInteger: 2**62, Integer: 2**31 - 1}

POSITIONS = {pair for made in MADE for pair in (*made.positions, *made.counted)} | {
    ("tracking", "position"),
    ("announced_tables", "number"),
}


def columns() -> Iterator[tuple[Table, Column[Any]]]:
    tables = [*FINDINGS.sorted_tables, *RESULTS.sorted_tables, *SITTINGS.sorted_tables, tracking]
    for table in tables:
        for column in table.c:
            if (table.name, column.name) in POSITIONS:
                yield table, column


def answers(ledger: Ledger) -> dict[str, object]:
    """What is asked of the ledger: each answer without what says when it was made."""
    books = [rulebook.load(BOOK)]
    keep_current(ledger)
    with kept(ledger, books, seats=True) as (keeping, _), keeping.core() as connection:
        found = [one.fingerprint for one in Judgement(ledger, books[0], ledger.database).result().findings]
        rows = connection.execute(sittings.select().order_by(*sittings.primary_key)).mappings()
        sat = [{name: value for name, value in row.items() if name != "player"} for row in rows]
    with asked(ledger, f"clause:{BOOK}.*", "06:00", books) as query:
        hands = [row.number for row in query.rows()]
    return {
        "findings": found,
        "log": hands,
        "known": sorted(name for told in known(ledger).values() for name in told),
        "results": [(one.name, one.hands, one.net) for one in results.told(ledger, None, "player", [], "06:00")],
        "sittings": sat,
        "owed": [(place, one.due.unknown, one.due.place) for _, place, one in everywhere(ledger, books)],
    }


def evening(folder: Path) -> tuple[Path, Path]:
    first, second = night(folder, [3])
    return first, second


def begun(url: str, first: Path) -> None:
    """Hands that were judged, asked about and announced."""
    with open_ledger(url) as ledger:
        adopt(ledger, BOOK)
        import_paths(ledger, [first])
        answers(ledger)


def gone_on(url: str, second: Path) -> dict[str, object]:
    """What is answered once hands came in later."""
    with open_ledger(url) as ledger:
        import_paths(ledger, [second])
        return answers(ledger)


@pytest.fixture(autouse=True)
def short_tables_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks of short tables are kept, too."""
    monkeypatch.setattr("projections.tables.rests.LONG", 1)


def values(table: Table, column: Column[Any], head: int) -> Iterator[int]:
    """What no log of this length gives; of what says how far something came, also what another log gives."""
    most = next(value for kind, value in MOST.items() if isinstance(column.type, kind))
    yield from (most, -most, -1, head + 1)
    if any((table.name, column.name) in made.counted for made in MADE) or table is tracking:
        yield from (0, 1, head - 1, head)
    elif column.name != "number":
        yield 0


def test_whatever_position_somebody_moved_the_answers_are_the_same(tmp_path: Path) -> None:
    first, second = evening(tmp_path)
    url = str(tmp_path / "x.ledger")
    begun(url, first)
    with closing(sqlite3.connect(url)) as link:
        link.execute("VACUUM")
        link.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    plain = Path(url).read_bytes()
    with open_ledger(url) as ledger:
        head = ledger.head()[0]
    right = gone_on(url, second)
    assert right["findings"]
    assert len(list(columns())) > 10
    wrong = []
    for table, column in columns():
        for value in values(table, column, head):
            for beside in ("", "-wal", "-shm"):
                Path(url + beside).unlink(missing_ok=True)
            Path(url).write_bytes(plain)
            with closing(sqlite3.connect(url)) as link, link:
                link.execute(f'UPDATE OR IGNORE {table.name} SET "{column.name}" = ?', (value,))
            try:
                there = gone_on(url, second)
            except Exception as error:  # noqa: BLE001 - it is told below
                wrong.append((table.name, column.name, value, repr(error)[:200]))
                continue
            wrong += [(table.name, column.name, value, what) for what in right if there[what] != right[what]]
    assert not wrong


def test_verify_says_of_every_projection_that_it_lies_outside(tmp_path: Path) -> None:
    first, _ = evening(tmp_path)
    url = str(tmp_path / "x.ledger")
    begun(url, first)
    for made in MADE:
        for table, column in (*made.positions, *made.counted):
            with open_ledger(url) as ledger:
                answers(ledger)
                assert not ledger.verify()
                with ledger.writing() as link:
                    row = f"SELECT rowid FROM {table} LIMIT 1"
                    link.execute(f"UPDATE {table} SET {column} = ? WHERE rowid IN ({row})", (2**40,))
                    changed = link.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                said = [one.reason for one in ledger.verify() if one.code == "projection"]
            assert bool(said) == bool(changed), (table, column)
            assert all(f"{table}.{column} is {2**40}" in one for one in said)


@pytest.mark.postgres
def test_on_postgresql_a_position_that_was_moved_hides_nothing_either(tmp_path: Path) -> None:
    first, second = evening(tmp_path)
    plain = str(tmp_path / "x.ledger")
    begun(plain, first)
    right = gone_on(plain, second)
    try:
        with server() as url:
            begun(url, first)
            with open_ledger(url) as ledger, ledger.database.core(write=True) as connection:
                connection.exec_driver_sql("UPDATE judgements SET position = 4611686018427387904")
                connection.exec_driver_sql("UPDATE tracking SET position = 4611686018427387904")
            assert gone_on(url, second) == right
    except NoPostgresError as error:
        pytest.skip(str(error))
