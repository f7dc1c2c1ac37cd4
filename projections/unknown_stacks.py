"""Breaches that rest on a player who may be all-in: his stack isn't on record and nobody says all-in.

Such a hand is judged a second time with every such player all-in. What is wrong only in the first reading
is no certain wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.events import HandEvent
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, StraddlePosted
from ledger.replay import PlayedHand
from ledger.vocabulary import Seat
from projections.finding import Breach
from projections.merging import Spoken
from projections.timeline import Timeline

Chips = AntePosted | Bet | BlindPosted | BringInPosted | Called | Completed | Raised | StraddlePosted


def breaches_by_stack(
    hand: PlayedHand, timeline: Timeline, spoken: Sequence[Spoken]
) -> dict[tuple[int, int, int], str]:
    """Return the breaches that aren't there if these players are all-in: `Spoken.order`, and the doubt."""
    last_chips = seats_perhaps_all_in(hand)
    if not last_chips:
        return {}
    other_reading = Timeline(_with_all_in(hand, last_chips.values()), timeline.in_force)
    says = _doubt(sorted(last_chips))
    still_found: dict[int, set[tuple[int, Seat | None]]] = {}
    doubts = {}
    for candidate in spoken:
        clause = candidate.clause
        if clause.trait is None or clause.trait.table or clause.run is None:
            continue  # who owes a blind doesn't depend on how a hand was bet
        if candidate.at not in still_found:
            still_found[candidate.at] = {
                (answer.version, answer.seat) for answer in clause.run(other_reading) if isinstance(answer, Breach)
            }
        if (candidate.breach.version, candidate.breach.seat) not in still_found[candidate.at]:
            doubts[candidate.order] = says
    return doubts


def seats_perhaps_all_in(hand: PlayedHand) -> dict[Seat, int]:
    """Return the seats that may have bet their last chip, each with the version of that event.

    A seat's stack isn't on record, no event says whether it is all-in, and it does nothing afterwards.
    """
    dealt = hand.final.dealt
    last_chips: dict[Seat, int] = {}
    for version, event in hand.numbered:
        if isinstance(event, Chips):
            seat_dealt = dealt.get(event.seat)
            if seat_dealt is not None and seat_dealt.stack is None and event.all_in is None:
                last_chips[event.seat] = version
            else:
                last_chips.pop(event.seat, None)
        elif isinstance(event, Checked | Folded):
            last_chips.pop(event.seat, None)
    return last_chips


def _with_all_in(hand: PlayedHand, versions: Iterable[int]) -> PlayedHand:
    """Return the hand with the events of these versions said to be all-in."""
    numbered: dict[int, Event] = dict(hand.numbered)
    events: list[HandEvent] = list(hand.recorded_events)
    for version in versions:
        if events[version - 1] is numbered[version]:
            events[version - 1] = msgspec.structs.replace(events[version - 1], all_in=True)
    return hand.told(events)


def _doubt(seats: Sequence[Seat]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]} may be all-in: no stack is on record"
    listed = ", ".join(map(str, seats[:-1]))
    return f"seats {listed} and {seats[-1]} may be all-in: no stacks are on record"
