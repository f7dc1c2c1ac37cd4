"""Compare the blinds that each player paid with the blinds due under a book, hand by hand of a table.

A blind is due from a player who is dealt in and either has it by position or owes it. If the record or the book
leaves the dues of one seat open, dues and payments are None for everybody in that hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.table.events import HandPlayed
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.dues import Due, Placement

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_context import ContextsByBook

NON_BLIND_ROLES: Final = frozenset(
    {"straddle", "sleeper", "button-straddle", "mississippi", "restraddle", "ante", "bomb-pot", "penalty", "bring-in"}
)
"""Roles of posts that aren't blinds: nobody owes them by position."""


class BlindShare(NamedTuple):
    """One player's blinds in one hand. `due` and `paid` are None if the dues are unknown."""

    hand: HandPlayed
    orbit: int  # 1, 2, ...: how many times the button has started around the table
    player: PlayerId
    due: Chips | None
    paid: Chips | None


def iter_blind_shares(replay: Iterable[ContextsByBook], book: Rulebook) -> Iterator[BlindShare]:
    """Yield each dealt-in player's blinds due and paid, for every completed hand of a table's replay; skip voided ones."""
    orbit, last_button = 1, None
    for context in replay:
        hand = context.hand
        if hand.button is not None:
            if last_button is not None and hand.button <= last_button:
                orbit += 1
            last_button = hand.button
        if hand.voided or not hand.completed:
            continue
        amounts_paid = sum_blinds_paid(hand)
        amounts_due = _choose_amounts_due(context[book.name].due, hand, amounts_paid)
        for dealt_player in hand.dealt_in:
            amount_due = None if amounts_due is None else amounts_due.get(dealt_player.seat, 0)
            yield BlindShare(
                hand,
                orbit,
                dealt_player.player,
                amount_due,
                None if amount_due is None else amounts_paid.get(dealt_player.seat, 0),
            )


def sum_blinds_paid(hand: HandPlayed) -> dict[Seat, Chips]:
    """Return the blinds that each seat paid."""
    amounts: dict[Seat, Chips] = {}
    for post in hand.posts:
        if post.role not in NON_BLIND_ROLES:
            amounts[post.seat] = amounts.get(post.seat, 0) + post.live + post.dead
    return amounts


def _choose_amounts_due(due: Due, hand: HandPlayed, amounts_paid: dict[Seat, Chips]) -> dict[Seat, Chips] | None:
    """Return the dues by seat under the reading of the book nearest to the payments, or None if they are unknown.

    A seat that is all in owes no more than it paid.
    """
    if due.unknown or not due.placements:
        return None
    readings = [
        amounts
        for amounts in (sum_dues(placement, due, hand) for placement in due.placements if placement.judged)
        if amounts is not None
    ]
    if not readings:
        return None
    nearest = min(readings, key=lambda amounts: measure_gap(amounts, amounts_paid))
    all_in_seats = {post.seat for post in hand.posts if post.all_in}
    return {
        seat: min(chips, amounts_paid.get(seat, 0)) if seat in all_in_seats else chips
        for seat, chips in nearest.items()
    }


def sum_dues(placement: Placement, due: Due, hand: HandPlayed) -> dict[Seat, Chips] | None:
    """Return the dues of each dealt-in seat under one placement; None if they are unknown."""
    dealt_seats = {dealt_player.seat for dealt_player in hand.dealt_in}
    straddled_seats = {post.seat for post in hand.posts if post.role == "straddle"}
    posts = list(placement.posts)
    for seat_due in due.seats:
        if seat_due.seat not in dealt_seats:
            continue
        if seat_due.possible_posts:
            return None  # the record doesn't show whether the seat owes anything
        is_straddle_enough = any(way_in.kind == "straddle" for way_in in seat_due.ways_in)
        if not (is_straddle_enough and seat_due.seat in straddled_seats):
            posts += seat_due.post
    amounts: dict[Seat, Chips] = {}
    for post in posts:
        if post.live is None or post.dead is None:
            return None
        if post.seat in dealt_seats:
            amounts[post.seat] = amounts.get(post.seat, 0) + post.live + post.dead
    return amounts


def measure_gap(amounts_due: dict[Seat, Chips], amounts_paid: dict[Seat, Chips]) -> Chips:
    """Return by how many chips payments differ from dues, summed over all seats."""
    return sum(
        abs(amounts_due.get(seat, 0) - amounts_paid.get(seat, 0)) for seat in amounts_due.keys() | amounts_paid.keys()
    )
