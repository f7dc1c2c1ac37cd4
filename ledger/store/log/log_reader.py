"""Read the log: commits in order, the entries of a stream, the index of hands."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

from ledger.entry import Entry
from ledger.errors import IntegrityError
from ledger.marks import unpack_origins
from ledger.store.commits import Commit, HandRow, TableRow
from ledger.store.database.database import Database, Link, Row
from ledger.store.database.quick_checks import build_index_error
from ledger.store.log.compression import EventCompression
from ledger.store.log.mapper import Mapper, find_kind_code
from ledger.store.log.row_numbers import RowNumbers, digest_of

PAGE = 1000
"""Commits of a page: a page shows one state of the log and bounds the memory."""


class LogReader:
    """Reads the log of one database."""

    def __init__(self, database: Database, numbers: RowNumbers, packing: EventCompression) -> None:
        self._database = database
        self._numbers = numbers
        self._packing = packing
        self._columns = (
            f"position, count, kind, stream, version, {database.bytes_of('data')}, marks, at, "
            "writer, source, start, length, key, hash, codec"
        )

    def page(self, link: Link, after: int, kind: int | None = None, limit: int = PAGE) -> list[Commit]:
        """Return up to `limit` commits after a position, in order."""
        kind_condition = "" if kind is None else " AND kind = ?"
        parameters = (after, limit) if kind is None else (after, kind, limit)
        rows = link.execute(
            f"SELECT {self._columns} FROM log WHERE position > ?{kind_condition} ORDER BY position LIMIT ?", parameters
        ).fetchall()
        return self._to_commits(link, rows)

    def stream(self, link: Link, stream: bytes, after_version: int = 0, limit: int | None = None) -> list[Commit]:
        """Return the commits of one stream after a version, in order."""
        limit_clause = "" if limit is None else f" LIMIT {limit}"
        rows = link.execute(
            f"SELECT {self._columns} FROM log WHERE stream = ? AND version > ? ORDER BY version{limit_clause}",
            (stream, after_version),
        ).fetchall()
        return self._to_commits(link, rows)

    def streams(self, link: Link, streams: Sequence[bytes]) -> Iterator[Commit]:
        """Yield the commits of several streams, each stream's in order."""
        for offset in range(0, len(streams), _QUERY_HANDS):
            id_chunk = streams[offset : offset + _QUERY_HANDS]
            rows = link.execute(
                f"SELECT {self._columns} FROM log WHERE stream IN ({','.join('?' * len(id_chunk))}) "
                "ORDER BY stream, version",
                tuple(id_chunk),
            ).fetchall()
            yield from self._to_commits(link, rows)

    def commit_at(self, link: Link, position: int) -> Commit | None:
        """Return the commit that holds the event at a position."""
        row = link.execute(
            f"SELECT {self._columns} FROM log WHERE position >= ? ORDER BY position LIMIT 1", (position,)
        ).fetchone()
        return None if row is None else self._to_commits(link, [row])[0]

    def _to_commits(self, link: Link, rows: list[Row]) -> list[Commit]:
        """Return rows of the log as commits."""
        writers, digests = self._numbers.words(link, rows, writer=8, source=9)
        unpack = self._packing.unpack
        return [
            Commit(
                position,
                count,
                kind,
                stream,
                version,
                unpack(link, codec, data) if codec else data,
                marks,
                recorded_ms,
                writers[writer],
                digests[source],
                start,
                length,
                key,
                link_hash,
            )
            for (
                position,
                count,
                kind,
                stream,
                version,
                data,
                marks,
                recorded_ms,
                writer,
                source,
                start,
                length,
                key,
                link_hash,
                codec,
            ) in rows
        ]

    def commits(self, after: int, kind: str | None) -> Iterator[Commit]:
        """Yield the commits after a position, read in pages."""
        code = None if kind is None else find_kind_code(kind)
        while True:
            with self._database.reading() as link:
                page = self.page(link, after, code)
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].position


