"""What is due at one table, before one of its hands or on the coming one, as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.accounts import Place
from projections.addresses import hand_address
from projections.audit.audit_result import reference
from projections.audit.house_audit import House
from projections.reports.owed_report import Occupied, OwedDocument
from projections.table_walk.to_hand import Walked, unwatched
from projections.tables.kept_dues import kept_at_end

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.books.rulebook import Rulebook


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
        from projections.tables import due_on_hand  # noqa: PLC0415 - the same
        from projections.tables.owed_update import since  # noqa: PLC0415 - what is kept is answered without a walk

        if before is None:
            found = since(ledger, place, books) or due_on_hand.coming(ledger, row, books, walked)
        else:
            found, recorded, number = due_on_hand.on_hand(ledger, row, books, before, walked)
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
