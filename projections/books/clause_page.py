"""Rulebooks for readers: one clause in full, and the matrix of the books' policies."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec

import projections
from ledger.errors import RulebookError
from ledger.vocabulary import witness_names
from projections.books.clause_detector import find_detector
from projections.books.rulebook import AppliesTo, Clause, Kind, Rulebook
from projections.findings.finding import Severity
from projections.obligations.policy import FALLBACKS, POINTS, SECTIONS, Ruling


class PolicyAnswer(msgspec.Struct, frozen=True):
    """What one book decides on a point. If it is silent, the other fields are empty."""

    book: str
    silent: bool
    value: Any = None  # of the point's own type; a table for points of several parts
    says: str = ""
    clauses: list[str] = []
    literal: bool = False  # only a literal reading of a general sentence covers it


class PolicyPoint(msgspec.Struct, frozen=True):
    """A point that books decide, with each book's answer."""

    key: str
    section: str
    title: str
    answers: list[PolicyAnswer]
    fallback: str = ""  # the default that placement uses where a book is silent; it is never a finding


_DOCUMENT_FIELDS: Final = {
    "breach_summary": "wrong",
    "no_detector_reason": "why",
    "partial_note": "partly",
    "restated_by": "also",
    "worked_case": "worked",
    "points": "decides",
}
"""The names of `ClauseExplanation`'s fields in JSON, where they differ from the attributes."""


class ClauseExplanation(msgspec.Struct, frozen=True, rename=_DOCUMENT_FIELDS):
    """A clause in full, for a reader."""

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
    needs: list[str]  # the facts that a record must hold for the clause to be judged
    no_detector_reason: str
    partial_note: str  # which part of the clause the detector judges
    remedy: str
    note: str
    conflicts_with: list[str]
    restated_by: list[str]  # clauses that are judged with it
    worked_case: str  # a Markdown page; "" = none yet
    points: list[PolicyPoint] = []  # that the clause decides, with the other books' answers
    yields_to: list[str] = []
    origin: str = ""  # the clause that a house's clause comes from; "" = the book wrote it itself


def explain_clause(rules: Rulebook, clause: str, other_books: Sequence[Rulebook] = ()) -> ClauseExplanation:
    """Return a clause in full; `RulebookError` if the book has none of that id.

    `other_books`: the books whose answers on the same points are included.
    """
    requested = _find_clause(rules, clause)
    judged = _follow_restatement(rules, requested)  # the detector belongs to this one, the text to `requested`
    entry = requested.entry
    books = [rules, *(book for book in other_books if book.digest != rules.digest)]
    return ClauseExplanation(
        book=rules.name,
        clause=requested.id,
        title=rules.title,
        edition=rules.edition,
        place=entry.place,
        says=entry.says,
        topic=entry.topic,
        severity=entry.severity,
        applies_to=entry.applies_to,
        kind=requested.kind,
        detector=judged.entry.detector,
        breach_summary=_summarize_detector(judged) or entry.breach,
        parameters=clause_parameters(judged),
        needs=needed_facts(judged),
        no_detector_reason=requested.no_detector_reason,
        partial_note=entry.partly,
        remedy=entry.remedy,
        note=entry.note,
        conflicts_with=list(entry.conflicts_with),
        restated_by=list(judged.restated_by),
        worked_case=worked_case(judged.origin.book, judged.origin.clause),
        points=[policy_point(key, books) for key in rules.policy.decided_by(requested.id)],
        yields_to=list(entry.yields_to),
        origin=_format_origin(rules, requested),
    )


def _follow_restatement(rules: Rulebook, clause: Clause) -> Clause:
    """Return the clause that another one restates, or the clause itself."""
    return rules.clauses[clause.entry.restates] if clause.entry.restates else clause


def _summarize_detector(clause: Clause) -> str | None:
    """Return the docstring of a clause's detector; None without a detector."""
    return inspect.getdoc(find_detector(clause.entry.detector)) if clause.entry.detector else None


def _format_origin(rules: Rulebook, clause: Clause) -> str:
    """Write the clause that a house's clause comes from; "" if the book wrote it itself."""
    origin = clause.origin
    return "" if origin == (rules.name, clause.id) else f"{origin.book} {origin.clause}"


def _find_clause(rules: Rulebook, clause: str) -> Clause:
    """Return a clause by its number, or by its number in the book that a house's book extends."""
    if clause in rules.clauses:
        return rules.clauses[clause]
    for candidate in rules.clauses.values():
        if candidate.origin.clause == clause:
            return candidate
    similar_clauses = get_close_matches(clause, rules.clauses, 12, 0.4)
    similar_clauses += [candidate for candidate in rules.clauses if candidate.lower().startswith(clause.lower()[:3])]
    hint = f"handledger rules {rules.name} lists its clauses."
    if similar_clauses:
        hint = f"Near it: {', '.join(list(dict.fromkeys(similar_clauses))[:12])}."
    raise RulebookError(f"{rules.name} has no clause {clause!r}", hint)


def clause_parameters(clause: Clause) -> dict[str, object]:
    """Return the parameters of a clause's detector, as plain values."""
    used = {key: msgspec.to_builtins(value) for key, value in clause.using}
    return used or dict(clause.entry.parameters)


def needed_facts(clause: Clause) -> list[str]:
    """Return the facts that a record needs for judging a clause."""
    return witness_names(clause.spec.needs) if clause.spec else list(clause.entry.facts)


def policy_matrix(books: Sequence[Rulebook]) -> list[PolicyPoint]:
    """Return every point with each book's answer."""
    return [policy_point(key, books) for key in POINTS]


def policy_point(key: str, books: Sequence[Rulebook]) -> PolicyPoint:
    """Return one point with each book's answer."""
    policy_entry = POINTS[key]
    fallback = ""
    if key in FALLBACKS:
        fallback = f"{value_words(FALLBACKS[key].value)}: {FALLBACKS[key].says}"
    answers = [_policy_answer(rules, rules.policy.get(key)) for rules in books]
    return PolicyPoint(key, SECTIONS[policy_entry.section], policy_entry.title, answers, fallback)


def _policy_answer(rules: Rulebook, ruling: Ruling | None) -> PolicyAnswer:
    if ruling is None:
        return PolicyAnswer(rules.name, silent=True)
    value = msgspec.to_builtins(ruling.value)
    return PolicyAnswer(
        rules.name, False, value, ruling.says or value_words(value), list(ruling.clauses), ruling.literal
    )


def value_words(value: object) -> str:
    """Write a value in words.

    >>> value_words("draw-unless"), value_words(True), value_words([]), value_words({"most": 1, "more": "nobody", "less": ""})
    ('draw unless', 'yes', 'none', 'most 1, more nobody')
    """
    value = msgspec.to_builtins(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(value_words, value)) or "none"
    if isinstance(value, dict):
        words_by_key = ((key.replace("_", " "), part) for key, part in value.items())
        return ", ".join(f"{key} {value_words(part)}" for key, part in words_by_key if part not in ("", None))
    return f"{value:g}" if isinstance(value, float) else str(value).replace("-", " ")


def worked_case(book: str, clause: str) -> str:
    """Return the page of worked cases of a clause, from the wheel or the checkout."""
    packaged_page = resources.files(projections) / "cases" / book / f"{clause}.md"
    if packaged_page.is_file():
        return packaged_page.read_text(encoding="utf-8")
    checkout_page = Path(projections.__path__[0]).resolve().parent / "tests" / "cases" / book / f"{clause}.md"
    return checkout_page.read_text(encoding="utf-8") if checkout_page.is_file() else ""
