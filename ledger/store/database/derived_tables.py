"""Positions of the log in what is made from it: none may lie outside of the log, and no table may be gone.

Whoever can write into the database can move one. A projection that says it has come further than the log reaches would
pass over everything that comes in later, and so what was made of the log is made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.store.commits import Problem

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ledger.store.database.database import Database, Link

RESULTS_NAME: Final = "results-1"
SITTINGS_NAME: Final = "sittings-1"
"""What tables made from the log are called in `tracking`."""
FINDINGS_LAYOUT: Final = "findings-layout-1"
"""The row of `tracking` that promises every table of the findings: a ledger of an earlier version lacks both."""


class Made(NamedTuple):
    """Tables that are made from the log together."""

    what: str  # as a sentence calls it
    tracked: str  # its name in `tracking`; "" = it keeps its own place
    tables: tuple[str, ...]
    positions: tuple[tuple[str, str], ...]  # table and column of what says which hand a row is about: 1 at least
    counted: tuple[tuple[str, str], ...] = ()  # what counts what is in the log, or says how far it was read: 0 at least
    later: tuple[str, ...] = ()  # tables that a ledger of an earlier version may lack
    layout: str = ""  # the row of `tracking` that promises these, too


MADE: Final = (
    Made(
        "the findings on file",
        "",
        (
            "judgements",
            "judged_tables",
            "rested_walks",
            "walks_on_the_way",
            "announced_tables",
            "obligations",
            "kept_findings",
        ),
        (("kept_findings", "position"), ("walks_on_the_way", "position")),
        (
            ("judgements", "position"),
            ("judged_tables", "begun"),
            ("judged_tables", "position"),
            ("announced_tables", "begun"),
            ("judged_tables", "accounts"),
            ("judged_tables", "events"),
            ("rested_walks", "version"),
            ("walks_on_the_way", "hands"),
            ("walks_on_the_way", "version"),
            ("walks_on_the_way", "broken"),
        ),
        later=("rested_walks", "walks_on_the_way", "announced_tables"),
        layout=FINDINGS_LAYOUT,
    ),
    Made(
        "the results of hands",
        RESULTS_NAME,
        ("hand_results", "seat_results"),
        (("hand_results", "position"), ("seat_results", "position")),
    ),
    Made("who sat where", SITTINGS_NAME, ("sittings", "hand_dealers"), (("hand_dealers", "position"),)),
)


class Outside(NamedTuple):
    """A value that no log of this length gives."""

    made: Made
    column: str  # table.column, or the name in `tracking`
    value: object
    head: int

    @property
    def reason(self) -> str:
        """Say what is wrong."""
        return (
            f"{self.column} is {self.value!r:.40}, but the log ends at {self.head}: {self.made.what} can't be trusted"
        )


class LostTable(NamedTuple):
    """A table that is gone, while others that are made with it are there."""

    made: Made
    table: str

    @property
    def reason(self) -> str:
        """Say what is wrong."""
        return f"the table {self.table} is gone: {self.made.what} can't be trusted"


class _Tables(NamedTuple):
    """The tables of a ledger, and how to ask about them."""

    ask: Callable[[str], Sequence[tuple[Any, ...]]]
    kind: str  # of the store
    schema: str = ""  # that names are looked up in on PostgreSQL; "" = that of the connection

    def names(self) -> set[str]:
        """Return the names of all tables."""
        if self.kind == "sqlite":
            return {row[0] for row in self.ask("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        text = self.schema.replace("'", "''").replace("%", "%%")
        schema = f"'{text}'" if self.schema else "current_schema()"
        return {row[0] for row in self.ask(f"SELECT tablename FROM pg_tables WHERE schemaname = {schema}")}  # noqa: S608 - quoted

    def qualified(self, table: str) -> str:
        """Return the name of a table as a statement needs it."""
        schema = self.schema.replace('"', '""').replace("%", "%%")
        return f'"{schema}".{table}' if self.schema else table


def _of_database(link: Link, database: Database) -> _Tables:
    return _Tables(lambda sql: link.execute(sql).fetchall(), database.address.kind)


def table_names(database: Database) -> set[str]:
    """Return the names of all tables of a ledger."""
    with database.reading() as link:
        return _of_database(link, database).names()


def outside(database: Database) -> list[Outside | LostTable]:
    """Return the values that lie outside of the log, and the tables that are gone."""
    with database.reading() as link:
        return list(_outside(_of_database(link, database)))


def forget(database: Database, found: Sequence[Outside | LostTable]) -> None:
    """Empty what was made of the log where a value lies outside of it: it's made again when somebody asks.

    Where a table is gone, those that are made with it go as well: all of them are laid out again.
    """
    lost = dict.fromkeys(one.made for one in found if isinstance(one, LostTable))
    empty(database, dict.fromkeys(one.made for one in found if one.made not in lost))
    empty(database, lost, verb="DROP TABLE")


def empty(database: Database, several: Iterable[Made], *, verb: str = "DELETE FROM") -> None:
    """Empty or drop tables that are made from the log: they're made again when somebody asks."""
    with database.writing() as link:
        there = _of_database(link, database).names()
        for made in several:
            for table in made.tables:
                if table in there:
                    link.execute(f"{verb} {table}")
            for name in (made.tracked, made.layout):
                link.execute("DELETE FROM tracking WHERE name = ?", (name,))


