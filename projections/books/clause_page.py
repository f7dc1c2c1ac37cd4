"""Rulebooks for readers: one clause in full, and the matrix of the books' policies."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

import projections
from ledger.errors import RulebookError
from ledger.vocabulary import witness_names
from projections.books.clause_detector import find_detector
from projections.books.rulebook import AppliesTo, Clause, Kind, Rulebook
from projections.findings.finding import Severity
from projections.obligations.policy import FALLBACKS, POINTS, SECTIONS, Ruling


class Answer(msgspec.Struct, frozen=True):
    """What one book decides on a point. `silent`: nothing, then the rest is empty."""

    book: str
    silent: bool
    value: Any = None  # of the point's own type; a table for points of several parts
    says: str = ""
    clauses: list[str] = []
    literal: bool = False  # only a literal reading of a general sentence covers it


class PointTold(msgspec.Struct, frozen=True):
    """A point that books decide, and what each of them decides."""

    key: str
    section: str
    title: str
    answers: list[Answer]
    fallback: str = ""  # what is drawn where a book is silent; accuses nobody


class Explained(msgspec.Struct, frozen=True):
    """A clause as a person asks for it."""

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
    wrong: str  # the detector's own sentence, or what would be wrong
    parameters: dict[str, Any]
    needs: list[str]  # facts that a source must record, or that judging it would take
    why: str  # what stands in place of a detector
    partly: str
    remedy: str
    note: str
    conflicts_with: list[str]
    also: list[str]
    worked: str  # a worked case: a Markdown page; "" = none yet
    decides: list[PointTold] = []  # with what the other books decide there
    yields_to: list[str] = []
    origin: str = ""  # of a house's clause: the clause it comes from; "" = it is the book's own


def explain_clause(rules: Rulebook, clause: str, other_books: Sequence[Rulebook] = ()) -> Explained:
    """Return a clause in full; `RulebookError` if the book has none of that id.

    `other_books`: the books whose answers on the same points are included.
    """
    requested_clause = _find_clause(rules, clause)
    judged_clause = (
        rules.clauses[requested_clause.entry.restates] if requested_clause.entry.restates else requested_clause
    )
    entry = requested_clause.entry
    doc = inspect.getdoc(find_detector(judged_clause.entry.detector)) if judged_clause.entry.detector else None
    books = [rules, *(book for book in other_books if book.digest != rules.digest)]
    keys = rules.policy.decided_by(requested_clause.id)
    origin = requested_clause.origin
    return Explained(
        book=rules.name,
        clause=requested_clause.id,
        title=rules.title,
        edition=rules.edition,
        place=entry.place,
        says=entry.says,
        topic=entry.topic,
        severity=entry.severity,
        applies_to=entry.applies_to,
        kind=requested_clause.kind,
        detector=judged_clause.entry.detector,
        wrong=doc or entry.breach,
        parameters=clause_parameters(judged_clause),
        needs=needed_facts(judged_clause),
        why=requested_clause.no_detector_reason,
        partly=entry.partly,
        remedy=entry.remedy,
        note=entry.note,
        conflicts_with=list(entry.conflicts_with),
        also=list(judged_clause.restated_by),
        worked=worked_case(judged_clause.origin.book, judged_clause.origin.clause),
        decides=[policy_point(key, books) for key in keys],
        yields_to=list(entry.yields_to),
        origin="" if origin == (rules.name, requested_clause.id) else f"{origin.book} {origin.clause}",
    )


def _find_clause(rules: Rulebook, clause: str) -> Clause:
    """Return a clause by its number, or by its number in the book that a house's book extends."""
    if clause in rules.clauses:
        return rules.clauses[clause]
    for candidate in rules.clauses.values():
        if candidate.origin.clause == clause:
            return candidate
    similar_clauses = get_close_matches(clause, rules.clauses, 12, 0.4)
    similar_clauses += [candidate for candidate in rules.clauses if candidate.lower().startswith(clause.lower()[:3])]
    raise RulebookError(
        f"{rules.name} has no clause {clause!r}",
        f"Near it: {', '.join(list(dict.fromkeys(similar_clauses))[:12])}."
        if similar_clauses
        else f"handledger rules {rules.name} lists its clauses.",
    )


def clause_parameters(clause: Clause) -> dict[str, object]:
    """Return the parameters of a clause's detector, as plain values."""
    used = {key: msgspec.to_builtins(value) for key, value in clause.using}
    return used or dict(clause.entry.parameters)


def needed_facts(clause: Clause) -> list[str]:
    """Return the facts that a record needs for judging a clause."""
    return witness_names(clause.spec.needs) if clause.spec else list(clause.entry.facts)


def policy_matrix(books: Sequence[Rulebook]) -> list[PointTold]:
    """Return every point with each book's answer."""
    return [policy_point(key, books) for key in POINTS]


def policy_point(key: str, books: Sequence[Rulebook]) -> PointTold:
    """Return one point with each book's answer."""
    policy_entry = POINTS[key]
    fallback = FALLBACKS[key].says if key in FALLBACKS else ""
    if key in FALLBACKS:
        fallback = f"{value_words(FALLBACKS[key].value)}: {fallback}"
    answers = [_answer(rules, rules.policy.get(key)) for rules in books]
    return PointTold(key, SECTIONS[policy_entry.section], policy_entry.title, answers, fallback)


def _answer(rules: Rulebook, ruled: Ruling | None) -> Answer:
    if ruled is None:
        return Answer(rules.name, silent=True)
    value = msgspec.to_builtins(ruled.value)
    return Answer(rules.name, False, value, ruled.says or value_words(value), list(ruled.clauses), ruled.literal)


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
