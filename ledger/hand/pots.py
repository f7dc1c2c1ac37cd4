"""The pots of a hand: main and side pots with the seats that can win them, and what goes back.

Only a seat that is all-in cuts a pot. Dead money (a dead blind, a big blind's ante for the table,
chips that no seat put in) belongs to the first pot; a seat that is all-in for less than its ante
competes for the like part of the others' antes.
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


class Stakes(Protocol):
    """What pots are made of; a hand's state is such."""

    @property
    def chips(self) -> HandChips:
        """What each seat put in."""

    @property
    def live(self) -> set[Seat]:
        """Seats that hold a hand."""

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the seat has nothing left to bet."""


def uncalled(state: HandState) -> UncalledBet | None:
    """Return what of this street's highest bet nobody else matched yet; None if it is matched.

    It goes back once nobody is due any more (`order.actor`).
    """
    return state.round.uncalled_bet()


def pots(state: Stakes) -> list[Pot]:
    """Return the pots, main pot first; their amounts add up to what was put in and seeded.

    An uncalled bet that has not gone back yet stands in the last pot.
    """
    contenders = sorted(state.live)
    spent = [seat for seat in contenders if state.is_all_in(seat)]
    if not spent:  # the common case
        astray = sum(chips for seat, chips in state.chips.dead.items() if seat not in state.chips.put_in)
        return [Pot(state.chips.pot() + astray, tuple(contenders))]
    dead = sum(state.chips.dead.values()) + state.chips.seeded
    matched = {seat: put - state.chips.dead.get(seat, 0) for seat, put in state.chips.put_in.items()}
    antes = {seat: min(ante, matched[seat]) for seat, ante in state.chips.antes.items() if ante > 0}
    wagers = {seat: much - antes.get(seat, 0) for seat, much in matched.items()}
    alms: list[Pot] = []
    if dead and not all(matched[seat] for seat in spent):
        alms, dead = [Pot(dead, tuple(contenders))], 0  # all that somebody can win who bet nothing
    found = _layers(antes, {antes.get(seat, 0) for seat in spent if not wagers[seat]}, contenders, spent)
    ante_rest = found.pop() if found else None
    able = [seat for seat in contenders if wagers[seat] or seat not in spent]
    found_live = _layers(wagers, {wagers[seat] for seat in spent if wagers[seat]}, able, spent)
    if ante_rest is not None and ante_rest.amount:
        if found_live:
            head = found_live[0]
            found_live[0] = Pot(head.amount + ante_rest.amount, head.seats or ante_rest.seats)
        else:
            found_live = [ante_rest]
    return _tidy([*alms, *found, *found_live], dead, contenders)


def _layers(chips: dict[Seat, Chips], cuts: set[Chips], contenders: list[Seat], spent: list[Seat]) -> list[Pot]:
    """Cut contributions at `cuts`; the last layer is what lies above the highest cut.

    A seat that is not all-in can win every layer: it may still pay its part.
    """
    if not any(chips.values()):
        return []
    layers: list[Pot] = []
    below = 0
    for cut in sorted(cuts):
        amount = sum(min(much, cut) - min(much, below) for much in chips.values())
        layers.append(Pot(amount, tuple(s for s in contenders if s not in spent or chips.get(s, 0) >= cut)))
        below = cut
    amount = sum(max(0, much - below) for much in chips.values())
    above = tuple(s for s in contenders if s not in spent or not cuts or chips.get(s, 0) > below)
    layers.append(Pot(amount, above))
    return layers


def _tidy(layers: list[Pot], dead: Chips, contenders: list[Seat]) -> list[Pot]:
    """Join layers that the same seats contest, and what nobody can win to the pot before it."""
    out: list[Pot] = []
    for amount, seats in layers:
        if not amount:
            continue
        if out and (not seats or seats == out[-1].seats):
            out[-1] = Pot(out[-1].amount + amount, out[-1].seats)
        else:
            out.append(Pot(amount, seats or tuple(contenders)))
    if not out:
        return [Pot(dead, tuple(contenders))] if dead else []
    return [Pot(out[0].amount + dead, out[0].seats), *out[1:]]
