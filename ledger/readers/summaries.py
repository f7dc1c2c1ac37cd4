"""Lines of summaries that rooms write alike: `Seat 3: Name (button) showed [Ah Kd] and won $5`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ledger.event import Event
from ledger.hand.dealing import HoleCardsLearned
from ledger.vocabulary import Cards, Seat


class Summed(Protocol):
    """A hand while its summary is read: `shown` are the cards that seats have shown so far."""

    shown: dict[Seat, Cards]

    def put(self, event: Event) -> None:
        """Take an event."""


def seated(line: str, name_of: Callable[[Seat], str | None], labels: tuple[str, ...]) -> tuple[Seat, str] | None:
    """Return the seat of such a line and what stands behind the name and its labels.

    None where nobody of that name sits there.
    """
    number, _, rest = line[5:].partition(": ")
    seat = int(number[:3]) if number.isascii() and number.isdigit() else 0
    name = name_of(seat)
    if name is None or not rest.startswith(name):
        return None
    rest = rest[len(name) :].strip()
    while rest.startswith(labels):
        rest = rest[rest.find(")") + 1 :].lstrip()
    return seat, rest


def learned(hand: Summed, seat: Seat, rest: str, read_cards: Callable[[str], Cards | None]) -> str | None:
    """Take the cards of `showed [Ah Kd] and won`, if they are new; return what stands behind them.

    Where no cards are told it is the whole; None where they are none that can be read.
    """
    if not rest.startswith(("showed [", "mucked [")):
        return rest
    end = rest.find("]")
    cards = read_cards(rest[8:end])
    if cards is None:
        return None
    if seat not in hand.shown:
        hand.put(HoleCardsLearned(seat, cards, "shown" if rest[0] == "s" else "after"))
        hand.shown[seat] = cards
    return rest[end + 1 :].strip()
