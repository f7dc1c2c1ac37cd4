"""Find the hands and facts of each table that belong to a shift.

A table's part of a shift is one stretch of its record. Between two hands, everything up to the last count of a box or
tray belongs to the previous hand, and the rest to the next hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.clocks import LocalTime, format_wall_time
from ledger.errors import UsageError
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.streams import table_stream
from ledger.table.events import DealerChanged, HandPlayed
from ledger.table.money_events import BoxCounted, TrayCounted
from ledger.table.order import put_in_order
from ledger.text.language import join_list, phrase
from projections.addresses.room_days import DAY_MILLIS, DEFAULT_DAY_START, TimeSpan, find_local_start, parse_day_start
from projections.money.shift_request import ShiftRequest, parse_shift

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger, TableRow
    from ledger.table.standing_accounts import TableEntry
    from ledger.vocabulary import Millis, PlayerId

_COUNTS: Final = (BoxCounted, TrayCounted)


@dataclass(frozen=True)
class ShiftTable:
    """A table's part of a shift, within its whole record.

    `entries` are all events of the table in playing order, corrections applied, with each hand once. Those of the shift
    have the indexes from `start` up to `end` (excluded).
    """

    key: TableKey
    entries: Sequence[TableEntry]
    start: int
    end: int
    untimed_hands: int = 0  # hands of the table without a time: nobody knows whether the shift has them

    @property
    def stream(self) -> str:
        """The id of the table's stream, hex."""
        return table_stream(*self.key).hex

    @property
    def shift_entries(self) -> Sequence[TableEntry]:
        """The events of the shift, in order."""
        return self.entries[self.start : self.end]

    @cached_property
    def hands(self) -> list[HandPlayed]:
        """The hands of the shift, in order."""
        return [entry.event for entry in self.shift_entries if isinstance(entry.event, HandPlayed)]

    @cached_property
    def versions(self) -> frozenset[int]:
        """The versions of the shift's events in the table's stream."""
        return frozenset(entry.version for entry in self.shift_entries)

    @cached_property
    def dealers(self) -> list[PlayerId]:
        """Who dealt at each of `entries`, by the changes on record; "" = nobody is on record."""
        dealers: list[PlayerId] = []
        dealer: PlayerId = ""
        for entry in self.entries:
            if isinstance(entry.event, DealerChanged):
                dealer = entry.event.dealer
            dealers.append(dealer)
        return dealers

    @cached_property
    def money_unit(self) -> tuple[str, int]:
        """The unit of the table's chips and its decimals, from the last hand of the shift, or else from any hand."""
        earlier_hands = (entry.event for entry in reversed(self.entries[: self.end]))
        for event in (*earlier_hands, *(entry.event for entry in self.entries[self.end :])):
            if isinstance(event, HandPlayed) and event.unit:
                return event.unit, event.exponent
        return "", 0


def read_shift(
    ledger: Ledger,
    typed_text: str,
    *,
    day_begins: str = DEFAULT_DAY_START,
    table_keys: Sequence[TableKey] | None = None,
) -> list[ShiftTable]:
    """Return the tables that had hands or counts in a shift, sorted by room, tournament and name.

    `typed_text`: the shift as `parse_shift` reads it. `table_keys`: only these tables. Raises `UsageError` if no table has
    the shift, or if a name means several days.
    """
    request = parse_shift(typed_text, day_begins)
    if table_keys is None:
        table_keys = list_shift_tables(ledger, request.time_span)
    records = [_ShiftRecord(ledger, key, parse_day_start(day_begins)) for key in table_keys]
    if request.name:
        shift_tables = _select_by_name(records, request)
    else:
        assert request.time_span is not None  # noqa: S101 - a request has one of both
        shift_tables = _select_by_time(records, request.time_span)
    if not shift_tables:
        raise _no_shift_error(records, request)
    return shift_tables


def list_shift_tables(ledger: Ledger, time_span: TimeSpan | None = None) -> list[TableKey]:
    """Return the tables with hands, and the stream of each tournament, which may have only entries and prizes.

    With a span of time, return only tables that may have an event in it. A box is counted within a day after its last
    hand.
    """
    rows = [row for row in ledger.tables() if time_span is None or _may_overlap(row, time_span)]
    tournaments = {TableKey(row.venue, row.tournament, "") for row in rows if row.tournament}
    return sorted({*(TableKey(row.venue, row.tournament, row.table) for row in rows), *tournaments})


def _may_overlap(row: TableRow, time_span: TimeSpan) -> bool:
    earliest, latest = time_span.utc_bounds
    if row.first is None or row.last is None:
        return True
    return (earliest is None or row.last >= earliest - DAY_MILLIS) and (latest is None or row.first < latest)


class _DatedCount(NamedTuple):
    """A count that states a shift, with the day of the hands before it."""

    record: _ShiftRecord
    entry_index: int  # among the record's entries
    day: str  # "" = unknown


