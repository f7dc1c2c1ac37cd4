"""Verify the layout and the guards of a ledger in PostgreSQL from the catalogs.

Used by `ledger.store.verify`. Names of tables, functions or triggers prove nothing: bodies, events, switches,
owners, rights, rules, policies and the view are compared with the shipped ones.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and quoted names

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, UniqueConstraint
from sqlalchemy.dialects.postgresql.base import PGDialect

from ledger.store.commits import IntegrityProblem
from ledger.store.database.ledger_layout import POSTGRES_GUARDS
from ledger.store.database.raw_connection import LEDGER_NAMES, find_schema
from ledger.store.database.tables import LATER_TABLES, META

_TABLES: Final = {**META.tables, **LATER_TABLES.tables}
_LATER_TABLES: Final = frozenset({*LATER_TABLES.tables, "tiles", "checkpoints", "blackened", "salts"})
"""Tables that a ledger may lack, or that were made later, perhaps by another role."""

_NAMES: Final = ", ".join(f"'{name}'" for name in sorted(LEDGER_NAMES))
_FUNCTION_SQL: Final = re.compile(r"CREATE FUNCTION (\w+)\(\).*?AS \$\$(.*)\$\$", re.DOTALL)
_VIEW_SQL: Final = next(guard for guard in POSTGRES_GUARDS if guard.startswith("CREATE VIEW"))
_VIEW_COLUMNS: Final = ["position", "stream", "version", "kind", "type", "data", "recorded", "commit_position"]

_AFTER_INSERT, _CHANGES = (
    4,
    2 | 8 | 16 | 32,
)  # bits of pg_trigger.tgtype: after an INSERT; before DELETE, UPDATE, TRUNCATE
_TRIGGERS: Final = {
    ("log", "log_follows"): (_AFTER_INSERT, "handledger_follows", "fresh"),
    ("log", "log_unchanged"): (_CHANGES, "handledger_forever", None),
    ("dictionaries", "dictionary_unchanged"): (_CHANGES, "handledger_forever", None),
}


class _Ledger(NamedTuple):
    """The schema of a ledger, and the owner of its log."""

    schema: int
    owner: int


def check_postgres(connection: Connection) -> Iterator[IntegrityProblem]:
    """Compare a ledger's catalogs with those of a new one."""
    if connection.dialect.name == "sqlite":
        return
    yield from check_guards(connection)
    ledger = _find_ledger(connection)
    if ledger is not None:
        yield from _check_columns(connection, ledger)
        yield from check_constraints(connection)


def check_guards(connection: Connection) -> Iterator[IntegrityProblem]:
    """Compare the guards of the log and the view over it: functions, triggers, rules, policies, rights, view."""
    ledger = _find_ledger(connection)
    if ledger is None:
        yield IntegrityProblem(None, "layout", "log is gone")
        return
    for check in (
        _check_relations,
        _check_functions,
        _check_triggers,
        _check_foreign_rules,
        _check_rights,
        _check_session,
        _check_view,
    ):
        yield from check(connection, ledger)


def check_constraints(connection: Connection) -> Iterator[IntegrityProblem]:
    """Compare the constraints and the unique index that writers rely on with those of a new ledger."""
    ledger = _find_ledger(connection)
    if ledger is not None:
        yield from _check_constraints(connection, ledger)
        yield from _check_indexes(connection, ledger)


def _find_ledger(connection: Connection) -> _Ledger | None:
    row = connection.exec_driver_sql(
        "SELECT n.oid, c.relowner FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid "
        "AND c.relname = 'log' WHERE n.nspname = %s",
        (find_schema(connection),),
    ).fetchone()
    return None if row is None else _Ledger(row[0], row[1])


def _query_rows(connection: Connection, sql: str, ledger: _Ledger) -> Sequence[Any]:
    """Run a statement about the ledger's own relations, which it calls `c`."""
    condition = f"c.relnamespace = {ledger.schema:d} AND c.relname IN ({_NAMES})"
    return connection.exec_driver_sql(sql.replace("MINE", condition)).all()


