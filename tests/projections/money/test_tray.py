"""The dealer's tray: each count against the count before it, fills, credits, and chips that players buy."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.entry import Provenance
from ledger.hand.ending import CorrectionMade
from ledger.presence import ChipsAdded
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from ledger.table.events import TableEvent, TableOpened
from ledger.table.money_events import ChipsCredited, ChipsFilled, TrayCounted
from ledger.table.order import TableEntry
from projections.money.chips import check_chips, read_chips_input
from projections.money.tray import TrayCheck, check_tray
from tests.conftest import scale_examples
from tests.evenings.generate import Evening
from tests.projections.money.cash_tables import ROOM, CashTable, Drop, ledger_of
from tests.projections.money.random_evenings import EVENINGS, input_of

DROP = Drop(rake=4, jackpot=1)
SELLS = "{seat} adds {amount} rebuy by dealer"


def tray_of(folder: Path, table: CashTable) -> TrayCheck:
    """The tray of a table."""
    with ledger_of(folder, table.text) as ledger:
        chips_input = read_chips_input(ledger, TableKey(ROOM, "", table.name))
        return check_tray(chips_input, check_chips(chips_input))


def opened(**fields: str) -> CashTable:
    """A table whose tray was counted at 2000, with three players and two hands."""
    return CashTable(**fields).write("tray 2000").seat_all().play_several(2, DROP)  # type: ignore[arg-type]  # only names


def test_a_tray_that_adds_up(tmp_path: Path) -> None:
    table = opened().add(2, 300, SELLS).write("fill 1500").play_several(2, DROP).write("credit 200", "tray 3000")
    table.add(1, 100, SELLS).play(DROP)
    check = tray_of(tmp_path, table.write("tray 2900").text and table)
    assert (check.differences, check.gaps, check.chip_differences) == ([], [], [])
    first, second = check.spans
    assert (first.opening, first.filled, first.credited, first.sold, first.counted) == (
        200000,
        150000,
        20000,
        30000,
        300000,
    )
    assert (second.opening, second.expected, second.sold) == (300000, 290000, 10000)
    assert first.assumes == (
        "We assume that the chips that players sat down with came from the cage; the record doesn't say."
    )
    assert second.assumes == ""


def test_a_fill_that_nobody_wrote_is_one_difference(tmp_path: Path) -> None:
    table = opened().write("dealer Dora").add(2, 300, SELLS).play_several(2, DROP).write("credit 200", "tray 3000")
    check = tray_of(tmp_path, table.write("tray 3000"))
    (difference,) = check.differences
    assert (difference.kind, difference.expected, difference.recorded) == ("tray", 150000, 300000)
    assert difference.says == "The tray was counted at $3000; by the record it should hold $1500"
    assert difference.because == (
        "The last count was $2000. Since then: $200 in credits and $300 sold to players. "
        "We assume that the chips that players sat down with came from the cage; the record doesn't say."
    )
    assert difference.dealer == "Dora"
    assert [(event.name, event.note) for event in difference.events] == [
        ("T1@13", "tray counted: $3000"),
        ("T1@1", "tray counted: $2000"),
        ("T1@12", "credit: the tray gives back $200"),
    ]
    assert check.gaps == []


def test_a_stack_from_the_cage_explains_no_tray_that_is_over(tmp_path: Path) -> None:
    first_stack = CashTable().stacks[1]
    (difference,) = tray_of(tmp_path, opened().write(f"tray {2000 + first_stack}")).differences
    assert difference.could_explain == []


def test_sales_after_the_last_count_leave_a_gap(tmp_path: Path) -> None:
    check = tray_of(tmp_path, opened().add(2, 300, SELLS).play(DROP))
    assert check.differences == []
    (gap,) = check.gaps
    assert gap.missing == (
        "The tray was counted at $2000, and nobody counted it again. Since then: $300 sold to players."
    )
    assert [event.name for event in gap.events] == ["T1@1"]
    assert tray_of(tmp_path, opened().add(2, 300, SELLS).play(DROP).write("tray 1700")).gaps == []


def test_a_count_that_was_corrected_counts_as_corrected(tmp_path: Path) -> None:
    table = opened().write("tray 200")
    with ledger_of(tmp_path, table.text) as ledger:
        key = TableKey(ROOM, "", "T1")
        stream = table_stream(*key)
        count = [entry for entry in ledger.entries(stream) if isinstance(entry.event, TrayCounted)][-1]
        correction = CorrectionMade((count.version,), count.version, 1, "floor", why=ledger.people.text("a zero lacks"))
        chips_input = read_chips_input(ledger, key)
        assert [found.recorded for found in check_tray(chips_input, check_chips(chips_input)).differences] == [20000]
        ledger.append("table", stream, [correction, TrayCounted(200000)], recorded=Provenance(ledger.now()))
        chips_input = read_chips_input(ledger, key)
        check = check_tray(chips_input, check_chips(chips_input))
    assert (check.differences, check.gaps) == ([], [])
    assert [span.counted for span in check.spans] == [200000]


def test_a_fill_written_twice_explains_the_count(tmp_path: Path) -> None:
    table = opened().write("fill 500", "fill 500", "tray 2500")
    (difference,) = tray_of(tmp_path, table).differences
    assert (difference.expected, difference.recorded) == (300000, 250000)
    assert [cause.note for cause in difference.could_explain[:2]] == 2 * ["fill: the tray gets $500"]


def test_a_rebuy_that_nobody_wrote_is_one_difference_and_not_two(tmp_path: Path) -> None:
    table = opened().add(2, 100, "").play_several(2, DROP).write("tray 1900")
    check = tray_of(tmp_path, table)
    assert check.differences == []
    (difference,) = check.chip_differences
    assert (difference.kind, difference.expected, difference.recorded) == ("chips", 37800, 47800)
    assert difference.because.endswith("The tray shows the same: it was counted at $1900 and should hold $2000.")
    assert [event.name for event in difference.events] == ["T1/3", "T1/2", "T1@10", "T1@1"]


def test_chips_that_the_cage_may_have_sold_are_a_gap(tmp_path: Path) -> None:
    """The count fits if the rebuy came from the cage. The record doesn't say who sold it."""
    table = opened().add(2, 300).play(DROP).write("tray 2000")
    check = tray_of(tmp_path, table)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        (
            "The tray was counted at $2000; by the record it should hold $1700. "
            "It fits if the chips that players added came from the cage; the record doesn't say."
        )
    ]


