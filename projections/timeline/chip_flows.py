"""Compute the chips that a violation moved between seats, or nothing if the record can't show who has them.

A detector's `money` is such a flow: pairs of a seat and its chips too many (negative: too few) that sum to zero.
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
    """Return the seats with chips too many or too few; () unless they sum to zero.

    >>> balanced({1: 5, 2: -5, 3: 0}), balanced({1: 5})
    (((1, 5), (2, -5)), ())
    """
    nonzero = tuple((seat, chips) for seat, chips in sorted(parts.items()) if chips)
    return nonzero if not sum(chips for _, chips in nonzero) else ()


def from_pot(hand: Timeline, excess_by_seat: Mapping[Seat, Chips]) -> Money:
    """Return the flow if these seats kept chips that belonged in the pot (negative: put in too many).

    The other side of it is the pot's winner; with several winners the record can't show whose chips they are.
    """
    pot_share = -sum(excess_by_seat.values())
    parts = dict(excess_by_seat)
    if pot_share:
        winners = [seat for seat, chips in hand.played.final.chips.awarded.items() if chips > 0]
        if len(winners) != 1:
            return ()
        parts[winners[0]] = parts.get(winners[0], 0) + pot_share
    return balanced(parts)


def posted(hand: Timeline, due: Mapping[Seat, tuple[Chips, Chips]]) -> Money:
    """Return the flow if these seats posted other amounts than were `due` (live, dead).

    Live chips count toward the bet: a later call or raise to as much makes them up. If nobody can know what a
    seat would have done with the right post, there is no flow.
    """
    surplus_by_seat: dict[Seat, Chips] = {}
    for seat, (live, dead) in due.items():
        surplus = _surplus_from_posts(hand, seat, live, dead)
        if surplus is None:
            return ()
        surplus_by_seat[seat] = surplus
    return from_pot(hand, surplus_by_seat)


def _surplus_from_posts(hand: Timeline, seat: Seat, live: Chips, dead: Chips) -> Chips | None:
    """Return how many chips a seat has too many because it posted less than was due; None if nobody can know."""
    was_live, was_dead = hand.cached("posted by seat", lambda: _posted_by_seat(hand)).get(seat, (0, 0))
    first_act = hand.cached("first acts preflop", lambda: _first_acts(hand)).get(seat)
    if was_live == live or (
        first_act is not None and first_act.amount_added and first_act.bet_after >= max(live, was_live)
    ):
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


def paid_instead(hand: Timeline, seat: Seat, paid_chips: Chips | None = None) -> Money:
    """Return the flow if a seat was paid chips that its only rival at the showdown should have.

    `paid_chips` None: all that it was paid.
    """
    chips = hand.played.final.chips.awarded.get(seat, 0) if paid_chips is None else paid_chips
    live_seats = hand.betting_end.live_seats if hand.betting_end is not None else hand.live
    rivals = [rival for rival in live_seats if rival != seat and hand.find_muck(rival) is None]
    return balanced({seat: chips, rivals[0]: -chips}) if len(rivals) == 1 else ()


def split(due: Iterable[tuple[Seat, Chips, Chips]]) -> Money:
    """Return the flow if seats were paid other amounts than they should have: (seat, chips due, chips paid)."""
    return balanced({seat: paid_chips - owed_chips for seat, owed_chips, paid_chips in due})


def refunded(hand: Timeline, seat: Seat, after_version: int) -> Money:
    """Return the flow if chips that a seat got back after this event belonged in the pot.

    After a new deal there is none: nobody won the pot of the misdeal.
    """
    if hand.events_after(after_version, MisdealDeclared):
        return ()
    refund = sum(
        hand.returned_chips(version, event) if isinstance(event, ChipsReturned) else event.amount
        for version, event in hand.of(ChipsReturned, PostReturned)
        if event.seat == seat and version > after_version
    )
    return from_pot(hand, {seat: refund})
