"""What sources leave out at a hand's end: bets given back that nobody called, and the rake."""

from __future__ import annotations

from typing import Final

from ledger.hand.ending import DropTaken, PotAwarded
from ledger.telling.hand import Telling
from ledger.vocabulary import Chips, Seat

_SMALL: Final = 3
"""In pots of a few chips rounding makes the rake more than its tenth: so many units are believed."""


def paid(told: Telling) -> Chips:
    """Return what the seats were awarded so far."""
    return sum(event.amount for event in told.events if isinstance(event, PotAwarded))


def within_awards(told: Telling, *, always: bool) -> None:
    """Part a bet that nobody called from the award that counts it.

    Some rooms pay such a bet out together with the pot. The award is then less by that bet, and the
    bet is told as given back; both are concluded. `always`: the room does so whenever it happens,
    otherwise only where the awards are more than the pot without that bet.
    """
    told.close_bets()
    if not told.pending:
        return
    rest = sum(amount for _, amount, _ in told.pending)
    if not always and paid(told) <= sum(told.put_in) - rest:
        return
    for seat, amount, _ in told.pending:
        _part(told, seat, amount)


def _part(told: Telling, seat: Seat, amount: Chips) -> None:
    """Take `amount` off the seat's awards, the last side pot first; nothing where they are less."""
    indexes = [
        index
        for index, event in enumerate(told.events)
        if isinstance(event, PotAwarded) and event.seat == seat
    ]
    awards = {index: told.events[index] for index in indexes}
    total = sum(event.amount for event in awards.values() if isinstance(event, PotAwarded))
    if total < amount:
        return
    for index in sorted(indexes, key=lambda index: -(getattr(awards[index], "pot", 0) or 0)):
        event = awards[index]
        if not amount or not isinstance(event, PotAwarded):
            break
        taken = min(amount, event.amount)
        amount -= taken
        told.events[index] = PotAwarded(
            seat, event.amount - taken, event.pot, event.run, event.board, event.half
        )
        if index not in told.derived:
            told.derived.append(index)
    for index in reversed(indexes):
        event = told.events[index]
        if isinstance(event, PotAwarded) and not event.amount:
            told.remove(index)


def conclude_rake(told: Telling) -> None:
    """Conclude the rake that a room does not print: what went in and was not awarded.

    Only in cash games, where somebody was paid, and only what a room takes: up to a tenth of the
    pot. More than that is no rake, and the hand stays as it is told.
    """
    if told.game.format != "cash":
        return
    awarded, total = paid(told), sum(told.put_in)
    taken = sum(event.amount for event in told.events if isinstance(event, DropTaken))
    rest = total - awarded - taken
    if awarded and 0 < rest <= max(total // 10, _SMALL):
        told.conclude(DropTaken("rake", rest))
