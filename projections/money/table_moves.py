"""Compare the stacks that players bring to a new table with those that they left the last table with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.event import Event
from ledger.presence import SeatLeft, SeatTaken
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from ledger.vocabulary import Chips, Millis, PlayerId
from projections.money.chip_notes import ChipNotes
from projections.money.difference import EventRef, MoneyDifference
from projections.sentences import table_chips as say

TRANSFER_ORIGINS: Final = frozenset({"broken-game", "limit-change", "table-balance", "must-move"})


class TableMove(NamedTuple):
    """A player who left a table, or sat down at one, with chips."""

    player: PlayerId
    is_arrival: bool
    is_transfer: bool  # the record says that the player moves from a table to another
    stack: Chips | None
    time: Millis | None  # of the table's clock
    reference: EventRef
    notes: ChipNotes  # of the table
    is_reported: bool  # the event is among those to report, such as those of a shift


def read_move(entry: TableEntry, state: TableState, notes: ChipNotes, *, is_reported: bool) -> TableMove | None:
    """Return the player who left or sat down with chips, or None for other events. `state`: the table after the event."""
    event: Event = entry.event
    if isinstance(event, SeatTaken):
        is_transfer = event.origin in TRANSFER_ORIGINS
        return TableMove(
            event.player, True, is_transfer, event.stack, state.time, notes.refer_to_fact(entry), notes, is_reported
        )
    if isinstance(event, SeatLeft) and event.player in state.departures:
        stack = state.departures[event.player].stack
        is_transfer = event.reason == "moved"
        return TableMove(
            event.player, False, is_transfer, stack, state.time, notes.refer_to_fact(entry), notes, is_reported
        )
    return None


def check_moves(moves: Iterable[TableMove]) -> list[MoneyDifference]:
    """Return a difference for each player who sat down with another stack than they left the last table with.

    `moves`: of all tables of a room, or of a tournament. A stack that isn't on record is never a difference.
    """
    by_player: dict[PlayerId, list[TableMove]] = defaultdict(list)
    for move in moves:
        by_player[move.player].append(move)
    return [difference for player_moves in by_player.values() for difference in _check_player(player_moves)]


def _check_player(moves: list[TableMove]) -> Iterator[MoneyDifference]:
    """Yield the differences of one player.

    Facts before a table's first clock come first. Without clocks, only a single departure can be matched.
    """
    departures = [move for move in moves if not move.is_arrival]
    if any(departure.time is None for departure in departures):
        arrivals = [
            move for move in moves if move.is_arrival and all(move.notes is not other.notes for other in departures)
        ]
        if len(departures) == len(arrivals) == 1:
            yield from _compare(departures[0], arrivals[0])
        return
    moves.sort(key=lambda move: (move.time or 0, move.is_arrival))
    for departure, arrival in pairwise(moves):
        if arrival.is_arrival and not departure.is_arrival:
            yield from _compare(departure, arrival)


def _compare(departure: TableMove, arrival: TableMove) -> Iterator[MoneyDifference]:
    """Yield the difference of a move, if the record shows that the player moved and gives both stacks."""
    if departure.notes is arrival.notes or not (departure.is_transfer or arrival.is_transfer):
        return
    if not arrival.is_reported or departure.stack is None or arrival.stack is None or departure.stack == arrival.stack:
        return
    notes = arrival.notes
    yield notes.build_difference(
        say.moved_with(
            notes.describe_player(arrival.player),
            notes.money(arrival.stack),
            notes.money(departure.stack),
            notes.describe_table(),
            departure.notes.describe_table(),
        ),
        expected=departure.stack,
        stated=arrival.stack,
        player=arrival.player,
        events=[arrival.reference, departure.reference],
    )
