"""The result of an audit (findings, books, coverage), and functions that merge the results of several parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.files.disk_spool import DiskSpool
from projections.audit.book_differences import Difference
from projections.books.rulebook import BUILT_IN, Rulebook, load
from projections.findings.finding import Coverage, Finding, Missing

COUNT_FIELDS: Final = (
    "clean",
    "found",
    "cannot_tell",
    "not_applicable",
    "not_built",
    "no_judgement",
    "findings",
    "did_not_come_up",
)
"""The fields of `Coverage` that are counts, and add up when results are merged."""
NAMED_HANDS: Final = 10
"""How many hands the coverage names for each missing fact."""


CoverageDetail: TypeAlias = Literal["full", "short", "none"]
"""How much a report says about the hands that each clause judged: everything, only what's missing, or nothing."""


class BookRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """A book and its edition, exact to the byte."""

    name: str
    title: str
    edition: str
    digest: str  # SHA-256 of the book's file, hex
    adopted: str = ""  # UTC days on which the house adopted it, comma-separated; "" = the user named the book


class AuditResult(msgspec.Struct):
    """The findings of an audit and its coverage."""

    books: list[BookRef]
    hands: int
    findings: list[Finding] | DiskSpool[Finding]  # the findings of one hand follow each other
    coverage: list[Coverage]
    differences: list[Difference] | DiskSpool[Difference] = []  # between the books, without `record`

    def select_books(self, books: Collection[str]) -> AuditResult:
        """Return the part of the result that belongs to these books, without differences between books."""
        refs = [ref for ref in self.books if ref.name in books]
        findings = DiskSpool(Finding)
        findings.extend(finding for finding in self.findings if finding.book in books)
        return AuditResult(refs, self.hands, findings, [row for row in self.coverage if row.book in books])

    def select_book(self, name: str) -> AuditResult:
        """Return the part of the result that belongs to one book and to `record`."""
        return self.select_books(list_judged_names(name))

    def list_findings(self, name: str) -> list[Finding]:
        """Return the findings of one book and of `record`."""
        return [finding for finding in self.findings if finding.book in list_judged_names(name)]

    def append(self, next_result: AuditResult) -> None:
        """Add the result of the next hands, judged under the same books."""
        self.hands += next_result.hands
        self.findings.extend(next_result.findings)
        self.differences.extend(next_result.differences)
        for row, later_row in zip(self.coverage, next_result.coverage, strict=True):
            _add_coverage(row, later_row)


def _add_coverage(row: Coverage, later_row: Coverage) -> None:
    """Add the counts of another row of the same clause."""
    for name in COUNT_FIELDS:
        if count := getattr(later_row, name):
            setattr(row, name, getattr(row, name) + count)
    if not later_row.missing:
        return
    missing_by_fact = {missing.fact: missing for missing in row.missing}
    for missing in later_row.missing:
        earlier = missing_by_fact.get(missing.fact, Missing(missing.fact, 0))
        limit = max(NAMED_HANDS, len(earlier.named), len(missing.named))  # a part may name all its hands
        missing_by_fact[missing.fact] = Missing(
            missing.fact, earlier.hands + missing.hands, (earlier.named + missing.named)[:limit]
        )
    row.missing = sort_missing(missing_by_fact.values())


def merge_books(results: Iterable[AuditResult]) -> AuditResult:
    """Merge the results of different hands, each judged under its own books.

    A coverage row counts only the hands that were judged under its book.
    """
    combined = AuditResult([], 0, DiskSpool(Finding), [], DiskSpool(Difference))
    books: dict[str, BookRef] = {}
    rows: dict[tuple[str, str], Coverage] = {}
    for result in results:
        combined.hands += result.hands
        combined.findings.extend(result.findings)
        combined.differences.extend(result.differences)
        for ref in result.books:
            books.setdefault(ref.name, ref)
        for row in result.coverage:
            first_row = rows.setdefault((row.book, row.clause), row)
            if first_row is not row:
                _add_coverage(first_row, row)
    combined.books, combined.coverage = list(books.values()), list(rows.values())
    return combined


def list_judged_names(name: str) -> frozenset[str]:
    """Return the names of a book and of `record`, whose findings every output shows together."""
    return frozenset((BUILT_IN, name))


def make_book_ref(book: Rulebook) -> BookRef:
    """Return the reference to a book, with its digest."""
    return BookRef(book.name, book.title, book.edition, book.digest)


def make_empty_result(books: Sequence[Rulebook]) -> AuditResult:
    """Return the result of an audit without hands. Detectors aren't loaded."""
    judged_books = list_judged_books(books)
    coverage = [Coverage(clause, book.name, kind) for book in judged_books for clause, kind in book.kinds.items()]
    return AuditResult([make_book_ref(book) for book in judged_books], 0, [], coverage)


def list_judged_books(books: Sequence[Rulebook]) -> list[Rulebook]:
    """Return the books that an audit judges: `record` first, then the others."""
    return [load(BUILT_IN), *(book for book in books if book.name != BUILT_IN)]


def sort_missing(missing_facts: Iterable[Missing]) -> list[Missing]:
    """Sort missing facts, the most frequent first."""
    return sorted(missing_facts, key=lambda missing: (-missing.hands, missing.fact))