def check_positions(connection: Connection) -> Iterator[Problem]:
    """Say which values lie outside of the log. Part of `ledger.store.verify`."""
    from ledger.store.database.raw_connection import schema_of  # noqa: PLC0415 - every command looks at positions, without SQLAlchemy

    def ask(sql: str) -> Sequence[tuple[Any, ...]]:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]

    is_sqlite = connection.dialect.name == "sqlite"
    tables = _Tables(ask, "sqlite") if is_sqlite else _Tables(ask, "postgresql", schema_of(connection))
    for one in _outside(tables):
        yield Problem(None, "projection", f"{one.reason}; any command but verify makes that again from the log")


def _lost(there: set[str], tracking: Sequence[tuple[Any, ...]]) -> Iterator[LostTable]:
    """Yield the tables that are gone: those made with one that is there, or that a row of `tracking` promises."""
    names, begun = {name for name, _ in tracking}, {name for name, position in tracking if position}
    for made in MADE:
        is_promised = made.layout in names
        if is_promised or made.tracked in begun or there & set(made.tables):
            needed = set(made.tables) - (set() if is_promised else set(made.later))
            yield from (LostTable(made, table) for table in made.tables if table in needed - there)


def _outside(tables: _Tables) -> Iterator[Outside | LostTable]:
    ask, there = tables.ask, tables.names()
    tracking = ask("SELECT name, position FROM tracking")
    yield from _lost(there, tracking)
    columns = [
        (made, table, column, at_least)
        for made in MADE
        for at_least, some in ((1, made.positions), (0, made.counted))
        for table, column in some
        if made.tables[0] in there and table in there
    ]
    tracked = {name: made for made in MADE for name in (made.tracked, made.layout) if name}
    parts = ["SELECT -1, coalesce(max(position), 0), 0 FROM log"]
    parts += [
        f"SELECT {number}, (SELECT min({column}) FROM {table}), (SELECT max({column}) FROM {table})"  # noqa: S608 - quoted
        for number, (_, name, column, _) in enumerate(columns)
        for table in (tables.qualified(name),)
    ]
    found = sorted(ask(" UNION ALL ".join(parts)))
    head = found[0][1]
    if not isinstance(head, int):
        return  # the log's own check says so
    for number, least, most in found[1:]:
        made, table, column, at_least = columns[number]
        for value in (least, most):
            if value is not None and not (isinstance(value, int) and at_least <= value <= head):
                yield Outside(made, f"{table}.{column}", value, head)
                break
    for name, position in tracking:
        if isinstance(name, str) and ":" in name:
            continue  # it follows a log elsewhere
        if not (isinstance(name, str) and isinstance(position, int) and 0 <= position <= head):
            made = tracked.get(name) or Made(name if isinstance(name, str) else f"{name!r:.40}", name, (), ())
            yield Outside(made, f"tracking.position of {name!s:.40}", position, head)
