"""Resolve the findings and clauses that the user cites in a case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ledger.case import case_errors
from ledger.case.events import FindingCited
from ledger.store.requests.stored_hands import group_rows_by_table
from projections.addresses.address_book import AddressBook
from projections.addresses.address_grammar import quote_for_shell
from projections.audit import house_audit
from projections.audit.auditor import Auditor
from projections.books.shelf import load_books
from projections.findings.earlier_fingerprints import iter_earlier_fingerprints
from projections.table_walk.replay import walk_hands

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from projections.audit.audit_result import AuditResult
    from projections.audit.house_audit import HandsByTable
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.findings.finding import Finding

_MIN_FINGERPRINT_DIGITS: Final = 6
"""Least number of hex digits of a fingerprint that the user must type."""


def build_citation(
    ledger: Ledger,
    fingerprint_start: str,
    rows: list[HandRow],
    books: list[str],
    unread_lines: Mapping[str, UnreadLines] | None = None,
) -> FindingCited:
    """Audit these hands and return the citation of the finding whose fingerprint begins with `fingerprint_start`.

    `unread_lines` are by stream id, as `walk_hands` takes them.
    """
    if not re.fullmatch(r"[0-9a-f]+", fingerprint_start) or len(fingerprint_start) < _MIN_FINGERPRINT_DIGITS:
        raise case_errors.bad_fingerprint(fingerprint_start, _MIN_FINGERPRINT_DIGITS)
    if not rows:
        raise case_errors.case_without_hands()
    findings = audit_hands(ledger, rows, books, unread_lines)
    matches = _match_fingerprint(findings, fingerprint_start, rows)
    if not matches:
        hint = _other_findings_hint(ledger, findings, rows)
        if not books and not house_audit.has_adopted_books(ledger):
            findings_hint = f" {hint}" if findings else ""
            hint = (
                f"The house hasn't adopted a rulebook. Name the one you cite with -r, as in -r hilton.{findings_hint}"
            )
        raise case_errors.unknown_finding(fingerprint_start, hint)
    if len({finding.fingerprint for finding in matches}) > 1:
        raise case_errors.ambiguous_finding(fingerprint_start, len(matches))
    finding = matches[0]
    return FindingCited(finding.fingerprint, finding.clause, finding.book, finding.edition, finding.hand.stream)


def _match_fingerprint(findings: list[Finding], fingerprint_start: str, rows: list[HandRow]) -> list[Finding]:
    """Return the findings whose fingerprint begins with `fingerprint_start`.

    If there are none, return those whose fingerprint in an earlier version of the program began so.
    """
    matches = [finding for finding in findings if finding.fingerprint.startswith(fingerprint_start)]
    if matches:
        return matches
    sessions = {row.stream.hex: row.session for row in rows}
    return [
        finding
        for finding in findings
        if any(
            fingerprint.startswith(fingerprint_start)
            for fingerprint in iter_earlier_fingerprints(finding, sessions.get(finding.hand.stream, 1))
        )
    ]


def _other_findings_hint(ledger: Ledger, findings: list[Finding], rows: list[HandRow]) -> str:
    """Return a hint that lists the findings in the hands of a case."""
    address_book = AddressBook(ledger)
    if not findings:
        hands = " ".join(quote_for_shell(address_book.find_hand_address(row)) for row in rows[:3])
        return f"There are none. See what was checked: handledger audit {hands} --coverage"
    examples = (
        f"{finding.fingerprint[:8]} ({finding.citation}, {address_book.find_finding_address(finding.hand)})"
        for finding in findings[:6]
    )
    return f"Findings there: {', '.join(examples)}."


def audit_hands(
    ledger: Ledger, rows: list[HandRow], books: list[str], unread_lines: Mapping[str, UnreadLines] | None = None
) -> list[Finding]:
    """Return the findings in the hands of a case, judged within their tables, as the command `audit` judges them.

    `books` are the rulebooks that the user named. Without any, the house's adopted books apply.
    """

    def judge_rows(table_hands: HandsByTable, rulebooks: list[Rulebook]) -> AuditResult:
        return Auditor(rulebooks, on_disk=True).judge_hands(walk_hands(ledger, table_hands, rulebooks, unread_lines))

    if not books and house_audit.has_adopted_books(ledger):
        result = house_audit.judge_under_house_books(ledger, lambda: group_rows_by_table(rows), judge_rows)
    else:
        # Without a rulebook, only contradictions in the record are found.
        rulebooks = load_books(ledger, books) if books else []
        result = judge_rows(group_rows_by_table(rows), rulebooks)
    return list(result.findings)


def resolve_clause(ledger: Ledger, stated_clause: str, book: str) -> tuple[str, str]:
    """Return the clause and the rulebook's name for a ruling, or two empty texts if the user named no clause.

    `UsageError` if there's no book or the book has no such clause.
    """
    if not stated_clause:
        return "", ""
    if not book:
        raise case_errors.clause_without_book()
    (rulebook,) = load_books(ledger, [book])
    if stated_clause not in rulebook.clauses:
        raise case_errors.unknown_clause(rulebook.name, stated_clause)
    return stated_clause, rulebook.name
