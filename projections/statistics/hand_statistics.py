"""Compute the statistics of one hand: a line for each seat that was dealt in."""

from __future__ import annotations

from typing import NamedTuple

from ledger.replay import HandReplay
from ledger.vocabulary import Seat
from projections.statistics.decisions import read_decisions
from projections.statistics.game_stakes import GameStakes, read_stakes
from projections.statistics.hand_gaps import RecordGap, find_record_gap
from projections.statistics.postflop import PostflopActs, count_postflop_acts
from projections.statistics.preflop import PreflopChoices, read_preflop
from projections.statistics.showdowns import Showdown, read_showdown


class SeatStatistics(NamedTuple):
    """What a seat did in a hand."""

    preflop: PreflopChoices
    postflop: PostflopActs
    saw_flop: bool
    reached_showdown: bool
    can_tell_winner: bool  # it reached the showdown, and the record shows whether it won
    won_showdown: bool


class HandStatistics(NamedTuple):
    """A hand's stakes, the gap in its record, and a line for each seat. There are no lines if the hand is left out."""

    stakes: GameStakes
    gap: RecordGap
    is_showdown_unknown: bool
    seats: dict[Seat, SeatStatistics]


def read_hand(hand: HandReplay) -> HandStatistics:
    """Return the statistics of a hand, corrections applied."""
    state = hand.trace.state
    stakes, gap, variant = read_stakes(state), find_record_gap(hand), state.known_variant
    if gap or variant is None:
        return HandStatistics(stakes, gap, is_showdown_unknown=False, seats={})
    decisions = read_decisions(hand, variant)
    choices = read_preflop(hand, decisions.first_round, variant)
    acts_by_seat = count_postflop_acts(decisions.later_rounds)
    showdown = read_showdown(hand, decisions.later_rounds, variant)
    return HandStatistics(
        stakes,
        gap,
        showdown.is_unknown,
        {
            seat: _build_line(
                showdown, seat, choices.get(seat, PreflopChoices()), acts_by_seat.get(seat, PostflopActs())
            )
            for seat in state.seats
        },
    )


def _build_line(showdown: Showdown, seat: Seat, choices: PreflopChoices, acts: PostflopActs) -> SeatStatistics:
    return SeatStatistics(
        preflop=choices,
        postflop=acts,
        saw_flop=seat in showdown.saw_flop and not showdown.is_unknown,
        reached_showdown=seat in showdown.seats,
        can_tell_winner=seat in showdown.seats - showdown.undecided,
        won_showdown=seat in showdown.winners,
    )
