"""Replay a table's hands from a checkpoint, to judge them or to find the dues on one of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.store.requests.stored_hands import ChosenHands, HandReader, join_streams
from ledger.store.requests.stream_set import ID_LENGTH
from projections.table_walk.checkpoint import restore_walk
from projections.table_walk.table_context import ContextsByBook, TableWalk, pick_table_books
from projections.table_walk.unread_lines import find_unread_lines

if TYPE_CHECKING:
    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.store.log.log_reader import HandAt
    from ledger.table.breaks import Break
    from ledger.table.events import HandPlayed
    from ledger.table.standing_accounts import TableEntry
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.obligations.dues import Due

ReplayProgress: TypeAlias = Callable[[int], None]
"""Called with the number of hands replayed so far."""


def ignore_progress(_hands: int) -> None:
    """Ignore the progress of a replay."""


class TableCheckpoint(NamedTuple):
    """A point in a table's history where a replay can start.

    `entries`: the table's entries after the checkpoint; you can iterate over them more than once. `start_walk`: returns
    a walk that starts at the checkpoint, under the given books. `list_breaks`: returns the breaks in the chain of hands
    before the checkpoint.
    """

    entries: Iterable[TableEntry]
    start_walk: Callable[[Sequence[Rulebook]], TableWalk]
    list_breaks: Callable[[], list[Break]] = list


def make_first_checkpoint(
    entries: Iterable[TableEntry], unread_by_hand: Mapping[str, UnreadLines] = MappingProxyType({})
) -> TableCheckpoint:
    """Return the checkpoint before a table's first hand."""
    return TableCheckpoint(entries, lambda books: TableWalk(books, unread_by_hand))


def make_saved_checkpoint(
    entries: Iterable[TableEntry],
    walks: Mapping[str, bytes],
    unread_by_hand: Mapping[str, UnreadLines],
    list_breaks: Callable[[], list[Break]] = list,
) -> TableCheckpoint:
    """Return the checkpoint of walks that `save_walk` encoded, by book name. `entries` come after the checkpoint."""
    return TableCheckpoint(entries, partial(restore_walk, walks, unread_by_hand=unread_by_hand), list_breaks)


class TableReplay:
    """A replay of a table from a checkpoint. Iterate over it to get each hand's contexts; `walk` is the table so far."""

    def __init__(self, walk: TableWalk, entries: Iterable[TableEntry]) -> None:
        """Take the walk at the checkpoint, and the entries after it."""
        self.walk = walk
        self._entries = entries

    def __iter__(self) -> Iterator[ContextsByBook]:
        """Yield the contexts of each hand. The next hand is replayed when you ask for it."""
        return self.walk.contexts(self._entries)

    def continue_with(self, entries: Iterable[TableEntry]) -> Iterator[ContextsByBook]:
        """Yield the contexts of the hands in entries that were added to the table after the replay's end."""
        return self.walk.contexts(entries)

    def finish(self) -> TableWalk:
        """Replay all hands and return the walk at the table's end."""
        deque(self, maxlen=0)
        return self.walk


def replay_from(checkpoint: TableCheckpoint, books: Sequence[Rulebook]) -> TableReplay:
    """Replay a table from a checkpoint under these books. Every walk of a table starts here."""
    return TableReplay(checkpoint.start_walk(books), checkpoint.entries)


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
    return walk, None, [walk.add_doubts(name, dues, None) for name, dues in walk.find_next_dues().items()]


def walk_hands(
    ledger: Ledger,
    chosen_rows: Iterable[tuple[TableKey, Iterable[HandRow | HandAt]]],
    books: Sequence[Rulebook],
    unread_by_hand: Mapping[str, UnreadLines] | None = None,
    read_entries: Callable[[Ledger, TableKey], Iterable[TableEntry]] = read_table_stream,
    on_walk_end: Callable[[TableWalk], None] | None = None,
    find_checkpoint: Callable[[TableKey, bytes], TableCheckpoint | None] | None = None,
) -> Iterator[tuple[HandReplay, ContextsByBook | None]]:
    """Yield the chosen hands of each table in playing order, each with its contexts.

    A table is walked from its first hand, since earlier hands decide what players owe. Hands that aren't chosen aren't
    read from the log. A hand that isn't in its table's stream comes last, with None instead of contexts.

    `unread_by_hand`: the result of `find_unread_lines`, if you have it. `read_entries`: returns a table's entries.
    `on_walk_end`: called with each table's walk at its end. `find_checkpoint`: returns where to start if a single
    hand is chosen, by its table and the id of its stream. If that is None, the walk starts at the first hand.
    """
    table_books = pick_table_books(books)
    for table_key, rows in chosen_rows:
        stream_order, sessions = join_streams(rows)
        is_single_hand = len(stream_order) == ID_LENGTH
        checkpoint = None
        if is_single_hand and find_checkpoint is not None:
            checkpoint = find_checkpoint(table_key, stream_order)
        if checkpoint is not None:
            yield from _replay_to_stored_hand(ledger, checkpoint, stream_order, table_books, sessions)
        elif stream_order or on_walk_end:
            unread_by_hand = find_unread_lines(ledger) if unread_by_hand is None else unread_by_hand
            entries = read_entries(ledger, table_key)
            replay = replay_from(make_first_checkpoint(entries, unread_by_hand), table_books)
            chosen_hands = ChosenHands(ledger, table_key, entries, stream_order, sessions)
            yield from chosen_hands.read(replay, to_the_end=on_walk_end is not None)
            if on_walk_end is not None:
                on_walk_end(replay.walk)
            yield from ((hand, None) for hand in chosen_hands.read_unplaced())


def _replay_to_stored_hand(
    ledger: Ledger, checkpoint: TableCheckpoint, stream: bytes, books: Sequence[Rulebook], sessions: Mapping[bytes, int]
) -> Iterator[tuple[HandReplay, ContextsByBook]]:
    """Yield one hand of a table with its contexts. The hand comes after the checkpoint."""
    hand_stream = stream.hex()
    for contexts in replay_from(checkpoint, books):
        if contexts.hand.hand == hand_stream:
            yield HandReader(ledger, stream, sessions).read_hand(stream), contexts
            return


def read_replayed_hands(
    ledger: Ledger, rows: Iterable[HandAt], replay: TableReplay
) -> Iterator[tuple[HandReplay, ContextsByBook]]:
    """Yield the hands of a replay, each with its contexts. `rows`: the rows of all hands in the replay."""
    reader = HandReader(ledger, *join_streams(rows))
    for contexts in replay:
        yield reader.read_hand(bytes.fromhex(contexts.hand.hand)), contexts
