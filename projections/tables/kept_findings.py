"""What was found in hands, kept in tables beside the log: for each rulebook and each state of the detectors.

A judgement is one book, to the byte, under one state of the program's own code. Rows of another book
or of other code stand beside these and are never changed into them.
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

from ledger.store.positions import FINDINGS_LAYOUT
from ledger.store.tables import BYTEWISE, tracking

FINDINGS: Final = MetaData()
_Big = BigInteger().with_variant(Integer(), "sqlite")

judgements = Table(
    "judgements",
    FINDINGS,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("book", BYTEWISE, nullable=False),
    Column("edition", BYTEWISE, nullable=False),
    Column("digest", BYTEWISE, nullable=False),  # of the book's file
    Column("code", BYTEWISE, nullable=False),  # of the detectors and all that they stand on
    Column("position", _Big, nullable=False),  # up to which the log was judged
    UniqueConstraint("digest", "code"),
)


def _table() -> list[Column[Any]]:
    """Return the columns that say which table, under which judgement, a row is about."""
    words = [Column(name, BYTEWISE, primary_key=True) for name in ("venue", "tournament", "name")]
    return [Column("judgement", Integer, primary_key=True, autoincrement=False), *words]


judged_tables = Table(
    "judged_tables",
    FINDINGS,
    *_table(),
    Column("begun", _Big, nullable=False),  # where the log ended when it was judged from its beginning
    Column("position", _Big, nullable=False),  # up to which the log was judged for it
    Column("unread", BYTEWISE, nullable=False),  # digest of what was not read of it
    Column("accounts", _Big, nullable=False),  # of hands, as the index counts them
    Column("events", _Big, nullable=False),  # of its stream that hold, in its order: how many there were,
    Column("order", BYTEWISE, nullable=False),  # and the digest of their versions
    Column("result", LargeBinary, nullable=False),  # hands, books, coverage: an `AuditResult` without findings
)
rested_walks = Table(
    "rested_walks",
    FINDINGS,
    *_table(),
    Column("version", _Big, nullable=False),  # of the last event of the table's stream that was walked
    Column(
        "walk", LargeBinary, nullable=False
    ),  # what is remembered of a long table: `projections.table_walk.checkpoint`
)
walks_on_the_way = Table(
    "walks_on_the_way",
    FINDINGS,
    *_table(),
    Column("hands", _Big, primary_key=True, autoincrement=False),  # of the table that had been walked by then
    Column("position", _Big, nullable=False),  # of the hand that comes next, as in the index
    Column("version", _Big, nullable=False),  # of the last event of the table's stream that had been walked
    Column("broken", _Big, nullable=False),  # places where the chain of its hands broke before: `obligations` has them
    Column("walk", LargeBinary, nullable=False),  # as in `rested_walks`, without these places
)
announced_tables = Table(
    "announced_tables",
    FINDINGS,
    Column("digest", BYTEWISE, primary_key=True),  # of the book's file
    Column("venue", BYTEWISE, primary_key=True),
    Column("tournament", BYTEWISE, primary_key=True),
    Column("name", BYTEWISE, primary_key=True),
    Column("judgement", Integer, nullable=False),  # what was announced last: which judgement, from which beginning,
    Column("begun", _Big, nullable=False),
    Column("number", Integer, nullable=False),  # up to which of its findings
)
obligations = Table(
    "obligations",
    FINDINGS,
    *_table(),
    Column("owing", LargeBinary, nullable=False),  # what is due on the coming hand, and from whom: JSON
)
kept_findings = Table(
    "kept_findings",
    FINDINGS,
    *_table(),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... at this table, as an audit has them
    Column("position", _Big, nullable=False),  # of the hand, as in the index
    Column("seat", Integer),
    Column("book", BYTEWISE, nullable=False),
    Column("clause", BYTEWISE, nullable=False),
    Column("severity", BYTEWISE, nullable=False),
    Column("certainty", BYTEWISE, nullable=False),
    Column("finding", LargeBinary, nullable=False),  # the whole of it, JSON
    Index("kept_findings_hand", "position"),
    Index("kept_findings_clause", "judgement", "clause"),
)


def lay_out_findings(connection: Connection) -> None:
    """Create the tables that aren't there, and note that all of them are: `verify` names one that's gone later."""
    FINDINGS.create_all(connection)
    tracking.create(connection, checkfirst=True)
    noted = text("INSERT INTO tracking (name, position) VALUES (:name, 0) ON CONFLICT (name) DO NOTHING")
    connection.execute(noted, {"name": FINDINGS_LAYOUT})
