"""Check which players moved to balance the tables of a tournament, and which seats they got."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.presence import SeatTaken
from projections.obligations.game import has_blinds
from projections.sentences import seating as say

if TYPE_CHECKING:
    from ledger.vocabulary import PlayerId, Seat
    from projections.money.difference import EventRef
    from projections.money.seating_notes import SeatingNotes
    from projections.money.tournament import Tournament, TournamentMove, TournamentTable

MOVER: Final = "seating.mover"
MOVED_TO: Final = "seating.moved_to"
MOVED_TO_STUD: Final = "seating.moved_to_stud"
_DEAD_BUTTON: Final = "button.method.tournament"


class _Departure(NamedTuple):
    """The players who left a table after one of its hands, while the table went on."""

    table: TournamentTable
    hand_index: int
    moves: list[TournamentMove]


def check_balance(notes: SeatingNotes, moves: Iterable[TournamentMove]) -> None:
    """Check the players who left a table that went on: whether they were next for the big blind, and their new seats.

    The big blind moves on by one player under the dead button; with another button, nothing is checked.
    """
    policy = notes.book.policy
    if policy.value(_DEAD_BUTTON) != "dead":
        return
    for departure in _group_departures(moves):
        if _is_stud(departure.table):
            if policy.value(MOVED_TO_STUD) == "last-open-seat":
                for move in departure.moves:
                    _check_stud_seat(notes, move)
            continue
        if policy.value(MOVER) == "next-big-blind":
            _check_movers(notes, departure)
        if policy.value(MOVED_TO) == "worst-position":
            for move in departure.moves:
                _check_seat(notes, move)


def _is_stud(table: TournamentTable) -> bool:
    """Whether no hand of a table has blinds."""
    return not any(has_blinds(hand.hand.variant) for hand in table.hands)


def is_reshuffled(table: TournamentTable, hand_index: int) -> bool:
    """Whether fewer than half of a hand's survivors have the same seats in the next hand: their seats were drawn again."""
    survivors = table.list_survivors(hand_index)
    next_players = table.hands[hand_index + 1].players
    kept_count = sum(next_players.get(seat) == player for seat, player in survivors.items())
    return 2 * kept_count < len(survivors)


def is_redrawn_after(table: TournamentTable, hand_index: int) -> bool:
    """Whether the seats were drawn again after a hand that isn't the last."""
    return hand_index + 1 < len(table.hands) and is_reshuffled(table, hand_index)


def _group_departures(moves: Iterable[TournamentMove]) -> list[_Departure]:
    """Return the moves that balance tables, by the hand after which they left."""
    departures: dict[tuple[str, int], _Departure] = {}
    for move in moves:
        table, hand_index = move.origin.table, move.origin.last
        if hand_index is None or not _is_balance(move, table, hand_index):
            continue
        group = departures.setdefault((table.key.table, hand_index), _Departure(table, hand_index, []))
        group.moves.append(move)
    return list(departures.values())


def _is_balance(move: TournamentMove, table: TournamentTable, hand_index: int) -> bool:
    """Whether a player left a table that went on, without a redraw and not because the table broke."""
    arrival = move.target.arrival.event if move.target.arrival is not None else None
    if isinstance(arrival, SeatTaken) and arrival.origin == "broken-game":
        return False
    has_next_hand = hand_index + 1 < len(table.hands)
    return move.is_to_other_table and has_next_hand and not is_reshuffled(table, hand_index)


def _check_movers(notes: SeatingNotes, departure: _Departure) -> None:
    """Check that the players who left were next for the big blind, unless the floor ruled otherwise."""
    if departure.table.has_ruling_after(departure.hand_index):
        return
    tournament, table, hand_index = notes.tournament, departure.table, departure.hand_index
    hand = table.hands[hand_index]
    names = [tournament.name_player(move.player) for move in departure.moves]
    if hand.big_blind_seat is None:
        for move, name in zip(departure.moves, names, strict=True):
            missing = say.big_blind_unknown(name, table.name, hand.hand.number)
            notes.add_gap(table.key.table, missing, _list_events(tournament, move))
        return
    due_players = list_next_big_blinds(table, hand_index)[: len(departure.moves)]
    for move, name in zip(departure.moves, names, strict=True):
        if move.player not in due_players:
            due_names = [tournament.name_player(player) for player in due_players]
            notes.add_difference(
                MOVER,
                table,
                say.wrong_mover(name, table.name, move.target.table.name),
                say.due_movers(table.name, hand.hand.number, due_names),
                _list_events(tournament, move),
                player=move.player,
                seat=move.origin.seat,
            )


def list_next_big_blinds(table: TournamentTable, hand_index: int) -> list[PlayerId]:
    """Return the players in the order in which their big blinds come after a hand. A voided hand is dealt again."""
    hand, survivors = table.hands[hand_index], table.list_survivors(hand_index)
    last_seat = hand.big_blind_seat
    assert last_seat is not None  # noqa: S101 - callers have checked it
    is_dealt_again = bool(hand.hand.voided)
    seats = sorted(survivors, key=lambda seat: (seat < last_seat or (seat == last_seat and not is_dealt_again), seat))
    return [survivors[seat] for seat in seats]


