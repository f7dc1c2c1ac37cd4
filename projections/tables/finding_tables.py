"""The database tables of findings and dues, for each rulebook and each version of the code.

A judgement belongs to one digest of a book's file and one digest of the judging code. Rows of other books or other code
are separate and never reused.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)

from ledger.store.database.derived_tables import FINDINGS_LAYOUT
from ledger.store.database.tables import BYTEWISE, tracking

FINDINGS: Final = MetaData()
_BIG_INTEGER = BigInteger().with_variant(Integer(), "sqlite")

judgements = Table(
    "judgements",
    FINDINGS,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("book", BYTEWISE, nullable=False),
    Column("edition", BYTEWISE, nullable=False),
    Column("digest", BYTEWISE, nullable=False),  # of the book's file
    Column("code", BYTEWISE, nullable=False),  # of the detectors and everything they use
    Column("position", _BIG_INTEGER, nullable=False),  # in the log, up to which all tables were judged
    UniqueConstraint("digest", "code"),
)


def _build_key_columns() -> list[Column[Any]]:
    """Return the key columns of a poker table's row: the judgement, and the table's names."""
    name_columns = [Column(name, BYTEWISE, primary_key=True) for name in ("venue", "tournament", "name")]
    return [Column("judgement", Integer, primary_key=True, autoincrement=False), *name_columns]


judged_tables = Table(
    "judged_tables",
    FINDINGS,
    *_build_key_columns(),
    Column("begun", _BIG_INTEGER, nullable=False),  # end of the log when the table was last judged from its first hand
    Column("position", _BIG_INTEGER, nullable=False),  # in the log, up to which this table was judged
    Column("unread", BYTEWISE, nullable=False),  # digest of its unread lines
    Column("accounts", _BIG_INTEGER, nullable=False),  # of hands, as the index counts them
    Column("events", _BIG_INTEGER, nullable=False),  # valid events of its stream
    Column("order", BYTEWISE, nullable=False),  # versions of these events in playing order, or their digest
    Column("result", LargeBinary, nullable=False),  # hands and counts of clauses: `projections.tables.clause_tallies`
)
rested_walks = Table(
    "rested_walks",
    FINDINGS,
    *_build_key_columns(),
    Column("version", _BIG_INTEGER, nullable=False),  # of the table's last walked event
    Column("walk", LargeBinary, nullable=False),  # at the end of a long table: `projections.table_walk.checkpoint`
)
walks_on_the_way = Table(
    "walks_on_the_way",
    FINDINGS,
    *_build_key_columns(),
    Column("hands", _BIG_INTEGER, primary_key=True, autoincrement=False),  # walked before it
    Column("position", _BIG_INTEGER, nullable=False),  # of the next hand in the index
    Column("version", _BIG_INTEGER, nullable=False),  # of the table's last walked event
    Column("broken", _BIG_INTEGER, nullable=False),  # breaks in the chain of hands before it: `obligations` has them
    Column("walk", LargeBinary, nullable=False),  # as in `rested_walks`, without these breaks
)
announced_tables = Table(
    "announced_tables",
    FINDINGS,
    Column("digest", BYTEWISE, primary_key=True),  # of the book's file
    Column("venue", BYTEWISE, primary_key=True),
    Column("tournament", BYTEWISE, primary_key=True),
    Column("name", BYTEWISE, primary_key=True),
    Column("judgement", Integer, nullable=False),  # of the last announcement
    Column("begun", _BIG_INTEGER, nullable=False),  # of that judgement, as in `judged_tables`
    Column("number", Integer, nullable=False),  # of the last announced finding
)
obligations = Table(
    "obligations",
    FINDINGS,
    *_build_key_columns(),
    Column("owing", LargeBinary, nullable=False),  # dues on the next hand: JSON
)
kept_findings = Table(
    "kept_findings",
    FINDINGS,
    *_build_key_columns(),
    Column(
        "number", Integer, primary_key=True, autoincrement=False
    ),  # 1, 2, ... at this table, in the order of an audit
    Column("position", _BIG_INTEGER, nullable=False),  # of the hand in the index
    Column("seat", Integer),
    Column("book", BYTEWISE, nullable=False),
    Column("clause", BYTEWISE, nullable=False),
    Column("severity", BYTEWISE, nullable=False),
    Column("certainty", BYTEWISE, nullable=False),
    Column("finding", LargeBinary, nullable=False),  # JSON
    Index("kept_findings_hand", "position"),
    Index("kept_findings_clause", "judgement", "clause"),
)


def create_finding_tables(connection: Connection) -> None:
    """Create missing tables, and record that all exist, so that `verify` reports a missing table."""
    FINDINGS.create_all(connection)
    tracking.create(connection, checkfirst=True)
    statement = text("INSERT INTO tracking (name, position) VALUES (:name, 0) ON CONFLICT (name) DO NOTHING")
    connection.execute(statement, {"name": FINDINGS_LAYOUT})
