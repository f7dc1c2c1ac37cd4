"""Clear personal data that PostgreSQL keeps beside the rows, as far as this program can.

Statistics hold samples of a column's values, readable in `pg_stats`; pages and the write-ahead log hold
older states of rows. The vault's columns have no statistics. The program clears the rest as far as its role
may, and prints the statements for what it can't reach.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

PRIVATE: Final = {
    "names": {"venue": "text", "name": "text"},
    "texts": {"words": "text"},
    "openings": {"label": "text", "salt": "text", "card": "text"},
    "blocks": {"data": "bytea"},
    "progress": {"state": "text"},
    "salts": {"salt": "bytea"},
    "about": {"value": "text"},
}
"""Columns with names, free texts, hidden cards, bytes of sources or salts, and their types."""

WITHOUT_STATISTICS: Final = tuple(
    f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0"
    for table, columns in PRIVATE.items()
    for column in columns
)
"""Statements that switch off statistics for them in a new ledger."""

_SMALL: Final = ("names", "texts", "openings", "salts", "about")
_TARGETS: Final = (
    "SELECT c.relname, a.attname, CASE a.attcollation WHEN 950 THEN ' COLLATE \"C\"' ELSE '' END "
    "FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid "
    "WHERE c.relnamespace = pg_catalog.current_schema()::regnamespace AND (c.relname, a.attname) IN ({}) "
    "AND (coalesce(a.attstattarget, -1) <> 0 OR EXISTS (SELECT 1 FROM pg_catalog.pg_stats AS s "
    "WHERE s.schemaname = pg_catalog.current_schema() AND s.tablename = c.relname AND s.attname = a.attname))"
)
_SAMPLES: Final = "VACUUM (FULL) pg_catalog.pg_statistic;"
_LOG: Final = (
    "ALTER SYSTEM SET wal_recycle = off; SELECT pg_reload_conf(); CHECKPOINT; SELECT pg_switch_wal(); CHECKPOINT;"
)
_WAIT: Final = "SET LOCAL lock_timeout = '2s'"


def forget_statistics(connection: Connection) -> bool:
    """Switch off statistics of private columns and drop existing ones; return whether all could be."""
    private_columns = ", ".join(
        f"('{table_name}', '{column_name}')" for table_name, columns in PRIVATE.items() for column_name in columns
    )
    column_rows = connection.exec_driver_sql(_TARGETS.format(private_columns)).all()
    is_complete = True
    for table, column, collation in column_rows:
        # Setting a column's type and collation to what they are keeps its rows and drops its statistics.
        column_type = PRIVATE[table][column]
        for change in (f"TYPE {column_type}{collation}", "SET STATISTICS 0"):
            try:
                with connection.begin_nested():
                    connection.exec_driver_sql(_WAIT)
                    connection.exec_driver_sql(f"ALTER TABLE {table} ALTER COLUMN {column} {change}")
            except DBAPIError:  # not the owner, a view over it, or others are reading
                is_complete = False
    connection.commit()
    return is_complete


def vacuum(connection: Connection) -> None:
    """Rewrite the vault's tables without deleted rows; if others use a table, only free the space for reuse."""
    for table in PRIVATE:
        for statement in ("VACUUM (FULL)", "VACUUM") if table in _SMALL else ("VACUUM",):
            try:
                connection.exec_driver_sql(f"{statement} {table}")
                break
            except DBAPIError:  # locked by others for longer than this connection waits
                continue


def describe_remains(connection: Connection) -> list[str]:
    """Return, in words, what an erasure in this database doesn't reach, with the statements that do."""
    schema = str(connection.exec_driver_sql("SELECT pg_catalog.quote_ident(pg_catalog.current_schema())").scalar_one())
    tables = ", ".join(f"{schema}.{table}" for table in PRIVATE)
    return [
        f"older states in the tables' files, until their owner runs: VACUUM (FULL) {tables};",
        f"samples that were taken before statistics were off for these columns, until a superuser runs: {_SAMPLES}",
        f"the server's write-ahead log, until a superuser runs: {_LOG}",
        "what pg_stat_statements and the server's log keep of statements, where values are recorded",
        "archives of the write-ahead log, replicas that lag, base backups and dumps",
    ]
