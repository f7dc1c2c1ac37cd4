"""`handledger due` without a table: what every table owes on its coming hand, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from cli.documents.judged_documents import OwedEverywhereDocument, TableOwes
from cli.output import console
from cli.output.columns import format_columns
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from ledger.hand.titles import format_game_title
from ledger.text.language import phrase
from projections.books.shelf import Shelf, suggest_books
from projections.obligations.dues import NO_BUTTON, list_blind_posters
from projections.sentences import table_list
from projections.sentences.due import open_question
from projections.table_walk.played_tables import list_places
from projections.tables.owed_list import find_player_name, iter_debts, iter_table_dues

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import TableDues

_MAX_NAMES: Final = 5
_COLUMNS: Final[tuple[table_list.Column, ...]] = ("table", "after hand", "button", "small", "big")
_BLINDS: Final[tuple[Literal["small", "big"], ...]] = ("small", "big")


def write_dues(ledger: Ledger, chosen_books: Sequence[Rulebook], format_: str, file: Path | None) -> None:
    """Write what is due at every table under one book, or under those that the house adopted."""
    if len(chosen_books) > 1:
        raise UsageError(phrase("the list of all tables goes by one rulebook"), phrase("Give one -r, or name a table."))
    with console.show_progress(phrase("walking the tables")) as progress:
        table_dues = [*iter_table_dues(ledger, chosen_books, progress=progress.show_judged)]
    listed_places = {place for _, place, _ in table_dues}
    places_without_book = [place for place in list_places(ledger) if place not in listed_places]
    if not table_dues and places_without_book:
        raise UsageError(phrase("no table has a rulebook in force today"), suggest_books(Shelf(ledger).list_names()))
    if not table_dues:
        raise NothingFoundError(phrase("no table has a hand"), phrase("To bring hands in: handledger import PATH"))
    if format_ == "json":
        table_documents = [
            TableOwes(
                place.venue,
                place.tournament,
                place.table,
                book.name,
                book.edition,
                owing.after,
                owing.unit,
                owing.exponent,
                owing.due,
                {seat_holder.seat: find_player_name(ledger, seat_holder.player) for seat_holder in owing.holders},
            )
            for book, place, owing in table_dues
        ]
        console.write_document(OwedEverywhereDocument(tables=table_documents), file)
    else:
        console.write_text(
            "\n".join([*_format_tables(ledger, table_dues), *_format_unlisted(places_without_book)]), file
        )


def _format_tables(ledger: Ledger, table_dues: Sequence[tuple[Rulebook, TableKey, TableDues]]) -> Iterator[str]:
    books = dict.fromkeys(book for book, _, _ in table_dues)
    yield table_list.due_everywhere([f"{book.name} ({book.edition})" for book in books])
    yield ""
    cells = [[*map(table_list.column_heading, _COLUMNS), ""]]
    notes: list[list[str]] = [[]]
    for book, place, owing in table_dues:
        placement = owing.due.place
        spots = ["?", "?", "?"]
        if placement is not None:
            spots = [_format_seats(() if placement.button is None else (placement.button,))]
            spots += [_format_seats(list_blind_posters(placement, role)) for role in _BLINDS]
        is_unsure = bool(owing.due.doubts or owing.due.choices) or len(owing.due.placements) > 1
        table_name = safe.terminal("/".join(filter(None, (place.tournament, place.table))), 30) + (
            f" {book.name}" if len(books) > 1 else ""
        )
        cells.append(
            [
                table_name,
                safe.terminal(owing.after, 20),
                *spots,
                table_list.column_heading("likely") if placement is not None and is_unsure else "",
            ]
        )
        unknown_notes = [_describe_unknown(owing)] if owing.due.unknown else []
        notes.append(
            [
                *unknown_notes,
                *(
                    table_list.seat_debt(debt.seat, safe.name(debt.player, 20), debt.description)
                    for debt in iter_debts(ledger, owing)
                ),
            ]
        )
    for line, table_notes in zip(format_columns(cells), notes, strict=True):
        yield line.rstrip()
        yield from (f"    {note}" for note in table_notes)
    yield ""
    yield table_list.reasons_hint()


def _describe_unknown(owing: TableDues) -> str:
    """Return why a table's positions aren't shown."""
    if owing.due.unknown == NO_BUTTON:
        return table_list.last_game_without_blinds(safe.terminal(format_game_title(owing.game), 60))
    return open_question(safe.terminal(owing.due.unknown, 100))


def _format_unlisted(places: Sequence[TableKey]) -> Iterator[str]:
    """Yield a warning that names the tables without a rulebook in force."""
    if places:
        names = [safe.terminal(place.table, 30) for place in places[:_MAX_NAMES]]
        yield table_list.without_book(names, max(len(places) - _MAX_NAMES, 0))


def _format_seats(seats: tuple[Seat, ...]) -> str:
    return " ".join(map(str, seats)) or "-"
