"""Findings counted, in one walk over them: there may be more than memory holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from projections.audit.book_differences import Difference
from projections.findings.finding import Finding


@dataclass(slots=True)
class Tally:
    """How many findings: in all, in how many hands, and by book, clause and severity."""

    findings: int = 0
    hands: int = 0
    clauses: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    asks: dict[tuple[str, str], str] = field(default_factory=dict)  # book, clause → what it asks

    def graded(self) -> Counter[str]:
        """Return how many findings each severity has."""
        grades: Counter[str] = Counter()
        for (_, _, severity), count in self.clauses.items():
            grades[severity] += count
        return grades


def tally(findings: Iterable[Finding]) -> Tally:
    """Count findings, of which those of one hand stand together."""
    found = Tally()
    for _, those in groupby(findings, _hand):
        found.hands += 1
        for one in those:
            found.findings += 1
            found.clauses[one.book, one.clause, one.severity] += 1
            found.asks[one.book, one.clause] = one.asks
    return found


def hands(found: Iterable[Difference]) -> int:
    """Return in how many hands books differ; the differences of one hand stand together."""
    return sum(1 for _ in groupby(found, _hand))


def _hand(one: Finding | Difference) -> tuple[str, str, str]:
    return one.hand.stream, one.hand.table, one.hand.number
