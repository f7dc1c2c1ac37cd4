"""What the reader of OnGame's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from ledger.formats.ongame.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.telling.hand import Telling
from ledger.telling.lines import Lines
from ledger.telling.names import Names
from ledger.vocabulary import Cards, Seat, Street


class Hand(Telling):
    """The hand being read."""

    __slots__ = ("called", "dealt", "holds", "lines", "own", "thrown")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.called = Names({})  # the names of the seats, when all are read
        self.own = False  # somebody's own cards are told
        self.dealt: dict[Street, Cards] = {}  # the board, street by street
        self.holds: dict[Seat, Cards] = {}  # cards that are told of a seat's hand
        self.thrown: dict[Seat, int] = {}  # where the discards of a draw stand among the events
