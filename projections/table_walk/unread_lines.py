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
from projections.findings.doubts import SOUND, Spoiled
from projections.table_walk.rejected_lines import standing

if TYPE_CHECKING:
    from ledger.house.events import SourceRejected
    from ledger.store import Ledger

_UNREAD: Final = "unread lines"
_AT_ONCE: Final = 1000
"""Hands that are asked at once whether they were corrected, and sources what hands they tell."""


def spoiled(ledger: Ledger, at: Place | None = None) -> dict[str, Spoiled]:
    """Return what was not read of hands, and between them, by the id of the hand's stream, hex: of all, or at a table.

    A rejected span that somebody has waived need not be read and spoils nothing; nor does a line in a
    hand that was corrected since, which is looked at as it stands.
    """
    found: dict[str, Spoiled] = {}

    def mark(stream: str, **what: bool) -> None:
        found[stream] = found.get(stream, SOUND)._replace(**what)

    unread = ledger.hands(note=_UNREAD, **({} if at is None else at._asdict()))
    while some := list(islice(unread, _AT_ONCE)):
        amended = ledger.continued(row.stream.bytes for row in some)
        for row in some:
            if row.stream.bytes not in amended:
                mark(row.stream.hex, within=True)
    beside(_rejects(ledger, at), partial(_told_by, ledger), mark)
    return found if at is None else by_place(ledger, found).get(at, {})


def _rejects(ledger: Ledger, at: Place | None) -> Iterable[SourceRejected]:
    """Return what stands rejected, or of it what a source says that tells hands of a table."""
    if at is None:
        return standing(ledger)
    sources = ledger.sources_at(at)
    return [one for one in standing(ledger) if one.source in sources] if sources else []


def by_place(ledger: Ledger, unread: Mapping[str, Spoiled]) -> dict[Place, dict[str, Spoiled]]:
    """Return what was not read of hands, table by table."""
    found: dict[Place, dict[str, Spoiled]] = {}
    for row in ledger.hands_of(map(bytes.fromhex, unread)):
        found.setdefault(Place(row.venue, row.tournament, row.table), {})[row.stream.hex] = unread[row.stream.hex]
    return found


class Told(NamedTuple):
    """Where a source tells a hand."""

    start: int
    length: int
    stream: bytes
    place: Place


def _told_by(ledger: Ledger, digests: Sequence[str]) -> Iterator[tuple[str, Told]]:
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
    while some := list(islice(sources, _AT_ONCE)):
        hands = {digest: _Hands() for digest in some}
        for digest, told in told_by(some):
            hands[digest].add(told)
        for digest, these in hands.items():
            these.put_in_order()
            for reject in by_source[digest]:
                _touched(these, reject.start, mark)


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
                array(one.typecode, map(one.__getitem__, self._order)) for one in (self.starts, self.ends, self.tables)
            )
        self.of_table = [array("L") for _ in self._numbers]
        for index, table in enumerate(self.tables):
            self.of_table[table].append(index)

    def stream(self, index: int) -> str:
        """Return the id of a hand's stream, hex."""
        at = 16 * self._order[index]
        return self._streams[at : at + 16].hex()


def _touched(hands: _Hands, start: int, mark: Callable[..., None]) -> None:
    """Mark the hand of a source in which a rejected span lies, or those on either side of it.

    One source may tell of many tables: nobody knows of which of them the span tells.
    """
    at = bisect_right(hands.starts, start)  # the first hand behind the span
    if at and start < hands.ends[at - 1]:
        mark(hands.stream(at - 1), within=True)
        return
    for indexes in hands.of_table:
        behind = bisect_left(indexes, at)
        if behind < len(indexes) and (behind or indexes[behind] == at):
            mark(hands.stream(indexes[behind]), before=True)
    if at and hands.of_table[hands.tables[at - 1]][-1] == at - 1:
        mark(hands.stream(at - 1), after=True)
