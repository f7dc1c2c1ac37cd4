"""Who sits at a small table, and what may happen to each seat between two hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ledger import presence as p
from ledger.hand.opening import NotDealtIn
from ledger.table import events as t
from tests.small_tables.dealing import STACK, player
from tests.small_tables.keys import seat_number

Change: TypeAlias = Literal["", "away", "away-in-room", "back", "leaves", "taken"]
"""`taken`: by a newcomer, in the place of who sat there, if somebody did."""


@dataclass(frozen=True)
class Sitter:
    """Somebody with a chair."""

    player: str
    stack: int = STACK
    there: bool = True
    in_room: bool = False
    marked: bool = False


Seating: TypeAlias = dict[int, Sitter]


def beginning(seats: int) -> Seating:
    """Return a table of players who are all in the game."""
    return {seat_number(seat): Sitter(player(f"P{seat}")) for seat in range(1, seats + 1)}


def changes_of(sitter: Sitter | None, *, tells_room: bool, leaving: bool) -> tuple[Change, ...]:
    """Return what may happen to a seat between two hands, nothing first."""
    if sitter is None:
        return ("", "taken")
    leaves: tuple[Change, ...] = ("leaves",) if leaving else ()
    if not sitter.there:
        return ("", "back", "taken", *leaves)
    rooms: tuple[Change, ...] = ("away-in-room",) if tells_room else ()
    return ("", "away", "taken", *leaves, *rooms)


def apply_changes(seating: Seating, told: tuple[Change, ...], name: str) -> tuple[Seating, list[t.TableEvent]]:
    """Return the table behind the changes, and the events that tell them. `name`: of newcomers, before their seat."""
    after = dict(seating)
    events: list[t.TableEvent] = []
    for number, change in enumerate(told, 1):
        seat = seat_number(number)
        sitter = after.get(seat)
        if change in ("leaves", "taken") and sitter is not None:
            events.append(p.SeatLeft(seat, sitter.player, "left", sitter.stack))
            del after[seat]
        if change == "taken":
            new = Sitter(player(f"{name}{seat}"))
            events.append(p.SeatTaken(seat, new.player, "walk-in", new.stack))
            after[seat] = new
        elif change in ("away", "away-in-room") and sitter is not None:
            here = change == "away-in-room"
            events.append(p.PlayerAway(seat, sitter.player, here))
            after[seat] = Sitter(sitter.player, sitter.stack, there=False, in_room=here, marked=sitter.marked)
        elif change == "back" and sitter is not None:
            events.append(p.PlayerBack(seat, sitter.player))
            after[seat] = Sitter(sitter.player, sitter.stack, marked=sitter.marked)
    return after, events


def absent(seating: Seating) -> dict[int, NotDealtIn]:
    """Return who gets no cards whatever is offered, and why."""
    return {seat: "away" for seat, sitter in seating.items() if not sitter.there}
