"""Tables of a ledger in SQLAlchemy, for SQLite and PostgreSQL, to create and query them."""

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

META: Final = MetaData()
BYTEWISE: Final = Text(collation="C").with_variant(Text(), "sqlite")
"""Text that is compared byte for byte on both stores: no upgrade of a system's collations reorders its indexes."""
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
    Column("key", BYTEWISE),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="log_place"),
    Index("log_key", "key", unique=True, sqlite_where=text("key IS NOT NULL")),  # on PostgreSQL, too: `postgres`
    sqlite_strict=True,
)
"""One row for each append. Rows are never changed or deleted."""

writers = Table(
    "writers",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("clock", BYTEWISE, nullable=False),
    Column("by", BYTEWISE, nullable=False),
    UniqueConstraint("clock", "by"),
    sqlite_strict=True,
)
"""Writers and their clocks; a row of the log has the number, and its hash covers the text."""

dictionaries = Table(
    "dictionaries",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Compression dictionaries (zstd), kept for good, each with its SHA-256."""

head = Table(
    "head",
    META,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("position", _Big, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""PostgreSQL only: the end of the log, locked by each append."""

about_table = Table(
    "about",
    META,
    Column("name", BYTEWISE, primary_key=True),
    Column("value", BYTEWISE, nullable=False),
    sqlite_strict=True,
)
"""Facts about the ledger: layout, id, and how to recognize the key of its ids, which is elsewhere."""

places = Table(
    "places",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("venue", BYTEWISE, nullable=False),
    Column("tournament", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),
    UniqueConstraint("venue", "tournament", "name"),
    sqlite_strict=True,
)
"""Tables at which hands were played."""

hands = Table(
    "hands",
    META,
    _key("position"),  # that of the hand's first commit in the log
    Column("place", Integer, nullable=False),
    Column("number", BYTEWISE, nullable=False),
    Column("account", Integer, nullable=False),
    Column("started", _Big),
    Column("variant", BYTEWISE, nullable=False),
    Column("betting", BYTEWISE, nullable=False),
    Column("format", BYTEWISE, nullable=False),
    Column("note", BYTEWISE, nullable=False),
    UniqueConstraint("place", "number", "account", name="hands_identity"),
    sqlite_strict=True,
)
"""Index of accounts of hands: a projection that can be dropped and made anew from the log."""

names = Table(
    "names",
    META,
    Column("id", BYTEWISE, primary_key=True),
    Column("venue", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
texts = Table(
    "texts",
    META,
    Column("ref", BYTEWISE, primary_key=True),
    Column("words", BYTEWISE, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
salts = Table(
    "salts",
    META,
    Column("id", BYTEWISE, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Salts of the ids of names, texts and sources; for sources, their SHA-256, too.

A salt is deleted with its name: without it and without the key, nobody can test names against an id.
"""
openings = Table(
    "openings",
    META,
    Column("commitment", BYTEWISE, primary_key=True),
    Column("label", BYTEWISE, nullable=False),
    Column("salt", BYTEWISE, nullable=False),
    Column("card", BYTEWISE, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Hidden cards, by their commitments in events. Erasable: events reveal nothing without them."""

erased = Table("erased", META, Column("id", BYTEWISE, primary_key=True), sqlite_strict=True, sqlite_with_rowid=False)
"""People whose names may never be stored again."""

sources = Table(
    "sources",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, unique=True),  # NULL while being imported
    Column("length", _Big),  # NULL: the bytes aren't stored here
    Column("name", BYTEWISE, nullable=False),  # reference of a text in the vault
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
"""Original bytes in blocks, each compressed by itself (zstd), so that a slice is cheap."""

blackened = Table(
    "blackened",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Sources with redacted names: the digest of their redacted bytes.

The house's stream holds the same digest (`SourceBlackened`); without it, a source may not differ.
"""

progress = Table(
    "progress",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("reader", BYTEWISE, primary_key=True),
    Column("upto", _Big, nullable=False),
    Column("state", BYTEWISE, nullable=False),
    sqlite_strict=True,
)
"""Progress of unfinished imports."""

tracking = Table(
    "tracking",
    META,
    Column("name", BYTEWISE, primary_key=True),
    Column("position", _Big, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""The position of each projection."""

snapshots = Table(
    "snapshots",
    META,
    Column("purpose", BYTEWISE, primary_key=True),
    Column("stream", LargeBinary, primary_key=True),
    Column("version", _Big, primary_key=True, autoincrement=False),
    Column("topic", BYTEWISE, nullable=False),
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

`upto` is the position of the last commit under it. It can be rebuilt from the log.
"""

checkpoints = Table(
    "checkpoints",
    META,
    Column("size", _Big, primary_key=True, autoincrement=False),
    Column("note", BYTEWISE, nullable=False),
    sqlite_strict=True,
)
"""Signed checkpoints (c2sp.org/tlog-checkpoint), with later cosignatures."""

LATER_TABLES: Final = MetaData()
"""Tables created on first use: a ledger without them is complete."""

stamps = Table(
    "stamps",
    LATER_TABLES,
    Column("size", _Big, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... of this size
    Column("answer", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Answers of time stamping authorities (RFC 3161) for checkpoints, by number of commits."""

rulebooks = Table(
    "rulebooks",
    LATER_TABLES,
    Column("digest", LargeBinary, primary_key=True),
    Column("base", LargeBinary, nullable=False),  # digest of the book that it extends; empty: it stands by itself
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Files of rulebooks that the house made and adopted, by the digest of the book."""