def _check_relations(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    owner_by_name = {}
    for name, *properties, owner in _query_rows(
        connection,
        (
            "SELECT c.relname, c.relkind::text, c.relpersistence::text, coalesce(a.amname::text, ''), c.reloftype = 0, "
            "c.relrowsecurity OR c.relforcerowsecurity, c.relispartition, c.relowner FROM pg_class AS c "
            "LEFT JOIN pg_am AS a ON a.oid = c.relam WHERE MINE"
        ),
        ledger,
    ):
        owner_by_name[str(name)] = owner
        expected_kind = ["v", "p", ""] if name == "events" else ["r", "p", "heap"]
        if properties[:4] != [*expected_kind, True] or properties[5]:
            yield IntegrityProblem(
                None, "layout", f"{name} is not laid out as handledger does: it is no ordinary table or view"
            )
        if properties[4]:
            yield IntegrityProblem(None, "guard", f"row security is on for {name}: rows can be hidden")
        if owner != ledger.owner and name not in _LATER_TABLES:
            yield IntegrityProblem(None, "guard", f"{name} belongs to another role than the log")
    for name in sorted(LEDGER_NAMES - owner_by_name.keys() - _LATER_TABLES):
        yield IntegrityProblem(None, "guard" if name == "events" else "layout", f"{name} is gone")


def _check_functions(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    body_by_name = {name: body for guard in POSTGRES_GUARDS for name, body in _FUNCTION_SQL.findall(guard)}
    rows = connection.exec_driver_sql(
        "SELECT p.proname, p.prosrc, p.proowner, l.lanname = 'plpgsql' AND l.oid < 16384 AND p.prokind = 'f' "
        "AND NOT p.prosecdef AND p.provolatile = 'v' AND p.proconfig IS NULL AND p.probin IS NULL AND NOT p.proretset "
        "AND p.prorettype = 'trigger'::regtype AND p.prosqlbody IS NULL FROM pg_proc AS p "
        "JOIN pg_language AS l ON l.oid = p.prolang WHERE p.pronargs = 0 "
        f"AND p.pronamespace = {ledger.schema:d} AND p.proname IN ({', '.join(repr(name) for name in body_by_name)})"
    )
    row_by_name = {str(row[0]): row for row in rows}
    for name, body in body_by_name.items():
        if name not in row_by_name:
            yield IntegrityProblem(None, "guard", f"{name}, which guards the log, is gone")
        elif row_by_name[name][1] != body or not row_by_name[name][3]:
            yield IntegrityProblem(None, "guard", f"{name}, which guards the log, does not do what it should")
        elif row_by_name[name][2] != ledger.owner:
            yield IntegrityProblem(None, "guard", f"{name} belongs to another role than the log")


def _check_triggers(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    seen_triggers = set()
    for table, name, internal, builtin, enabled_mode, *properties in _query_rows(
        connection,
        (
            "SELECT c.relname, t.tgname, t.tgisinternal, t.tgfoid < 16384, t.tgenabled::text, t.tgtype::int, p.proname, t.tgnewtable, "
            f"p.pronamespace = {ledger.schema:d} AND t.tgqual IS NULL AND t.tgoldtable IS NULL AND t.tgnargs = 0 "
            "AND t.tgattr::text = '' AND t.tgconstraint = 0 AND t.tgparentid = 0 AND NOT t.tgdeferrable "
            "FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE MINE"
        ),
        ledger,
    ):
        expected = _TRIGGERS.get((table, name))
        if internal:
            if enabled_mode != "O" or not builtin:
                yield IntegrityProblem(None, "guard", f"a foreign key of {table} is off")
        elif expected is None:
            yield IntegrityProblem(None, "guard", f"there is a foreign trigger {name} on {table}")
        else:
            seen_triggers.add((table, name))
            if enabled_mode != "O":
                yield IntegrityProblem(None, "guard", f"{name}, which guards {table}, is off")
            if properties != [*expected, True]:
                yield IntegrityProblem(None, "guard", f"{name}, which guards {table}, is another than it should be")
    for table, name in sorted(_TRIGGERS.keys() - seen_triggers):
        yield IntegrityProblem(None, "guard", f"{name}, which guards {table}, is gone")


def _check_foreign_rules(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    """Find rules, policies and child tables: each can replace a table's rows by others."""
    for object_kind, sql in (
        (
            "rule",
            (
                "SELECT c.relname, r.rulename FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class "
                "WHERE MINE AND NOT (c.relkind = 'v' AND r.rulename = '_RETURN' AND r.ev_enabled = 'O')"
            ),
        ),
        (
            "policy",
            "SELECT c.relname, p.polname FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid WHERE MINE",
        ),
        (
            "child table",
            (
                "SELECT c.relname, i.inhrelid::regclass::text FROM pg_inherits AS i "
                "JOIN pg_class AS c ON c.oid IN (i.inhparent, i.inhrelid) WHERE MINE"
            ),
        ),
    ):
        for table, name in _query_rows(connection, sql, ledger):
            yield IntegrityProblem(None, "guard", f"there is a foreign {object_kind} {name} on {table}")


_RIGHTS_QUERY: Final = (
    "SELECT c.relname, g.privilege_type, g.grantee, pg_get_userbyid(g.grantee) FROM pg_class AS c, "
    "LATERAL aclexplode(c.relacl) AS g WHERE MINE AND g.grantee <> c.relowner UNION "
    "SELECT c.relname, g.privilege_type, g.grantee, pg_get_userbyid(g.grantee) FROM pg_class AS c "
    "JOIN pg_attribute AS a ON a.attrelid = c.oid, LATERAL aclexplode(a.attacl) AS g "
    "WHERE MINE AND g.grantee <> c.relowner ORDER BY 1, 2, 4"
)
_OWNERS_RIGHTS: Final = {"TRUNCATE", "TRIGGER", "REFERENCES"}
_APPEND_ONLY_TABLES: Final = {"log", "dictionaries"}


def _check_rights(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    """Find roles beside the owner that may change append-only tables; other rights are listed elsewhere."""
    for table, privilege, grantee, role in _query_rows(connection, _RIGHTS_QUERY, ledger):
        if not grantee:
            yield IntegrityProblem(None, "guard", f"everybody has the right to {privilege} {table}")
        elif privilege in _OWNERS_RIGHTS or (table in _APPEND_ONLY_TABLES and privilege in {"UPDATE", "DELETE"}):
            yield IntegrityProblem(None, "guard", f"{role} has the right to {privilege} {table}")


def _check_session(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    """Check that triggers fire, and that PostgreSQL's functions and operators are its own."""
    del ledger
    if connection.exec_driver_sql("SELECT current_setting('session_replication_role')").scalar_one() != "origin":
        yield IntegrityProblem(None, "guard", "triggers do not fire for this role (session_replication_role)")
    for table, name, kind in (("pg_proc", "proname", "function"), ("pg_operator", "oprname", "operator")):
        sql = (
            f"SELECT DISTINCT x.{name} FROM {table} AS x WHERE x.oid >= 16384 AND NOT EXISTS (SELECT 1 FROM pg_depend AS d "
            f"WHERE d.objid = x.oid AND d.classid = '{table}'::regclass AND d.deptype = 'e') "
            f"AND x.{name[:3]}namespace = 'pg_catalog'::regnamespace ORDER BY 1"
        )
        for (object_name,) in connection.exec_driver_sql(sql):
            yield IntegrityProblem(
                None, "guard", f"pg_catalog holds a {kind} {object_name} that PostgreSQL does not have"
            )


def _check_columns(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    dialect = PGDialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it untyped
    names = {"BIGINT": "bigint", "INTEGER": "integer", "BYTEA": "bytea", "TEXT": "text", 'TEXT COLLATE "C"': "text"}
    columns_by_table: dict[str, list[tuple[object, ...]]] = {}
    collations: dict[str, set[int]] = {}
    for table, collation, *column in _query_rows(
        connection,
        (
            "SELECT c.relname, a.attcollation::int, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
            "NOT a.atthasdef AND a.attidentity = '' AND a.attgenerated = '' AND a.attinhcount = 0 AND a.attcollation IN (0, 100, 950) "
            "FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
            "WHERE MINE AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"
        ),
        ledger,
    ):
        columns_by_table.setdefault(table, []).append(tuple(column))
        if collation:
            collations.setdefault("" if table not in _LATER_TABLES else table, set()).add(collation)
    if any(len(used_collations) > 1 for used_collations in collations.values()):
        yield IntegrityProblem(None, "layout", "the tables compare text in several ways (their collations)")
    for name, columns in columns_by_table.items():
        if name not in _TABLES:
            continue  # reported already
        expected_columns = [
            (
                column_definition.name,
                names[column_definition.type.compile(dialect)],
                not column_definition.nullable,
                True,
            )
            for column_definition in _TABLES[name].columns
        ]
        if columns != expected_columns:
            yield IntegrityProblem(None, "layout", f"{name} is not laid out as handledger does: its columns")


def _check_constraints(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    constraints_by_table: dict[str, set[tuple[object, ...]]] = {}
    for table, kind, columns, foreign_table, is_plain in _query_rows(
        connection,
        (
            "SELECT c.relname, k.contype::text, (SELECT string_agg(a.attname, ',' ORDER BY u.at) FROM unnest(k.conkey) "
            "WITH ORDINALITY AS u(num, at) JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = u.num), "
            "coalesce(f.relname, ''), k.convalidated AND NOT k.condeferrable AND k.coninhcount = 0 AND "
            f"(f.oid IS NULL OR f.relnamespace = {ledger.schema:d}) FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid "
            "LEFT JOIN pg_class AS f ON f.oid = k.confrelid WHERE MINE AND k.contype NOT IN ('n', 't')"
        ),
        ledger,
    ):
        constraints_by_table.setdefault(table, set()).add(
            (kind, columns, foreign_table) if is_plain else (kind, columns, "?")
        )
    existing_tables = {
        row[0]
        for row in _query_rows(connection, "SELECT c.relname FROM pg_class AS c WHERE MINE AND c.relkind = 'r'", ledger)
    }
    for name in sorted(existing_tables & _TABLES.keys()):
        if constraints_by_table.get(name, set()) != _list_expected_constraints(_TABLES[name]):
            yield IntegrityProblem(None, "layout", f"{name} is not laid out as handledger does: its constraints")


def _list_expected_constraints(table: Table) -> set[tuple[str, str, str]]:
    """Return kind, columns and referenced table of each constraint of a new table."""
    constraints = {("p", ",".join(column.name for column in table.primary_key.columns), "")}
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            constraints.add(("u", ",".join(column.name for column in constraint.columns), ""))
    for foreign_key in table.foreign_keys:
        constraints.add(("f", foreign_key.parent.name, foreign_key.column.table.name))
    return constraints


def _check_indexes(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    has_log_key = False
    for table, name, is_valid, builtin, is_plain, is_unique, has_constraint, columns, predicate in _query_rows(
        connection,
        (
            "SELECT c.relname, i.relname, x.indisvalid AND x.indisready AND x.indislive, a.amname = 'btree' AND a.oid < 16384 AND "
            "NOT EXISTS (SELECT 1 FROM unnest(x.indclass) AS o(id) WHERE o.id >= 16384), x.indexprs IS NULL, "
            "x.indisunique, EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.oid AND k.conrelid = c.oid), "
            "pg_get_indexdef(i.oid, 1, false), pg_get_expr(x.indpred, x.indrelid) FROM pg_index AS x "
            "JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_am AS a ON a.oid = i.relam WHERE MINE"
        ),
        ledger,
    ):
        is_log_key = (table, name, columns, is_unique, predicate) == (
            "log",
            "log_key",
            "key",
            True,
            "(key IS NOT NULL)",
        )
        has_log_key = has_log_key or is_log_key
        is_harmless = is_log_key or has_constraint or not (is_unique or predicate is not None)
        if not (is_valid and builtin and is_plain and is_harmless):
            yield IntegrityProblem(None, "layout", f"{table} has an index {name} that is not as handledger makes it")
    if not has_log_key:
        yield IntegrityProblem(None, "layout", "log_key, by which an append is known again, is gone")


def _check_view(connection: Connection, ledger: _Ledger) -> Iterator[IntegrityProblem]:
    """Compare the server's plan of the view `events` with that of the shipped statement.

    First check what the view depends on: if it only reads the log and PostgreSQL's own functions, planning
    it runs no foreign code.
    """
    view_row = connection.exec_driver_sql(
        "SELECT c.oid, c.reloptions IS NULL, (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute AS a "
        "WHERE a.attrelid = c.oid AND a.attnum > 0) FROM pg_class AS c "
        f"WHERE c.relnamespace = {ledger.schema:d} AND c.relname = 'events' AND c.relkind = 'v'"
    ).fetchone()
    if view_row is None:
        return  # reported already
    foreign_count = connection.exec_driver_sql(
        "SELECT count(*) FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid "
        f"WHERE r.ev_class = {view_row[0]:d} AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid IN ({view_row[0]:d}, "
        f"(SELECT c.oid FROM pg_class AS c WHERE c.relnamespace = {ledger.schema:d} AND c.relname = 'log')))"
    ).scalar_one()
    is_intact = not foreign_count and view_row[1] and list(view_row[2]) == _VIEW_COLUMNS
    if is_intact:
        for setting in ("max_parallel_workers_per_gather", "enable_memoize", "jit"):
            connection.exec_driver_sql(f"SET LOCAL {setting} = 0")
        is_intact = _explain_plan(connection, "SELECT * FROM events") == _explain_plan(
            connection, _VIEW_SQL.split(" AS\n", 1)[1]
        )
    if not is_intact:
        yield IntegrityProblem(None, "guard", "events, which shows the log, shows something else")


def _explain_plan(connection: Connection, sql: str) -> list[str]:
    plan_rows = connection.exec_driver_sql(f"EXPLAIN (VERBOSE, COSTS OFF) {sql}")
    return [str(row[0]) for row in plan_rows]
