"""Check the seats of a tournament over all its tables: drawing, balancing, breaking order and redraws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.presence import FloorCalled, FloorRuled
from ledger.table.events import SeatRequestAnswered, SeatRequested, SeatsAssigned
from projections.money.seating_notes import SeatingCheck, SeatingNotes
from projections.money.short_tables import check_short_tables
from projections.money.table_balance import check_balance, is_reshuffled
from projections.money.table_breaks import check_breaks
from projections.sentences import seating as say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.books.rulebook import Rulebook
    from projections.money.tournament import Stay, Tournament, TournamentMove, TournamentTable

ASSIGNED: Final = "seating.assigned"


def check_seating(tournament: Tournament, book: Rulebook) -> SeatingCheck:
    """Check the seats of a tournament under a rulebook. A point that the book doesn't decide isn't checked."""
    notes = SeatingNotes(tournament, book)
    moves = list(tournament.moves)
    if book.policy.value(ASSIGNED) == "drawn":
        _check_assignment(notes)
        _check_seat_changes(notes, moves)
    if len(tournament.tables) < 2:
        return notes.result
    if tournament.has_times:
        check_balance(notes, moves)
        check_breaks(notes, moves)
        check_short_tables(notes)
    else:
        tables = [table for table in tournament.tables if any(hand.time is None for hand in table.hands)]
        notes.add_gap("", say.hands_without_times([table.name for table in tables]), [])
    return notes.result


def _check_assignment(notes: SeatingNotes) -> None:
    """Check that nobody chose a seat, or got one by asking for it."""
    for table in notes.tournament.tables:
        for fact in table.facts:
            event = fact.event
            if isinstance(event, SeatsAssigned) and event.method in ("chosen", "arrival"):
                notes.add_difference(
                    ASSIGNED,
                    table,
                    say.seats_not_drawn(table.name, is_by_arrival=event.method == "arrival"),
                    "",
                    [notes.tournament.refer_to_fact(table, fact)],
                )
        _check_requests(notes, table)


def _check_requests(notes: SeatingNotes, table: TournamentTable) -> None:
    """Check that no request for a certain seat was granted."""
    requested_seats = {}
    for fact in table.facts:
        event = fact.event
        if isinstance(event, SeatRequested) and event.seat is not None:
            requested_seats[event.player] = event.seat, fact
        elif isinstance(event, SeatRequestAnswered) and event.granted and event.player in requested_seats:
            seat, request = requested_seats.pop(event.player)
            notes.add_difference(
                ASSIGNED,
                table,
                say.seat_requested(notes.tournament.name_player(event.player), table.name, seat),
                "",
                [notes.tournament.refer_to_fact(table, fact), notes.tournament.refer_to_fact(table, request)],
                player=event.player,
                seat=seat,
            )


def _check_seat_changes(notes: SeatingNotes, moves: Iterable[TournamentMove]) -> None:
    """Check that nobody changed seats at a table without a redraw or a ruling.

    A player who started in a wrong seat goes to the right one, so a change in the first round may be a correction.
    """
    for move in moves:
        origin, target = move.origin, move.target
        if move.is_to_other_table or origin.last is None or origin.first is None or origin.seat == target.seat:
            continue
        if _is_covered(origin, origin.last) or notes.tournament.may_have_been_elsewhere(move.player):
            continue
        table, name = origin.table, notes.tournament.name_player(move.player)
        events = [notes.tournament.refer_to_hand(table, origin.last)]
        if target.first is not None:
            events.insert(0, notes.tournament.refer_to_hand(table, target.first))
        if target.arrival is not None:
            events.insert(0, notes.tournament.refer_to_fact(table, target.arrival))
        if origin.last - origin.first + 1 < len(table.hands[origin.last].players):
            missing = say.maybe_wrong_seat(name, table.name, origin.seat, target.seat)
            notes.add_gap(table.key.table, missing, events)
            continue
        notes.add_difference(
            ASSIGNED,
            table,
            say.seat_changed(name, table.name, origin.seat, target.seat),
            say.no_draw_or_ruling(),
            events,
            player=move.player,
            seat=target.seat,
        )


def _is_covered(origin: Stay, hand_index: int) -> bool:
    """Whether a redraw or the floor explains why a player left a seat after a hand."""
    table = origin.table
    if hand_index + 1 >= len(table.hands) or is_reshuffled(table, hand_index):
        return True
    return any(isinstance(fact.event, FloorRuled | FloorCalled) for fact in table.list_facts_after(hand_index))
