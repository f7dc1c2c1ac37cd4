"""Build the charts of pages and reports from their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from ledger import safe
from projections.findings.finding import Severity
from web.charts.line_chart import TALL, WIDE, LineChart, Series, lay_out_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.findings.finding import Finding
    from projections.live.evening_documents import TableEvening
    from projections.queries.facet_documents import DealerMap, DealerRow

_MAX_NAME: Final = 14
_SEVERITIES: Final = get_args(Severity)


def build_stack_charts(evening: TableEvening) -> list[LineChart]:
    """Return the players' stacks as lines, once for screens and once for phones; [] if no stack is recorded."""
    all_series = [
        Series(f"{line.seats[-1]} {safe.terminal(line.player, _MAX_NAME)}", line.stacks)
        for line in evening.stacks
        if any(stack is not None for stack in line.stacks)
    ]
    charts = (lay_out_lines(all_series, size) for size in (WIDE, TALL))
    return [chart for chart in charts if chart is not None]


def find_heat_level(dealer_map: DealerMap, dealer: DealerRow, clause_index: int) -> str:
    """Return how a rate compares with all dealers' rate of its clause: "few", "0", or "1" (usual) to "4" (4 times)."""
    rate = dealer.rates[clause_index]
    if rate.has_too_few_hands or not rate.findings:
        return "few" if rate.findings else "0"
    all_findings = sum(row.rates[clause_index].findings for row in dealer_map.dealers)
    usual_rate = 1000 * all_findings / dealer_map.hands
    return str(min(4, max(1, round(rate.per_thousand / usual_rate))))


def find_worst_severity(findings: Iterable[Finding]) -> str:
    """Return the worst severity of some findings; "" if there are none."""
    return min((finding.severity for finding in findings), key=_SEVERITIES.index, default="")