def test_a_table_whose_counts_fit_another_way_is_read_that_way(tmp_path: Path) -> None:
    """Players here buy their first chips from the dealer: two counts fit, and a third shows a missing fill."""
    table = CashTable().write("tray 3000").seat_all().play().write("tray 1800").add(2, 300).play().write("tray 1500")
    table.write("3 leaves Cy stack 320", "3 sits Dan stack 200").play().write("tray 1300")
    table.stacks[3], table.players[3] = 200, "Dan"
    check = tray_of(tmp_path, CashTable().write(*table.lines))
    assert (check.differences, check.gaps) == ([], [])
    assert check.spans[0].assumes == (
        "We assume that the chips that players sat down with came from the tray; the record doesn't say."
    )
    more = tray_of(tmp_path, table.write("tray 1800"))
    assert [(difference.expected, difference.recorded) for difference in more.differences] == [(130000, 180000)]


@pytest.mark.parametrize("seller", ["floor", "house", "host"])
def test_chips_that_somebody_else_sold_did_not_come_from_the_tray(tmp_path: Path, seller: str) -> None:
    table = opened().add(2, 300, f"{{seat}} adds {{amount}} rebuy by {seller}").play(DROP).write("tray 2000")
    check = tray_of(tmp_path, table)
    assert (check.differences, check.gaps) == ([], [])


def test_missing_hands_leave_a_gap(tmp_path: Path) -> None:
    table = opened().play(DROP, is_written=False).play(DROP).write("tray 1700")
    check = tray_of(tmp_path, table)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        (
            "The tray was counted at $1700; by the record it should hold $2000. "
            "Hands between the two counts are missing, so sales may be missing, too."
        )
    ]


def test_missing_hands_that_only_the_next_hand_shows_leave_a_gap(tmp_path: Path) -> None:
    table = opened().play(DROP, is_written=False).write("tray 1700").play(DROP)
    check = tray_of(tmp_path, table)
    assert check.differences == []
    assert len(check.gaps) == 1


