"""The report of a shift names exactly what goes wrong with its money, and the hands and events that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from ledger.entry import Provenance
from ledger.hand.ending import CorrectionMade
from ledger.store import Ledger
from ledger.streams import table_stream
from ledger.table.money_events import BoxCounted
from projections.money.difference import MoneyDifference, MoneyGap
from projections.money.shift_builder import build_shift_report
from projections.money.shift_report import ShiftReport
from tests.money.evening import HANDS, Evening
from tests.money.records import ALL_ERRORS, TOURNAMENT, import_evening

Names = Mapping[tuple[str, str], int]
"""How many differences or gaps there are, by kind and by table or tournament."""


class Planted(NamedTuple):
    """An evening with an error, and what the report must say of it."""

    evening: Evening
    differences: Names
    gaps: Names = MappingProxyType({})
    rests_on: tuple[str, ...] = ()  # names of hands and tables among the events of the differences
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
        Evening().plant_in_tournament(wrong_prize=40), {("prize", TOURNAMENT): 1}, sums=(130000, 134000)
    ),
    "skipped redraw": Planted(Evening().plant_in_tournament(skips_redraw=True), {("seating", TOURNAMENT): 1}),
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
        names = {event.name.partition("@")[0] for event in difference.events}
        assert set(planted.rests_on) <= names
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
def test_a_count_that_was_corrected_counts_as_corrected(tmp_path: Path) -> None:
    with import_evening(Evening().plant("T2", miscounted_box=9), tmp_path, ["T2"]) as ledger:
        assert count_names(report(ledger).differences) == {("box", "T2"): 1}
        stream = table_stream("Desert Palms", "", "T2")
        (count,) = [
            entry
            for entry in ledger.entries(stream)
            if isinstance(entry.event, BoxCounted) and entry.event.kind == "drop"
        ]
        why = ledger.people.text("read 198 for 189")
        correction = CorrectionMade((count.version,), count.version, 1, "floor", why=why)
        ledger.append(
            "table", stream, [correction, BoxCounted("drop", 18900, "swing")], recorded=Provenance(ledger.now())
        )
        shift = report(ledger)
    assert (shift.differences, shift.gaps) == ([], [])
    (corrected,) = shift.corrections
    assert (corrected.table, corrected.by, corrected.why) == ("T2", "floor", "read 198 for 189")
    assert "198" in corrected.was[0]
    assert "189" in corrected.became[0]


@pytest.mark.slow
def test_after_a_restart_of_the_record_nothing_is_guessed(tmp_path: Path) -> None:
    with import_evening(Evening().plant("T1", lost_hands=range(30, 36)), tmp_path, ["T1"]) as ledger:
        shift = report(ledger)
    assert shift.differences == []
    assert count_names(shift.gaps) == {("box", "T1"): 2, ("chips", "T1"): 1, ("tray", "T1"): 1}
    assert all("between" in gap.missing for gap in shift.gaps)
