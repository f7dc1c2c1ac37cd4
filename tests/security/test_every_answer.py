"""Whatever is changed in a database or a lake: verify finds it, a command names it, or no answer differs.

A small part of `tests/torture/tampering.py` and `spoiled_lakes.py`, which try every change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from cli import command_list
from ledger.store import Ledger
from tests.laws import size
from tests.ledger.store.conftest import STORES
from tests.postgres import NoPostgresError, server
from tests.torture.changes import Change, changes
from tests.torture.questions import WRITES, questions
from tests.torture.spoiled_lakes import Lakes
from tests.torture.spoiled_lakes import run as run_lakes
from tests.torture.spoiling import SpoiledPostgres, SpoiledSqlite
from tests.torture.tampering import Matrix, Spoiled, fill, run, short_rests

pytestmark = [pytest.mark.law, pytest.mark.timeout(0)]
BAD = {"missed", "fault"}


@pytest.fixture(scope="module", params=STORES)
def matrix(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    """A store with the answers of its sound ledger."""
    folder = tmp_path_factory.mktemp("tampering")
    with short_rests():
        if request.param == "sqlite":
            fill(str(folder / "x.ledger"), folder / "files")
            yield Matrix(SpoiledSqlite(folder / "x.ledger"), size(3, 0))
            return
        try:
            with server() as url:
                with psycopg.connect(url, autocommit=True) as admin:
                    admin.execute("CREATE DATABASE sound")
                store = SpoiledPostgres(url, "sound")
                fill(store.url("sound"), folder / "files")
                yield Matrix(store, size(3, 0))
                store.close()
        except NoPostgresError as error:
            pytest.skip(str(error))


def tried(store: Spoiled) -> list[Change]:
    """Every change in full; otherwise some by chance, fewer of a server, which takes four times as long.

    One change in forty has no effect, so a small draw may hold none: one of them is always tried.
    """
    every = list(changes(store))
    harmless = next(change for change in every if change.table == "obligations" and "moved by 1000" in change.what)
    drawn = Random(3).sample(every, size(20 if isinstance(store, SpoiledSqlite) else 4, len(every)))
    return [harmless, *drawn]


def test_every_command_that_reads_is_asked() -> None:
    assert {command[0] for command in questions()} == set(command_list.COMMANDS) - WRITES


def test_the_sound_ledger_answers_everything(matrix: Matrix) -> None:
    assert [
        command for command, answer in matrix.sound.items() if answer.is_fault or answer.code not in {0, 1, 3}
    ] == []
    empty = {table for table in matrix.store.tables() if not matrix.store.rows(table)}
    assert empty == {"hand_dealers"}, "no sample tells who dealt"


def test_no_change_of_a_database_is_without_a_word(matrix: Matrix) -> None:
    outcomes = run(matrix, tried(matrix.store), 1e9)
    assert [outcome for outcome in outcomes if outcome.what in BAD] == []
    assert {"found", "no effect"} <= {outcome.what for outcome in outcomes}


def test_a_verification_that_sees_nothing_is_noticed(matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ledger, "verify", lambda *_, **__: [])
    blind = [outcome for outcome in changes(matrix.store) if outcome[:3] == ("names", "name", "'text' in all rows")]
    assert [outcome.what for outcome in run(matrix, blind, 1e9)] == ["missed"]


@pytest.mark.parametrize("straight", [False, True])
def test_no_change_of_a_lake_is_without_a_word(tmp_path: Path, straight: bool) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    with short_rests():
        lakes = Lakes(tmp_path, straight)
        every = list(lakes.changes())
        outcomes = run_lakes(lakes, Random(5).sample(every, size(50, len(every))), 1e9)
    assert [outcome for outcome in outcomes if outcome.what in BAD] == []
    assert "found" in {outcome.what for outcome in outcomes}
