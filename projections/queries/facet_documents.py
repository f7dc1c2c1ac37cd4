"""The JSON documents of counted findings: by table, clause, day, dealer, severity and certainty."""

from __future__ import annotations

import msgspec


class FacetCount(msgspec.Struct, frozen=True):
    """How many findings have one value."""

    value: str  # as a query writes it
    count: int


class DealerClauseRate(msgspec.Struct, frozen=True):
    """The findings of one clause in the hands of one dealer."""

    findings: int
    per_thousand: float
    has_too_few_hands: bool = msgspec.field(name="too_few")  # such a rate is mere chance


class DealerRow(msgspec.Struct, frozen=True):
    """One dealer's rates, in the order of the map's clauses."""

    dealer: str
    hands: int
    rates: list[DealerClauseRate]


class DealerMap(msgspec.Struct, frozen=True):
    """Findings by dealer and clause, in the hands whose dealer is recorded."""

    clauses: list[str]
    dealers: list[DealerRow]
    hands: int  # whose dealer is recorded
    hands_without_dealer: int


class FindingFacets(msgspec.Struct):
    """The counts of the matching findings, the most frequent first; days in their order."""

    total: int
    counts: dict[str, list[FacetCount]]
    by_dealer: DealerMap | None  # None: no dealer is recorded
