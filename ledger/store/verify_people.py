"""Verifies that names and texts are those their ids were made of, and that the layout is ours.

Part of `ledger.store.verify`: shares no code with what writes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError

from ledger.store.commits import Problem
from ledger.store.tables import LATER, META, SQLITE_GUARDS
from ledger.store.verify_said import Said


def check_layout(connection: Connection) -> Iterator[Problem]:
    """Compare tables, triggers and views of a SQLite file with those that a new ledger has."""
    if connection.dialect.name != "sqlite":
        return
    wanted = _layout()
    found = {str(name): told for name, told in connection.exec_driver_sql(_LAYOUT)}
    for name, told in found.items():
        if name in wanted and told != wanted[name]:
            yield Problem(None, "layout", f"{name} is not laid out as handledger does")
    for name in sorted(wanted.keys() - found.keys() - _GUARDED - LATER.tables.keys()):
        yield Problem(None, "layout", f"{name} is gone")


_LAYOUT: Final = "SELECT name, sql FROM sqlite_schema"


@cache
def _layout() -> dict[str, str | None]:
    """Return what a new ledger has, as SQLite itself writes it down."""
    fresh = create_engine("sqlite://")
    with fresh.connect() as other:
        META.create_all(other, checkfirst=False)
        LATER.create_all(other, checkfirst=False)
        for guard in SQLITE_GUARDS:
            other.exec_driver_sql(guard)
        found = {str(name): told for name, told in other.exec_driver_sql(_LAYOUT)}
    fresh.dispose()
    return found


_SECRET: Final = re.compile(r"[0-9a-f]{64}")
_GUARDED: Final = frozenset(
    (
        "log_follows",
        "log_unchanged",
        "log_kept",
        "dictionary_unchanged",
        "dictionary_kept",
        "events",
        "head",
    )
)
"""What the check of the guards speaks of, and `head`, which only PostgreSQL has."""


def check_people(connection: Connection, said: Said) -> Iterator[Problem]:
    """Make each id again from the secret, the venue and the name; each reference from its text."""
    rows = connection.exec_driver_sql("SELECT name, value FROM about")
    about = {str(name): str(value) for name, value in rows}
    told = about.get("secret", "")
    secret = bytes.fromhex(told) if _SECRET.fullmatch(told) else b""
    if not secret:
        yield Problem(None, "about", "the ledger does not say the secret of its ids")
        return
    for player, venue, name in connection.exec_driver_sql("SELECT id, venue, name FROM names"):
        if player != _keyed(secret, b"player", f"{plain(venue)}\0{plain(name)}") or not (
            as_kept(venue) and as_kept(name)
        ):
            yield Problem(
                None, "name", f"the name of {player[:8]} is not the one its id was made of"
            )
    redacted = {event[1]: event[2] for event in said.told("TextRedacted") if len(event) > 2}
    older = unrecorded(said)
    for ref, words in connection.exec_driver_sql("SELECT ref, words FROM texts"):
        told = plain(words)
        if ref in redacted:
            holds = _digest(told) == redacted[ref]
        else:
            holds = ref == "t" + _keyed(secret, b"text", told) or (older and "*" in told)
        if not (holds and as_kept(words)):
            yield Problem(None, "text", f"text {ref[:9]} is not the one that was recorded")
    yield from _identity(connection, about.get("ledger", ""))


def unrecorded(said: Said) -> bool:
    """Whether somebody was forgotten by a version that did not record what it made of texts."""
    return any(len(event) < 5 or event[4] is None for event in said.told("PersonErased"))


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(connection: Connection, known: str) -> Iterator[Problem]:
    """Compare the ledger's id with the event that says it was made."""
    try:
        first = connection.exec_driver_sql(
            "SELECT data FROM log WHERE kind = 4 AND codec = 0 ORDER BY position LIMIT 1"
        ).fetchone()
        events = (
            json.loads(bytes(first[0]) if isinstance(first[0], memoryview) else first[0])
            if first
            else []
        )
    except (DBAPIError, ValueError):
        return  # the log's own check says so
    for event in events:
        if (
            isinstance(event, list)
            and len(event) > 1
            and event[0] == "LedgerCreated"
            and event[1] != known
        ):
            yield Problem(None, "about", "the ledger's id is not the one it was made with")


def _keyed(secret: bytes, kind: bytes, value: str) -> str:
    made = hashlib.blake2b(
        value.encode("utf-8", "surrogatepass"), key=secret, person=kind, digest_size=12
    )
    return base64.urlsafe_b64encode(made.digest()).decode("ascii")


def plain(kept: str) -> str:
    """Return words as they came: what no database takes stands as JSON behind a noncharacter."""
    return str(json.loads(kept[1:])) if kept[:1] == "\ufdd0" else kept


def as_kept(kept: str) -> bool:
    """Whether words are spelled as a ledger keeps them: there is one way only."""
    if kept[:1] != "\ufdd0":
        return "\0" not in kept
    words = plain(kept)
    odd = "\0" in words or words[:1] == "\ufdd0" or any("\ud800" <= one <= "\udfff" for one in words)  # fmt: skip
    return odd and kept == "\ufdd0" + json.dumps(words)
