"""Compute the pots of a hand: main and side pots with the seats that can win them, and the uncalled bet.

Only an all-in seat cuts a pot. Dead money (a dead blind, a big blind's ante for the table, chips that no seat put in)
is in the first pot. A seat that is all-in for less than its ante competes for the same part of the others' antes.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ledger.hand.chips import HandChips, UncalledBet
from ledger.hand.state import HandState
from ledger.vocabulary import Chips, Seat


class Pot(NamedTuple):
    """One pot: 0 is the main pot, k the k-th side pot of the list."""

    amount: Chips  # before the drop
    seats: tuple[Seat, ...]  # who can win it, by seat number


class PotInputs(Protocol):
    """The part of a hand's state from which pots are computed."""

    @property
    def chips(self) -> HandChips:
        """What each seat put in."""

    @property
    def live(self) -> set[Seat]:
        """The seats that hold a hand."""

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the seat has nothing left to bet."""


def find_uncalled_bet(state: HandState) -> UncalledBet | None:
    """Return the part of this street's highest bet that nobody has matched yet, or None.

    It goes back once nobody is due (`order.actor`).
    """
    return state.round.find_uncalled_bet()


def pots(state: PotInputs) -> list[Pot]:
    """Return the pots, main pot first. Their sum is all that was put in and seeded.

    The last pot includes an uncalled bet that hasn't gone back yet.
    """
    contenders = sorted(state.live)
    all_in_seats = [seat for seat in contenders if state.is_all_in(seat)]
    if not all_in_seats:  # the usual case
        stray_chips = sum(chips for seat, chips in state.chips.dead.items() if seat not in state.chips.put_in)
        return [Pot(state.chips.pot() + stray_chips, tuple(contenders))]
    return _cut_pots(state.chips, contenders, all_in_seats)


def _cut_pots(chips: HandChips, contenders: list[Seat], all_in_seats: list[Seat]) -> list[Pot]:
    """Cut the chips of a hand into pots at the total of each all-in seat."""
    dead = sum(chips.dead.values()) + chips.seeded
    matched_by_seat = {seat: put_in - chips.dead.get(seat, 0) for seat, put_in in chips.put_in.items()}
    antes = {seat: min(ante, matched_by_seat[seat]) for seat, ante in chips.antes.items() if ante > 0}
    wagers = {seat: matched_chips - antes.get(seat, 0) for seat, matched_chips in matched_by_seat.items()}
    dead_pots: list[Pot] = []
    if dead and not all(matched_by_seat[seat] for seat in all_in_seats):
        dead_pots, dead = [Pot(dead, tuple(contenders))], 0  # a seat that bet nothing can only win the dead money
    ante_levels = {antes.get(seat, 0) for seat in all_in_seats if not wagers[seat]}
    ante_layers = _cut_layers(antes, ante_levels, contenders, all_in_seats)
    wager_levels = {wagers[seat] for seat in all_in_seats if wagers[seat]}
    wager_contenders = [seat for seat in contenders if wagers[seat] or seat not in all_in_seats]
    wager_layers = _cut_layers(wagers, wager_levels, wager_contenders, all_in_seats)
    return _merge_layers([*dead_pots, *_join_layers(ante_layers, wager_layers)], dead, contenders)


def _join_layers(ante_layers: list[Pot], wager_layers: list[Pot]) -> list[Pot]:
    """Join the layers of antes and wagers. The highest ante layer and the lowest wager layer are one."""
    if not (ante_layers and ante_layers[-1].amount and wager_layers):
        return [*ante_layers, *wager_layers]
    top_antes, first_wagers = ante_layers[-1], wager_layers[0]
    joined_layer = Pot(top_antes.amount + first_wagers.amount, first_wagers.seats or top_antes.seats)
    return [*ante_layers[:-1], joined_layer, *wager_layers[1:]]


def _cut_layers(
    chips: dict[Seat, Chips], cut_levels: set[Chips], contenders: list[Seat], all_in_seats: list[Seat]
) -> list[Pot]:
    """Cut the contributions at `cut_levels`. The last layer is above the highest one.

    A seat that isn't all-in can win every layer, since it may still pay its part.
    """
    if not any(chips.values()):
        return []
    layers: list[Pot] = []
    lower_level = 0
    for level in sorted(cut_levels):
        amount = sum(min(contribution, level) - min(contribution, lower_level) for contribution in chips.values())
        layers.append(
            Pot(amount, tuple(seat for seat in contenders if seat not in all_in_seats or chips.get(seat, 0) >= level))
        )
        lower_level = level
    amount = sum(max(0, contribution - lower_level) for contribution in chips.values())
    top_contenders = tuple(
        seat for seat in contenders if seat not in all_in_seats or not cut_levels or chips.get(seat, 0) > lower_level
    )
    layers.append(Pot(amount, top_contenders))
    return layers


def _merge_layers(layers: list[Pot], dead: Chips, contenders: list[Seat]) -> list[Pot]:
    """Merge layers that the same seats contest. A layer that nobody can win goes to the pot before it."""
    joined_pots: list[Pot] = []
    for amount, seats in layers:
        if not amount:
            continue
        if joined_pots and (not seats or seats == joined_pots[-1].seats):
            joined_pots[-1] = Pot(joined_pots[-1].amount + amount, joined_pots[-1].seats)
        else:
            joined_pots.append(Pot(amount, seats or tuple(contenders)))
    if not joined_pots:
        return [Pot(dead, tuple(contenders))] if dead else []
    return [Pot(joined_pots[0].amount + dead, joined_pots[0].seats), *joined_pots[1:]]
