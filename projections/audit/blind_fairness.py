"""What each player paid in blinds beside what was due under a book, hand by hand of a table's walk.

A blind is due from whoever is dealt in and has it by position or owes it. Where the record or the book
leaves open what was due, the hand counts as one that cannot be told, and neither side of it is counted.
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
"""Posts that nobody owes for a position."""


class Share(NamedTuple):
    """One player in one hand. `due` and `paid` None: it cannot be told what was due."""

    hand: HandPlayed
    orbit: int  # 1, 2, ...: how often the button came round at this table
    player: PlayerId
    due: Chips | None
    paid: Chips | None


def shares(told: Iterable[Told], table: TableWalk, book: Rulebook) -> Iterator[Share]:
    """Yield for each hand of a table's stream that counted what was due from whoever was dealt in, and what was paid."""
    orbit, last_button = 1, None
    for context in table.contexts(told):
        hand = context.hand
        if hand.button is not None:
            if last_button is not None and hand.button <= last_button:
                orbit += 1
            last_button = hand.button
        if hand.voided or not hand.completed:
            continue
        amounts_paid = paid_in(hand)
        amounts_due = _amounts_due(context[book.name].due, hand, amounts_paid)
        for dealt_seat in hand.dealt_in:
            amount_due = None if amounts_due is None else amounts_due.get(dealt_seat.seat, 0)
            yield Share(
                hand,
                orbit,
                dealt_seat.player,
                amount_due,
                None if amount_due is None else amounts_paid.get(dealt_seat.seat, 0),
            )


def paid_in(hand: HandPlayed) -> dict[Seat, Chips]:
    """Return what each seat paid in blinds."""
    amounts: dict[Seat, Chips] = {}
    for post in hand.posts:
        if post.role not in NO_BLINDS:
            amounts[post.seat] = amounts.get(post.seat, 0) + post.live + post.dead
    return amounts


def _amounts_due(due: Due, hand: HandPlayed, amounts_paid: dict[Seat, Chips]) -> dict[Seat, Chips] | None:
    """Return what was due by seat, by the reading that the record fits best; None: it cannot be told."""
    if due.unknown or not due.placements:
        return None
    readings = [
        amounts
        for amounts in (by_seat(placement, due, hand) for placement in due.placements if placement.judged)
        if amounts is not None
    ]
    if not readings:
        return None
    nearest = min(readings, key=lambda amounts: apart(amounts, amounts_paid))
    all_in_seats = {post.seat for post in hand.posts if post.all_in}
    return {
        seat: min(chips, amounts_paid.get(seat, 0)) if seat in all_in_seats else chips
        for seat, chips in nearest.items()
    }


def by_seat(place: Placement, due: Due, hand: HandPlayed) -> dict[Seat, Chips] | None:
    """Return what was due from each seat that was dealt in, by one reading; None: it cannot be told."""
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


def apart(due: dict[Seat, Chips], paid: dict[Seat, Chips]) -> Chips:
    """Return by how much what was paid is not what was due, over all seats."""
    return sum(abs(due.get(seat, 0) - paid.get(seat, 0)) for seat in due.keys() | paid.keys())
