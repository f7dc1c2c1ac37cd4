"""What a person asks of rulebooks: one clause in full, and the matrix of what the books decide."""

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
from projections.books.rulebook import AppliesTo, Clause, Kind, Rulebook, detector
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


def explain(rules: Rulebook, clause: str, others: Sequence[Rulebook] = ()) -> Explained:
    """Return all that is known of a clause; `RulebookError` if the book has none of that id.

    `others`: the books whose answers on the same points are told.
    """
    found = _found(rules, clause)
    judged = rules.clauses[found.entry.restates] if found.entry.restates else found
    entry = found.entry
    doc = inspect.getdoc(detector(judged.entry.detector)) if judged.entry.detector else None
    books = [rules, *(one for one in others if one.digest != rules.digest)]
    keys = rules.policy.decided_by(found.id)
    origin = found.origin
    return Explained(
        book=rules.name,
        clause=found.id,
        title=rules.title,
        edition=rules.edition,
        place=entry.place,
        says=entry.says,
        topic=entry.topic,
        severity=entry.severity,
        applies_to=entry.applies_to,
        kind=found.kind,
        detector=judged.entry.detector,
        wrong=doc or entry.breach,
        parameters=parameters(judged),
        needs=needs(judged),
        why=found.why,
        partly=entry.partly,
        remedy=entry.remedy,
        note=entry.note,
        conflicts_with=list(entry.conflicts_with),
        also=list(judged.also),
        worked=worked_case(judged.origin.book, judged.origin.clause),
        decides=[point(key, books) for key in keys],
        yields_to=list(entry.yields_to),
        origin="" if origin == (rules.name, found.id) else f"{origin.book} {origin.clause}",
    )


def _found(rules: Rulebook, clause: str) -> Clause:
    """Return a clause by its number, or by that of the book that a house's book extends."""
    if clause in rules.clauses:
        return rules.clauses[clause]
    for one in rules.clauses.values():
        if one.origin.clause == clause:
            return one
    near = get_close_matches(clause, rules.clauses, 12, 0.4)
    near += [one for one in rules.clauses if one.lower().startswith(clause.lower()[:3])]
    raise RulebookError(
        f"{rules.name} has no clause {clause!r}",
        f"Near it: {', '.join(list(dict.fromkeys(near))[:12])}."
        if near
        else f"handledger rules {rules.name} lists its clauses.",
    )


def parameters(clause: Clause) -> dict[str, object]:
    """Return the parameters that a clause is judged by, as plain values."""
    used = {key: msgspec.to_builtins(value) for key, value in clause.using}
    return used or dict(clause.entry.parameters)


def needs(clause: Clause) -> list[str]:
    """Return the facts that judging a clause takes."""
    return witness_names(clause.trait.needs) if clause.trait else list(clause.entry.facts)


def matrix(books: Sequence[Rulebook]) -> list[PointTold]:
    """Return every point with what each book decides there."""
    return [point(key, books) for key in POINTS]


def point(key: str, books: Sequence[Rulebook]) -> PointTold:
    """Return one point with what each book decides there."""
    told = POINTS[key]
    fallback = FALLBACKS[key].says if key in FALLBACKS else ""
    if key in FALLBACKS:
        fallback = f"{plain(FALLBACKS[key].value)}: {fallback}"
    answers = [_answer(rules, rules.policy.get(key)) for rules in books]
    return PointTold(key, SECTIONS[told.section], told.title, answers, fallback)


def _answer(rules: Rulebook, ruled: Ruling | None) -> Answer:
    if ruled is None:
        return Answer(rules.name, silent=True)
    value = msgspec.to_builtins(ruled.value)
    return Answer(rules.name, False, value, ruled.says or plain(value), list(ruled.clauses), ruled.literal)


def plain(value: object) -> str:
    """Write a value in words.

    >>> plain("draw-unless"), plain(True), plain([]), plain({"most": 1, "more": "nobody", "less": ""})
    ('draw unless', 'yes', 'none', 'most 1, more nobody')
    """
    value = msgspec.to_builtins(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(plain, value)) or "none"
    if isinstance(value, dict):
        told = ((key.replace("_", " "), one) for key, one in value.items())
        return ", ".join(f"{key} {plain(one)}" for key, one in told if one not in ("", None))
    return f"{value:g}" if isinstance(value, float) else str(value).replace("-", " ")


def worked_case(book: str, clause: str) -> str:
    """Return the page of worked cases of a clause: from the wheel, or from the checkout."""
    packed = resources.files(projections) / "cases" / book / f"{clause}.md"
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    beside = Path(projections.__path__[0]).resolve().parent / "tests" / "cases" / book / f"{clause}.md"
    return beside.read_text(encoding="utf-8") if beside.is_file() else ""
