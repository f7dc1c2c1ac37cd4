"""What the reader of Absolute Poker's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from ledger.formats.absolute.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Seat


class Hand(Listed):
    """The hand being read."""

    __slots__ = ("called", "lines", "own", "shown")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.called = Names({})  # the names of the seats, when all are read
        self.own = False  # somebody's own cards are told
        self.shown: dict[Seat, Cards] = {}
