"""How hands of one profile are judged: which detectors run, and which clauses the profile settles."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
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
        self.missing = [(index, fact) for index, _, facts in settled_clauses if facts for fact in facts.split(", ")]


class HandPlan:
    """How hands of one profile are judged under all books: which detectors run, and which clauses are settled."""

    __slots__ = ("lacks_facts", "parts", "questions")

    def __init__(self, parts: Sequence[PlanPart]) -> None:
        """Take the parts of the books, in their order."""
        self.parts = parts
        self.questions = [question for part in parts for question in part.questions]
        self.lacks_facts = any(part.missing for part in parts)
