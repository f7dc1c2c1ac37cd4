"""Tables of a ledger, for SQLite and PostgreSQL, and the guards that keep the log append-only."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import UserDefinedType

APPLICATION_ID: Final = 0x484C6467  # "HLdg", in the header of a SQLite file
SCHEMA: Final = 2
"""Version of this layout. A ledger with a higher one is refused.

1: the secret behind the ids of players stands in `about`, and there are no `salts`. Such a ledger is
read and written on; `people key --take-out` makes it 2.
"""

META: Final = MetaData()
_Big = BigInteger().with_variant(Integer(), "sqlite")


class _AsItComes(UserDefinedType[bytes]):
    """SQLite's column that keeps texts as texts and bytes as bytes, also in a STRICT table."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Return the column's type in DDL."""
        return "ANY"


_Words = LargeBinary().with_variant(_AsItComes(), "sqlite")


def _key(name: str) -> Column[int]:
    return Column(name, _Big, primary_key=True, autoincrement=False)


log = Table(
    "log",
    META,
    _key("position"),  # of the LAST event
    Column("count", Integer, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("stream", LargeBinary, nullable=False),
    Column("version", _Big, nullable=False),  # of the FIRST event
    Column("codec", Integer, nullable=False),  # 0: JSON text; else the id of its dictionary
    Column("data", _Words, nullable=False),
    Column("marks", LargeBinary, nullable=False),
    Column("at", _Big, nullable=False),
    Column("writer", Integer, nullable=False),
    Column("source", Integer),
    Column("start", _Big),
    Column("length", _Big),
    Column("key", Text),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="log_place"),
    Index("log_key", "key", unique=True, sqlite_where=text("key IS NOT NULL")),  # on PostgreSQL, too: `postgres`
    sqlite_strict=True,
)
"""One row for each append. Nothing is ever changed in it or taken away."""

writers = Table(
    "writers",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("clock", Text, nullable=False),
    Column("by", Text, nullable=False),
    UniqueConstraint("clock", "by"),
    sqlite_strict=True,
)
"""Who wrote by which clock; a row of the log names it by number, its hash covers the words."""

dictionaries = Table(
    "dictionaries",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""What events were compressed with (zstd), kept for good, each named by its SHA-256 too."""

