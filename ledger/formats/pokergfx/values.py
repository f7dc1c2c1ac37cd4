"""The values of one hand of an export, each with its place in the bytes."""

from __future__ import annotations

from typing import Any

from ledger.readers import amounts
from ledger.readers.documented import Record
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.spans import elements
from ledger.vocabulary import Chips, Seat


class Gfx:
    """A hand's values, with their places, while it is told."""

    __slots__ = ("_counts", "boards", "data", "dealt", "flop", "places", "players", "spans", "told", "value")

    def __init__(self, data: bytes, place: tuple[int, int]) -> None:
        """Decode the hand at `place`; what is no such object raises `UnreadableHandError`."""
        record = Record(data, place)
        self.data, self.spans, self.value, self.places = data, record.spans, record.value, record.where
        flop = self.value.get("FlopDrawBlinds")
        self.flop: dict[str, Any] = flop if isinstance(flop, dict) else {}
        self.players: dict[Seat, dict[str, Any]] = {}
        self.dealt: dict[Seat, int] = {}  # seats that are dealt in → places of their players
        boards = self.value.get("NumBoards")
        self.boards = boards if type(boards) is int and 0 < boards < 10 else 1
        self._counts: dict[int, int] | None = None
        self.told: HandBuilder  # when the game is known

    def at(self, name: str) -> int:
        """Return the place of a member of the hand, of the hand itself where it is missing."""
        return self.places.get(name, self.places[""])

    def parts(self, name: str) -> list[tuple[int, Any]]:
        """Return the elements of a member that is a list, each with its place."""
        found = self.value.get(name)
        if not isinstance(found, list):
            return []
        at = self.at(name)
        where = elements(self.data, self.spans.starts[at], self.spans.lengths[at])
        return [(self.spans.add(*span), one) for span, one in zip(where, found, strict=True)]

    def chips(self, value: object) -> Chips:
        """Return an amount; what is missing is nothing."""
        return 0 if value is None else amounts.number(value, self.told.exponent)

    def spanning(self, first: int, last: int) -> int:
        """Return a place that reaches from one place to the end of another."""
        start = self.spans.starts[first]
        end = self.spans.starts[last] + self.spans.lengths[last]
        return self.spans.add(start, max(end - start, 0))

    def on_board(self, number: int) -> int:
        """Return how many cards the acts put on this board."""
        if self._counts is None:
            self._counts = {}
            found = self.value.get("Events")
            for event in found if isinstance(found, list) else ():
                if isinstance(event, dict) and event.get("BoardCards"):
                    board = event.get("BoardNum") or 1
                    if type(board) is int:
                        self._counts[board] = self._counts.get(board, 0) + 1
        return self._counts.get(number, 0)


def seat_of(value: object) -> Seat:
    """Return a `PlayerNum` as a seat, 0 where it is none."""
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 < value < SEATS
    return int(str(value)) if usable else 0
