"""The JSON list entries of rulebooks and their clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from projections.books.rulebook import Clause, Rulebook


class ClauseDocument(msgspec.Struct):
    """A clause in the list of a book. `why` is the reason that it has no detector, or "" if it has one."""

    id: str
    says: str
    kind: str
    severity: str
    detector: str
    why: str


class BookDocument(msgspec.Struct):
    """A rulebook in the list of books.

    `clauses` is the number of its clauses. `extends` is the book and edition that a house book changes, or "".
    """

    name: str
    title: str
    edition: str
    digest: str
    clauses: int
    extends: str = ""


def build_book(book: Rulebook) -> BookDocument:
    """Return the list entry of a book."""
    return BookDocument(book.name, book.title, book.edition, book.digest, len(book.clauses), book.extends)


def build_clause(clause: Clause) -> ClauseDocument:
    """Return the list entry of a clause."""
    entry = clause.entry
    return ClauseDocument(clause.id, entry.says, clause.kind, entry.severity, entry.detector, clause.no_detector_reason)
