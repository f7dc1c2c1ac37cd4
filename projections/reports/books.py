"""Rulebooks and their clauses, as documents and pages list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from projections.books.rulebook import Clause, Rulebook


class ClauseTold(msgspec.Struct):
    """A clause in the list of a book. `why`: what stands in place of a detector."""

    id: str
    says: str
    kind: str
    severity: str
    detector: str
    why: str


class BookTold(msgspec.Struct):
    """A rulebook. `extends`: the book and edition that a house's book changes."""

    name: str
    title: str
    edition: str
    digest: str
    clauses: int
    extends: str = ""


def book_told(book: Rulebook) -> BookTold:
    """Return what a list says of a book."""
    return BookTold(book.name, book.title, book.edition, book.digest, len(book.clauses), book.extends)


def clause_told(clause: Clause) -> ClauseTold:
    """Return what the list of a book says of a clause."""
    entry = clause.entry
    return ClauseTold(clause.id, entry.says, clause.kind, entry.severity, entry.detector, clause.why)
