"""The document of dues at one table, before a past hand or on the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import TableKey
from projections.addresses import hand_address
from projections.audit.audit_result import book_ref
from projections.audit.house_audit import House
from projections.reports.owed_report import Occupied, OwedDocument
from projections.table_walk.replay import ReplayProgress, ignore_progress
from projections.tables.kept_dues import load_kept_dues

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.books.rulebook import Rulebook


def house_document(
    ledger: Ledger, row: TableRow, before_hand: str | None = None, on_progress: ReplayProgress = ignore_progress
) -> OwedDocument:
    """Return the dues under the house's book in force at that time."""
    house = House(ledger)
    moment = ledger.now() if before_hand is None else hand_address.find_hand_at_table(ledger, row, before_hand).started
    book = house.book_at(row.venue, row.table, moment)
    owed_document = build_document(ledger, row, [book], before_hand, on_progress)
    owed_document.books = [house.reference(book)]
    return owed_document


def build_document(
    ledger: Ledger,
    row: TableRow,
    books: list[Rulebook],
    before_hand: str | None = None,
    on_progress: ReplayProgress = ignore_progress,
) -> OwedDocument:
    """Return the dues at a table, before a past hand or on the next one.

    Dues on the next hand are kept with the table's judgement. If hands came in since, the walk resumes there,
    else it begins at the first hand: `on_progress` gets the number of its hands.
    """
    recorded_posts, number, place = None, "", TableKey(row.venue, row.tournament, row.table)
    dues = load_kept_dues(ledger, place, books) if before_hand is None else None
    if dues is None:
        from projections.tables import due_on_hand  # noqa: PLC0415 - kept dues need no walk
        from projections.tables.owed_update import resume_dues  # noqa: PLC0415 - as above

        if before_hand is None:
            dues = resume_dues(ledger, place, books) or due_on_hand.dues_on_next_hand(ledger, row, books, on_progress)
        else:
            dues, recorded_posts, number = due_on_hand.dues_on_hand(ledger, row, books, before_hand, on_progress)
    first_dues = dues[0]
    return OwedDocument(
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        game=first_dues.game,
        unit=first_dues.unit,
        exponent=first_dues.exponent,
        after=first_dues.after,
        before=number,
        books=[book_ref(book) for book in books],
        occupied=[
            Occupied(
                holder.seat,
                ledger.people.name(holder.player) or f"({holder.player[:6]})",
                holder.stack,
                holder.presence,
            )
            for holder in first_dues.holders
        ],
        recorded=recorded_posts,
        due=[holder.due for holder in dues],
        breaks=first_dues.breaks,
    )
