"""Whose turn it was, asked while the act is taken, is what is asked before it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.hand.turn_order import TurnOrder
from ledger.vocabulary import Seat

SEATS = st.sets(st.integers(1, 10), min_size=2)


def order(seats: set[Seat], all_in: set[Seat], acted: set[Seat], last: Seat) -> TurnOrder:
    turns = TurnOrder()
    turns.deal_in_near(seats)
    for seat in all_in & seats:
        turns.all_in |= 1 << seat
    for seat in acted & seats:
        turns.to_act &= ~(1 << seat)
    turns.last_actor = last
    return turns


@given(seats=SEATS, all_in=SEATS, acted=SEATS, last=st.integers(1, 10), seat=st.integers(1, 10), reopens=st.booleans())
def test_a_turn_is_taken_as_it_is_asked_for(
    seats: set[Seat], all_in: set[Seat], acted: set[Seat], last: Seat, seat: Seat, reopens: bool
) -> None:
    asked, taken = (order(seats, all_in, acted, last) for _ in range(2))
    due = asked.next_seat(asked.to_act & ~asked.all_in)
    asked.act(seat, 1 << seat, reopens=reopens)
    assert taken.take_turn(seat, 1 << seat, reopens) == (seat == due)
    assert (taken.last_actor, taken.to_act, taken.live) == (asked.last_actor, asked.to_act, asked.live)


@given(seats=SEATS)
def test_seats_are_dealt_in_together_as_one_by_one(seats: set[Seat]) -> None:
    turn_order, apart = TurnOrder(), TurnOrder()
    turn_order.deal_in_near(seats)
    for seat in seats:
        apart.deal_in(seat)
    assert (turn_order.live, turn_order.to_act, turn_order.dealt_in) == (apart.live, apart.to_act, apart.dealt_in)
