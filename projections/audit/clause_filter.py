"""An audit narrowed to some clauses. Hands are judged whole all the same: clauses speak of one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from ledger.disk_spool import Kept
from ledger.errors import UsageError
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import Difference
from projections.findings.finding import Coverage, Finding


class Clauses:
    """Clauses as a person names them: `B15*`, `hilton.B15a.1`, `hilton *`; A to Z in either case."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Take the names; `*` stands for any letters."""
        self.patterns = list(dict.fromkeys(patterns))
        self._globs = [_to_glob(pattern) for pattern in self.patterns]

    def names(self, book: str, clause: str) -> bool:
        """Whether a clause of a book is named."""
        spellings = [spelling.casefold() for spelling in (clause, f"{book}.{clause}", f"{book} {clause}")]
        return any(fnmatchcase(spelling, glob) for glob in self._globs for spelling in spellings)

    def speaks(self, found: Finding) -> bool:
        """Whether a finding is one of a clause that is named, or speaks for it too."""
        return any(self.names(found.book, clause) for clause in (found.clause, *found.also))

    def known(self, rows: Sequence[Coverage]) -> None:
        """Raise `UsageError` for a name that no clause of the audit has."""
        for pattern in self.patterns:
            single_pattern = Clauses([pattern])
            if not any(single_pattern.names(row.book, row.clause) for row in rows):
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
    """Return a pattern of which only `*` means anything."""
    return pattern.strip().casefold().replace("[", "[[]").replace("?", "[?]")


def only(result: AuditResult, clauses: Clauses) -> AuditResult:
    """Return what an audit says of some clauses: their findings, coverage and differences, and their books."""
    clauses.known(result.coverage)
    coverage = [row for row in result.coverage if clauses.names(row.book, row.clause)]
    books = {row.book for row in coverage}
    findings, differences = Kept(Finding), Kept(Difference)
    findings.extend(finding for finding in result.findings if clauses.speaks(finding))
    differences.extend(_filter_differences(result.differences, clauses))
    refs = [ref for ref in result.books if ref.name in books]
    return AuditResult(refs, result.hands, findings, coverage, differences)


def _filter_differences(differences: Iterable[Difference], clauses: Clauses) -> Iterator[Difference]:
    for difference in differences:
        if any(
            clauses.names(book_answer.book, clause)
            for book_answer in difference.books
            for clause in book_answer.clauses
        ):
            yield difference
