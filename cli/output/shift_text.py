"""The report of a shift's money as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.output.columns import format_columns
from ledger import safe
from ledger.text.language import phrase
from projections.amount_text import amount
from web.pages.shift_page import describe_event, describe_place, format_gap, name_difference_kind, name_fund

if TYPE_CHECKING:
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

_WIDTH = 100


def format_shift_report(shift: ShiftReport) -> str:
    """Return a report: where and when, the answer, differences and gaps, then the sums."""
    lines = [*_wrap(_describe_shift(shift)), *_wrap(shift.answer), ""]
    for difference in shift.differences:
        lines += [*_list_difference_lines(difference), ""]
    for gap in shift.gaps:
        lines += [*_list_gap_lines(gap), ""]
    cash_tables = [sums for sums in shift.tables if not sums.tournament]
    if cash_tables:
        lines += [*_list_table_lines(cash_tables), ""]
    if shift.tournaments:
        lines += [*_list_tournament_lines(shift.tournaments), ""]
    if shift.funds:
        lines += [*_list_fund_lines(shift.funds), ""]
    if shift.dealers:
        lines += [*_list_dealer_lines(shift.dealers), ""]
    for correction in shift.corrections:
        lines += _list_correction_lines(correction)
    for finding in shift.findings:
        lines += _list_finding_lines(finding)
    return "\n".join(lines).rstrip()


def _describe_shift(shift: ShiftReport) -> str:
    """Return the rooms of a shift, and when its hands were played."""
    hours = phrase("{start} to {end}", start=shift.first, end=shift.last) if shift.first else ""
    return " · ".join(filter(None, (", ".join(shift.venues), hours)))


def _wrap(text: str, indent: str = "") -> list[str]:
    safe_text = safe.terminal(text, 2000)
    return textwrap.wrap(safe_text, _WIDTH, initial_indent=indent, subsequent_indent=indent) or [indent]


def _list_difference_lines(difference: MoneyDifference) -> Iterator[str]:
    yield from _list_heading("✗", difference, difference.says)
    if difference.recorded is not None and difference.expected is not None:
        yield from _wrap(
            phrase(
                "expected {expected}, recorded {recorded}: {gap}",
                expected=amount(difference.expected, difference.unit, difference.exponent),
                recorded=amount(difference.recorded, difference.unit, difference.exponent),
                gap=format_gap(difference.recorded - difference.expected, difference.unit, difference.exponent),
            ),
            "    ",
        )
    if difference.because:
        yield from _wrap(difference.because, "    ")
    if difference.clause:
        yield from _wrap(phrase("Rule: {clause}", clause=difference.clause), "    ")
    if difference.dealer:
        yield from _wrap(phrase("Dealer: {dealer}", dealer=safe.terminal(difference.dealer, 32)), "    ")
    yield from _list_events(phrase("Based on:"), difference.events)
    yield from _list_events(phrase("These could explain it:"), difference.could_explain)


def _list_gap_lines(gap: MoneyGap) -> Iterator[str]:
    yield from _list_heading("?", gap, gap.missing)
    yield from _list_events(phrase("Based on:"), gap.events)


def _list_heading(mark: str, item: MoneyDifference | MoneyGap, sentence: str) -> Iterator[str]:
    place = safe.terminal(describe_place(item), 60)
    first_line, *lines = textwrap.wrap(safe.terminal(sentence, 2000), _WIDTH - 4) or [""]
    yield f"{mark} {name_difference_kind(item.kind)} · {place}"
    yield f"    {first_line}"
    yield from (f"    {line}" for line in lines)


def _list_events(heading: str, events: list[EventRef]) -> Iterator[str]:
    if events:
        yield f"    {heading}"
        for event in events:
            yield from _wrap(f"- {describe_event(event)}", "      ")


def _list_table_lines(tables: list[ShiftTableSums]) -> list[str]:
    cells = [
        [
            phrase("table"),
            phrase("hands"),
            phrase("rake"),
            phrase("box"),
            phrase("difference"),
            phrase("jackpot"),
            phrase("box"),
            phrase("difference"),
            phrase("fills"),
            phrase("credits"),
            phrase("tray"),
        ]
    ]
    for sums in tables:
        unit, exponent = sums.unit, sums.exponent
        cells.append(
            [
                safe.terminal(describe_place(sums), 32),
                f"{sums.hands:,}",
                _format_drop_box(sums),
                amount(sums.box, unit, exponent),
                format_gap(sums.box_difference, unit, exponent),
                _format_dropped(sums.jackpot, sums),
                amount(sums.jackpot_box, unit, exponent),
                format_gap(sums.jackpot_difference, unit, exponent),
                amount(sums.fills, unit, exponent),
                amount(sums.credits, unit, exponent),
                amount(sums.tray, unit, exponent),
            ]
        )
    return format_columns(cells)


def _list_tournament_lines(tournaments: list[ShiftTournamentSums]) -> list[str]:
    has_house_money = any(sums.has_house_money for sums in tournaments)
    cells = [
        [
            phrase("tournament"),
            phrase("entries"),
            phrase("further sales"),
            phrase("pool from the sales"),
            *([phrase("added money"), phrase("overlay")] if has_house_money else []),
            phrase("stated pool"),
            phrase("paid"),
            phrase("chips sold"),
            phrase("chips in play"),
        ]
    ]
    cells += [
        [
            safe.terminal(sums.tournament, 32),
            f"{sums.entries:,}",
            f"{sums.further_entries:,}",
            amount(sums.pool, "", 2),
            *([amount(sums.added or 0, "", 2), amount(sums.overlay or 0, "", 2)] if has_house_money else []),
            *(amount(cents, "", 2) for cents in (sums.stated_pool, sums.paid)),
            *(amount(chips, "", 0) for chips in (sums.chips_sold, sums.chips_in_play)),
        ]
        for sums in tournaments
    ]
    return format_columns(cells)


def _list_fund_lines(funds: list[FundSums]) -> list[str]:
    cells = [
        [
            phrase("fund"),
            phrase("taken by the hands"),
            phrase("in the boxes"),
            phrase("put into pots"),
            phrase("paid to players"),
        ]
    ]
    cells += [
        [
            name_fund(sums.fund),
            _format_dropped(sums.dropped, sums),
            *(amount(chips, sums.unit, sums.exponent) for chips in (sums.counted, sums.seeded, sums.paid)),
        ]
        for sums in funds
    ]
    return format_columns(cells)


def _format_dropped(chips: Chips, sums: ShiftTableSums | ShiftDealerSums | FundSums) -> str:
    """Return what hands dropped; with "+ ?" if some of them don't show it."""
    doubt = " + ?" if sums.hands_without_drop else ""
    return f"{amount(chips, sums.unit, sums.exponent)}{doubt}"


