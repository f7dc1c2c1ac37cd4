"""Players who act and have no line in the list of seats, as the first generation writes them."""

from __future__ import annotations

from typing import Final

from ledger.formats.wpn import started_acts
from ledger.formats.wpn.hand import Hand
from ledger.hand.opening import ButtonPlaced, SeatDealtIn
from ledger.readers.hand import SEATS
from ledger.readers.names import Names
from ledger.vocabulary import Seat

_PHRASES: Final = (
    " has small blind (",
    " has big blind (",
    " posts (",
    " posts ante (",
    " ante (",
    " straddle (",
    " bring in (",
    " received card: [",
    " received a card.",
    " calls (",
    " bets (",
    " raises (",
    " allin",
    " folds",
    " checks",
    " mucks cards",
    " is timed out.",
    " sitting out",
    " wait BB",
    " is disconnected",
)


def act(hand: Hand, rest: str) -> bool:
    """Read what follows `Player ` for somebody whom the list of seats does not name.

    The acts count, at a seat that is concluded.
    """
    name = _name(rest)
    if name is None or name in hand.seats:
        return False
    seat = _chair(hand, name)
    if seat is None:
        return False
    hand.seats[name] = seat
    hand.called = Names(hand.seats)
    before = len(hand.events)
    done = started_acts.act(hand, seat, rest[len(name) + 1 :])
    hand.derived.extend(range(before, len(hand.events)))
    return done


def _name(rest: str) -> str | None:
    """Return what stands before a phrase that follows a name."""
    found = [at for words in _PHRASES if (at := rest.rfind(words)) >= 0]
    return rest[: min(found)] if found else None


def _chair(hand: Hand, name: str) -> Seat | None:
    """Return the seat of a stranger: of the one player who is nowhere else, or a free one."""
    if len(hand.stacks) >= SEATS - 1:
        return None
    text = hand.lines.text
    seen: set[str] = set()
    unknown: set[str] = {name}
    k = hand.at
    while k > 0 and not text[k].startswith("Game ID: "):
        k -= 1
    k += 1
    while k < len(text) and not text[k].startswith(("Game started at:", "Game ID: ")):
        line = text[k].lstrip("*")
        if line.startswith("Player "):
            known = hand.called.part(line[7:])
            if known:
                seen.add(known[0])
            elif text[k][0] == "P" and (other := _name(line[7:])) is not None:
                unknown.add(other)
        k += 1
    silent = [seat for listed, seat in hand.seats.items() if listed not in seen]
    if len(silent) == 1 and len(unknown) == 1:
        return silent[0]
    return _new(hand, name)


def _new(hand: Hand, name: str) -> Seat:
    """Deal a stranger in at the button, if nobody sits there, or at the first free seat."""
    button: Seat | None = None
    for event in hand.events:
        if isinstance(event, ButtonPlaced):
            button = event.seat
    seat = button or 0
    if not seat or seat in hand.stacks:
        seat = next((one for one in range(1, SEATS) if one not in hand.stacks), 0)
    hand.stacks[seat] = None
    at = 1 + max(hand.index.values())
    hand.place(at, SeatDealtIn(seat, hand.player(name), None))
    hand.index[seat] = at
    hand.hole = {one: where + (where >= at) for one, where in hand.hole.items()}
    hand.hole.setdefault(seat, -1)
    return seat
