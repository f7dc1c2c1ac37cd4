"""What the reader of Winamax's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.formats.winamax.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.lines import Lines
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat

Make: TypeAlias = "Callable[[Hand, Seat, Chips, bool | None], None] | partial[None]"
Told: TypeAlias = tuple[Make, Chips, bool | None]
"""An act that was read before: how it is told, its amount, whether it is all-in."""

_known: Final[dict[int, dict[str, Told]]] = {}
_KEPT: Final = 100_000


def _acts(exponent: int) -> dict[str, Told]:
    found = _known.get(exponent)
    if found is None or len(found) > _KEPT:
        found = _known[exponent] = {}
    return found


class Hand(HandBuilder):
    """The hand being read."""

    __slots__ = ("called", "known", "lines", "own", "posting", "run", "seeded", "shown", "thrown")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.known = _acts(game.exponent)
        self.called = Names({})  # the names of the seats, when all are read
        self.posting = True  # before the first betting
        self.run = 1
        self.seeded = 0  # chips that the room added
        self.own = False  # somebody's own cards are told
        self.shown: dict[Seat, Cards] = {}
        self.thrown: dict[Seat, int] = {}  # cards discarded in this draw
