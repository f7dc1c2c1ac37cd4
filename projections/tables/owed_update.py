"""Compute the dues at a table that got hands since it was judged, by a replay of only the new hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.text.language import is_english
from projections.table_walk.replay import replay_from
from projections.table_walk.table_context import pick_table_books
from projections.table_walk.table_dues import list_table_dues
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables.changed_tables import count_accounts, find_changed_tables
from projections.tables.stored_dues import load_stored_rows
from projections.tables.stored_walks import EndCheckpoint, digest_unread, find_new_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import TableDues

_CHECKPOINT_COLUMNS: Final = "r.version, o.position, o.accounts, r.walk, o.unread"
_JOIN_WALKS: Final = (
    "JOIN rested_walks AS r ON r.judgement = j.id "
    "AND r.venue = o.venue AND r.tournament = o.tournament AND r.name = o.name"
)


def resume_dues(ledger: Ledger, table_key: TableKey, books: Sequence[Rulebook]) -> list[TableDues] | None:
    """Return the dues on the next hand under each book, or None if the table must be walked from its first hand.

    A stored walk contains English sentences, so in another language the table must be walked.
    """
    if ledger.upto is not None or not is_english():
        return None
    rows = load_stored_rows(ledger, _CHECKPOINT_COLUMNS, "judged_tables", table_key, books, more_joins=_JOIN_WALKS)
    if not rows or len(pick_table_books(books)) < len(books):
        return None
    end_checkpoints = [
        EndCheckpoint(version, position, accounts, bytes(walk)) for version, position, accounts, walk, _ in rows
    ]
    if len({(checkpoint.version, checkpoint.position) for checkpoint in end_checkpoints}) > 1:
        return None
    unread_lines = find_unread_lines(ledger, table_key)
    has_unread_lines_changed = any(unread_digest != digest_unread(unread_lines) for *_, unread_digest in rows)
    changed_tables = find_changed_tables(ledger, end_checkpoints[0].position)
    if has_unread_lines_changed or table_key in changed_tables.with_changed_hands:
        return None
    new_hands = find_new_hands(
        ledger, table_key, count_accounts(ledger, table_key), books, end_checkpoints, unread_lines
    )
    if new_hands is None:
        return None
    dues_by_book = list_table_dues(replay_from(new_hands.checkpoint, books).finish())
    return [dues_by_book[book.name] for book in books]
