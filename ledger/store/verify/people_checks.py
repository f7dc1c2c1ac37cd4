"""Verifies that names and texts are those their ids were made of, and that the layout is ours.

Part of `ledger.store.verify`: shares no code with what writes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError

from ledger.store.commits import Problem
from ledger.store.database.ledger_layout import SQLITE_GUARDS
from ledger.store.database.raw_connection import there
from ledger.store.database.tables import LATER, META
from ledger.store.verify.log_claims import Said


def check_layout(connection: Connection) -> Iterator[Problem]:
    """Compare tables, triggers and views of a SQLite file with those that a new ledger has."""
    if connection.dialect.name != "sqlite":
        return
    wanted = _layout()
    found = {str(name): told for name, told in connection.exec_driver_sql(_LAYOUT)}
    for name, told in found.items():
        if name in wanted and told != wanted[name]:
            yield Problem(None, "layout", f"{name} is not laid out as handledger does")
    rows = connection.exec_driver_sql("SELECT value FROM about WHERE name = 'layout'")
    older = {"salts"} if ("1",) in {tuple(row) for row in rows} else set[str]()
    for name in sorted(wanted.keys() - found.keys() - _GUARDED - LATER.tables.keys() - older):
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
    ("log_follows", "log_unchanged", "log_kept", "dictionary_unchanged", "dictionary_kept", "events", "head")
)
"""What the check of the guards speaks of, and `head`, which only PostgreSQL has."""


def check_people(connection: Connection, said: Said, secret: bytes | None = None) -> Iterator[Problem]:
    """Make each id again from the venue, the name and its salt; each reference from its text and salt.

    Where ids have no salts, from the secret: that of the ledger, or `secret` where the key is outside.
    """
    rows = connection.exec_driver_sql("SELECT name, value FROM about")
    about = {str(name): str(value) for name, value in rows}
    yield from _ways(about, said)
    held = about.get("secret", "")
    within = bytes.fromhex(held) if _SECRET.fullmatch(held) else secret
    if "secret" in about and not _SECRET.fullmatch(held):
        yield Problem(None, "about", "the ledger does not say the secret of its ids")
        return
    keyed = not about.get("ids", "").startswith("salted:")
    known = salts_of(connection) if "ids" in about else {}
    by = _Making(known, within if keyed else None, keyed=keyed)
    for player, venue, name in connection.exec_driver_sql("SELECT id, venue, name FROM names"):
        if not by.made(player, b"player", f"{plain(venue)}\0{plain(name)}") or not (as_kept(venue) and as_kept(name)):
            yield Problem(None, "name", f"the name of {player[:8]} is not the one its id was made of")
    redacted = {event[1]: event[2] for event in said.told("TextRedacted") if len(event) > 2}
    older = unrecorded(said)
    for ref, words in connection.exec_driver_sql("SELECT ref, words FROM texts"):
        told = plain(words)
        if ref in redacted:
            holds = _digest(told) == redacted[ref]
        else:
            holds = by.made(ref, b"text", told) or (older and "*" in told)
        if not (holds and as_kept(words)):
            yield Problem(None, "text", f"text {ref[:9]} is not the one that was recorded")
    yield from _salts(connection, known, redacted.keys())
    yield from _identity(connection, about.get("ledger", ""))


class _Making:
    """Makes ids again, from what they were made with."""

    def __init__(self, salts: dict[str, bytes], secret: bytes | None, *, keyed: bool) -> None:
        self._salts, self._secret, self._keyed = salts, secret, keyed

    def made(self, one: str, kind: bytes, value: str) -> bool:
        """Whether this id is of this value; True where ids have no salts and nobody gave the secret."""
        salt = self._salts.get(one)
        if salt is None and (not self._keyed or self._secret is None):
            return self._keyed
        return one == ("t" if kind == b"text" else "") + _keyed(salt or self._secret or b"", kind, value)


def _ways(about: dict[str, str], said: Said) -> Iterator[Problem]:
    """Compare how the ledger says that it makes ids with what its log says of that."""
    told = [event[4] for event in said.told("LedgerCreated") if len(event) > 4 and event[4]]
    told += [event[1] for event in said.told("IdsKeyTaken") if len(event) > 1]
    if told and about.get("ids") != told[-1]:
        yield Problem(None, "about", "the key of the ids is not the one that the log names")
    if not told and said.told_any("LedgerCreated") and "ids" in about:
        yield Problem(None, "about", "the log does not know that the key of the ids was taken out")
    if ("secret" in about) == ("ids" in about) or (about.get("layout") == "1") != ("secret" in about):
        yield Problem(None, "about", "the ledger does not say how its ids are made")


def salts_of(connection: Connection) -> dict[str, bytes]:
    """Return what ids were made with: id → salt."""
    if not there(connection, "salts"):
        return {}
    return {one: bytes(salt) for one, salt in connection.exec_driver_sql("SELECT id, salt FROM salts")}


def _salts(connection: Connection, known: dict[str, bytes], redacted: Iterable[str]) -> Iterator[Problem]:
    """Look for salts that belong to nothing, and for those that should have gone with a name."""
    kept = {str(row[0]) for row in connection.exec_driver_sql("SELECT id FROM names")}
    kept |= {str(row[0]) for row in connection.exec_driver_sql("SELECT ref FROM texts")}
    kept |= {
        bytes(row[0]).hex()
        for row in connection.exec_driver_sql(
            "SELECT digest FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
        )
    }
    for one in sorted(known.keys() - kept):
        yield Problem(None, "salt", f"a salt is kept of {one[:9]}, which is not here: guesses can be tried at it")
    for one in sorted(known.keys() & set(redacted)):
        yield Problem(None, "salt", f"the salt of text {one[:9]} is kept, and the text was redacted")


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
        events = json.loads(bytes(first[0]) if isinstance(first[0], memoryview) else first[0]) if first else []
    except (DBAPIError, ValueError):
        return  # the log's own check says so
    for event in events:
        if isinstance(event, list) and len(event) > 1 and event[0] == "LedgerCreated" and event[1] != known:
            yield Problem(None, "about", "the ledger's id is not the one it was made with")


def _keyed(secret: bytes, kind: bytes, value: str) -> str:
    made = hashlib.blake2b(value.encode("utf-8", "surrogatepass"), key=secret, person=kind, digest_size=12)
    return base64.urlsafe_b64encode(made.digest()).decode("ascii")


def plain(kept: str) -> str:
    """Return words as they came: what no database takes stands as JSON behind a noncharacter."""
    return str(json.loads(kept[1:])) if kept[:1] == "\ufdd0" else kept


def as_kept(kept: str) -> bool:
    """Whether words are spelled as a ledger keeps them: there is one way only."""
    if kept[:1] != "\ufdd0":
        return "\0" not in kept
    words = plain(kept)
    odd = "\0" in words or words[:1] == "\ufdd0" or any("\ud800" <= one <= "\udfff" for one in words)
    return odd and kept == "\ufdd0" + json.dumps(words)
