"""What an audit found, under which books, and how far it could see: its parts, and how they are put together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import msgspec

from ledger.disk_spool import Kept
from projections.audit.book_differences import Difference
from projections.books.rulebook import BUILT_IN, Rulebook, load
from projections.findings.finding import Coverage, Finding, Missing

COUNTS: Final = (
    "clean",
    "found",
    "cannot_tell",
    "not_applicable",
    "not_built",
    "no_judgement",
    "findings",
    "did_not_come_up",
)
"""What is counted of each clause."""
NAMED: Final = 10
"""How many hands the coverage names for each fact that is wanting."""


class BookRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which book, in which edition, to the byte.

    `adopted` is left out where the book was asked for and not the house's own.
    """

    name: str
    title: str
    edition: str
    digest: str  # SHA-256 of the book's file, hex
    adopted: str = ""  # since when it is the house's: a day in UTC, several with commas


class AuditResult(msgspec.Struct):
    """What an audit found, and how far it could see."""

    books: list[BookRef]
    hands: int
    findings: list[Finding] | Kept[Finding]  # those of one hand stand together
    coverage: list[Coverage]
    differences: list[Difference] | Kept[Difference] = []  # where several books differ; `record` is none of them

    def under(self, books: Collection[str]) -> AuditResult:
        """Return what was found under some of the books, by their names; where books differ is left out."""
        refs = [ref for ref in self.books if ref.name in books]
        findings = Kept(Finding)
        findings.extend(finding for finding in self.findings if finding.book in books)
        return AuditResult(refs, self.hands, findings, [row for row in self.coverage if row.book in books])

    def under_book(self, name: str) -> AuditResult:
        """Return what was found under one book, and under `record`, which holds under every book."""
        return self.under(books_with(name))

    def findings_under(self, name: str) -> list[Finding]:
        """Return the findings under one book: its own, and those of `record`."""
        return [finding for finding in self.findings if finding.book in books_with(name)]

    def merge(self, later: AuditResult) -> None:
        """Take in the result of the hands that come after this one's, under the same books."""
        self.hands += later.hands
        self.findings.extend(later.findings)
        self.differences.extend(later.differences)
        for row, later_row in zip(self.coverage, later.coverage, strict=True):
            _add_row(row, later_row)


def _add_row(row: Coverage, later_row: Coverage) -> None:
    """Count the hands of another row of the same clause too."""
    for name in COUNTS:
        if count := getattr(later_row, name):
            setattr(row, name, getattr(row, name) + count)
    if not later_row.missing:
        return
    missing_by_fact = {missing.fact: missing for missing in row.missing}
    for missing in later_row.missing:
        earlier = missing_by_fact.get(missing.fact, Missing(missing.fact, 0))
        limit = max(NAMED, len(earlier.named), len(missing.named))  # of parts that name all, all
        missing_by_fact[missing.fact] = Missing(
            missing.fact, earlier.hands + missing.hands, (earlier.named + missing.named)[:limit]
        )
    row.missing = by_count(missing_by_fact.values())


def joined(results: Iterable[AuditResult]) -> AuditResult:
    """Put together what was found of different hands, each under a book of its own.

    A row counts the hands that were judged under its book.
    """
    combined = AuditResult([], 0, Kept(Finding), [], Kept(Difference))
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
                _add_row(first_row, row)
    combined.books, combined.coverage = list(books.values()), list(rows.values())
    return combined


def books_with(name: str) -> frozenset[str]:
    """Return the books whose findings a hand has under one book: every output takes them from here.

    `record` is among them: a record that contradicts itself does so under every book.
    """
    return frozenset((BUILT_IN, name))


def reference(book: Rulebook) -> BookRef:
    """Return which book this is, to the byte."""
    return BookRef(book.name, book.title, book.edition, book.digest)


def empty_result(books: Sequence[Rulebook]) -> AuditResult:
    """Return what an audit of no hands gives. No detector is loaded for it."""
    judged_books = with_built_in(books)
    coverage = [Coverage(clause, book.name, kind) for book in judged_books for clause, kind in book.kinds.items()]
    return AuditResult([reference(book) for book in judged_books], 0, [], coverage)


def with_built_in(books: Sequence[Rulebook]) -> list[Rulebook]:
    """Return the books that an audit under some books judges: first the one that is always judged."""
    return [load(BUILT_IN), *(book for book in books if book.name != BUILT_IN)]


def by_count(lacking: Iterable[Missing]) -> list[Missing]:
    """Return facts that are wanting, the most often wanting first."""
    return sorted(lacking, key=lambda missing: (-missing.hands, missing.fact))
