"""The evaluator of hands of cards, loaded when the first hand is ranked.

It is a compiled package. A program that asks who posts which blind ranks no hand, and WebAssembly has no such package.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from ledger.vocabulary import DECK

CARD_NUMBERS: Final = {card: number for number, card in enumerate(DECK)}
"""What the evaluator calls each card. Its own lookup by name is slow."""


@cache
def load_evaluator() -> Callable[..., int]:
    """Return the function that ranks five to seven cards, by name or by number; the lowest rank is the best hand."""
    from phevaluator.evaluator import evaluate_cards  # noqa: PLC0415 - see above

    return evaluate_cards  # type: ignore[no-any-return]  # the package has no types


@cache
def load_omaha_evaluator() -> Callable[..., int]:
    """Return the function that ranks five cards of the board with four in hand, all by number."""
    from phevaluator.evaluator_omaha import evaluate_plo4_cards  # noqa: PLC0415 - see above

    return evaluate_plo4_cards  # type: ignore[no-any-return]  # the package has no types
