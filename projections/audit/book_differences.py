"""Find where rulebooks disagree about a hand: a violation under one book, and the answers of the others.

Books are compared by the points of policy that they decide (`projections.obligations.policy`), not by wording. The
clause of a finding decides some points, and another book's rulings on the same points are its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ledger.vocabulary import Seat
from projections.addresses.hand_reference import Hand
from projections.audit.grouped_findings import group_findings
from projections.books.rulebook import Clause, Rulebook
from projections.findings.finding import Finding

Answer: TypeAlias = Literal["found", "clean", "cannot-tell", "no-judgement", "not-built", "silent"]
"""`clean`: the book decides the point, and nothing was wrong. `no-judgement`: its clauses on the point only define or
permit. `silent`: it has no clause on the point, or none for this game."""
_ANSWER_OF_VERDICTS: Final[tuple[tuple[Answer, tuple[str, ...]], ...]] = (
    ("cannot-tell", ("cannot_tell",)),
    ("clean", ("clean", "found")),
    ("not-built", ("not_built",)),
    ("no-judgement", ("no_judgement",)),
)
"""The answer for clauses with these verdicts. The first row that matches any clause decides."""


class BookAnswer(msgspec.Struct, frozen=True):
    """One book's answer about a violation."""

    book: str
    answer: Answer
    clauses: list[str]
    says: str = ""  # if `found`, what should have happened; otherwise what the book rules
    missing: list[str] = []  # the facts that are missing, if it can't tell


class Difference(msgspec.Struct, frozen=True):
    """A violation on which the books disagree."""

    hand: Hand
    version: int  # of the event that shows it
    seat: Seat | None
    saw: str
    books: list[BookAnswer]  # in the order of the audit


class ClauseOutcome(NamedTuple):
    """The outcome of a clause in one hand."""

    verdict: str
    missing: tuple[str, ...] = ()  # missing facts


class _ClauseAnswer(NamedTuple):
    """A clause with which a book answers, what it says, and its outcome in the hand."""

    clause: Clause
    statement: str
    outcome: ClauseOutcome


OutcomeFinder: TypeAlias = Callable[[Rulebook, Clause], ClauseOutcome]
"""Returns the outcome of a clause of a book in the hand."""


def find_differences(
    findings: Sequence[Finding], books: Sequence[Rulebook], find_outcome: OutcomeFinder
) -> list[Difference]:
    """Return the differences between `books` about one hand; `findings` are that hand's, in order."""
    books_by_name = {book.name: book for book in books}
    book_findings = [finding for finding in findings if finding.book in books_by_name]
    differences = []
    for group in group_findings(
        book_findings, [frozenset(_list_decision_points(finding, books_by_name)) for finding in book_findings]
    ):
        first_finding = group[0]
        answers = [_find_answer(book, group, books_by_name, find_outcome) for book in books]
        distinct_answers = {(answer.answer, answer.says if answer.answer == "found" else "") for answer in answers}
        if len(distinct_answers) > 1:
            differences.append(
                Difference(
                    hand=first_finding.hand,
                    version=first_finding.version,
                    seat=first_finding.seat,
                    saw=first_finding.saw,
                    books=answers,
                )
            )
    return differences


def _list_decision_points(finding: Finding, books_by_name: dict[str, Rulebook]) -> list[str]:
    """Return the points of policy that the clauses of a finding decide."""
    policy = books_by_name[finding.book].policy
    clauses = (finding.clause, *finding.also)
    return list(dict.fromkeys(point for clause in clauses for point in policy.list_decided_points(clause)))


def _find_answer(
    book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook], find_outcome: OutcomeFinder
) -> BookAnswer:
    """Return a book's answer to a group of findings: its own finding, else its rulings on the same points."""
    own_findings = [finding for finding in group if finding.book == book.name]
    if own_findings:
        return _answer_by_findings(book, own_findings)
    clause_answers = [
        _ClauseAnswer(clause, statement, find_outcome(book, clause))
        for clause, statement in _iter_answering_clauses(book, group, books_by_name)
    ]
    for answer, verdicts in _ANSWER_OF_VERDICTS:
        matches = [match for match in clause_answers if match.outcome.verdict in verdicts]
        if matches:
            return BookAnswer(
                book=book.name,
                answer=answer,
                clauses=list(dict.fromkeys(match.clause.id for match in matches)),
                says="; ".join(dict.fromkeys(match.statement for match in matches if match.statement)),
                missing=list(dict.fromkeys(fact for match in matches for fact in match.outcome.missing)),
            )
    return BookAnswer(book.name, "silent", [])


def _answer_by_findings(book: Rulebook, own_findings: list[Finding]) -> BookAnswer:
    """Return the answer of a book with findings of its own: their clauses, and what should have been."""
    clauses = dict.fromkeys(clause_id for finding in own_findings for clause_id in (finding.clause, *finding.also))
    statements = dict.fromkeys(finding.should for finding in own_findings if finding.should)
    return BookAnswer(book.name, "found", list(clauses), "; ".join(statements) or own_findings[0].asks)


def _iter_answering_clauses(
    book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook]
) -> Iterator[tuple[Clause, str]]:
    """Yield the clauses with which a book answers if it has no finding itself, and what they say.

    If the findings decide points of policy, these are the clauses of the book's rulings on them. If not, these are its
    clauses with the same detectors.
    """
    points = dict.fromkeys(point for finding in group for point in _list_decision_points(finding, books_by_name))
    for point in points:
        ruling = book.policy.get(point)
        if ruling is not None:
            yield from ((book.clauses[clause], ruling.says) for clause in ruling.clauses if clause in book.clauses)
    if points:
        return
    detectors = {books_by_name[finding.book].clauses[finding.clause].entry.detector for finding in group}
    for book_clause in book.clauses.values():
        if book_clause.entry.detector in detectors:
            yield book_clause, book_clause.entry.says
