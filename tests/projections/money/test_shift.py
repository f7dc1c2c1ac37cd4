"""Which hands and counts belong to a shift: by the name of a count, by a room's day, by times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import UsageError
from ledger.store import Ledger
from ledger.table.events import HandPlayed, TableOpened
from projections.money.shift import ShiftTable, read_shift
from tests.projections.money.evenings import make_ledger, write_hand, write_head


def at(hour: int, minute: int = 0, day: int = 29) -> str:
    return f"2026-11-{day}T{hour:02}:{minute:02}:00-05:00"


TABLE_1 = "".join(
    (
        write_head("T1"),
        "tray 10000\ndealer Kim\n",
        write_hand(1, at(12)),
        write_hand(2, at(13)),
        "drop-box 4 shift day\njackpot-box 0\n",
        "dealer Lee\n",
        write_hand(3, at(20)),
        write_hand(4, at(23, 30)),
        write_hand(5, at(1, 0, day=30)),
        "drop-box 6 shift swing\n",
        write_hand(6, at(14, 0, day=30)),
        "drop-box 2 shift swing\nfill 500\n",
    )
)
TABLE_2 = "".join((write_head("T2"), write_hand(1, at(21)), write_hand(2, at(23)), write_hand(3, at(9, 0, day=30))))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with make_ledger(tmp_path, TABLE_1, TABLE_2) as opened_ledger:
        yield opened_ledger


def list_contents(table: ShiftTable) -> list[str]:
    return [
        entry.event.number if isinstance(entry.event, HandPlayed) else type(entry.event).__name__
        for entry in table.shift_entries
        if not isinstance(entry.event, TableOpened)
    ]


def list_tables(ledger: Ledger, shift: str) -> dict[str, list[str]]:
    return {table.key.table: list_contents(table) for table in read_shift(ledger, shift)}


def test_a_name_takes_the_hands_since_the_box_before(ledger: Ledger) -> None:
    day_shift = list_tables(ledger, "day")
    assert day_shift == {"T1": ["TrayCounted", "DealerChanged", "1", "2", "BoxCounted", "BoxCounted"]}


def test_a_name_that_several_days_have_needs_its_day(ledger: Ledger) -> None:
    with pytest.raises(UsageError) as error:
        read_shift(ledger, "swing")
    assert "2026-11-29, 2026-11-30" in str(error.value)
    assert "swing@2026-11-30" in error.value.hint
    assert list_tables(ledger, "swing@2026-11-30") == {"T1": ["6", "BoxCounted", "ChipsFilled"]}


def test_a_table_without_a_count_comes_with_the_hands_of_the_same_hours(ledger: Ledger) -> None:
    assert list_tables(ledger, "Swing@2026-11-29") == {
        "T1": ["DealerChanged", "3", "4", "5", "BoxCounted"],
        "T2": ["1", "2"],
    }


def test_a_table_whose_box_was_counted_with_another_shift_belongs_to_that_one(tmp_path: Path) -> None:
    table_1 = write_head("T1") + write_hand(1, at(20)) + write_hand(2, at(23)) + "drop-box 4 shift swing\n"
    table_2 = write_head("T2") + write_hand(1, at(21)) + "drop-box 2 shift grave\n" + write_hand(2, at(22))
    with make_ledger(tmp_path, table_1, table_2) as ledger:
        assert list_tables(ledger, "swing") == {"T1": ["1", "2", "BoxCounted"], "T2": ["2"]}


def test_a_rooms_day_goes_on_after_midnight(ledger: Ledger) -> None:
    tables = list_tables(ledger, "2026-11-29")
    assert [name for name in tables["T1"] if name.isdigit()] == ["1", "2", "3", "4", "5"]
    assert tables["T1"][-1] == "BoxCounted"
    assert tables["T2"] == ["1", "2"]


def test_times_are_taken_by_the_rooms_clock_or_with_a_zone(ledger: Ledger) -> None:
    by_clock = list_tables(ledger, "2026-11-29T19:00..2026-11-29T23:15")
    with_zone = list_tables(ledger, "2026-11-30T00:00Z..2026-11-30T04:15Z")
    assert by_clock == with_zone == {"T1": ["DealerChanged", "3"], "T2": ["1", "2"]}


def test_each_hand_has_its_dealer(ledger: Ledger) -> None:
    (table,) = read_shift(ledger, "2026-11-29", table_keys=[read_shift(ledger, "day")[0].key])
    names = [
        (entry.event.number, ledger.people.name(table.dealers[index]))
        for index, entry in enumerate(table.entries)
        if isinstance(entry.event, HandPlayed)
    ]
    assert names[:3] == [("1", "Kim"), ("2", "Kim"), ("3", "Lee")]
    assert table.money_unit == ("USD", 2)


@pytest.mark.parametrize(
    ("shift", "problem", "hint"),
    [
        ("", "the shift is missing", "swing@2026-11-29"),
        ("grave", "no table has a shift 'grave'", "Counts state these shifts: day, swing."),
        ("swing@2026-11-28", "no table has a shift 'swing@2026-11-28'", "on these days: 2026-11-29, 2026-11-30."),
        ("2025-01-01", "no table has a hand in the shift '2025-01-01'", "handledger log lists the hands"),
        ("2026-11-29..", "needs two times", "swing@2026-11-29"),
        ("2026-11-30T10:00..2026-11-29T10:00", "ends before it begins", "swing@2026-11-29"),
        ("swing@sunday", "I can't read 'swing@sunday' as a shift and its day", "swing@2026-11-29"),
        ("2026-11-29T20:00..later", "I can't read 'later' as a date or time", "Write the year first"),
    ],
)
def test_what_is_no_shift_is_answered_with_a_remedy(ledger: Ledger, shift: str, problem: str, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        read_shift(ledger, shift)
    assert problem in str(error.value)
    assert hint in error.value.hint


def test_hands_without_a_time_are_counted(tmp_path: Path) -> None:
    text = write_head() + write_hand(1, at(20)) + "drop-box 2\n" + write_hand(2) + write_hand(3)
    with make_ledger(tmp_path, text) as ledger:
        (table,) = read_shift(ledger, "2026-11-29")
        assert [hand.number for hand in table.hands] == ["1"]
        assert table.untimed_hands == 2


def test_a_tournaments_own_stream_is_a_table_of_its_shift(tmp_path: Path) -> None:
    head = "handscript 1\nvenue Riverside tournament 88\n"
    tables = "table 1\ngame holdem no-limit tournament blinds 100/200\n\nhand 1 2026-11-29T20:00:00-05:00\n"
    hand = "button 1 stacks 1:5000 2:5000 3:5000\n2 posts small 100\n3 posts big 200\n1 folds\n2 folds\n3 uncalled 100\n3 wins 200\nend\n"
    sales = "between-hands\nentry Ana 100 fee 10 gets 5000 at 2026-11-29T23:00:00Z\nend\n"
    with make_ledger(tmp_path, head + sales, head + tables + hand) as ledger:
        assert list_tables(ledger, "2026-11-29") == {"": ["EntrySold"], "1": ["1"]}
