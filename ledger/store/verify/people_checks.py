"""Verify that ids match their names and texts, and that the layout is ours.

Part of `ledger.store.verify`: shares no code with the modules that write.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError

from ledger.store.commits import IntegrityProblem
from ledger.store.database.ledger_layout import SQLITE_GUARDS
from ledger.store.database.raw_connection import has_table
from ledger.store.database.tables import LATER_TABLES, META
from ledger.store.verify.log_claims import LogClaims


def check_layout(connection: Connection) -> Iterator[IntegrityProblem]:
    """Compare tables, triggers and views of a SQLite file with those that a new ledger has."""
    if connection.dialect.name != "sqlite":
        return
    expected_objects = _build_expected_layout()
    actual_objects = {str(name): definition for name, definition in connection.exec_driver_sql(_LAYOUT_QUERY)}
    for name, definition in actual_objects.items():
        if name in expected_objects and definition != expected_objects[name]:
            yield IntegrityProblem(None, "layout", f"{name} is not laid out as handledger does")
    rows = connection.exec_driver_sql("SELECT value FROM about WHERE name = 'layout'")
    absent_before_v2 = {"salts"} if ("1",) in {tuple(row) for row in rows} else set[str]()
    for name in sorted(
        expected_objects.keys() - actual_objects.keys() - _GUARD_NAMES - LATER_TABLES.tables.keys() - absent_before_v2
    ):
        yield IntegrityProblem(None, "layout", f"{name} is gone")


_LAYOUT_QUERY: Final = "SELECT name, sql FROM sqlite_schema"


@cache
def _build_expected_layout() -> dict[str, str | None]:
    """Return the definitions of a new ledger, as SQLite stores them."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        META.create_all(connection, checkfirst=False)
        LATER_TABLES.create_all(connection, checkfirst=False)
        for guard in SQLITE_GUARDS:
            connection.exec_driver_sql(guard)
        definitions = {str(name): definition for name, definition in connection.exec_driver_sql(_LAYOUT_QUERY)}
    engine.dispose()
    return definitions


_SECRET_TEXT: Final = re.compile(r"[0-9a-f]{64}")
_GUARD_NAMES: Final = frozenset(
    ("log_follows", "log_unchanged", "log_kept", "dictionary_unchanged", "dictionary_kept", "events", "head")
)
"""Names that the check of the guards covers, and `head`, which only PostgreSQL has."""


def check_people(connection: Connection, claims: LogClaims, secret: bytes | None = None) -> Iterator[IntegrityProblem]:
    """Recompute each id from venue, name and salt, and each reference from text and salt.

    Ids without salts come from the secret: the ledger's, or `secret` where the key is outside.
    """
    rows = connection.exec_driver_sql("SELECT name, value FROM about")
    about_values = {str(name): str(value) for name, value in rows}
    yield from _check_id_ways(about_values, claims)
    stored_secret = about_values.get("secret", "")
    id_secret = bytes.fromhex(stored_secret) if _SECRET_TEXT.fullmatch(stored_secret) else secret
    if "secret" in about_values and not _SECRET_TEXT.fullmatch(stored_secret):
        yield IntegrityProblem(None, "about", "the ledger does not say the secret of its ids")
        return
    is_keyed = not about_values.get("ids", "").startswith("salted:")
    salts = read_salts(connection) if "ids" in about_values else {}
    id_maker = _IdMaker(salts, id_secret if is_keyed else None, keyed=is_keyed)
    yield from _check_names(connection, id_maker)
    redacted = {event[1]: event[2] for event in claims.house_events("TextRedacted") if len(event) > 2}
    yield from _check_texts(connection, id_maker, redacted, has_unrecorded=has_unrecorded_redactions(claims))
    yield from _check_salts(connection, salts, redacted.keys())
    yield from _check_ledger_id(connection, about_values.get("ledger", ""))


def _check_names(connection: Connection, id_maker: _IdMaker) -> Iterator[IntegrityProblem]:
    """Recompute the id of each player from venue and name."""
    for player, venue, name in connection.exec_driver_sql("SELECT id, venue, name FROM names"):
        is_own_id = id_maker.matches(player, b"player", f"{unquote_text(venue)}\0{unquote_text(name)}")
        if not (is_own_id and is_spelled_as_stored(venue) and is_spelled_as_stored(name)):
            yield IntegrityProblem(None, "name", f"the name of {player[:8]} is not the one its id was made of")


def _check_texts(
    connection: Connection, id_maker: _IdMaker, redacted: Mapping[object, object], *, has_unrecorded: bool
) -> Iterator[IntegrityProblem]:
    """Recompute the reference of each text; of a redacted one, compare the hash that the house recorded.

    `has_unrecorded`: an older program redacted texts without recording a hash.
    """
    for text_ref, stored_text in connection.exec_driver_sql("SELECT ref, words FROM texts"):
        plain_text = unquote_text(stored_text)
        if text_ref in redacted:
            is_intact = _hash_text(plain_text) == redacted[text_ref]
        else:
            is_intact = id_maker.matches(text_ref, b"text", plain_text) or (has_unrecorded and "*" in plain_text)
        if not (is_intact and is_spelled_as_stored(stored_text)):
            yield IntegrityProblem(None, "text", f"text {text_ref[:9]} is not the one that was recorded")


