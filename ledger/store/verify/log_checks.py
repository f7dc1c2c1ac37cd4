"""Follow the log from its first row: positions, hash links, events, places. Part of `ledger.store.verify`.

Each part of the log is checked by itself, from the row before it on: one after the other, or each in a
process. The tree over the whole log is computed from the leaves of the parts.
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

from ledger.events import STREAMS
from ledger.marks import is_packed_origins
from ledger.process.worker_pool import worker_pool
from ledger.seal import verify_errors
from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import fetch_rows, open_raw
from ledger.store.verify.index_checks import read_index_fields
from ledger.store.verify.log_claims import NAMING_FIELDS, JsonList, LogClaims
from ledger.store.verify.opening_checks import hides_cards
from ledger.store.verify.packed_texts import PackedTexts
from ledger.store.verify.tree_checks import Anchor, LogTree

_HAND_KIND: Final = 1
_KIND_NAMES: Final = {0: "opaque", _HAND_KIND: "hand", 2: "table", 3: "case", 4: "house"}
_EVENT_TAGS: Final = {
    kind: {tag for t in types for tag in (t.__name__, *getattr(t, "UPCASTS", ()))} for kind, types in STREAMS.items()
}
_PAGE_ROWS: Final = 500
_PART_COMMITS: Final = 10_000
"""Commits of a part, roughly."""
_LogRow: TypeAlias = Sequence[Any]
"""A row with the columns of `_read_pages`."""
_HEAD_LAYOUT: Final = struct.Struct(">qIBqqBqqHHHHI")


class _LogPart(NamedTuple):
    """The problems and leaves of a part of the log."""

    problems: list[IntegrityProblem]
    leaves: list[bytes | None]  # None: it cannot be computed
    positions: list[int]
    house: list[tuple[int, JsonList]]
    hidden_positions: Sequence[int]
    index_rows: int
    last_row: tuple[int, bytes]  # position and hash of its last row


def check_log(
    connection: Connection,
    *,
    anchors: Sequence[Anchor],
    claims: LogClaims,
    url: str,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[IntegrityProblem]:
    """Yield the problems of the log, and collect in `claims` what it says about the tables beside it."""
    tree = LogTree(connection, anchors)
    edges = _split_log(connection)
    log_end = connection.exec_driver_sql("SELECT coalesce(max(position), 0) FROM log").scalar_one()
    position, last_hash = 0, bytes(32)
    missing_things: set[IntegrityProblem] = set()  # several parts may miss the same thing
    for part in _check_parts(connection, edges, url, jobs):
        claims.house += part.house
        claims.hidden_positions.extend(part.hidden_positions)
        claims.index_rows += part.index_rows
        for problem in part.problems:
            if problem.position is not None or problem not in missing_things:
                missing_things.add(problem)
                yield problem
        for leaf, leaf_position in zip(part.leaves, part.positions, strict=True):
            if leaf is None:
                tree.skip_leaf()
            yield from tree.add_leaf(leaf or bytes(32), leaf_position)
        position, last_hash = part.last_row
        if progress is not None:
            progress(position, log_end)
    yield from tree.finish()
    if connection.dialect.name != "sqlite":
        head_rows = connection.exec_driver_sql("SELECT one, position, hash FROM head").all()
        if [(head_id, leaf_position, bytes(head_hash)) for head_id, leaf_position, head_hash in head_rows] != [
            (1, position, last_hash)
        ]:
            head_positions = ", ".join(str(head[1]) for head in head_rows) or "nothing"
            yield IntegrityProblem(position, "head", f"the head says {head_positions}, the log ends at {position}")


def _split_log(connection: Connection) -> list[tuple[int, int | None]]:
    """Return for each part the position before it and its last position; None: to the end of the log."""
    edges: list[tuple[int, int | None]] = []
    previous_end = -(1 << 63)
    while True:
        statement = f"SELECT position FROM log WHERE position > {previous_end} ORDER BY position LIMIT 1 OFFSET {_PART_COMMITS - 1}"
        part_end = connection.exec_driver_sql(statement).scalar()
        edges.append((previous_end, part_end))
        if part_end is None:
            return edges
        previous_end = part_end


def _check_parts(
    connection: Connection, edges: list[tuple[int, int | None]], url: str, jobs: int
) -> Iterator[_LogPart]:
    if jobs < 2 or len(edges) < 2:
        yield from (_check_part(connection, *edge) for edge in edges)
        return
    with worker_pool(min(jobs, len(edges)), [__name__]) as processes:
        try:
            yield from processes.map(_check_part_alone, [url] * len(edges), edges)
        except BrokenProcessPool:
            raise verify_errors.verifier_process_lost() from None


def _check_part_alone(url: str, edge: tuple[int, int | None]) -> _LogPart:
    """Check a part in a process of its own."""
    from ledger.store.database.dialects import open_database  # noqa: PLC0415 - it opens what this module looks at

    database = open_database(url, read_only=True)
    try:
        with open_raw(database.engine) as connection:
            return _check_part(connection, *edge)
    finally:
        database.close()


def _check_part(connection: Connection, previous_end: int, end: int | None) -> _LogPart:
    """Check the log after one position up to another."""
    claims = LogClaims()
    position, last_hash = _read_last_row(connection, previous_end)
    problems: list[IntegrityProblem] = []
    leaves: list[bytes | None] = []
    positions: list[int] = []
    packed_texts = PackedTexts(connection)
    for rows in _read_pages(connection, previous_end, end):
        for row in rows:
            first_position = row[0] - row[1] + 1
            if first_position != position + 1:
                problems.append(
                    IntegrityProblem(
                        row[0], "position", f"this commit begins at {first_position}, expected {position + 1}"
                    )
                )
            plain_text = packed_texts.unpack(row[17], row[5])
            event_bytes = (
                plain_text.encode()
                if isinstance(plain_text, str)
                else None
                if plain_text is None
                else bytes(plain_text)
            )
            has_origin = row[8] is not None and (row[11] is None or row[10] is not None)
            leaf = _compute_leaf(row, event_bytes) if has_origin and event_bytes is not None else None
            problems += _check_row(row, event_bytes, leaf, last_hash, claims)
            leaves.append(leaf)
            position, last_hash = row[0], bytes(row[15])
            positions.append(position)
        problems += claims.find_missing(connection)
    return _LogPart(
        problems, leaves, positions, claims.house, claims.hidden_positions, claims.index_rows, (position, last_hash)
    )


def _read_last_row(connection: Connection, previous_end: int) -> tuple[int, bytes]:
    """Return position and hash of the row before a part."""
    row = connection.exec_driver_sql(f"SELECT position, hash FROM log WHERE position = {previous_end}").first()
    return (0, bytes(32)) if row is None else (row[0], bytes(row[1]))


def _read_pages(connection: Connection, previous_end: int, end: int | None) -> Iterator[Sequence[_LogRow]]:
    data_column = "CAST(l.data AS BLOB)" if connection.dialect.name == "sqlite" else "l.data"
    end_condition = "" if end is None else f"AND l.position <= {end} "
    statement = (
        f"SELECT l.position, l.count, l.kind, l.stream, l.version, {data_column}, l.marks, l.at, "
        "w.clock, w.by, s.digest, l.source, l.start, l.length, l.key, l.hash, s.length, l.codec, "
        "p.venue, p.tournament, p.name, h.number, h.started, h.variant, h.betting, h.format, h.note "
        "FROM log AS l LEFT JOIN writers AS w ON w.id = l.writer "
        "LEFT JOIN sources AS s ON s.id = l.source "
        "LEFT JOIN hands AS h ON h.position = l.position LEFT JOIN places AS p ON p.id = h.place "
        "WHERE l.position > {} {}ORDER BY l.position LIMIT {}"
    )
    while True:
        rows = fetch_rows(connection, statement.format(previous_end, end_condition, _PAGE_ROWS))
        yield rows
        if len(rows) < _PAGE_ROWS:
            return
        previous_end = rows[-1][0]


def _check_row(
    row: _LogRow, data: bytes | None, leaf: bytes | None, last_hash: bytes, claims: LogClaims
) -> Iterator[IntegrityProblem]:
    position, count, kind = row[0], row[1], row[2]
    if reason := _find_commit_damage(row, leaf, last_hash):
        yield IntegrityProblem(position, *reason)
    if row[14] == "" or position < 1 or row[11:14].count(None) % 3:  # key; source, start and length
        yield IntegrityProblem(position, "row", "this row has values that no ledger writes")
    elif row[11] is not None and row[16] is not None and row[12] + row[13] > row[16]:
        yield IntegrityProblem(position, "source", "this commit's place is after the end of its source")
    if row[21] is not None:
        claims.index_rows += 1
        if kind != _HAND_KIND or row[4] != 1:
            yield IntegrityProblem(position, "index", "the index holds a hand that is not in the log")
    if kind not in _KIND_NAMES:
        yield IntegrityProblem(position, "kind", f"there is no kind of stream {kind}")
        return
    if data is not None:
        yield from _check_events(row, data, _KIND_NAMES[kind], claims)
        if kind == _HAND_KIND and hides_cards(data):
            claims.hidden_positions.append(position)
    if not is_packed_origins(bytes(row[6]), count):
        yield IntegrityProblem(position, "marks", "the places stored with a commit's events are damaged")


def _find_commit_damage(row: _LogRow, leaf: bytes | None, last_hash: bytes) -> tuple[str, str] | None:
    """Return kind and sentence of what keeps a commit from its hash: its writer, source or events; None if it fits."""
    if row[8] is None:
        return "writer", "the log does not know who wrote this commit"
    if row[11] is not None and row[10] is None:
        return "source", "the log does not know the source of this commit"
    if leaf is None:
        return "codec", "the compressed events of this commit cannot be read"
    if hashlib.sha256(b"\x02" + last_hash + leaf).digest() != bytes(row[15]):
        return "hash", "this commit, or the one before it, is not what was recorded"
    return None


def _compute_leaf(row: _LogRow, data: bytes) -> bytes:
    """Put the hashed bytes together as `docs/architecture.md` and `ledger.chain` lay them out."""
    (
        position,
        count,
        kind,
        stream,
        version,
        _,
        marks,
        recorded_ms,
        clock,
        writer,
        digest,
        _,
        source_start,
        length,
        append_key,
        *_,
    ) = row
    clock, writer, append_key = clock.encode(), writer.encode(), (append_key or "").encode()
    stream, marks = bytes(stream), bytes(marks)
    field_sizes = len(stream), len(clock), len(writer), len(append_key), len(marks)
    has_source = digest is not None
    try:
        claims = _HEAD_LAYOUT.pack(
            position, count, kind, version, recorded_ms, has_source, source_start or 0, length or 0, *field_sizes
        )
    except struct.error:
        raise ValueError("a number that is in no row") from None
    return hashlib.sha256(
        b"".join((b"\x00", claims, bytes(digest or b""), stream, clock, writer, append_key, marks, data))
    ).digest()


def _check_events(row: _LogRow, data: bytes, kind: str, claims: LogClaims) -> Iterable[IntegrityProblem]:
    position, count = row[0], row[1]
    try:
        events = orjson.loads(data)
    except ValueError:
        try:
            events = json.loads(data)
        except (ValueError, RecursionError) as error:
            return [IntegrityProblem(position, "json", f"the events are no JSON: {error}")]
    if not isinstance(events, list) or len(events) != count:
        return [IntegrityProblem(position, "count", f"this commit does not hold {count} events")]
    first_position = position - count + 1
    tags = _note_known_events(kind, first_position, events, claims)
    event_problems = [*_check_single_events(kind, first_position, events, claims)] if tags is None else ()
    return [*event_problems, *_check_index_row(row, events, tags)]


def _check_single_events(
    kind: str, first_position: int, events: JsonList, claims: LogClaims
) -> Iterator[IntegrityProblem]:
    """Check events one by one: not all are known events of their kind."""
    for position, event in enumerate(events, first_position):
        if not isinstance(event, list) or not event or not isinstance(event[0], str):
            yield IntegrityProblem(position, "event", "this is no event")
        elif kind != "opaque" and event[0] not in _EVENT_TAGS[kind]:
            yield IntegrityProblem(position, "unknown-event", f"no event of kind {kind} is called {event[0]!r}")
        else:
            claims.add_event(kind, position, event)


def _note_known_events(kind: str, first_position: int, events: JsonList, claims: LogClaims) -> set[str] | None:
    """Collect what the events name; return the events' names if all are of their kind, else None."""
    try:
        event_names = [event[0] for event in events]
        tags = {*event_names}
    except (TypeError, LookupError):
        return None
    if kind == "opaque" or not tags <= _EVENT_TAGS[kind] or {*map(type, events)} != {list}:
        return None
    if kind == "house":
        claims.house += zip(range(first_position, first_position + len(events)), events, strict=True)
    if not tags.isdisjoint(NAMING_FIELDS[kind]):
        claims.add_all_names(NAMING_FIELDS[kind], compress(events, map(NAMING_FIELDS[kind].__contains__, event_names)))
    return tags


def _check_index_row(row: _LogRow, events: JsonList, tags: set[str] | None) -> Iterable[IntegrityProblem]:
    """Compare a hand's row in the index with its events."""
    if row[2] != _HAND_KIND or row[4] != 1:
        return ()
    if row[21] is None:
        return [IntegrityProblem(row[0], "index", "this hand is missing in the index of hands")]
    hand_fields = read_index_fields(events, tags, is_live=row[11] is None)
    if hand_fields is None or hand_fields == tuple(row[18:27]):
        return ()
    return [IntegrityProblem(row[0], "index", "the index says otherwise than the hand's events")]
