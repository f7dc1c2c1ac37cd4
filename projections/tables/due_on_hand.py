"""Dues on a table's next hand or on a past hand, found by walking the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import NothingFoundError
from ledger.store.hands.hand_accounts import Place
from ledger.store.hands.table_streams import told as read_table_stream
from projections.addresses import hand_address
from projections.reports.owed_report import Recorded, RecordedPost
from projections.table_walk.table_dues import Owing, game, holders, owing
from projections.table_walk.to_hand import Walked, at_first, due_before, unwatched
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables.starts import WalkStarts

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.books.rulebook import Rulebook


def dues_on_next_hand(
    ledger: Ledger, row: TableRow, books: list[Rulebook], on_progress: Walked = unwatched
) -> list[Owing]:
    """Return the dues on a table's next hand under each book. `on_progress`: as for `due_before`."""
    place = _place(row)
    table, _, _ = due_before(
        at_first(read_table_stream(ledger, place), find_unread_lines(ledger, place)), books, None, on_progress
    )
    dues_by_book = owing(table)
    return [dues_by_book[book.name] for book in books]


def dues_on_hand(
    ledger: Ledger, row: TableRow, books: list[Rulebook], number: str, on_progress: Walked = unwatched
) -> tuple[list[Owing], Recorded, str]:
    """Return the dues on a past hand under each book, the recorded posts, and the hand's number.

    `on_progress`: as for `due_before`.
    """
    hand_row, place = hand_address.find_hand_at_table(ledger, row, number), _place(row)
    stream = hand_row.stream.hex
    start = WalkStarts(ledger).find_start(place, stream, books)
    table, hand, book_dues = due_before(start, books, stream, on_progress)
    if hand is None and hand_row.note == "live":
        raise NothingFoundError(
            f"hand {number!r} isn't over", "For the dues on the next hand, run owed without --before."
        )
    if hand is None:
        raise NothingFoundError(
            f"hand {number!r} isn't the account in force of its hand",
            "Write the number alone for the account in force. handledger accounts lists all accounts.",
        )
    broken = table.break_before(hand)
    breaks = [*start.broken(), *table.broken, *([] if broken is None else [broken])]
    table_facts = (table.state.number, game(table.state, hand), hand.unit, hand.exponent)
    seat_holders = holders(table.state, hand)
    recorded_posts = Recorded(
        hand.button,
        hand.small,
        hand.big,
        sorted(player.seat for player in hand.dealt_in),
        [RecordedPost(post.seat, post.role, post.live, post.dead) for post in hand.posts],
    )
    return [Owing(*table_facts, due, seat_holders, breaks) for due in book_dues], recorded_posts, hand.number


def _place(row: TableRow) -> Place:
    return Place(row.venue, row.tournament, row.table)
