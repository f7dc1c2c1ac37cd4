"""What the reader of PokerTracker's exports knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.formats.pokertracker.words import Frame
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat

Make: TypeAlias = "Callable[[Hand, Seat, Chips, bool | None], None]"
"""Tells an act of so many chips, all-in or not."""

_known: Final[dict[tuple[str, int], dict[str, tuple[Make, Chips, bool | None]]]] = {}
_KEPT: Final = 100_000


class Hand(Listed):
    """The hand being read. `adds`: the number of a raise is what it adds, not the street's total."""

    __slots__ = (
        "acts_read",
        "adds",
        "begun",
        "button",
        "called",
        "declared",
        "ended_at",
        "ends",
        "frame",
        "lines",
        "misfits",
        "own",
        "posted",
        "raked",
        "shown",
    )

    def __init__(self, lines: Lines, people: People, venue: str, frame: Frame, game: GameSet, at: int) -> None:
        super().__init__(lines, people, venue, game, at)
        self.lines = lines
        self.frame = frame
        self.button = 0  # where the dealer's mark stands among the events, 0 = nowhere
        self.acts_read = _known.setdefault((frame, game.exponent), {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.called = Names({})  # the names as acts begin with them, when all are read
        self.adds = False
        self.begun = False  # cards are dealt: what comes before are posts
        self.misfits = 0  # calls that reach another bet than the highest
        self.own = False  # somebody's own cards are told
        self.raked = False  # a line tells the rake
        self.declared: Chips | None = None  # the pot that a line tells, with the rake
        self.posted: dict[Seat, Chips] = {}  # before the deal
        self.shown: dict[Seat, Cards] = {}
        self.ends: dict[Seat, tuple[Chips, int]] = {}  # stacks at the end, and where they stand
        self.ended_at = -1

    def fits(self) -> bool:
        """Tell whether every call reaches the highest bet, and no more is paid than was put in."""
        return not self.misfits and self.paid + self.taken <= sum(self.put_in)