def entries(commit: Commit, mapper: Mapper) -> list[Entry]:
    """Return the events of a commit, each in its place."""
    events = mapper.decode(commit.kind, commit.data)
    marks = unpack_origins(commit.marks, commit.count)
    if len(events) != len(marks):
        raise IntegrityError(
            f"the commit at position {commit.position:,} of the log holds {len(events):,} events, and says {len(marks):,}"
        )
    first_position = commit.position - commit.count + 1
    stream, version, recorded = commit.stream, commit.version, commit.recorded
    return [
        Entry(stream, version + event_index, first_position + event_index, event, mark, recorded)
        for event_index, (event, mark) in enumerate(zip(events, marks, strict=True))
    ]


def read_hand_rows(
    database: Database, *, hand_filter: HandFilter, number_of: Callable[[str], int | None], after: int = 0
) -> Iterator[HandRow]:
    """Yield rows of the index after a position, in the log's order, in pages."""
    if not all(is_storable(value) for value in hand_filter.values() if isinstance(value, str)):
        return  # no database can hold such a name
    filter_conditions = build_conditions(hand_filter, number_of, walk=after > 0)
    select = _HANDS if any(hand_filter.get(name) is not None for name in ("source", "beginning")) else _INDEXED_HANDS
    while True:
        condition, values = join_conditions([*filter_conditions, ("h.position > ?", (after,))])
        with database.reading() as link:
            rows = link.execute(f"{select} WHERE {condition} ORDER BY h.position LIMIT {PAGE}", values).fetchall()
        lost_position = next((row[13] for row in rows if row[0] is None), None)
        if lost_position is not None:
            raise build_index_error(
                database.address.name, f"the hand at position {lost_position} of the index has no commit"
            )
        yield from map(_build_hand_row, rows)
        if len(rows) < PAGE:
            return
        if not after:
            filter_conditions = build_conditions(hand_filter, number_of, walk=True)
        after = rows[-1][13]  # for many pages, sorting all of a table's hands each time is slow


_QUERY_HANDS: Final = 250
"""Hands named in one query, each by a value."""


def read_rows_at(database: Database, positions: Iterable[int]) -> Iterator[HandRow]:
    """Yield the index rows of the hands at these positions, in this order."""
    remaining = iter(positions)
    while position_chunk := list(islice(remaining, _QUERY_HANDS)):
        condition, values = is_one_of("h.position", position_chunk)
        with database.reading() as link:
            rows = link.execute(f"{_HANDS} WHERE {condition}", values).fetchall()
        row_by_position = {row[13]: row for row in rows}
        lost_position = next((position for position in position_chunk if position not in row_by_position), None)
        if lost_position is not None:
            raise build_index_error(
                database.address.name, f"the hand at position {lost_position} of the index has no commit or no table"
            )
        yield from (_build_hand_row(row_by_position[position]) for position in position_chunk)


def read_rows_of_streams(database: Database, streams: Iterable[bytes], upto: int | None) -> Iterator[HandRow]:
    """Yield the index rows of these streams' hands, up to a position of the log."""
    remaining = iter(streams)
    while stream_chunk := list(islice(remaining, _QUERY_HANDS)):
        condition, values = join_conditions(
            [is_one_of("l.stream", stream_chunk), *([] if upto is None else [("h.position <= ?", (upto,))])]
        )
        with database.reading() as link:
            rows = link.execute(f"{_HANDS} WHERE {condition}", values).fetchall()
        yield from map(_build_hand_row, rows)


def find_table_sources(database: Database, place: Sequence[str], upto: int | None) -> set[str]:
    """Return the sources of a table's hands, by digest in hex; `place`: venue, tournament, name."""
    upto_condition = "" if upto is None else f" AND h.position <= {upto:d}"
    sql = (
        "SELECT digest FROM sources WHERE id IN (SELECT l.source FROM hands AS h JOIN log AS l ON l.position = h.position "
        f"WHERE h.place = (SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?){upto_condition})"
    )
    with database.reading() as link:
        return {bytes(row[0]).hex() for row in link.execute(sql, tuple(place))}


def _build_hand_row(row: Row) -> HandRow:
    stream, *table_fields, digest, start, length, position, count, note, accounts = row
    return HandRow._make(
        (
            UUID(bytes=bytes(stream)),
            *table_fields,
            "" if digest is None else bytes(digest).hex(),
            start or 0,
            length or 0,
            position,
            count,
            note,
            accounts,
            1,
            True,
        )
    )


