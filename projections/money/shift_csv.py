"""Format a shift's money as CSV for a spreadsheet: a row for each sum, difference, gap, correction and finding.

The format is the same as in `ledger.export.seats`: RFC 4180, decimal amounts, and no cell that runs as a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.export.seats import Number, format_decimal, write_csv_line
from ledger.vocabulary import Chips
from projections.money.difference import EventRef, MoneyDifference, MoneyGap
from projections.money.funds import FundSums
from projections.money.shift_report import (
    ShiftCorrection,
    ShiftDealerSums,
    ShiftFinding,
    ShiftReport,
    ShiftTableSums,
    ShiftTournamentSums,
)

COLUMNS: Final[dict[str, str]] = {
    "row": "`table`, `dealer`, `fund`, `tournament`, `difference`, `gap`, `correction` or `finding`",
    "shift": "the shift, as it was asked for",
    "venue": "the room",
    "tournament": "the tournament's number, empty for cash games",
    "table": "the table; of a dealer all tables",
    "kind": "of a table, dealer or tournament: which sum; of a difference or gap: what it is about",
    "seat": "the seat of a difference",
    "player": "the player of a difference",
    "dealer": "the dealer",
    "hands": "number of hands in the row",
    "expected": "the sum that follows from the events; empty if unknown",
    "recorded": "the sum that somebody counted, stated or wrote; empty if unknown",
    "difference": "recorded less expected",
    "unit": "currency of the amounts, or chips",
    "text": "what doesn't add up, what is missing, or what was corrected, as a sentence",
    "because": "the reason; of a correction why it was made",
    "clause": "the clause that decides, with its book",
    "by": "who made a correction",
    "recorded_utc": "when a correction was made",
    "events": "the hands and events that it rests on",
    "could_explain": "hands and events that may hold the difference, likeliest first",
}
"""The columns with their descriptions. Add new columns at the end."""


def format_shift_rows(report: ShiftReport) -> Iterator[str]:
    """Yield the lines of the table: header, sums, differences, gaps, corrections, then findings."""
    yield ",".join(COLUMNS) + "\r\n"
    for cells in _iter_rows(report):
        yield write_csv_line({"shift": report.shift, **cells}.get(column, "") for column in COLUMNS)


def _iter_rows(report: ShiftReport) -> Iterator[dict[str, str]]:
    for table in report.tables:
        yield from _iter_table_rows(table)
    for dealer in report.dealers:
        yield from _iter_dealer_rows(dealer)
    for fund in report.funds:
        yield from _iter_fund_rows(fund)
    for tournament in report.tournaments:
        yield from _iter_tournament_rows(tournament)
    yield from map(_build_difference_row, report.differences)
    yield from map(_build_gap_row, report.gaps)
    yield from map(_build_correction_row, report.corrections)
    yield from map(_build_finding_row, report.findings)


def _iter_table_rows(sums: ShiftTableSums) -> Iterator[dict[str, str]]:
    place = {"row": "table", **_build_place(sums), "hands": Number(sums.hands), "unit": sums.unit}
    for kind, dropped, box, difference in (
        ("rake", sums.rake, sums.box, sums.box_difference),
        ("jackpot", sums.jackpot, sums.jackpot_box, sums.jackpot_difference),
    ):
        expected = dropped if box is None or difference is None else box - difference
        yield {**place, "kind": kind, **_build_amounts(expected, box, sums.exponent, is_known=difference is not None)}
    for kind, amount in (
        ("time", sums.time_charges),
        ("fills", sums.fills),
        ("credits", sums.credits),
        ("tray", sums.tray),
    ):
        yield {**place, "kind": kind, **_build_amounts(None, amount, sums.exponent)}


def _iter_dealer_rows(sums: ShiftDealerSums) -> Iterator[dict[str, str]]:
    for kind, amount in (("rake", sums.rake), ("jackpot", sums.jackpot)):
        yield {
            "row": "dealer",
            "table": " ".join(sums.tables),
            "kind": kind,
            "dealer": sums.dealer,
            "hands": Number(sums.hands),
            "unit": sums.unit,
            **_build_amounts(amount, None, sums.exponent),
        }


def _iter_fund_rows(sums: FundSums) -> Iterator[dict[str, str]]:
    place = {"row": "fund", "venue": sums.venue, "unit": sums.unit}
    yield {**place, "kind": f"{sums.fund} taken", **_build_amounts(sums.dropped, sums.counted, sums.exponent)}
    for kind, amount in (("put into pots", sums.seeded), ("paid", sums.paid)):
        yield {**place, "kind": f"{sums.fund} {kind}", **_build_amounts(None, amount, sums.exponent)}


def _iter_tournament_rows(sums: ShiftTournamentSums) -> Iterator[dict[str, str]]:
    place = {"row": "tournament", "venue": sums.venue, "tournament": sums.tournament, "table": " ".join(sums.tables)}
    yield {**place, "kind": "pool", **_build_amounts(sums.due_pool, sums.stated_pool, 2)}
    yield {**place, "kind": "prizes", **_build_amounts(sums.due_pool, sums.paid, 2)}
    for kind, cents in (("guaranteed pool", sums.guaranteed), ("added money", sums.added), ("overlay", sums.overlay)):
        if cents is not None:
            yield {**place, "kind": kind, **_build_amounts(None, cents, 2)}
    yield {**place, "kind": "chips", "unit": "chips", **_build_amounts(sums.chips_sold, sums.chips_in_play, 0)}


def _build_difference_row(difference: MoneyDifference) -> dict[str, str]:
    return {
        "row": "difference",
        **_build_place(difference),
        "kind": difference.kind,
        "seat": "" if difference.seat is None else Number(difference.seat),
        "player": difference.player,
        "dealer": difference.dealer,
        **_build_amounts(difference.expected, difference.recorded, difference.exponent),
        "unit": difference.unit,
        "text": difference.says,
        "because": difference.because,
        "clause": difference.clause,
        "events": _list_events(difference.events),
        "could_explain": _list_events(difference.could_explain),
    }


def _build_gap_row(gap: MoneyGap) -> dict[str, str]:
    return {
        "row": "gap",
        **_build_place(gap),
        "kind": gap.kind,
        "text": gap.missing,
        "events": _list_events(gap.events),
    }


def _build_correction_row(correction: ShiftCorrection) -> dict[str, str]:
    return {
        "row": "correction",
        **_build_place(correction),
        "text": f"{'; '.join(correction.was)} -> {'; '.join(correction.became)}",
        "because": correction.why,
        "by": " ".join(filter(None, (correction.by, correction.person))),
        "recorded_utc": correction.recorded,
        "events": _list_events([correction.event]),
    }


def _build_finding_row(finding: ShiftFinding) -> dict[str, str]:
    return {
        "row": "finding",
        "text": finding.saw,
        "because": finding.asks,
        "clause": finding.clause,
        "events": _list_events([finding.event]),
    }


def _build_place(item: ShiftTableSums | MoneyDifference | MoneyGap | ShiftCorrection) -> dict[str, str]:
    return {"venue": item.venue, "tournament": item.tournament, "table": item.table}


def _build_amounts(
    expected: Chips | None, recorded: Chips | None, exponent: int, *, is_known: bool = True
) -> dict[str, str]:
    """Return the cells of two sums. `is_known`: the expected sum is complete."""
    difference = None if expected is None or recorded is None or not is_known else recorded - expected
    return {
        "expected": format_decimal(expected, exponent),
        "recorded": format_decimal(recorded, exponent),
        "difference": format_decimal(difference, exponent),
    }


def _list_events(events: Iterable[EventRef]) -> str:
    return "; ".join(map(_format_event_address, events))


def _format_event_address(event: EventRef) -> str:
    """Return an event's address, such as `T1/712@14`."""
    suffix = f"@{event.version}"
    name = event.name or event.stream[:8]
    return name if name.endswith(suffix) else f"{name}{suffix}"
