"""Which hands of a ledger stand beside lines that nobody could read: judgement is told, and goes no further."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from operator import gt
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.accounts import Place
from projections.findings.doubts import ALL_READ, UnreadLines
from projections.table_walk.rejected_lines import standing

if TYPE_CHECKING:
    from ledger.house.events import SourceRejected
    from ledger.store import Ledger

_UNREAD_NOTE: Final = "unread lines"
_BATCH_SIZE: Final = 1000
"""Hands that are asked at once whether they were corrected, and sources what hands they tell."""


def spoiled(ledger: Ledger, at: Place | None = None) -> dict[str, UnreadLines]:
    """Return what was not read of hands, and between them, by the id of the hand's stream, hex: of all, or at a table.

    A rejected span that somebody has waived need not be read and spoils nothing; nor does a line in a
    hand that was corrected since, which is looked at as it stands.
    """
    by_stream: dict[str, UnreadLines] = {}

    def mark(stream: str, **flags: bool) -> None:
        by_stream[stream] = by_stream.get(stream, ALL_READ)._replace(**flags)

    unread_hands = ledger.hands(note=_UNREAD_NOTE, **({} if at is None else at._asdict()))
    while batch := list(islice(unread_hands, _BATCH_SIZE)):
        amended = ledger.continued(row.stream.bytes for row in batch)
        for row in batch:
            if row.stream.bytes not in amended:
                mark(row.stream.hex, in_hand=True)
    beside(_standing_rejects(ledger, at), partial(_hands_told_by, ledger), mark)
    return by_stream if at is None else by_place(ledger, by_stream).get(at, {})


def _standing_rejects(ledger: Ledger, place: Place | None) -> Iterable[SourceRejected]:
    """Return what stands rejected, or of it what a source says that tells hands of a table."""
    if place is None:
        return standing(ledger)
    sources = ledger.sources_at(place)
    return [reject for reject in standing(ledger) if reject.source in sources] if sources else []


def by_place(ledger: Ledger, unread: Mapping[str, UnreadLines]) -> dict[Place, dict[str, UnreadLines]]:
    """Return what was not read of hands, table by table."""
    by_table: dict[Place, dict[str, UnreadLines]] = {}
    for row in ledger.hands_of(map(bytes.fromhex, unread)):
        by_table.setdefault(Place(row.venue, row.tournament, row.table), {})[row.stream.hex] = unread[row.stream.hex]
    return by_table


class Told(NamedTuple):
    """Where a source tells a hand."""

    start: int
    length: int
    stream: bytes
    place: Place


def _hands_told_by(ledger: Ledger, digests: Sequence[str]) -> Iterator[tuple[str, Told]]:
    for row in ledger.hands(source=digests):
        place = Place(row.venue, row.tournament, row.table)
        yield row.source, Told(row.start, row.length, row.stream.bytes, place)


def beside(
    rejects: Iterable[SourceRejected],
    told_by: Callable[[Sequence[str]], Iterable[tuple[str, Told]]],
    mark: Callable[..., None],
) -> None:
    """Mark the hands, by the id of the stream in hex, in or beside which spans were rejected.

    `told_by`: of some sources the hands that are stored as they tell them, in the order in which they came, each
    with its source. Asked of one source at a time, a ledger of many would be read once for each.
    """
    by_source: dict[str, list[SourceRejected]] = {}
    for reject in rejects:
        by_source.setdefault(reject.source, []).append(reject)
    sources = iter(by_source)
    while batch := list(islice(sources, _BATCH_SIZE)):
        hands = {digest: _Hands() for digest in batch}
        for digest, told_hand in told_by(batch):
            hands[digest].add(told_hand)
        for digest, source_hands in hands.items():
            source_hands.put_in_order()
            for reject in by_source[digest]:
                _mark_touched(source_hands, reject.start, mark)


class _Hands:
    """The hands of a source in the order in which it tells them: some bytes of each, as there may be very many."""

    def __init__(self) -> None:
        """Begin without a hand."""
        self.starts, self.ends, self.tables = array("Q"), array("Q"), array("L")
        self._streams = bytearray()
        self._numbers: dict[Place, int] = {}
        self._order = array("L")
        self.of_table: list[array[int]] = []  # which of the hands are a table's

    def add(self, row: Told) -> None:
        """Take a hand that it tells."""
        self.starts.append(row.start)
        self.ends.append(row.start + row.length)
        self.tables.append(self._numbers.setdefault(row.place, len(self._numbers)))
        self._streams += row.stream

    def put_in_order(self) -> None:
        """Put the hands in the order of their places in the source: all of them are here."""
        self._order = array("L", range(len(self.starts)))
        if any(map(gt, self.starts, islice(self.starts, 1, None))):  # they came otherwise
            self._order = array("L", sorted(self._order, key=self.starts.__getitem__))
            self.starts, self.ends, self.tables = (
                array(column.typecode, map(column.__getitem__, self._order))
                for column in (self.starts, self.ends, self.tables)
            )
        self.of_table = [array("L") for _ in self._numbers]
        for index, table in enumerate(self.tables):
            self.of_table[table].append(index)

    def stream(self, index: int) -> str:
        """Return the id of a hand's stream, hex."""
        offset = 16 * self._order[index]
        return self._streams[offset : offset + 16].hex()


def _mark_touched(hands: _Hands, start: int, mark: Callable[..., None]) -> None:
    """Mark the hand of a source in which a rejected span lies, or those on either side of it.

    One source may tell of many tables: nobody knows of which of them the span tells.
    """
    next_hand = bisect_right(hands.starts, start)  # the first hand behind the span
    if next_hand and start < hands.ends[next_hand - 1]:
        mark(hands.stream(next_hand - 1), in_hand=True)
        return
    for indexes in hands.of_table:
        next_index = bisect_left(indexes, next_hand)
        if next_index < len(indexes) and (next_index or indexes[next_index] == next_hand):
            mark(hands.stream(indexes[next_index]), before_hand=True)
    if next_hand and hands.of_table[hands.tables[next_hand - 1]][-1] == next_hand - 1:
        mark(hands.stream(next_hand - 1), after_hand=True)
