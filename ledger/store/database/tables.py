"""The tables of a ledger, as SQLAlchemy tables for SQLite and PostgreSQL."""

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
"""Text compared byte by byte in both databases, so that an upgrade of the system's collations can't reorder its indexes."""
_Big = BigInteger().with_variant(Integer(), "sqlite")


class _AnyType(UserDefinedType[bytes]):
    """SQLite's column type that keeps text as text and bytes as bytes, even in a STRICT table."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """Return the column's type in DDL."""
        return "ANY"


_TextOrBytes = LargeBinary().with_variant(_AnyType(), "sqlite")


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
    Column("codec", Integer, nullable=False),  # 0: JSON text; otherwise the id of the compression dictionary
    Column("data", _TextOrBytes, nullable=False),
    Column("marks", LargeBinary, nullable=False),
    Column("at", _Big, nullable=False),
    Column("writer", Integer, nullable=False),
    Column("source", Integer),
    Column("start", _Big),
    Column("length", _Big),
    Column("key", BYTEWISE),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="log_place"),
    Index("log_key", "key", unique=True, sqlite_where=text("key IS NOT NULL")),  # `postgres` does the same there
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
"""Writers and their clocks. The log refers to them by id, but its hashes cover their text."""

dictionaries = Table(
    "dictionaries",
    META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Compression dictionaries (zstd), each with its SHA-256. They are never deleted."""

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
"""Facts about the ledger: its layout, its id, and how to recognize the key of its ids, which is stored elsewhere."""

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
"""The poker tables at which hands were played."""

hands = Table(
    "hands",
    META,
    _key("position"),  # of the hand's first commit in the log
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
"""Index of accounts of hands. It can be dropped and rebuilt from the log."""

names = Table(
    "names",
    META,
    Column("id", BYTEWISE, primary_key=True),
    Column("venue", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Names of players, by id and room. Erasable."""

texts = Table(
    "texts",
    META,
    Column("ref", BYTEWISE, primary_key=True),
    Column("words", BYTEWISE, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Texts that events refer to, such as remarks. Erasable."""

salts = Table(
    "salts",
    META,
    Column("id", BYTEWISE, primary_key=True),
    Column("salt", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Salts of the ids of names, texts and sources. A source's row also holds its SHA-256.

A salt is deleted with its name. After that, nobody can test whether an id belongs to a name, not even with the key.
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
"""Hidden cards, by their commitments in events. They can be erased, and events reveal nothing without them."""

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
"""Files and feeds that were imported."""

blocks = Table(
    "blocks",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("start", _Big, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Blocks of a source's original bytes, each compressed by itself (zstd), so that a slice is cheap to read."""

blackened = Table(
    "blackened",
    META,
    Column("source", Integer, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""Sources with redacted names, each with the digest of its redacted bytes.

The house's stream holds the same digest (`SourceBlackened`). A source without one must match its original digest.
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
"""How far each projection has read the log."""

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
"""Snapshots of aggregates for the eventsourcing library. They aren't part of the log."""

tiles = Table(
    "tiles",
    META,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", _Big, primary_key=True, autoincrement=False),
    Column("upto", _Big, nullable=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""The Merkle tree over the log, 256 hashes per row. Level n holds the roots of the full rows of level n - 1.

`upto` is the position of the last commit below the row. The tree can be rebuilt from the log.
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
"""Tables that are created on first use. A ledger without them is complete."""

stamps = Table(
    "stamps",
    LATER_TABLES,
    Column("size", _Big, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... of this size
    Column("answer", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Answers of time-stamping authorities (RFC 3161) for checkpoints, by the checkpoint's number of commits."""

rulebooks = Table(
    "rulebooks",
    LATER_TABLES,
    Column("digest", LargeBinary, primary_key=True),
    Column("base", LargeBinary, nullable=False),  # digest of the book that it extends; empty if it extends none
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""Files of rulebooks that the house wrote and adopted, by the book's digest."""
