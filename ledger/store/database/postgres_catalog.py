"""Verifies that a ledger in PostgreSQL is laid out and guarded as handledger does, from the catalogs.

Part of `ledger.store.verify`. What a table, a function or a trigger is called says nothing: bodies, events,
switches, owners, rights, rules, policies and the view are compared with the shipped ones.
"""

# ruff: noqa: S608 - statements are made of constants, numbers and quoted names

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, UniqueConstraint
from sqlalchemy.dialects.postgresql.base import PGDialect

from ledger.store.commits import Problem
from ledger.store.database.ledger_layout import POSTGRES_GUARDS
from ledger.store.database.raw_connection import OURS, schema_of
from ledger.store.database.tables import LATER, META

_TABLES: Final = {**META.tables, **LATER.tables}
_LATE: Final = frozenset({*LATER.tables, "tiles", "checkpoints", "blackened", "salts"})
"""Tables that a ledger may lack, or that were made later, perhaps by another role."""

_NAMES: Final = ", ".join(f"'{name}'" for name in sorted(OURS))
_FUNCTION: Final = re.compile(r"CREATE FUNCTION (\w+)\(\).*?AS \$\$(.*)\$\$", re.DOTALL)
_VIEW: Final = next(one for one in POSTGRES_GUARDS if one.startswith("CREATE VIEW"))
_SHOWN: Final = ["position", "stream", "version", "kind", "type", "data", "recorded", "commit_position"]

_INSERT, _REST = (4, 2 | 8 | 16 | 32)  # bits of pg_trigger.tgtype: after an INSERT; before DELETE, UPDATE, TRUNCATE
_TRIGGERS: Final = {
    ("log", "log_follows"): (_INSERT, "handledger_follows", "fresh"),
    ("log", "log_unchanged"): (_REST, "handledger_forever", None),
    ("dictionaries", "dictionary_unchanged"): (_REST, "handledger_forever", None),
}


class _Ledger(NamedTuple):
    """The schema that holds a ledger, and who owns its log."""

    schema: int
    owner: int


def check_postgres(connection: Connection) -> Iterator[Problem]:
    """Compare what the catalogs say of a ledger with what a new one has."""
    if connection.dialect.name == "sqlite":
        return
    yield from check_guards(connection)
    where = _where(connection)
    if where is not None:
        yield from _columns(connection, where)
        yield from check_constraints(connection)


def check_guards(connection: Connection) -> Iterator[Problem]:
    """Compare what keeps the log append-only, and what shows it: functions, triggers, rules, policies, rights, view."""
    where = _where(connection)
    if where is None:
        yield Problem(None, "layout", "log is gone")
        return
    for check in (_relations, _functions, _triggers, _others, _rights, _session, _view):
        yield from check(connection, where)


def check_constraints(connection: Connection) -> Iterator[Problem]:
    """Compare the constraints and the unique index that writers rely on with those of a new ledger."""
    where = _where(connection)
    if where is not None:
        yield from _constraints(connection, where)
        yield from _indexes(connection, where)


def _where(connection: Connection) -> _Ledger | None:
    row = connection.exec_driver_sql(
        "SELECT n.oid, c.relowner FROM pg_namespace AS n JOIN pg_class AS c ON c.relnamespace = n.oid "
        "AND c.relname = 'log' WHERE n.nspname = %s",
        (schema_of(connection),),
    ).fetchone()
    return None if row is None else _Ledger(row[0], row[1])


def _rows(connection: Connection, sql: str, where: _Ledger) -> Sequence[Any]:
    """Run a statement about the ledger's own relations, which it calls `c`."""
    mine = f"c.relnamespace = {where.schema:d} AND c.relname IN ({_NAMES})"
    return connection.exec_driver_sql(sql.replace("MINE", mine)).all()


