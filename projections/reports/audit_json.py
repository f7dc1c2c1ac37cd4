"""An audit as one JSON document. The structs are the schema: `msgspec.json.schema(Document)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, get_args

import msgspec
from msgspec.structs import asdict, replace

from projections.addresses.address_book import named_address
from projections.addresses.hand_reference import Hand
from projections.audit.audit_difference import Changed, Since
from projections.audit.audit_result import AuditResult, BookRef
from projections.audit.book_differences import Difference
from projections.audit.knock_on import KnockOn
from projections.findings.finding import Coverage, Finding, Severity
from projections.reports.tally import tally

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

    show: str = ""  # what every command, query and page takes: T7/408@14


class Document(msgspec.Struct, frozen=True):
    """What `audit --format json` writes."""

    schema: str
    books: list[BookRef]
    summary: Summary
    findings: list[FindingTold]
    coverage: list[Coverage]
    differences: list[Difference] = []  # where several books differ, and what each says
    only: list[str] = []  # the clauses that were asked for; empty = all
    since: Since | None = None  # compared with an earlier audit: `findings` are those that came or changed,
    changed: list[Changed] = []  # of the changed what they were,
    went: list[Finding] = []  # and those that are no more
    knock_on: list[KnockOn] = []  # what wrong buttons and blinds led to, if that was asked


def document(result: AuditResult, sha256: Mapping[str, str] | None = None) -> Document:
    """Return the document of an audit.

    `sha256`: what the bytes of a source hash to, by what the ledger names it. With it findings name
    the SHA-256 of their file, "" where it is not known; without it what the ledger names it.
    """
    whole = frame(result)
    return replace(whole, findings=list(sourced(result, sha256)), differences=list(result.differences))


def frame(result: AuditResult) -> Document:
    """Return the document of an audit without its findings and differences, of which there may be many."""
    told = tally(result.findings)
    grades, clauses = told.graded(), Counter[str]()
    for (book, clause, _), count in told.clauses.items():
        clauses[f"{book} {clause}"] += count
    summary = Summary(
        result.hands,
        told.hands,
        told.findings,
        {grade: grades[grade] for grade in get_args(Severity)},
        dict(sorted(clauses.items())),
    )
    return Document(SCHEMA, result.books, summary, [], result.coverage, [])


def sourced(
    result: AuditResult, sha256: Mapping[str, str] | None, address: Callable[[Hand, int], str] = named_address
) -> Iterator[FindingTold]:
    """Yield the findings, which name their file as `document` says; `address` is that of an event."""
    for found in result.findings:
        told = with_address(found, address)
        yield told if sha256 is None else replace(told, source=sha256.get(found.source, ""))


def with_address(found: Finding, address: Callable[[Hand, int], str]) -> FindingTold:
    """Return a finding with the address of its event."""
    return FindingTold(**asdict(found), show=address(found.hand, found.version))


def encode(result: AuditResult) -> bytes:
    """Return the document as JSON: the same audit gives the same bytes."""
    return msgspec.json.encode(document(result))
