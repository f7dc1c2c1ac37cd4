"""Follow whose turn it is, clockwise, even if players act out of turn.

A set of seats is an int: seat 3 is `1 << 3`. Seats above 63 take the next free bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from ledger.vocabulary import Chips, Seat

SeatBits: TypeAlias = int

NEAR_SEATS: Final = 64
"""Seats below this number have the bit of their number."""


class TurnOrder:
    """The seats that hold a hand, that can bet, that have yet to act, and the seat that acted last."""

    live: SeatBits  # hold a hand
    all_in: SeatBits  # have nothing to bet: by stack, by the record, or by the house's cap
    to_act: SeatBits  # have a decision left, if they can bet
    acted: SeatBits  # acted on this street
    dealt_in: SeatBits
    last_actor: Seat | None  # the next turn is after this seat
    far_seats: list[Seat]  # seats above 63, in the order of their bits

    __slots__ = (*__annotations__, "_far_places")

    def __init__(self) -> None:
        self.live = self.all_in = self.to_act = self.acted = self.dealt_in = 0
        self.last_actor = None
        self.far_seats = []
        self._far_places: dict[Seat, int] = {}  # bits of far seats are large numbers, so they aren't stored

    @property
    def able(self) -> SeatBits:
        """The seats that hold a hand and can bet."""
        return self.live & ~self.all_in

    def bit_of(self, seat: Seat) -> SeatBits:
        """Return a seat's bit. A seat without one gets the next."""
        if 0 <= seat < NEAR_SEATS:
            return 1 << seat
        place = self._far_places.get(seat)
        if place is None:
            place = self._far_places[seat] = NEAR_SEATS + len(self.far_seats)
            self.far_seats.append(seat)
        return 1 << place

    def deal_in(self, seat: Seat) -> None:
        """Give a seat a hand and a turn."""
        bit = self.bit_of(seat)
        self.live |= bit
        self.to_act |= bit
        self.dealt_in |= bit

    def deal_in_near(self, seats: Iterable[Seat]) -> None:
        """Give a hand and a turn to seats below 64."""
        for seat in seats:
            self.live |= 1 << seat
        self.to_act = self.dealt_in = self.live

    def act(self, seat: Seat, bit: SeatBits, *, reopens: bool = False) -> None:
        """Note an act, in turn or not. A wager gives the others their turn again."""
        self.acted |= bit
        self.last_actor = seat
        self.to_act = (self.live if reopens else self.to_act) & ~bit

    def take_turn(self, seat: Seat, bit: SeatBits, reopens: bool = False) -> bool:
        """Note an act, and return whether it was in turn. All seats must be below 64, and the last actor known."""
        waiting, after_last = self.to_act & ~self.all_in, (self.last_actor or 0) + 1
        later_bits = waiting >> after_last << after_last or waiting
        self.last_actor = seat
        self.to_act = (self.live if reopens else self.to_act) & ~bit
        return bit == later_bits & -later_bits

    def leave(self, seat: Seat) -> None:
        """Take out a seat that folded or whose hand was killed."""
        bit = self.bit_of(seat)
        self.live &= ~bit
        self.to_act &= ~bit

    def return_hand(self, seat: Seat, *, owes: bool) -> None:
        """Put a retrieved hand back. If it owes chips, it must act again."""
        bit = self.bit_of(seat)
        self.live |= bit
        if owes:
            self.to_act |= bit

    def begin_street(self, button: Seat | None) -> None:
        """Give a turn to everybody who can bet, or to nobody if fewer than two can."""
        self.acted = 0
        self.last_actor = button
        able = self.live & ~self.all_in
        self.to_act = able if able & (able - 1) else 0

    def begin_again(self) -> None:
        """Give all dealt-in seats their hand and turn back, as after a misdeal."""
        self.live = self.to_act = self.dealt_in
        self.acted = 0
        self.last_actor = None

    def waiting(self, bets: dict[Seat, Chips], bet_to_call: Chips) -> SeatBits:
        """Return the seats that have a decision left.

        If all others are all-in, a seat has one only if it owes chips.
        """
        live = self.live
        able = live & ~self.all_in
        waiting = self.to_act & able
        if not waiting or not live & (live - 1):
            return 0
        if not able & (able - 1) and bets.get(self.seats_of(waiting)[0], 0) >= bet_to_call:
            return 0
        return waiting

    def next_seat(self, waiting: SeatBits) -> Seat | None:
        """Return the first of these seats after the last actor, or None if the order is unknown."""
        last_actor = self.last_actor
        if not waiting or last_actor is None:
            return None
        if not self.far_seats and 0 <= last_actor < NEAR_SEATS:
            later_bits = waiting >> (last_actor + 1) << (last_actor + 1) or waiting
            return (later_bits & -later_bits).bit_length() - 1
        if len(self.far_seats) > NEAR_SEATS:
            return None  # no table has so many players, so their order is unknown
        seats = self.seats_of(waiting)
        return min((seat for seat in seats if seat > last_actor), default=seats[0])

    def in_turn(self, waiting: SeatBits) -> tuple[Seat, ...]:
        """Return these seats in order, from the first after the last actor."""
        seats, last = self.seats_of(waiting), self.last_actor
        if last is None:
            return tuple(seats)
        return tuple([seat for seat in seats if seat > last] + [seat for seat in seats if seat <= last])

    def seats_of(self, bits: SeatBits) -> list[Seat]:
        """Return a set of seats as a list, the lowest first."""
        return seats_of(bits, self.far_seats)


def seats_of(bits: SeatBits, far_seats: list[Seat]) -> list[Seat]:
    """Return a set of seats, the lowest first; `far_seats` are those whose bit is not their number's."""
    seats = []
    while bits:
        low = bits & -bits
        index = low.bit_length() - 1
        seats.append(index if index < NEAR_SEATS else far_seats[index - NEAR_SEATS])
        bits ^= low
    return sorted(seats) if far_seats else seats
