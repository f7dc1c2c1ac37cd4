"""Shards back into ledgers: some whole tables at a time, in a ledger that lasts as long as they are judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from ledger.lake import layout
from ledger.store import open as open_ledger
from ledger.store.database.database import Link, Row
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.log.compression import PLAIN_CODEC
from ledger.store.requests.rulebook_files import BookFile, create_table, store_files

if TYPE_CHECKING:
    from ledger.store import Ledger

_ROWS: Final = 1_000
_AT_ONCE: Final = 4_000
"""Commits from which on no further table is read into the same ledger."""
_GUARD: Final = "DROP TRIGGER log_follows"
"""Here positions have gaps: other tables stand between."""
_ADOPTED: Final = (b'"RulebookAdopted', b'"RulebookRetired')


class Part(NamedTuple):
    """Some whole tables of a lake in a ledger of their own, and what was not read of their hands."""

    ledger: Ledger
    places: list[TableKey]
    unread: dict[str, int]  # by the stream's id, hex: bits as in a shard's rows


def parts(shard: Path, adopted: Sequence[Row] = (), books: Sequence[BookFile] = ()) -> Iterator[Part]:
    """Yield the tables of a shard, in their order; each part's ledger is gone when the next is asked for.

    `adopted`: commits of the house's stream, as `adoptions` returns them; `books`: the files of its own rulebooks.
    """
    tables = groupby(layout.rows(shard), key=itemgetter(0, 1, 2))
    for place, found in tables:
        with Filling(adopted, books) as filling:
            filling.add(TableKey(*place), found)
            while filling.count < _AT_ONCE and (more := next(tables, None)) is not None:
                filling.add(TableKey(*more[0]), more[1])
            yield filling.part()


def adoptions(house: Path) -> list[Row]:
    """Return the commits of the house's stream that say which rulebooks it adopted."""
    return [row for row in layout.rows(house) if any(name in row[-1] for name in _ADOPTED)]


def rulebooks(lake: Path) -> list[BookFile]:
    """Return the files of the rulebooks that the house made and adopted."""
    path = lake / layout.RULEBOOKS
    return [BookFile(*row) for row in layout.rows(path)] if path.is_file() else []


def house_of(lake: Path) -> Filling:
    """Return a ledger that holds what a lake knows of its house's rulebooks, and no hands."""
    found = layout.manifest(lake)
    return Filling(adoptions(lake / found.house.name), rulebooks(lake))


_KNOWN: Final = len(layout.SHARD) - len(layout.COMMIT)
_NO_PLACE: Final = (None,) * _KNOWN


class Filling:
    """Puts rows of a lake into a ledger of their own; what they name by words has numbers there."""

    def __init__(self, adopted: Sequence[Row], books: Sequence[BookFile] = ()) -> None:
        self.ledger = open_ledger(":memory:", announce=False)
        self.places: list[TableKey] = []
        self.unread: dict[str, int] = {}
        self.count = 0
        self._numbers: dict[str, dict[Row, int]] = {"writers": {}, "sources": {}, "places": {}}
        try:
            self._begin(adopted, books)
        except BaseException:  # nobody else can close what never came to be
            self.ledger.close()
            raise

    def _begin(self, adopted: Sequence[Row], books: Sequence[BookFile]) -> None:
        """Put in what the house adopted."""
        with self.ledger.writing(bulk=True) as link:
            link.execute(_GUARD)
            self._put(link, [(*_NO_PLACE, *row) for row in adopted])
        if books:
            create_table(self.ledger)
            with self.ledger.writing(bulk=True) as link:
                store_files(link, books)

    def add(self, place: TableKey, rows: Iterator[Row]) -> None:
        """Put in a table."""
        self.places.append(place)
        while some := list(islice(rows, _ROWS)):
            with self.ledger.writing(bulk=True) as link:
                self._put(link, some)
            self.count += len(some)

    def part(self) -> Part:
        """Return what was put in; other connections read it, so the pages that this one remembers are let go of."""
        with self.ledger.writing(bulk=True) as link:
            link.execute("PRAGMA shrink_memory")
        return Part(self.ledger, self.places, self.unread)

    def _put(self, link: Link, rows: list[Row]) -> None:
        commits, hands = [], []
        for row in rows:
            venue, tournament, name, number, *facts, unread = row[:_KNOWN]
            position, count, kind, stream, version, at, clock, by, source, start, length, key, marks, hash_, data = row[
                _KNOWN:
            ]
            writer = self._number(link, "writers", (clock, by))
            file = None if source is None else self._number(link, "sources", (bytes.fromhex(source), ""))
            head = position, count, kind, stream, version, PLAIN_CODEC, data, marks, at, writer
            commits.append((*head, file, start, length, key, hash_))
            if number is not None:
                place = self._number(link, "places", (venue, tournament, name))
                hands.append((position, place, number, *facts))
                if unread:
                    self.unread[stream.hex()] = unread
        self.ledger.database.add(link, commits, 0, b"")
        self.ledger.database.add_hands(link, hands)

    def _number(self, link: Link, table: str, words: Row) -> int:
        known = self._numbers[table]
        found = known.get(words)
        if found is None:
            found = known[words] = len(known) + 1
            link.execute(_NUMBERED[table], (found, *words))
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()


_NUMBERED: Final = {
    "writers": "INSERT INTO writers (id, clock, by) VALUES (?, ?, ?)",
    "sources": "INSERT INTO sources (id, digest, name) VALUES (?, ?, ?)",
    "places": "INSERT INTO places (id, venue, tournament, name) VALUES (?, ?, ?, ?)",
}
