"""Rule tables: all facts have a row, each row is reached, and the first that fits decides."""

from __future__ import annotations

import pytest

from projections.obligations.policy import POINTS
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.rule_tables import RULE_TABLES


@pytest.mark.parametrize("heading", RULE_TABLES)
def test_every_fact_has_a_row_and_every_row_is_reached(heading: str) -> None:
    table = RULE_TABLES[heading]
    rules = [table.find_rule(facts) for facts in table.iter_inputs()]
    assert [rule for rule in table.rules if rule not in rules] == []
    for facts, rule in zip(table.iter_inputs(), rules, strict=True):
        assert table.decide(*facts) == rule.outcome == next(rule for rule in table.rules if rule.fits(facts)).outcome


@pytest.mark.parametrize("heading", RULE_TABLES)
def test_rows_name_facts_of_their_columns_and_points_of_books(heading: str) -> None:
    table = RULE_TABLES[heading]
    for rule in table.rules:
        for fact, (column, answers) in zip(rule.facts, table.columns.items(), strict=True):
            assert fact == ANY_FACT or fact in answers, (column, fact)
        assert rule.points
        assert set(rule.points) <= POINTS.keys()
        assert rule.answer.endswith(".")


def test_a_table_that_lacks_a_row_is_not_made() -> None:
    with pytest.raises(ValueError, match="No row for"):
        RuleTable("May it act?", {"has chips": (True, False)}, (Rule((True,), "yes", "Yes.", ("missed.acted",)),))
