"""Who sits where, as the lines before told: `stacks 3:500` is of whoever sits in seat 3."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.event import Event
from ledger.formats.handscript.places import Place
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.presence import SeatLeft, SeatMoved, SeatTaken
from ledger.vocabulary import PlayerId, Seat


class Chairs:
    """The players of each table by their seats, as far as lines named them."""

    def __init__(self) -> None:
        self._tables: dict[Place, dict[Seat, PlayerId]] = {}

    def at(self, place: Place, seat: Seat) -> PlayerId | None:
        """Return who sits in a seat; None: nobody was named, or who was has gone."""
        return self._tables.get(place, {}).get(seat)

    def learn(self, place: Place, events: Iterable[Event]) -> None:
        """Take what a section told of who sits where."""
        seats = self._tables.setdefault(place, {})
        for event in events:
            if isinstance(event, SeatDealtIn | SeatLeftOut | SeatTaken):
                seats[event.seat] = event.player
            elif isinstance(event, SeatMoved):
                seats.pop(event.origin, None)
                seats[event.to] = event.player
            elif isinstance(event, SeatLeft):
                for seat in [seat for seat, player in seats.items() if player == event.player]:
                    del seats[seat]
