"""How hands of one profile are judged: which detectors run, and which clauses the profile settles."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, get_args

from projections.audit.clause_plan import Verdict
from projections.books.rulebook import Clause
from projections.findings.detector import Detector

# Counts are kept in one flat list with a row for each clause and a column for each verdict.
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
VERDICT_COLUMNS: Final[dict[Verdict, int]] = {verdict: column for column, verdict in enumerate(VERDICTS)}
VERDICT_COUNT: Final = len(VERDICTS)


class ClauseQuestion(NamedTuple):
    """A clause whose detector must run on a hand."""

    clause_index: int  # among all clauses of the audit
    clause: Clause
    detector: Detector
    unwitnessed_facts: tuple[str, ...] = ()  # needed facts that the source may leave out: a clean verdict isn't proven


class SettledClause(NamedTuple):
    """A clause with the same verdict for all hands of a profile."""

    clause_index: int  # among all clauses of the audit
    verdict: Verdict
    missing_facts: str  # joined by commas; empty unless the verdict is `cannot_tell`


@cache
def list_missing(settled_clause: SettledClause) -> tuple[tuple[int, str], ...]:
    """Return the clause's index with each fact that's missing. Equal clauses of all plans share the pairs."""
    return tuple((settled_clause.clause_index, fact) for fact in settled_clause.missing_facts.split(", "))


class PlanPart:
    """How hands of one profile are judged under one book."""

    __slots__ = ("cells", "missing", "questions", "settled_clauses")

    def __init__(self, questions: list[ClauseQuestion], settled_clauses: list[SettledClause]) -> None:
        self.questions = questions
        self.settled_clauses = settled_clauses
        # The indexes in the list of counts that each hand of this plan adds 1 to.
        self.cells = array(
            "I", [index * VERDICT_COUNT + VERDICT_COLUMNS[verdict] for index, verdict, _ in settled_clauses]
        )
        self.missing = [
            pair
            for settled_clause in settled_clauses
            if settled_clause.missing_facts
            for pair in list_missing(settled_clause)
        ]


class HandPlan:
    """How hands of one profile are judged under all books: which detectors run, and which clauses are settled."""

    __slots__ = ("lacks_facts", "parts", "questions")

    def __init__(self, parts: Sequence[PlanPart]) -> None:
        """Take the parts of the books, in their order."""
        self.parts = parts
        self.questions = [question for part in parts for question in part.questions]
        self.lacks_facts = any(part.missing for part in parts)
