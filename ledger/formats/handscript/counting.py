"""Numbers that are no money: `calls seat 4`, `with 3 cards`, `with a 25 chip`.

Small words are left out where a line is understood without them. A number that such a word makes a seat, a
count or a chip must not become chips of the act when the word is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.formats.handscript.context import Context
from ledger.formats.handscript.tokens import counted, quoted
from ledger.vocabulary import in_units

_BEFORE: Final = frozenset(("seat", "seats", "player", "players", "hand", "hands", "card", "cards", "deck", "table"))
_BEHIND: Final = frozenset(
    (
        *("card", "cards", "player", "players", "seat", "seats", "hand", "hands", "chip"),
        *("time", "times", "people", "callers", "caller", "pots", "seconds", "minutes"),
    )
)
_STACKS: Final = frozenset(("sits", "sit", "adds", "buys", "leaves", "rebuys", "removes", "counted", "is", "new"))
"""Acts whose `with 400 chips` is a stack."""


def marked(words: Sequence[str], context: Context) -> list[str]:
    """Return the words of a line with the numbers that are no money marked as such."""
    small = ["" if quoted(word) else word.lower() for word in words]
    return [
        counted(word) if at and is_number(small[at]) and _counts(small, at, context) else word
        for at, word in enumerate(words)
    ]


def is_number(word: str) -> bool:
    """Whether a word is a number and nothing else."""
    return word.replace(".", "", 1).isdecimal()


def _counts(small: Sequence[str], at: int, context: Context) -> bool:
    """Whether a number says how many, or which one, by the words around it."""
    before, behind, next_word = small[at - 1], *(*small[at + 1 : at + 3], "", "")[:2]
    names_next = behind in _BEFORE and is_number(next_word)  # `to 40 seat 3`
    if before in _BEFORE or (behind in _BEHIND and not names_next):
        return True
    few = is_few(small[at], context)
    if before in {"pot", "pots"}:
        return few
    if behind != "chips" or small[at + 2 : at + 3]:
        return False
    is_stack = small[0] in ("seat", "left-out") or small[1] in _STACKS
    return few or (not is_stack and "with" in small[:at])


def is_few(number: str, context: Context) -> bool:
    """Whether a number is less than the bet that a hand begins with: so many chips are pieces, not an amount."""
    game = context.state.game
    most = max(game.blinds, default=0) if game else 0
    return float(number) < float(in_units(most, context.scale)) if most else float(number) < _FEW


_FEW: Final = 10
"""So many chips may be pieces where nobody knows the blinds."""
