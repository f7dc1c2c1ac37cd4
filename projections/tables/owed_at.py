"""What is due at one table, before one of its hands or on the coming one, as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.accounts import Place
from projections.addresses import hand_address
from projections.reports.owed import Occupied, OwedDocument
from projections.result import reference
from projections.tables.owing import kept_at_end
from projections.to_hand import Walked, unwatched
from projections.walk.adopted import House

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.rulebook import Rulebook


def as_adopted(ledger: Ledger, row: TableRow, before: str | None = None, walked: Walked = unwatched) -> OwedDocument:
    """Return what is due under the book that was the house's then."""
    house = House(ledger)
    at = ledger.now() if before is None else hand_address.hand_of(ledger, row, before).started
    book = house.under(row.venue, row.table, at)
    told = document(ledger, row, [book], before, walked)
    told.books = [house.reference(book)]
    return told


def document(
    ledger: Ledger, row: TableRow, books: list[Rulebook], before: str | None = None, walked: Walked = unwatched
) -> OwedDocument:
    """Return what is due at a table, before one of its hands or on the coming one.

    Of the coming hand it is kept with the judgement of the table; where hands came in since, the table is walked on
    from there, and else from its first hand: `walked` is told of how many of its hands.
    """
    recorded, number, place = None, "", Place(row.venue, row.tournament, row.table)
    found = kept_at_end(ledger, place, books) if before is None else None
    if found is None:
        from projections.tables import due  # noqa: PLC0415 - the same
        from projections.tables.owed_since import since  # noqa: PLC0415 - what is kept is answered without a walk

        if before is None:
            found = since(ledger, place, books) or due.coming(ledger, row, books, walked)
        else:
            found, recorded, number = due.on_hand(ledger, row, books, before, walked)
    first = found[0]
    return OwedDocument(
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        game=first.game,
        unit=first.unit,
        exponent=first.exponent,
        after=first.after,
        before=number,
        books=[reference(book) for book in books],
        occupied=[
            Occupied(one.seat, ledger.people.name(one.player) or f"({one.player[:6]})", one.stack, one.presence)
            for one in first.holders
        ],
        recorded=recorded,
        due=[one.due for one in found],
        breaks=first.breaks,
    )