def test_a_record_that_does_not_note_purchases_leaves_a_gap(tmp_path: Path) -> None:
    check = tray_of(tmp_path, opened(witness="dealer-notes").write("tray 1700"))
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        (
            "The tray was counted at $1700; by the record it should hold $2000. "
            "This record doesn't note all chips that players buy."
        )
    ]


def test_fills_without_counts_are_a_gap(tmp_path: Path) -> None:
    table = CashTable().seat_all().play().write("fill 500", "tray 2000", "credit 300").play()
    check = tray_of(tmp_path, table)
    assert check.differences == []
    assert [gap.missing for gap in check.gaps] == [
        "The tray wasn't counted before fills of $500 and credits of $0, so nobody can say what it should hold.",
        "The tray wasn't counted after fills of $0 and credits of $300, so nobody can say what it should hold.",
    ]


def test_a_table_without_a_tray_has_nothing(tmp_path: Path) -> None:
    check = tray_of(tmp_path, CashTable().seat_all().play_several(3, DROP))
    assert check == TrayCheck([], [], [], [])


def test_who_comes_from_another_table_brings_chips_along(tmp_path: Path) -> None:
    table = opened().write("4 sits Dan must-move stack 250").play(DROP)
    assert tray_of(tmp_path, table.write("tray 2000")).differences == []
    assert [span.assumes for span in tray_of(tmp_path, table.write("tray 2000")).spans[1:]] == [""]


# --- random evenings


def with_tray(night: Evening, rng: Random) -> list[TableEntry]:
    """The stream of an evening with fills, credits and counts of the tray that are right, at random places."""
    entries: list[TableEntry] = []
    tray = rng.randint(10_000, 20_000)

    def add(event: TableEvent, time: int | None) -> None:
        entries.append(TableEntry(len(entries) + 1, event, time))

    for entry in night.told():
        add(entry.event, entry.time)
        if isinstance(entry.event, TableOpened):
            add(TrayCounted(tray), entry.time)
        if isinstance(entry.event, ChipsAdded):
            tray -= entry.event.amount
        if entry.time is None or rng.random() > 0.3:
            continue  # facts have times, and stay where they are among the hands
        amount = rng.randint(1, 5_000)
        if rng.random() < 0.5 or tray < amount:
            tray += amount
            add(ChipsFilled(amount), entry.time)
        else:
            tray -= amount
            add(ChipsCredited(amount), entry.time)
        if rng.random() < 0.4:
            add(TrayCounted(tray), entry.time)
    add(TrayCounted(tray), entries[-1].time or night.hands[-1].started + 1000)
    return entries


def check_evening(night: Evening, entries: list[TableEntry]) -> TrayCheck:
    """The tray of a random evening."""
    chips_input = input_of(night, entries)
    return check_tray(chips_input, check_chips(chips_input))


_SEEDS = st.integers(0, 10_000)


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS, seed=_SEEDS)
def test_the_tray_of_a_random_evening_adds_up(night: Evening, seed: int) -> None:
    check = check_evening(night, with_tray(night, Random(seed)))
    assert (check.differences, check.gaps, check.chip_differences) == ([], [], [])


@settings(max_examples=scale_examples(40), deadline=None)
@given(night=EVENINGS, seed=_SEEDS, data=st.data())
def test_a_slip_that_nobody_wrote_is_one_difference_or_is_said_to_be_open(
    night: Evening, seed: int, data: st.DataObject
) -> None:
    entries = with_tray(night, Random(seed))
    slips = [index for index, entry in enumerate(entries) if isinstance(entry.event, ChipsFilled | ChipsCredited)]
    if not slips:
        return
    index = data.draw(st.sampled_from(slips))
    slip = entries[index].event
    assert isinstance(slip, ChipsFilled | ChipsCredited)
    check = check_evening(night, entries[:index] + entries[index + 1 :])
    assert len(check.differences) + len(check.gaps) == 1
    surplus = slip.amount if isinstance(slip, ChipsFilled) else -slip.amount
    for difference in check.differences:
        assert (difference.recorded or 0) - (difference.expected or 0) == surplus
