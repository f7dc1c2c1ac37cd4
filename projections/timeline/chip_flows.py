"""Compute the chips that a violation moved between seats.

A flow lists how many chips too many each seat has (negative: too few). The amounts sum to zero. The flow is empty if
the record can't show who has the chips. Findings show it as their `money`.
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
"""A flow: pairs of a seat and its excess chips (negative: missing), ordered by seat; () if none moved or it's unknown."""


def build_flow(excess_by_seat: Mapping[Seat, Chips]) -> Money:
    """Return the flow for these excess chips (negative: missing chips); () unless they sum to zero.

    >>> build_flow({1: 5, 2: -5, 3: 0}), build_flow({1: 5})
    (((1, 5), (2, -5)), ())
    """
    nonzero = tuple((seat, chips) for seat, chips in sorted(excess_by_seat.items()) if chips)
    return nonzero if not sum(chips for _, chips in nonzero) else ()


def build_pot_flow(hand: Timeline, excess_by_seat: Mapping[Seat, Chips]) -> Money:
    """Return the flow if these seats kept chips that belonged in the pot (negative: put in too many).

    The pot's winner then has too few (or too many). With several winners there is no flow, because the record can't
    show whose chips they are.
    """
    winner_excess = -sum(excess_by_seat.values())
    flow = dict(excess_by_seat)
    if winner_excess:
        winners = [seat for seat, chips in hand.played.final_state.chips.awarded.items() if chips > 0]
        if len(winners) != 1:
            return ()
        flow[winners[0]] = flow.get(winners[0], 0) + winner_excess
    return build_flow(flow)


def build_post_flow(hand: Timeline, due: Mapping[Seat, tuple[Chips, Chips]]) -> Money:
    """Return the flow if these seats should have posted the amounts `due` (live, dead) instead of those recorded.

    Live chips count toward the bet, so a later call or raise to the same amount makes up for them. If the record can't
    show what a seat would have done with the right post, there is no flow.
    """
    excess_by_seat: dict[Seat, Chips] = {}
    for seat, (live, dead) in due.items():
        excess = _compute_excess(hand, seat, live, dead)
        if excess is None:
            return ()
        excess_by_seat[seat] = excess
    return build_pot_flow(hand, excess_by_seat)


def _compute_excess(hand: Timeline, seat: Seat, live: Chips, dead: Chips) -> Chips | None:
    """Return how many chips too many a seat has because it posted less than was due; None if it can't be known."""
    was_live, was_dead = hand.cached("posted by seat", lambda: _sum_posts_by_seat(hand)).get(seat, (0, 0))
    first_act = hand.cached("first acts preflop", lambda: _find_first_acts(hand)).get(seat)
    if was_live == live or (
        first_act is not None and first_act.amount_added and first_act.bet_after >= max(live, was_live)
    ):
        return dead - was_dead
    if first_act is not None and first_act.kind == "fold":
        return live + dead - was_live - was_dead
    return None


def _sum_posts_by_seat(hand: Timeline) -> dict[Seat, tuple[Chips, Chips]]:
    """Return what each seat posted live and dead, without antes."""
    posts_by_seat: dict[Seat, tuple[Chips, Chips]] = {}
    for _, post in hand.standing_posts():
        live, dead = posts_by_seat.get(post.seat, (0, 0))
        if isinstance(post, BlindPosted):
            posts_by_seat[post.seat] = live + post.live, dead + post.dead
        elif not isinstance(post, AntePosted):
            posts_by_seat[post.seat] = live + post.amount, dead
    return posts_by_seat


def _find_first_acts(hand: Timeline) -> dict[Seat, Act]:
    """Return the first act of each seat before the flop."""
    first_acts: dict[Seat, Act] = {}
    for act in hand.acts:
        if act.street == "preflop":
            first_acts.setdefault(act.seat, act)
    return first_acts


def build_payment_flow(hand: Timeline, seat: Seat, paid_chips: Chips | None = None) -> Money:
    """Return the flow if a seat was paid chips that belonged to its only rival at the showdown.

    `paid_chips` None = all chips that the seat was paid. With several rivals, there is no flow.
    """
    chips = hand.played.final_state.chips.awarded.get(seat, 0) if paid_chips is None else paid_chips
    live_seats = hand.betting_end.live_seats if hand.betting_end is not None else hand.live
    rivals = [rival for rival in live_seats if rival != seat and hand.find_muck(rival) is None]
    return build_flow({seat: chips, rivals[0]: -chips}) if len(rivals) == 1 else ()


def build_split_flow(payments: Iterable[tuple[Seat, Chips, Chips]]) -> Money:
    """Return the flow if seats should have been paid other amounts: (seat, chips due, chips paid)."""
    return build_flow({seat: paid_chips - due_chips for seat, due_chips, paid_chips in payments})


def build_refund_flow(hand: Timeline, seat: Seat, after_version: int) -> Money:
    """Return the flow if the chips that a seat got back after an event belonged in the pot.

    After a misdeal there is no flow, because nobody won that pot.
    """
    if hand.events_after(after_version, MisdealDeclared):
        return ()
    refund = sum(
        hand.returned_chips(version, event) if isinstance(event, ChipsReturned) else event.amount
        for version, event in hand.of(ChipsReturned, PostReturned)
        if event.seat == seat and version > after_version
    )
    return build_pot_flow(hand, {seat: refund})
