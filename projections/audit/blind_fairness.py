"""Compare the blinds that each player paid with the blinds due under a book, hand by hand of a table.

A blind is due from a player who is dealt in and has it by position or owes it. If the record or the book leaves
the dues open, the hand counts for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.dues import Due, Placement

if TYPE_CHECKING:
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_context import TableWalk

NO_BLINDS: Final = frozenset(
    {"straddle", "sleeper", "button-straddle", "mississippi", "restraddle", "ante", "bomb-pot", "penalty", "bring-in"}
)
"""Roles of posts that no position requires."""


class BlindShare(NamedTuple):
    """One player's blinds in one hand. `due` and `paid` are None if the dues are unknown."""

    hand: HandPlayed
    orbit: int  # 1, 2, ...: the button's trip around this table
    player: PlayerId
    due: Chips | None
    paid: Chips | None


def iter_blind_shares(entries: Iterable[Told], table_walk: TableWalk, book: Rulebook) -> Iterator[BlindShare]:
    """Yield the blinds due and paid of each player dealt in, for each hand of a table's stream that counted."""
    orbit, last_button = 1, None
    for context in table_walk.contexts(entries):
        hand = context.hand
        if hand.button is not None:
            if last_button is not None and hand.button <= last_button:
                orbit += 1
            last_button = hand.button
        if hand.voided or not hand.completed:
            continue
        amounts_paid = blinds_paid(hand)
        amounts_due = _amounts_due(context[book.name].due, hand, amounts_paid)
        for dealt_seat in hand.dealt_in:
            amount_due = None if amounts_due is None else amounts_due.get(dealt_seat.seat, 0)
            yield BlindShare(
                hand,
                orbit,
                dealt_seat.player,
                amount_due,
                None if amount_due is None else amounts_paid.get(dealt_seat.seat, 0),
            )


def blinds_paid(hand: HandPlayed) -> dict[Seat, Chips]:
    """Return the blinds that each seat paid."""
    amounts: dict[Seat, Chips] = {}
    for post in hand.posts:
        if post.role not in NO_BLINDS:
            amounts[post.seat] = amounts.get(post.seat, 0) + post.live + post.dead
    return amounts


def _amounts_due(due: Due, hand: HandPlayed, amounts_paid: dict[Seat, Chips]) -> dict[Seat, Chips] | None:
    """Return the dues by seat, by the reading nearest to the record; None if they are unknown."""
    if due.unknown or not due.placements:
        return None
    readings = [
        amounts
        for amounts in (dues_by_seat(placement, due, hand) for placement in due.placements if placement.judged)
        if amounts is not None
    ]
    if not readings:
        return None
    nearest = min(readings, key=lambda amounts: payment_gap(amounts, amounts_paid))
    all_in_seats = {post.seat for post in hand.posts if post.all_in}
    return {
        seat: min(chips, amounts_paid.get(seat, 0)) if seat in all_in_seats else chips
        for seat, chips in nearest.items()
    }


def dues_by_seat(place: Placement, due: Due, hand: HandPlayed) -> dict[Seat, Chips] | None:
    """Return the dues of each seat dealt in, by one reading of the rules; None if they are unknown."""
    dealt_seats = {dealt_seat.seat for dealt_seat in hand.dealt_in}
    straddled_seats = {post.seat for post in hand.posts if post.role == "straddle"}
    posts = list(place.posts)
    for seat in due.seats:
        if seat.seat in dealt_seats:
            if seat.possible_posts:
                return None  # the record leaves open whether it owes
            if not (seat.seat in straddled_seats and any(settlement.kind == "straddle" for settlement in seat.ways_in)):
                posts += seat.post  # unless the book lets a straddle take its place
    amounts: dict[Seat, Chips] = {}
    for post in posts:
        if post.live is None or post.dead is None:
            return None
        if post.seat in dealt_seats:
            amounts[post.seat] = amounts.get(post.seat, 0) + post.live + post.dead
    return amounts


def payment_gap(due: dict[Seat, Chips], paid: dict[Seat, Chips]) -> Chips:
    """Return the chips paid too much or too little, summed over all seats."""
    return sum(abs(due.get(seat, 0) - paid.get(seat, 0)) for seat in due.keys() | paid.keys())
