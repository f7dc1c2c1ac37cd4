"""What a wrong button or blind leads to: hand by hand as it should have gone on, until the game is back in step.

The table is walked twice in one: up to the hand as it was played; from there each hand's button and blinds
are put where the book wants them after the hands before it, as if they had been there all along. Whoever
got cards got them. The game is back in step at the first hand whose record fits that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from ledger.table.events import HandPlayed, Post
from ledger.vocabulary import Chips, Seat
from projections.finding import Share
from projections.obligations.due import Due, Placement
from projections.reports.fairness import NO_BLINDS, by_seat, paid_in

if TYPE_CHECKING:
    from ledger.table.standing import Told
    from projections.rulebook import Rulebook
    from projections.table_context import Table

MOST: Final = 60
"""Hands that are followed: a game that is not in step by then will not be."""


class Spots(msgspec.Struct, frozen=True):
    """Where button and blinds are; None = nowhere, or not told."""

    button: Seat | None
    small: Seat | None
    big: Seat | None


class OutOfStep(msgspec.Struct, frozen=True):
    """A hand that was not played as it should have been. `money`: what seats paid too much, or too little (negative)."""

    number: str
    stream: str
    recorded: Spots
    should: Spots
    money: list[Share]


class KnockOn(msgspec.Struct):
    """The hands from a wrong one until the game is back in step, and what each seat paid too much over them."""

    hands: list[OutOfStep]
    money: list[Share]
    in_step: str  # number of the hand with which the game is back in step; "" = the record does not show it
    why: str  # why it is not followed farther; "" = it is back in step
    unit: str = ""
    exponent: int = 0


def knock_on(told: Iterable[Told], table: Table, book: Rulebook, stream: str) -> KnockOn:
    """Follow what a hand leads to; `stream` is its id, hex. `table` is an empty one, under the book."""
    found = KnockOn([], [], "", "the record ends")
    sums: dict[Seat, Chips] = {}
    begun = False
    for sat in table.contexts(told):
        hand = sat.hand
        begun = begun or hand.hand == stream
        if hand.voided and hand.hand == stream:
            found.why = "the hand did not count"
            break
        if not begun or hand.voided:
            continue
        found.unit, found.exponent = hand.unit, hand.exponent
        due = sat[book.name].due
        place = due.place
        if due.unknown or place is None:
            found.why = due.unknown or "the book says nothing of this hand"
            break
        if any(_fits(one, hand) for one in due.placements):
            if hand.hand == stream:
                found.why = "its button and blinds are where the book wants them"
            else:
                found.in_step, found.why = hand.number, ""
            break
        if len(found.hands) == MOST:
            found.why = f"{MOST} hands were followed"
            break
        owed = by_seat(place, due, hand)
        if owed is None:
            found.why = f"what was due on hand {hand.number} cannot be told"
            break
        paid = paid_in(hand)
        money = {seat: paid.get(seat, 0) - owed.get(seat, 0) for seat in sorted(owed.keys() | paid.keys())}
        for seat, chips in money.items():
            sums[seat] = sums.get(seat, 0) + chips
        found.hands.append(
            OutOfStep(
                hand.number,
                hand.hand,
                Spots(hand.button, _at(hand, "small"), _at(hand, "big")),
                Spots(place.button, place.small, place.big),
                [Share(seat, chips) for seat, chips in money.items() if chips],
            )
        )
        sat.hand = _as_due(hand, place, due)
    found.money = [Share(seat, chips) for seat, chips in sorted(sums.items()) if chips]
    return found


def _at(hand: HandPlayed, role: str) -> Seat | None:
    """Return where the record has a blind: where it says that it is, else who posted it."""
    told = hand.small if role == "small" else hand.big
    return told if told is not None else next((post.seat for post in hand.posts if post.role == role), None)


def _fits(place: Placement, hand: HandPlayed) -> bool:
    """Whether the record has button and blinds there, as far as it tells them."""
    told = (hand.button, _at(hand, "small"), _at(hand, "big"))
    return all(was in (None, wanted) for was, wanted in zip(told, (place.button, place.small, place.big), strict=True))


def _as_due(hand: HandPlayed, place: Placement, due: Due) -> HandPlayed:
    """Return a hand as it should have been played, as far as the table remembers it."""
    dealt = {one.seat for one in hand.dealt_in}
    wanted = [*place.posts, *(post for seat in due.seats if seat.seat in dealt for post in seat.post)]
    posts = [Post(one.seat, one.role, one.live or 0, one.dead or 0) for one in wanted if one.seat in dealt]
    beside = [post for post in hand.posts if post.role in NO_BLINDS]
    return replace(hand, button=place.button, small=place.small, big=place.big, posts=(*posts, *beside))
