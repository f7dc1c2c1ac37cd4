"""Find where to start a table's replay to reach a hand: at the nearest stored walk, or else at the first hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import count, dropwhile
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.hands.table_streams import table_entries
from ledger.table.events import HandPlayed
from ledger.table.plain import StoredEntries
from ledger.text.language import is_english
from projections.table_walk.checkpoint import save_walk
from projections.table_walk.replay import TableCheckpoint, make_first_checkpoint, make_saved_checkpoint
from projections.table_walk.table_context import pick_table_books
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables import stored_walks
from projections.tables.changed_tables import count_accounts, find_changed_tables
from projections.tables.stored_dues import decode_dues, load_stored_rows
from projections.tables.stored_walks import digest_unread, parse_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.table.breaks import Break
    from ledger.table.standing_accounts import TableEntry
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.table_walk.table_context import ContextsByBook

_JUDGEMENT_COLUMNS: Final = 'j.position, o.position, o.unread, o."order", o.judgement'
_FROM_CHECKPOINTS: Final = (
    "FROM walks_on_the_way WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? ORDER BY hands"
)


_FAR_CHECKPOINTS: Final = 4
"""If a hand is more checkpoints than this after the last stored one, its table is judged first, to store more."""


class _StoredCheckpoint(NamedTuple):
    """The key of a walk that was stored on the way through a table."""

    hands: int  # walked before it
    version: int  # of the last walked event in the table's stream
    breaks: int  # in the chain of hands so far


_TABLE_START: Final = _StoredCheckpoint(0, 0, 0)


class _LazyEntries(StoredEntries):
    """Entries of a table in playing order, read once and only as far as they're iterated."""

    def __init__(self, entries: Iterable[TableEntry], versions: Sequence[int]) -> None:
        """Create the list of entries. `versions`: of the entries, in the same order."""
        self.trust_order()
        self.versions = versions
        self._remaining = iter(entries)
        self._read_entries: list[TableEntry] = []

    def __iter__(self) -> Iterator[TableEntry]:
        """Yield the entries. Several iterators may run at once."""
        for entry_index in count():
            if entry_index == len(self._read_entries):
                entry = next(self._remaining, None)
                if entry is None:
                    return
                self._read_entries.append(entry)
            yield self._read_entries[entry_index]


class _EntriesFrom(StoredEntries):
    """The entries of a table from one version on, in playing order."""

    def __init__(self, entries: Iterable[TableEntry], version: int) -> None:
        """Create the list of entries that starts at a version."""
        self.trust_order()
        self._entries, self._version = entries, version

    def __iter__(self) -> Iterator[TableEntry]:
        """Yield the entries."""
        return dropwhile(lambda entry: entry.version != self._version, self._entries)


