"""Every rule table, by the heading under which the docs print it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from projections.obligations.button_round import ROUND_DEBTS
from projections.obligations.missed_blinds import ABSENCES
from projections.obligations.return_terms import RETURNS
from projections.obligations.rule_table import RuleTable

RULE_TABLES: Final[Mapping[str, RuleTable[Any]]] = {
    "A blind goes past a seat": ABSENCES,
    "Coming back after missed blinds": RETURNS,
    "Blinds still owed this round": ROUND_DEBTS,
}
