"""Check the tables of a tournament that break: the breaking order, redraws, and the final table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from projections.money.table_balance import is_reshuffled
from projections.sentences import seating as say

if TYPE_CHECKING:
    from ledger.vocabulary import Millis, PlayerId
    from projections.money.difference import EventRef
    from projections.money.seating_notes import SeatingNotes
    from projections.money.tournament import Tournament, TournamentMove, TournamentTable

BREAKING_ORDER: Final = "seating.breaking_order"
REDRAW: Final = "seating.redraw"
FINAL_TABLE: Final = "seating.final_table"
FINAL_TABLE_SHORT: Final = "seating.final_table_short"
_HANDS_TO_MOVE: Final = 2
"""The most hands that the new table may play until a player arrives."""
_FULL_SIZE: Final = 8
"""The fewest seats of a full-size table."""


class TableBreak(NamedTuple):
    """A table that broke. Its last players went to other tables."""

    table: TournamentTable
    moves: list[TournamentMove]
    resumed: Millis  # when the first hand began that one of them played elsewhere
    tables_left: list[TournamentTable]  # with hands from then on
    continuing_tables: list[TournamentTable]  # those of them that had hands before

    def is_timely(self, move: TournamentMove) -> bool:
        """Whether a player was at the new table soon after the break, and at no other table in between."""
        first_index = move.target.table.find_index_from(self.resumed)
        return first_index is not None and (move.target.first or 0) <= first_index + _HANDS_TO_MOVE


def check_breaks(notes: SeatingNotes, moves: list[TournamentMove]) -> None:
    """Check each table that broke. All hands have times."""
    table_breaks = find_breaks(notes.tournament, moves)
    for table_break in table_breaks:
        _check_order(notes, table_break)
        _check_redraw(notes, table_break)
    if table_breaks:
        _check_final_table(notes, table_breaks[-1])


def find_breaks(tournament: Tournament, moves: Iterable[TournamentMove]) -> list[TableBreak]:
    """Return the tables whose last players all went to other tables, ordered by time."""
    last_moves: dict[str, list[TournamentMove]] = {}
    for move in moves:
        table = move.origin.table
        if move.is_to_other_table and move.origin.last == len(table.hands) - 1 and move.target.began is not None:
            last_moves.setdefault(table.key.table, []).append(move)
    breaks = [_build_break(tournament, table_moves) for table_moves in last_moves.values() if _is_complete(table_moves)]
    breaks = [table_break for table_break in breaks if all(map(table_break.is_timely, table_break.moves))]
    return sorted(breaks, key=lambda table_break: table_break.resumed)


def _is_complete(moves: list[TournamentMove]) -> bool:
    """Whether all survivors of a table's last hand moved. Otherwise its record just ends."""
    table = moves[0].origin.table
    return {move.player for move in moves} >= set(table.list_survivors(len(table.hands) - 1).values())


def _build_break(tournament: Tournament, moves: list[TournamentMove]) -> TableBreak:
    """Return the break of the table that these players left."""
    broken_table = moves[0].origin.table
    resumed = min(move.target.began for move in moves if move.target.began is not None)
    tables_left = [
        table for table in tournament.tables if table is not broken_table and table.find_index_from(resumed) is not None
    ]
    continuing_tables = [table for table in tables_left if table.find_index_from(resumed) != 0]
    return TableBreak(broken_table, moves, resumed, tables_left, continuing_tables)


def _check_order(notes: SeatingNotes, table_break: TableBreak) -> None:
    """Check that no continuing table should have broken first. After a redraw, all tables are new."""
    order = notes.book.policy.value(BREAKING_ORDER)
    continuing_tables = [
        table for table in table_break.continuing_tables if _find_kept_seats(table_break, table) is not None
    ]
    if order is None or not continuing_tables:
        return
    tables = [table_break.table, *continuing_tables]
    if any(table.number is None for table in tables):
        for table in tables:
            if table.number is None:
                notes.add_gap(table.key.table, say.table_without_number(table.name), [])
        return
    find_due_table = max if order == "highest-number" else min
    due_table = find_due_table(tables, key=lambda table: table.number or 0)
    if due_table is not table_break.table:
        notes.add_difference(
            BREAKING_ORDER,
            table_break.table,
            say.broke_out_of_order(table_break.table.name, due_table.name),
            say.breaking_order(is_highest_first=order == "highest-number"),
            [
                notes.tournament.refer_to_hand(table_break.table, len(table_break.table.hands) - 1),
                *_list_departures(notes.tournament, table_break),
            ],
        )


