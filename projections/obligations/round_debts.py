"""Which blinds a player still owes this round after a hand, as a table of rules."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable


class RoundDebt(NamedTuple):
    """How a hand changes the blinds that a player owes this round."""

    keeps_old: bool  # what was owed before is still owed, less what was posted
    adds: Literal["nothing", "smaller", "all"]  # `smaller`: the blinds smaller than the one posted


_POSITION_POINTS: Final = ("blinds.when_button_moves",)
_OWED_POINTS: Final = ("blinds.when_button_moves", "blinds.order")
ROUND_DEBTS: Final = RuleTable(
    "A hand is over. Which blinds does a player still owe this round?",
    {
        "blinds are placed": ("position", "owed", "none"),
        "had the furthest blind": (True, False),
        "the last positions are known": (True, False),
        "left a blind unpaid that was reported": (True, False),
        "the furthest blind reached or passed the seat": (True, False),
    },
    (
        Rule(
            ("position", True, ANY_FACT, ANY_FACT, ANY_FACT),
            RoundDebt(keeps_old=False, adds="smaller"),
            "The smaller blinds: they come with the next hands.",
            _POSITION_POINTS,
        ),
        Rule(
            ("position", False, ANY_FACT, ANY_FACT, ANY_FACT),
            RoundDebt(keeps_old=False, adds="nothing"),
            "None. Blinds go with the position.",
            _POSITION_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, False, ANY_FACT, ANY_FACT),
            RoundDebt(keeps_old=False, adds="smaller"),
            "The blinds smaller than the one posted. Nothing before is known.",
            _OWED_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, True, True),
            RoundDebt(keeps_old=False, adds="all"),
            "All blinds of the new round, less those posted. The old one is settled by the report.",
            _OWED_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, True, False),
            RoundDebt(keeps_old=False, adds="nothing"),
            "None. The old one is settled by the report.",
            _OWED_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, False, True),
            RoundDebt(keeps_old=True, adds="all"),
            "All blinds of the new round and those still owed, less those posted.",
            _OWED_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, False, False),
            RoundDebt(keeps_old=True, adds="nothing"),
            "Those still owed, less those posted.",
            _OWED_POINTS,
        ),
    ),
)