class _ShiftRecord:
    """A table's events in order, with what the room's clock showed at its hands."""

    def __init__(self, ledger: Ledger, key: TableKey, day_start: Millis) -> None:
        self.key = key
        self._ledger, self._day_start = ledger, day_start
        self.entries: list[TableEntry] = list(put_in_order(table_entries(ledger, key)))
        self.hand_indexes = [index for index, entry in enumerate(self.entries) if isinstance(entry.event, HandPlayed)]
        self._local_starts: dict[int, LocalTime | None] = {}

    @cached_property
    def _rows(self) -> dict[str, HandRow]:
        return {row.stream.hex: row for row in self._ledger.hands(**self.key._asdict())}

    def get_hand(self, index: int) -> HandPlayed:
        """Return the hand at an index of the entries."""
        hand = self.entries[index].event
        assert isinstance(hand, HandPlayed)  # noqa: S101 - the callers ask for indexes of hands
        return hand

    def find_start(self, index: int) -> Millis | None:
        """Return when a hand began."""
        started = self.get_hand(index).started
        return self.entries[index].time if started is None else started

    def find_local_start(self, index: int) -> LocalTime | None:
        """Return what the room's clock showed when a hand began."""
        if index not in self._local_starts:
            row = self._rows.get(self.get_hand(index).hand)
            self._local_starts[index] = None if row is None else find_local_start(self._ledger, row)
        return self._local_starts[index]

    def find_day(self, index: int) -> str:
        """Return the gaming day of the last hand up to an index, or of the first hand; "" if it isn't known."""
        hand_index = max((hand for hand in self.hand_indexes if hand <= index), default=None)
        if hand_index is None:
            hand_index = next(iter(self.hand_indexes), None)
        local_start = None if hand_index is None else self.find_local_start(hand_index)
        if local_start is None:
            return ""
        day_start = self._day_start if local_start.zone not in ("", "UTC") else 0
        return format_wall_time(local_start.wall - day_start)[: len("2026-01-02")]

    def is_hand_within(self, index: int, time_span: TimeSpan) -> bool:
        """Whether a hand began in a span of time."""
        started = self.find_start(index)
        if time_span.surely_includes(started):
            return True
        earliest, latest = time_span.utc_bounds
        if started is not None and (
            (earliest is not None and started < earliest) or (latest is not None and started >= latest)
        ):
            return False
        return time_span.includes(started, self.find_local_start(index))

    def count_untimed_hands(self) -> int:
        """Return how many hands state no time at all."""
        return sum(self.find_start(index) is None and self.get_hand(index).clock is None for index in self.hand_indexes)

    def find_stretch(self, first_hand: int, last_hand: int) -> tuple[int, int]:
        """Return the indexes between which some hands, and the facts around them, were recorded."""
        return self._find_stretch_start(first_hand), self.find_stretch_end(last_hand)

    def _find_stretch_start(self, first_hand: int) -> int:
        """Return the index after the last count before a hand, or after the previous hand."""
        index = first_hand
        while index and not isinstance(self.entries[index - 1].event, (HandPlayed, *_COUNTS)):
            index -= 1
        if index and not any(hand < index for hand in self.hand_indexes):
            return 0  # a count before the first hand opens the record
        return index

    def find_stretch_end(self, last_index: int) -> int:
        """Return the index after the last count before the next hand, or the end of the record."""
        next_hand = next((hand for hand in self.hand_indexes if hand > last_index), None)
        if next_hand is None:
            return len(self.entries)
        index = next_hand
        while index > last_index + 1 and not isinstance(self.entries[index - 1].event, _COUNTS):
            index -= 1
        return index

    def find_box_shift(self, hand_index: int) -> str:
        """Return the shift that the count of a hand's drop box states; "" if nobody counted it or no shift is stated."""
        for entry in self.entries[hand_index:]:
            if isinstance(entry.event, BoxCounted) and entry.event.kind == "drop":
                return entry.event.shift
        return ""

    def find_box_start(self, count_index: int) -> int:
        """Return the index of the first entry of a drop box: after the previous count."""
        for index in range(count_index - 1, -1, -1):
            event = self.entries[index].event
            if isinstance(event, BoxCounted) and event.kind == "drop":
                return self.find_stretch_end(index)
        return 0

    def build_table(self, start: int, end: int, untimed_hands: int = 0) -> ShiftTable:
        """Return a stretch as the table's part of a shift."""
        return ShiftTable(self.key, self.entries, start, end, untimed_hands)


# --- days and spans of time


def _select_by_time(records: Sequence[_ShiftRecord], time_span: TimeSpan) -> list[ShiftTable]:
    """Return the tables with hands in a span of time, or with only facts in it."""
    shift_tables = []
    for record in records:
        shift_table = _select_hands(record, time_span) or _select_facts(record, time_span)
        if shift_table is not None:
            shift_tables.append(shift_table)
    return shift_tables


def _select_hands(record: _ShiftRecord, time_span: TimeSpan) -> ShiftTable | None:
    hands_within = [index for index in record.hand_indexes if record.is_hand_within(index, time_span)]
    if not hands_within:
        return None
    start, end = record.find_stretch(hands_within[0], hands_within[-1])
    return record.build_table(start, end, record.count_untimed_hands())


