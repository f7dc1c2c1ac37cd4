"""What is made from the log and damaged is named, and made again; the log itself is never touched for it."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from cli.main import run_program
from cli.output import damage
from ledger.store import open as open_ledger
from ledger.store.database.derived_tables import FINDINGS_LAYOUT, TABLE_GROUPS
from ledger.store.requests.erasure import erase, list_path
from projections.tables.sittings import SITTINGS_SCHEMA
from projections.tables.stored_walks import parse_order
from tests.cli.conftest import Result, Run, copy_ledger
from tests.conftest import thin_out
from tests.ledger.store.conftest import empty_schema, postgres_server
from tests.ledger.store.plain import plain_sqlite

__all__ = ["postgres_server"]
PROMISED = [table for group in TABLE_GROUPS for table in group.tables]


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with findings, results and sittings beside its log, for copies."""
    path = tmp_path_factory.mktemp("tables") / "x.ledger"
    filled(outcome_of, str(path))
    return path


@pytest.fixture
def url(template: Path, tmp_path: Path) -> str:
    """A copy of that ledger."""
    return str(copy_ledger(template, tmp_path))


def outcome_of(*args: str) -> Result:
    """Run a command whose output nobody looks at."""
    return Result(run_program(list(args)), "", "")


def filled(run: Run, url: str) -> str:
    """Lay out every table beside the log of a new ledger."""
    run("import", "cli/samples", "--ledger", url)
    for command in (("audit", "-r", "rrop4"), ("results",), ("log", "--where", "dealer:Kim"), ("statistics",)):
        assert run(*command, "--ledger", url).code in (0, 1, 2)
    with open_ledger(url) as ledger, ledger.database.core(write=True) as connection:
        SITTINGS_SCHEMA.create_all(connection)
    return url


@pytest.mark.parametrize("table", thin_out(PROMISED))
def test_a_table_that_is_gone_is_named_and_made_again(run: Run, url: str, table: str) -> None:
    output = run("results", "--ledger", url).out
    with plain_sqlite(url) as connection:
        connection.execute(f"DROP TABLE {table}")
    for options in ((), ("--tables",)):
        result = run("verify", *options, "--ledger", url)
        assert result.code == 4
        assert f"the table {table} is gone" in " ".join(result.out.split())
    result = run("results", "--ledger", url)
    assert (result.code, result.out) == (0, output)
    assert f"the table {table} is gone" in result.err
    assert "made again" in result.err
    run("audit", "-r", "rrop4", "--ledger", url)
    assert run("verify", "--tables", "--ledger", url).code == 0


def test_a_ledger_of_an_earlier_version_may_lack_later_tables(run: Run, url: str) -> None:
    with plain_sqlite(url) as connection:
        connection.execute("DELETE FROM tracking WHERE name = ?", (FINDINGS_LAYOUT,))
        for table_group in TABLE_GROUPS:
            for table in table_group.optional_tables:
                connection.execute(f"DROP TABLE {table}")
    assert run("verify", "--ledger", url).code == 0
    result = run("audit", "-r", "bicycle", "--ledger", url)
    assert "is gone" not in result.err
    with plain_sqlite(url) as connection:
        connection.execute("DROP TABLE announced_tables")
    assert "the table announced_tables is gone" in " ".join(run("verify", "--ledger", url).out.split())


def test_all_findings_gone_at_once_are_named(run: Run, url: str) -> None:
    with plain_sqlite(url) as connection:
        for table in TABLE_GROUPS[0].tables:
            connection.execute(f"DROP TABLE {table}")
    assert run("verify", "--ledger", url).code == 4
    assert "made again" in run("audit", "-r", "rrop4", "--ledger", url).err
    assert run("verify", "--tables", "--ledger", url).code == 0


@pytest.mark.parametrize("damage", ["walk = x'00'", "walk = ''", "version = 1.5", "walk = 7"])
def test_what_cannot_be_compared_is_named(run: Run, url: str, damage: str) -> None:
    with plain_sqlite(url) as connection:
        connection.execute(
            "INSERT INTO rested_walks SELECT judgement, venue, tournament, name, 1, x'00' FROM judged_tables"
        )
        connection.execute("UPDATE judged_tables SET result = x'00'")
    result = run("verify", "--tables", "--ledger", url)
    assert result.code == 4, damage
    assert "fault" not in result.err


def test_an_error_of_damage_is_not_a_fault_of_the_program(run: Run, url: str) -> None:
    run("log", "--ledger", url)
    assert damage.find_damage(KeyError("x")) is None, "the ledger is sound, so the program is at fault"
    with plain_sqlite(url) as connection:
        connection.execute("UPDATE hand_results SET pot = pot + 1")
    handledger_error = damage.find_damage(KeyError("x"))
    assert handledger_error is not None
    assert "they were deleted" in handledger_error.message
    assert run("verify", "--tables", "--ledger", url).code == 0


@pytest.mark.parametrize("order", ["text", "1-", "-1", "1--2", "1-4611686018427387904,5", "9" * 5000, "1,,2", " 1"])
def test_an_order_that_nobody_wrote_is_none(order: str) -> None:
    assert parse_order(order) is None


def test_a_list_that_lacks_who_was_forgotten_is_named(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "x.ledger")
    run("import", "cli/samples", "--ledger", url)
    with open_ledger(url) as ledger:
        with ledger.database.reading() as link:
            first, second = [row[0] for row in link.execute("SELECT id FROM names LIMIT 2").fetchall()]
        erase(ledger, first)
        path = list_path(ledger)
        assert path is not None
        data = path.read_bytes()
        erase(ledger, second)
    assert "lacks" not in run("verify", "--ledger", url).out
    path.write_bytes(data)
    text = " ".join(run("verify", "--ledger", url).out.split())
    assert "lacks 1 person forgotten in this ledger" in text


@pytest.mark.postgres
def test_on_postgresql_tables_beside_the_log_are_looked_at_in_the_schema_of_the_ledger(
    run: Run, postgres_server: str
) -> None:
    url = filled(run, empty_schema(postgres_server))
    assert run("verify", "--ledger", url).code == 0
    for table, change, words in (
        ("hand_results", "UPDATE hand_results SET position = position + 1000000", "hand_results.position is 1000"),
        ("announced_tables", "DROP TABLE announced_tables", "the table announced_tables is gone"),
        ("seat_results", "DROP TABLE seat_results", "the table seat_results is gone"),
    ):
        with psycopg.connect(url) as connection:
            connection.execute(change.encode())
        result = run("verify", "--ledger", url)
        assert (result.code, words in " ".join(result.out.split())) == (4, True), (table, result.out)
        assert "made again" in run("log", "--ledger", url).err
        for command in (("audit", "-r", "rrop4"), ("results",)):
            run(*command, "--ledger", url)
        assert run("verify", "--tables", "--ledger", url).code == 0
