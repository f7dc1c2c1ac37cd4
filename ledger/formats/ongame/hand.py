"""What the reader of OnGame's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.ongame.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.lines import Lines
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat, Street

Make: TypeAlias = "Callable[[Hand, Seat, Chips, bool | None], None]"
"""Tells an act of so many chips, all-in or not."""

_known: Final[dict[int, dict[str, tuple[Make, Chips, bool | None]]]] = {}
_KEPT: Final = 100_000


class Hand(HandBuilder):
    """The hand being read."""

    __slots__ = ("acts_read", "called", "chairs", "dealt", "holds", "lines", "own", "thrown")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.acts_read = _known.setdefault(game.exponent, {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.chairs: dict[Seat, str] = {}  # names by seat
        self.called = Names({})  # the names of the seats, when all are read
        self.own = False  # somebody's own cards are told
        self.dealt: dict[Street, Cards] = {}  # the board, street by street
        self.holds: dict[Seat, Cards] = {}  # cards that are told of a seat's hand
        self.thrown: dict[Seat, int] = {}  # where the discards of a draw stand among the events
