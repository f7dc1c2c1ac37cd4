"""Read the showdown of a hand: who saw the second betting round, who reached the showdown, and who won there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ledger.hand.acts import Act
from ledger.hand.betting import Folded, HandKilled, HandRetrieved
from ledger.hand.dealing import BoardDealt, StreetDealt
from ledger.hand.ending import CardsShown
from ledger.hand.variants import Variant
from ledger.replay import HandReplay
from ledger.vocabulary import Chips, Seat
from projections.statistics.decisions import find_agreement


class Showdown(NamedTuple):
    """How far each seat of a hand went."""

    saw_flop: frozenset[Seat]  # held a hand when the second betting round began
    seats: frozenset[Seat]  # reached the showdown
    winners: frozenset[Seat]  # won chips of others there
    undecided: frozenset[Seat]  # reached the showdown, and the record can't show whether they won
    is_unknown: bool = False  # the record can't show whether there was a showdown


def read_showdown(hand: HandReplay, later_acts: Sequence[Act], variant: Variant) -> Showdown:
    """Return who saw the flop and who reached the showdown. `later_acts`: those after the first betting round."""
    live = hand.trace.live
    saw_flop = _find_seats_at_flop(hand, variant) | {act.seat for act in later_acts}
    no_seats: frozenset[Seat] = frozenset()
    if len(live) < 2 or find_agreement(hand) is not None:
        return Showdown(saw_flop, no_seats, no_seats, no_seats)
    if not _has_showdown_record(hand, variant):
        return Showdown(saw_flop, no_seats, no_seats, no_seats, is_unknown=True)
    state = hand.final_state
    undecided = live if not state.chips.awarded else live & (frozenset(state.sold_seats) | state.cash_outs.keys())
    winners = frozenset(
        seat for seat in live - undecided if state.chips.awarded.get(seat, 0) > _count_unmatched_chips(hand, seat)
    )
    return Showdown(saw_flop | live, live, winners, undecided)


def _find_seats_at_flop(hand: HandReplay, variant: Variant) -> frozenset[Seat]:
    """Return the seats that held a hand when the second betting round began; none if it didn't begin."""
    first_street = variant.streets[0].name
    dealt_versions = [
        deal.version
        for deal in hand.trace.street_deals
        if deal.street != first_street and (deal.withdrawn is None or deal.acts)
    ]
    dealt_versions += [version for version, event in hand.events_of(StreetDealt) if event.street != first_street]
    if not dealt_versions:
        return frozenset()
    start = min(dealt_versions)
    live = set(hand.final_state.dealt)
    for version, event in hand.numbered:
        if version == start:
            break
        if isinstance(event, Folded | HandKilled):
            live.discard(event.seat)
        elif isinstance(event, HandRetrieved):
            live.add(event.seat)
    return frozenset(live)


def _has_showdown_record(hand: HandReplay, variant: Variant) -> bool:
    """Whether the last street was dealt, or the record shows the showdown or two hands in it."""
    state = hand.final_state
    last_street = variant.streets[-1].name
    streets = {state.street} | {event.street for _, event in hand.events_of(BoardDealt)}
    shown_seats = {event.seat for _, event in hand.events_of(CardsShown) if not event.after}
    return state.showdown or last_street in streets or len(shown_seats) > 1


def _count_unmatched_chips(hand: HandReplay, seat: Seat) -> Chips:
    """Return how many chips a seat put in that no other seat matched. Getting them back isn't a win."""
    put_in = hand.final_state.chips.put_in
    highest_other_chips = max((chips for opponent, chips in put_in.items() if opponent != seat), default=0)
    return max(0, put_in.get(seat, 0) - highest_other_chips)
