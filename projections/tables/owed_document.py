"""Build the document of `handledger due`: the dues at one table, on its next hand or on a past one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.store.hands.hand_accounts import TableKey
from projections.addresses import hand_address
from projections.audit.audit_result import make_book_ref
from projections.audit.house_audit import House
from projections.reports.owed_report import OccupiedSeat, OwedDocument
from projections.table_walk.replay import ReplayProgress, ignore_progress
from projections.tables.stored_dues import load_stored_dues

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from projections.audit.audit_result import BookRef
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import TableDues


def build_due_document(
    ledger: Ledger,
    row: TableRow,
    books: list[Rulebook],
    before_hand: str | None = None,
    on_progress: ReplayProgress = ignore_progress,
) -> OwedDocument:
    """Return the dues at a table under these books; without any, under the house's."""
    if books:
        return build_document(ledger, row, books, before_hand, on_progress)
    return build_house_document(ledger, row, before_hand, on_progress)


def build_house_document(
    ledger: Ledger, row: TableRow, before_hand: str | None = None, on_progress: ReplayProgress = ignore_progress
) -> OwedDocument:
    """Return the dues under the house's book that is in force, or was when the past hand began."""
    house = House(ledger)
    moment = ledger.now() if before_hand is None else hand_address.find_hand_at_table(ledger, row, before_hand).started
    book = house.find_book(row.venue, row.table, moment)
    owed_document = build_document(ledger, row, [book], before_hand, on_progress)
    owed_document.books = [house.make_reference_at(book, row.venue, row.table, moment)]
    return owed_document


def build_document(
    ledger: Ledger,
    row: TableRow,
    books: list[Rulebook],
    before_hand: str | None = None,
    on_progress: ReplayProgress = ignore_progress,
) -> OwedDocument:
    """Return the dues at a table, on a past hand (given by its number) or on the next one.

    Dues on the next hand are stored with the table's judgement. If hands came in since, the stored walk continues with
    them, if possible. Otherwise the table is walked from its first hand. `on_progress` gets the number of hands walked.
    """
    table_key = TableKey(row.venue, row.tournament, row.table)
    recorded_posts, number = None, ""
    dues = load_stored_dues(ledger, table_key, books) if before_hand is None else None
    if dues is None:
        from projections.tables import due_on_hand  # noqa: PLC0415 - kept dues need no walk
        from projections.tables.owed_update import resume_dues  # noqa: PLC0415 - as above

        if before_hand is None:
            dues = resume_dues(ledger, table_key, books) or due_on_hand.find_dues_on_next_hand(
                ledger, row, books, on_progress
            )
        else:
            dues, recorded_posts, number = due_on_hand.find_dues_on_hand(ledger, row, books, before_hand, on_progress)
    owed_document = make_owed_document(ledger, table_key, dues, [make_book_ref(book) for book in books])
    owed_document.before, owed_document.recorded = number, recorded_posts
    if before_hand is None:
        owed_document.playing = _find_hand_being_played(ledger, table_key, dues[0].after)
    return owed_document


def make_owed_document(
    ledger: Ledger, table_key: TableKey, dues: Sequence[TableDues], book_refs: list[BookRef]
) -> OwedDocument:
    """Return the document of a table's dues, one for each book, on its coming hand."""
    first_dues = dues[0]
    return OwedDocument(
        venue=table_key.venue,
        tournament=table_key.tournament,
        table=table_key.table,
        game=first_dues.game,
        unit=first_dues.unit,
        exponent=first_dues.exponent,
        after=first_dues.after,
        before="",
        books=book_refs,
        occupied=[
            OccupiedSeat(
                holder.seat,
                ledger.people.name(holder.player) or f"({holder.player[:6]})",
                holder.stack,
                holder.presence,
            )
            for holder in first_dues.holders
        ],
        recorded=None,
        due=[table_dues.due for table_dues in dues],
        breaks=first_dues.breaks,
    )


def is_being_played(ledger: Ledger, table_key: TableKey, newest_row: HandRow) -> bool:
    """Whether the newest hand of a table isn't over: its record is cut off, or it's being recorded right now."""
    if newest_row.note != "live":
        return newest_row.note == "cut off"

    from ledger.formats.handscript.context import Settings  # noqa: PLC0415 - most tables aren't recorded live
    from ledger.recording.running_hand import find_running_stream  # noqa: PLC0415 - as above

    table_settings = Settings(venue=table_key.venue, table=table_key.table, seats=0, tournament=table_key.tournament)
    return find_running_stream(ledger, table_settings) == newest_row.stream


def _find_hand_being_played(ledger: Ledger, table_key: TableKey, last_number: str) -> str:
    """Return the number of the hand that is being played after hand `last_number`, or ""."""
    rows = list(ledger.hands(**table_key._asdict(), order="newest", limit=1, standing=True))
    # A hand enters the table's stream when it's over. So the dues after the last hand are those of the current hand.
    if rows and rows[0].number != last_number and is_being_played(ledger, table_key, rows[0]):
        return rows[0].number
    return ""
