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
    last_hand = state.last
    unit, exponent = (last_hand.unit, last_hand.exponent) if last_hand else (state.unit, state.exponent)
    game_state = (state.number, game(state, last_hand), unit, exponent)
    seat_holders = holders(state, None)
    return {
        name: Owing(*game_state, table.doubted(name, due, None), seat_holders, table.broken)
        for name, due in table.coming().items()
    }


def game(state: TableState, hand: HandPlayed | None) -> str:
    """Return the game of a hand in words."""
    if hand is None:
        return ""
    stakes = hand.bets if hand.betting == "limit" and hand.bets else hand.blinds
    stakes_text = "/".join(amount(chips, hand.unit, hand.exponent) for chips in stakes)
    return f"{hand.betting} {hand.variant or state.variant} {stakes_text}".strip()


def holders(state: TableState, hand: HandPlayed | None) -> list[Holder]:
    """Return who held the seats of a table before a hand, with those who came with the hand itself."""
    by_seat = {
        seat_state.seat: Holder(seat_state.seat, seat_state.player, seat_state.stack, seat_state.presence)
        for seat_state in state.seats.values()
    }
    for dealt_seat in hand.dealt_in if hand else ():
        by_seat[dealt_seat.seat] = Holder(dealt_seat.seat, dealt_seat.player, dealt_seat.before, "present")
    for left_out in hand.left_out if hand else ():
        by_seat.setdefault(left_out.seat, Holder(left_out.seat, left_out.player, left_out.stack, left_out.reason))
    return [by_seat[seat] for seat in sorted(by_seat)]
