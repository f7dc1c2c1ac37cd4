"""Find objects in a ledger's database that aren't handledger's: a verdict names them, since nothing checks them.

Part of `ledger.store.verify`: shares no code with the modules that write.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and quoted names

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Connection

from ledger.store.database.raw_connection import LEDGER_NAMES, find_schema

_NAMES_IN_LINE: Final = 8  # names in one line
DERIVED_TABLES: Final = (
    *("announced_tables", "hand_dealers", "hand_results", "hand_statistics", "judged_tables", "judgements"),
    *("kept_findings", "obligations", "rested_walks", "seat_results", "seat_statistics", "sittings"),
    "walks_on_the_way",
)
"""Tables that `projections.tables` makes from the log: the verdict has a line of its own for them (`--tables`)."""

_DERIVED_TABLE_LIST: Final = ", ".join(f"'{name}'" for name in DERIVED_TABLES)
_LEDGER_NAMES: Final = ", ".join(f"'{name}'" for name in sorted(LEDGER_NAMES))
_LEDGER_TABLES: Final = f"c.relnamespace = n.oid AND c.relname IN ({_LEDGER_NAMES})"
_NOT_OF_AN_EXTENSION: Final = "NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = {}.oid AND d.classid = '{}'::regclass AND d.deptype = 'e')"

_SQLITE_QUERIES: Final = (
    (
        "tables that are not handledger's",
        (
            f"SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT IN ({_LEDGER_NAMES}) "
            f"AND NOT (type = 'table' AND name IN ({_DERIVED_TABLE_LIST})) ORDER BY name"
        ),
    ),
    (
        "indexes that are not handledger's",
        (
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND name <> 'log_key' "
            f"AND tbl_name NOT IN ({_DERIVED_TABLE_LIST}) ORDER BY name"
        ),
    ),
)

_POSTGRES_QUERIES: Final = (
    (
        "that the server answers truly, and that neither a superuser nor the owner of the tables switched the guards off for a while and on again; owner",
        (f"SELECT DISTINCT pg_get_userbyid(c.relowner) FROM pg_class AS c, n WHERE {_LEDGER_TABLES} ORDER BY 1"),
    ),
    (
        "what others did who have rights on these tables",
        (
            "SELECT pg_get_userbyid(g.grantee) || ' (' || string_agg(DISTINCT CASE g.privilege_type WHEN 'SELECT' THEN 'SELECT' ELSE g.privilege_type || ' ' || c.relname END, ', ') || ')' "
            "FROM n, pg_class AS c, LATERAL (SELECT c.relacl AS acl UNION ALL SELECT a.attacl FROM pg_attribute AS a "
            "WHERE a.attrelid = c.oid) AS every, LATERAL aclexplode(every.acl) AS g "
            f"WHERE {_LEDGER_TABLES} AND g.grantee NOT IN (0, c.relowner) GROUP BY g.grantee ORDER BY 1"
        ),
    ),
    (
        "what others make in the schema, or may do with tables that are still to be made",
        (
            "SELECT CASE g.grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(g.grantee)::text END FROM n JOIN pg_namespace AS s "
            "ON s.oid = n.oid, LATERAL aclexplode(s.nspacl) AS g WHERE g.privilege_type = 'CREATE' AND g.grantee <> s.nspowner UNION "
            "SELECT CASE g.grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(g.grantee)::text END FROM n, pg_default_acl AS d, "
            "LATERAL aclexplode(d.defaclacl) AS g WHERE d.defaclnamespace IN (0, n.oid) AND g.grantee <> d.defaclrole ORDER BY 1"
        ),
    ),
    (
        "tables that are not handledger's",
        (
            "SELECT c.relname FROM pg_class AS c, n WHERE c.relnamespace = n.oid AND c.relkind NOT IN ('i', 'I', 't', 'c') "
            f"AND c.relname NOT IN ({_LEDGER_NAMES}) AND NOT (c.relkind = 'r' AND c.relname IN ({_DERIVED_TABLE_LIST})) ORDER BY 1"
        ),
    ),
    (
        "indexes that are not handledger's",
        (
            f"SELECT i.relname FROM n, pg_index AS x JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid "
            f"WHERE {_LEDGER_TABLES} AND i.relname <> 'log_key' AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.oid) ORDER BY 1"
        ),
    ),
    (
        "functions, operators and types in the ledger's schema that are not handledger's, and casts that PostgreSQL does not have",
        (
            "SELECT p.proname::text FROM pg_proc AS p, n WHERE p.pronamespace = n.oid AND p.proname NOT IN "
            "('handledger_follows', 'handledger_forever') UNION SELECT 'operator ' || o.oprname FROM pg_operator AS o, n "
            "WHERE o.oprnamespace = n.oid UNION SELECT t.typname::text FROM pg_type AS t, n WHERE t.typnamespace = n.oid "
            "AND t.typtype NOT IN ('c') AND t.typelem = 0 AND t.typtype <> 'p' UNION SELECT 'cast ' || format_type(k.castsource, NULL) "
            f"FROM pg_cast AS k WHERE k.oid >= 16384 AND {_NOT_OF_AN_EXTENSION.format('k', 'pg_cast')} ORDER BY 1"
        ),
    ),
    (
        "what the database does by itself at certain commands (event triggers)",
        (
            f"SELECT e.evtname FROM pg_event_trigger AS e WHERE {_NOT_OF_AN_EXTENSION.format('e', 'pg_event_trigger')} ORDER BY 1"
        ),
    ),
    (
        "what settings that wait for roles of this database change",
        (
            "SELECT DISTINCT split_part(one, '=', 1) FROM pg_db_role_setting AS s, unnest(s.setconfig) AS one WHERE s.setdatabase IN "
            "(0, (SELECT oid FROM pg_database WHERE datname = current_database())) AND split_part(one, '=', 1) IN ('search_path', "
            "'session_replication_role', 'session_preload_libraries', 'local_preload_libraries', 'row_security') ORDER BY 1"
        ),
    ),
)


def find_foreign_objects(connection: Connection) -> Iterator[str]:
    """Yield, in words, the foreign objects beside a ledger, which nothing checks."""
    if connection.dialect.name == "sqlite":
        for subject, query in _SQLITE_QUERIES:
            yield from _describe_names(subject, [row[0] for row in connection.exec_driver_sql(query)])
        return
    schema_clause = "WITH n AS (SELECT oid FROM pg_namespace WHERE nspname = %s) "
    for subject, query in _POSTGRES_QUERIES:
        rows = connection.exec_driver_sql(schema_clause + query, (find_schema(connection),))
        yield from _describe_names(subject, [row[0] for row in rows])


def _describe_names(subject: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        omission = f" and {len(names) - _NAMES_IN_LINE} more" if len(names) > _NAMES_IN_LINE else ""
        yield f"{subject}: {', '.join(map(str, names[:_NAMES_IN_LINE]))}{omission}"