def is_storable(words: str) -> bool:
    """Return whether a database can store a text: it has no NUL and no lone surrogate."""
    return "\0" not in words and not any("\ud800" <= character <= "\udfff" for character in words)


HAND_JOINS: Final = "JOIN log AS l ON l.position = h.position JOIN places AS p ON p.id = h.place"
"""Tables that conditions may use beside the index of hands (`h`)."""

_HANDS: Final = (
    "SELECT l.stream, p.venue, p.tournament, p.name, h.number, h.started, h.variant, h.betting, h.format, h.account, "
    "s.digest, l.start, l.length, h.position, l.count, h.note, "
    "(SELECT count(*) FROM hands AS o WHERE o.place = h.place AND o.number = h.number) "
    f"FROM hands AS h {HAND_JOINS} LEFT JOIN sources AS s ON s.id = l.source"
)
_INDEXED_HANDS: Final = _HANDS.replace("JOIN log AS l", "LEFT JOIN log AS l")
"""The same, including index rows without a commit; not for conditions on the log's columns."""

_COLUMNS: Final = {
    "venue": "p.venue",
    "tournament": "p.tournament",
    "table": "p.name",
    "number": "h.number",
    "variant": "h.variant",
    "betting": "h.betting",
    "format": "h.format",
    "note": "h.note",
}

HandFilter: TypeAlias = Mapping[str, Any]
"""A filter of hands, with the names and values of `Ledger.hands`."""

Condition: TypeAlias = tuple[str, tuple[object, ...]]
"""An SQL condition and its parameters."""


def build_conditions(
    hand_filter: HandFilter, number_of: Callable[[str], int | None], *, walk: bool = False
) -> list[Condition]:
    """Return the conditions of a filter of hands.

    With `walk`, they suit a query along the log instead of one from the index of tables.
    """
    filter_conditions: list[Condition] = []
    for name, value in hand_filter.items():
        if value is None:
            continue
        if name == "source":
            numbers = [number_of(digest) for digest in ((value,) if isinstance(value, str) else value)]
            filter_conditions.append(is_one_of("l.source", [number for number in numbers if number is not None]))
        elif name == "since":
            filter_conditions.append(("h.started >= ?", (value,)))
        elif name == "until":
            filter_conditions.append(("h.started < ?", (value,)))
        elif name == "upto":
            filter_conditions.append(("h.position <= ?", (value,)))
        elif name == "beginning":
            filter_conditions.append(_build_prefix_condition(value))
        else:
            column = _COLUMNS[name]
            filter_conditions.append(
                (f"coalesce({column}, '') = ?" if walk and column[0] == "p" else f"{column} = ?", (value,))
            )
    return filter_conditions


def is_one_of(column: str, values: Sequence[object]) -> Condition:
    """Return the condition that a column has one of these values."""
    return (f"{column} IN ({','.join('?' * len(values))})", tuple(values)) if values else ("false", ())


def join_conditions(joined_conditions: Iterable[Condition]) -> Condition:
    """Return the conjunction of conditions."""
    joined_conditions = list(joined_conditions)
    return " AND ".join(f"({sql})" for sql, _ in joined_conditions) or "true", tuple(
        chain.from_iterable(condition_values for _, condition_values in joined_conditions)
    )


def _build_prefix_condition(value: str) -> Condition:
    """Return the condition that a hand's number, or its stream's id in hex, begins with `value`."""
    escaped = value.replace("/", "//").replace("%", "/%").replace("_", "/_")
    number = ("h.number LIKE ? ESCAPE '/'", (f"{escaped}%",))
    if not 4 <= len(value) <= 32 or set(value) - set("0123456789abcdef"):
        return number
    low = bytes.fromhex(value.ljust(32, "0"))
    high = bytes.fromhex(value.ljust(32, "f"))
    return f"{number[0]} OR l.stream BETWEEN ? AND ?", (*number[1], low, high)


def read_table_rows(database: Database, table_name: str | None) -> Iterator[TableRow]:
    """Yield a row for each table, or for those of this name, in the order of import."""
    if table_name is not None and not is_storable(table_name):
        return
    name_condition = "WHERE ? IN (p.name, p.tournament || '/' || p.name, p.venue || '/' || p.name) "
    with database.reading() as link:
        rows = link.execute(
            "SELECT p.venue, p.tournament, p.name, count(h.position), min(h.started), max(h.started) "
            "FROM places AS p LEFT JOIN hands AS h ON h.place = p.id "
            f"{'' if table_name is None else name_condition}GROUP BY p.id ORDER BY p.id",
            () if table_name is None else (table_name,),
        ).fetchall()
    for row in rows:
        yield TableRow(*row)


