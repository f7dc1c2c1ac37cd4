"""Find the checkpoint to replay a table from to reach a hand: its nearest kept walk, else its first hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import count, dropwhile
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.hands.table_streams import table_entries as read_table_stream
from ledger.table.events import HandPlayed
from ledger.table.plain import Rereadable
from projections.table_walk.checkpoint import save_walk
from projections.table_walk.replay import TableCheckpoint, first_checkpoint, saved_checkpoint
from projections.table_walk.table_context import pick_table_books
from projections.table_walk.unread_lines import find_unread_lines
from projections.tables import kept_checkpoints
from projections.tables.changed_tables import count_accounts, find_changed_tables
from projections.tables.kept_checkpoints import digest_unread, parse_order
from projections.tables.kept_dues import decode_owing, load_kept_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.table.breaks import Break
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import UnreadLines
    from projections.table_walk.table_context import ContextsByBook

_JUDGED: Final = (
    'SELECT j.position, o.position, o.unread, o."order", o.judgement '
    "FROM judgements AS j JOIN judged_tables AS o ON o.judgement = j.id"
)
_OWING: Final = "SELECT o.owing FROM judgements AS j JOIN obligations AS o ON o.judgement = j.id"
_ON_THE_WAY: Final = (
    "FROM walks_on_the_way WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? ORDER BY hands"
)


_FAR_WALKS: Final = 4
"""Distance of a hand, in checkpoints, beyond which its table is judged first: later questions reuse that."""


class _WalkStop(NamedTuple):
    """A kept walk of a table: hands walked, last version of its stream, and breaks in the chain of hands."""

    hands: int
    version: int
    broken: int


_FIRST_STOP: Final = _WalkStop(0, 0, 0)


class _OrderedEntries(Rereadable):
    """Entries of a table in playing order, read once and only as far as the walk goes."""

    def __init__(self, entries: Iterable[Told], versions: Sequence[int]) -> None:
        """Take the entries and their versions."""
        self.known_in_place()
        self.versions = versions
        self._remaining = iter(entries)
        self._read_entries: list[Told] = []

    def __iter__(self) -> Iterator[Told]:
        """Yield the entries; several iterators may run at once."""
        for entry_index in count():
            if entry_index == len(self._read_entries):
                entry = next(self._remaining, None)
                if entry is None:
                    return
                self._read_entries.append(entry)
            yield self._read_entries[entry_index]


class _EntriesFrom(Rereadable):
    """Entries of a table from a version on, in playing order."""

    def __init__(self, entries: Iterable[Told], version: int) -> None:
        """Take the entries and the first version."""
        self.known_in_place()
        self._entries, self._version = entries, version

    def __iter__(self) -> Iterator[Told]:
        """Yield the entries."""
        return dropwhile(lambda entry: entry.version != self._version, self._entries)


def _has_version(entries: Rereadable, version: int) -> bool:
    """Whether these entries of a table include a version."""
    return not isinstance(entries, _OrderedEntries) or version in entries.versions


def _arrange(entries: Iterable[Told], order: Sequence[int]) -> Iterator[Told]:
    """Yield entries in an order of versions that is nearly theirs; read no further than needed."""
    pending: dict[int, Told] = {}
    remaining = iter(entries)
    for version in order:
        while version not in pending:
            entry = next(remaining, None)
            if entry is None:
                return  # entries are missing: the walk won't find the hand
            pending[entry.version] = entry
        yield pending.pop(version)


def _has_hand(entries: Iterable[Told], stream: str, before_version: int | None) -> bool:
    """Whether a hand is among the entries before a version."""
    for entry in entries:
        if entry.version == before_version:
            return False
        if isinstance(entry.event, HandPlayed) and entry.event.hand == stream:
            return True
    return False


class CheckpointFinder:
    """Finds checkpoints in a ledger. A table is judged first if the hand is far from its last checkpoint."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger as it is now."""
        self._ledger = ledger
        self._unread_by_place: dict[TableKey, Mapping[str, UnreadLines]] = {}
        self._entries_by_place: dict[TableKey, Rereadable] = {}  # entries of a table from its last checkpoint
        self._order_by_place: dict[TableKey, Sequence[int]] = {}  # versions of a judged table in playing order

    def find_checkpoint(self, place: TableKey, stream: str, books: Sequence[Rulebook]) -> TableCheckpoint:
        """Return the checkpoint to reach a hand (its stream's id, hex) from, under these books."""
        return self.find_kept_checkpoint(place, stream, books) or first_checkpoint(
            read_table_stream(self._ledger, place), self._unread_lines_of(place)
        )

    def find_kept_checkpoint(self, place: TableKey, stream: str, books: Sequence[Rulebook]) -> TableCheckpoint | None:
        """Return the nearest kept walk before a hand; None if there is none or it's out of date."""
        ledger = self._ledger
        if (
            ledger.upto is not None
            or len(pick_table_books(books)) < len(books)
            or count_accounts(ledger, place) < kept_checkpoints.CHECKPOINT_HANDS
        ):
            return None
        row = ledger.hand(stream)
        if row is None or not row.stands or row.accounts > 1:
            return None
        judged = self._current_judgements(place, books)
        if (
            judged is None
            and count_accounts(ledger, place, row.position) > _FAR_WALKS * kept_checkpoints.CHECKPOINT_HANDS
        ):
            from projections.tables.table_set import update_tables  # noqa: PLC0415 - few hands are that far away

            update_tables(ledger, books, results=False, selected_places={place})
            judged = self._current_judgements(place, books)
        return None if judged is None else self._nearest_kept_checkpoint(place, row, books, judged)

    def checkpoint_at(self, place: TableKey, hand: ContextsByBook, book: Rulebook) -> TableCheckpoint | None:
        """Return a checkpoint at a hand that a replay just reached; None if the walk can't be saved or is out of order."""
        entries = self._entries_by_place.get(place)
        if entries is None or not _has_version(entries, hand.version):
            entries = self._entries_by_place[place] = self._all_entries(place)
        walk = save_walk(hand.table, book.name, None) if entries.in_place().whole else None
        if walk is None:
            return None
        later_entries, unread_lines = _EntriesFrom(entries, hand.version), self._unread_lines_of(place)
        return saved_checkpoint(later_entries, {book.name: walk}, unread_lines)

    def _unread_lines_of(self, place: TableKey) -> Mapping[str, UnreadLines]:
        if place not in self._unread_by_place:
            self._unread_by_place[place] = find_unread_lines(self._ledger, place)
        return self._unread_by_place[place]

    def _current_judgements(self, place: TableKey, books: Sequence[Rulebook]) -> list[int] | None:
        """Return the numbers of a table's judgements under these books; None unless all are current."""
        rows = load_kept_rows(self._ledger, _JUDGED, place, books) if books else None
        if rows is None:
            return None
        current_digest, numbers = digest_unread(self._unread_lines_of(place)), []
        for log_position, table_position, unread_digest, order, number in rows:
            latest_position = max(log_position, table_position)
            is_stale = (
                latest_position < self._head and place in find_changed_tables(self._ledger, latest_position).incoming
            )
            versions = parse_order(order)
            if is_stale or unread_digest != current_digest or versions is None:
                return None
            self._order_by_place[place] = versions
            numbers.append(number)
        return numbers

    def _all_entries(self, place: TableKey) -> Rereadable:
        """Return all entries of a table, in playing order if it's known."""
        order = self._order_by_place.get(place, range(0))
        return read_table_stream(self._ledger, place) if isinstance(order, range) else self._entries_from(place, order)

    def _entries_from(self, place: TableKey, order: Sequence[int]) -> _OrderedEntries:
        """Return the entries of a table in a part of its order."""
        earlier_version = min(order, default=1) - 1
        return _OrderedEntries(_arrange(read_table_stream(self._ledger, place, earlier_version), order), order)

    @cached_property
    def _head(self) -> int:
        return self._ledger.head()[0]

    def _nearest_kept_checkpoint(
        self, place: TableKey, row: HandRow, books: Sequence[Rulebook], judged: Sequence[int]
    ) -> TableCheckpoint | None:
        ledger = self._ledger
        positions_by_stop: list[dict[_WalkStop, int]] = []
        with ledger.database.reading() as connection:
            for number in judged:
                sql = f"SELECT hands, version, broken, position {_ON_THE_WAY}"
                rows = connection.execute(sql, (number, *place)).fetchall()
                positions_by_stop.append({_WalkStop(*stop): position for *stop, position in rows})
        common_stops = [
            candidate
            for candidate in positions_by_stop[0]
            if all(candidate in positions for positions in positions_by_stop)
        ]
        stops = [_FIRST_STOP, *common_stops]
        stop_index = sum(positions_by_stop[0][candidate] <= row.position for candidate in common_stops)
        stop, next_stop = stops[stop_index], stops[stop_index + 1] if stop_index + 1 < len(stops) else None
        order = self._order_by_place[place]
        first_index = order.index(stop.version + 1) if stop is not _FIRST_STOP and stop.version + 1 in order else 0
        entries = self._entries_from(place, order[first_index:])
        if not _has_hand(entries, row.stream.hex, None if next_stop is None else next_stop.version + 1):
            return None
        self._entries_by_place[place] = entries
        unread_lines = self._unread_lines_of(place)
        if stop is _FIRST_STOP:
            return first_checkpoint(entries, unread_lines)
        walks = self._load_walks(place, books, judged, stop)
        return saved_checkpoint(entries, walks, unread_lines, lambda: self._earlier_breaks(place, books[0], stop))

    def _earlier_breaks(self, place: TableKey, book: Rulebook, stop: _WalkStop) -> list[Break]:
        """Return the breaks in the chain of hands before a kept walk; the kept dues list all breaks."""
        rows = load_kept_rows(self._ledger, _OWING, place, [book]) if stop.broken else None
        return decode_owing(rows[0][0]).breaks[: stop.broken] if rows else []

    def _load_walks(
        self, place: TableKey, books: Sequence[Rulebook], judged: Sequence[int], stop: _WalkStop
    ) -> dict[str, bytes]:
        sql = (
            "SELECT walk FROM walks_on_the_way "
            "WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? AND hands = ?"
        )
        with self._ledger.database.reading() as connection:
            return {
                book.name: bytes(connection.execute(sql, (number, *place, stop.hands)).fetchone()[0])
                for book, number in zip(books, judged, strict=True)
            }