head = Table(
    "head",
    META,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("position", _Big, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""PostgreSQL only: the end of the log, locked by whoever appends."""

about = Table(
    "about", META, Column("name", Text, primary_key=True), Column("value", Text, nullable=False), sqlite_strict=True
)
"""What this ledger is: schema, id, and by what it knows the key of its ids, which lies elsewhere."""

places = Table(
    "places",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("venue", Text, nullable=False),
    Column("tournament", Text, nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("venue", "tournament", "name"),
    sqlite_strict=True,
)
"""Tables at which hands were played."""

hands = Table(
    "hands",
    META,
    _key("position"),  # that of the hand's first commit in the log
    Column("place", Integer, nullable=False),
    Column("number", Text, nullable=False),
    Column("account", Integer, nullable=False),
    Column("started", _Big),
    Column("variant", Text, nullable=False),
    Column("betting", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("note", Text, nullable=False),
    UniqueConstraint("place", "number", "account", name="hands_identity"),
    sqlite_strict=True,
)
"""Index of accounts of hands: a projection that can be dropped and made anew from the log."""

names = Table(
    "names",
    META,
    Column("id", Text, primary_key=True),
    Column("venue", Text, nullable=False),
    Column("name", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
texts = Table(
    "texts",
    META,
    Column("ref", Text, primary_key=True),
    Column("words", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
salts = Table(
    "salts",
    META,
    Column("id", Text, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What the ids of names, of texts and of the bytes of sources were made with; for these, their SHA-256 too.

A salt goes with what it belongs to: without it nobody who has not the key can try names at an id.
"""
openings = Table(
    "openings",
    META,
    Column("commitment", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("card", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Hidden cards, by what stands for them in events. Erasable: the events say nothing without them."""

erased = Table("erased", META, Column("id", Text, primary_key=True), sqlite_strict=True, sqlite_with_rowid=False)
"""People whose names are never to be kept again."""

sources = Table(
    "sources",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, unique=True),  # NULL while its bytes still come in
    Column("length", _Big),  # NULL: the bytes are not kept here
    Column("name", Text, nullable=False),  # reference of a text in the vault
    sqlite_strict=True,
)
blocks = Table(
    "blocks",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("start", _Big, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Original bytes, in blocks compressed each by itself (zstd), so that a slice is cheap."""

blackened = Table(
    "blackened",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Sources in which erased names were made unreadable: the digest of what is kept of them now.

The house's stream says the same (`SourceBlackened`); without that a source may not differ.
"""

progress = Table(
    "progress",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("reader", Text, primary_key=True),
    Column("upto", _Big, nullable=False),
    Column("state", Text, nullable=False),
    sqlite_strict=True,
)
"""How far an import has come that is not finished."""

tracking = Table(
    "tracking",
    META,
    Column("name", Text, primary_key=True),
    Column("position", _Big, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""How far each projection has come."""

snapshots = Table(
    "snapshots",
    META,
    Column("purpose", Text, primary_key=True),
    Column("stream", LargeBinary, primary_key=True),
    Column("version", _Big, primary_key=True, autoincrement=False),
    Column("topic", Text, nullable=False),
    Column("state", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""For eventsourcing's aggregate recorders (snapshots): not part of the log."""

tiles = Table(
    "tiles",
    META,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", _Big, primary_key=True, autoincrement=False),
    Column("upto", _Big, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""The Merkle tree over the log, 256 hashes in a row; level n holds the roots of full rows of n - 1.

`upto` is the position of the last commit under it. A projection: it can be made anew from the log.
"""

checkpoints = Table(
    "checkpoints",
    META,
    Column("size", _Big, primary_key=True, autoincrement=False),
    Column("note", Text, nullable=False),
    sqlite_strict=True,
)
"""Signed checkpoints (c2sp.org/tlog-checkpoint), with the cosignatures that came in since."""

LATER: Final = MetaData()
"""Tables that are made when they are first needed: a ledger that lacks them lacks nothing."""

stamps = Table(
    "stamps",
    LATER,
    Column("size", _Big, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... of this size
    Column("answer", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Answers of time stamping authorities (RFC 3161) over the checkpoint of so many commits."""

GAP: Final = "handledger: positions follow one another without a gap"
VERSION: Final = "handledger: versions of a stream follow one another, all of one kind"
FOREVER: Final = "handledger: what is in the log stays as it is"

HIDDEN: Final = "(compressed)"
"""What the view of events calls those that SQL cannot read; their data is NULL there."""

_KIND_WORDS = (
    "CASE l.kind WHEN 1 THEN 'hand' WHEN 2 THEN 'table' WHEN 3 THEN 'case' WHEN 4 THEN 'house' ELSE 'opaque' END"
)

# ROLLBACK, not ABORT: a statement that may be undone by itself costs a copy of each page it touches,
# which doubles the time of an insert; whoever appends gives the whole transaction up anyway.
SQLITE_GUARDS: Final = (
    f"""CREATE TRIGGER log_follows BEFORE INSERT ON log BEGIN
  SELECT RAISE(ROLLBACK, '{GAP}') WHERE NEW.count < 1
    OR NEW.position - NEW.count IS NOT (SELECT coalesce(max(position), 0) FROM log);
  SELECT RAISE(ROLLBACK, '{VERSION}') FROM (SELECT version + count AS next, kind FROM log
    WHERE stream = NEW.stream ORDER BY version DESC LIMIT 1)
    WHERE next <> NEW.version OR kind <> NEW.kind;
  SELECT RAISE(ROLLBACK, '{VERSION}') WHERE NEW.version <> 1 AND NEW.kind <> 0
    AND NOT EXISTS (SELECT 1 FROM log WHERE stream = NEW.stream);
END""",
    f"""CREATE TRIGGER log_unchanged BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER dictionary_unchanged BEFORE UPDATE ON dictionaries BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER dictionary_kept BEFORE DELETE ON dictionaries BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE VIEW events AS
  SELECT l.position - l.count + 1 + e.key AS position, lower(hex(l.stream)) AS stream,
    l.version + e.key AS version, {_KIND_WORDS} AS kind,
    CASE l.codec WHEN 0 THEN substr(e.value, 3, instr(substr(e.value, 3), '"') - 1) ELSE '{HIDDEN}' END AS type,
    e.value AS data, l.at AS recorded, l.position AS commit_position
  FROM log AS l, json_each(CASE l.codec WHEN 0 THEN l.data
    ELSE '[' || rtrim(replace(hex(zeroblob(l.count)), '00', 'null,'), ',') || ']' END) AS e""",
)

POSTGRES_GUARDS: Final = (
    f"""CREATE FUNCTION handledger_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM (SELECT position, count, lag(position) OVER (ORDER BY position) AS before
      FROM fresh) AS f WHERE f.count < 1 OR f.position - f.count <> coalesce(f.before,
        (SELECT coalesce(max(l.position), 0) FROM log AS l
          WHERE l.position < (SELECT min(position) FROM fresh)))) THEN
    RAISE EXCEPTION '{GAP}';
  END IF;
  IF EXISTS (SELECT 1 FROM fresh AS f LEFT JOIN LATERAL (SELECT l.version + l.count AS next, l.kind
      FROM log AS l WHERE l.stream = f.stream AND l.version < f.version
      ORDER BY l.version DESC LIMIT 1) AS p ON true
      WHERE CASE WHEN p.next IS NULL THEN f.version <> 1 AND f.kind <> 0
        ELSE p.next <> f.version OR p.kind <> f.kind END) THEN
    RAISE EXCEPTION '{VERSION}';
  END IF;
  RETURN NULL;
END $$""",
    """CREATE TRIGGER log_follows AFTER INSERT ON log REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_follows()""",
    f"""CREATE FUNCTION handledger_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{FOREVER}';
END $$""",
    """CREATE TRIGGER log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON log
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_forever()""",
    """CREATE TRIGGER dictionary_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON dictionaries
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_forever()""",
    "REVOKE UPDATE, DELETE, TRUNCATE ON log, dictionaries FROM PUBLIC",
    f"""CREATE VIEW events AS
  SELECT l.position - l.count + e.place AS position, encode(l.stream, 'hex') AS stream,
    l.version + e.place - 1 AS version, {_KIND_WORDS} AS kind,
    CASE l.codec WHEN 0 THEN e.value ->> 0 ELSE '{HIDDEN}' END AS type,
    CASE l.codec WHEN 0 THEN e.value::text END AS data, l.at AS recorded,
    l.position AS commit_position
  FROM log AS l CROSS JOIN LATERAL jsonb_array_elements(CASE l.codec
    WHEN 0 THEN convert_from(l.data, 'UTF8')::jsonb
    ELSE to_jsonb(array_fill(NULL::text, ARRAY[l.count])) END) WITH ORDINALITY AS e(value, place)""",
)
