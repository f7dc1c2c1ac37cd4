"""Mark numbers that aren't money: `calls seat 4`, `with 3 cards`, `with a 25 chip`.

Filler words are dropped from lines. A number that is a seat, a count or a chip because of a filler word must not turn
into an act's amount when the word is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.formats.handscript.context import Context
from ledger.formats.handscript.tokens import is_quoted, make_counted
from ledger.vocabulary import in_units

_NOUNS_BEFORE: Final = frozenset(
    ("seat", "seats", "player", "players", "hand", "hands", "card", "cards", "deck", "table")
)
_NOUNS_AFTER: Final = frozenset(
    (
        *("card", "cards", "player", "players", "seat", "seats", "hand", "hands", "chip"),
        *("time", "times", "people", "callers", "caller", "pots", "seconds", "minutes"),
    )
)
_STACK_VERBS: Final = frozenset(("sits", "sit", "adds", "buys", "leaves", "rebuys", "removes", "counted", "is", "new"))
"""Acts whose `with 400 chips` is a stack."""


def mark_counts(words: Sequence[str], context: Context) -> list[str]:
    """Mark the numbers in a line that aren't money."""
    lowered = ["" if is_quoted(word) else word.lower() for word in words]
    return [
        make_counted(word) if index and is_number(lowered[index]) and _is_count(lowered, index, context) else word
        for index, word in enumerate(words)
    ]


def is_number(word: str) -> bool:
    """Whether a word is a number and nothing else."""
    return word.replace(".", "", 1).isdecimal()


def _is_count(lowered: Sequence[str], index: int, context: Context) -> bool:
    """Whether a number is a count or an ordinal, by the words around it."""
    previous_word, following_word, next_word = lowered[index - 1], *(*lowered[index + 1 : index + 3], "", "")[:2]
    names_next = following_word in _NOUNS_BEFORE and is_number(next_word)  # `to 40 seat 3`
    if previous_word in _NOUNS_BEFORE or (following_word in _NOUNS_AFTER and not names_next):
        return True
    is_small = is_few(lowered[index], context)
    if previous_word in {"pot", "pots"}:
        return is_small
    if following_word != "chips" or lowered[index + 2 : index + 3]:
        return False
    is_stack = lowered[0] in ("seat", "left-out") or lowered[1] in _STACK_VERBS
    return is_small or (not is_stack and "with" in lowered[:index])


def is_few(number: str, context: Context) -> bool:
    """Whether a number is less than a hand's first bet, so that it counts chips instead of their value."""
    game = context.state.game
    largest_blind = max(game.blinds, default=0) if game else 0
    return (
        float(number) < float(in_units(largest_blind, context.scale))
        if largest_blind
        else float(number) < _MAX_CHIP_PIECES
    )


_MAX_CHIP_PIECES: Final = 10
"""The highest number that may count chips if the blinds are unknown."""
