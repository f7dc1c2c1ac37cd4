"""Verifies that tables beside the log hold no rows that nothing in the log or in the vault speaks of.

Part of `ledger.store.verify`: shares no code with what writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection

from ledger.store.commits import Problem
from ledger.store.database.raw_connection import there
from ledger.store.verify.log_claims import Said

_GHOSTS: Final = (
    ("writer", "SELECT id FROM writers WHERE id NOT IN (SELECT writer FROM log)"),
    ("table", "SELECT id FROM places WHERE id NOT IN (SELECT place FROM hands)"),
    (
        "dictionary",
        (
            "SELECT id FROM dictionaries WHERE id < (SELECT max(id) FROM dictionaries) "
            "AND id NOT IN (SELECT codec FROM log)"
        ),
    ),
)
"""Rows that are written together with what names them; the newest dictionary may wait for its first commit."""

_ABOUT: Final = {"1": {"layout", "ledger", "secret"}, "2": {"layout", "ledger", "ids"}}
"""What a ledger of each layout says of itself; id and ids are compared with the log, the secret with every name."""


def check_rows(connection: Connection, said: Said) -> Iterator[Problem]:
    """Look for rows that nothing speaks of."""
    for what, sql in _GHOSTS:
        for (number,) in connection.exec_driver_sql(sql):
            yield Problem(None, "row", f"nothing in the log speaks of {what} {number}")
    about = {str(name): str(value) for name, value in connection.exec_driver_sql("SELECT name, value FROM about")}
    wanted = _ABOUT.get(about.get("layout", ""), _ABOUT["2"])
    for name in sorted(about.keys() ^ wanted):
        yield Problem(None, "about", f"what the ledger says of itself as {name!r} is not as it was made")
    if about.get("layout") not in _ABOUT:
        yield Problem(None, "about", "the ledger says that it is laid out in another way than it is")
    yield from _erased(connection, said)
    yield from _sources(connection, said)
    yield from _progress(connection, said)


def _erased(connection: Connection, said: Said) -> Iterator[Problem]:
    """Compare who is never to be kept again with whom the house says that it forgot."""
    told = {event[1] for event in said.told("PersonErased") if len(event) > 1}
    there = {row[0] for row in connection.exec_driver_sql("SELECT id FROM erased")}
    for one in sorted(there - told):
        yield Problem(None, "erased", f"{one[:8]} counts as forgotten, and the house does not say so")
    for one in sorted(told - there):
        yield Problem(None, "erased", f"{one[:8]} was forgotten, and may be kept again")
    for (one,) in connection.exec_driver_sql("SELECT id FROM names WHERE id IN (SELECT id FROM erased)"):
        yield Problem(None, "erased", f"{one[:8]} was forgotten, and has a name")


def _sources(connection: Connection, said: Said) -> Iterator[Problem]:
    """Compare sources with what the log says of them; blocks with their sources."""
    told: dict[str, tuple[set[int], set[str]]] = {}
    kept = {str(event[1]) for event in said.told("SourceImported") if len(event) > 17 and event[17]}
    for event in said.told("SourceImported"):
        lengths, names = told.setdefault(str(event[1]), (set(), set()))
        lengths.add(event[4])
        names.add(event[13] if len(event) > 13 else "")
    rows = connection.exec_driver_sql("SELECT digest, length, name FROM sources")
    for digest, length, name in rows:
        if digest is None:
            continue  # its bytes still come in
        known = bytes(digest).hex()
        what = f"source {known[:12]}"
        lengths, names = told.get(known, (set(), set()))
        if length is None and known in kept:
            yield Problem(None, "source", f"the bytes of {what}, which were kept, are gone")
        if length is not None and lengths and length not in lengths:
            yield Problem(None, "source", f"{what} has another length than the one that was imported")
        if names and name not in names:
            yield Problem(None, "source", f"{what} has another name than the log says")
    sql = (
        "SELECT DISTINCT b.source FROM blocks AS b LEFT JOIN sources AS s ON s.id = b.source "
        "WHERE s.id IS NULL OR (s.digest IS NOT NULL AND s.length IS NULL)"
    )
    for (number,) in connection.exec_driver_sql(sql):
        yield Problem(None, "source", f"there are bytes of source {number}, which has none")
    if there(connection, "blackened"):
        ids = {event[1] for event in said.told("SourceBlackened") if len(event) > 1}
        sql = "SELECT s.digest FROM blackened AS b LEFT JOIN sources AS s ON s.id = b.source"
        there_are = {bytes(row[0] or b"").hex() for row in connection.exec_driver_sql(sql)}
        for one in sorted(there_are - ids):
            yield Problem(None, "source", f"source {one[:12]} counts as redacted, and the house does not say so")


def _progress(connection: Connection, said: Said) -> Iterator[Problem]:
    """Look at how far imports have come: within their source, and not of one that ended."""
    done = {(str(event[1]), str(event[3])) for event in said.told("SourceImported") if len(event) > 3}
    sql = "SELECT s.digest, s.length, p.reader, p.upto FROM progress AS p LEFT JOIN sources AS s ON s.id = p.source"
    for digest, length, reader, upto in connection.exec_driver_sql(sql):
        known = bytes(digest).hex() if digest else ""
        if not known or upto < 0 or (length is not None and upto > length):
            yield Problem(None, "progress", "an import is said to have come to a place that its source does not have")
        elif (known, reader) in done:
            yield Problem(None, "progress", f"the import of source {known[:12]} ended, and is kept as unfinished")
