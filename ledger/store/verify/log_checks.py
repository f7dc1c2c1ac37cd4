"""Follows the log from its first row: positions, hash links, events, places. Part of `ledger.store.verify`.

A part of it is followed by itself, from the row before it on: in turn, or each in a process. What joins
the parts, the tree over the whole, is computed from the leaves that they give.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import compress
from typing import Any, Final, NamedTuple, TypeAlias

import orjson
from sqlalchemy import Connection

from ledger.errors import StoreError
from ledger.events import STREAMS
from ledger.marks import holds
from ledger.processes import pool
from ledger.store.commits import Problem
from ledger.store.database.raw_connection import raw, rows_of
from ledger.store.verify.index_checks import told_by
from ledger.store.verify.log_claims import NAMED, Listed, Said
from ledger.store.verify.opening_checks import hides
from ledger.store.verify.packed_texts import Texts
from ledger.store.verify.tree_checks import Anchor, Tree

_HAND: Final = 1
_KINDS: Final = {0: "opaque", _HAND: "hand", 2: "table", 3: "case", 4: "house"}
_TAGS: Final = {
    kind: {tag for t in types for tag in (t.__name__, *getattr(t, "UPCASTS", ()))} for kind, types in STREAMS.items()
}
_PAGE: Final = 500
_PART: Final = 10_000
"""Commits of a part, about."""
_Row: TypeAlias = Sequence[Any]
"""What `_pages` asks for."""
_HEAD: Final = struct.Struct(">qIBqqBqqHHHHI")


class _Part(NamedTuple):
    """What was found in a part of the log."""

    problems: list[Problem]
    leaves: list[bytes | None]  # None: it cannot be computed
    positions: list[int]
    house: list[tuple[int, Listed]]
    hidden: Sequence[int]
    indexed: int
    end: tuple[int, bytes]  # position and hash of its last row


def follow(
    connection: Connection,
    *,
    anchors: Sequence[Anchor],
    said: Said,
    url: str,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Problem]:
    """Yield what does not hold in the log, and note in `said` what it says of what lies beside it."""
    tree = Tree(connection, anchors)
    edges = _edges(connection)
    ends = connection.exec_driver_sql("SELECT coalesce(max(position), 0) FROM log").scalar_one()
    position, before = 0, bytes(32)
    gone: set[Problem] = set()  # what several parts name is gone once
    for part in _parts(connection, edges, url, jobs):
        said.house += part.house
        said.hidden.extend(part.hidden)
        said.indexed += part.indexed
        for problem in part.problems:
            if problem.position is not None or problem not in gone:
                gone.add(problem)
                yield problem
        for leaf, at in zip(part.leaves, part.positions, strict=True):
            if leaf is None:
                tree.lose()
            yield from tree.add(leaf or bytes(32), at)
        position, before = part.end
        if progress is not None:
            progress(position, ends)
    yield from tree.end()
    if connection.dialect.name != "sqlite":
        heads = connection.exec_driver_sql("SELECT one, position, hash FROM head").all()
        if [(one, at, bytes(link)) for one, at, link in heads] != [(1, position, before)]:
            said_at = ", ".join(str(head[1]) for head in heads) or "nothing"
            yield Problem(position, "head", f"the head says {said_at}, the log ends at {position}")


def _edges(connection: Connection) -> list[tuple[int, int | None]]:
    """Return the positions behind which each part begins, and up to which it goes; None: to the end."""
    edges: list[tuple[int, int | None]] = []
    behind = -(1 << 63)
    while True:
        sql = f"SELECT position FROM log WHERE position > {behind} ORDER BY position LIMIT 1 OFFSET {_PART - 1}"
        end = connection.exec_driver_sql(sql).scalar()
        edges.append((behind, end))
        if end is None:
            return edges
        behind = end


def _parts(connection: Connection, edges: list[tuple[int, int | None]], url: str, jobs: int) -> Iterator[_Part]:
    if jobs < 2 or len(edges) < 2:
        yield from (_part(connection, *edge) for edge in edges)
        return
    with pool(min(jobs, len(edges)), [__name__]) as processes:
        try:
            yield from processes.map(_part_of, [url] * len(edges), edges)
        except BrokenProcessPool:
            raise StoreError(
                "a process that was verifying ended before it was done",
                "Ask again; with --jobs 1 it needs less memory.",
            ) from None


def _part_of(url: str, edge: tuple[int, int | None]) -> _Part:
    """Follow a part in a process of its own."""
    from ledger.store.database.dialects import open_database  # noqa: PLC0415 - it opens what this module looks at

    database = open_database(url, read_only=True)
    try:
        with raw(database.engine) as connection:
            return _part(connection, *edge)
    finally:
        database.close()


def _part(connection: Connection, behind: int, upto: int | None) -> _Part:
    """Follow the log from behind a position on, up to one."""
    said = Said()
    position, before = _last(connection, behind)
    problems: list[Problem] = []
    leaves: list[bytes | None] = []
    positions: list[int] = []
    texts = Texts(connection)
    for rows in _pages(connection, behind, upto):
        for row in rows:
            first = row[0] - row[1] + 1
            if first != position + 1:
                problems.append(Problem(row[0], "position", f"this commit begins at {first}, expected {position + 1}"))
            text = texts.plain(row[17], row[5])
            data = text.encode() if isinstance(text, str) else None if text is None else bytes(text)
            known = row[8] is not None and (row[11] is None or row[10] is not None)
            leaf = _leaf(row, data) if known and data is not None else None
            problems += _row(row, data, leaf, before, said)
            leaves.append(leaf)
            position, before = row[0], bytes(row[15])
            positions.append(position)
        problems += said.missing(connection)
    return _Part(problems, leaves, positions, said.house, said.hidden, said.indexed, (position, before))


def _last(connection: Connection, behind: int) -> tuple[int, bytes]:
    """Return position and hash of the row that a part goes on from."""
    row = connection.exec_driver_sql(f"SELECT position, hash FROM log WHERE position = {behind}").first()
    return (0, bytes(32)) if row is None else (row[0], bytes(row[1]))


def _pages(connection: Connection, behind: int, upto: int | None) -> Iterator[Sequence[_Row]]:
    column = "CAST(l.data AS BLOB)" if connection.dialect.name == "sqlite" else "l.data"
    bound = "" if upto is None else f"AND l.position <= {upto} "
    sql = (
        f"SELECT l.position, l.count, l.kind, l.stream, l.version, {column}, l.marks, l.at, "
        "w.clock, w.by, s.digest, l.source, l.start, l.length, l.key, l.hash, s.length, l.codec, "
        "p.venue, p.tournament, p.name, h.number, h.started, h.variant, h.betting, h.format, h.note "
        "FROM log AS l LEFT JOIN writers AS w ON w.id = l.writer "
        "LEFT JOIN sources AS s ON s.id = l.source "
        "LEFT JOIN hands AS h ON h.position = l.position LEFT JOIN places AS p ON p.id = h.place "
        "WHERE l.position > {} {}ORDER BY l.position LIMIT {}"
    )
    while True:
        rows = rows_of(connection, sql.format(behind, bound, _PAGE))
        yield rows
        if len(rows) < _PAGE:
            return
        behind = rows[-1][0]


def _row(row: _Row, data: bytes | None, leaf: bytes | None, before: bytes, said: Said) -> Iterator[Problem]:
    position, count, kind = row[0], row[1], row[2]
    if row[8] is None:
        yield Problem(position, "writer", "the log does not know who wrote this commit")
    elif row[11] is not None and row[10] is None:
        yield Problem(position, "source", "the log does not know the source of this commit")
    elif leaf is None:
        yield Problem(position, "codec", "the compressed events of this commit cannot be read")
    elif hashlib.sha256(b"\x02" + before + leaf).digest() != bytes(row[15]):
        yield Problem(position, "hash", "this commit, or the one before it, is not what was recorded")
    if row[14] == "" or position < 1 or row[11:14].count(None) % 3:  # key; source, start and length
        yield Problem(position, "row", "this row holds what no ledger writes")
    elif row[11] is not None and row[16] is not None and row[12] + row[13] > row[16]:
        yield Problem(position, "source", "this commit's place lies behind its source's end")
    if row[21] is not None:
        said.indexed += 1
        if kind != _HAND or row[4] != 1:
            yield Problem(position, "index", "the index holds a hand that is not in the log")
    if kind not in _KINDS:
        yield Problem(position, "kind", f"there is no kind of stream {kind}")
        return
    if data is not None:
        yield from _events(row, data, _KINDS[kind], said)
        if kind == _HAND and hides(data):
            said.hidden.append(position)
    if not holds(bytes(row[6]), count):
        yield Problem(position, "marks", "the places stored beside a commit's events are damaged")


def _leaf(row: _Row, data: bytes) -> bytes:
    """Put the hashed bytes together as `docs/architecture.md` and `ledger.chain` lay them out."""
    (position, count, kind, stream, version, _, marks, at, clock, by, digest, _, start, length, key, *_) = row
    clock, by, key = clock.encode(), by.encode(), (key or "").encode()
    stream, marks = bytes(stream), bytes(marks)
    sizes = len(stream), len(clock), len(by), len(key), len(marks)
    told = digest is not None
    try:
        said = _HEAD.pack(position, count, kind, version, at, told, start or 0, length or 0, *sizes)
    except struct.error:
        raise ValueError("a number that is in no row") from None
    return hashlib.sha256(b"".join((b"\x00", said, bytes(digest or b""), stream, clock, by, key, marks, data))).digest()


def _events(row: _Row, data: bytes, kind: str, said: Said) -> Iterable[Problem]:
    position, count = row[0], row[1]
    try:
        events = orjson.loads(data)
    except ValueError:
        try:
            events = json.loads(data)
        except (ValueError, RecursionError) as error:
            return [Problem(position, "json", f"the events are no JSON: {error}")]
    if not isinstance(events, list) or len(events) != count:
        return [Problem(position, "count", f"this commit does not hold {count} events")]
    first = position - count + 1
    tags = _known(kind, first, events, said)
    odd = [*_odd(kind, first, events, said)] if tags is None else ()
    return [*odd, *_indexed(row, events, tags)]


def _odd(kind: str, first: int, events: Listed, said: Said) -> Iterator[Problem]:
    """Look at events one by one: not all of them are known to be of their kind."""
    for at, event in enumerate(events, first):
        if not isinstance(event, list) or not event or not isinstance(event[0], str):
            yield Problem(at, "event", "this is no event")
        elif kind != "opaque" and event[0] not in _TAGS[kind]:
            yield Problem(at, "unknown-event", f"no event of kind {kind} is called {event[0]!r}")
        else:
            said.take(kind, at, event)


def _known(kind: str, first: int, events: Listed, said: Said) -> set[str] | None:
    """Take what the events name, and return what they are called, if all are of their kind."""
    try:
        called = [event[0] for event in events]
        tags = {*called}
    except (TypeError, LookupError):
        return None
    if kind == "opaque" or not tags <= _TAGS[kind] or {*map(type, events)} != {list}:
        return None
    if kind == "house":
        said.house += zip(range(first, first + len(events)), events, strict=True)
    if not tags.isdisjoint(NAMED[kind]):
        said.name_all(NAMED[kind], compress(events, map(NAMED[kind].__contains__, called)))
    return tags


def _indexed(row: _Row, events: Listed, tags: set[str] | None) -> Iterable[Problem]:
    """Compare the index's row of a hand with the hand's own words."""
    if row[2] != _HAND or row[4] != 1:
        return ()
    if row[21] is None:
        return [Problem(row[0], "index", "this hand is missing in the index of hands")]
    told = told_by(events, tags, live=row[11] is None)
    if told is None or told == tuple(row[18:27]):
        return ()
    return [Problem(row[0], "index", "the index says otherwise than the hand's events")]
