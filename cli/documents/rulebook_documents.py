"""The documents about rulebooks: as those of `cli.documents.command_documents`, kept apart as they import what judges."""

from __future__ import annotations

import msgspec

from cli.documents.command_documents import CommandDocument
from projections.books.clause_page import ClauseExplanation, PolicyPoint
from projections.reports.book_documents import BookDocument, ClauseDocument


class RulesDocument(CommandDocument, tag="handledger/rules/1"):
    """The rulebooks; with a book its clauses; with a clause that one in full; the points of the matrix."""

    books: list[BookDocument]
    clauses: list[ClauseDocument]
    clause: ClauseExplanation | None = None
    points: list[PolicyPoint] = msgspec.field(default_factory=list)
    made: str = ""  # the file of a new book
    recorded: str = ""  # "adopt" or "retire": what was written into the house's record
