"""Where rulebooks differ about what was recorded: the wrong as one sees it, and what the others say.

Books are compared by the points that they decide (`projections.obligations.policy`), not by their wording: a
clause that speaks stands at a point, and the other book's ruling at that point is its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ledger.vocabulary import Seat
from projections.addresses.hand_reference import Hand
from projections.audit.grouped_findings import groups
from projections.books.rulebook import Clause, Rulebook
from projections.findings.finding import Finding

Answer: TypeAlias = Literal["found", "clean", "cannot-tell", "no-judgement", "not-built", "silent"]
"""`clean`: the book decides the point, and finds nothing wrong. `no-judgement`: its clauses about it
define or permit. `silent`: it has no clause about it, or none that applies to this game."""


class Said(msgspec.Struct, frozen=True):
    """What one book says: with which clauses, and what should have been or what it rules."""

    book: str
    answer: Answer
    clauses: list[str]
    says: str = ""
    missing: list[str] = []  # facts for want of which it cannot tell


class Difference(msgspec.Struct, frozen=True):
    """A wrong that not all books see, or not all alike. `books` are in the order of the audit."""

    hand: Hand
    version: int
    seat: Seat | None
    saw: str
    books: list[Said]


class Judged(NamedTuple):
    """What became of a clause in one hand."""

    verdict: str
    missing: tuple[str, ...] = ()


Verdicts: TypeAlias = Callable[[Rulebook, Clause], Judged]


def differences(findings: Sequence[Finding], books: Sequence[Rulebook], judged: Verdicts) -> list[Difference]:
    """Return where `books` differ about one hand; `findings` are those of that hand, in order."""
    books_by_name = {book.name: book for book in books}
    book_findings = [finding for finding in findings if finding.book in books_by_name]
    differing = []
    for group in groups(
        book_findings, [frozenset(_decision_points(finding, books_by_name)) for finding in book_findings]
    ):
        first_finding = group[0]
        answers = [_answer_of(book, group, books_by_name, judged) for book in books]
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
    """Return the points of decision that the clauses of a finding stand at."""
    decided = books_by_name[finding.book].policy.decided_by
    clauses = (finding.clause, *finding.also)
    return list(dict.fromkeys(point for clause in clauses for point in decided(clause)))


def _answer_of(book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook], judged: Verdicts) -> Said:
    own_findings = [finding for finding in group if finding.book == book.name]
    if own_findings:
        clauses = list(dict.fromkeys(c for finding in own_findings for c in (finding.clause, *finding.also)))
        statement = "; ".join(dict.fromkeys(filter(None, (finding.should for finding in own_findings))))
        return Said(book.name, "found", clauses, statement or own_findings[0].asks)
    rulings = [
        (clause, statement, judged(book, clause)) for clause, statement in _clauses_about(book, group, books_by_name)
    ]
    for answer, verdicts in _ANSWERS:
        matching = [ruling for ruling in rulings if ruling[2].verdict in verdicts]
        if matching:
            return Said(
                book.name,
                answer,
                list(dict.fromkeys(clause.id for clause, _, _ in matching)),
                "; ".join(dict.fromkeys(statement for _, statement, _ in matching if statement)),
                list(dict.fromkeys(fact for *_, judgement in matching for fact in judgement.missing)),
            )
    return Said(book.name, "silent", [])


_ANSWERS: tuple[tuple[Answer, tuple[str, ...]], ...] = (
    ("cannot-tell", ("cannot_tell",)),
    ("clean", ("clean", "found")),
    ("not-built", ("not_built",)),
    ("no-judgement", ("no_judgement",)),
)


def _clauses_about(
    book: Rulebook, group: list[Finding], books_by_name: dict[str, Rulebook]
) -> Iterator[tuple[Clause, str]]:
    """Yield the clauses with which a book answers where it finds nothing, and what they say.

    Those of its rulings at the same points; where no point is named, those that are judged by the
    same detector.
    """
    points = dict.fromkeys(point for finding in group for point in _decision_points(finding, books_by_name))
    for point in points:
        ruling = book.policy.get(point)
        for clause in ruling.clauses if ruling is not None else ():
            if clause in book.clauses and ruling is not None:
                yield book.clauses[clause], ruling.says
    if points:
        return
    detectors = {books_by_name[f.book].clauses[f.clause].entry.detector for f in group}
    for clause_ in book.clauses.values():
        if clause_.entry.detector in detectors:
            yield clause_, clause_.entry.says