class _IdMaker:
    """Recomputes ids from salts or the secret."""

    def __init__(self, salts: dict[str, bytes], secret: bytes | None, *, keyed: bool) -> None:
        self._salts, self._secret, self._keyed = salts, secret, keyed

    def matches(self, claimed_id: str, kind: bytes, value: str) -> bool:
        """Return whether the id belongs to this value; True for ids without salts if the secret is unknown."""
        salt = self._salts.get(claimed_id)
        if salt is None and (not self._keyed or self._secret is None):
            return self._keyed
        return claimed_id == ("t" if kind == b"text" else "") + _compute_keyed_id(
            salt or self._secret or b"", kind, value
        )


def _check_id_ways(about_values: dict[str, str], claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Compare the method of ids that the ledger states with the log's."""
    logged_methods = [event[4] for event in claims.house_events("LedgerCreated") if len(event) > 4 and event[4]]
    logged_methods += [event[1] for event in claims.house_events("IdsKeyTaken") if len(event) > 1]
    if logged_methods and about_values.get("ids") != logged_methods[-1]:
        yield IntegrityProblem(None, "about", "the key of the ids is not the one that the log names")
    if not logged_methods and claims.has_house_event("LedgerCreated") and "ids" in about_values:
        yield IntegrityProblem(None, "about", "the log does not know that the key of the ids was taken out")
    if ("secret" in about_values) == ("ids" in about_values) or (about_values.get("layout") == "1") != (
        "secret" in about_values
    ):
        yield IntegrityProblem(None, "about", "the ledger does not say how its ids are made")


def read_salts(connection: Connection) -> dict[str, bytes]:
    """Return the salts of ids: id → salt."""
    if not has_table(connection, "salts"):
        return {}
    return {salted_id: bytes(salt) for salted_id, salt in connection.exec_driver_sql("SELECT id, salt FROM salts")}


def _check_salts(
    connection: Connection, salts: dict[str, bytes], redacted_texts: Iterable[str]
) -> Iterator[IntegrityProblem]:
    """Find salts without an owner, and those that should have gone with a name."""
    used_ids = {str(row[0]) for row in connection.exec_driver_sql("SELECT id FROM names")}
    used_ids |= {str(row[0]) for row in connection.exec_driver_sql("SELECT ref FROM texts")}
    used_ids |= {
        bytes(row[0]).hex()
        for row in connection.exec_driver_sql(
            "SELECT digest FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
        )
    }
    for salted_id in sorted(salts.keys() - used_ids):
        yield IntegrityProblem(
            None, "salt", f"a salt is left over for {salted_id[:9]}, which is gone; names could be guessed with it"
        )
    for salted_id in sorted(salts.keys() & set(redacted_texts)):
        yield IntegrityProblem(None, "salt", f"the salt of text {salted_id[:9]} is kept, and the text was redacted")


def has_unrecorded_redactions(claims: LogClaims) -> bool:
    """Return whether a person was forgotten by a version that didn't record the redacted texts."""
    return any(len(event) < 5 or event[4] is None for event in claims.house_events("PersonErased"))


def _hash_text(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


def _check_ledger_id(connection: Connection, ledger_id: str) -> Iterator[IntegrityProblem]:
    """Compare the ledger's id with the event of its creation."""
    try:
        first_row = connection.exec_driver_sql(
            "SELECT data FROM log WHERE kind = 4 AND codec = 0 ORDER BY position LIMIT 1"
        ).fetchone()
        events = (
            json.loads(bytes(first_row[0]) if isinstance(first_row[0], memoryview) else first_row[0])
            if first_row
            else []
        )
    except (DBAPIError, ValueError):
        return  # the check of the log reports it
    for event in events:
        if isinstance(event, list) and len(event) > 1 and event[0] == "LedgerCreated" and event[1] != ledger_id:
            yield IntegrityProblem(None, "about", "the ledger's id is not the one it was made with")


def _compute_keyed_id(secret: bytes, kind: bytes, value: str) -> str:
    id_hash = hashlib.blake2b(value.encode("utf-8", "surrogatepass"), key=secret, person=kind, digest_size=12)
    return base64.urlsafe_b64encode(id_hash.digest()).decode("ascii")


def unquote_text(stored_text: str) -> str:
    """Return a text as it came: one that no database takes is stored as JSON after a noncharacter."""
    return str(json.loads(stored_text[1:])) if stored_text[:1] == "\ufdd0" else stored_text


def is_spelled_as_stored(stored_text: str) -> bool:
    """Return whether a stored text has the one spelling that a ledger writes."""
    if stored_text[:1] != "\ufdd0":
        return "\0" not in stored_text
    plain_text = unquote_text(stored_text)
    needs_quoting = (
        "\0" in plain_text
        or plain_text[:1] == "\ufdd0"
        or any("\ud800" <= character <= "\udfff" for character in plain_text)
    )
    return needs_quoting and stored_text == "\ufdd0" + json.dumps(plain_text)
