"""What the reader of Everleaf's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.everleaf.words import amount
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.readers.names import Names
from ledger.vocabulary import Cards, Chips, Seat

Make: TypeAlias = "Callable[[Hand, Seat, Chips], None]"
"""Tells an act of so many chips."""

_known: Final[dict[int, dict[str, tuple[Make, Chips]]]] = {}
_KEPT: Final = 100_000


class Hand(Listed):
    """The hand being read."""

    __slots__ = ("acts_read", "called", "lines", "own", "shown", "speaking")

    def __init__(self, lines: Lines, people: People, venue: str, game: GameSet, at: int) -> None:
        super().__init__(lines, people, venue, game, at)
        self.lines = lines
        self.acts_read = _known.setdefault(game.exponent, {})
        if len(self.acts_read) > _KEPT:
            self.acts_read.clear()
        self.called = Names({})  # the names of the seats, when all are read
        self.speaking = Names({})  # the same with the colon that posts, bets and chat have
        self.own = False  # somebody's own cards are told
        self.shown: dict[Seat, Cards] = {}

    def clean(self, text: str) -> str:
        """Return an amount as `amounts.read` can read it."""
        bare = amount(text)
        if not bare:
            raise UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount")
        return bare
