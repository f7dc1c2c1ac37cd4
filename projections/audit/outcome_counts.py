"""Counts of each clause's outcomes and missing facts over the hands of an audit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from ledger.event import Event
from ledger.replay import HandReplay
from projections.audit.audit_result import sort_missing
from projections.audit.clause_plan import Verdict
from projections.audit.hand_plan import VERDICT_COLUMNS, VERDICT_COUNT, VERDICTS, HandPlan, PlanPart
from projections.books.rulebook import Clause, Rulebook
from projections.findings.finding import Coverage, Missing
from projections.findings.source_lines import build_hand_address


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

    Hands of one plan are counted together, so that a clause whose outcome the plan already settles costs nothing per
    hand.
    """

    def __init__(self, clause_count: int, named_limit: int | None) -> None:
        """Take the number of clauses, and how many hands to name for each missing fact; None names all of them."""
        self.hand_count = 0
        self._named_limit = named_limit
        self._hands_by_plan: dict[HandPlan, _PlanHands] = {}
        self._counts = [0] * (clause_count * VERDICT_COUNT)  # verdicts of the detectors that ran
        self._findings: defaultdict[int, int] = defaultdict(int)
        self._missing_counts: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._hands_missing: dict[tuple[int, str], list[NamedHand]] = {}

    def count_hand(self, plan: HandPlan, hand: HandReplay) -> None:
        """Count a hand of a plan, and remember it if the coverage may name it for a missing fact of the plan."""
        self.hand_count += 1
        plan_hands = self._hands_by_plan.get(plan)
        if plan_hands is None:
            plan_hands = self._hands_by_plan[plan] = _PlanHands()
        plan_hands.hand_count += 1
        if plan.lacks_facts and (self._named_limit is None or plan_hands.hand_count <= self._named_limit):
            plan_hands.named_hands.append(NamedHand(self.hand_count, hand.events[0], hand.session))

    def count_verdict(self, index: int, verdict: Verdict) -> None:
        """Count the verdict of a clause about the last hand."""
        self._counts[index * VERDICT_COUNT + VERDICT_COLUMNS[verdict]] += 1

    def count_findings(self, index: int, count: int) -> None:
        """Add to the findings of a clause; a negative count subtracts."""
        self._findings[index] += count

    def count_missing(self, index: int, fact: str, hand: HandReplay) -> None:
        """Count a fact that a clause lacked on the last hand."""
        self._missing_counts[index, fact] += 1
        named_hands = self._hands_missing.setdefault((index, fact), [])
        if self._named_limit is None or len(named_hands) < self._named_limit:
            named_hands.append(NamedHand(self.hand_count, hand.events[0], hand.session))

    def build_coverage(
        self, clauses: Sequence[tuple[Rulebook, Clause]], clause_indexes: dict[tuple[str, str], int]
    ) -> list[Coverage]:
        """Return the coverage of all clauses. `clause_indexes`: their indexes by the names of the book and the clause.

        A clause that restates another isn't judged: it gets the outcomes of the restated clause, but no findings.
        """
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
            judged_index = clause_indexes[book.name, restated] if restated else index
            row_start = judged_index * VERDICT_COUNT
            verdict_counts = dict(zip(VERDICTS, counts[row_start : row_start + VERDICT_COUNT], strict=True))
            coverage.append(
                Coverage(
                    clause=clause.id,
                    book=book.name,
                    kind=clause.kind,
                    clean=verdict_counts["clean"],
                    found=verdict_counts["found"],
                    cannot_tell=verdict_counts["cannot_tell"],
                    not_applicable=verdict_counts["not_applicable"] + verdict_counts["did_not_come_up"],
                    not_built=verdict_counts["not_built"],
                    no_judgement=verdict_counts["no_judgement"],
                    findings=0 if restated else self._findings.get(index, 0),
                    missing=sort_missing(missing[judged_index]) if judged_index in missing else [],
                    did_not_come_up=verdict_counts["did_not_come_up"],
                )
            )
        return coverage

    def _list_missing(self) -> dict[int, list[Missing]]:
        """Return the missing facts by clause, with the first hands that lack them."""
        hand_counts = dict(self._missing_counts)
        plans_lacking: defaultdict[tuple[int, str], list[_PlanHands]] = defaultdict(list)
        for plan, plan_hands in self._hands_by_plan.items():
            for part in plan.parts:
                for key in part.missing:
                    hand_counts[key] = hand_counts.get(key, 0) + plan_hands.hand_count
                    plans_lacking[key].append(plan_hands)
        addresses: dict[int, str] = {}
        missing: dict[int, list[Missing]] = {}
        for (index, fact), hand_count in hand_counts.items():
            named_hands = list(self._hands_missing.get((index, fact), ()))
            for plan_hands in plans_lacking.get((index, fact), ()):
                named_hands += plan_hands.named_hands
            named_hands.sort(key=attrgetter("number"))
            named_addresses = []
            for number, opened, session in named_hands[: self._named_limit]:
                if number not in addresses:
                    addresses[number] = build_hand_address(opened, session)
                named_addresses.append(addresses[number])
            missing.setdefault(index, []).append(Missing(fact, hand_count, named_addresses))
        return missing
