"""Count findings by clause and severity. It takes one pass, because the findings may not fit into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from projections.audit.book_differences import Difference
from projections.findings.finding import Finding


@dataclass(slots=True)
class FindingTally:
    """Counts of findings and of the hands that have any."""

    finding_count: int = 0
    hand_count: int = 0
    counts_by_clause: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # book, clause, severity
    demands: dict[tuple[str, str], str] = field(default_factory=dict)  # book, clause → what the clause asks

    def count_by_severity(self) -> Counter[str]:
        """Count the findings of each severity."""
        by_severity: Counter[str] = Counter()
        for (_, _, severity), findings in self.counts_by_clause.items():
            by_severity[severity] += findings
        return by_severity


def tally_findings(findings: Iterable[Finding]) -> FindingTally:
    """Count findings. Those of one hand must follow each other."""
    counts = FindingTally()
    for _, hand_findings in groupby(findings, _get_hand_key):
        counts.hand_count += 1
        for finding in hand_findings:
            counts.finding_count += 1
            counts.counts_by_clause[finding.book, finding.clause, finding.severity] += 1
            counts.demands[finding.book, finding.clause] = finding.asks
    return counts


def count_hands(differences: Iterable[Difference]) -> int:
    """Count the hands with differences. Those of one hand must follow each other."""
    return sum(1 for _ in groupby(differences, _get_hand_key))


def _get_hand_key(finding: Finding | Difference) -> tuple[str, str, str]:
    return finding.hand.stream, finding.hand.table, finding.hand.number
