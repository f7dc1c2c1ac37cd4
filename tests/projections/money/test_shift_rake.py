"""A difference of the rake has what was due and what was taken as numbers, in the report and in its table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.output.shift_text import format_shift_report
from projections.books import rulebook
from projections.money.shift_builder import build_shift_report
from projections.money.shift_csv import format_shift_rows
from tests.projections.money.evenings import make_ledger, write_hand, write_head

if TYPE_CHECKING:
    from projections.money.shift_report import ShiftReport

ROOM = Path(__file__).parents[2] / "money" / "room.toml"
"""10% up to $5; $1 for the jackpot from $20 on; no flop, no drop."""


def report_hand(folder: Path, hand: str) -> ShiftReport:
    """Return the report of a shift with one hand."""
    with make_ledger(folder, write_head() + hand) as ledger:
        text = ROOM.read_text().replace("EDITION", rulebook.load("rrop4").edition)
        return build_shift_report(ledger, "2026-11-29", books=[rulebook.read("room", text.encode())])


@pytest.mark.parametrize(
    ("pot", "drop", "flop", "expected", "recorded"),
    [
        (40, "rake 5\njackpot 1", True, 400, 500),  # over the percentage
        (100, "rake 7\njackpot 1", True, 500, 700),  # over the cap
        (40, "rake 2\njackpot 1", True, 400, 200),  # too little
        (40, "rake 2\nrake 1\njackpot 1", True, 400, 300),  # in two parts
        (40, "jackpot 1", True, 400, 0),  # none
        (40, "rake 4", True, 100, 0),  # no jackpot
        (40, "rake 4\njackpot 2", True, 100, 200),
        (20, "rake 1", False, 0, 100),  # no flop, no drop
        (40, "", True, None, 0),  # both are missing: each finding may be about either
    ],
)
def test_the_difference_has_both_sums(
    tmp_path: Path, pot: int, drop: str, expected: int | None, recorded: int, *, flop: bool
) -> None:
    hand = write_hand(1, "2026-11-29T20:00:00-05:00", pot=pot, drop=drop, flop=flop)
    report = report_hand(tmp_path, hand)
    differences = [difference for difference in report.differences if difference.kind == "rake"]
    assert {(difference.expected, difference.recorded) for difference in differences} == {(expected, recorded)}
    rows = [
        row for row in csv.DictReader(format_shift_rows(report)) if (row["row"], row["kind"]) == ("difference", "rake")
    ]
    for row in rows:
        if expected is None:
            assert (row["expected"], row["difference"]) == ("", "")
        else:
            cents = [round(100 * float(row[name])) for name in ("expected", "recorded", "difference")]
            assert cents == [expected, recorded, recorded - expected]


def test_the_difference_names_who_dealt(tmp_path: Path) -> None:
    first = write_hand(1, "2026-11-29T20:00:00-05:00", drop="rake 2\njackpot 1")
    second = write_hand(2, "2026-11-29T20:05:00-05:00", pot=100, drop="rake 7\njackpot 1")
    report = report_hand(tmp_path, f"dealer Kim\n{first}dealer Lee\n{second}")
    (difference,) = [difference for difference in report.differences if difference.kind == "rake"]
    assert difference.dealer == "Lee"
    assert "    Dealer: Lee" in format_shift_report(report).splitlines()
