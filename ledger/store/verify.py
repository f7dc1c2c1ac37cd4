"""Derives everything anew from the raw rows and says what does not hold.

Shares no code with what writes: its own SQL, its own layout of hashed bytes, its own JSON parser.
It goes on after a problem, so that one flipped byte does not hide another.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from ledger.errors import IntegrityError
from ledger.events import STREAMS
from ledger.marks import unpack
from ledger.store.commits import Problem
from ledger.store.db_errors import nobodys_fault
from ledger.store.db_errors import said as said_of
from ledger.store.verify_checkpoints import check_checkpoints
from ledger.store.verify_index import check_index
from ledger.store.verify_openings import check_openings
from ledger.store.verify_people import check_layout, check_people
from ledger.store.verify_postgres import check_postgres
from ledger.store.verify_raw import raw
from ledger.store.verify_rows import check_rows
from ledger.store.verify_said import Said
from ledger.store.verify_sources import check_sources
from ledger.store.verify_stamps import check_stamps
from ledger.store.verify_texts import Texts, check_dictionaries
from ledger.store.verify_tree import Anchor, Tree

_KINDS: Final = {0: "opaque", 1: "hand", 2: "table", 3: "case", 4: "house"}
_TAGS: Final = {kind: {t.__name__ for t in types} for kind, types in STREAMS.items()}
_OLD_TAGS: Final = {kind: {tag for t in types for tag in getattr(t, "UPCASTS", ())} for kind, types in STREAMS.items()}
_Check: TypeAlias = Callable[[Connection], Iterator[Problem]]
_PAGE: Final = 500
_MOST: Final = 1000
"""Problems after which a verification gives up: the rest would say the same."""
_UNREAD: Final = Problem(None, "unread", "what comes behind this was not looked at")


def verify(engine: Engine, anchors: Sequence[Anchor] = (), secret: bytes | None = None) -> list[Problem]:
    """Return what does not hold in the ledger behind `engine`; empty if everything does.

    `anchors` are roots that were seen before: the log must begin with each of them. `secret` is that
    of the ids of a ledger that keeps no salts of them; without it `unseen` says so.
    """
    problems: list[Problem] = []
    try:
        with raw(engine) as connection:
            said = Said()
            checks: tuple[_Check, ...] = (
                *_BEFORE,
                partial(_log, anchors=anchors, said=said),
                *_BEHIND,
                partial(check_people, said=said, secret=secret),
                *(partial(check, said=said) for check in _COMPARED),
            )
            for check in checks:
                for problem in check(connection):
                    problems.append(problem)
                    if len(problems) >= _MOST:
                        return [*problems, _UNREAD]
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        problems += [Problem(None, "row", f"a row holds what no ledger writes: {error}"), _UNREAD]
    except DBAPIError as error:
        ours = said_of(error)
        if ours is not None and not problems and nobodys_fault(error):
            raise ours from error
        problems += [Problem(None, "database", f"the database cannot be read: {error.orig}"), _UNREAD]
    return problems


def _guards(connection: Connection) -> Iterator[Problem]:
    """Look whether what keeps the log append-only is there."""
    if connection.dialect.name != "sqlite":
        return  # `check_postgres` looks
    sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger' OR name = 'events'"
    wanted = {"log_follows", "log_unchanged", "log_kept", "dictionary_unchanged", "dictionary_kept", "events"}
    found = {row[0] for row in connection.exec_driver_sql(sql)}
    for name in sorted(wanted - found):
        yield Problem(None, "guard", f"{name}, which guards or shows the log, is gone")
    for name in sorted(found - wanted):
        yield Problem(None, "guard", f"there is a foreign trigger {name}")


def _file(connection: Connection) -> Iterator[Problem]:
    """Ask SQLite what it thinks of its file; it notices little, but names pages."""
    if connection.dialect.name == "sqlite":
        for (said,) in connection.exec_driver_sql("PRAGMA integrity_check(20)"):
            if said != "ok":
                yield Problem(None, "file", f"SQLite says: {said}")


def _log(connection: Connection, anchors: Sequence[Anchor], said: Said) -> Iterator[Problem]:
    """Follow the log from its first row: positions, hash links, tree, events, places."""
    tree = Tree(connection, anchors)
    column = "CAST(l.data AS BLOB)" if connection.dialect.name == "sqlite" else "l.data"
    sql = (
        f"SELECT l.position, l.count, l.kind, l.stream, l.version, {column}, l.marks, l.at, "
        "w.clock, w.by, s.digest, l.source, l.start, l.length, l.key, l.hash, s.length, l.codec "
        "FROM log AS l LEFT JOIN writers AS w ON w.id = l.writer "
        "LEFT JOIN sources AS s ON s.id = l.source "
        "WHERE l.position > {} ORDER BY l.position LIMIT {}"
    )
    texts = Texts(connection)
    position, before = 0, bytes(32)
    read = -(1 << 63)
    while True:
        rows = connection.exec_driver_sql(sql.format(read, _PAGE)).all()
        for row in rows:
            first = row[0] - row[1] + 1
            if first != position + 1:
                yield Problem(row[0], "position", f"this commit begins at {first}, expected {position + 1}")
            text = texts.plain(row[17], row[5])
            yield from _row(row, text, before, said)
            if text is None or row[8] is None or (row[11] is not None and row[10] is None):
                tree.lose()
                yield from tree.add(bytes(32), row[0])
            else:
                yield from tree.add(_leaf(row, text), row[0])
            position, before = row[0], bytes(row[15])
            read = position
        yield from said.missing(connection)
        if len(rows) < _PAGE:
            break
    yield from tree.end()
    if connection.dialect.name != "sqlite":
        heads = connection.exec_driver_sql("SELECT one, position, hash FROM head").all()
        if [(one, at, bytes(link)) for one, at, link in heads] != [(1, position, before)]:
            said_at = ", ".join(str(head[1]) for head in heads) or "nothing"
            yield Problem(position, "head", f"the head says {said_at}, the log ends at {position}")


def _row(row: Any, text: str | bytes | None, before: bytes, said: Said) -> Iterator[Problem]:  # noqa: ANN401 - a driver's row
    position, count, kind = row[0], row[1], row[2]
    if row[8] is None:
        yield Problem(position, "writer", "the log does not know who wrote this commit")
    elif row[11] is not None and row[10] is None:
        yield Problem(position, "source", "the log does not know the source of this commit")
    elif text is None:
        yield Problem(position, "codec", "the compressed events of this commit cannot be read")
    elif _hash(row, text, before) != bytes(row[15]):
        yield Problem(position, "hash", "this commit, or the one before it, is not what was recorded")
    if row[11] is not None and row[16] is not None and row[12] + row[13] > row[16]:
        yield Problem(position, "source", "this commit's place lies behind its source's end")
    if kind not in _KINDS:
        yield Problem(position, "kind", f"there is no kind of stream {kind}")
        return
    if text is not None:
        yield from _events(row, text, _KINDS[kind], said)
    try:
        unpack(bytes(row[6]), count)
    except IntegrityError as error:
        yield Problem(position, "marks", error.message)


def _hash(row: Any, data: str | bytes, before: bytes) -> bytes:  # noqa: ANN401 - a driver's row
    return hashlib.sha256(b"\x02" + before + _leaf(row, data)).digest()


def _leaf(row: Any, data: str | bytes) -> bytes:  # noqa: ANN401 - a driver's row
    """Put the hashed bytes together as `docs/architecture.md` and `ledger.chain` lay them out."""
    (position, count, kind, stream, version, _, marks, at, clock, by, digest, _, start, length, key, *_) = row
    clock, by, key = clock.encode(), by.encode(), (key or "").encode()
    stream, marks = bytes(stream), bytes(marks)
    data = data.encode() if isinstance(data, str) else bytes(data)

    def number(value: int, size: int) -> bytes:
        return value.to_bytes(size, "big", signed=value < 0)

    said = (
        number(position, 8)
        + number(count, 4)
        + number(kind, 1)
        + number(version, 8)
        + number(at, 8)
        + number(0 if digest is None else 1, 1)
        + number(start or 0, 8)
        + number(length or 0, 8)
        + number(len(stream), 2)
        + number(len(clock), 2)
        + number(len(by), 2)
        + number(len(key), 2)
        + number(len(marks), 4)
        + bytes(digest or b"")
        + stream
        + clock
        + by
        + key
        + marks
        + data
    )
    return hashlib.sha256(b"\x00" + said).digest()


def _events(row: Any, text: str | bytes, kind: str, said: Said) -> Iterator[Problem]:  # noqa: ANN401 - a driver's row
    position, count = row[0], row[1]
    try:
        events = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Problem(position, "json", f"the events are no JSON: {error}")
        return
    if not isinstance(events, list) or len(events) != count:
        yield Problem(position, "count", f"this commit does not hold {count} events")
        return
    for at, event in enumerate(events, position - count + 1):
        if not isinstance(event, list) or not event or not isinstance(event[0], str):
            yield Problem(at, "event", "this is no event")
        elif kind != "opaque" and event[0] not in _TAGS[kind] and event[0] not in _OLD_TAGS[kind]:
            yield Problem(at, "unknown-event", f"no event of kind {kind} is called {event[0]!r}")
        else:
            said.take(kind, at, event)


def _versions(connection: Connection) -> Iterator[Problem]:
    """Follow each stream: versions without gap or overlap, in the order of the log, of one kind."""
    sql = (
        "SELECT position, version, next, kind, kind_before, position_before FROM (SELECT position, "
        "version, kind, lag(version + count) OVER w AS next, lag(kind) OVER w AS kind_before, "
        "lag(position) OVER w AS position_before FROM log "
        "WINDOW w AS (PARTITION BY stream ORDER BY version)) AS t "
        "WHERE (next IS NULL AND version <> 1 AND kind <> 0) OR next <> version "
        "OR kind_before <> kind OR position_before > position"
    )
    for position, version, following, kind, kind_before, _ in connection.exec_driver_sql(sql):
        if following is None or following != version:
            wanted = 1 if following is None else following
            yield Problem(position, "version", f"this stream goes on at {version}, expected {wanted}")
        elif kind != kind_before:
            yield Problem(position, "kind", "this stream changes its kind")
        else:
            yield Problem(position, "order", "this stream's versions are not in the log's order")


def _tracking(connection: Connection) -> Iterator[Problem]:
    end = connection.exec_driver_sql("SELECT coalesce(max(position), 0) FROM log").scalar_one()
    for name, position in connection.exec_driver_sql("SELECT name, position FROM tracking"):
        if position > end and ":" not in name:
            yield Problem(None, "projection", f"{name} is at {position}, the log ends at {end}")


_BEFORE: Final = (_guards, check_postgres, check_layout, _file, check_dictionaries)
_BEHIND: Final = (_versions, check_index, check_openings, check_stamps, _tracking)
_COMPARED: Final = (check_sources, check_checkpoints, check_rows)
"""What is compared with what the log says of it."""
