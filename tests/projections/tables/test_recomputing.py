"""What is kept beside the log can be made anew and compared: whatever somebody changed in it shows."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.verify.foreign_objects import DERIVED_TABLES, find_foreign_objects
from projections.books import rulebook
from projections.tables.finding_tables import FINDINGS
from projections.tables.recomputation import compare_tables
from projections.tables.result_tables import RESULTS
from projections.tables.sittings import SITTINGS_SCHEMA
from projections.tables.statistics_tables import STATISTICS
from projections.tables.table_set import open_tables
from tests.conftest import scale_examples
from tests.projections.tables.test_judging import filled

TABLES = (
    "hand_results",
    "seat_results",
    "judged_tables",
    "kept_findings",
    "obligations",
    "rested_walks",
    "walks_on_the_way",
    "sittings",
    "hand_statistics",
    "seat_statistics",
)


@pytest.fixture(autouse=True)
def short_tables_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks of short tables are kept, too."""
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 1)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger whose hands were judged under two books and asked about."""
    folder = tmp_path_factory.mktemp("judged")
    books = [rulebook.load("hilton"), rulebook.load("rrop4")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 1)
        with filled(folder) as ledger, open_tables(ledger, books, seats=True, statistics=True):
            pass
    return folder / "x.ledger"


@pytest.fixture
def full(judged: Path, tmp_path: Path) -> str:
    """A copy of it, to be changed."""
    with closing(sqlite3.connect(judged)) as link, closing(sqlite3.connect(tmp_path / "x.ledger")) as copy:
        link.backup(copy)
    return str(tmp_path / "x.ledger")


def test_tables_beside_the_log_are_known_as_handledgers_own(full: str) -> None:
    assert set(DERIVED_TABLES) == {*FINDINGS.tables, *RESULTS.tables, *STATISTICS.tables, *SITTINGS_SCHEMA.tables}
    with open_ledger(full) as ledger, ledger.database.core() as connection:
        assert [line for line in find_foreign_objects(connection) if "not handledger's" in line] == []


def test_tables_that_nobody_changed_are_the_same(full: str) -> None:
    with open_ledger(full) as ledger:
        table_comparison = compare_tables(ledger)
    assert table_comparison.different == []
    assert table_comparison.not_compared == []
    assert [line.split(",")[0] for line in table_comparison.matching] == [
        "results of hands",
        "statistics of players",
        "who sat where and who dealt",
        f"findings under hilton {rulebook.load('hilton').edition}",
        f"findings under rrop4 {rulebook.load('rrop4').edition}",
    ]


def columns(path: str, table: str) -> list[str]:
    with closing(sqlite3.connect(path)) as link:
        return [row[1] for row in link.execute(f"PRAGMA table_info({table})")]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_any_value_that_is_changed_shows(full: str, table: str) -> None:
    dice = random.Random(table)
    names = [name for name in columns(full, table) if name not in {"begun", "position", "judgement"}]
    for name in dice.sample(names, max(1, scale_examples(len(names)))):
        with closing(sqlite3.connect(full)) as link:
            rows = link.execute(f'SELECT rowid, "{name}" FROM {table}').fetchall()
            rowid, was = dice.choice(rows)
            values_now = {
                int: lambda v: -v - 1,
                str: lambda v: v + "x",
                bytes: lambda v: v[:-1] + b"?",
                type(None): lambda _: 7,
            }
            link.execute(f'UPDATE {table} SET "{name}" = ? WHERE rowid = ?', (values_now[type(was)](was), rowid))
            link.commit()
            with open_ledger(full, read_only=True) as ledger:
                assert _comparison_lines(ledger) or ledger.derived_faults, (
                    name
                )  # what lies outside of the log is said at opening
            link.execute(f'UPDATE {table} SET "{name}" = ? WHERE rowid = ?', (was, rowid))
            link.commit()


def _comparison_lines(ledger: Ledger) -> list[str]:
    table_comparison = compare_tables(ledger)
    return [*table_comparison.different, *table_comparison.not_compared]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_row_that_is_gone_or_added_shows(full: str, table: str) -> None:
    with closing(sqlite3.connect(full)) as link:
        last = link.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0]
        link.execute(f"DELETE FROM {table} WHERE rowid = ?", (last,))
        link.commit()
    with open_ledger(full, read_only=True) as ledger:
        assert _comparison_lines(ledger)
