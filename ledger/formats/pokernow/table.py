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
from ledger.formats.pokernow.seats import VENUE, Sitting
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.people import People
from ledger.readers import amounts
from ledger.readers import phrases as templates
from ledger.table import events as t
from ledger.vocabulary import Chips, PlayerId


@dataclass(slots=True)
class Table:
    """What is known of the table while its rows are told."""

    people: People
    sitting: Sitting
    exponent: int  # of the log's amounts
    in_hand: bool = False  # the row stands within a hand
    blinds: dict[str, Chips] = field(default_factory=dict)  # small and big, as far as told
    tokens: dict[str, str] = field(default_factory=dict)  # a player's id → name and id, as last told

    def player(self, token: str) -> PlayerId:
        """Return the player whom the log calls so."""
        return self.people.player(VENUE, token)

    def chips(self, text: str) -> Chips:
        """Read an amount; what is none raises `UnreadableHandError`."""
        return amounts.read(text, self.exponent)


Tell: TypeAlias = Callable[[Table, int, list[str]], list[Event]]
"""Makes the facts of row number so and so; the texts stand where the template has braces."""


def tell(table: Table, index: int, text: str) -> list[Event] | None:
    """Return what a row tells about the table; None where nobody knows it."""
    for make, found in TEMPLATES.matches(text):
        try:
            return make(table, index, [written for _, _, written in found])
        except (UnreadableHandError, amounts.FinerAmountError):
            return None
    if text.startswith(REMARKS):
        return [_remark(table, text)]
    return None


def unread(table: Table, text: str) -> LineUnread:
    """Keep a row that nobody knows."""
    return LineUnread(table.people.text(text.strip().replace("\0", " ")))


def _remark(table: Table, text: str) -> RemarkNoted:
    return RemarkNoted(table.people.text(text.strip().replace("\0", " ")))


# -- seats ----------------------------------------------------------------------------------------


def _joined(origin: p.Origin) -> Tell:
    def make(table: Table, index: int, found: list[str]) -> list[Event]:
        token, stack = found[0], table.chips(found[1])
        seat = table.sitting.after(index, token)
        if seat is None:  # never dealt in: only the chips are told
            return [p.ChipsAdded(None, stack, "buy-in", player=table.player(token))]
        return [p.SeatTaken(seat, table.player(token), origin, stack)]

    return make


def _quits(table: Table, index: int, found: list[str]) -> list[Event]:
    token, stack = found[0], table.chips(found[1])
    seat = table.sitting.before(index, token)
    return [p.SeatLeft(seat, table.player(token), "left" if stack else "busted", stack)]


def _moved(table: Table, index: int, found: list[str]) -> list[Event]:
    return [p.SeatLeft(table.sitting.before(index, found[0]), table.player(found[0]), "moved")]


def _stands(table: Table, index: int, found: list[str]) -> list[Event]:
    token, stack = found[0], table.chips(found[1])
    seat = table.sitting.before(index, token)
    away = p.PlayerAway(seat, table.player(token), why="stood-up")
    # In the middle of a hand the stack is what is left behind the bets: no count of the whole.
    return [away] if seat is None or table.in_hand else [p.StackCounted(seat, stack), away]


def _sits(table: Table, index: int, found: list[str]) -> list[Event]:
    token, stack = found[0], table.chips(found[1])
    player, was = table.player(token), table.sitting.before(index, token)
    seat = table.sitting.after(index, token)
    told: list[Event] = [p.PlayerBack(was, player)]
    if seat is not None:
        if was is not None and seat != was:
            told.append(p.SeatMoved(player, was, seat))
        told.append(p.StackCounted(seat, stack))
    return told


def _forced(table: Table, index: int, found: list[str]) -> list[Event]:
    token = found[1]
    return [p.PlayerAway(table.sitting.before(index, token), table.player(token), why="forced")]


