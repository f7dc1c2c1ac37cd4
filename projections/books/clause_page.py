"""Rulebooks for people: one clause explained in full, and a matrix of what the books decide on each point."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec

import projections
from ledger.errors import RulebookError
from ledger.vocabulary import list_witness_names
from projections.books.clause_detector import find_detector
from projections.books.house_lines import write_line
from projections.books.rulebook import AppliesTo, Clause, Kind, Rulebook
from projections.findings.finding import Severity
from projections.obligations.house_points import HouseEntry
from projections.obligations.policy import FALLBACKS, POINTS, SECTIONS, Ruling


class PolicyAnswer(msgspec.Struct, frozen=True):
    """What one book decides on a point of policy."""

    book: str
    silent: bool  # it doesn't decide the point; then the other fields are empty
    value: Any = None  # of the point's own type; a table for points of several parts
    says: str = ""
    clauses: list[str] = []
    literal: bool = False  # the book decides it only if a general sentence is read literally


class PolicyPoint(msgspec.Struct, frozen=True):
    """A point of policy, with each book's answer."""

    key: str
    section: str
    title: str
    answers: list[PolicyAnswer]
    fallback: str = ""  # the usual practice, used for dues if a book is silent; it never makes a finding


_DOCUMENT_FIELDS: Final = {
    "breach_summary": "wrong",
    "no_detector_reason": "why",
    "partial_note": "partly",
    "restated_by": "also",
    "worked_case": "worked",
    "points": "decides",
}
"""Attributes of `ClauseExplanation` with another name in JSON."""


class ClauseExplanation(msgspec.Struct, frozen=True, rename=_DOCUMENT_FIELDS):
    """A clause explained in full."""

    book: str
    clause: str
    title: str
    edition: str
    place: str
    says: str
    topic: str
    severity: Severity
    applies_to: AppliesTo
    kind: Kind
    detector: str
    breach_summary: str  # the detector's docstring, or the breach that the book describes
    parameters: dict[str, Any]
    needs: list[str]  # the facts that a record must contain for the clause to be judged
    no_detector_reason: str
    partial_note: str  # the part of the clause that the detector doesn't judge; "" = it judges all
    remedy: str
    note: str
    conflicts_with: list[str]
    restated_by: list[str]  # clauses that are judged with it
    worked_case: str  # a Markdown page; "" = none yet
    points: list[PolicyPoint] = []  # the points that the clause decides, with the other books' answers
    yields_to: list[str] = []
    origin: str = ""  # book and clause that it comes from; "" = this book


def explain_clause(rulebook: Rulebook, clause: str, other_books: Sequence[Rulebook] = ()) -> ClauseExplanation:
    """Return a clause in full, with the answers of `other_books`; `RulebookError` if there is no such clause."""
    requested = _find_clause(rulebook, clause)
    judged = _follow_restatement(rulebook, requested)  # has the detector; the text comes from `requested`
    entry = requested.entry
    books = [rulebook, *(book for book in other_books if book.digest != rulebook.digest)]
    return ClauseExplanation(
        book=rulebook.name,
        clause=requested.id,
        title=rulebook.title,
        edition=rulebook.edition,
        place=entry.place,
        says=entry.says,
        topic=entry.topic,
        severity=entry.severity,
        applies_to=entry.applies_to,
        kind=requested.kind,
        detector=judged.entry.detector,
        breach_summary=_summarize_detector(judged) or entry.breach,
        parameters=list_parameters(judged),
        needs=list_needed_facts(judged),
        no_detector_reason=requested.no_detector_reason,
        partial_note=entry.partly,
        remedy=entry.remedy,
        note=entry.note,
        conflicts_with=list(entry.conflicts_with),
        restated_by=list(judged.restated_by),
        worked_case=read_worked_case(judged.origin.book, judged.origin.clause),
        points=[build_policy_point(key, books) for key in rulebook.policy.list_decided_points(requested.id)],
        yields_to=list(entry.yields_to),
        origin=_name_origin(rulebook, requested),
    )


def _follow_restatement(book: Rulebook, clause: Clause) -> Clause:
    """Return the clause that another one restates, or the clause itself."""
    return book.clauses[clause.entry.restates] if clause.entry.restates else clause


