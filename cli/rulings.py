"""The documents about rulebooks: as those of `cli.documents`, kept apart as they import what judges."""

from __future__ import annotations

import msgspec

from cli.documents import Document
from projections.explaining import Explained, PointTold


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


class RulesDocument(Document, tag="handledger/rules/1"):
    """The rulebooks; with a book its clauses; with a clause that one in full; the points of the matrix."""

    books: list[BookTold]
    clauses: list[ClauseTold]
    clause: Explained | None = None
    points: list[PointTold] = msgspec.field(default_factory=list)
    made: str = ""  # the file of a new book
    recorded: str = ""  # "adopt" or "retire": what was written into the house's record
