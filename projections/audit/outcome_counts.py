"""Plans of how hands are judged, and counts of each clause's outcomes and missing facts over the hands of an audit."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, get_args

from ledger.event import Event
from ledger.replay import PlayedHand
from projections.audit.audit_result import sort_missing
from projections.audit.clause_plan import Verdict
from projections.books.rulebook import Clause, Rulebook
from projections.findings.detector import Detector
from projections.findings.finding import Coverage, Missing
from projections.findings.source_lines import build_hand_address

# Counts are kept in one flat list with a row for each clause and a column for each verdict.
_VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
_COLUMNS: Final[dict[Verdict, int]] = {verdict: column for column, verdict in enumerate(_VERDICTS)}
_WIDTH: Final = len(_VERDICTS)
(
    _CLEAN_COLUMN,
    _FOUND_COLUMN,
    _CANNOT_TELL_COLUMN,
    _NOT_APPLICABLE_COLUMN,
    _DID_NOT_COME_UP_COLUMN,
    _NOT_BUILT_COLUMN,
    _NO_JUDGEMENT_COLUMN,
) = range(_WIDTH)


class ClauseQuestion(NamedTuple):
    """A clause whose detector must run on a hand."""

    clause_index: int  # among all clauses of the audit
    clause: Clause
    detector: Detector
    unwitnessed_facts: str = ""  # facts that the source may leave out: without them the clause isn't settled


class SettledClause(NamedTuple):
    """A clause with the same verdict for all hands of a profile."""

    clause_index: int  # among all clauses of the audit
    verdict: Verdict
    fact: str  # the missing facts, joined by commas, if it can't tell


class PlanPart:
    """How hands of one profile are judged under one book."""

    __slots__ = ("cells", "missing", "questions", "settled_clauses")

    def __init__(self, questions: list[ClauseQuestion], settled_clauses: list[SettledClause]) -> None:
        self.questions = questions
        self.settled_clauses = settled_clauses
        # The positions in the list of counts that each hand of this plan adds 1 to.
        self.cells = array("I", [index * _WIDTH + _COLUMNS[verdict] for index, verdict, _ in settled_clauses])
        self.missing = [(index, fact) for index, _, facts in settled_clauses if facts for fact in facts.split(", ")]


class HandPlan:
    """How hands of one profile are judged under all books: which detectors run, and which clauses are settled."""

    __slots__ = ("lacks_facts", "parts", "questions")

    def __init__(self, parts: Sequence[PlanPart]) -> None:
        """Take the parts of the books, in their order."""
        self.parts = parts
        self.questions = [question for part in parts for question in part.questions]
        self.lacks_facts = any(part.missing for part in parts)


class NamedHand(NamedTuple):
    """A hand that the coverage may name."""

    number: int  # among all hands of the audit
    opened: Event  # its first event
    session: int


class _PlanHands:
    """The hands of one plan."""

    __slots__ = ("hand_count", "named_hands")

    def __init__(self) -> None:
        self.hand_count = 0
        self.named_hands: list[NamedHand] = []  # the first hands, up to the limit


class OutcomeCounter:
    """Counts the hands of an audit, clause by clause.

    Hands of one plan are counted together, so that a settled clause costs nothing per hand.
    """

    def __init__(self, clause_count: int, named_limit: int | None) -> None:
        """Take the number of clauses, and how many hands to name for each missing fact (None = all)."""
        self.hands = 0
        self._named_limit = named_limit
        self._hands_by_plan: dict[HandPlan, _PlanHands] = {}
        self._counts = [0] * (clause_count * _WIDTH)  # verdicts of the detectors that ran
        self._findings: defaultdict[int, int] = defaultdict(int)
        self._missing_counts: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._hands_missing: dict[tuple[int, str], list[NamedHand]] = {}

    def count_hand(self, plan: HandPlan) -> bool:
        """Count a hand of a plan; return whether the coverage may name it."""
        self.hands += 1
        plan_hands = self._hands_by_plan.get(plan)
        if plan_hands is None:
            plan_hands = self._hands_by_plan[plan] = _PlanHands()
        plan_hands.hand_count += 1
        return plan.lacks_facts and (self._named_limit is None or plan_hands.hand_count <= self._named_limit)

    def name_hand(self, plan: HandPlan, opened: Event, session: int) -> None:
        """Name the last counted hand for each missing fact of its plan."""
        self._hands_by_plan[plan].named_hands.append(NamedHand(self.hands, opened, session))

    def count_verdict(self, index: int, verdict: Verdict) -> None:
        """Count the verdict of a clause about the last hand."""
        self._counts[index * _WIDTH + _COLUMNS[verdict]] += 1

    def count_findings(self, index: int, count: int) -> None:
        """Add to the findings of a clause; a negative count subtracts."""
        self._findings[index] += count

    def count_missing(self, index: int, fact: str, hand: PlayedHand) -> None:
        """Count a fact that a clause lacked on the last hand."""
        self._missing_counts[index, fact] += 1
        named_hands = self._hands_missing.setdefault((index, fact), [])
        if self._named_limit is None or len(named_hands) < self._named_limit:
            named_hands.append(NamedHand(self.hands, hand.events[0], hand.session))

    def coverage(
        self, clauses: Sequence[tuple[Rulebook, Clause]], numbers: dict[tuple[str, str], int]
    ) -> list[Coverage]:
        """Return the coverage of all clauses. `numbers`: their indexes by book and clause."""
        counts = self._counts.copy()
        part_hands: defaultdict[PlanPart, int] = defaultdict(int)
        for plan, plan_hands in self._hands_by_plan.items():
            for part in plan.parts:
                part_hands[part] += plan_hands.hand_count
        for part, hand_count in part_hands.items():
            for cell in part.cells:
                counts[cell] += hand_count
        missing = self._list_missing()
        coverage = []
        for index, (book, clause) in enumerate(clauses):
            restated = clause.entry.restates
            counted_index = numbers[book.name, restated] if restated else index
            clause_counts = counts[counted_index * _WIDTH : (counted_index + 1) * _WIDTH]
            not_come_up = clause_counts[_DID_NOT_COME_UP_COLUMN]
            coverage.append(
                Coverage(
                    clause.id,
                    book.name,
                    clause.kind,
                    clause_counts[_CLEAN_COLUMN],
                    clause_counts[_FOUND_COLUMN],
                    clause_counts[_CANNOT_TELL_COLUMN],
                    clause_counts[_NOT_APPLICABLE_COLUMN] + not_come_up,
                    clause_counts[_NOT_BUILT_COLUMN],
                    clause_counts[_NO_JUDGEMENT_COLUMN],
                    0 if restated else self._findings.get(index, 0),
                    sort_missing(missing[counted_index]) if counted_index in missing else [],
                    not_come_up,
                )
            )
        return coverage

    def _list_missing(self) -> dict[int, list[Missing]]:
        """Return the missing facts by clause, with the first hands that lack them."""
        hand_counts = dict(self._missing_counts)
        hands_lacking = {key: [named_hands] for key, named_hands in self._hands_missing.items()}
        for plan, plan_hands in self._hands_by_plan.items():
            for key in [key for part in plan.parts for key in part.missing]:
                hand_counts[key] = hand_counts.get(key, 0) + plan_hands.hand_count
                hands_lacking.setdefault(key, []).append(plan_hands.named_hands)
        addresses: dict[int, str] = {}
        missing: dict[int, list[Missing]] = {}
        for (index, fact), hand_count in hand_counts.items():
            hand_lists = hands_lacking[index, fact]
            named_hands = hand_lists[0]
            if len(hand_lists) > 1:
                named_hands = sorted(chain.from_iterable(hand_lists), key=attrgetter("number"))
            named_addresses = []
            for number, opened, session in named_hands[: self._named_limit]:
                if number not in addresses:
                    addresses[number] = build_hand_address(opened, session)
                named_addresses.append(addresses[number])
            missing.setdefault(index, []).append(Missing(fact, hand_count, named_addresses))
        return missing
