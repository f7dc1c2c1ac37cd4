"""All rule tables, by the headings that the docs print them under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from projections.obligations.button_rights import BUTTON_RIGHTS
from projections.obligations.entry_terms import ENTRIES
from projections.obligations.missed_blinds import ABSENCES
from projections.obligations.move_costs import FAR_MOVES, MOVES
from projections.obligations.return_terms import RETURNS
from projections.obligations.round_debts import ROUND_DEBTS
from projections.obligations.rule_table import RuleTable
from projections.obligations.seat_standing import BUST_RETURNS, STANDINGS

RULE_TABLES: Final[Mapping[str, RuleTable[Any]]] = {
    "Dealing a player in": STANDINGS,
    "A new player": ENTRIES,
    "A blind goes past a seat": ABSENCES,
    "Coming back after missed blinds": RETURNS,
    "Coming back after going broke": BUST_RETURNS,
    "Changing seats": MOVES,
    "Moving past several players": FAR_MOVES,
    "Blinds still owed this round": ROUND_DEBTS,
    "Who may have the button": BUTTON_RIGHTS,
}
