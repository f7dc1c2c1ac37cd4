"""Sentences on jackpot and promotion funds: what hands took for them, and what they paid."""

from __future__ import annotations

from typing import Final, Literal

from ledger.text.language import phrase, translatable

Fund = Literal["jackpot", "promotion"]
_PAID_AND_GOT: Final[dict[Fund, str]] = {
    "jackpot": translatable(
        "The jackpot fund paid {player} {due_amount}, but {amount} in prizes was added to the stack"
    ),
    "promotion": translatable(
        "The promotion fund paid {player} {due_amount}, but {amount} in prizes was added to the stack"
    ),
}
_PAID_MORE: Final[dict[Fund, str]] = {
    "jackpot": translatable(
        "The jackpot fund paid {amount}, and the hands took {drops} for it. What it held before isn't on record, so "
        "nobody can say what is left."
    ),
    "promotion": translatable(
        "The promotion fund paid {amount}, and the hands took {drops} for it. What it held before isn't on record, so "
        "nobody can say what is left."
    ),
}
_STRANGER: Final[dict[Fund, str]] = {
    "jackpot": translatable(
        "The jackpot fund paid {player} {amount}, and the record doesn't show that player at the table."
    ),
    "promotion": translatable(
        "The promotion fund paid {player} {amount}, and the record doesn't show that player at the table."
    ),
}
_REPEATED: Final[dict[Fund, str]] = {
    "jackpot": translatable(
        "The jackpot fund paid {player} {amount} twice with no hand in between: one payment may be written twice."
    ),
    "promotion": translatable(
        "The promotion fund paid {player} {amount} twice with no hand in between: one payment may be written twice."
    ),
}


def paid_and_got(fund: Fund, player: str, amount: str, due_amount: str) -> str:
    """Say that a player's stack got another prize than the funds paid."""
    return phrase(_PAID_AND_GOT[fund], player=player, amount=amount, due_amount=due_amount)


def paid_more_than_taken(fund: Fund, amount: str, drops: str) -> str:
    """Say that a fund paid more than the hands took for it."""
    return phrase(_PAID_MORE[fund], amount=amount, drops=drops)


def paid_stranger(fund: Fund, player: str, amount: str) -> str:
    """Say that a fund paid somebody whom the record doesn't show at the table."""
    return phrase(_STRANGER[fund], player=player, amount=amount)


def paid_twice(fund: Fund, player: str, amount: str) -> str:
    """Say that the same payment is on record twice."""
    return phrase(_REPEATED[fund], player=player, amount=amount)


def prize_without_payment(player: str, amount: str) -> str:
    """Say that a stack got a prize and no fund paid it."""
    return phrase(
        "{player} got {amount} in prizes, and no payment from a fund is on record.", player=player, amount=amount
    )
