"""What a room writes in its own way within this grammar: how hands begin, further words and lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ledger.formats.pokerstars.header import Head, Setup

if TYPE_CHECKING:
    from ledger.formats.pokerstars.hand import Hand
    from ledger.vocabulary import Cards, Street


class MakeSetup(Protocol):
    """Turns a header into the game; `exponent` None = as the currency has it."""

    def __call__(self, found: Head, *, exponent: int | None, play: bool) -> Setup: ...  # noqa: D102 - the class says it


Act: TypeAlias = "Callable[[Hand, int, str, int], bool]"
"""Reads what follows `Name: ` in line k of the seat; False where it is no such act."""

Again: TypeAlias = "Callable[[Hand, Street, list[Cards], int], int | None]"
"""Reads a street's heading in line k with its groups of cards; None where it is a usual one."""

Line: TypeAlias = "Callable[[Hand, str, int], bool]"
"""Reads line k; False where it is no such line."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A room's own way. PokerStars' words are always read; these come in where they do not fit."""

    name: str
    begins: Callable[[str], bool]  # a hand begins with this line
    head: Callable[[str], Head]
    setup: MakeSetup
    foreign: tuple[str, ...]  # how hands of other rooms begin
    breaks: tuple[str, ...]  # how lines begin that may end a hand
    witnesses: int
    acts: Mapping[str, Act] = field(default_factory=dict)  # by the first word behind the colon
    line: Line | None = None
    again: Again | None = None  # a street that is told once more, for a second board
    finish: Callable[[Hand], None] | None = None  # does what only the whole hand can tell
    always_showdown: bool = False  # its heading stands in every hand, also where nobody is left to show
