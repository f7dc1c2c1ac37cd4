"""A position that somebody moved hides nothing: whatever is asked after the next import is answered as if it were right."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import BigInteger, Column, Integer, Table

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.database.derived_tables import TABLE_GROUPS
from ledger.store.database.tables import tracking
from projections.books import rulebook
from projections.queries import result_query
from projections.queries.ledger_query import select_hands
from projections.queries.statistics_query import read_statistics
from projections.tables.finding_events import announce_new_findings, load_known_findings
from projections.tables.finding_tables import FINDINGS
from projections.tables.judgement import TableJudgement
from projections.tables.owed_list import iter_table_dues
from projections.tables.result_tables import RESULTS
from projections.tables.sittings import SITTINGS_SCHEMA, sittings
from projections.tables.statistics_tables import STATISTICS
from projections.tables.table_set import open_tables
from tests.laws import size
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_announcing import adopt, night

BOOK = "hilton"
LARGEST_NUMBERS = {BigInteger: 2**62, Integer: 2**31 - 1}

POSITIONS = {pair for made in TABLE_GROUPS for pair in (*made.position_columns, *made.count_columns)} | {
    ("tracking", "position"),
    ("announced_tables", "number"),
}


WORTH = {
    "announced_tables": "judgement",
    "judged_tables": "judgement",
    "judgements": "id",
    "kept_findings": "judgement number seat",
    "obligations": "judgement",
    "rested_walks": "judgement",
    "walks_on_the_way": "judgement",
    "hand_results": "started wall players button streets pot rake carried big_blind scale showdown runs voided completed "
    "unbalanced corrected unread cash_out",
    "hand_statistics": "showdown_unknown",
    "seat_statistics": "seat preflop vpip pfr three_bet_chance three_bet bets raises calls checks folds saw_flop showdown "
    "showdown_judged showdown_won",
    "seat_results": "seat stack put won net rake showdown all_in scale",
    "sittings": "number seat since hands until",
}
"""Numbers that say what something is or is worth, and not how far it came: `verify --tables` compares them."""


def columns() -> Iterator[tuple[Table, Column[Any]]]:
    tables = [
        *FINDINGS.sorted_tables,
        *RESULTS.sorted_tables,
        *STATISTICS.sorted_tables,
        *SITTINGS_SCHEMA.sorted_tables,
        tracking,
    ]
    for table in tables:
        for column in table.c:
            if (table.name, column.name) in POSITIONS:
                yield table, column


def test_each_number_of_a_projection_is_a_position_or_a_worth() -> None:
    tables = [
        *FINDINGS.sorted_tables,
        *RESULTS.sorted_tables,
        *STATISTICS.sorted_tables,
        *SITTINGS_SCHEMA.sorted_tables,
        tracking,
    ]
    numbers = {
        (table.name, column_of.name)
        for table in tables
        for column_of in table.c
        if isinstance(column_of.type, tuple(LARGEST_NUMBERS))
    }
    worth = {(table, column) for table, columns_text in WORTH.items() for column in columns_text.split()}
    assert not POSITIONS & worth
    assert numbers - POSITIONS == worth


def answers(ledger: Ledger) -> dict[str, object]:
    """What is asked of the ledger: each answer without what says when it was made."""
    books = [rulebook.load(BOOK)]
    announce_new_findings(ledger)
    with open_tables(ledger, books, seats=True, statistics=True) as (keeping, _), keeping.core() as connection:
        fingerprints = [
            finding.fingerprint for finding in TableJudgement(ledger, books[0], ledger.database).load_result().findings
        ]
        rows = connection.execute(sittings.select().order_by(*sittings.primary_key)).mappings()
        sat = [{name: value for name, value in row.items() if name != "player"} for row in rows]
    with select_hands(ledger, f"clause:{BOOK}.*", "06:00", books) as query:
        hands = [row.number for row in query.iter_rows()]
    return {
        "findings": fingerprints,
        "log": hands,
        "known": sorted(
            name for fingerprint_names in load_known_findings(ledger).values() for name in fingerprint_names
        ),
        "results": [
            (finding.name, finding.hands, finding.net)
            for finding in result_query.sum_matching_results(ledger, None, "player", [], "06:00")
        ],
        "sittings": sat,
        "statistics": [
            (row.name, row.hands, row.vpip) for row in read_statistics(ledger, None, "player", [], "06:00").rows
        ],
        "owed": [
            (place, finding.due.unknown, finding.due.place) for _, place, finding in iter_table_dues(ledger, books)
        ],
    }


def evening(folder: Path) -> tuple[Path, Path]:
    first, second = night(folder, [3])
    return first, second


def prepare_ledger(url: str, first: Path) -> None:
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
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 1)


def values(table: Table, column: Column[Any], head: int) -> Iterator[int]:
    """What no log of this length gives; of what says how far something came, also what another log gives."""
    largest_value = next(value for kind, value in LARGEST_NUMBERS.items() if isinstance(column.type, kind))
    yield from (largest_value, -largest_value, -1, head + 1)
    if any((table.name, column.name) in table_group.count_columns for table_group in TABLE_GROUPS) or table is tracking:
        yield from (0, 1, head - 1, head)
    elif column.name != "number":
        yield 0


@pytest.mark.slow
def test_whatever_position_somebody_moved_the_answers_are_the_same(tmp_path: Path) -> None:
    first, second = evening(tmp_path)
    url = str(tmp_path / "x.ledger")
    prepare_ledger(url, first)
    with closing(sqlite3.connect(url)) as link:
        link.execute("VACUUM")
        link.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = Path(url).read_bytes()
    with open_ledger(url) as ledger:
        head = ledger.head()[0]
    expected_answers = gone_on(url, second)
    assert expected_answers["findings"]
    assert len(list(columns())) > 10
    wrong = []
    for table, column in columns():
        for value in values(table, column, head):
            for suffix in ("", "-wal", "-shm"):
                Path(url + suffix).unlink(missing_ok=True)
            Path(url).write_bytes(data)
            with closing(sqlite3.connect(url)) as link, link:
                link.execute(f'UPDATE OR IGNORE {table.name} SET "{column.name}" = ?', (value,))
            try:
                answers_found = gone_on(url, second)
            except Exception as error:  # noqa: BLE001 - it is told below
                wrong.append((table.name, column.name, value, repr(error)[:200]))
                continue
            wrong += [
                (table.name, column.name, value, answer_name)
                for answer_name in expected_answers
                if answers_found[answer_name] != expected_answers[answer_name]
            ]
    assert not wrong


@pytest.mark.slow
def test_verify_says_of_every_projection_that_it_lies_outside(tmp_path: Path) -> None:
    first, _ = evening(tmp_path)
    url = str(tmp_path / "x.ledger")
    prepare_ledger(url, first)
    for table_group in TABLE_GROUPS:
        for table, column in (*table_group.position_columns, *table_group.count_columns):
            with open_ledger(url) as ledger:
                answers(ledger)
                assert not ledger.verify()
                with ledger.writing() as link:
                    row = f"SELECT rowid FROM {table} LIMIT 1"
                    link.execute(f"UPDATE {table} SET {column} = ? WHERE rowid IN ({row})", (2**40,))
                    changed = link.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                reasons = [reason.reason for reason in ledger.verify() if reason.code == "projection"]
            assert bool(reasons) == bool(changed), (table, column)
            assert all(f"{table}.{column} is {2**40}" in reason for reason in reasons)


def moved(table: Table, column: Column[Any], value: int) -> str:
    """Move a column of each row to a value, save where another row has it already."""
    return f"""DO $$ DECLARE one tid; BEGIN
      FOR one IN SELECT ctid FROM {table.name} LOOP
        BEGIN UPDATE {table.name} SET "{column.name}" = {value} WHERE ctid = one;
        EXCEPTION WHEN unique_violation THEN NULL; END;
      END LOOP; END $$"""


def copies(url: str, name: str) -> Iterator[str]:
    """Yield again and again a copy of a server's database, which is gone when the next one is asked for."""
    with psycopg.connect(url, autocommit=True) as link:
        while True:
            link.execute(f"CREATE DATABASE moved TEMPLATE {name}")  # type: ignore[call-overload] # a name of ours
            yield f"{url.rpartition('/')[0]}/moved"
            link.execute("DROP DATABASE moved WITH (FORCE)")


@pytest.mark.law
@pytest.mark.postgres
def test_whatever_position_somebody_moved_the_answers_on_postgresql_are_the_same(tmp_path: Path) -> None:
    first, second = evening(tmp_path)
    try:
        with server() as url:
            text = f"{url.rpartition('/')[0]}/plain"
            with psycopg.connect(url, autocommit=True) as link:
                link.execute("CREATE DATABASE plain")
            prepare_ledger(text, first)
            with open_ledger(text) as ledger:
                head = ledger.head()[0]
            fresh = copies(url, "plain")
            expected_answers = gone_on(next(fresh), second)
            assert expected_answers["findings"]
            wrong = []
            for table, column in columns():
                for value in islice(values(table, column, head), 0, None, size(9, 1)):
                    copy = next(fresh)
                    with psycopg.connect(copy, autocommit=True) as link:
                        link.execute(moved(table, column, value))  # type: ignore[call-overload] # names of ours
                    answers_found = gone_on(copy, second)
                    wrong += [
                        (table.name, column.name, value, answer_name)
                        for answer_name in expected_answers
                        if answers_found[answer_name] != expected_answers[answer_name]
                    ]
            assert not wrong
    except NoPostgresError as error:
        pytest.skip(str(error))
