"""The report of a shift names exactly what goes wrong with its money, and the hands and events that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.money_events import BoxCounted
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.shift_builder import build_shift_report
from projections.money.shift_report import ShiftReport
from tests.cli.conftest import Run, run
from tests.money.evening import HANDS, Evening
from tests.money.records import ALL_ERRORS, TOURNAMENT, import_evening

__all__ = ["run"]

Names = Mapping[tuple[str, str], int]
"""How many differences or gaps there are, by kind and by table or tournament."""


class Planted(NamedTuple):
    """An evening with an error, and what the report must say of it."""

    evening: Evening
    differences: Names
    gaps: Names = MappingProxyType({})
    rests_on: tuple[str, ...] = ()  # hands, tables or notes among the events of the differences
    sums: tuple[int, int] | None = None  # expected and recorded

    @property
    def places(self) -> set[str]:
        """The tables whose records are needed to see it."""
        return {place for _, place in (*self.differences, *self.gaps)}


PLANTED = {
    "short box": Planted(
        Evening().plant("T1", short_box=20), {("box", "T1"): 1}, rests_on=("T1",), sums=(20600, 18600)
    ),
    "missing fill": Planted(
        Evening().plant("T2", misses_fill=True), {("tray", "T2"): 1}, rests_on=("T2",), sums=(108000, 258000)
    ),
    "rake over the cap": Planted(Evening().plant("T3", rake_over_cap=25), {("rake", "T3"): 1}, rests_on=("T3/3025",)),
    "wrong payout": Planted(Evening().plant("T1", short_payout=33), {("chips", "T1"): 1}, rests_on=("T1/1033",)),
    "chips that appear": Planted(
        Evening().plant("T2", appearing_chips=41), {("chips", "T2"): 1}, rests_on=("T2/2041",)
    ),
    "missing count": Planted(Evening().plant("T3", misses_count=True), {}, {("box", "T3"): 1}),
    "wrong prize": Planted(
        Evening().plant_in_tournament(wrong_prize=40),
        {("prize", TOURNAMENT): 1},
        rests_on=("place 2: Jill gets 430", "the prize pool is 1300"),
        sums=(130000, 134000),
    ),
    "skipped redraw": Planted(
        Evening().plant_in_tournament(skips_redraw=True),
        {("seating", TOURNAMENT): 1},
        rests_on=("1/1-7", "1/1-8", "2/2-7"),  # the last hands before the break, and the first one after it
    ),
}


def report(ledger: Ledger, shift: str = "2026-11-20") -> ShiftReport:
    """Return the report of the evening."""
    return build_shift_report(ledger, shift)


def count_names(items: Iterable[MoneyDifference | MoneyGap]) -> Names:
    """Count differences or gaps by kind and place."""
    return Counter((item.kind, item.tournament or item.table) for item in items)


@pytest.mark.slow
def test_an_honest_evening_has_no_difference(tmp_path: Path) -> None:
    with import_evening(Evening(), tmp_path) as ledger:
        shift = report(ledger)
    assert (shift.differences, shift.gaps, shift.findings, shift.corrections) == ([], [], [], [])
    cash_tables = [sums for sums in shift.tables if not sums.tournament]
    assert {sums.table: sums.hands for sums in cash_tables} == HANDS
    assert all(sums.rake == sums.box and sums.jackpot == sums.jackpot_box for sums in cash_tables)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_one_error_is_one_difference(name: str, tmp_path: Path) -> None:
    planted = PLANTED[name]
    with import_evening(planted.evening, tmp_path, planted.places) as ledger:
        shift = report(ledger)
    assert count_names(shift.differences) == planted.differences
    assert count_names(shift.gaps) == planted.gaps
    for difference in shift.differences:
        words = {word for event in difference.events for word in (event.name.partition("@")[0], event.note)}
        assert set(planted.rests_on) <= words
        if planted.sums is not None:
            assert (difference.expected, difference.recorded) == planted.sums


@pytest.mark.slow
def test_all_errors_together_are_each_named(tmp_path: Path) -> None:
    with import_evening(ALL_ERRORS, tmp_path) as ledger:
        shift = report(ledger)
    differences: Counter[tuple[str, str]] = Counter()
    gaps: Counter[tuple[str, str]] = Counter()
    for planted in PLANTED.values():
        differences.update(planted.differences)
        gaps.update(planted.gaps)
    assert count_names(shift.differences) == differences
    assert count_names(shift.gaps) == gaps


@pytest.mark.slow
def test_a_count_that_was_corrected_counts_as_corrected(run: Run, tmp_path: Path) -> None:
    with import_evening(Evening().plant("T2", miscounted_box=9), tmp_path, ["T2"]) as ledger:
        assert count_names(report(ledger).differences) == {("box", "T2"): 1}
        count_version = find_drop_count(ledger, "T2")
    corrected = run(
        "correct",
        f"T2@{count_version}",
        "drop-box 189 shift swing",
        "--by",
        "floor",
        "--why",
        "read 198 for 189",
        "--ledger",
        str(tmp_path / "room.ledger"),
    )
    assert corrected.code == 0, corrected.err
    with open_ledger(tmp_path / "room.ledger") as ledger:
        shift = report(ledger)
    assert (shift.differences, shift.gaps) == ([], [])
    (correction,) = shift.corrections
    assert (correction.table, correction.by, correction.why) == ("T2", "floor", "read 198 for 189")
    assert correction.was == ["drop box counted after shift swing: $198"]
    assert correction.became == ["drop box counted after shift swing: $189"]


@pytest.mark.slow
def test_a_file_that_is_imported_again_corrects_only_what_it_changes(tmp_path: Path) -> None:
    with import_evening(Evening().plant("T2", miscounted_box=9), tmp_path, ["T2"]) as ledger:
        Evening().write(tmp_path)
        import_paths(ledger, [tmp_path / "T2.hand"])
        shift = report(ledger)
    assert (shift.differences, shift.gaps) == ([], [])
    (correction,) = shift.corrections
    assert (correction.by, correction.was, correction.became) == (
        "software",
        ["drop box counted after shift swing: $198"],
        ["drop box counted after shift swing: $189"],
    )


def find_drop_count(ledger: Ledger, table: str) -> int:
    """Return the version of the count of a table's drop box."""
    (version,) = [
        entry.version
        for entry in ledger.entries(table_stream("Desert Palms", "", table))
        if isinstance(entry.event, BoxCounted) and entry.event.kind == "drop"
    ]
    return version


@pytest.mark.slow
def test_after_a_restart_of_the_record_nothing_is_guessed(tmp_path: Path) -> None:
    with import_evening(Evening().plant("T1", lost_hands=range(30, 36)), tmp_path, ["T1"]) as ledger:
        shift = report(ledger)
    assert shift.differences == []
    assert count_names(shift.gaps) == {("box", "T1"): 2, ("chips", "T1"): 1, ("tray", "T1"): 1}
    assert all("between" in gap.missing for gap in shift.gaps)
