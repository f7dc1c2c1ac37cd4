"""Tables of findings beside the log, for each rulebook and each version of the detectors.

A judgement is one book, to the byte, under one digest of the program's code. Rows of other books or other
code are separate and never reused.
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
_Big = BigInteger().with_variant(Integer(), "sqlite")

judgements = Table(
    "judgements",
    FINDINGS,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("book", BYTEWISE, nullable=False),
    Column("edition", BYTEWISE, nullable=False),
    Column("digest", BYTEWISE, nullable=False),  # of the book's file
    Column("code", BYTEWISE, nullable=False),  # of the detectors and everything they use
    Column("position", _Big, nullable=False),  # up to which the log was judged
    UniqueConstraint("digest", "code"),
)


def _table() -> list[Column[Any]]:
    """Return the key columns of a row: judgement and poker table."""
    words = [Column(name, BYTEWISE, primary_key=True) for name in ("venue", "tournament", "name")]
    return [Column("judgement", Integer, primary_key=True, autoincrement=False), *words]


judged_tables = Table(
    "judged_tables",
    FINDINGS,
    *_table(),
    Column("begun", _Big, nullable=False),  # where the log ended when it was judged from its beginning
    Column("position", _Big, nullable=False),  # up to which the log was judged for it
    Column("unread", BYTEWISE, nullable=False),  # digest of its unread lines
    Column("accounts", _Big, nullable=False),  # of hands, as the index counts them
    Column("events", _Big, nullable=False),  # valid events of its stream,
    Column("order", BYTEWISE, nullable=False),  # and their versions in playing order, or a digest of these
    Column("result", LargeBinary, nullable=False),  # hands and coverage: an `AuditResult` without findings
)
rested_walks = Table(
    "rested_walks",
    FINDINGS,
    *_table(),
    Column("version", _Big, nullable=False),  # of the table's last walked event
    Column("walk", LargeBinary, nullable=False),  # state of a long table: `projections.table_walk.checkpoint`
)
walks_on_the_way = Table(
    "walks_on_the_way",
    FINDINGS,
    *_table(),
    Column("hands", _Big, primary_key=True, autoincrement=False),  # of the table walked before it
    Column("position", _Big, nullable=False),  # of the next hand in the index
    Column("version", _Big, nullable=False),  # of the table's last walked event
    Column("broken", _Big, nullable=False),  # breaks in the chain of hands before it: `obligations` has them
    Column("walk", LargeBinary, nullable=False),  # as in `rested_walks`, without these breaks
)
announced_tables = Table(
    "announced_tables",
    FINDINGS,
    Column("digest", BYTEWISE, primary_key=True),  # of the book's file
    Column("venue", BYTEWISE, primary_key=True),
    Column("tournament", BYTEWISE, primary_key=True),
    Column("name", BYTEWISE, primary_key=True),
    Column("judgement", Integer, nullable=False),  # the last announcement: its judgement, where that began,
    Column("begun", _Big, nullable=False),
    Column("number", Integer, nullable=False),  # and the number of its last finding
)
obligations = Table(
    "obligations",
    FINDINGS,
    *_table(),
    Column("owing", LargeBinary, nullable=False),  # dues on the next hand: JSON
)
kept_findings = Table(
    "kept_findings",
    FINDINGS,
    *_table(),
    Column(
        "number", Integer, primary_key=True, autoincrement=False
    ),  # 1, 2, ... at this table, in the order of an audit
    Column("position", _Big, nullable=False),  # of the hand in the index
    Column("seat", Integer),
    Column("book", BYTEWISE, nullable=False),
    Column("clause", BYTEWISE, nullable=False),
    Column("severity", BYTEWISE, nullable=False),
    Column("certainty", BYTEWISE, nullable=False),
    Column("finding", LargeBinary, nullable=False),  # JSON
    Index("kept_findings_hand", "position"),
    Index("kept_findings_clause", "judgement", "clause"),
)


def lay_out_findings(connection: Connection) -> None:
    """Create missing tables and record that all exist: `verify` then reports one that's gone."""
    FINDINGS.create_all(connection)
    tracking.create(connection, checkfirst=True)
    noted = text("INSERT INTO tracking (name, position) VALUES (:name, 0) ON CONFLICT (name) DO NOTHING")
    connection.execute(noted, {"name": FINDINGS_LAYOUT})
