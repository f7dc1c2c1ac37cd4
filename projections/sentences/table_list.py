"""Sentences of the list of all tables: what is due on each coming hand, and who owes or waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ledger.text.language import join_and, join_list, phrase, phrase_in_context
from projections.sentences.words import live_and_dead, missed_blinds_name

Column: TypeAlias = Literal["table", "after hand", "button", "small", "big", "likely"]


def due_everywhere(books: Sequence[str]) -> str:
    """Return the heading; each book is "hilton (2024)"."""
    return phrase("What is due on the coming hand, under {books}", books=join_and(books))


def column_heading(column: Column) -> str:
    """Return the heading of a column, or the mark in the last one."""
    return {
        "table": phrase_in_context("column", "table"),
        "after hand": phrase_in_context("column", "after hand"),
        "button": phrase_in_context("column", "button"),
        "small": phrase_in_context("column", "small"),
        "big": phrase_in_context("column", "big"),
        "likely": phrase_in_context("column", "likely"),
    }[column]


def last_game_without_blinds(game: str) -> str:
    """Say why a table has no positions."""
    return phrase("The last hand was {game}: no button and no blinds.", game=game)


def seat_debt(seat: int, player: str, debt: str) -> str:
    """Return what the player in a seat owes, or waits for."""
    return phrase("seat {seat} {player}: {debt}", seat=seat, player=player, debt=debt)


def posts_sum(live: str, dead: str) -> str:
    """Return what a player posts; `dead` is empty if all of it is live."""
    return phrase("posts {amount}", amount=live_and_dead(live, dead))


def missed_blinds(missed_roles: Sequence[str]) -> str:
    """Return which blinds a player missed."""
    return phrase("missed the {blinds}", blinds=missed_blinds_name(missed_roles))


def post_open() -> str:
    """Return that we can't tell whether a player must post."""
    return phrase("may have to post: the record leaves it open")


def without_book(names: Sequence[str], more_count: int) -> str:
    """Say which tables have no rulebook; `more_count` further ones aren't named."""
    tables = join_list(names)
    if more_count:
        tables = phrase("{names} and {number} more", names=tables, number=format(more_count, ","))
    return phrase("! Not listed, as no rulebook is in force there: {tables}. Choose one with -r.", tables=tables)


def reasons_hint() -> str:
    """Say where the reasons are."""
    return phrase("The reasons, seat by seat: handledger due TABLE")
