"""Chip totals of a hand, each with the events that it adds up."""

from __future__ import annotations

from typing import NamedTuple

from ledger.hand.fold import states
from ledger.hand.state import HandState
from ledger.replay import PlayedHand
from ledger.vocabulary import Chips, Seat


class Part(NamedTuple):
    """The chips that one event adds to a figure; negative if it takes some."""

    version: int
    chips: Chips


class Figure(NamedTuple):
    """A sum of chips. `void`: the event that voids the hand, so nobody won or lost; 0 = the hand counts."""

    name: str  # as in queries: pot, rake, put, won, net
    seat: Seat | None
    chips: Chips
    parts: list[Part]
    void: int = 0


def compute_figures(played_hand: PlayedHand) -> list[Figure]:
    """Return the figures of a hand after corrections. The parts of a figure add up to it."""
    sums: dict[tuple[str, Seat | None], Chips] = {}
    parts: dict[tuple[str, Seat | None], list[Part]] = {}
    void_version = 0
    for (version, _), state in zip(played_hand.numbered, states(played_hand.events), strict=True):
        if not void_version and (state.voided or state.spoiled):
            void_version = version
        for figure_key, chips in _sum_chips(state).items():
            if chips != sums.get(figure_key, 0):
                parts.setdefault(figure_key, []).append(Part(version, chips - sums.get(figure_key, 0)))
            sums[figure_key] = chips
    hand_figures = []
    for (figure_name, seat), chips in sums.items():
        is_voided_seat = void_version and seat is not None
        hand_figures.append(
            Figure(
                figure_name,
                seat,
                0 if is_voided_seat else chips,
                [] if is_voided_seat else parts.get((figure_name, seat), []),
                void_version,
            )
        )
    return sorted(hand_figures, key=lambda figure: (_FIGURE_ORDER.index(figure.name), figure.seat or 0))


_FIGURE_ORDER = ("pot", "rake", "put", "won", "net")


def _sum_chips(state: HandState) -> dict[tuple[str, Seat | None], Chips]:
    chip_sums: dict[tuple[str, Seat | None], Chips] = {
        ("pot", None): state.total_put(),
        ("rake", None): state.chips.drop,
    }
    for seat in state.dealt:
        chips_put = state.chips.put_in.get(seat, 0)
        chips_won = state.chips.awarded.get(seat, 0) + state.cashed.get(seat, 0)
        chip_sums |= {("put", seat): chips_put, ("won", seat): chips_won, ("net", seat): chips_won - chips_put}
    return chip_sums