def _select_facts(record: _ShiftRecord, time_span: TimeSpan) -> ShiftTable | None:
    """Return the facts in a span, at a table without hands in it. Their local time is estimated."""
    indexes = [
        index
        for index, entry in enumerate(record.entries)
        if entry.time is not None and time_span.includes(entry.time, _guess_local_time(record, entry.time))
    ]
    if not indexes or any(isinstance(record.entries[index].event, HandPlayed) for index in indexes):
        return None
    return record.build_table(indexes[0], indexes[-1] + 1, record.count_untimed_hands())


def _guess_local_time(record: _ShiftRecord, moment: Millis) -> LocalTime:
    """Return what the room's clock showed at a moment, by the offset of the table's last hand, or else UTC."""
    for hand_index in reversed(record.hand_indexes):
        started, local_start = record.find_start(hand_index), record.find_local_start(hand_index)
        if started is not None and local_start is not None:
            return LocalTime(moment + local_start.wall - started, local_start.zone)
    return LocalTime(moment, "UTC")


# --- names


def _select_by_name(records: Sequence[_ShiftRecord], request: ShiftRequest) -> list[ShiftTable]:
    """Return the tables with counts that state a shift, and those of the same rooms with hands at its times."""
    counts = [count for record in records for count in _iter_named_counts(record, request.name)]
    days = sorted({count.day for count in counts})
    if request.day:
        counts = [count for count in counts if count.day == request.day]
    elif len(days) > 1:
        raise UsageError(
            phrase("several days have a shift {shift}: {days}", shift=repr(request.name), days=join_list(days)),
            phrase("Add the day, as in {example}.", example=f"{request.name}@{days[-1]}"),
        )
    shift_tables = {table.key: table for table in _iter_counted_tables(counts)}
    for record in records:
        if record.key not in shift_tables:
            uncounted_table = _select_uncounted(record, list(shift_tables.values()))
            if uncounted_table is not None:
                shift_tables[record.key] = uncounted_table
    return [shift_tables[key] for key in sorted(shift_tables)]


def _iter_named_counts(record: _ShiftRecord, name: str) -> Iterator[_DatedCount]:
    for index, entry in enumerate(record.entries):
        if isinstance(entry.event, BoxCounted) and entry.event.shift.casefold() == name.casefold():
            yield _DatedCount(record, index, record.find_day(index))


def _iter_counted_tables(counts: Sequence[_DatedCount]) -> Iterator[ShiftTable]:
    """Yield each table with counts: from the start of the first counted box to the last count."""
    indexes_by_key: dict[TableKey, list[int]] = {}
    record_by_key = {count.record.key: count.record for count in counts}
    for count in counts:
        indexes_by_key.setdefault(count.record.key, []).append(count.entry_index)
    for key, indexes in indexes_by_key.items():
        record = record_by_key[key]
        yield record.build_table(record.find_box_start(indexes[0]), record.find_stretch_end(indexes[-1]))


def _select_uncounted(record: _ShiftRecord, counted_tables: Sequence[ShiftTable]) -> ShiftTable | None:
    """Return the hands of a table without such a count, if they began during the shift of the room's counted tables.

    Hands whose box was counted in another shift belong to that shift.
    """
    starts = [
        hand.started
        for table in counted_tables
        if table.key.venue == record.key.venue
        for hand in table.hands
        if hand.started is not None
    ]
    if not starts:
        return None
    hands_within = [
        index
        for index in record.hand_indexes
        if (started := record.find_start(index)) is not None
        and min(starts) <= started <= max(starts)
        and not record.find_box_shift(index)
    ]
    return record.build_table(*record.find_stretch(hands_within[0], hands_within[-1])) if hands_within else None


def _list_days(records: Sequence[_ShiftRecord], name: str) -> list[str]:
    """Return the known days of the counts that state a shift."""
    return sorted({count.day for record in records for count in _iter_named_counts(record, name)} - {""})


def _no_shift_error(records: Sequence[_ShiftRecord], request: ShiftRequest) -> UsageError:
    """Return the error for a shift that no table has, with the names that counts state."""
    if request.time_span is not None:
        return UsageError(
            phrase("no table has a hand in the shift {shift}", shift=repr(request.typed_text)),
            phrase("handledger log lists the hands and when they began."),
        )
    if request.day and (days := _list_days(records, request.name)):
        return UsageError(
            phrase("no table has a shift {shift}", shift=repr(request.typed_text)),
            phrase("Counts state it on these days: {days}.", days=join_list(days)),
        )
    names = sorted(
        {
            entry.event.shift
            for record in records
            for entry in record.entries
            if isinstance(entry.event, BoxCounted) and entry.event.shift
        }
    )
    problem = phrase("no table has a shift {shift}", shift=repr(request.typed_text))
    if not names:
        return UsageError(
            problem, phrase("No count names a shift. Name a day, such as {example}.", example="2026-11-29")
        )
    return UsageError(problem, phrase("Counts state these shifts: {names}.", names=join_list(names)))
