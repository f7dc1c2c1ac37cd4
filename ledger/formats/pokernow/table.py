"""What happens at the table besides the hands: a table from the words of a row to the facts in it.

A seat that a row does not name is that of the nearest list of stacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ledger import presence as p
from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokernow.rows import VENUE, Sitting
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.people import People
from ledger.readers import amounts, phrases
from ledger.table import events as t
from ledger.vocabulary import Chips, PlayerId, Seat


@dataclass(slots=True)
class Table:
    """What is known of the table while its rows are told."""

    people: People
    sitting: Sitting
    exponent: int  # of the log's amounts
    in_hand: bool = False  # the row stands within a hand
    index: int = 0  # the number of the row
    blinds: dict[str, Chips] = field(default_factory=dict)  # small and big, as far as told
    tokens: dict[str, str] = field(default_factory=dict)  # a player's id → name and id, as last told

    def player(self, token: str) -> PlayerId:
        """Return the player whom the log calls so."""
        return self.people.player(VENUE, token)

    def chips(self, text: str) -> Chips:
        """Read an amount; what is none raises `UnreadableHandError`."""
        return amounts.read(text, self.exponent)

    def seat(self, token: str) -> Seat | None:
        """Return where the player sat last when the row was written."""
        return self.sitting.before(self.index, token)

    def row(self) -> list[Event]:
        """Keep a row of words without an event of their own."""
        return [RemarkNoted(self.people.text(self.sitting.text(self.index).strip().replace("\0", " ")))]


Tell: TypeAlias = Callable[..., list[Event]]
"""Makes the facts of a row from the table and what stands where its phrase has braces."""


def tell(table: Table, index: int, text: str) -> list[Event] | None:
    """Return what row number `index` tells about the table; None where nobody knows it."""
    table.index = index
    for make, found in PHRASES.matches(text):
        try:
            return make(table, **{name: read(table, said) if read else said for name, read, said in found})
        except (UnreadableHandError, amounts.FinerAmountError):
            return None
    return table.row() if text.startswith(REMARKS) else None


def unread(table: Table, text: str) -> LineUnread:
    """Keep a row that nobody knows."""
    return LineUnread(table.people.text(text.strip().replace("\0", " ")))


# -- seats and chips --------------------------------------------------------------------------------


def _joined(origin: p.Origin) -> Tell:
    def make(table: Table, token: str, stack: Chips) -> list[Event]:
        seat = table.sitting.after(table.index, token)
        if seat is None:  # never dealt in: only the chips are told
            return [p.ChipsAdded(None, stack, "buy-in", player=table.player(token))]
        return [p.SeatTaken(seat, table.player(token), origin, stack)]

    return make


def _stands(table: Table, token: str, stack: Chips) -> list[Event]:
    seat = table.seat(token)
    away = p.PlayerAway(seat, table.player(token), why="stood-up")
    # In the middle of a hand the stack is what is left behind the bets: no count of the whole.
    return [away] if seat is None or table.in_hand else [p.StackCounted(seat, stack), away]


def _sits(table: Table, token: str, stack: Chips) -> list[Event]:
    player, was, seat = table.player(token), table.seat(token), table.sitting.after(table.index, token)
    told: list[Event] = [p.PlayerBack(was, player)]
    if seat is not None:
        if was is not None and seat != was:
            told.append(p.SeatMoved(player, was, seat))
        told.append(p.StackCounted(seat, stack))
    return told


def _identified(table: Table, token: str, old: str, new: str) -> list[Event]:
    name = token.rpartition(" @ ")[0]
    former, now = table.tokens.get(old, f"{name} @ {old}"), f"{name} @ {new}"
    table.tokens[new] = now
    return [t.PlayerIdentified(table.player(former), table.player(now))]


def _updated(table: Table, token: str, stack: Chips, after: Chips) -> list[Event]:
    make = p.ChipsAdded if after >= stack else p.ChipsRemoved
    return [make(table.seat(token), abs(after - stack), "admin", "host", table.player(token))]


def _answered(table: Table, token: str, stack: Chips) -> list[Event]:
    return [t.SeatRequestAnswered(table.player(token), granted=True, by="host", stack=stack)]


# -- the game -----------------------------------------------------------------------------------------


def _stakes(which: str, other: str) -> Tell:
    def make(table: Table, stack: Chips) -> list[Event]:
        table.blinds[which] = stack
        text = table.sitting.text(table.index + 1)
        if text.startswith(f"The game's {other} blind was changed from "):  # both are changed at once
            table.blinds[other] = table.chips(text.rpartition(" to ")[2].rstrip("."))
        small, big = table.blinds.get("small"), table.blinds.get("big")
        if small is None or big is None:  # the other one was told before this log began
            return table.row()
        return [t.StakesChanged((small, big))]

    return make


REMARKS: Final = (
    "WARNING: ",
    "Game Config Changes",
    "Asking to busted players",
    "Waiting for the game owner",
    "IMPORTANT: ",
)
"""Rows of words without an event of their own: they are kept as they stand."""

PHRASES: Final[phrases.Table[Tell, Callable[[Table, str], Chips]]] = phrases.Table(
    (
        ('The player "{token}" joined the game with a stack of {stack}.', _joined("unknown")),
        (
            'The player "{token}" quits the game with a stack of {stack}.',
            lambda on, token, stack: [
                p.SeatLeft(on.seat(token), on.player(token), "left" if stack else "busted", stack)
            ],
        ),
        ('The player "{token}" stand up with the stack of {stack}.', _stands),
        ('The player "{token}" sit back with the stack of {stack}.', _sits),
        ('The player "{token}" requested a seat.', lambda on, token: [t.SeatRequested(on.player(token))]),
        (
            'The player "{token}" canceled the seat request.',
            lambda on, token: [t.SeatRequestAnswered(on.player(token), granted=False, by="player")],
        ),
        ('The admin approved the player "{token}" participation with a stack of {stack}.', _answered),
        ('The admin "{_}" approved the player "{token}" participation with a stack of {stack}.', _answered),
        (
            'The player "{token}" requested a seat with a stack of {stack}.',
            lambda on, token, stack: [t.SeatRequested(on.player(token), stack=stack)],
        ),
        (
            'The admin "{_}" rejected the seat request from the player "{token}".',
            lambda on, token: [t.SeatRequestAnswered(on.player(token), granted=False, by="host")],
        ),
        (
            'The admin "{_}" forced the player "{token}" to away mode in the next hand.',
            lambda on, token: [p.PlayerAway(on.seat(token), on.player(token), why="forced")],
        ),
        (
            'The admin "{_}" enqueued the removal of the player "{token}".',
            lambda on, token: [t.RemovalQueued(on.player(token), "host", False)],
        ),
        (
            'The admin "{_}" canceled the removal of the player "{token}".',
            lambda on, token: [t.RemovalQueued(on.player(token), "host", True)],
        ),
        ('The admin "{_}" enqueued the game stop on next hand.', lambda _: [t.RemovalQueued("", "host", False)]),
        ('The admin "{_}" canceled the game stop on next hand.', lambda _: [t.RemovalQueued("", "host", True)]),
        ('The admin updated the player "{token}" stack from {stack} to {after}.', _updated),
        ('The admin "{_}" updated the player "{token}" stack from {stack} to {after}.', _updated),
        (
            'The player "{token}" passed the room ownership to "{other}".',
            lambda on, token, other: [t.HostChanged(on.player(other), on.player(token))],
        ),
        ('The player "{token}" changed the ID from {old} to {new} because authenticated login.', _identified),
        ('The player "{token}" is in the tournament with a stack of {stack}.', _joined("game-start")),
        ('The player "{token}" will start to play in this table with a stack of {stack}.', _joined("table-balance")),
        (
            'The player "{token}" was moved to table #{_}.',
            lambda on, token: [p.SeatLeft(on.seat(token), on.player(token), "moved")],
        ),
        ('"{_}" will be playing on table #{_} (ID: {_}).', Table.row),
        ('The player "{_}" requested a rebuy of {_}.', Table.row),
        (
            'The player "{token}" rebought. New stack {stack}.',  # who has no chips left: the new stack was bought
            lambda on, token, stack: [p.ChipsAdded(on.seat(token), stack, "rebuy", "player", on.player(token))],
        ),
        ("The game's small blind was changed from {_} to {stack}.", _stakes("small", "big")),
        ("The game's big blind was changed from {_} to {stack}.", _stakes("big", "small")),
        ("The game's ante was changed from {_} to {stack}.", lambda _, stack: [t.StakesChanged(ante=stack)]),
        ("Game entering in a break returning in {_} minutes.", lambda _: [t.TablePaused("break")]),
    ),
    dict.fromkeys(("stack", "after"), Table.chips),
)
"""The words of a row around what varies → the facts."""

TOURNAMENT: Final = (
    "is in the tournament with a stack of",
    "was moved to table #",
    "will be playing on table #",
    "will start to play in this table with",
    "rebought. New stack",
    "Game entering in a break",
)
"""Words of rows that only tournaments have."""
