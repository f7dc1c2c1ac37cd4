"""Players who move to another table bring the chips that they left with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.store.hands.hand_accounts import TableKey
from projections.money.chips import check_chips, read_chips_input
from projections.money.difference import MoneyDifference
from projections.money.table_moves import check_moves
from tests.projections.money.cash_tables import ROOM, CashTable, ledger_of


def moved(folder: Path, departure: str, arrival: str, *, has_clocks: bool = True) -> list[MoneyDifference]:
    """The differences if Bo leaves T1 after two hands with 378 and sits down at T2, as these lines say."""
    first_table = CashTable(has_clocks=has_clocks).seat_all().play_several(2).write(departure)
    players = {1: "Dan", 2: "Eli", 3: "Flo"}
    second_table = CashTable("T2", players=players, has_clocks=has_clocks).seat_all().play_several(3).write(arrival)
    with ledger_of(folder, first_table.text, second_table.text) as ledger:
        checks = [check_chips(read_chips_input(ledger, TableKey(ROOM, "", table))) for table in ("T1", "T2")]
    assert not [difference for check in checks for difference in check.differences]
    return check_moves(move for check in checks for move in check.moves)


@pytest.mark.parametrize("has_clocks", [True, False])
def test_chips_that_got_lost_between_two_tables_are_a_difference(tmp_path: Path, *, has_clocks: bool) -> None:
    (difference,) = moved(
        tmp_path, "2 leaves Bo moved stack 378", "4 sits Bo must-move stack 350", has_clocks=has_clocks
    )
    assert (difference.table, difference.player, difference.expected, difference.recorded) == ("T2", "Bo", 37800, 35000)
    assert difference.says == "Bo left table T1 with $378 and sat down at table T2 with $350"
    assert [event.note for event in difference.events] == [
        "4 Bo sits down with $350 (must move)",
        "2 Bo leaves the table with $378 (moved)",
    ]


@pytest.mark.parametrize(
    ("departure", "arrival"),
    [
        ("2 leaves Bo moved stack 378", "4 sits Bo must-move stack 378"),
        ("2 leaves Bo moved", "4 sits Bo stack 378"),
        ("2 leaves Bo moved stack 378", "4 sits Bo must-move"),
        ("2 leaves Bo left stack 378", "4 sits Bo walk-in stack 200"),
    ],
    ids=["same", "stack of the last hand", "no stack on record", "cashed out and bought in again"],
)
def test_what_is_no_difference(tmp_path: Path, departure: str, arrival: str) -> None:
    assert moved(tmp_path, departure, arrival) == []
