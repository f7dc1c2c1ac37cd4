"""Walk a table to one of its hands and find the dues on that hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from projections.table_walk.table_context import TableWalk

if TYPE_CHECKING:
    from ledger.table.breaks import Break
    from ledger.table.events import HandPlayed
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.obligations.dues import Due

WalkProgress: TypeAlias = Callable[[int], None]
"""Called with the number of hands walked so far."""


def ignore_progress(_hands: int) -> None:
    """Ignore the progress: nobody watches."""


class WalkStart(NamedTuple):
    """A place in a table's history where a walk can start.

    `entries` are the table's entries from there on; you can iterate over them again. `new_walk` makes a walk of the
    table as it was there, under these books. `list_breaks` returns the earlier breaks in the chain of its hands.
    """

    entries: Iterable[Told]
    new_walk: Callable[[Sequence[Rulebook]], TableWalk]
    list_breaks: Callable[[], list[Break]] = list


def start_at_first_hand(
    entries: Iterable[Told], unread_by_hand: Mapping[str, UnreadLines] = MappingProxyType({})
) -> WalkStart:
    """Return a start at a table's first hand."""
    return WalkStart(entries, lambda books: TableWalk(books, unread_by_hand))


def find_due_before(
    start: WalkStart,
    books: Sequence[Rulebook],
    hand_stream: str | None = None,
    on_progress: WalkProgress = ignore_progress,
) -> tuple[TableWalk, HandPlayed | None, list[Due]]:
    """Walk a table to one of its hands; return the walk, the hand, and the dues on it under each book.

    `hand_stream` is the id of the hand's stream, hex. If it is None, or the table has no such hand, the dues
    are those on the next hand, and None takes the hand's place.
    """
    table_walk = start.new_walk(books)
    for count, contexts in enumerate(table_walk.contexts(start.entries), 1):
        on_progress(count)
        if contexts.hand.hand == hand_stream:
            dues = {book.name: contexts[book.name].due for book in books}
            return (
                table_walk,
                contexts.hand,
                [table_walk.add_doubts(*book_due, contexts.hand) for book_due in dues.items()],
            )
    return (
        table_walk,
        None,
        [table_walk.add_doubts(*book_due, None) for book_due in table_walk.dues_on_next_hand().items()],
    )
