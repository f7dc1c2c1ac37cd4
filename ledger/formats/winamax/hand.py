"""What the reader of Winamax's text knows of a hand beyond what every reader does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ledger.formats.winamax.words import VENUE
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.telling.hand import Telling
from ledger.telling.lines import Lines
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


class Hand(Telling):
    """The hand being read."""

    __slots__ = (
        "by_word",
        "known",
        "lines",
        "own",
        "plain",
        "posting",
        "run",
        "seeded",
        "shown",
        "thrown",
    )

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.lines = lines
        self.known = _acts(game.exponent)
        self.by_word: dict[str, list[str]] = {}  # names by their first word, longest first
        self.plain: dict[str, Seat] = {}  # seats of names of one word that begins no other name
        self.posting = True  # before the first betting
        self.run = 1
        self.seeded = 0  # chips that the room added
        self.own = False  # somebody's own cards are told
        self.shown: dict[Seat, Cards] = {}
        self.thrown: dict[Seat, int] = {}  # cards discarded in this draw

    def learn_names(self) -> None:
        """Take note of the names, for `whose`."""
        for name in self.names():
            self.by_word.setdefault(name.partition(" ")[0], []).append(name)
        for name, seat in self.seats.items():
            if self.by_word.get(name) == [name]:
                self.plain[name] = seat

    def whose(self, text: str) -> tuple[str, str] | None:
        """Part `Name rest`, the longest name that fits: names hold blanks and any words."""
        for name in self.by_word.get(text.partition(" ")[0], ()):
            if text.startswith(" ", len(name)) and text.startswith(name):
                return name, text[len(name) + 1 :]
        return None
