"""Amounts as text for findings, reports and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.readers.currencies import SIGNS
from ledger.vocabulary import Chips, in_units, shown_decimals

if TYPE_CHECKING:
    from ledger.hand.opening import GameSet


def amount(chips: Chips | None, unit: str, exponent: int) -> str:
    """Return an amount in units of 10^-exponent of `unit`, with its sign: `$12.50`, `1500`, `-€3`.

    Return `?` if the amount is unknown.

    >>> amount(1250, "USD", 2), amount(1200, "USD", 2), amount(-5, "chips", 0), amount(None, "USD", 2)
    ('$12.50', '$12', '-5', '?')
    """
    if chips is None:
        return "?"
    return f"{'-' * (chips < 0)}{SIGNS.get(unit, '')}{in_units(abs(chips), exponent)}"


class MoneyFormat:
    """Formats the amounts of one game."""

    def __init__(self, game: GameSet | None) -> None:
        """Create the format of a game's amounts. Without a game, amounts are plain numbers."""
        self.unit = game.unit if game else ""
        self.exponent = shown_decimals(game.exponent) if game else 0

    def __call__(self, chips: Chips | None) -> str:
        """Return `chips` as text in the game's unit."""
        return amount(chips, self.unit, self.exponent)