def _format_drop_box(sums: ShiftTableSums) -> str:
    """Return what went into the drop box: the rake of the hands, and the time charges."""
    rake = _format_dropped(sums.rake, sums)
    if not sums.time_charges:
        return rake
    return phrase("{rake} + {time} time", rake=rake, time=amount(sums.time_charges, sums.unit, sums.exponent))


def _list_dealer_lines(dealers: list[ShiftDealerSums]) -> list[str]:
    cells = [[phrase("dealer"), phrase("hands"), phrase("rake"), phrase("jackpot")]]
    cells += [
        [
            safe.terminal(sums.dealer or phrase("not recorded"), 32),
            f"{sums.hands:,}",
            _format_dropped(sums.rake, sums),
            _format_dropped(sums.jackpot, sums),
        ]
        for sums in dealers
    ]
    return format_columns(cells)


def _list_correction_lines(correction: ShiftCorrection) -> list[str]:
    sentence = phrase(
        "Corrected: {event}: {before} became {after}. By: {person}. Why: {reason}",
        event=describe_event(correction.event),
        before="; ".join(correction.was),
        after="; ".join(correction.became) or phrase("nothing"),
        person=" ".join(filter(None, (correction.by, correction.person))),
        reason=correction.why or phrase("no reason given"),
    )
    return _wrap(sentence)


def _list_finding_lines(finding: ShiftFinding) -> list[str]:
    return _wrap(phrase("{hand}: {saw} ({clause})", hand=finding.event.name, saw=finding.saw, clause=finding.clause))
