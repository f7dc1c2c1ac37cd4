"""Describe what a verification of a ledger can't see, for the reader of its verdict.

Part of `ledger.store.verify`: shares no code with the modules that write.
"""

# ruff: noqa: S608 - statements are made of constants

from __future__ import annotations

import json
from typing import Final

from sqlalchemy import Connection

from ledger.store.database.raw_connection import has_table
from ledger.store.database.tables import META
from ledger.store.verify.foreign_objects import find_foreign_objects
from ledger.store.verify.packed_texts import PackedTexts
from ledger.store.verify.postgres_indexes import find_changed_collations

_COUNTED_GAPS: Final = (
    (
        {"sources"},
        "SELECT count(*) FROM sources WHERE digest IS NOT NULL AND length IS NULL",
        "the bytes of {} sources that the ledger doesn't have: cards were to be hidden, or somebody removed them",
    ),
    (
        {"sources", "log", "progress"},
        (
            "SELECT count(*) FROM sources WHERE digest IS NOT NULL AND id NOT IN (SELECT source FROM log "
            "WHERE source IS NOT NULL) AND id NOT IN (SELECT source FROM progress)"
        ),
        "why there are sources without a hand in the log ({})",
    ),
)

NAMES_UNMATCHED: Final = (
    "that names and texts match their ids: an earlier version made these, and the key of the ids isn't available"
)
"""What stays open of a ledger whose ids are hashes under a key outside it."""

_REBUILDABLE_TABLES: Final = ("progress", "tracking", "snapshots")
"""Tables that only save time: the program can rebuild each of them."""


def find_blind_spots(connection: Connection, *, without_key: bool = False) -> list[str]:
    """Return what a verification of this ledger can't see; `without_key`: the key of its ids isn't at hand."""
    missing_tables = {name for name in META.tables if not has_table(connection, name)}
    blind_spots = [
        wording.format(f"{count:,}")
        for tables, sql, wording in _COUNTED_GAPS
        if not missing_tables & tables and (count := connection.exec_driver_sql(sql).scalar_one())
    ]
    counts = [
        "no" if name in missing_tables else connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one()
        for name in _REBUILDABLE_TABLES
    ]
    blind_spots.append(
        "the helper tables: unfinished imports ({}), projections ({}) and other programs' snapshots ({}). "
        "They can be rebuilt".format(*counts)
    )
    blind_spots += find_foreign_objects(connection)
    blind_spots += find_changed_collations(connection)
    if (
        has_table(connection, "checkpoints")
        and connection.exec_driver_sql("SELECT count(*) FROM checkpoints").scalar_one()
    ):
        blind_spots.append("that no cosignature or time stamp was removed or swapped")
    if _has_unrecorded_redactions(connection):
        blind_spots.append("texts that an earlier version redacted: it didn't record the new text")
    if without_key and _has_unsalted_ids(connection):
        blind_spots.append(NAMES_UNMATCHED)
    blind_spots.append("that no unused name or text was added")
    return blind_spots


def _has_unsalted_ids(connection: Connection) -> bool:
    """Return whether ids are hashes under a key outside the ledger."""
    sql = "SELECT count(*) FROM about WHERE name = 'ids' AND substr(value, 1, 6) = 'keyed:'"
    return bool(connection.exec_driver_sql(sql).scalar_one())


def _has_unrecorded_redactions(connection: Connection) -> bool:
    """Return whether a person was forgotten by a version that didn't record the redacted texts."""
    texts = PackedTexts(connection)
    data_column = "CAST(data AS BLOB)" if connection.dialect.name == "sqlite" else "data"
    rows = connection.exec_driver_sql(f"SELECT codec, {data_column} FROM log WHERE kind = 4")
    for codec, stored_events in rows:
        plain_events = texts.unpack(codec, stored_events) or b""
        event_bytes = plain_events.encode() if isinstance(plain_events, str) else bytes(plain_events)
        if b'"PersonErased"' in event_bytes:
            try:
                events = json.loads(event_bytes)
            except ValueError:
                continue
            if any(event[0] == "PersonErased" and (len(event) < 5 or event[4] is None) for event in events):
                return True
    return False
