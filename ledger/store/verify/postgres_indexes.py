"""Compare each index of a PostgreSQL schema with its table: a wrong index hides rows.

Part of `ledger.store.verify`. A damaged page, or a collation that an upgrade of the system changed, makes
the server skip rows that a sequential scan finds. Each index is read whole, in its own order, and held
against the table read in sequence; where the extension amcheck is installed, its check runs as well.
"""

# ruff: noqa: S608 - statements are made of names that the catalog quotes

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import find_schema

_INDEX_SCANS: Final = ("enable_indexscan", "enable_indexonlyscan")
_SEQUENTIAL: Final = ("enable_seqscan", "enable_sort")
_SCANS: Final = (*_INDEX_SCANS, *_SEQUENTIAL, "enable_bitmapscan")


class _Index(NamedTuple):
    """A B-tree over columns of one table."""

    oid: int
    name: str
    table: str  # with its schema, quoted
    columns: tuple[str, ...]  # quoted
    predicate: str  # of a partial index, "" of any other


def check_indexes(connection: Connection) -> Iterator[IntegrityProblem]:
    """Yield the indexes that differ from their tables, and append keys that the log holds twice."""
    if connection.dialect.name == "sqlite":
        return  # `PRAGMA integrity_check` compares them
    has_amcheck = _has_amcheck(connection)
    indexes = _list_indexes(connection)
    shapes = Counter((index.table, index.columns, index.predicate) for index in indexes)
    for index in indexes:
        has_twin = shapes[index.table, index.columns, index.predicate] > 1
        reason = _describe_difference(connection, index, has_twin=has_twin)
        if not reason and has_amcheck:
            reason = _run_amcheck(connection, index)
        if reason:
            yield IntegrityProblem(
                None, "index", f"index {index.name} of {index.table} {reason}: run REINDEX, then verify again"
            )
    yield from _find_repeated_keys(connection)
    _allow_scans(connection, *_SCANS)


def find_changed_collations(connection: Connection) -> list[str]:
    """Return a warning for each collation that has another version now than when the indexes were made."""
    if connection.dialect.name == "sqlite":
        return []
    rows = connection.exec_driver_sql(
        "SELECT 'the database', datcollversion, pg_database_collation_actual_version(oid) FROM pg_database "
        "WHERE datname = current_database() UNION ALL "
        "SELECT DISTINCT 'collation ' || quote_ident(l.collname), l.collversion, pg_collation_actual_version(l.oid) "
        "FROM pg_collation AS l JOIN pg_attribute AS a ON a.attcollation = l.oid "
        "JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = %s AND l.collversion IS NOT NULL",
        (find_schema(connection),),
    )
    return [
        f"{name} sorts text by version {built_version} of its collation, the system has {system_version}: run REINDEX DATABASE"
        for name, built_version, system_version in rows
        if built_version is not None and system_version is not None and built_version != system_version
    ]


def _list_indexes(connection: Connection) -> list[_Index]:
    """Return the valid B-trees of the schema over plain columns; handledger makes no others."""
    rows = connection.exec_driver_sql(
        "SELECT x.indexrelid, i.relname, quote_ident(n.nspname) || '.' || quote_ident(c.relname), "
        "(SELECT array_agg(quote_ident(a.attname) ORDER BY k.at) FROM unnest(x.indkey) WITH ORDINALITY AS k(num, at) "
        "JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.num WHERE k.at <= x.indnkeyatts), "
        "coalesce(pg_get_expr(x.indpred, x.indrelid), '') "
        "FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid "
        "JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_am AS m ON m.oid = i.relam "
        "WHERE n.nspname = %s AND m.amname = 'btree' AND x.indexprs IS NULL AND x.indisvalid AND x.indisready "
        "AND c.relkind = 'r' ORDER BY 3, 2",
        (find_schema(connection),),
    )
    return [_Index(oid, name, table, tuple(columns), predicate) for oid, name, table, columns, predicate in rows]


def _describe_difference(connection: Connection, index: _Index, *, has_twin: bool) -> str:
    """Return how the entries of an index differ from the rows of its table, "" where they are the same.

    Of two indexes over the same columns (`has_twin`) the server reads one; the other is left to amcheck.
    """
    in_table = _summarize_index(connection, index, by_index=False)
    in_index = _summarize_index(connection, index, by_index=True)
    if in_index is None:
        return "" if has_twin else "is never read by the server"
    (rows, row_digest, _), (entries, entry_digest, disorder) = in_table or (0, None, 0), in_index
    if rows != entries:
        return f"has {entries} entries for {rows} rows"
    if row_digest != entry_digest:
        return "has entries that are not the rows'"
    return "is not in the order of its columns" if disorder else ""


def _summarize_index(connection: Connection, index: _Index, *, by_index: bool) -> tuple[int, object, int] | None:
    """Return how many rows a scan finds, a digest of their keys, and how many keys stand before a smaller one.

    None where the server can't be made to read this index.
    """
    _allow_scans(connection, *(_INDEX_SCANS if by_index else _SEQUENTIAL))
    connection.exec_driver_sql("SET LOCAL max_parallel_workers_per_gather = 0")
    columns = ", ".join(index.columns)
    where_clause = f" WHERE {index.predicate}" if index.predicate else ""
    previous = f"lag(ROW({columns})) OVER (ORDER BY {columns})" if by_index else "NULL::record"
    disorder_count = "count(*) FILTER (WHERE previous > here)" if by_index else "0"
    statement = (
        f"SELECT count(*), sum(hashtextextended(here::text, 0)::numeric), {disorder_count} "
        f"FROM (SELECT ROW({columns}) AS here, {previous} AS previous FROM {index.table}{where_clause}) AS keys"
    )
    if by_index and not any(f" {index.name} on" in line for line in _plan(connection, statement)):
        return None
    count, digest, disorder = connection.exec_driver_sql(statement).one()
    return count, digest, disorder


def _allow_scans(connection: Connection, *allowed: str) -> None:
    for setting in _SCANS:
        connection.exec_driver_sql(f"SET LOCAL {setting} = {'on' if setting in allowed else 'off'}")


def _plan(connection: Connection, sql: str) -> list[str]:
    return [str(row[0]).replace('"', "") for row in connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {sql}")]


def _has_amcheck(connection: Connection) -> bool:
    sql = "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'"
    return bool(connection.exec_driver_sql(sql).scalar_one())


def _run_amcheck(connection: Connection, index: _Index) -> str:
    """Return what amcheck finds in an index, "" if nothing or if it may not be called."""
    namespace = connection.exec_driver_sql(
        "SELECT quote_ident(n.nspname) FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'amcheck'"
    ).scalar_one()
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(f"SELECT {namespace}.bt_index_check({index.oid:d}::regclass, true)")
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") == "42501":  # only a superuser may, unless it is granted
            return ""
        return f"is damaged ({str(error.orig).splitlines()[0]})"
    return ""


def _find_repeated_keys(connection: Connection) -> Iterator[IntegrityProblem]:
    """Look in the log itself: its index of keys may lack the entry that would have refused the second."""
    _allow_scans(connection, *_SEQUENTIAL)
    rows = connection.exec_driver_sql(
        "SELECT max(position), count(*) FROM log WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1"
    )
    for position, count in rows.all():
        yield IntegrityProblem(position, "key", f"{count} appends carry the key of this one: each key is used once")
