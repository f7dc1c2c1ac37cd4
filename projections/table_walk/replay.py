"""Replay a table from a checkpoint, and find the dues on one of its hands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from projections.table_walk.checkpoint import restore_walk
from projections.table_walk.table_context import ContextsByBook, TableWalk

if TYPE_CHECKING:
    from ledger.table.breaks import Break
    from ledger.table.events import HandPlayed
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.obligations.dues import Due

ReplayProgress: TypeAlias = Callable[[int], None]
"""Called with the number of hands replayed so far."""


def ignore_progress(_hands: int) -> None:
    """Ignore the progress: nobody watches."""


class TableCheckpoint(NamedTuple):
    """A point in a table's history where a replay can start.

    `entries` are the table's entries from there on; you can iterate over them again. `new_walk` makes a walk of the
    table as it was there, under these books. `list_breaks` returns the earlier breaks in the chain of its hands.
    """

    entries: Iterable[Told]
    new_walk: Callable[[Sequence[Rulebook]], TableWalk]
    list_breaks: Callable[[], list[Break]] = list


def first_checkpoint(
    entries: Iterable[Told], unread_by_hand: Mapping[str, UnreadLines] = MappingProxyType({})
) -> TableCheckpoint:
    """Return the checkpoint before a table's first hand."""
    return TableCheckpoint(entries, lambda books: TableWalk(books, unread_by_hand))


def saved_checkpoint(
    entries: Iterable[Told],
    walks: Mapping[str, bytes],
    unread_by_hand: Mapping[str, UnreadLines],
    list_breaks: Callable[[], list[Break]] = list,
) -> TableCheckpoint:
    """Return the checkpoint of walks that `save_walk` encoded, by the book's name. `entries` come after it."""
    return TableCheckpoint(entries, partial(restore_walk, walks, unread_by_hand=unread_by_hand), list_breaks)


class TableReplay:
    """A table on its way from a checkpoint: iterate over the contexts of its hands. `walk` is the table so far."""

    def __init__(self, walk: TableWalk, entries: Iterable[Told]) -> None:
        """Take the walk at the checkpoint, and the entries after it."""
        self.walk = walk
        self._entries = entries

    def __iter__(self) -> Iterator[ContextsByBook]:
        """Yield the contexts of each hand. The replay goes on when you ask for the next hand."""
        return self.walk.contexts(self._entries)

    def finish(self) -> TableWalk:
        """Replay all hands and return the walk at the table's end."""
        deque(self, maxlen=0)
        return self.walk


def replay_from(checkpoint: TableCheckpoint, books: Sequence[Rulebook]) -> TableReplay:
    """Replay a table under these books from a checkpoint on. Everything that walks a table starts here."""
    return TableReplay(checkpoint.new_walk(books), checkpoint.entries)


def replay_to_hand(
    checkpoint: TableCheckpoint,
    books: Sequence[Rulebook],
    hand_stream: str | None = None,
    on_progress: ReplayProgress = ignore_progress,
) -> tuple[TableWalk, HandPlayed | None, list[Due]]:
    """Replay a table to one of its hands; return the walk, the hand, and the dues on it under each book.

    `hand_stream` is the id of the hand's stream, hex. If it is None, or the table has no such hand, the dues
    are those on the next hand, and None takes the hand's place.
    """
    replay = replay_from(checkpoint, books)
    walk = replay.walk
    for count, contexts in enumerate(replay, 1):
        on_progress(count)
        hand = contexts.hand
        if hand.hand == hand_stream:
            return walk, hand, [walk.add_doubts(book.name, contexts[book.name].due, hand) for book in books]
    return walk, None, [walk.add_doubts(name, dues, None) for name, dues in walk.dues_on_next_hand().items()]
