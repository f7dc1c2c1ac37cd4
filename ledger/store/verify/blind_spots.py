"""What a verification of a ledger cannot see, in words for whoever reads its verdict.

Part of `ledger.store.verify`: shares no code with what writes.
"""

# ruff: noqa: S608 - statements are made of constants

from __future__ import annotations

import json
from typing import Final

from sqlalchemy import Connection

from ledger.store.database.raw_connection import there
from ledger.store.database.tables import META
from ledger.store.verify.foreign_objects import around
from ledger.store.verify.packed_texts import Texts
from ledger.store.verify.postgres_indexes import changed_collations

_COUNTED: Final = (
    (
        {"sources"},
        "SELECT count(*) FROM sources WHERE digest IS NOT NULL AND length IS NULL",
        "the bytes of {} sources, which are not kept here: cards were to be hidden, or they were taken away",
    ),
    (
        {"sources", "log", "progress"},
        (
            "SELECT count(*) FROM sources WHERE digest IS NOT NULL AND id NOT IN (SELECT source FROM log "
            "WHERE source IS NOT NULL) AND id NOT IN (SELECT source FROM progress)"
        ),
        "why sources are kept of which the log tells no hand ({})",
    ),
)

_ANEW: Final = ("progress", "tracking", "snapshots")
"""What is kept beside the log to be faster, and can be made anew."""


def unseen(connection: Connection, *, keyless: bool = False) -> list[str]:
    """Return what a verification of this ledger cannot see; `keyless`: without the key of its ids."""
    gone = {name for name in META.tables if not there(connection, name)}
    found = [
        words.format(f"{count:,}")
        for tables, sql, words in _COUNTED
        if not gone & tables and (count := connection.exec_driver_sql(sql).scalar_one())
    ]
    counts = [
        "no" if name in gone else connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one()
        for name in _ANEW
    ]
    found.append(
        "that the notes on unfinished imports ({}), on projections ({}) and the snapshots of other programs ({}) "
        "are whole: each can be made anew".format(*counts)
    )
    found += around(connection)
    found += changed_collations(connection)
    if there(connection, "checkpoints") and connection.exec_driver_sql("SELECT count(*) FROM checkpoints").scalar_one():
        found.append("that no cosignature and no time stamp was taken away, or two of them exchanged")
    if _redacted_before(connection):
        found.append("texts that an earlier version redacted: it did not record what it made of them")
    if keyless and _unsalted(connection):
        found.append(
            "that names and texts are those their ids were made of: an earlier version made them, "
            "and the key of the ids is not at hand"
        )
    found.append("that no name and no text was added that no event speaks of")
    return found


def _unsalted(connection: Connection) -> bool:
    """Whether ids are hashes under a key that lies outside the ledger."""
    sql = "SELECT count(*) FROM about WHERE name = 'ids' AND substr(value, 1, 6) = 'keyed:'"
    return bool(connection.exec_driver_sql(sql).scalar_one())


def _redacted_before(connection: Connection) -> bool:
    """Whether somebody was forgotten by a version that did not record what it made of texts."""
    texts = Texts(connection)
    data = "CAST(data AS BLOB)" if connection.dialect.name == "sqlite" else "data"
    rows = connection.exec_driver_sql(f"SELECT codec, {data} FROM log WHERE kind = 4")
    for codec, kept in rows:
        told = texts.plain(codec, kept) or b""
        raw = told.encode() if isinstance(told, str) else bytes(told)
        if b'"PersonErased"' in raw:
            try:
                events = json.loads(raw)
            except ValueError:
                continue
            if any(e[0] == "PersonErased" and (len(e) < 5 or e[4] is None) for e in events):
                return True
    return False
