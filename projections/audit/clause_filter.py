"""Limit the result of an audit to some clauses. Hands are judged under all of them, because clauses can merge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from ledger.errors import UsageError
from ledger.files.disk_spool import DiskSpool
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import Difference
from projections.findings.finding import Coverage, Finding


class ClauseFilter:
    """Matches clauses by names as users type them: `B15*`, `hilton.B15a.1`, `hilton *`, in upper or lower case."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Take the names, in which `*` matches any text."""
        self.patterns = list(dict.fromkeys(patterns))
        self._globs = [_to_glob(pattern) for pattern in self.patterns]

    def matches(self, book: str, clause: str) -> bool:
        """Whether a book's clause matches any of the names."""
        spellings = [spelling.casefold() for spelling in (clause, f"{book}.{clause}", f"{book} {clause}")]
        return any(fnmatchcase(spelling, glob) for glob in self._globs for spelling in spellings)

    def matches_finding(self, finding: Finding) -> bool:
        """Whether a finding's clause, or a clause merged into it, matches any of the names."""
        return any(self.matches(finding.book, clause) for clause in (finding.clause, *finding.also))

    def check_patterns(self, rows: Sequence[Coverage]) -> None:
        """Raise `UsageError` for a name that matches no clause of the audit."""
        for pattern in self.patterns:
            single_pattern = ClauseFilter([pattern])
            if not any(single_pattern.matches(row.book, row.clause) for row in rows):
                clause_names = [name for row in rows for name in (row.clause, f"{row.book}.{row.clause}")]
                close_matches = get_close_matches(pattern, clause_names, 3)
                books = ", ".join(dict.fromkeys(row.book for row in rows))
                raise UsageError(
                    f"no clause of {books} is called {pattern!r}",
                    f"Did you mean {' or '.join(close_matches)}?"
                    if close_matches
                    else "handledger rules BOOK lists its clauses.",
                )


def _to_glob(pattern: str) -> str:
    """Return the pattern with every character but `*` escaped."""
    return pattern.strip().casefold().replace("[", "[[]").replace("?", "[?]")


def filter_clauses(result: AuditResult, clause_filter: ClauseFilter) -> AuditResult:
    """Return the findings, coverage, differences and books of a result that match; `UsageError` for a wrong name."""
    clause_filter.check_patterns(result.coverage)
    coverage = [row for row in result.coverage if clause_filter.matches(row.book, row.clause)]
    books = {row.book for row in coverage}
    findings, differences = DiskSpool(Finding), DiskSpool(Difference)
    findings.extend(finding for finding in result.findings if clause_filter.matches_finding(finding))
    differences.extend(_filter_differences(result.differences, clause_filter))
    refs = [ref for ref in result.books if ref.name in books]
    return AuditResult(refs, result.hands, findings, coverage, differences)


def _filter_differences(differences: Iterable[Difference], clause_filter: ClauseFilter) -> Iterator[Difference]:
    """Yield the differences in which any book answers by a matching clause."""
    for difference in differences:
        answering_clauses = ((answer.book, clause) for answer in difference.books for clause in answer.clauses)
        if any(clause_filter.matches(book, clause) for book, clause in answering_clauses):
            yield difference
