"""Counts of findings, made in one pass because they may not fit into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from projections.audit.book_differences import Difference
from projections.findings.finding import Finding


@dataclass(slots=True)
class FindingTally:
    """Counts of findings and their hands, and counts by book, clause and severity."""

    findings: int = 0
    hands: int = 0
    clauses: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    asks: dict[tuple[str, str], str] = field(default_factory=dict)  # book, clause → the clause's demand

    def count_by_severity(self) -> Counter[str]:
        """Count the findings of each severity."""
        by_severity: Counter[str] = Counter()
        for (_, _, severity), findings in self.clauses.items():
            by_severity[severity] += findings
        return by_severity


def tally_findings(findings: Iterable[Finding]) -> FindingTally:
    """Count findings that are grouped by hand."""
    counts = FindingTally()
    for _, hand_findings in groupby(findings, _hand_key):
        counts.hands += 1
        for finding in hand_findings:
            counts.findings += 1
            counts.clauses[finding.book, finding.clause, finding.severity] += 1
            counts.asks[finding.book, finding.clause] = finding.asks
    return counts


def count_hands(differences: Iterable[Difference]) -> int:
    """Count the hands with differences, which are grouped by hand."""
    return sum(1 for _ in groupby(differences, _hand_key))


def _hand_key(finding: Finding | Difference) -> tuple[str, str, str]:
    return finding.hand.stream, finding.hand.table, finding.hand.number
