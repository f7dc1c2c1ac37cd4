"""What is due at one table that was judged before hands came in: walked on from where its walk rests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from projections.table_walk.table_context import of_tables
from projections.table_walk.table_dues import owing
from projections.table_walk.unread_lines import spoiled
from projections.tables.changed_tables import accounts_at, touched
from projections.tables.kept_checkpoints import Rest, awake, digest_of
from projections.tables.kept_dues import of_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_dues import Owing

_RESTS: Final = (
    "SELECT r.version, o.position, o.accounts, r.walk, o.unread FROM judgements AS j "
    "JOIN judged_tables AS o ON o.judgement = j.id JOIN rested_walks AS r ON r.judgement = j.id "
    "AND r.venue = o.venue AND r.tournament = o.tournament AND r.name = o.name"
)


def since(ledger: Ledger, place: Place, books: Sequence[Rulebook]) -> list[Owing] | None:
    """Return what is due on the coming hand under each of these books; None: the table has to be walked anew."""
    rows = None if ledger.upto is not None else of_each(ledger, _RESTS, place, books)
    if not rows or len({row[:2] for row in rows}) > 1 or len(of_tables(books)) < len(books):
        return None
    rests = [Rest(row[0], row[1], row[2], bytes(row[3])) for row in rows]
    unread = spoiled(ledger, place)
    if any(row[4] != digest_of(unread) for row in rows) or place in touched(ledger, rests[0].position).amended:
        return None
    going = awake(ledger, place, accounts_at(ledger, place), books, rests, unread)
    if going is None:
        return None
    for _ in going.table.contexts(going.told):
        pass
    found = owing(going.table)
    return [found[book.name] for book in books]
