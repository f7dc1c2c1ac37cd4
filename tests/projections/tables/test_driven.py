"""The eventsourcing library drives our projections, and those of whoever writes a program with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.tables.live_runner import run_projection
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.table_set import build_results_projection
from tests.conftest import ROOT
from tests.postgres import NoPostgresError, server
from tests.projections.tables.test_announcing import adopt, announced_changes, is_true, night

PATIENCE = 60.0


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new ledger on either store."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield f"sqlite:///{tmp_path / 'x.ledger'}"
            return
        try:
            yield stack.enter_context(server())
        except NoPostgresError as error:
            pytest.skip(str(error))


def test_results_are_as_current_as_the_log_and_the_same_as_in_bulk(url: str, tmp_path: Path) -> None:
    first, second = night(tmp_path, [4])
    with open_ledger(url) as ledger:
        import_paths(ledger, [first])
        with run_projection(url, "results") as driven:
            driven.wait(ledger.head()[0], PATIENCE)
            import_paths(ledger, [second])
            driven.wait(ledger.head()[0], PATIENCE)
            ledger.catch_up(build_results_projection(ledger))  # a command asks meanwhile: nothing is taken in twice

        def rows() -> list[list[tuple[object, ...]]]:
            with ledger.database.core() as connection:
                tables = (hand_results, seat_results)
                return [
                    [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
                    for table in tables
                ]

        live = rows()
        ledger.rebuild(build_results_projection(ledger))
        assert live == rows()
        assert live[0]


def test_findings_are_announced_as_hands_come_in_and_once(url: str, tmp_path: Path) -> None:
    first, second = night(tmp_path, [4])
    with open_ledger(url) as ledger:
        adopt(ledger, "hilton")
        import_paths(ledger, [first])
        for _ in range(2):  # and again by the next
            with run_projection(url, "judgement") as driven:
                import_paths(ledger, [second])
                driven.wait(ledger.head()[0], PATIENCE)
        assert [event.clause for event in announced_changes(ledger)] == ["B11b.1"]
        is_true(ledger, "hilton")
        ledger.events(HOUSE)


def test_the_projection_of_the_documentation_counts_folds(url: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "projections.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    (path,) = night(tmp_path, [])
    scope: dict[str, object] = {"__name__": "their_program"}
    exec(compile(code.replace("sqlite:///night.ledger", url), "docs/projections.md", "exec"), scope)
    folds = scope["folds"]
    assert callable(folds)
    with open_ledger(url) as ledger:
        import_paths(ledger, [path])
        events = [event for row in ledger.hands() for event in ledger.events(row.stream)]
        fold_count = sum(type(event).__name__ == "Folded" for event in events)
    assert fold_count
    assert folds() == fold_count
    assert folds() == fold_count  # its place is kept with its rows: nothing is counted twice
