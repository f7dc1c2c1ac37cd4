"""Where the walk to a hand begins: at the nearest place before it where a walk of its table is kept, else at the first."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import count, dropwhile
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.table_streams import told as told_to
from ledger.table.events import HandPlayed
from ledger.table.plain import Rereadable
from projections.table_walk.checkpoint import resting, waking
from projections.table_walk.table_context import Table, of_tables
from projections.table_walk.to_hand import Start, at_first
from projections.table_walk.unread_lines import spoiled
from projections.tables import kept_checkpoints
from projections.tables.changed_tables import accounts_at, touched
from projections.tables.kept_checkpoints import digest_of, in_that_order
from projections.tables.kept_dues import decoded, of_each

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.store import HandRow, Ledger
    from ledger.store.accounts import Place
    from ledger.table.breaks import Break
    from ledger.table.standing import Told
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.table_walk.table_context import TableContexts

_JUDGED: Final = (
    'SELECT j.position, o.position, o.unread, o."order", o.judgement '
    "FROM judgements AS j JOIN judged_tables AS o ON o.judgement = j.id"
)
_OWING: Final = "SELECT o.owing FROM judgements AS j JOIN obligations AS o ON o.judgement = j.id"
_ON_THE_WAY: Final = (
    "FROM walks_on_the_way WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? ORDER BY hands"
)


_FAR: Final = 4
"""How many walks of that length it takes until a table is judged for the sake of one hand: the next will be asked, too."""


class _Stop(NamedTuple):
    """Where a walk of a table is kept.

    How many of its hands were walked, up to which version of its stream, and how often the chain of hands broke.
    """

    hands: int
    version: int
    broken: int


_FIRST: Final = _Stop(0, 0, 0)


class _InPlace(Rereadable):
    """What a table was told, known to stand in its order: read as far as somebody walks, and once."""

    def __init__(self, told: Iterable[Told], versions: Sequence[int]) -> None:
        """Take what is read, and which versions that are."""
        self.known_in_place()
        self.versions = versions
        self._further = iter(told)
        self._came: list[Told] = []

    def __iter__(self) -> Iterator[Told]:
        """Yield the events; several may go through them at once."""
        for at in count():
            if at == len(self._came):
                one = next(self._further, None)
                if one is None:
                    return
                self._came.append(one)
            yield self._came[at]


class _From(Rereadable):
    """What a table was told from a version on, known to stand in its order."""

    def __init__(self, told: Iterable[Told], version: int) -> None:
        """Take what was told."""
        self.known_in_place()
        self._told, self._version = told, version

    def __iter__(self) -> Iterator[Told]:
        """Yield the events."""
        return dropwhile(lambda one: one.version != self._version, self._told)


def _holds(told: Rereadable, version: int) -> bool:
    """Whether a version is among what was read of a table."""
    return not isinstance(told, _InPlace) or version in told.versions


def _arranged(told: Iterable[Told], order: Sequence[int]) -> Iterator[Told]:
    """Yield events in an order of their versions, of which hardly one stands elsewhere; read only as far as that takes."""
    waiting: dict[int, Told] = {}
    further = iter(told)
    for version in order:
        while version not in waiting:
            one = next(further, None)
            if one is None:
                return  # it was told less than is known: whoever walks finds no hand
            waiting[one.version] = one
        yield waiting.pop(version)


def _tells(told: Iterable[Told], stream: str, upto: int | None) -> bool:
    """Whether a hand is among what was told before a version."""
    for one in told:
        if one.version == upto:
            return False
        if isinstance(one.event, HandPlayed) and one.event.hand == stream:
            return True
    return False


class Starts:
    """Finds where walks of a ledger's tables begin. A table that is not judged yet is judged for a hand far behind."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger as it is now."""
        self._ledger = ledger
        self._unread: dict[Place, Mapping[str, Spoiled]] = {}
        self._read: dict[Place, Rereadable] = {}  # what was told of a table, from where a walk began last
        self._order: dict[Place, Sequence[int]] = {}  # the versions of a judged table in its order

    def before(self, place: Place, stream: str, books: Sequence[Rulebook]) -> Start:
        """Return where the walk to a hand begins (its stream's id, hex) under some books."""
        return self.near(place, stream, books) or at_first(told_to(self._ledger, place), self._unread_at(place))

    def near(self, place: Place, stream: str, books: Sequence[Rulebook]) -> Start | None:
        """Return where a walk is kept before a hand; None where none is, or what is kept does not hold any more."""
        ledger = self._ledger
        if (
            ledger.upto is not None
            or len(of_tables(books)) < len(books)
            or accounts_at(ledger, place) < kept_checkpoints.LONG
        ):
            return None
        row = ledger.hand(stream)
        if row is None or not row.stands or row.accounts > 1:
            return None
        judged = self._judged(place, books)
        if judged is None and accounts_at(ledger, place, row.position) > _FAR * kept_checkpoints.LONG:
            from projections.tables.table_set import brought_up  # noqa: PLC0415 - few hands are that far behind

            brought_up(ledger, books, results=False, only={place})
            judged = self._judged(place, books)
        return None if judged is None else self._nearest(place, row, books, judged)

    def at(self, place: Place, hand: TableContexts, book: Rulebook) -> Start | None:
        """Begin at a hand to which its table was walked just now; None where that cannot be kept, or not in its order."""
        told = self._read.get(place)
        if told is None or not _holds(told, hand.version):
            told = self._read[place] = self._whole(place)
        walk = resting(hand.table, book.name, None) if told.in_place().whole else None
        if walk is None:
            return None
        behind, unread = _From(told, hand.version), self._unread_at(place)
        return Start(behind, lambda some: waking({book.name: walk}, some, unread)[0])

    def _unread_at(self, place: Place) -> Mapping[str, Spoiled]:
        if place not in self._unread:
            self._unread[place] = spoiled(self._ledger, place)
        return self._unread[place]

    def _judged(self, place: Place, books: Sequence[Rulebook]) -> list[int] | None:
        """Return the judgements of a table under these books; None unless they hold of it as it is, in its order."""
        rows = of_each(self._ledger, _JUDGED, place, books) if books else None
        if rows is None:
            return None
        unread, found = digest_of(self._unread_at(place)), []
        for whole, mine, missed, order, number in rows:
            reached = max(whole, mine)
            late = reached < self._head and place in touched(self._ledger, reached).late
            told = in_that_order(order)
            if late or missed != unread or told is None:
                return None
            self._order[place] = told
            found.append(number)
        return found

    def _whole(self, place: Place) -> Rereadable:
        """Return all that a table was told, in its order where that is known."""
        order = self._order.get(place, range(0))
        return told_to(self._ledger, place) if isinstance(order, range) else self._from(place, order)

    def _from(self, place: Place, order: Sequence[int]) -> _InPlace:
        """Return what a table was told in a part of its order."""
        behind = min(order, default=1) - 1
        return _InPlace(_arranged(told_to(self._ledger, place, behind), order), order)

    @cached_property
    def _head(self) -> int:
        return self._ledger.head()[0]

    def _nearest(self, place: Place, row: HandRow, books: Sequence[Rulebook], judged: Sequence[int]) -> Start | None:
        ledger = self._ledger
        kept: list[dict[_Stop, int]] = []
        with ledger.database.reading() as link:
            for number in judged:
                sql = f"SELECT hands, version, broken, position {_ON_THE_WAY}"
                found = link.execute(sql, (number, *place)).fetchall()
                kept.append({_Stop(*stop): position for *stop, position in found})
        common = [one for one in kept[0] if all(one in other for other in kept)]
        stops = [_FIRST, *common]
        at = sum(kept[0][one] <= row.position for one in common)
        stop, behind = stops[at], stops[at + 1] if at + 1 < len(stops) else None
        order = self._order[place]
        first = order.index(stop.version + 1) if stop is not _FIRST and stop.version + 1 in order else 0
        told = self._from(place, order[first:])
        if not _tells(told, row.stream.hex, None if behind is None else behind.version + 1):
            return None
        self._read[place] = told
        unread = self._unread_at(place)
        if stop is _FIRST:
            return Start(told, lambda some: Table(some, unread))
        walks = self._walks(place, books, judged, stop)
        return Start(told, lambda some: waking(walks, some, unread)[0], lambda: self._broken(place, books[0], stop))

    def _broken(self, place: Place, book: Rulebook, stop: _Stop) -> list[Break]:
        """Return where the chain of hands broke before a walk that is kept: what is due next is kept with all of them."""
        rows = of_each(self._ledger, _OWING, place, [book]) if stop.broken else None
        return decoded(rows[0][0]).breaks[: stop.broken] if rows else []

    def _walks(self, place: Place, books: Sequence[Rulebook], judged: Sequence[int], stop: _Stop) -> dict[str, bytes]:
        sql = (
            "SELECT walk FROM walks_on_the_way "
            "WHERE judgement = ? AND venue = ? AND tournament = ? AND name = ? AND hands = ?"
        )
        with self._ledger.database.reading() as link:
            return {
                book.name: bytes(link.execute(sql, (number, *place, stop.hands)).fetchone()[0])
                for book, number in zip(books, judged, strict=True)
            }
