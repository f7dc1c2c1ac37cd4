"""A table that leaves in handscript takes along what it was told between its hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.export.hands import Export
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import put_in_order
from tests.cli.conftest import Run, run

__all__ = ["run"]

HAND = """hand {number} {start}
game holdem no-limit cash blinds 1/2 unit USD 0
seat 1 Ann 100
seat 2 Bo 100
seat 3 Cy 100
button {button}
1 posts small 1
2 posts big 2
deal done
3 folds
1 folds
2 uncalled 1
2 wins 2
end
"""


def night(table: str, day: str) -> str:
    first, second, third = (
        HAND.format(number=number, start=f"{day}T20:0{number}:00Z", button=3) for number in (1, 2, 3)
    )
    return (
        f"handscript 1\nvenue Lamp  table {table}  seats 6\nwitness all\n"
        f"between-hands\n2 sits Bo\nend\n{first}between-hands\n4 sits Di\n3 adds 10\nend\n{second}"
        f"{third}between-hands\n3 leaves Cy\nend\n"
    )


def import_texts(path: Path, *texts: str) -> Ledger:
    path.mkdir()
    for number, text in enumerate(texts):
        (path / f"{number}.hand").write_text(text)
    ledger = open_ledger(str(path / "hands.ledger"))
    import_paths(ledger, sorted(path.glob("*.hand")))
    return ledger


def words(ledger: Ledger, table: str) -> list[str]:
    order = put_in_order(table_entries(ledger, TableKey("Lamp", "", table)))
    events = [event.event for event in order if not isinstance(event.event, TableOpened)]
    return [f"hand {event.number}" if isinstance(event, HandPlayed) else type(event).__name__ for event in events]


def export_text(ledger: Ledger, *numbers: str) -> str:
    rows = [row for row in ledger.hands() if not numbers or row.number in numbers]
    return "".join(Export(ledger, "handscript").text_pieces(rows))


def test_facts_between_hands_leave_with_them_each_at_its_own_table(tmp_path: Path) -> None:
    with import_texts(tmp_path / "one", night("T1", "2026-01-02"), night("T2", "2026-01-02")) as ledger:
        text = export_text(ledger)
        was = {table: words(ledger, table) for table in ("T1", "T2")}
    assert len(was["T1"]) > 5
    with import_texts(tmp_path / "two", text) as second_ledger:
        assert {table: words(second_ledger, table) for table in ("T1", "T2")} == was


def test_a_hand_without_its_neighbour_leaves_alone(tmp_path: Path) -> None:
    with import_texts(tmp_path / "one", night("T1", "2026-01-02")) as ledger:
        assert "between-hands" not in export_text(ledger, "2")
        assert export_text(ledger, "1", "3").count("between-hands") == 1  # what was told before the first hand
        assert export_text(ledger, "2", "3").count("between-hands") == 1  # what was told behind the last one


@pytest.mark.parametrize("options", [("--as", "public"), ("--names", "pseudonym")])
def test_what_is_not_written_between_hands_is_listed(options: tuple[str, str], tmp_path: Path, run: Run) -> None:
    import_texts(tmp_path / "one", night("T1", "2026-01-02")).close()
    command = (
        "export",
        "--table",
        "T1",
        "--to",
        "handscript",
        *options,
        "--ledger",
        str(tmp_path / "one" / "hands.ledger"),
    )
    result = run(*command)
    assert "between-hands" not in result.out
    assert result.out.count("\nend") == 3
    assert result.err.splitlines()[-1].startswith("4 facts between hands left out")
    assert result.code == 3
    lossy = run(*command, "--lossy", "--format", "json")
    assert lossy.document["losses"][-1] == "what was told between hands (4)"
    assert lossy.code == 0
