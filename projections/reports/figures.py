"""The figures of a hand that are sums of chips, each with the events that make it up."""

from __future__ import annotations

from typing import NamedTuple

from ledger.hand.fold import states
from ledger.hand.state import HandState
from ledger.replay import PlayedHand
from ledger.vocabulary import Chips, Seat


class Part(NamedTuple):
    """What one event adds to a figure, or takes from it."""

    version: int
    chips: Chips


class Figure(NamedTuple):
    """A sum of chips. `void`: the event by which the hand does not count, so that nobody won or lost; 0 = it counts."""

    name: str  # as a query says it: pot, rake, put, won, net
    seat: Seat | None
    chips: Chips
    parts: list[Part]
    void: int = 0


def figures(hand: PlayedHand) -> list[Figure]:
    """Return what a hand came to, as corrected. The parts of a figure add up to it."""
    sums: dict[tuple[str, Seat | None], Chips] = {}
    parts: dict[tuple[str, Seat | None], list[Part]] = {}
    void = 0
    for (version, _), state in zip(hand.numbered, states(hand.events), strict=True):
        if not void and (state.voided or state.spoiled):
            void = version
        for key, chips in _sums(state).items():
            if chips != sums.get(key, 0):
                parts.setdefault(key, []).append(Part(version, chips - sums.get(key, 0)))
            sums[key] = chips
    found = []
    for (name, seat), chips in sums.items():
        of_seat = void and seat is not None
        found.append(Figure(name, seat, 0 if of_seat else chips, [] if of_seat else parts.get((name, seat), []), void))
    return sorted(found, key=lambda one: (_ORDER.index(one.name), one.seat or 0))


_ORDER = ("pot", "rake", "put", "won", "net")


def _sums(state: HandState) -> dict[tuple[str, Seat | None], Chips]:
    found: dict[tuple[str, Seat | None], Chips] = {("pot", None): state.total_put(), ("rake", None): state.chips.drop}
    for seat in state.dealt:
        put = state.chips.put_in.get(seat, 0)
        won = state.chips.awarded.get(seat, 0) + state.cashed.get(seat, 0)
        found |= {("put", seat): put, ("won", seat): won, ("net", seat): won - put}
    return found
