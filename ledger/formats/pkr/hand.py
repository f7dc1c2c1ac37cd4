"""What the reader of PKR's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.pkr.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat

Make: TypeAlias = "Callable[[Hand, Seat, Chips, bool | None], None]"
"""Tells an act of so many chips, all-in or not."""

_known: Final[dict[int, dict[str, tuple[Make, Chips, bool | None]]]] = {}
_KEPT: Final = 100_000


class Hand(Listed):
    """The hand being read."""

    __slots__ = ("acts_read", "bought", "called", "ends", "lines", "own", "rake", "shown")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.acts_read = _known.setdefault(game.exponent, {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.called = Names({})  # the names of the seats, when all are read
        self.own = False  # somebody's own cards are told
        self.shown: dict[Seat, Cards] = {}
        self.rake = 0
        self.bought: set[Seat] = set()  # who bought chips: the stack at the end counts them
        self.ends: dict[Seat, tuple[Chips, int]] = {}  # stacks at the end, and where they stand
