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
    queried_order, taken_order = (order(seats, all_in, acted, last) for _ in range(2))
    due = queried_order.next_seat(queried_order.to_act & ~queried_order.all_in)
    queried_order.act(seat, 1 << seat, reopens=reopens)
    assert taken_order.take_turn(seat, 1 << seat, reopens) == (seat == due)
    assert (taken_order.last_actor, taken_order.to_act, taken_order.live) == (
        queried_order.last_actor,
        queried_order.to_act,
        queried_order.live,
    )


@given(seats=SEATS)
def test_seats_are_dealt_in_together_as_one_by_one(seats: set[Seat]) -> None:
    turn_order, single_order = TurnOrder(), TurnOrder()
    turn_order.deal_in_near(seats)
    for seat in seats:
        single_order.deal_in(seat)
    assert (turn_order.live, turn_order.to_act, turn_order.dealt_in) == (
        single_order.live,
        single_order.to_act,
        single_order.dealt_in,
    )
