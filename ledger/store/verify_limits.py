"""What a verification of a ledger cannot see, in words for whoever reads its verdict.

Part of `ledger.store.verify`: shares no code with what writes.
"""

# ruff: noqa: S608 - statements are made of constants

from __future__ import annotations

import json
from typing import Final

from sqlalchemy import Connection, inspect

from ledger.store.tables import LATER, META
from ledger.store.verify_texts import Texts

_COUNTED: Final = (
    ("SELECT count(*) FROM sources WHERE digest IS NOT NULL AND length IS NULL",
     "the bytes of {} sources, which are not kept here: cards were to be hidden, or they were taken away"),
    (("SELECT count(*) FROM sources WHERE digest IS NOT NULL AND id NOT IN (SELECT source FROM log "
      "WHERE source IS NOT NULL) AND id NOT IN (SELECT source FROM progress)"),
     "why {} sources are kept of which the log tells no hand"),
    ("SELECT count(*) FROM progress", "how far {} unfinished imports have come"),
    ("SELECT count(*) FROM snapshots", "{} snapshots, which programs keep here for themselves"),
    ("SELECT count(*) FROM tracking", "how far {} projections have come"),
)  # fmt: skip


def unseen(connection: Connection) -> list[str]:
    """Return what a verification of this ledger cannot see."""
    found = [
        words.format(f"{count:,}")
        for sql, words in _COUNTED
        if (count := connection.exec_driver_sql(sql).scalar_one())
    ]
    ours = META.tables.keys() | LATER.tables.keys() | {"events"}
    looked = inspect(connection)
    foreign = sorted({*looked.get_table_names(), *looked.get_view_names()} - ours)
    if foreign:
        found.append(f"tables that are not handledger's: {', '.join(foreign)}")
    if looked.has_table("checkpoints") and connection.exec_driver_sql("SELECT count(*) FROM checkpoints").scalar_one():  # fmt: skip
        found.append("that no cosignature and no time stamp was taken away")
    if _redacted_before(connection):
        found.append(
            "texts that an earlier version redacted: it did not record what it made of them"
        )
    found.append("that no name and no text was added that no event speaks of")
    return found


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
