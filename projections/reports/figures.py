"""Compute the chip figures of a hand (pot, rake, and each seat's put, won and net), with the events behind each."""

from __future__ import annotations

from typing import NamedTuple

from ledger.hand.fold import iterate_states
from ledger.hand.state import HandState
from ledger.replay import HandReplay
from ledger.vocabulary import Chips, Seat


class Part(NamedTuple):
    """The chips that one event adds to a figure; negative = it takes some away."""

    version: int  # of the event
    chips: Chips


class ChipFigure(NamedTuple):
    """A sum of chips, and the events that make it up. In a voided hand the figures of seats are 0."""

    name: str  # as in queries: pot, rake, put, won, net
    seat: Seat | None  # None = a figure of the whole hand
    chips: Chips
    parts: list[Part]
    void: int = 0  # version of the event that voids the hand; 0 = the hand counts


def compute_figures(played_hand: HandReplay) -> list[ChipFigure]:
    """Return the figures of a hand after corrections, the pot first. The parts of a figure add up to it."""
    sums: dict[tuple[str, Seat | None], Chips] = {}
    parts: dict[tuple[str, Seat | None], list[Part]] = {}
    void_version = 0
    for (version, _), state in zip(played_hand.numbered, iterate_states(played_hand.events), strict=True):
        if not void_version and (state.voided or state.is_spoiled):
            void_version = version
        for figure_key, chips in _sum_figures(state).items():
            added_chips = chips - sums.get(figure_key, 0)
            if added_chips:
                parts.setdefault(figure_key, []).append(Part(version, added_chips))
            sums[figure_key] = chips
    hand_figures = []
    for (figure_name, seat), chips in sums.items():
        if void_version and seat is not None:  # nobody won or lost
            hand_figures.append(ChipFigure(figure_name, seat, 0, [], void_version))
        else:
            hand_figures.append(ChipFigure(figure_name, seat, chips, parts.get((figure_name, seat), []), void_version))
    return sorted(hand_figures, key=lambda figure: (_FIGURE_ORDER.index(figure.name), figure.seat or 0))


_FIGURE_ORDER = ("pot", "rake", "put", "won", "net")


def _sum_figures(state: HandState) -> dict[tuple[str, Seat | None], Chips]:
    """Return the figures of a hand so far, by name and seat."""
    chip_sums: dict[tuple[str, Seat | None], Chips] = {
        ("pot", None): state.pot_size(),
        ("rake", None): state.chips.drop,
    }
    for seat in state.dealt:
        chips_put = state.chips.put_in.get(seat, 0)
        chips_won = state.chips.awarded.get(seat, 0) + state.cash_outs.get(seat, 0)
        chip_sums |= {("put", seat): chips_put, ("won", seat): chips_won, ("net", seat): chips_won - chips_put}
    return chip_sums
