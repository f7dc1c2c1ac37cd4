"""Tell the way in which a seat is dealt in from its alternatives."""

from __future__ import annotations

from projections.obligations.dues import Due, Placement, SeatDue, WayIn


def must_kill_pot(seat_due: SeatDue) -> bool:
    """Whether a seat must kill the pot to be dealt in, for an amount that the book doesn't give."""
    return any(post.role == "kill" and post.live is None for post in seat_due.post)


def is_current_way(way_in: WayIn, seat_due: SeatDue, placement: Placement | None) -> bool:
    """Whether a seat is dealt in this way anyway, so that it isn't an alternative."""
    if seat_due.deal == "if-posts":
        return way_in.is_on_this_hand and way_in.kind == ("kill" if must_kill_pot(seat_due) else "post")
    if seat_due.deal == "yes":
        is_big_blind_now = way_in.kind == "big-blind" and way_in.is_on_this_hand and _has_big_blind(seat_due, placement)
        return way_in.kind == "free" or is_big_blind_now
    return False


def _has_big_blind(seat_due: SeatDue, placement: Placement | None) -> bool:
    return placement is not None and seat_due.deal == "yes" and placement.big == seat_due.seat


def may_wait_for_big_blind(seat_due: SeatDue, due: Due, alternatives: list[WayIn]) -> bool:
    """Whether a seat may wait instead of taking the big blind now. False if waiting is already an alternative."""
    if not _has_big_blind(seat_due, due.place) or any(way_in.kind == "big-blind" for way_in in alternatives):
        return False
    return any(seat_due.seat in choice.waiting for choice in due.choices)
