"""Lines of summaries that rooms write alike: `Seat 3: Name (button) showed [Ah Kd] and won $5`."""

from __future__ import annotations

from ledger.hand.dealing import HoleCardsLearned
from ledger.readers.phrases import number
from ledger.readers.room import Room
from ledger.vocabulary import Seat


def seated(hand: Room, line: str, labels: tuple[str, ...]) -> tuple[Seat, str] | None:
    """Return the seat of such a line and what stands behind the name and its labels.

    None where nobody of that name sits there.
    """
    written, _, rest = line[len("Seat ") :].partition(": ")
    seat = number(written)
    name = hand.sits.get(seat)
    if name is None or not rest.startswith(name):
        return None
    rest = rest[len(name) :].strip()
    while rest[:1] == "(" and rest.startswith(labels):
        rest = rest[rest.find(")") + 1 :].lstrip()
    return seat, rest


def learned(hand: Room, seat: Seat, rest: str) -> str | None:
    """Take the cards of `showed [Ah Kd] and won`, if they are new; return what stands behind them.

    Where no cards are told it is the whole; None where they are none that can be read.
    """
    if not rest.startswith(("showed [", "mucked [")):
        return rest
    inner, _, behind = rest[8:].partition("]")
    cards = hand.cards(inner)
    if cards is None:
        return None
    if seat not in hand.shown:
        hand.shown.add(seat)
        hand.put(HoleCardsLearned(seat, cards, "shown" if rest[0] == "s" else "after"))
    return behind.strip()
