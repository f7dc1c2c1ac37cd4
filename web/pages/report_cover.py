"""The sentence that a report of several hands begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ledger.text.language import join_and, phrase, phrase_count
from ledger.vocabulary import Chips
from projections.amount_text import amount
from projections.findings.finding import Finding


class CoverFigures(NamedTuple):
    """What the sentence contains. Times are the room's own, "" = none is recorded."""

    hands: int
    tables: list[str]
    first_time: str
    last_time: str
    hands_with_findings: int
    clause: str  # with the most findings
    moved_chips: Counter[tuple[str, int]]  # to the wrong seats, by unit and exponent
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
    count = f"{figures.hands_with_findings:,}"
    if not figures.moved_chips:
        return phrase(
            "{hands}: {count} with findings, most often {clause}.", hands=hands, count=count, clause=figures.clause
        )
    chips = [amount(total, unit, exponent) for (unit, exponent), total in sorted(figures.moved_chips.items())]
    return phrase(
        "{hands}: {count} with findings, most often {clause}; {chips} in the wrong seats.",
        hands=hands,
        count=count,
        clause=figures.clause,
        chips=join_and(chips),
    )


def sum_moved_chips(findings: Iterable[Finding]) -> dict[tuple[str, int], Chips]:
    """Return the chips of a hand that went to the wrong seats, by unit and exponent.

    Findings with equal shares are about the same chips, which count once.
    """
    shares = {(finding.unit, finding.exponent, tuple(finding.money)) for finding in findings if finding.money}
    sums: Counter[tuple[str, int]] = Counter()
    for unit, exponent, hand_shares in shares:
        sums[unit, exponent] += sum(share.amount for share in hand_shares if share.amount > 0)
    return dict(sums)
