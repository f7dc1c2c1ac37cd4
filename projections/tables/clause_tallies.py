"""The counts of a table's judgement: hands, and the outcomes of each clause."""

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
    """Encode the hands of a result and the counts of its clauses, in the order that book and code define.

    A ledger may have very many short tables, and clause names would take most of the space.
    """
    rows = [
        [_read_counts(clause_row), [[missing.fact, missing.hands, missing.named] for missing in clause_row.missing]]
        if clause_row.missing
        else [_read_counts(clause_row)]
        for clause_row in result.coverage
    ]
    return encode_json([result.hands, rows])


def count_hands_lacking(facts: Collection[str], frame: bytes) -> int:
    """Count the hands of a frame that lack one of these facts: the highest count of any clause."""
    _, rows = json.loads(frame)
    return max((sum(hands for fact, hands, _ in row[1] if fact in facts) for row in rows if len(row) > 1), default=0)


def decode_tallies(frames: Iterable[bytes], empty_result: AuditResult) -> AuditResult:
    """Merge the frames of tables into one result without findings. `empty_result` is the result of no hands."""
    hand_total = 0
    counts = [list(_read_counts(clause_row)) for clause_row in empty_result.coverage]
    missing: list[dict[str, tuple[int, list[str]]]] = [{} for _ in empty_result.coverage]
    for frame in frames:
        table_hands, rows = json.loads(frame)
        hand_total += table_hands
        for row_index, (row, *missing_facts) in enumerate(rows):
            counts[row_index] = list(map(add, counts[row_index], row))
            for fact, missing_hands, examples in missing_facts[0] if missing_facts else ():
                known_hands, known_examples = missing[row_index].get(fact, (0, []))
                missing[row_index][fact] = known_hands + missing_hands, (known_examples + examples)[:NAMED_HANDS]
    coverage = [
        msgspec.structs.replace(
            clause_row,
            missing=sort_missing(
                [Missing(fact, *hands_and_examples) for fact, hands_and_examples in clause_missing.items()]
            ),
            **dict(zip(COUNT_FIELDS, row, strict=True)),
        )
        for clause_row, row, clause_missing in zip(empty_result.coverage, counts, missing, strict=True)
    ]
    return AuditResult(empty_result.books, hand_total, [], coverage)
