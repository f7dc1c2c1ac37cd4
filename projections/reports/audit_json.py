"""The JSON document of an audit: the structs of its published schema, and the functions that build it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, get_args

import msgspec
from msgspec.structs import asdict, replace

from projections.addresses.address_book import build_address_from_names
from projections.addresses.hand_reference import Hand
from projections.audit.audit_difference import ChangedFinding, EarlierAudit
from projections.audit.audit_result import AuditResult, BookRef
from projections.audit.book_differences import Difference
from projections.audit.knock_on import KnockOn
from projections.findings.finding import Coverage, Finding, Severity
from projections.reports.tally import tally_findings

SCHEMA: Final = "handledger/findings/1"


class Summary(msgspec.Struct, frozen=True):
    """Counts over the whole audit. A severity without findings has a count of 0; such a clause is left out."""

    hands: int
    hands_with_findings: int
    findings: int
    by_severity: dict[str, int]
    by_clause: dict[str, int]  # "hilton B8a.1" → findings


class FindingDocument(Finding, frozen=True):
    """A finding with the address of its event."""

    show: str = ""  # accepted by every command, query and page: T7/408@14


class Document(msgspec.Struct, frozen=True):
    """The output of `audit --format json`."""

    schema: str
    books: list[BookRef]
    summary: Summary
    findings: list[FindingDocument]
    coverage: list[Coverage]
    differences: list[Difference] = []  # violations on which the books disagree, with each book's answer
    only: list[str] = []  # the requested clauses; empty = all
    since: EarlierAudit | None = None  # the audit compared with; if set, `findings` are only the new and changed ones
    changed: list[ChangedFinding] = []  # findings that differ from that audit, as they were then
    went: list[Finding] = []  # findings of that audit that are gone
    knock_on: list[KnockOn] = []  # consequences of wrong buttons and blinds, if requested


def build_document(result: AuditResult, hash_by_digest: Mapping[str, str] | None = None) -> Document:
    """Return the document of an audit.

    `hash_by_digest` maps each source's digest in the ledger to the SHA-256 of its file. With it, a finding's
    `source` is that SHA-256 ("" = unknown); without it, the digest.
    """
    findings_document = build_header(result)
    return replace(
        findings_document,
        findings=list(iter_addressed_findings(result, hash_by_digest)),
        differences=list(result.differences),
    )


def build_header(result: AuditResult) -> Document:
    """Return the document of an audit without findings and differences, which may be too many for memory."""
    finding_counts = tally_findings(result.findings)
    by_severity, by_clause = finding_counts.count_by_severity(), Counter[str]()
    for (book_name, clause_id, _), findings in finding_counts.counts_by_clause.items():
        by_clause[f"{book_name} {clause_id}"] += findings
    summary = Summary(
        result.hands,
        finding_counts.hand_count,
        finding_counts.finding_count,
        {severity: by_severity[severity] for severity in get_args(Severity)},
        dict(sorted(by_clause.items())),
    )
    return Document(SCHEMA, result.books, summary, [], result.coverage, [])


def iter_addressed_findings(
    result: AuditResult,
    hash_by_digest: Mapping[str, str] | None,
    find_address: Callable[[Hand, int], str] = build_address_from_names,
) -> Iterator[FindingDocument]:
    """Yield the findings, each with its address and with `source` as `build_document` sets it."""
    for finding in result.findings:
        addressed = add_address(finding, find_address)
        yield addressed if hash_by_digest is None else replace(addressed, source=hash_by_digest.get(finding.source, ""))


def add_address(finding: Finding, find_address: Callable[[Hand, int], str]) -> FindingDocument:
    """Return a finding together with the address of its event."""
    return FindingDocument(**asdict(finding), show=find_address(finding.hand, finding.version))


def encode_document(result: AuditResult) -> bytes:
    """Return the document as JSON. The same audit gives the same bytes."""
    return msgspec.json.encode(build_document(result))