def _requested(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [t.SeatRequested(table.player(found[0]))]


def _withdrawn(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [t.SeatRequestAnswered(table.player(found[0]), granted=False, by="player")]


def _approved(table: Table, _index: int, found: list[str]) -> list[Event]:
    stack = table.chips(found[1])
    return [t.SeatRequestAnswered(table.player(found[0]), granted=True, by="host", stack=stack)]


def _approved_by(table: Table, index: int, found: list[str]) -> list[Event]:
    return _approved(table, index, found[1:])


def _requested_with(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [t.SeatRequested(table.player(found[0]), stack=table.chips(found[1]))]


def _rejected(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [t.SeatRequestAnswered(table.player(found[1]), granted=False, by="host")]


def _identified(table: Table, _index: int, found: list[str]) -> list[Event]:
    token, old, new = found
    name = token.rpartition(" @ ")[0]
    former = table.tokens.get(old, f"{name} @ {old}")
    now = f"{name} @ {new}"
    table.tokens[new] = now
    return [t.PlayerIdentified(table.player(former), table.player(now))]


# -- chips ----------------------------------------------------------------------------------------


def _updated(table: Table, index: int, found: list[str]) -> list[Event]:
    token, before, after = found[0], table.chips(found[1]), table.chips(found[2])
    seat, player = table.sitting.before(index, token), table.player(token)
    if after >= before:
        return [p.ChipsAdded(seat, after - before, "admin", "host", player)]
    return [p.ChipsRemoved(seat, before - after, "admin", "host", player)]


def _updated_by(table: Table, index: int, found: list[str]) -> list[Event]:
    return _updated(table, index, found[1:])


def _rebought(table: Table, index: int, found: list[str]) -> list[Event]:
    """Who has no chips left may buy in anew: the new stack is what was bought."""
    token, stack = found[0], table.chips(found[1])
    seat = table.sitting.before(index, token)
    return [p.ChipsAdded(seat, stack, "rebuy", "player", table.player(token))]


# -- the game -------------------------------------------------------------------------------------


def _stakes(which: str) -> Tell:
    def make(table: Table, index: int, found: list[str]) -> list[Event]:
        now = table.chips(found[1])
        if which == "ante":
            return [t.StakesChanged(ante=now)]
        table.blinds[which] = now
        other = "big" if which == "small" else "small"
        beside = _beside(table, index, other)
        if beside is not None:  # both are changed at once
            table.blinds[other] = beside
        small, big = table.blinds.get("small"), table.blinds.get("big")
        if small is None or big is None:  # the other one was told before this log began
            return [_remark(table, table.sitting.text(index))]
        return [t.StakesChanged((small, big))]

    return make


def _beside(table: Table, index: int, which: str) -> Chips | None:
    """Return the other blind that the next row changes too."""
    words = f"The game's {which} blind was changed from "
    text = table.sitting.text(index + 1)
    if not text.startswith(words):
        return None
    return table.chips(text.rpartition(" to ")[2].rstrip("."))


def _removal(*, withdrawn: bool = False) -> Tell:
    def make(table: Table, _index: int, found: list[str]) -> list[Event]:
        return [t.RemovalQueued(table.player(found[1]), "host", withdrawn)]

    return make


def _stop(*, withdrawn: bool = False) -> Tell:
    def make(_table: Table, _index: int, _found: list[str]) -> list[Event]:
        return [t.RemovalQueued("", "host", withdrawn)]

    return make


def _host(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [t.HostChanged(table.player(found[1]), table.player(found[0]))]


def _paused(_table: Table, _index: int, _found: list[str]) -> list[Event]:
    return [t.TablePaused("break")]


REMARKS: Final = (
    "WARNING: ",
    "Game Config Changes",
    "Asking to busted players",
    "Waiting for the game owner",
    "IMPORTANT: ",
)
"""Rows of words without an event of their own: they are kept as they stand."""


def _words(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [_remark(table, f'"{found[0]}" will be playing on table #{found[1]} (ID: {found[2]}).')]


def _asks(table: Table, _index: int, found: list[str]) -> list[Event]:
    return [_remark(table, f'The player "{found[0]}" requested a rebuy of {found[1]}.')]


TEMPLATES: Final[templates.Table[Tell, None]] = templates.Table(
    (
        ('The player "{a}" joined the game with a stack of {b}.', _joined("unknown")),
        ('The player "{a}" quits the game with a stack of {b}.', _quits),
        ('The player "{a}" stand up with the stack of {b}.', _stands),
        ('The player "{a}" sit back with the stack of {b}.', _sits),
        ('The player "{a}" requested a seat.', _requested),
        ('The player "{a}" canceled the seat request.', _withdrawn),
        ('The admin approved the player "{a}" participation with a stack of {b}.', _approved),
        ('The admin "{a}" approved the player "{b}" participation with a stack of {c}.', _approved_by),
        ('The player "{a}" requested a seat with a stack of {b}.', _requested_with),
        ('The admin "{a}" rejected the seat request from the player "{b}".', _rejected),
        ('The admin "{a}" forced the player "{b}" to away mode in the next hand.', _forced),
        ('The admin "{a}" enqueued the removal of the player "{b}".', _removal()),
        ('The admin "{a}" canceled the removal of the player "{b}".', _removal(withdrawn=True)),
        ('The admin "{a}" enqueued the game stop on next hand.', _stop()),
        ('The admin "{a}" canceled the game stop on next hand.', _stop(withdrawn=True)),
        ('The admin updated the player "{a}" stack from {b} to {c}.', _updated),
        ('The admin "{a}" updated the player "{b}" stack from {c} to {d}.', _updated_by),
        ('The player "{a}" passed the room ownership to "{b}".', _host),
        ('The player "{a}" changed the ID from {b} to {c} because authenticated login.', _identified),
        ('The player "{a}" is in the tournament with a stack of {b}.', _joined("game-start")),
        ('The player "{a}" will start to play in this table with a stack of {b}.', _joined("table-balance")),
        ('The player "{a}" was moved to table #{b}.', _moved),
        ('"{a}" will be playing on table #{b} (ID: {c}).', _words),
        ('The player "{a}" rebought. New stack {b}.', _rebought),
        ('The player "{a}" requested a rebuy of {b}.', _asks),
        ("The game's small blind was changed from {a} to {b}.", _stakes("small")),
        ("The game's big blind was changed from {a} to {b}.", _stakes("big")),
        ("The game's ante was changed from {a} to {b}.", _stakes("ante")),
        ("Game entering in a break returning in {a} minutes.", _paused),
    ),
    {},
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
