"""Read shards back into temporary ledgers, a few tables at a time, to judge them."""

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
from ledger.store.requests.rulebook_files import StoredBookFile, create_table, store_files

if TYPE_CHECKING:
    from ledger.store import Ledger

_BATCH_COMMITS: Final = 1_000
_COMMITS_PER_PART: Final = 4_000
"""Once a ledger has this many commits, no further table is added to it."""
_DROP_ORDER_GUARD: Final = "DROP TRIGGER log_follows"
"""Positions have gaps here, since other tables are missing."""
_ADOPTION_TAGS: Final = (b'"RulebookAdopted', b'"RulebookRetired')


class LakePart(NamedTuple):
    """Some tables of a lake in a ledger of their own, and their hands with unread lines."""

    ledger: Ledger
    table_keys: list[TableKey]
    unread_bits: dict[str, int]  # by the stream's id, hex: bits as in a shard's rows


def read_parts(
    shard_path: Path, adoption_rows: Sequence[Row] = (), book_files: Sequence[StoredBookFile] = ()
) -> Iterator[LakePart]:
    """Yield the tables of a shard in order. Each part's ledger is closed when the next is asked for.

    `adoption_rows`: commits of the house's stream. `book_files`: the files of the house's own rulebooks.
    """
    tables = groupby(layout.read_rows(shard_path), key=itemgetter(0, 1, 2))
    for table_columns, table_rows in tables:
        with PartBuilder(adoption_rows, book_files) as builder:
            builder.add_table(TableKey(*table_columns), table_rows)
            while builder.commit_count < _COMMITS_PER_PART and (next_table := next(tables, None)) is not None:
                builder.add_table(TableKey(*next_table[0]), next_table[1])
            yield builder.finish_part()


def read_adoptions(house_path: Path) -> list[Row]:
    """Return the commits of the house's stream that adopt rulebooks."""
    return [
        commit_row
        for commit_row in layout.read_rows(house_path)
        if any(event_tag in commit_row[-1] for event_tag in _ADOPTION_TAGS)
    ]


def read_rulebooks(lake_folder: Path) -> list[StoredBookFile]:
    """Return the files of the rulebooks that the house wrote and adopted."""
    books_path = lake_folder / layout.RULEBOOKS_FILE
    return [StoredBookFile(*book_row) for book_row in layout.read_rows(books_path)] if books_path.is_file() else []


def open_house(lake_folder: Path) -> PartBuilder:
    """Return a ledger with the lake's rulebooks of the house, and no hands."""
    manifest = layout.read_manifest(lake_folder)
    return PartBuilder(read_adoptions(lake_folder / manifest.house.name), read_rulebooks(lake_folder))


_COMMIT_START: Final = len(layout.SHARD_COLUMNS) - len(layout.COMMIT_COLUMNS)
_NO_TABLE: Final = (None,) * _COMMIT_START


class PartBuilder:
    """Puts rows of a lake into a temporary ledger, which numbers the names in them."""

    def __init__(self, adoption_rows: Sequence[Row], book_files: Sequence[StoredBookFile] = ()) -> None:
        self.ledger = open_ledger(":memory:", announce=False)
        self.table_keys: list[TableKey] = []
        self.unread_bits: dict[str, int] = {}
        self.commit_count = 0
        self._numbers: dict[str, dict[Row, int]] = {"writers": {}, "sources": {}, "places": {}}
        try:
            self._add_house(adoption_rows, book_files)
        except BaseException:  # the caller has no object to close
            self.ledger.close()
            raise

    def _add_house(self, adoption_rows: Sequence[Row], book_files: Sequence[StoredBookFile]) -> None:
        """Add the house's adopted rulebooks."""
        with self.ledger.writing(bulk=True) as connection:
            connection.execute(_DROP_ORDER_GUARD)
            self._add_rows(connection, [(*_NO_TABLE, *commit_row) for commit_row in adoption_rows])
        if book_files:
            create_table(self.ledger)
            with self.ledger.writing(bulk=True) as connection:
                store_files(connection, book_files)

    def add_table(self, table_key: TableKey, table_rows: Iterator[Row]) -> None:
        """Add a table."""
        self.table_keys.append(table_key)
        while row_batch := list(islice(table_rows, _BATCH_COMMITS)):
            with self.ledger.writing(bulk=True) as connection:
                self._add_rows(connection, row_batch)
            self.commit_count += len(row_batch)

    def finish_part(self) -> LakePart:
        """Return what was added. Other connections read it, so this one frees its cached pages."""
        with self.ledger.writing(bulk=True) as connection:
            connection.execute("PRAGMA shrink_memory")
        return LakePart(self.ledger, self.table_keys, self.unread_bits)

    def _add_rows(self, connection: Link, shard_rows: list[Row]) -> None:
        commit_rows, hand_rows = [], []
        for shard_row in shard_rows:
            venue, tournament, table_name, number, *hand_facts, unread_bits = shard_row[:_COMMIT_START]
            (
                position,
                count,
                kind_code,
                stream,
                version,
                recorded_at,
                clock,
                writer_name,
                source,
                start,
                length,
                request_key,
                marks,
                commit_hash,
                data,
            ) = shard_row[_COMMIT_START:]
            writer_number = self._find_number(connection, "writers", (clock, writer_name))
            source_number = (
                None if source is None else self._find_number(connection, "sources", (bytes.fromhex(source), ""))
            )
            leading_columns = (
                position,
                count,
                kind_code,
                stream,
                version,
                PLAIN_CODEC,
                data,
                marks,
                recorded_at,
                writer_number,
            )
            commit_rows.append((*leading_columns, source_number, start, length, request_key, commit_hash))
            if number is not None:
                table_number = self._find_number(connection, "places", (venue, tournament, table_name))
                hand_rows.append((position, table_number, number, *hand_facts))
                if unread_bits:
                    self.unread_bits[stream.hex()] = unread_bits
        self.ledger.database.add(connection, commit_rows, 0, b"")
        self.ledger.database.add_hands(connection, hand_rows)

    def _find_number(self, connection: Link, table_name: str, words: Row) -> int:
        numbers = self._numbers[table_name]
        number = numbers.get(words)
        if number is None:
            number = numbers[words] = len(numbers) + 1
            connection.execute(_NUMBER_INSERTS[table_name], (number, *words))
        return number

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()


_NUMBER_INSERTS: Final = {
    "writers": "INSERT INTO writers (id, clock, by) VALUES (?, ?, ?)",
    "sources": "INSERT INTO sources (id, digest, name) VALUES (?, ?, ?)",
    "places": "INSERT INTO places (id, venue, tournament, name) VALUES (?, ?, ?, ?)",
}
