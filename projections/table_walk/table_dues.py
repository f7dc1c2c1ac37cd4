"""What a table owes on its coming hand and who sits there, as its walk leaves it: what is kept, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.table.breaks import Break
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.amount_text import amount
from projections.obligations.dues import Due

if TYPE_CHECKING:
    from ledger.table.events import HandPlayed
    from ledger.table.state import TableState
    from projections.table_walk.table_context import Table


class Holder(msgspec.Struct, frozen=True):
    """Who holds a seat. `presence` is as the record told it last."""

    seat: Seat
    player: PlayerId
    stack: Chips | None
    presence: str


class Owing(msgspec.Struct, frozen=True):
    """What is due at a table on the coming hand, and who sits there. Amounts in units of 10^-exponent of `unit`."""

    after: str  # number of the last hand
    game: str
    unit: str
    exponent: int
    due: Due
    holders: list[Holder]
    breaks: list[Break]  # where the chain of hands before breaks, oldest first


def owing(table: Table) -> dict[str, Owing]:
    """Return what is due at a table that was walked to its end, by the name of the book."""
    state = table.state
    last = state.last
    unit, exponent = (last.unit, last.exponent) if last else (state.unit, state.exponent)
    told = (state.number, game(state, last), unit, exponent)
    held = holders(state, None)
    return {
        name: Owing(*told, table.doubted(name, due, None), held, table.broken) for name, due in table.coming().items()
    }


def game(state: TableState, hand: HandPlayed | None) -> str:
    """Return the game of a hand in words."""
    if hand is None:
        return ""
    stakes = hand.bets if hand.betting == "limit" and hand.bets else hand.blinds
    said = "/".join(amount(chips, hand.unit, hand.exponent) for chips in stakes)
    return f"{hand.betting} {hand.variant or state.variant} {said}".strip()


def holders(state: TableState, hand: HandPlayed | None) -> list[Holder]:
    """Return who held the seats of a table before a hand, with those who came with the hand itself."""
    found = {held.seat: Holder(held.seat, held.player, held.stack, held.presence) for held in state.seats.values()}
    for one in hand.dealt_in if hand else ():
        found[one.seat] = Holder(one.seat, one.player, one.before, "present")
    for left in hand.left_out if hand else ():
        found.setdefault(left.seat, Holder(left.seat, left.player, left.stack, left.reason))
    return [found[seat] for seat in sorted(found)]
