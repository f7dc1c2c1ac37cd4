"""`handledger owed` without a table: what every table owes on its coming hand, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from cli import output
from cli.judged_documents import OwedEverywhereDocument, TableOwes
from cli.results import table as columned
from ledger import safe
from ledger.errors import NothingFoundError, UsageError
from projections.obligations.dues import blind_posters
from projections.tables.owed_list import list_debts, list_table_dues, player_name

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.vocabulary import Seat
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import Owing

_BLINDS: Final[tuple[Literal["small", "big"], ...]] = ("small", "big")


def tell(ledger: Ledger, chosen: Sequence[Rulebook], format_: str, file: Path | None) -> None:
    """Write what is due at every table under one book, or under those that the house adopted."""
    if len(chosen) > 1:
        raise UsageError("all tables are told under one book", "Say one -r, or name a table.")
    with output.working("walking the tables") as far:
        found = [*list_table_dues(ledger, chosen, progress=far.judged)]
    if not found:
        raise NothingFoundError("no table has a hand", "handledger import PATH brings hands in.")
    if format_ == "json":
        told = [
            TableOwes(
                place.venue,
                place.tournament,
                place.table,
                book.name,
                book.edition,
                one.after,
                one.unit,
                one.exponent,
                one.due,
                {held.seat: player_name(ledger, held.player) for held in one.holders},
            )
            for book, place, one in found
        ]
        output.document(OwedEverywhereDocument(tables=told), file)
    else:
        output.put("\n".join(_text(ledger, found)), file)


def _text(ledger: Ledger, found: Sequence[tuple[Rulebook, Place, Owing]]) -> Iterator[str]:
    books = dict.fromkeys(book for book, _, _ in found)
    yield f"What is due on the coming hand, under {' and '.join(f'{book.name} ({book.edition})' for book in books)}"
    yield ""
    cells = [["table", "after", "button", "small", "big", ""]]
    notes: list[list[str]] = [[]]
    for book, place, one in found:
        where = one.due.place
        spots = ["?", "?", "?"]
        if where is not None:
            spots = [_seats(() if where.button is None else (where.button,))]
            spots += [_seats(blind_posters(where, role)) for role in _BLINDS]
        unsure = bool(one.due.doubts or one.due.choices) or len(one.due.placements) > 1
        name = safe.terminal("/".join(filter(None, (place.tournament, place.table))), 30) + (
            f" {book.name}" if len(books) > 1 else ""
        )
        cells.append([name, safe.terminal(one.after, 20), *spots, "likely" if where is not None and unsure else ""])
        said = [safe.terminal(one.due.unknown, 100)] if one.due.unknown else []
        notes.append(
            [*said, *(f"seat {d.seat} {safe.name(d.player, 20)}: {d.description}" for d in list_debts(ledger, one))]
        )
    for line, below in zip(columned(cells), notes, strict=True):
        yield line.rstrip()
        yield from (f"    {note}" for note in below)
    yield ""
    yield "handledger owed TABLE says why, seat by seat."


def _seats(seats: tuple[Seat, ...]) -> str:
    return " ".join(map(str, seats)) or "-"
