"""Rules as tables: each row says for which facts it holds and what follows, and cites the points of a book.

No row knows a book. Which clause decides a point, each book says; `docs/rule-tables.md` prints them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

OutcomeT = TypeVar("OutcomeT")

ANY_FACT: Final = "any"
"""In a row: the fact doesn't matter."""

Fact: TypeAlias = str | bool
Facts: TypeAlias = tuple[Fact, ...]


class Rule(NamedTuple, Generic[OutcomeT]):
    """One row: what follows if every fact is as it says."""

    facts: Facts
    outcome: OutcomeT
    answer: str  # what follows, in words for a floor manager
    points: tuple[str, ...]  # of a book's policy

    def fits(self, facts: Facts) -> bool:
        """Whether the row holds for these facts."""
        return all(row_fact in (ANY_FACT, fact) for row_fact, fact in zip(self.facts, facts, strict=True))


class RuleTable(Generic[OutcomeT]):
    """Rows in their order: the first one that fits decides."""

    def __init__(
        self, question: str, columns: Mapping[str, tuple[Fact, ...]], rules: tuple[Rule[OutcomeT], ...]
    ) -> None:
        """Take the question, its facts with every answer that each can have, and the rows."""
        self.question = question
        self.columns = columns
        self.rules = rules
        self._outcomes: dict[Facts, OutcomeT] = {}
        for rule in reversed(rules):
            self._outcomes.update(dict.fromkeys(self._inputs_of(rule), rule.outcome))
        for facts in self.inputs():
            if facts not in self._outcomes:
                raise ValueError(f"{question} No row for {facts}.")

    def decide(self, *facts: Fact) -> OutcomeT:
        """Return what follows from the facts, given in the order of the columns."""
        return self._outcomes[facts]

    def rule_for(self, facts: Facts) -> Rule[OutcomeT]:
        """Return the first row that fits."""
        return next(rule for rule in self.rules if rule.fits(facts))

    def inputs(self) -> Iterator[Facts]:
        """Yield all facts that the table may be asked about."""
        return product(*self.columns.values())

    def _inputs_of(self, rule: Rule[OutcomeT]) -> Iterator[Facts]:
        """Yield all facts for which a row holds, whether or not another one comes before it."""
        row_answers = [
            answers if fact == ANY_FACT else (fact,)
            for fact, answers in zip(rule.facts, self.columns.values(), strict=True)
        ]
        return product(*row_answers)
