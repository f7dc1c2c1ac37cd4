"""Sentences on the seats of a tournament: who moved where, which table broke, and which seats were drawn again."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_and, phrase, phrase_count


def wrong_mover(name: str, table: str, new_table: str) -> str:
    """Say that a table gave away another player than the one whose big blind came next."""
    return phrase(
        "{name} moved from table {table} to table {new_table}, but wasn't next for the big blind",
        name=name,
        table=table,
        new_table=new_table,
    )


def due_movers(table: str, hand: str, names: Sequence[str]) -> str:
    """Say who had the next big blinds."""
    return phrase_count(
        "After hand {hand} of table {table}, the next big blind was {names}'s.",
        "After hand {hand} of table {table}, the next big blinds were those of {names}.",
        len(names),
        hand=hand,
        table=table,
        names=join_and(names),
    )


def better_position(name: str, table: str, seat: int) -> str:
    """Say that a player who moved got another seat than the one in the worst position."""
    return phrase(
        "{name} took seat {seat} of table {table}, which wasn't the worst position open",
        name=name,
        table=table,
        seat=seat,
    )


def worst_seats(seats: Sequence[int], seat: int) -> str:
    """Say which open seat would have had the big blind first."""
    return phrase_count(
        "Seat {seats} was open and has the big blind sooner than seat {seat}.",
        "Seats {seats} were open and have the big blind sooner than seat {seat}.",
        len(seats),
        seats=join_and([str(open_seat) for open_seat in seats]),
        seat=seat,
    )


def other_seat_was_last_open(name: str, table: str, seat: int) -> str:
    """Say that a player who moved in stud got another seat than the one that opened last."""
    return phrase(
        "{name} took seat {seat} of table {table}, which wasn't the last seat to open",
        name=name,
        table=table,
        seat=seat,
    )


def last_open_seats(seats: Sequence[int], hand: str) -> str:
    """Say which seat opened last."""
    return phrase_count(
        "Seat {seats} opened last, after hand {hand}.",
        "Seats {seats} opened last, after hand {hand}.",
        len(seats),
        seats=join_and([str(seat) for seat in seats]),
        hand=hand,
    )


def short_table_played_on(table: str, players: int, fullest_table: str, fullest_count: int, hand_count: int) -> str:
    """Say that a table played on although it was too short."""
    return phrase_count(
        "Table {table} played {count} hand {players}-handed while table {fullest_table} had {fullest_count} players",
        "Table {table} played {count} hands {players}-handed while table {fullest_table} had {fullest_count} players",
        hand_count,
        table=table,
        players=players,
        fullest_table=fullest_table,
        fullest_count=fullest_count,
    )


def big_blind_passed_empty_seat(hand: str) -> str:
    """Say when the missing players touched the blinds."""
    return phrase("In hand {hand} the big blind passed an empty seat. No ruling to play on is on record.", hand=hand)


def broke_out_of_order(table: str, due_table: str) -> str:
    """Say that another table should have broken."""
    return phrase("Table {table} broke before table {due_table}", table=table, due_table=due_table)


def breaking_order(*, is_highest_first: bool) -> str:
    """Say in which order tables break."""
    if is_highest_first:
        return phrase("The table with the highest number breaks first.")
    return phrase("The table with the lowest number breaks first.")


def no_redraw(table: str, tables_left: int, kept_table: str) -> str:
    """Say that seats weren't drawn again."""
    return phrase_count(
        "Table {table} broke and left {count} table, but the players of table {kept_table} kept their seats",
        "Table {table} broke and left {count} tables, but the players of table {kept_table} kept their seats",
        tables_left,
        table=table,
        kept_table=kept_table,
    )


def kept_seats(names: Sequence[str], hand: str) -> str:
    """Say who kept the seat."""
    return phrase(
        "{names} have the same seats in hand {hand} as before the table broke.", names=join_and(names), hand=hand
    )


def too_many_at_final_table(table: str, players: int, most_players: int) -> str:
    """Say that the final table began with too many players."""
    return phrase(
        "The final table, table {table}, began with {players} players instead of {most_players} at most",
        table=table,
        players=players,
        most_players=most_players,
    )


def tables_combined(table: str) -> str:
    """Say when the final table began."""
    return phrase("It was the last table once table {table} broke.", table=table)


def seats_not_drawn(table: str, *, is_by_arrival: bool) -> str:
    """Say that the seats of a table weren't drawn."""
    if is_by_arrival:
        return phrase("At table {table} players were seated as they came", table=table)
    return phrase("At table {table} players chose their seats", table=table)


def seat_requested(name: str, table: str, seat: int) -> str:
    """Say that a player got the seat they asked for."""
    return phrase("{name} asked for seat {seat} of table {table} and got it", name=name, table=table, seat=seat)


def seat_changed(name: str, table: str, old_seat: int, seat: int) -> str:
    """Say that a player changed seats at a table."""
    return phrase(
        "{name} changed from seat {old_seat} to seat {seat} of table {table}",
        name=name,
        table=table,
        old_seat=old_seat,
        seat=seat,
    )


def no_draw_or_ruling() -> str:
    """Say why a seat change is wrong."""
    return phrase("No redraw and no ruling of the floor is on record there.")


def hands_without_times(tables: Sequence[str]) -> str:
    """Say that tables can't be compared."""
    return phrase_count(
        "Hands of table {tables} have no time, so nothing shows which players sat at the other tables then.",
        "Hands of tables {tables} have no time, so nothing shows which players sat at the other tables then.",
        len(tables),
        tables=join_and(tables),
    )


def big_blind_unknown(name: str, table: str, hand: str) -> str:
    """Say that a move can't be checked for want of a big blind."""
    return phrase(
        "Hand {hand} of table {table} has no big blind on record, so {name}'s move can't be checked.",
        name=name,
        table=table,
        hand=hand,
    )


def chairs_unknown(name: str, table: str) -> str:
    """Say that a seat can't be checked because the open seats aren't known."""
    return phrase(
        "The record doesn't show how many seats table {table} has, so {name}'s seat can't be checked.",
        name=name,
        table=table,
    )


def redraw_unclear(table: str, kept_table: str, kept_count: int, players: int) -> str:
    """Say that a redraw can't be told from chance."""
    return phrase(
        "Table {table} broke; {kept_count} of {players} players of table {kept_table} have their old seats, maybe by chance.",
        table=table,
        kept_table=kept_table,
        kept_count=kept_count,
        players=players,
    )


def maybe_wrong_seat(name: str, table: str, old_seat: int, seat: int) -> str:
    """Say that a seat change may correct a wrong seat."""
    return phrase(
        "{name} changed from seat {old_seat} to seat {seat} of table {table} soon after sitting down. "
        "The record doesn't show if seat {old_seat} was a wrong one.",
        name=name,
        table=table,
        old_seat=old_seat,
        seat=seat,
    )


def table_without_number(table: str) -> str:
    """Say that a table's place in the breaking order isn't known."""
    return phrase("Table {table} has no number, so its place in the breaking order is unknown.", table=table)
