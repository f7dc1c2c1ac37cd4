"""What is kept of a table's judgement besides its findings: how many hands, and what became of each clause in them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from operator import add, attrgetter
from typing import Final

import msgspec

from ledger.json_encoding import encode
from projections.audit.audit_result import COUNTS, NAMED, AuditResult, by_count
from projections.findings.finding import Missing

_counts: Final = attrgetter(*COUNTS)


def framed(result: AuditResult) -> bytes:
    """Return the hands of a result and the counts of its clauses, in their order; which these are, book and code say.

    A ledger may have very many tables of few hands: names beside the counts would be most of it.
    """
    rows = [
        [_counts(one), [[lack.fact, lack.hands, lack.named] for lack in one.missing]] if one.missing else [_counts(one)]
        for one in result.coverage
    ]
    return encode([result.hands, rows])


def hands_lacking(facts: Collection[str], frame: bytes) -> int:
    """Return for how many hands of a frame a clause lacks one of these facts: the most of any clause."""
    _, rows = json.loads(frame)
    return max((sum(hands for fact, hands, _ in row[1] if fact in facts) for row in rows if len(row) > 1), default=0)


def unframed(frames: Iterable[bytes], empty: AuditResult) -> AuditResult:
    """Return what was framed, table by table, as one result without findings; `empty` is that of no hands."""
    hands = 0
    counts = [list(_counts(one)) for one in empty.coverage]
    missing: list[dict[str, tuple[int, list[str]]]] = [{} for _ in empty.coverage]
    for data in frames:
        some, rows = json.loads(data)
        hands += some
        for at, (row, *lacking) in enumerate(rows):
            counts[at] = list(map(add, counts[at], row))
            for fact, lacked, named in lacking[0] if lacking else ():
                was, before = missing[at].get(fact, (0, []))
                missing[at][fact] = was + lacked, (before + named)[:NAMED]
    coverage = [
        msgspec.structs.replace(
            one,
            missing=by_count([Missing(fact, *lacked) for fact, lacked in lacks.items()]),
            **dict(zip(COUNTS, row, strict=True)),
        )
        for one, row, lacks in zip(empty.coverage, counts, missing, strict=True)
    ]
    return AuditResult(empty.books, hands, [], coverage)
