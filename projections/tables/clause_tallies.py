"""Encode and decode the tallies of a table's judgement: its hands, and the outcomes of each clause."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from operator import add, attrgetter
from typing import Final

import msgspec

from ledger.text.json_encoding import encode_json
from projections.audit.audit_result import COUNT_FIELDS, NAMED_HANDS, AuditResult, sort_missing
from projections.findings.finding import Missing

_read_counts: Final = attrgetter(*COUNT_FIELDS)


def encode_tallies(result: AuditResult) -> bytes:
    """Encode a table's hands and the counts of its clauses as JSON: [hands, [clause, clause, ...]].

    A clause is [counts] or [counts, missing facts], in the order of the book's coverage. Clauses have no names, because
    names would take most of the space in a ledger with very many short tables.
    """
    clauses = []
    for clause_row in result.coverage:
        missing_facts = [[missing.fact, missing.hands, missing.named] for missing in clause_row.missing]
        clauses.append([_read_counts(clause_row), missing_facts] if missing_facts else [_read_counts(clause_row)])
    return encode_json([result.hands, clauses])


def count_hands_missing(facts: Collection[str], tallies: bytes) -> int:
    """Count a table's hands that lack one of these facts: the highest count of any clause."""
    _, clauses = json.loads(tallies)
    facts_by_clause = [missing_facts for _, *missing in clauses for missing_facts in missing]
    counts = [sum(hands for fact, hands, _ in missing_facts if fact in facts) for missing_facts in facts_by_clause]
    return max(counts, default=0)


def decode_tallies(tallies_by_table: Iterable[bytes], empty_result: AuditResult) -> AuditResult:
    """Add up the tallies of tables to one result without findings. `empty_result`: the book's result of no hands."""
    hand_count = 0
    clause_sums = [_ClauseSum([*_read_counts(clause_row)]) for clause_row in empty_result.coverage]
    for tallies in tallies_by_table:
        table_hands, clauses = json.loads(tallies)
        hand_count += table_hands
        for clause_sum, (counts, *missing) in zip(clause_sums, clauses, strict=False):
            clause_sum.add(counts, missing[0] if missing else ())
    coverage = [
        msgspec.structs.replace(
            clause_row,
            missing=sort_missing([*clause_sum.missing_by_fact.values()]),
            **dict(zip(COUNT_FIELDS, clause_sum.counts, strict=True)),
        )
        for clause_row, clause_sum in zip(empty_result.coverage, clause_sums, strict=True)
    ]
    return AuditResult(empty_result.books, hand_count, [], coverage)


class _ClauseSum:
    """The counts of one clause over several tables."""

    def __init__(self, counts: list[int]) -> None:
        self.counts = counts
        self.missing_by_fact: dict[str, Missing] = {}

    def add(self, counts: Iterable[int], missing_facts: Iterable[tuple[str, int, list[str]]]) -> None:
        """Add a table's counts, and the hands and examples of each missing fact."""
        self.counts = list(map(add, self.counts, counts))
        for fact, hands, examples in missing_facts:
            known = self.missing_by_fact.get(fact, Missing(fact, 0, []))
            self.missing_by_fact[fact] = Missing(fact, known.hands + hands, [*known.named, *examples][:NAMED_HANDS])