class CheckpointFinder:
    """Finds checkpoints in a ledger. If a hand is far from the last checkpoint, its table is judged first."""

    def __init__(self, ledger: Ledger) -> None:
        """Create a finder for the ledger as it is now."""
        self._ledger = ledger
        self._unread_by_table: dict[TableKey, Mapping[str, UnreadLines]] = {}
        self._entries_by_table: dict[TableKey, StoredEntries] = {}  # entries of a table from its last checkpoint
        self._order_by_table: dict[TableKey, Sequence[int]] = {}  # versions of a judged table in playing order

    def find_checkpoint(self, table_key: TableKey, stream: str, books: Sequence[Rulebook]) -> TableCheckpoint:
        """Return the checkpoint to replay from, under these books, to reach a hand (the id of its stream, hex)."""
        return self.find_stored_checkpoint(table_key, stream, books) or make_first_checkpoint(
            table_entries(self._ledger, table_key), self._find_unread_lines(table_key)
        )

    def find_stored_checkpoint(
        self, table_key: TableKey, stream: str, books: Sequence[Rulebook]
    ) -> TableCheckpoint | None:
        """Return the nearest stored walk before a hand, or None if there is none or it's out of date.

        Stored walks contain English sentences, so there are none in other languages.
        """
        ledger = self._ledger
        if (
            ledger.upto is not None
            or not is_english()
            or len(pick_table_books(books)) < len(books)
            or count_accounts(ledger, table_key) < stored_walks.CHECKPOINT_HANDS
        ):
            return None
        row = ledger.hand(stream)
        if row is None or not row.stands or row.accounts > 1:
            return None
        judgement_numbers = self._find_current_judgements(table_key, books)
        if (
            judgement_numbers is None
            and count_accounts(ledger, table_key, row.position) > _FAR_CHECKPOINTS * stored_walks.CHECKPOINT_HANDS
        ):
            from projections.tables.table_set import update_tables  # noqa: PLC0415 - few hands are that far away

            update_tables(ledger, books, results=False, selected_places={table_key})
            judgement_numbers = self._find_current_judgements(table_key, books)
        if judgement_numbers is None:
            return None
        return self._find_nearest_checkpoint(table_key, row, books, judgement_numbers)

    def build_checkpoint(self, table_key: TableKey, contexts: ContextsByBook, book: Rulebook) -> TableCheckpoint | None:
        """Return a checkpoint at the hand that a replay just reached, or None if its walk can't be saved.

        A walk is only saved if the table's stream is in playing order.
        """
        entries = self._entries_by_table.get(table_key)
        if entries is None or not _has_version(entries, contexts.version):
            entries = self._entries_by_table[table_key] = self._read_entries(table_key)
        walk = save_walk(contexts.walk, book.name, None) if entries.read_order().is_in_order else None
        if walk is None:
            return None
        later_entries, unread_lines = _EntriesFrom(entries, contexts.version), self._find_unread_lines(table_key)
        return make_saved_checkpoint(later_entries, {book.name: walk}, unread_lines)

    def _find_unread_lines(self, table_key: TableKey) -> Mapping[str, UnreadLines]:
        if table_key not in self._unread_by_table:
            self._unread_by_table[table_key] = find_unread_lines(self._ledger, table_key)
        return self._unread_by_table[table_key]

    def _find_current_judgements(self, table_key: TableKey, books: Sequence[Rulebook]) -> list[int] | None:
        """Return the numbers of a table's judgements under these books, or None unless all are current."""
        rows = load_stored_rows(self._ledger, _JUDGEMENT_COLUMNS, "judged_tables", table_key, books) if books else None
        if rows is None:
            return None
        current_digest = digest_unread(self._find_unread_lines(table_key))
        numbers = []
        for log_position, table_position, unread_digest, order, number in rows:
            latest_position = max(log_position, table_position)
            is_stale = (
                latest_position < self._head
                and table_key in find_changed_tables(self._ledger, latest_position).with_new_entries
            )
            versions = parse_order(order)
            if is_stale or unread_digest != current_digest or versions is None:
                return None
            self._order_by_table[table_key] = versions
            numbers.append(number)
        return numbers

    def _read_entries(self, table_key: TableKey) -> StoredEntries:
        """Return all entries of a table, in playing order if the order is known."""
        order = self._order_by_table.get(table_key, range(0))
        if isinstance(order, range):
            return table_entries(self._ledger, table_key)
        return self._read_entries_in_order(table_key, order)

    def _read_entries_in_order(self, table_key: TableKey, order: Sequence[int]) -> _LazyEntries:
        """Return the entries with these versions, in this order."""
        earlier_version = min(order, default=1) - 1
        return _LazyEntries(_reorder_entries(table_entries(self._ledger, table_key, earlier_version), order), order)

    @cached_property
    def _head(self) -> int:
        return self._ledger.head()[0]

    def _find_nearest_checkpoint(
        self, table_key: TableKey, row: HandRow, books: Sequence[Rulebook], judgement_numbers: Sequence[int]
    ) -> TableCheckpoint | None:
        """Return the last stored walk before a hand, or None if the hand doesn't follow before the next one."""
        positions_by_stored = self._load_common_positions(table_key, judgement_numbers)
        checkpoints = [_TABLE_START, *positions_by_stored]
        index = sum(position <= row.position for position in positions_by_stored.values())
        checkpoint = checkpoints[index]
        next_version = checkpoints[index + 1].version + 1 if index + 1 < len(checkpoints) else None
        order = self._order_by_table[table_key]
        is_at_start = checkpoint is _TABLE_START or checkpoint.version + 1 not in order
        entries = self._read_entries_in_order(
            table_key, order if is_at_start else order[order.index(checkpoint.version + 1) :]
        )
        if not _has_hand(entries, row.stream.hex, next_version):
            return None
        self._entries_by_table[table_key] = entries
        unread_lines = self._find_unread_lines(table_key)
        if checkpoint is _TABLE_START:
            return make_first_checkpoint(entries, unread_lines)
        walks = self._load_walks(table_key, books, judgement_numbers, checkpoint)
        return make_saved_checkpoint(
            entries, walks, unread_lines, lambda: self._list_earlier_breaks(table_key, books[0], checkpoint)
        )

    def _load_common_positions(
        self, table_key: TableKey, judgement_numbers: Sequence[int]
    ) -> dict[_StoredCheckpoint, int]:
        """Return the walks stored under all of these judgements, in order, with the position of the next hand."""
        positions_by_judgement: list[dict[_StoredCheckpoint, int]] = []
        with self._ledger.database.reading() as connection:
            for number in judgement_numbers:
                sql = f"SELECT hands, version, broken, position {_FROM_CHECKPOINTS}"
                rows = connection.execute(sql, (number, *table_key)).fetchall()
                positions_by_judgement.append({_StoredCheckpoint(*key): position for *key, position in rows})
        return {
            checkpoint: position
            for checkpoint, position in positions_by_judgement[0].items()
            if all(checkpoint in positions for positions in positions_by_judgement)
        }

    def _list_earlier_breaks(self, table_key: TableKey, book: Rulebook, checkpoint: _StoredCheckpoint) -> list[Break]:
        """Return the breaks in the chain of hands before a stored walk. The stored dues contain all breaks."""
        if not checkpoint.breaks:
            return []
        rows = load_stored_rows(self._ledger, "o.owing", "obligations", table_key, [book])
        return decode_dues(rows[0][0]).breaks[: checkpoint.breaks] if rows else []

    def _load_walks(
        self,
        table_key: TableKey,
        books: Sequence[Rulebook],
        judgement_numbers: Sequence[int],
        checkpoint: _StoredCheckpoint,
    ) -> dict[str, bytes]:
        """Return a stored walk under each book, by the book's name."""
        sql = (
            "SELECT walk FROM walks_on_the_way "
            "WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? AND hands = ?"
        )
        with self._ledger.database.reading() as connection:
            return {
                book.name: bytes(connection.execute(sql, (number, *table_key, checkpoint.hands)).fetchone()[0])
                for book, number in zip(books, judgement_numbers, strict=True)
            }


def _has_version(entries: StoredEntries, version: int) -> bool:
    """Whether these entries of a table include a version."""
    return not isinstance(entries, _LazyEntries) or version in entries.versions


def _reorder_entries(entries: Iterable[TableEntry], order: Sequence[int]) -> Iterator[TableEntry]:
    """Yield entries in this order of versions, which is nearly their own. Read no further than needed."""
    pending: dict[int, TableEntry] = {}
    remaining = iter(entries)
    for version in order:
        while version not in pending:
            entry = next(remaining, None)
            if entry is None:
                return  # entries are missing, so the walk won't reach the hand
            pending[entry.version] = entry
        yield pending.pop(version)


def _has_hand(entries: Iterable[TableEntry], stream: str, before_version: int | None) -> bool:
    """Whether a hand is among the entries before a version, or among all. `stream`: the id of its stream, hex."""
    for entry in entries:
        if entry.version == before_version:
            return False
        if isinstance(entry.event, HandPlayed) and entry.event.hand == stream:
            return True
    return False