def _summarize_detector(clause: Clause) -> str | None:
    """Return the docstring of a clause's detector; None without a detector."""
    return inspect.getdoc(find_detector(clause.entry.detector)) if clause.entry.detector else None


def _name_origin(book: Rulebook, clause: Clause) -> str:
    """Return the book and clause that a clause comes from, or "" if it was written in this book."""
    origin = clause.origin
    return "" if origin == (book.name, clause.id) else f"{origin.book} {origin.clause}"


def _find_clause(book: Rulebook, clause: str) -> Clause:
    """Return a clause by its number here, or by its number in the book that a house book extends."""
    if clause in book.clauses:
        return book.clauses[clause]
    for candidate in book.clauses.values():
        if candidate.origin.clause == clause:
            return candidate
    similar_clauses = get_close_matches(clause, book.clauses, 12, 0.4)
    similar_clauses += [candidate for candidate in book.clauses if candidate.lower().startswith(clause.lower()[:3])]
    hint = f"handledger rules {shlex.quote(book.command_argument)} lists its clauses."
    if similar_clauses:
        hint = f"Near it: {', '.join(list(dict.fromkeys(similar_clauses))[:12])}."
    raise RulebookError(f"{book.name} has no clause {clause!r}", hint)


def list_parameters(clause: Clause) -> dict[str, object]:
    """Return the parameters of a clause's detector, as plain values; what a house states as its lines."""
    used = {key: list_house_lines(value) or msgspec.to_builtins(value) for key, value in clause.using}
    return used or dict(clause.entry.parameters)


def list_house_lines(value: object) -> list[str]:
    """Return the entries of a point that a house states as lines; [] for any other value."""
    return [write_line(entry) for entry in value if isinstance(entry, HouseEntry)] if isinstance(value, list) else []


def list_needed_facts(clause: Clause) -> list[str]:
    """Return the facts that a record needs for judging a clause."""
    return list_witness_names(clause.spec.needs) if clause.spec else list(clause.entry.facts)


def build_policy_matrix(books: Sequence[Rulebook]) -> list[PolicyPoint]:
    """Return every point with each book's answer."""
    return [build_policy_point(key, books) for key in POINTS]


def build_policy_point(key: str, books: Sequence[Rulebook]) -> PolicyPoint:
    """Return one point with each book's answer."""
    point = POINTS[key]
    fallback = ""
    if key in FALLBACKS:
        fallback = f"{describe_policy_value(FALLBACKS[key].value)}: {FALLBACKS[key].says}"
    answers = [_build_policy_answer(book, book.policy.get(key)) for book in books]
    return PolicyPoint(key, SECTIONS[point.section], point.title, answers, fallback)


def _build_policy_answer(book: Rulebook, ruling: Ruling | None) -> PolicyAnswer:
    if ruling is None:
        return PolicyAnswer(book.name, silent=True)
    value = msgspec.to_builtins(ruling.value)
    return PolicyAnswer(
        book.name,
        False,
        value,
        ruling.says or describe_policy_value(ruling.value),
        list(ruling.clauses),
        ruling.literal,
    )


def describe_policy_value(value: object) -> str:
    """Return a policy value in words.

    >>> describe_policy_value("draw-unless"), describe_policy_value(True), describe_policy_value([]), describe_policy_value({"most": 1, "more": "nobody", "less": ""})
    ('draw unless', 'yes', 'none', 'most 1, more nobody')
    """
    if house_lines := list_house_lines(value):
        return "; ".join(house_lines)
    value = msgspec.to_builtins(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(describe_policy_value, value)) or "none"
    if isinstance(value, dict):
        words_by_key = ((key.replace("_", " "), part) for key, part in value.items())
        return ", ".join(f"{key} {describe_policy_value(part)}" for key, part in words_by_key if part not in ("", None))
    return f"{value:g}" if isinstance(value, float) else str(value).replace("-", " ")


def read_worked_case(book: str, clause: str) -> str:
    """Return a clause's page of worked cases (Markdown) from the installed package or a checkout, or "" if none."""
    packaged_page = resources.files(projections) / "cases" / book / f"{clause}.md"
    if packaged_page.is_file():
        return packaged_page.read_text(encoding="utf-8")
    checkout_page = Path(projections.__path__[0]).resolve().parent / "tests" / "cases" / book / f"{clause}.md"
    return checkout_page.read_text(encoding="utf-8") if checkout_page.is_file() else ""
