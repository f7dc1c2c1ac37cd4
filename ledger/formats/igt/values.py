"""A hand's values while it is told, with their places in the bytes."""

from __future__ import annotations

from typing import Any

from ledger.errors import UnreadableHandError
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.documented import Recorded
from ledger.readers.spans import Spans
from ledger.vocabulary import Chips, Seat


class Hand(Recorded):
    """The hand being told."""

    __slots__ = ("dealt", "lain", "lying", "own", "small")

    def __init__(
        self,
        data: bytes,
        spans: Spans,
        where: dict[str, int],
        people: People,
        venue: str,
        game: GameSet,
        value: dict[str, Any],
    ) -> None:
        """Begin the hand of the record `value`; `where` holds the places of its members by name."""
        super().__init__(data, spans, where, people, venue, game, value)
        self.dealt = False  # every seat has its cards
        self.own: dict[Seat, str] = {}  # the cards of whose record it is
        self.lying = 0  # how many cards the board has
        self.lain = ""  # these cards
        self.small: Seat = 0  # who posted it

    def sum(self, value: object) -> Chips | None:
        """Return an amount, None where there is none; less than nothing raises `UnreadableHandError`."""
        if value is None or value == "":
            return None
        found = amounts.number(value, self.exponent)
        if found < 0:
            raise UnreadableHandError(f"the amount {str(value)[:40]} is below 0", kind="amount")
        return found

    def seat(self, one: dict[str, Any]) -> Seat:
        """Return the seat of an object's `player`, 0 if nobody of that name is dealt in."""
        name = one.get("player")
        return self.seats.get(name, 0) if isinstance(name, str) else 0


def digits(value: object) -> int | None:
    """Return a number that may stand there as text, None where there is none."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value)
    usable = 0 < len(text) <= 15 and text.isascii() and text.isdigit()
    return int(text) if usable else None