def _check_seat(notes: SeatingNotes, move: TournamentMove) -> None:
    """Check that a player who moved got the worst of the open seats."""
    target = move.target
    table, base = target.table, _find_base(move)
    if base is None or table.has_ruling_after(base) or is_redrawn_after(table, base):
        return
    name = notes.tournament.name_player(move.player)
    big_blind_seat = table.hands[base].big_blind_seat
    if big_blind_seat is None:
        missing = say.big_blind_unknown(name, table.name, table.hands[base].hand.number)
        notes.add_gap(table.key.table, missing, _list_events(notes.tournament, move))
        return
    if not table.chairs:
        notes.add_gap(table.key.table, say.chairs_unknown(name, table.name), _list_events(notes.tournament, move))
        return
    worse_seats = _list_worse_seats(table, base, big_blind_seat, target.seat)
    if worse_seats:
        notes.add_difference(
            MOVED_TO,
            table,
            say.better_position(name, table.name, target.seat),
            say.worst_seats(worse_seats, target.seat),
            [*_list_events(notes.tournament, move), notes.tournament.refer_to_hand(table, base)],
            player=move.player,
            seat=target.seat,
        )


def _check_stud_seat(notes: SeatingNotes, move: TournamentMove) -> None:
    """Check that a player who moved in stud got the seat that opened last. Seats that were never occupied don't count."""
    table, base = move.target.table, _find_base(move)
    if base is None or table.has_ruling_after(base) or is_redrawn_after(table, base):
        return
    hand_index, open_seats = _find_last_open_seats(table, base)
    if not open_seats or move.target.seat in open_seats:
        return
    name = notes.tournament.name_player(move.player)
    notes.add_difference(
        MOVED_TO_STUD,
        table,
        say.other_seat_was_last_open(name, table.name, move.target.seat),
        say.last_open_seats(open_seats, table.hands[hand_index].hand.number),
        [*_list_events(notes.tournament, move), notes.tournament.refer_to_hand(table, hand_index)],
        player=move.player,
        seat=move.target.seat,
    )


def _find_last_open_seats(table: TournamentTable, base: int) -> tuple[int, list[Seat]]:
    """Return the index of the hand after which the last seats opened that are still open at `base`, and those seats."""
    occupied_seats = table.list_survivors(base)
    for index in range(base, -1, -1):
        seats_after = table.hands[index + 1].players if index < base else occupied_seats
        left_seats = [
            seat for seat in table.hands[index].players if seat not in seats_after and seat not in occupied_seats
        ]
        if left_seats:
            return index, sorted(left_seats)
    return base, []


def _find_base(move: TournamentMove) -> int | None:
    """Return the index of the new table's last hand before the player came, or None if there is none."""
    target = move.target
    hands_before = target.first if target.arrival is None else target.arrival.hands_before
    return hands_before - 1 if hands_before else None


def _list_worse_seats(table: TournamentTable, base: int, big_blind_seat: Seat, chosen_seat: Seat) -> list[Seat]:
    """Return the open seats that get the big blind first, if they get it sooner than the chosen seat.

    A seat gets it sooner if fewer players are between it and the last big blind. Seats that other newcomers took
    aren't open.
    """
    occupied_seats = set(table.list_survivors(base))
    taken_seats = set(table.hands[base + 1].players) if base + 1 < len(table.hands) else set()
    open_seats = [seat for seat in range(1, table.chairs + 1) if seat not in occupied_seats and seat not in taken_seats]

    def count_players_before(seat: Seat) -> int:
        return sum(
            _distance(big_blind_seat, other_seat, table) < _distance(big_blind_seat, seat, table)
            for other_seat in occupied_seats
        )

    chosen_count = count_players_before(chosen_seat)
    counts = {seat: count_players_before(seat) for seat in open_seats}
    lowest_count = min(counts.values(), default=chosen_count)
    return [seat for seat, count in counts.items() if count == lowest_count] if lowest_count < chosen_count else []


def _distance(start: Seat, seat: Seat, table: TournamentTable) -> int:
    """Return how many seats clockwise a seat is from the start; a full round for the start itself."""
    chairs = max(table.chairs, start, seat)
    return (seat - start - 1) % chairs + 1


def _list_events(tournament: Tournament, move: TournamentMove) -> list[EventRef]:
    """Return the events that a move rests on: the facts, if they are recorded, and the hands before and after."""
    events = [
        tournament.refer_to_fact(stay.table, fact)
        for stay, fact in ((move.target, move.target.arrival), (move.origin, move.origin.departure))
        if fact is not None
    ]
    if move.origin.last is not None:
        events.append(tournament.refer_to_hand(move.origin.table, move.origin.last))
    if move.target.first is not None:
        events.append(tournament.refer_to_hand(move.target.table, move.target.first))
    return events
