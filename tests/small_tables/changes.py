"""Who sits at a small table, and what may happen to each seat between two hands."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from ledger import presence as p
from ledger.hand.opening import NotDealtIn
from ledger.table import events as t
from tests.small_tables.dealing import STACK, player
from tests.small_tables.keys import SeatNumber, seat_number

Change: TypeAlias = str
"""`away`, `away-in-room`, `back`, `leaves`; `taken`: by a newcomer, in the place of who sat there, if somebody did;
`broken`: by a player whose table was broken; `to-3`: moves to the empty seat 3; `buys`: the button;
of who lost the last chip: `busted`, said so; `rebuys`; `out`, of the tournament."""


@dataclass(frozen=True)
class Sitter:
    """Somebody with a chair."""

    player: str
    stack: int = STACK
    there: bool = True
    in_room: bool = False
    marked: bool = False

    @property
    def broke(self) -> bool:
        """Whether the player has no chips."""
        return self.stack == 0

    def after_hand(self, stack: int, *, dealt: bool) -> Sitter:
        """Return the sitter behind a hand. Who gets cards while away is there, as far as the record shows."""
        is_there, in_room = self.there or dealt, self.in_room and not dealt
        return replace(self, stack=stack, marked=False, there=is_there, in_room=in_room)


Seating: TypeAlias = dict[int, Sitter]


def beginning(seats: int) -> Seating:
    """Return a table of players who are all in the game."""
    return {seat_number(seat): Sitter(player(f"P{seat}")) for seat in range(1, seats + 1)}


def changes_of(
    sitter: Sitter | None, *, tells_room: bool, leaving: bool, extra: Container[str] = (), empty: Sequence[int] = ()
) -> tuple[Change, ...]:
    """Return what may happen to a seat between two hands, nothing first; `extra`: kinds besides the usual ones."""
    changes: tuple[Change, ...] = ("taken", "broken") if "broken" in extra else ("taken",)
    if sitter is None:
        return ("", *changes)
    if sitter.broke and "eliminated" in extra:
        return ("out",)
    leaves: tuple[Change, ...] = ("leaves",) if leaving else ()
    if sitter.broke:
        return ("", "busted", "rebuys", "taken", *leaves)
    moves: tuple[Change, ...] = tuple([f"to-{seat}" for seat in empty]) if "moves" in extra else ()
    if not sitter.there:
        return ("", "back", *changes, *leaves, *moves)
    rooms: tuple[Change, ...] = ("away-in-room",) if tells_room else ()
    buys: tuple[Change, ...] = ("buys",) if "buys" in extra else ()
    return ("", "away", *changes, *leaves, *rooms, *moves, *buys)


def touches_others(change: Change) -> bool:
    """Whether a change is of more than its own seat."""
    return change.startswith("to-") or change == "buys"


def can_combine(changes: tuple[Change, ...]) -> bool:
    """Whether changes can happen before one hand: one buyer, and one player in a chair."""
    targets = [int(change.removeprefix("to-")) for change in changes if change.startswith("to-")]
    return (
        changes.count("buys") < 2
        and len(set(targets)) == len(targets)
        and not any(changes[target - 1] for target in targets)
    )


def apply_changes(
    seating: Seating, changes: tuple[Change, ...], name: str, *, counted: bool = False
) -> tuple[Seating, list[t.TableEvent]]:
    """Return the table behind the changes, and the events that tell them. `name`: of newcomers, before their seat.

    `counted`: who plays on has the same stack before each hand, so that anybody can lose all of it to anybody.
    """
    seating_after = dict(seating)
    events: list[t.TableEvent] = []
    for number, change in enumerate(changes, 1):
        seat = seat_number(number)
        sitter = seating_after.get(seat)
        if change in ("leaves", "taken", "broken") and sitter is not None:
            events.append(p.SeatLeft(seat, sitter.player, "left", sitter.stack))
            del seating_after[seat]
        if change in ("taken", "broken"):
            new = Sitter(player(f"{name}{seat}"))
            events.append(p.SeatTaken(seat, new.player, _ORIGINS[change], new.stack))
            seating_after[seat] = new
        elif sitter is not None:
            events += _of_sitter(seating_after, seat, sitter, change)
    for seat, sitter in sorted(seating_after.items()) if counted else ():
        if sitter.there and not sitter.broke and changes[seat - 1] not in ("taken", "rebuys"):
            events.append(p.StackCounted(seat_number(seat), STACK))
            seating_after[seat] = replace(sitter, stack=STACK)
    return seating_after, events


_ORIGINS: Final[dict[Change, p.Origin]] = {"taken": "walk-in", "broken": "broken-game"}


def _of_sitter(seating: Seating, seat: SeatNumber, sitter: Sitter, change: Change) -> Iterator[t.TableEvent]:
    """Yield what is told of somebody who sits there; the table is changed with it."""
    if change in ("away", "away-in-room"):
        stays_in_room = change == "away-in-room"
        yield p.PlayerAway(seat, sitter.player, stays_in_room)
        seating[seat] = replace(sitter, there=False, in_room=stays_in_room)
    elif change == "back":
        yield p.PlayerBack(seat, sitter.player)
        seating[seat] = replace(sitter, there=True, in_room=False)
    elif change.startswith("to-"):
        new_seat = seat_number(int(change.removeprefix("to-")))
        yield p.SeatMoved(sitter.player, seat, new_seat)
        seating[new_seat] = seating.pop(seat)
    elif change == "buys":
        yield t.ButtonBought(seat)
    elif change == "busted":
        yield p.PlayerBusted(seat, sitter.player)
    elif change == "rebuys":
        yield p.ChipsAdded(seat, STACK, "rebuy", player=sitter.player)
        seating[seat] = replace(sitter, stack=STACK)
    elif change == "out":
        yield t.PlayerEliminated(sitter.player, None, seat)
        del seating[seat]


def absent(seating: Seating) -> dict[int, NotDealtIn]:
    """Return who gets no cards whatever is offered, and why."""
    absent_seats: dict[int, NotDealtIn] = {seat: "away" for seat, sitter in seating.items() if not sitter.there}
    return absent_seats | {seat: "no-chips" for seat, sitter in seating.items() if sitter.broke}
