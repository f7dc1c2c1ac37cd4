"""Compute the dues on a table's next hand, or on a past hand, by a replay of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.errors import NothingFoundError
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries as read_table_stream
from projections.addresses import hand_address
from projections.reports.owed_report import RecordedPositions, RecordedPost
from projections.table_walk.replay import ReplayProgress, ignore_progress, make_first_checkpoint, replay_to_hand
from projections.table_walk.table_dues import TableDues, describe_game, list_seat_holders, list_table_dues
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables.checkpoint_finder import CheckpointFinder

if TYPE_CHECKING:
    from ledger.store import Ledger, TableRow
    from projections.books.rulebook import Rulebook


def find_dues_on_next_hand(
    ledger: Ledger, row: TableRow, books: list[Rulebook], on_progress: ReplayProgress = ignore_progress
) -> list[TableDues]:
    """Return the dues on a table's next hand under each book. `on_progress`: as for `replay_to_hand`."""
    table_key = _build_table_key(row)
    table, _, _ = replay_to_hand(
        make_first_checkpoint(read_table_stream(ledger, table_key), find_unread_lines(ledger, table_key)),
        books,
        None,
        on_progress,
    )
    dues_by_book = list_table_dues(table)
    return [dues_by_book[book.name] for book in books]


def find_dues_on_hand(
    ledger: Ledger, row: TableRow, books: list[Rulebook], number: str, on_progress: ReplayProgress = ignore_progress
) -> tuple[list[TableDues], RecordedPositions, str]:
    """Return the dues on a past hand under each book, the recorded positions and posts, and the hand's number.

    Raise `NothingFoundError` if the hand isn't over or isn't in force. `on_progress`: as for `replay_to_hand`.
    """
    hand_row = hand_address.find_hand_at_table(ledger, row, number)
    table_key = _build_table_key(row)
    stream = hand_row.stream.hex
    checkpoint = CheckpointFinder(ledger).find_checkpoint(table_key, stream, books)
    table, hand, book_dues = replay_to_hand(checkpoint, books, stream, on_progress)
    if hand is None and hand_row.note == "live":
        raise NothingFoundError(
            f"hand {number!r} isn't over", "For the dues on the next hand, run owed without --before."
        )
    if hand is None:
        raise NothingFoundError(
            f"hand {number!r} isn't the account in force of its hand",
            "Write the number alone for the account in force. handledger accounts lists all accounts.",
        )
    last_break = table.find_break_before(hand)
    breaks = [*checkpoint.list_breaks(), *table.breaks, *([] if last_break is None else [last_break])]
    table_facts = (table.state.number, describe_game(table.state, hand), hand.unit, hand.exponent)
    seat_holders = list_seat_holders(table.state, hand)
    recorded_posts = RecordedPositions(
        hand.button,
        hand.small,
        hand.big,
        sorted(dealt_player.seat for dealt_player in hand.dealt_in),
        [RecordedPost(post.seat, post.role, post.live, post.dead) for post in hand.posts],
    )
    return [TableDues(*table_facts, due, seat_holders, breaks) for due in book_dues], recorded_posts, hand.number


def _build_table_key(row: TableRow) -> TableKey:
    return TableKey(row.venue, row.tournament, row.table)