def _relations(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    found = {}
    for name, *what, owner in _rows(
        connection,
        (
            "SELECT c.relname, c.relkind::text, c.relpersistence::text, coalesce(a.amname::text, ''), c.reloftype = 0, "
            "c.relrowsecurity OR c.relforcerowsecurity, c.relispartition, c.relowner FROM pg_class AS c "
            "LEFT JOIN pg_am AS a ON a.oid = c.relam WHERE MINE"
        ),
        where,
    ):
        found[str(name)] = owner
        wanted = ["v", "p", ""] if name == "events" else ["r", "p", "heap"]
        if what[:4] != [*wanted, True] or what[5]:
            yield Problem(None, "layout", f"{name} is not laid out as handledger does: it is no ordinary table or view")
        if what[4]:
            yield Problem(None, "guard", f"row security is on for {name}: rows can be hidden")
        if owner != where.owner and name not in _LATE:
            yield Problem(None, "guard", f"{name} belongs to another role than the log")
    for name in sorted(OURS - found.keys() - _LATE):
        yield Problem(None, "guard" if name == "events" else "layout", f"{name} is gone")


def _functions(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    wanted = {name: body for one in POSTGRES_GUARDS for name, body in _FUNCTION.findall(one)}
    rows = connection.exec_driver_sql(
        "SELECT p.proname, p.prosrc, p.proowner, l.lanname = 'plpgsql' AND l.oid < 16384 AND p.prokind = 'f' "
        "AND NOT p.prosecdef AND p.provolatile = 'v' AND p.proconfig IS NULL AND p.probin IS NULL AND NOT p.proretset "
        "AND p.prorettype = 'trigger'::regtype AND p.prosqlbody IS NULL FROM pg_proc AS p "
        "JOIN pg_language AS l ON l.oid = p.prolang WHERE p.pronargs = 0 "
        f"AND p.pronamespace = {where.schema:d} AND p.proname IN ({', '.join(repr(name) for name in wanted)})"
    )
    found = {str(row[0]): row for row in rows}
    for name, body in wanted.items():
        if name not in found:
            yield Problem(None, "guard", f"{name}, which guards the log, is gone")
        elif found[name][1] != body or not found[name][3]:
            yield Problem(None, "guard", f"{name}, which guards the log, does not do what it should")
        elif found[name][2] != where.owner:
            yield Problem(None, "guard", f"{name} belongs to another role than the log")


def _triggers(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    found = set()
    for table, name, internal, builtin, on, *what in _rows(
        connection,
        (
            "SELECT c.relname, t.tgname, t.tgisinternal, t.tgfoid < 16384, t.tgenabled::text, t.tgtype::int, p.proname, t.tgnewtable, "
            f"p.pronamespace = {where.schema:d} AND t.tgqual IS NULL AND t.tgoldtable IS NULL AND t.tgnargs = 0 "
            "AND t.tgattr::text = '' AND t.tgconstraint = 0 AND t.tgparentid = 0 AND NOT t.tgdeferrable "
            "FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE MINE"
        ),
        where,
    ):
        wanted = _TRIGGERS.get((table, name))
        if internal:
            if on != "O" or not builtin:
                yield Problem(None, "guard", f"a foreign key of {table} is off")
        elif wanted is None:
            yield Problem(None, "guard", f"there is a foreign trigger {name} on {table}")
        else:
            found.add((table, name))
            if on != "O":
                yield Problem(None, "guard", f"{name}, which guards {table}, is off")
            if what != [*wanted, True]:
                yield Problem(None, "guard", f"{name}, which guards {table}, is another than it should be")
    for table, name in sorted(_TRIGGERS.keys() - found):
        yield Problem(None, "guard", f"{name}, which guards {table}, is gone")


def _others(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    """Look for rules, policies and children: each can put other rows in the place of a table's."""
    for what, sql in (
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
        for table, name in _rows(connection, sql, where):
            yield Problem(None, "guard", f"there is a foreign {what} {name} on {table}")


_ACL: Final = (
    "SELECT c.relname, g.privilege_type, g.grantee, pg_get_userbyid(g.grantee) FROM pg_class AS c, "
    "LATERAL aclexplode(c.relacl) AS g WHERE MINE AND g.grantee <> c.relowner UNION "
    "SELECT c.relname, g.privilege_type, g.grantee, pg_get_userbyid(g.grantee) FROM pg_class AS c "
    "JOIN pg_attribute AS a ON a.attrelid = c.oid, LATERAL aclexplode(a.attacl) AS g "
    "WHERE MINE AND g.grantee <> c.relowner ORDER BY 1, 2, 4"
)
_NOBODY: Final = {"TRUNCATE", "TRIGGER", "REFERENCES"}
_KEPT: Final = {"log", "dictionaries"}


def _rights(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    """Look whether others than the owner may change what nobody changes; who may do less is told elsewhere."""
    for table, may, grantee, role in _rows(connection, _ACL, where):
        if not grantee:
            yield Problem(None, "guard", f"everybody has the right to {may} {table}")
        elif may in _NOBODY or (table in _KEPT and may in {"UPDATE", "DELETE"}):
            yield Problem(None, "guard", f"{role} has the right to {may} {table}")


def _session(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    """Look whether triggers fire at all, and whether PostgreSQL's own functions and operators are its own."""
    del where
    if connection.exec_driver_sql("SELECT current_setting('session_replication_role')").scalar_one() != "origin":
        yield Problem(None, "guard", "triggers do not fire for this role (session_replication_role)")
    for table, name, kind in (("pg_proc", "proname", "function"), ("pg_operator", "oprname", "operator")):
        sql = (
            f"SELECT DISTINCT x.{name} FROM {table} AS x WHERE x.oid >= 16384 AND NOT EXISTS (SELECT 1 FROM pg_depend AS d "
            f"WHERE d.objid = x.oid AND d.classid = '{table}'::regclass AND d.deptype = 'e') "
            f"AND x.{name[:3]}namespace = 'pg_catalog'::regnamespace ORDER BY 1"
        )
        for (found,) in connection.exec_driver_sql(sql):
            yield Problem(None, "guard", f"pg_catalog holds a {kind} {found} that PostgreSQL does not have")


def _columns(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    dialect = PGDialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it untyped
    names = {"BIGINT": "bigint", "INTEGER": "integer", "BYTEA": "bytea", "TEXT": "text", 'TEXT COLLATE "C"': "text"}
    found: dict[str, list[tuple[object, ...]]] = {}
    collations: dict[str, set[int]] = {}
    for table, collation, *column in _rows(
        connection,
        (
            "SELECT c.relname, a.attcollation::int, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
            "NOT a.atthasdef AND a.attidentity = '' AND a.attgenerated = '' AND a.attinhcount = 0 AND a.attcollation IN (0, 100, 950) "
            "FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
            "WHERE MINE AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"
        ),
        where,
    ):
        found.setdefault(table, []).append(tuple(column))
        if collation:
            collations.setdefault("" if table not in _LATE else table, set()).add(collation)
    if any(len(used) > 1 for used in collations.values()):
        yield Problem(None, "layout", "the tables compare text in several ways (their collations)")
    for name, columns in found.items():
        if name not in _TABLES:
            continue  # said already
        wanted = [(c.name, names[c.type.compile(dialect)], not c.nullable, True) for c in _TABLES[name].columns]
        if columns != wanted:
            yield Problem(None, "layout", f"{name} is not laid out as handledger does: its columns")


def _constraints(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    found: dict[str, set[tuple[object, ...]]] = {}
    for table, kind, columns, other, plain in _rows(
        connection,
        (
            "SELECT c.relname, k.contype::text, (SELECT string_agg(a.attname, ',' ORDER BY u.at) FROM unnest(k.conkey) "
            "WITH ORDINALITY AS u(num, at) JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = u.num), "
            "coalesce(f.relname, ''), k.convalidated AND NOT k.condeferrable AND k.coninhcount = 0 AND "
            f"(f.oid IS NULL OR f.relnamespace = {where.schema:d}) FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid "
            "LEFT JOIN pg_class AS f ON f.oid = k.confrelid WHERE MINE AND k.contype NOT IN ('n', 't')"
        ),
        where,
    ):
        found.setdefault(table, set()).add((kind, columns, other) if plain else (kind, columns, "?"))
    there = {
        row[0] for row in _rows(connection, "SELECT c.relname FROM pg_class AS c WHERE MINE AND c.relkind = 'r'", where)
    }
    for name in sorted(there & _TABLES.keys()):
        if found.get(name, set()) != _constrained(_TABLES[name]):
            yield Problem(None, "layout", f"{name} is not laid out as handledger does: its constraints")


def _constrained(table: Table) -> set[tuple[str, str, str]]:
    """Return kind, columns and the table pointed at of each constraint that a new table has."""
    wanted = {("p", ",".join(c.name for c in table.primary_key.columns), "")}
    for one in table.constraints:
        if isinstance(one, UniqueConstraint):
            wanted.add(("u", ",".join(c.name for c in one.columns), ""))
    for key in table.foreign_keys:
        wanted.add(("f", key.parent.name, key.column.table.name))
    return wanted


def _indexes(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    key = False
    for table, name, well, builtin, plain, unique, constrains, columns, when in _rows(
        connection,
        (
            "SELECT c.relname, i.relname, x.indisvalid AND x.indisready AND x.indislive, a.amname = 'btree' AND a.oid < 16384 AND "
            "NOT EXISTS (SELECT 1 FROM unnest(x.indclass) AS o(id) WHERE o.id >= 16384), x.indexprs IS NULL, "
            "x.indisunique, EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.oid AND k.conrelid = c.oid), "
            "pg_get_indexdef(i.oid, 1, false), pg_get_expr(x.indpred, x.indrelid) FROM pg_index AS x "
            "JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_am AS a ON a.oid = i.relam WHERE MINE"
        ),
        where,
    ):
        ours = (table, name, columns, unique, when) == ("log", "log_key", "key", True, "(key IS NOT NULL)")
        key = key or ours
        harmless = ours or constrains or not (unique or when is not None)
        if not (well and builtin and plain and harmless):
            yield Problem(None, "layout", f"{table} has an index {name} that is not as handledger makes it")
    if not key:
        yield Problem(None, "layout", "log_key, by which an append is known again, is gone")


def _view(connection: Connection, where: _Ledger) -> Iterator[Problem]:
    """Compare what the server makes of the view `events` with what it makes of the shipped statement.

    First what the view depends on: of a view that reads the log and PostgreSQL's own functions alone,
    the plan runs nothing that somebody else wrote.
    """
    there = connection.exec_driver_sql(
        "SELECT c.oid, c.reloptions IS NULL, (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute AS a "
        "WHERE a.attrelid = c.oid AND a.attnum > 0) FROM pg_class AS c "
        f"WHERE c.relnamespace = {where.schema:d} AND c.relname = 'events' AND c.relkind = 'v'"
    ).fetchone()
    if there is None:
        return  # said already
    foreign = connection.exec_driver_sql(
        "SELECT count(*) FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid "
        f"WHERE r.ev_class = {there[0]:d} AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid IN ({there[0]:d}, "
        f"(SELECT c.oid FROM pg_class AS c WHERE c.relnamespace = {where.schema:d} AND c.relname = 'log')))"
    ).scalar_one()
    holds = not foreign and there[1] and list(there[2]) == _SHOWN
    if holds:
        for setting in ("max_parallel_workers_per_gather", "enable_memoize", "jit"):
            connection.exec_driver_sql(f"SET LOCAL {setting} = 0")
        holds = _plan(connection, "SELECT * FROM events") == _plan(connection, _VIEW.split(" AS\n", 1)[1])
    if not holds:
        yield Problem(None, "guard", "events, which shows the log, shows something else")


def _plan(connection: Connection, sql: str) -> list[str]:
    told = connection.exec_driver_sql(f"EXPLAIN (VERBOSE, COSTS OFF) {sql}")
    return [str(row[0]) for row in told]
