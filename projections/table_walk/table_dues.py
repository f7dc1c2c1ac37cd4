"""The dues at a table and who sits there, in the form that is stored and shown."""

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
    from projections.table_walk.table_context import TableWalk


class SeatHolder(msgspec.Struct, frozen=True):
    """A player in a seat."""

    seat: Seat
    player: PlayerId
    stack: Chips | None  # None = unknown
    presence: str  # as last recorded: "present", "away", ...


class TableDues(msgspec.Struct, frozen=True):
    """The dues on a table's next hand, and who sits there. Amounts are in units of 10^-exponent of `unit`."""

    after: str  # number of the last hand; "" = none
    game: str
    unit: str
    exponent: int
    due: Due
    holders: list[SeatHolder]
    breaks: list[Break]  # breaks in the chain of earlier hands, oldest first


def list_table_dues(table_walk: TableWalk) -> dict[str, TableDues]:
    """Return the dues on the next hand of a table that was walked to its end, by the name of the book."""
    state = table_walk.state
    last_hand = state.last_hand
    unit, exponent = (last_hand.unit, last_hand.exponent) if last_hand else (state.unit, state.exponent)
    game_state = (state.number, describe_game(state, last_hand), unit, exponent)
    seat_holders = list_seat_holders(state, None)
    return {
        book_name: TableDues(
            *game_state, table_walk.add_doubts(book_name, hand_dues, None), seat_holders, table_walk.breaks
        )
        for book_name, hand_dues in table_walk.find_next_dues().items()
    }


def describe_game(state: TableState, hand: HandPlayed | None) -> str:
    """Describe the game of a hand by betting, variant and stakes; "" without a hand."""
    if hand is None:
        return ""
    stakes = hand.bets if hand.betting == "limit" and hand.bets else hand.blinds
    stakes_text = "/".join(amount(chips, hand.unit, hand.exponent) for chips in stakes)
    return f"{hand.betting} {hand.variant or state.variant} {stakes_text}".strip()


def list_seat_holders(state: TableState, hand: HandPlayed | None) -> list[SeatHolder]:
    """Return who sits at a table; with a hand, also the players who first appear in it. Sorted by seat."""
    by_seat = {
        seat_state.seat: SeatHolder(seat_state.seat, seat_state.player, seat_state.stack, seat_state.presence)
        for seat_state in state.seats.values()
    }
    dealt_players, left_out_players = (hand.dealt_in, hand.left_out) if hand is not None else ((), ())
    for player in dealt_players:
        by_seat[player.seat] = SeatHolder(player.seat, player.player, player.before, "present")
    for left_out in left_out_players:
        by_seat.setdefault(left_out.seat, SeatHolder(left_out.seat, left_out.player, left_out.stack, left_out.reason))
    return [by_seat[seat] for seat in sorted(by_seat)]
