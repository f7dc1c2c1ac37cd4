"""A record's values while it is told, with their places in the bytes."""

from __future__ import annotations

from ledger.errors import UnreadableHandError
from ledger.readers.documented import Recorded
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat, Street


class Hand(Recorded):
    """The hand being told."""

    __slots__ = ("all_in", "lying", "own", "seat_of")

    def begin(self) -> None:
        """Know nothing yet of what only this record tells."""
        self.seat_of: dict[int, Seat] = {}  # by playerId: those who are dealt in
        self.own = False  # somebody's hole cards are known from the deal
        self.all_in: bool | None = None  # the act being told takes a seat's last chips
        self.lying = 0  # how many cards the board has

    def amount(self, value: object) -> Chips | None:
        """Return the amount of `{"type": "BET", "amount": 0.04}`, None where there is none."""
        if not isinstance(value, dict) or "amount" not in value:
            return None
        return self.sum(value["amount"])

    def seat(self, value: object) -> Seat:
        """Return the seat of a `playerId`, 0 if nobody of that number is in the hand."""
        return self.seat_of.get(value, 0) if isinstance(value, int) else 0

    def street_of(self, cards: int) -> Street | None:
        """Return the street that so many new board cards begin, None if there is no such."""
        return {(0, 3): "flop", (3, 1): "turn", (4, 1): "river"}.get((self.lying, cards))  # type: ignore[return-value]  # all are streets


def chair(value: object) -> Seat:
    """Return a `seatId`, where the first one is 0, as a seat; what is none raises `UnreadableHandError`."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < SEATS - 1:
        return value + 1
    raise UnreadableHandError(f"there is no seat {str(value)[:20]}", kind="seat")