def _list_departures(tournament: Tournament, table_break: TableBreak) -> list[EventRef]:
    """Return the events by which the players left the table."""
    return [
        tournament.refer_to_fact(move.origin.table, move.origin.departure)
        for move in table_break.moves
        if move.origin.departure is not None
    ]


class _KeptSeats(NamedTuple):
    """The players who kept their seats at a table that went on when another broke."""

    table: TournamentTable
    hand_index: int  # of the first hand after the break
    survivors: int
    players: list[PlayerId]


def _check_redraw(notes: SeatingNotes, table_break: TableBreak) -> None:
    """Check that seats were drawn again, if the book requires a redraw with this number of tables left."""
    if len(table_break.tables_left) not in (notes.book.policy.value(REDRAW) or ()):
        return
    for table in table_break.continuing_tables:
        kept_seats = _find_kept_seats(table_break, table)
        if kept_seats is not None:
            _report_missing_redraw(notes, table_break, kept_seats)


def _find_kept_seats(table_break: TableBreak, table: TournamentTable) -> _KeptSeats | None:
    """Return the players who kept their seats at a table, or None if the seats were drawn again.

    The redraw may come after any hand since the broken table's last one.
    """
    index = table.find_index_from(table_break.resumed)
    last_hand = table_break.table.hands[-1]
    assert index is not None  # noqa: S101 - only tables with a later hand continue
    assert last_hand.time is not None  # noqa: S101 - all hands have times
    start = table.find_index_at(last_hand.time)
    pairs = range(index - 1 if start is None else start, index)
    if any(is_reshuffled(table, earlier_index) for earlier_index in pairs):
        return None
    survivors, next_players = table.list_survivors(index - 1), table.hands[index].players
    players = [player for seat, player in survivors.items() if next_players.get(seat) == player]
    return _KeptSeats(table, index, len(survivors), players)


def _report_missing_redraw(notes: SeatingNotes, table_break: TableBreak, kept_seats: _KeptSeats) -> None:
    """Add a difference if all players kept their seats, or else a gap: a few may get their old seats by chance."""
    tournament, table = notes.tournament, kept_seats.table
    broken_name, kept_count = table_break.table.name, len(kept_seats.players)
    events = [
        tournament.refer_to_hand(table, kept_seats.hand_index),
        tournament.refer_to_hand(table, kept_seats.hand_index - 1),
        tournament.refer_to_hand(table_break.table, len(table_break.table.hands) - 1),
    ]
    if kept_count < kept_seats.survivors or kept_count < 2:
        missing = say.redraw_unclear(broken_name, table.name, kept_count, kept_seats.survivors)
        notes.add_gap(table.key.table, missing, events)
        return
    names = [tournament.name_player(player) for player in kept_seats.players]
    hand_number = table.hands[kept_seats.hand_index].hand.number
    notes.add_difference(
        REDRAW,
        table,
        say.no_redraw(broken_name, len(table_break.tables_left), table.name),
        say.kept_seats(names, hand_number),
        events,
    )


def _check_final_table(notes: SeatingNotes, table_break: TableBreak) -> None:
    """Check how many players the last table began with."""
    if len(table_break.tables_left) != 1:
        return
    (final_table,) = table_break.tables_left
    chairs = max(table_break.table.chairs, final_table.chairs)
    point = FINAL_TABLE if chairs >= _FULL_SIZE else FINAL_TABLE_SHORT
    limit, index = notes.book.policy.value(point), final_table.find_index_from(table_break.resumed)
    if limit is None or index is None or not chairs:
        return
    players = len(final_table.hands[index].players)
    if players > limit:
        notes.add_difference(
            point,
            final_table,
            say.too_many_at_final_table(final_table.name, players, limit),
            say.tables_combined(table_break.table.name),
            [
                notes.tournament.refer_to_hand(final_table, index),
                notes.tournament.refer_to_hand(table_break.table, len(table_break.table.hands) - 1),
            ],
            expected=limit,
            counted=players,
        )
