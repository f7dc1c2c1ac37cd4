"""A hand's state, turns and acts as plain values: what the digest is made of.

The values keep their shape when the engine renames its attributes. Only this module knows the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.hand.acts import Act
from ledger.hand.order import actor, find_opener
from ledger.hand.pots import find_uncalled_bet, pots
from ledger.hand.state import HandState
from ledger.hand.street_deals import StreetDeal
from projections.timeline.hand_timeline import Timeline


def state_view(state: HandState) -> tuple[Any, ...]:
    """Return seats, chips, bets, turn and street of a state."""
    return (
        state.street,
        state.round.bet_to_call,
        (state.round.full_raises, state.round.short_raises, state.round.last_full_raise),
        state.round.actions,
        state.round.wagers,
        (state.round.is_closed, state.round.is_capped),
        _chips(state.round.bets),
        _chips(state.chips.put_in),
        (
            _chips(state.chips.dead),
            _chips(state.chips.antes),
            _chips(state.chips.returned),
            _chips(state.chips.awarded),
        ),
        (state.chips.drop, state.chips.seeded, state.chips.impounded),
        (
            sorted(state.dealt),
            sorted(state.live),
            sorted(state.killed_seats),
            sorted(state.cleared_seats),
            sorted(state.all_in),
        ),
        (state.button, state.showdown, state.completed, state.misdealt, state.voided, len(state.oddities)),
        [
            (
                betting_round.street,
                _chips(betting_round.bets),
                betting_round.bet_to_call,
                (betting_round.full_raises, betting_round.short_raises, betting_round.last_full_raise),
                betting_round.actions,
                betting_round.wagers,
            )
            for betting_round in state.rounds
        ],
        turn_view(state),
    )


def turn_view(state: HandState) -> tuple[Any, ...]:
    """Return whose turn it is, who opens, and what nobody called."""
    uncalled_bet = find_uncalled_bet(state)
    return actor(state), find_opener(state), uncalled_bet and tuple(uncalled_bet)


def end_view(state: HandState) -> tuple[Any, ...]:
    """Return what is worked out from the last state alone."""
    return [tuple(pot) for pot in pots(state)], state.conservation(), state.pot_size()


def timeline_view(hand: Timeline) -> tuple[Any, ...]:
    """Return the acts, streets and end as detectors see them."""
    betting_end = hand.betting_end
    return (
        [_act(act) for act in hand.acts],
        [deal_view(deal) for deal in hand.deals],
        [deal_view(deal) for deal in hand.later_runs],
        betting_end
        and (
            betting_end.version,
            betting_end.street,
            betting_end.seats_to_act,
            betting_end.is_matched,
            sorted(betting_end.live_seats),
        ),
        (hand.first_act, sorted(hand.undone_versions), sorted(hand.live), _chips(hand.put_in)),
        (hand.button, sorted(hand.start.items()), [version for version, _ in hand.posts]),
        hand.regular_posts(),
    )


def _act(act: Act) -> tuple[Any, ...]:
    levels, bet_levels = [], act.bet_levels
    while bet_levels.previous is not None:
        levels.append(bet_levels.highest)
        bet_levels = bet_levels.previous
    bets = (act.amount_added, act.bet_after, act.bet_before, act.bet_to_call, act.pot_before)
    seats = (sorted(act.seats_to_act), sorted(act.live_seats), sorted(act.able_seats), act.ordered_seats_to_act)
    return (
        (act.version, act.kind, act.seat, act.street, *bets, act.seat_to_act),
        (*seats, act.raises_before),
        (
            levels[::-1],
            act.bet_levels.largest_step,
            act.is_all_in,
            act.is_first_on_street,
            act.call_amount,
            act.raise_size,
        ),
    )


def deal_view(deal: StreetDeal) -> tuple[Any, ...]:
    """Return cards as they came."""
    return (
        (deal.version, deal.event.street, deal.event.cards, deal.event.board, deal.event.run, deal.event.deck),
        (
            [version for version, _ in deal.burns],
            [version for version, _ in deal.shuffles],
            deal.is_cut,
            deal.returned_burn_count,
        ),
        (deal.seats_to_act, deal.is_matched, deal.able_count, deal.is_dealt_again, deal.replaced_count),
        (deal.withdrawn and deal.withdrawn[0], [version for version, _ in deal.withdrawals]),
        [act.version for act in deal.acts],
    )


def _chips(chips: Mapping[int, int]) -> list[tuple[int, int]]:
    return sorted((seat, much) for seat, much in chips.items() if much)