def count_repeated_accounts(database: Database) -> int:
    """Return how many accounts have a number that their table had before."""
    with database.reading() as link:
        return int(link.execute("SELECT count(*) FROM hands WHERE account > 1").fetchone()[0])


def find_repeated_numbers(link: Link, place: Sequence[str]) -> set[str]:
    """Return the numbers with several accounts at a table (venue, tournament, name)."""
    rows = link.execute(
        "SELECT DISTINCT h.number FROM hands AS h JOIN places AS p ON p.id = h.place "
        "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND h.account > 1",
        tuple(place),
    ).fetchall()
    return {row[0] for row in rows}


class HandAt(NamedTuple):
    """An account of a hand for a walk of its table, small because the walk holds all of them."""

    id: bytes  # of its stream
    position: int  # of the last event of its first commit
    session: int = 1  # which hand of its number at its table: numbers restart


def list_hands_at(link: Link, place: Sequence[str], upto: int | None) -> list[HandAt]:
    """Return the accounts at a table (venue, tournament, name) up to a position, in the order of import."""
    rows = link.execute(
        "SELECT l.stream, h.position FROM hands AS h JOIN places AS p ON p.id = h.place "
        "LEFT JOIN log AS l ON l.position = h.position "
        "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND h.position <= ? ORDER BY h.position",
        (*place, _MAX_POSITION if upto is None else upto),
    ).fetchall()
    lost_position = next((position for stream, position in rows if stream is None), None)
    if lost_position is not None:
        raise build_index_error("", f"the hand at position {lost_position} of the index has no commit")
    return [HandAt(bytes(stream), position) for stream, position in rows]


def check_indexed(database: Database, streams: Sequence[bytes]) -> None:
    """Raise if the index lacks a hand of these streams (bytes of ids) whose commit exists."""
    for offset in range(0, len(streams), _QUERY_HANDS):
        condition, values = is_one_of("l.stream", streams[offset : offset + _QUERY_HANDS])
        with database.reading() as link:
            row = link.execute(
                "SELECT min(l.position) FROM log AS l LEFT JOIN hands AS h ON h.position = l.position "
                f"WHERE {condition} AND l.version = 1 AND h.position IS NULL",
                values,
            ).fetchone()
        if row[0] is not None:
            raise build_index_error(database.address.name, f"the index lacks the hand at position {row[0]}")


_MAX_POSITION: Final = (1 << 63) - 1


class HandAccount(NamedTuple):
    """An account of a number at a table, with its source."""

    number: str
    stream: UUID
    source: str  # SHA-256, hex, "" = it came from no file
    position: int  # of the last event of its first commit


def read_hand_accounts(link: Link, place: Sequence[str], numbers: Sequence[str]) -> Iterator[HandAccount]:
    """Yield the accounts of some numbers at a table (venue, tournament, name), each number's in the order of import."""
    for offset in range(0, len(numbers), _QUERY_HANDS):
        number_chunk = numbers[offset : offset + _QUERY_HANDS]
        rows = link.execute(
            "SELECT h.number, l.stream, s.digest, h.position FROM places AS p "
            "JOIN hands AS h ON h.place = p.id JOIN log AS l ON l.position = h.position "
            "LEFT JOIN sources AS s ON s.id = l.source "
            "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? "
            f"AND h.number IN ({','.join('?' * len(number_chunk))}) ORDER BY h.position",
            (*place, *number_chunk),
        ).fetchall()
        for number, stream, digest, position in rows:
            source = "" if digest is None else bytes(digest).hex()
            yield HandAccount(number, UUID(bytes=bytes(stream)), source, position)


def find_source_number(link: Link, digest: str) -> int | None:
    """Return the number of a source, None if the ledger doesn't have it."""
    row = link.execute("SELECT id FROM sources WHERE digest = ?", (digest_of(digest),)).fetchone()
    return None if row is None else row[0]
