"""Chips that a wrong moved between seats. Where the record cannot tell who has them, nothing is said.

What every detector may give as `money`: pairs of seat and chips too many (negative: too few) that
sum to zero, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ledger.hand.acts import Act
from ledger.hand.betting import ChipsReturned
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.opening import AntePosted, BlindPosted, PostReturned
from ledger.vocabulary import Chips, Seat
from projections.timeline.hand_timeline import Timeline

Money: TypeAlias = tuple[tuple[Seat, Chips], ...]


def balanced(parts: Mapping[Seat, Chips]) -> Money:
    """Return the parts that are not nothing if they sum to zero, otherwise nothing.

    >>> balanced({1: 5, 2: -5, 3: 0}), balanced({1: 5})
    (((1, 5), (2, -5)), ())
    """
    nonzero = tuple((seat, chips) for seat, chips in sorted(parts.items()) if chips)
    return nonzero if not sum(chips for _, chips in nonzero) else ()


def from_pot(hand: Timeline, kept: Mapping[Seat, Chips]) -> Money:
    """Return who has what if seats kept chips that belonged in the pot (negative: put in too many).

    Whoever won the pot has the other side of it; with several winners nobody can tell whose it is.
    """
    pot_share = -sum(kept.values())
    parts = dict(kept)
    if pot_share:
        winners = [seat for seat, chips in hand.played.final.chips.awarded.items() if chips > 0]
        if len(winners) != 1:
            return ()
        parts[winners[0]] = parts.get(winners[0], 0) + pot_share
    return balanced(parts)


def posted(hand: Timeline, due: Mapping[Seat, tuple[Chips, Chips]]) -> Money:
    """Return what it moved that these seats posted other amounts than were `due` (live, dead).

    A live chip counts toward the bet: who called or raised to as much later is not out by it. Where
    what a seat would have done with the right post is anybody's guess, nothing is said.
    """
    surplus_by_seat: dict[Seat, Chips] = {}
    for seat, (live, dead) in due.items():
        surplus = _surplus_from_posts(hand, seat, live, dead)
        if surplus is None:
            return ()
        surplus_by_seat[seat] = surplus
    return from_pot(hand, surplus_by_seat)


def _surplus_from_posts(hand: Timeline, seat: Seat, live: Chips, dead: Chips) -> Chips | None:
    """Return the chips that a seat has more because its posts were short of what was due."""
    was_live, was_dead = hand.once("posted by seat", lambda: _posted_by_seat(hand)).get(seat, (0, 0))
    first_act = hand.once("first acts preflop", lambda: _first_acts(hand)).get(seat)
    if was_live == live or (first_act is not None and first_act.added and first_act.to >= max(live, was_live)):
        return dead - was_dead
    if first_act is not None and first_act.kind == "fold":
        return live + dead - was_live - was_dead
    return None


def _posted_by_seat(hand: Timeline) -> dict[Seat, tuple[Chips, Chips]]:
    """Return what each seat posted live and dead, without antes."""
    posted_chips: dict[Seat, tuple[Chips, Chips]] = {}
    for _, post in hand.standing_posts():
        live, dead = posted_chips.get(post.seat, (0, 0))
        if isinstance(post, BlindPosted):
            posted_chips[post.seat] = live + post.live, dead + post.dead
        elif not isinstance(post, AntePosted):
            posted_chips[post.seat] = live + post.amount, dead
    return posted_chips


def _first_acts(hand: Timeline) -> dict[Seat, Act]:
    """Return the first act of each seat before the flop."""
    by_seat: dict[Seat, Act] = {}
    for act in hand.acts:
        if act.street == "preflop":
            by_seat.setdefault(act.seat, act)
    return by_seat


def paid_instead(hand: Timeline, seat: Seat, got: Chips | None = None) -> Money:
    """Return what moved if a seat was paid chips that its only rival at the showdown should have.

    `got` None: all that it was paid.
    """
    chips = hand.played.final.chips.awarded.get(seat, 0) if got is None else got
    live = hand.ended.live if hand.ended is not None else hand.live
    rivals = [rival for rival in live if rival != seat and hand.find_muck(rival) is None]
    return balanced({seat: chips, rivals[0]: -chips}) if len(rivals) == 1 else ()


def split(due: Iterable[tuple[Seat, Chips, Chips]]) -> Money:
    """Return what moved if seats were paid (second) other than what was theirs (first)."""
    return balanced({seat: paid_chips - owed_chips for seat, owed_chips, paid_chips in due})


def refunded(hand: Timeline, seat: Seat, after: int) -> Money:
    """Return what it moved that chips came back to a seat after this event: they were the pot's.

    Where the hand was dealt anew, they were another pot's, which nobody ever won.
    """
    if hand.events_after(after, MisdealDeclared):
        return ()
    refund = sum(
        hand.returned_chips(version, event) if isinstance(event, ChipsReturned) else event.amount
        for version, event in hand.of(ChipsReturned, PostReturned)
        if event.seat == seat and version > after
    )
    return from_pot(hand, {seat: refund})
