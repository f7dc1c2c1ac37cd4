"""Compare a hand with what was due: whether seats owe nothing, and whether button and posts match a placement."""

from __future__ import annotations

from typing import Final, TypeAlias

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, Seat
from projections.obligations.dues import Placement, SeatDue, collect_methods

_PostTerms: TypeAlias = tuple[Seat, str, Chips, Chips]
"""Seat, role, live and dead chips of a post."""

_REGULAR_BLINDS: Final = frozenset({"small", "big", "extra"})


def are_all_clear(seat_dues: tuple[SeatDue, ...]) -> bool:
    """Whether every seat plays on: it is dealt in, owes nothing and may have the button."""
    return all(
        seat_due.status == "playing"
        and seat_due.deal == "yes"
        and seat_due.button is not False
        and not seat_due.post
        and not seat_due.missed
        for seat_due in seat_dues
    )


def fits_a_placement(placements: tuple[Placement, ...], hand: HandPlayed) -> bool:
    """Whether a hand has the button and the posts of a placement, and no other posts but antes."""
    regular_posts: list[_PostTerms] = []
    for post in hand.posts:
        if post.role in _REGULAR_BLINDS:
            regular_posts.append((post.seat, post.role, post.live, post.dead))
        elif post.role != "ante":
            return False
    firm_placements = [placement for placement in placements if placement.judged and not placement.doubtful]
    matching_placements = [
        placement for placement in firm_placements if _has_positions_and_posts(hand, placement, regular_posts)
    ]
    # If the house may choose the method and the record doesn't name it, a hand that is right by one method only may be wrong.
    return bool(matching_placements) and (
        len(firm_placements) == len(matching_placements)
        or "dead" not in collect_methods(firm_placements)
        or collect_methods(firm_placements) == collect_methods(matching_placements)
    )


def _has_positions_and_posts(hand: HandPlayed, placement: Placement, regular_posts: list[_PostTerms]) -> bool:
    """Whether a hand has the button, the blinds and the posts of a placement. `regular_posts`: the hand's."""
    return (
        placement.button is not None
        and placement.button == hand.button
        and hand.small in (None, placement.small)
        and hand.big in (None, placement.big)
        and len(placement.posts) == len(regular_posts)
        and all(
            (due_post.seat, due_post.role, due_post.live, due_post.dead) in regular_posts
            for due_post in placement.posts
        )
    )
