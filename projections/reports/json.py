"""An audit as one JSON document. The structs are the schema: `msgspec.json.schema(Document)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.audit import AuditResult, BookRef
from projections.differing import Difference
from projections.finding import Coverage, Finding

SCHEMA: Final = "handledger/findings/1"


class Summary(msgspec.Struct, frozen=True):
    """Counts over the whole audit."""

    hands: int
    hands_with_findings: int
    findings: int
    by_severity: dict[str, int]
    by_clause: dict[str, int]  # "hilton B8a.1" → findings


class Document(msgspec.Struct, frozen=True):
    """What `audit --format json` writes."""

    schema: str
    books: list[BookRef]
    summary: Summary
    findings: list[Finding]
    coverage: list[Coverage]
    differences: list[Difference] = []  # where several books differ, and what each says


def document(result: AuditResult, sha256: Mapping[str, str] | None = None) -> Document:
    """Return the document of an audit.

    `sha256`: what the bytes of a source hash to, by what the ledger names it. With it findings name
    the SHA-256 of their file, "" where it is not known; without it what the ledger names it.
    """
    findings = result.findings
    if sha256 is not None:
        findings = [replace(found, source=sha256.get(found.source, "")) for found in findings]
    severity = {"error": 0, "warning": 0, "info": 0}
    clause: dict[str, int] = {}
    for found in result.findings:
        severity[found.severity] += 1
        clause[found.citation] = clause.get(found.citation, 0) + 1
    hands = len({(f.hand.stream, f.hand.table, f.hand.number) for f in result.findings})
    return Document(
        SCHEMA, result.books,
        Summary(result.hands, hands, len(result.findings), severity, dict(sorted(clause.items()))),
        findings, result.coverage, result.differences,
    )  # fmt: skip


def encode(result: AuditResult) -> bytes:
    """Return the document as JSON: the same audit gives the same bytes."""
    return msgspec.json.encode(document(result))
