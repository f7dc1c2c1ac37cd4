"""The chips, trays and funds of a shift at all its tables: one answer, and one difference for each error."""

from __future__ import annotations

from pathlib import Path

from ledger.store.hands.hand_accounts import TableKey
from projections.money.shift import read_shift
from projections.money.shift_chips import ShiftChips, check_shift_chips
from tests.projections.money.cash_tables import ROOM, CashTable, Drop, ledger_of

DROP = Drop(rake=4, jackpot=1)
SELLS = "{seat} adds {amount} rebuy by dealer"


def shift_of(folder: Path, *tables: CashTable, day: str = "2026-11-20") -> ShiftChips:
    """The chips of a day at some tables."""
    with ledger_of(folder, *(table.text for table in tables)) as ledger:
        return check_shift_chips(ledger, read_shift(ledger, day))


def begin(name: str, *players: str) -> CashTable:
    """A table with its tray counted, its players seated and three hands."""
    table = CashTable(name, players=dict(enumerate(players, 1)))
    return table.write("tray 2000").seat_all().play_several(3, DROP)


def test_two_honest_tables_have_nothing(tmp_path: Path) -> None:
    first = (
        begin("T1", "Ann", "Bo", "Cy").add(2, 300, SELLS).play_several(20, DROP).write("tray 1700", "jackpot-box 23")
    )
    second = begin("T2", "Dan", "Eli", "Flo").write("fill 500").play_several(4, DROP).write("tray 2500")
    first.write(f"1 leaves Ann moved stack {first.stacks[1]}")
    second.play_several(14, DROP).write(f"4 sits Ann table-balance stack {first.stacks[1]}")
    shift = shift_of(tmp_path, first, second)
    assert (shift.differences, shift.gaps) == ([], [])
    assert {key.table: len(table.hands) for key, table in shift.tables.items()} == {"T1": 23, "T2": 21}
    assert [(span.opening, span.counted) for span in shift.tables[TableKey(ROOM, "", "T1")].tray] == [(200000, 170000)]
    assert [(fund.fund, fund.dropped, fund.counted) for fund in shift.funds] == [("jackpot", 4400, 2300)]


def test_each_error_is_one_difference(tmp_path: Path) -> None:
    first = begin("T1", "Ann", "Bo", "Cy").add(2, 300, SELLS).play(DROP, paid_short=10).play_several(9, DROP)
    second = begin("T2", "Dan", "Eli", "Flo").write("jackpot-paid 2 to Eli").add(2, 1, "{seat} adds {amount} prize")
    second.play(DROP).add(3, 100, "").play_several(9, DROP)
    first.write("tray 2200", f"1 leaves Ann moved stack {first.stacks[1]}")  # a fill of 500 is missing
    second.write("tray 2000").play_several(5, DROP).write(f"4 sits Ann table-balance stack {first.stacks[1] - 25}")
    shift = shift_of(tmp_path, first, second)
    assert sorted((found.kind, found.table, found.player) for found in shift.differences) == [
        ("chips", "T1", ""),
        ("chips", "T2", "Ann"),
        ("chips", "T2", "Flo"),
        ("fund", "T2", "Eli"),
        ("tray", "T1", ""),
    ]
    assert shift.gaps == []


def test_a_day_has_its_own_differences_and_the_stacks_of_the_day_before(tmp_path: Path) -> None:
    table = begin("T1", "Ann", "Bo", "Cy").add(1, 40, "").play_several(2, DROP).write("tray 2000")
    text = table.text
    table.lines.clear()
    table.add(2, 60, "").play_several(2, DROP)
    next_day = table.text.replace("2026-11-20T", "2026-11-21T")
    with ledger_of(tmp_path, text + next_day) as ledger:
        first, second = (check_shift_chips(ledger, read_shift(ledger, day)) for day in ("2026-11-20", "2026-11-21"))
    assert [found.player for found in first.differences] == ["Ann"]
    assert [found.player for found in second.differences] == ["Bo"]
    assert [len(shift.tables[TableKey(ROOM, "", "T1")].hands) for shift in (first, second)] == [5, 2]
