"""An audit as one JSON document. The structs define its schema: `msgspec.json.schema(Document)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, get_args

import msgspec
from msgspec.structs import asdict, replace

from projections.addresses.address_book import named_address
from projections.addresses.hand_reference import Hand
from projections.audit.audit_difference import Changed, EarlierAudit
from projections.audit.audit_result import AuditResult, BookRef
from projections.audit.book_differences import Difference
from projections.audit.knock_on import KnockOn
from projections.findings.finding import Coverage, Finding, Severity
from projections.reports.tally import tally_findings

SCHEMA: Final = "handledger/findings/1"


class Summary(msgspec.Struct, frozen=True):
    """Counts over the whole audit."""

    hands: int
    hands_with_findings: int
    findings: int
    by_severity: dict[str, int]
    by_clause: dict[str, int]  # "hilton B8a.1" → findings


class FindingTold(Finding, frozen=True):
    """A finding with the address of its event."""

    show: str = ""  # accepted by every command, query and page: T7/408@14


class Document(msgspec.Struct, frozen=True):
    """What `audit --format json` writes."""

    schema: str
    books: list[BookRef]
    summary: Summary
    findings: list[FindingTold]
    coverage: list[Coverage]
    differences: list[Difference] = []  # where several books differ, with each answer
    only: list[str] = []  # the requested clauses; empty = all
    since: EarlierAudit | None = None  # the earlier audit; then `findings` are new or changed,
    changed: list[Changed] = []  # the earlier text of changed findings,
    went: list[Finding] = []  # and findings that are gone
    knock_on: list[KnockOn] = []  # consequences of wrong buttons and blinds, if requested


def build_document(result: AuditResult, hash_by_digest: Mapping[str, str] | None = None) -> Document:
    """Return the document of an audit.

    `hash_by_digest`: the SHA-256 of each source by its digest in the ledger. With it, a finding's `source` is
    the SHA-256 of its file, "" if unknown; without it, the digest.
    """
    findings_document = build_header(result)
    return replace(
        findings_document, findings=list(with_sources(result, hash_by_digest)), differences=list(result.differences)
    )


def build_header(result: AuditResult) -> Document:
    """Return the document of an audit without its findings and differences; there may be many."""
    finding_counts = tally_findings(result.findings)
    by_severity, by_clause = finding_counts.count_by_severity(), Counter[str]()
    for (book_name, clause_id, _), findings in finding_counts.clauses.items():
        by_clause[f"{book_name} {clause_id}"] += findings
    summary = Summary(
        result.hands,
        finding_counts.hands,
        finding_counts.findings,
        {severity: by_severity[severity] for severity in get_args(Severity)},
        dict(sorted(by_clause.items())),
    )
    return Document(SCHEMA, result.books, summary, [], result.coverage, [])


def with_sources(
    result: AuditResult,
    hash_by_digest: Mapping[str, str] | None,
    address_of: Callable[[Hand, int], str] = named_address,
) -> Iterator[FindingTold]:
    """Yield the findings with their address and with `source` as in `build_document`."""
    for finding in result.findings:
        addressed = with_address(finding, address_of)
        yield addressed if hash_by_digest is None else replace(addressed, source=hash_by_digest.get(finding.source, ""))


def with_address(finding: Finding, address_of: Callable[[Hand, int], str]) -> FindingTold:
    """Return a finding with the address of its event."""
    return FindingTold(**asdict(finding), show=address_of(finding.hand, finding.version))


def encode_document(result: AuditResult) -> bytes:
    """Return the document as JSON. The same audit gives the same bytes."""
    return msgspec.json.encode(build_document(result))
