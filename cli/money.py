"""The amounts of one game, as people write them."""

from __future__ import annotations

from ledger.hand.opening import GameSet
from ledger.vocabulary import Chips
from projections.amounts import amount


class Money:
    """The amounts of one game."""

    def __init__(self, game: GameSet | None) -> None:
        """Take the game; without one, amounts are plain numbers."""
        self.unit = game.unit if game else ""
        self.exponent = min(game.exponent, 18) if game else 0

    def __call__(self, chips: Chips | None) -> str:
        """Return `chips` as people write it."""
        return amount(chips, self.unit, self.exponent)
