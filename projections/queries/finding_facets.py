"""Count the findings that match a query, by table, clause, day, dealer, severity and certainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import ColumnElement, select

from projections.queries.facet_documents import DealerClauseRate, DealerMap, DealerRow, FacetCount, FindingFacets
from projections.queries.sums import HAND_GROUPS, FindingRate, build_group_name
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection
    from projections.queries.result_query import NameLookup

FacetName: TypeAlias = Literal["table", "clause", "severity", "certainty", "day", "dealer"]
"""What findings are counted by. Each is a field of queries, too."""

MAX_DEALERS: Final = 20
MAX_CLAUSES: Final = 12
"""Rows and columns of the map of dealers and clauses: those with the most findings."""


class _CountedFinding(NamedTuple):
    """A finding's values, as a query writes them."""

    table: str
    clause: str
    severity: str
    certainty: str
    day: str
    dealer: str


def count_facets(selection: HandSelection, day_start: int, find_name: NameLookup) -> FindingFacets:
    """Count the matching findings. `selection` must be opened by dealer. `day_start`: milliseconds after midnight."""
    counted_findings = [*_iter_findings(selection, day_start, find_name)]
    counts: dict[str, list[FacetCount]] = {}
    for facet_index, facet_name in enumerate(get_args(FacetName)):
        counter = Counter(finding[facet_index] for finding in counted_findings if finding[facet_index])
        pairs = sorted(counter.items()) if facet_name == "day" else counter.most_common()
        counts[facet_name] = [FacetCount(value, count) for value, count in pairs]
    dealer_map = _map_dealers(selection.without_finding_terms(), counted_findings, find_name)
    return FindingFacets(len(counted_findings), counts, dealer_map)


def build_finding_conditions(selection: HandSelection) -> list[ColumnElement[bool]]:
    """Return the conditions for the matching findings: on their hands, and on the findings themselves."""
    hands = select(hand_results.c.position).where(selection.condition)
    conditions = [selection.counted_findings, kept_findings.c.position.in_(hands)]
    if selection.conditions.findings is not None:
        conditions.append(selection.conditions.findings)
    return conditions


def _iter_findings(selection: HandSelection, day_start: int, find_name: NameLookup) -> Iterator[_CountedFinding]:
    hand_columns, finding_columns = hand_results.c, kept_findings.c
    (dealer_column,) = HAND_GROUPS["dealer"]
    statement = (
        select(
            hand_columns.position,
            hand_columns.name,
            finding_columns.book,
            finding_columns.clause,
            finding_columns.severity,
            finding_columns.certainty,
            hand_columns.wall,
            hand_columns.zone,
            dealer_column,
        )
        .join_from(hand_results, kept_findings, finding_columns.position == hand_columns.position)
        .where(*build_finding_conditions(selection))
    )
    superseded = selection.find_superseded_positions()
    for position, table, book, clause, severity, certainty, wall, zone, dealer in selection.fetch_rows(statement):
        if position not in superseded:
            (day,) = build_group_name("day", (wall, zone), day_start)
            dealer_name = (find_name(dealer) or "") if dealer else ""
            yield _CountedFinding(table, f"{book}.{clause}", severity, certainty, day, dealer_name)


def _map_dealers(selection: HandSelection, findings: list[_CountedFinding], find_name: NameLookup) -> DealerMap | None:
    (dealer_column,) = HAND_GROUPS["dealer"]
    hand_counts = Counter(
        (find_name(dealer) or "") if dealer else "" for (dealer,) in selection.iter_hand_values(dealer_column)
    )
    return build_dealer_map(hand_counts, Counter((finding.dealer, finding.clause) for finding in findings))


def build_dealer_map(hand_counts: Counter[str], pair_counts: Counter[tuple[str, str]]) -> DealerMap | None:
    """Return the map, or None if no dealer is recorded.

    `hand_counts`: hands by dealer, "" = not recorded. `pair_counts`: findings by dealer and clause.
    """
    hands_without_dealer = hand_counts.get("", 0)
    dealt_hands = Counter({dealer: count for dealer, count in hand_counts.items() if dealer})
    if not dealt_hands:
        return None
    clause_counts: Counter[str] = Counter()
    dealer_counts: Counter[str] = Counter()
    for (dealer, clause), count in pair_counts.items():
        if dealer:
            clause_counts[clause] += count
            dealer_counts[dealer] += count
    clauses = [clause for clause, _ in clause_counts.most_common(MAX_CLAUSES)]
    hand_total = sum(dealt_hands.values())
    dealers = sorted(dealt_hands, key=lambda dealer: (-dealer_counts[dealer], dealer))[:MAX_DEALERS]
    rows = [
        DealerRow(
            dealer,
            dealt_hands[dealer],
            [
                _build_rate(
                    FindingRate(pair_counts[dealer, clause], dealt_hands[dealer]),
                    FindingRate(clause_counts[clause], hand_total),
                )
                for clause in clauses
            ],
        )
        for dealer in dealers
    ]
    return DealerMap(clauses, rows, hand_total, hands_without_dealer)


def _build_rate(rate: FindingRate, overall: FindingRate) -> DealerClauseRate:
    return DealerClauseRate(rate.findings, round(rate.per_thousand, 1), rate.has_too_few_hands(overall))
