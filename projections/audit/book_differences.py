"""Find where rulebooks differ about a hand: the violation under one book, and the answers of the others.

Books are compared by the points they decide (`projections.obligations.policy`), not by their wording. A clause
with a finding decides a point, and the other book's ruling at that point is its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ledger.vocabulary import Seat
from projections.addresses.hand_reference import Hand
from projections.audit.grouped_findings import group_findings
from projections.books.rulebook import Clause, Rulebook
from projections.findings.finding import Finding

Answer: TypeAlias = Literal["found", "clean", "cannot-tell", "no-judgement", "not-built", "silent"]
"""`clean`: the book decides the point and finds nothing wrong. `no-judgement`: its clauses about the point
only define or permit. `silent`: it has no clause about the point, or none that applies to this game."""


class BookAnswer(msgspec.Struct, frozen=True):
    """One book's answer: its clauses, and what should have happened or what it rules."""

    book: str
    answer: Answer
    clauses: list[str]
    says: str = ""
    missing: list[str] = []  # facts, without which it can't tell


class Difference(msgspec.Struct, frozen=True):
    """A violation that not all books see, or not all alike. `books` are in the order of the audit."""

    hand: Hand
    version: int
    seat: Seat | None
    saw: str
    books: list[BookAnswer]


class ClauseOutcome(NamedTuple):
    """The outcome of a clause in one hand."""

    verdict: str
    missing: tuple[str, ...] = ()


Verdicts: TypeAlias = Callable[[Rulebook, Clause], ClauseOutcome]


def find_differences(findings: Sequence[Finding], books: Sequence[Rulebook], outcome_of: Verdicts) -> list[Difference]:
    """Return the differences between `books` about one hand; `findings` are that hand's, in order."""
    books_by_name = {book.name: book for book in books}
    book_findings = [finding for finding in findings if finding.book in books_by_name]
    differing = []
    for group in group_findings(
        book_findings, [frozenset(_decision_points(finding, books_by_name)) for finding in book_findings]
    ):
        first_finding = group[0]
        answers = [_answer_of(book, group, books_by_name, outcome_of) for book in books]
        if (
            len(
                {
                    (book_answer.answer, book_answer.says if book_answer.answer == "found" else "")
                    for book_answer in answers
                }
            )
            > 1
        ):
            differing.append(
                Difference(first_finding.hand, first_finding.version, first_finding.seat, first_finding.saw, answers)
            )
    return differing


def _decision_points(finding: Finding, books_by_name: dict[str, Rulebook]) -> list[str]:
    """Return the points that the clauses of a finding decide."""
    decided = books_by_name[finding.book].policy.decided_by
    clauses = (finding.clause, *finding.also)
    return list(dict.fromkeys(point for clause in clauses for point in decided(clause)))


def _answer_of(
    book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook], outcome_of: Verdicts
) -> BookAnswer:
    own_findings = [finding for finding in group if finding.book == book.name]
    if own_findings:
        clauses = list(dict.fromkeys(c for finding in own_findings for c in (finding.clause, *finding.also)))
        statement = "; ".join(dict.fromkeys(filter(None, (finding.should for finding in own_findings))))
        return BookAnswer(book.name, "found", clauses, statement or own_findings[0].asks)
    rulings = [
        (clause, statement, outcome_of(book, clause))
        for clause, statement in _clauses_about(book, group, books_by_name)
    ]
    for answer, verdicts in _ANSWERS:
        matching = [ruling for ruling in rulings if ruling[2].verdict in verdicts]
        if matching:
            return BookAnswer(
                book.name,
                answer,
                list(dict.fromkeys(clause.id for clause, _, _ in matching)),
                "; ".join(dict.fromkeys(statement for _, statement, _ in matching if statement)),
                list(dict.fromkeys(fact for *_, judgement in matching for fact in judgement.missing)),
            )
    return BookAnswer(book.name, "silent", [])


_ANSWERS: tuple[tuple[Answer, tuple[str, ...]], ...] = (
    ("cannot-tell", ("cannot_tell",)),
    ("clean", ("clean", "found")),
    ("not-built", ("not_built",)),
    ("no-judgement", ("no_judgement",)),
)


def _clauses_about(
    book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook]
) -> Iterator[tuple[Clause, str]]:
    """Yield the clauses with which a book answers if it finds nothing, and what they say.

    They are the clauses of its rulings at the same points. If the findings decide no point, they are the clauses
    with the same detectors.
    """
    points = dict.fromkeys(point for finding in group for point in _decision_points(finding, books_by_name))
    for point in points:
        ruling = book.policy.get(point)
        for clause in ruling.clauses if ruling is not None else ():
            if clause in book.clauses and ruling is not None:
                yield book.clauses[clause], ruling.says
    if points:
        return
    detectors = {books_by_name[finding_.book].clauses[finding_.clause].entry.detector for finding_ in group}
    for book_clause in book.clauses.values():
        if book_clause.entry.detector in detectors:
            yield book_clause, book_clause.entry.says
