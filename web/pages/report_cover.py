"""The sentence that a report of several hands begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ledger.text.language import join_and, phrase, phrase_count
from ledger.vocabulary import Chips, Seat
from projections.amount_text import amount
from projections.findings.finding import Finding, Share


class CoverFigures(NamedTuple):
    """What the sentence contains. Times are the room's own, "" = none is recorded."""

    hands: int
    tables: list[str]
    first_time: str
    last_time: str
    hands_with_findings: int
    clause: str  # with the most findings; "" if several have as many
    moved_chips: Counter[tuple[str, int]]  # to the wrong seats, by unit and exponent
    is_lower_bound: bool  # whether more chips may have moved
    is_judged: bool  # by a rulebook, not only against themselves
    unjudged_hands: int  # that are too large to judge


def write_cover(figures: CoverFigures) -> str:
    """Return the sentence; "" if there are no hands."""
    if not figures.hands:
        return ""
    hands = _describe_hands(figures)
    if figures.hands_with_findings:
        return _describe_findings(hands, figures)
    if not figures.is_judged:
        return phrase("{hands}: not judged by a rulebook; the records don't contradict themselves.", hands=hands)
    if figures.unjudged_hands:
        return phrase_count(
            "{hands}: nothing wrong found, but {count} hand was too large to judge.",
            "{hands}: nothing wrong found, but {count} hands were too large to judge.",
            figures.unjudged_hands,
            hands=hands,
        )
    return phrase("{hands}: nothing wrong found.", hands=hands)


def _describe_hands(figures: CoverFigures) -> str:
    """Return how many hands there are, where and when, such as `26 hands at T7, 2026-11-20 20:06 to 21:01`."""
    count = f"{figures.hands:,}"
    hands = (
        phrase_count(
            "{number} hand at {table}",
            "{number} hands at {table}",
            figures.hands,
            number=count,
            table=figures.tables[0],
        )
        if len(figures.tables) == 1
        else phrase("{number} hands at {tables} tables", number=count, tables=f"{len(figures.tables):,}")
    )
    if not figures.first_time:
        return hands
    first_day, first_clock = figures.first_time[:10], figures.first_time[11:16]
    last_day, last_clock = figures.last_time[:10], figures.last_time[11:16]
    if (first_day, first_clock) == (last_day, last_clock):
        return phrase("{hands}, {start}", hands=hands, start=f"{first_day} {first_clock}")
    end = last_clock if first_day == last_day else f"{last_day} {last_clock}"
    return phrase("{hands}, {start} to {end}", hands=hands, start=f"{first_day} {first_clock}", end=end)


def _describe_findings(hands: str, figures: CoverFigures) -> str:
    fields = {"hands": hands, "count": f"{figures.hands_with_findings:,}"}
    if not figures.moved_chips:
        if not figures.clause:
            return phrase("{hands}: {count} with findings.", **fields)
        return phrase("{hands}: {count} with findings, most often {clause}.", clause=figures.clause, **fields)
    sums = [amount(total, unit, exponent) for (unit, exponent), total in sorted(figures.moved_chips.items())]
    fields["chips"] = join_and(sums)
    if not figures.clause:
        if figures.is_lower_bound:
            return phrase("{hands}: {count} with findings; at least {chips} in the wrong seats.", **fields)
        return phrase("{hands}: {count} with findings; {chips} in the wrong seats.", **fields)
    fields["clause"] = figures.clause
    if figures.is_lower_bound:
        return phrase(
            "{hands}: {count} with findings, most often {clause}; at least {chips} in the wrong seats.", **fields
        )
    return phrase("{hands}: {count} with findings, most often {clause}; {chips} in the wrong seats.", **fields)


class MovedChips(NamedTuple):
    """The chips of a hand that went to the wrong seats, by unit and exponent."""

    sums: dict[tuple[str, int], Chips]
    is_lower_bound: bool


def sum_moved_chips(findings: Iterable[Finding]) -> MovedChips:
    """Return the chips of a hand that went to the wrong seats.

    Several findings may be about the same chips. So what a seat got counts once, by the finding with most. If other
    findings say less or name other seats that lost it, that seat may have got more.
    """
    accounts_by_seat: dict[tuple[str, int, Seat], set[tuple[Share, ...]]] = {}
    for finding in findings:
        for share in finding.money:
            if share.amount > 0:
                key = (finding.unit, finding.exponent, share.seat)
                accounts_by_seat.setdefault(key, set()).add(tuple(finding.money))
    sums: Counter[tuple[str, int]] = Counter()
    for (unit, exponent, seat), accounts in accounts_by_seat.items():
        sums[unit, exponent] += max(share.amount for shares in accounts for share in shares if share.seat == seat)
    return MovedChips(dict(sums), any(len(accounts) > 1 for accounts in accounts_by_seat.values()))
