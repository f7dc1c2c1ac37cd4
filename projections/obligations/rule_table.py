"""Rules as tables: each row lists the facts that it applies to, the outcome, and the policy points that decide it.

Rows are the same for all books. Each book's policy names its clauses for a point, and `docs/rule-tables.md` prints
rows and clauses side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

OutcomeT = TypeVar("OutcomeT")

ANY_FACT: Final = "any"
"""In a row: the value of this fact doesn't matter."""

Fact: TypeAlias = str | bool
Facts: TypeAlias = tuple[Fact, ...]


class Rule(NamedTuple, Generic[OutcomeT]):
    """One row of a table: the outcome if every fact matches."""

    facts: Facts
    outcome: OutcomeT
    answer: str  # the outcome in words, for a floor manager
    points: tuple[str, ...]  # keys of the policy points that decide it

    def fits(self, facts: Facts) -> bool:
        """Whether the row applies to these facts."""
        return all(row_fact in (ANY_FACT, fact) for row_fact, fact in zip(self.facts, facts, strict=True))


class RuleTable(Generic[OutcomeT]):
    """A table of rules: the first row that fits decides."""

    def __init__(
        self, question: str, columns: Mapping[str, tuple[Fact, ...]], rules: tuple[Rule[OutcomeT], ...]
    ) -> None:
        """Take the question, the facts with all values that each can have, and the rows.

        Raise `ValueError` unless there is a row for every combination.
        """
        self.question = question
        self.columns = columns
        self.rules = rules
        self._outcomes: dict[Facts, OutcomeT] = {}
        for rule in reversed(rules):
            self._outcomes.update(dict.fromkeys(self._iter_inputs_of(rule), rule.outcome))
        for facts in self.iter_inputs():
            if facts not in self._outcomes:
                raise ValueError(f"{question} No row for {facts}.")

    def decide(self, *facts: Fact) -> OutcomeT:
        """Return the outcome for these facts, given in the order of the columns."""
        return self._outcomes[facts]

    def find_rule(self, facts: Facts) -> Rule[OutcomeT]:
        """Return the first row that fits these facts."""
        return next(rule for rule in self.rules if rule.fits(facts))

    def iter_inputs(self) -> Iterator[Facts]:
        """Yield every combination of facts."""
        return product(*self.columns.values())

    def _iter_inputs_of(self, rule: Rule[OutcomeT]) -> Iterator[Facts]:
        """Yield the combinations of facts that a row fits, even if an earlier row fits as well."""
        row_values = [
            values if fact == ANY_FACT else (fact,)
            for fact, values in zip(rule.facts, self.columns.values(), strict=True)
        ]
        return product(*row_values)
