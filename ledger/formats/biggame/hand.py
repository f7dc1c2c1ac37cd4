"""A call's values while they are told, with their places."""

from __future__ import annotations

from typing import Any, Final

from ledger.formats.biggame.literal import Literal
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.documented import JsonHandBuilder
from ledger.vocabulary import Chips, Seat

_PLAIN: Final = 10**12


class Hand(JsonHandBuilder):
    """The hand being told."""

    __slots__ = ("button", "held", "lying", "runs", "where")

    def __init__(self, data: bytes, found: Literal, people: People, venue: str, game: GameSet, at: int) -> None:
        """Begin the hand of the call `found`; its first part is place `at`."""
        super().__init__(data, found.spans, people, venue, game, at)
        self.where = found.where
        self.button: Seat = 0
        self.held: list[tuple[int, Seat, Any]] = []  # place, seat and cards of who is dealt in
        self.lying = 0  # how many cards the board has
        self.runs = 1

    def left(self, seat: Seat) -> Chips:
        """Return what a seat has not put in yet; of one whose chips nobody told, more than any bet."""
        stack = self.stacks[seat]
        return 10**18 if stack is None else max(stack - self.put_in[seat], 0)

    def sum(self, value: object) -> Chips:
        """Return a number as an amount; what is none raises `UnreadableHandError`."""
        if type(value) is int and not self.exponent and value < _PLAIN:
            return value
        return amounts.number(value, self.exponent)

    def closed(self) -> bool:
        """Whether nobody can bet any more: of those who hold cards, one at most has chips left."""
        live = [seat for seat in self.stacks if seat not in self.folded]
        return sum(self.left(seat) > 0 for seat in live) < 2
