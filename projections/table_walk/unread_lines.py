"""Find the hands of a ledger with unread lines in them, before them or after them: their verdicts may be open."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import gt
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.house.events import SourceRejected
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests.open_rejects import iter_open_rejects
from ledger.store.requests.stream_set import ID_LENGTH
from projections.findings.doubts import ALL_READ, UnreadLines

if TYPE_CHECKING:
    from ledger.store import Ledger

_UNREAD_NOTE: Final = "unread lines"
_BATCH_SIZE: Final = 1000
"""Hands, or sources, in one query."""


def find_unread_lines(ledger: Ledger, table_key: TableKey | None = None) -> dict[str, UnreadLines]:
    """Return where the unread lines are, by the id of the hand's stream (hex): for all hands, or for one table.

    Rejected spans that somebody waived don't count, nor do unread lines in a hand that was corrected later.
    """
    by_stream: dict[str, UnreadLines] = {}

    def mark(stream: str, **flags: bool) -> None:
        by_stream[stream] = by_stream.get(stream, ALL_READ)._replace(**flags)

    unread_hands = ledger.hands(note=_UNREAD_NOTE, **({} if table_key is None else table_key._asdict()))
    while batch := list(islice(unread_hands, _BATCH_SIZE)):
        corrected_streams = ledger.continued_streams(row.stream.bytes for row in batch)
        for row in batch:
            if row.stream.bytes not in corrected_streams:
                mark(row.stream.hex, in_hand=True)
    mark_hands_near_rejects(_list_rejects(ledger, table_key), partial(_iter_hand_spans, ledger), mark)
    return by_stream if table_key is None else group_by_table(ledger, by_stream).get(table_key, {})


def _list_rejects(ledger: Ledger, table_key: TableKey | None) -> Iterable[SourceRejected]:
    """Return the rejected spans that still count; for a table, only those in sources with hands of that table."""
    if table_key is None:
        return iter_open_rejects(ledger)
    sources = ledger.sources_at(table_key)
    return [reject for reject in iter_open_rejects(ledger) if reject.source in sources] if sources else []


def group_by_table(ledger: Ledger, by_stream: Mapping[str, UnreadLines]) -> dict[TableKey, dict[str, UnreadLines]]:
    """Group the unread lines of hands by table."""
    by_table: dict[TableKey, dict[str, UnreadLines]] = {}
    for row in ledger.hands_of(map(bytes.fromhex, by_stream)):
        by_table.setdefault(TableKey(row.venue, row.tournament, row.table), {})[row.stream.hex] = by_stream[
            row.stream.hex
        ]
    return by_table


class HandSpan(NamedTuple):
    """A hand's bytes in its source."""

    start: int
    length: int
    stream: bytes
    table_key: TableKey


def _iter_hand_spans(ledger: Ledger, digests: Sequence[str]) -> Iterator[tuple[str, HandSpan]]:
    """Yield the hands from these sources in the order they were stored, each with its source's digest."""
    for row in ledger.hands(source=digests):
        table_key = TableKey(row.venue, row.tournament, row.table)
        yield row.source, HandSpan(row.start, row.length, row.stream.bytes, table_key)


def mark_hands_near_rejects(
    rejects: Iterable[SourceRejected],
    iter_hand_spans: Callable[[Sequence[str]], Iterable[tuple[str, HandSpan]]],
    mark: Callable[..., None],
) -> None:
    """Mark the hands with a rejected span in them, before them or after them.

    `iter_hand_spans` yields the hands of many sources at once, by their digests: a query for each source would take
    too long. `mark` gets a stream's id (hex), and a keyword of `UnreadLines`.
    """
    rejects_by_source: dict[str, list[SourceRejected]] = {}
    for reject in rejects:
        rejects_by_source.setdefault(reject.source, []).append(reject)
    digests = iter(rejects_by_source)
    while batch := list(islice(digests, _BATCH_SIZE)):
        hands_by_source = {digest: _SourceHands() for digest in batch}
        for digest, hand_span in iter_hand_spans(batch):
            hands_by_source[digest].add(hand_span)
        for digest, source_hands in hands_by_source.items():
            source_hands.sort()
            for reject in rejects_by_source[digest]:
                _mark_around(source_hands, reject.start, mark)


class _SourceHands:
    """The hands of one source, in the source's order, as arrays: a source may have very many hands."""

    def __init__(self) -> None:
        """Start without hands."""
        self.starts, self.ends, self.table_numbers = array("Q"), array("Q"), array("L")
        self._streams = bytearray()
        self._numbers_by_table: dict[TableKey, int] = {}
        self._stored_order = array("L")
        self.indexes_by_table: list[array[int]] = []  # by table number: the indexes of the table's hands

    def add(self, hand_span: HandSpan) -> None:
        """Add a hand of the source."""
        self.starts.append(hand_span.start)
        self.ends.append(hand_span.start + hand_span.length)
        self.table_numbers.append(self._numbers_by_table.setdefault(hand_span.table_key, len(self._numbers_by_table)))
        self._streams += hand_span.stream

    def sort(self) -> None:
        """Sort the hands by their offsets in the source. Call it once, after the last `add`."""
        self._stored_order = array("L", range(len(self.starts)))
        if any(map(gt, self.starts, islice(self.starts, 1, None))):  # not stored in the source's order
            self._stored_order = array("L", sorted(self._stored_order, key=self.starts.__getitem__))
            self.starts, self.ends, self.table_numbers = (
                array(column.typecode, map(column.__getitem__, self._stored_order))
                for column in (self.starts, self.ends, self.table_numbers)
            )
        self.indexes_by_table = [array("L") for _ in self._numbers_by_table]
        for index, table_number in enumerate(self.table_numbers):
            self.indexes_by_table[table_number].append(index)

    def find_stream(self, index: int) -> str:
        """Return the id of the stream of the hand at an index, hex."""
        offset = ID_LENGTH * self._stored_order[index]
        return self._streams[offset : offset + ID_LENGTH].hex()


def _mark_around(hands: _SourceHands, start: int, mark: Callable[..., None]) -> None:
    """Mark the hand that contains the start of a rejected span, or the hands before and after it.

    A source may have many tables, and the span may belong to any of them: each table's next hand is marked.
    """
    next_hand = bisect_right(hands.starts, start)  # the first hand that starts after the span
    if next_hand and start < hands.ends[next_hand - 1]:
        mark(hands.find_stream(next_hand - 1), in_hand=True)
        return
    for table_indexes in hands.indexes_by_table:
        position = bisect_left(table_indexes, next_hand)
        if position < len(table_indexes) and (position or table_indexes[position] == next_hand):
            mark(hands.find_stream(table_indexes[position]), before_hand=True)
    if next_hand and hands.indexes_by_table[hands.table_numbers[next_hand - 1]][-1] == next_hand - 1:
        mark(hands.find_stream(next_hand - 1), after_hand=True)
