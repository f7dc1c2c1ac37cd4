"""What an audit counts: for each clause what became of it in how many hands, and which facts were wanting."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple, get_args

from ledger.event import Event
from ledger.replay import PlayedHand
from projections.audit.audit_result import by_count
from projections.audit.clause_plan import Verdict
from projections.books.rulebook import Clause, Rulebook
from projections.findings.detector import Detector
from projections.findings.finding import Coverage, Missing
from projections.findings.source_lines import address_of

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


class Ask(NamedTuple):
    """A clause whose detector looks at a hand."""

    number: int  # of the clause among all clauses of the audit
    clause: Clause
    run: Detector
    unwitnessed: str = ""  # of which facts it sees those that are written, and their absence proves nothing


class Settled(NamedTuple):
    """A clause whose verdict all hands of a profile share."""

    number: int  # of the clause among all clauses of the audit
    verdict: Verdict
    fact: str  # what is wanting, where it cannot tell


class PlanPart:
    """What hands of one profile have in common under one book."""

    __slots__ = ("asks", "cells", "missing", "settled")

    def __init__(self, asks: list[Ask], settled: list[Settled]) -> None:
        self.asks = asks
        self.settled = settled
        self.cells = array("I", [index * _WIDTH + _COLUMNS[verdict] for index, verdict, _ in settled])  # of the counts
        self.missing = [(index, fact) for index, _, facts in settled if facts for fact in facts.split(", ")]


class HandPlan:
    """What hands of one profile have in common: who is asked, and what is settled without asking."""

    __slots__ = ("asks", "lacks_facts", "parts")

    def __init__(self, parts: Sequence[PlanPart]) -> None:
        """Take the parts of the books, in their order."""
        self.parts = parts
        self.asks = [ask for part in parts for ask in part.asks]
        self.lacks_facts = any(part.missing for part in parts)


class NamedHand(NamedTuple):
    """A hand that the coverage may name."""

    number: int  # among all hands of the audit
    opened: Event  # its first event
    session: int


class _Planned:
    """The hands of one plan."""

    __slots__ = ("hands", "named")

    def __init__(self) -> None:
        self.hands = 0
        self.named: list[NamedHand] = []  # the first of them


class Tally:
    """Counts the hands of an audit, clause by clause."""

    def __init__(self, clause_count: int, named_most: int | None) -> None:
        """Take how many clauses there are, and how many hands are named for a missing fact; None = all."""
        self.hands = 0
        self._named_most = named_most
        self._planned: dict[HandPlan, _Planned] = {}
        self._counts = [0] * (clause_count * _WIDTH)  # of clauses that were asked
        self._findings: defaultdict[int, int] = defaultdict(int)
        self._lacking: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._wanting: dict[tuple[int, str], list[NamedHand]] = {}

    def count_hand(self, plan: HandPlan) -> bool:
        """Count a hand of a plan; return whether the coverage may name it."""
        self.hands += 1
        plan_hands = self._planned.get(plan)
        if plan_hands is None:
            plan_hands = self._planned[plan] = _Planned()
        plan_hands.hands += 1
        return plan.lacks_facts and (self._named_most is None or plan_hands.hands <= self._named_most)

    def name_hand(self, plan: HandPlan, opened: Event, session: int) -> None:
        """Name the last hand wherever facts are missing that its plan lacks."""
        self._planned[plan].named.append(NamedHand(self.hands, opened, session))

    def count_verdict(self, index: int, verdict: Verdict) -> None:
        """Count what a clause that was asked answered about the last hand."""
        self._counts[index * _WIDTH + _COLUMNS[verdict]] += 1

    def count_findings(self, index: int, count: int) -> None:
        """Count findings of a clause; less than 0 takes some out."""
        self._findings[index] += count

    def count_missing(self, index: int, fact: str, hand: PlayedHand) -> None:
        """Count a fact that a clause lacked on the last hand."""
        self._lacking[index, fact] += 1
        named_hands = self._wanting.setdefault((index, fact), [])
        if self._named_most is None or len(named_hands) < self._named_most:
            named_hands.append(NamedHand(self.hands, hand.events[0], hand.session))

    def coverage(
        self, clauses: Sequence[tuple[Rulebook, Clause]], numbers: dict[tuple[str, str], int]
    ) -> list[Coverage]:
        """Return the coverage of all clauses; `numbers` are their indexes by book and clause."""
        counts = self._counts.copy()
        part_hands: defaultdict[PlanPart, int] = defaultdict(int)
        for plan, planned in self._planned.items():
            for part in plan.parts:
                part_hands[part] += planned.hands
        for part, hands in part_hands.items():
            for cell in part.cells:
                counts[cell] += hands
        missing = self._missing()
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
                    by_count(missing[counted_index]) if counted_index in missing else [],
                    not_come_up,
                )
            )
        return coverage

    def _missing(self) -> dict[int, list[Missing]]:
        """Return the facts that are wanting, by clause, with the first hands that lack them."""
        hand_counts = dict(self._lacking)
        hands_lacking = {key: [named_hands] for key, named_hands in self._wanting.items()}
        for plan, plan_hands in self._planned.items():
            for key in [key for part in plan.parts for key in part.missing]:
                hand_counts[key] = hand_counts.get(key, 0) + plan_hands.hands
                hands_lacking.setdefault(key, []).append(plan_hands.named)
        addresses: dict[int, str] = {}
        missing: dict[int, list[Missing]] = {}
        for (index, fact), hand_count in hand_counts.items():
            hands_by_source = hands_lacking[index, fact]
            named_hands = hands_by_source[0]
            if len(hands_by_source) > 1:
                named_hands = sorted(chain.from_iterable(hands_by_source), key=attrgetter("number"))
            named_addresses = []
            for number, opened, session in named_hands[: self._named_most]:
                if number not in addresses:
                    addresses[number] = address_of(opened, session)
                named_addresses.append(addresses[number])
            missing.setdefault(index, []).append(Missing(fact, hand_count, named_addresses))
        return missing
