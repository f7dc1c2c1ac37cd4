"""Positions of the log in what is made from it: none may lie outside of the log, and no table may be gone.

Whoever can write into the database can move one. A projection that says it has come further than the log reaches would
pass over everything that comes in later, and so what was made of the log is made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ledger.store.commits import Problem

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ledger.store.database import Database

RESULTS_NAME: Final = "results-1"
SITTINGS_NAME: Final = "sittings-1"
"""What tables made from the log are called in `tracking`."""


class Made(NamedTuple):
    """Tables that are made from the log together."""

    what: str  # as a sentence calls it
    tracked: str  # its name in `tracking`; "" = it keeps its own place
    tables: tuple[str, ...]
    positions: tuple[tuple[str, str], ...]  # table and column of what says which hand a row is about: 1 at least
    counted: tuple[tuple[str, str], ...] = ()  # what counts what is in the log, or says how far it was read: 0 at least
    later: tuple[str, ...] = ()  # tables that a ledger of an earlier version may lack


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


_Ask: TypeAlias = Callable[[str], Sequence[tuple[Any, ...]]]


def outside(database: Database) -> list[Outside | LostTable]:
    """Return the values that lie outside of the log, and the tables that are gone."""
    with database.reading() as link:
        return list(_outside(lambda sql: link.execute(sql).fetchall(), database.address.kind))


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
        there = _tables(lambda sql: link.execute(sql).fetchall(), database.address.kind)
        for made in several:
            for table in made.tables:
                if table in there:
                    link.execute(f"{verb} {table}")
            link.execute("DELETE FROM tracking WHERE name = ?", (made.tracked,))


def check_positions(connection: Connection) -> Iterator[Problem]:
    """Say which values lie outside of the log. Part of `ledger.store.verify`."""

    def ask(sql: str) -> Sequence[tuple[Any, ...]]:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]

    for one in _outside(ask, "sqlite" if connection.dialect.name == "sqlite" else "postgresql"):
        yield Problem(None, "projection", f"{one.reason}; any command but verify makes that again from the log")


def _tables(ask: _Ask, kind: str) -> set[str]:
    if kind == "sqlite":
        return {row[0] for row in ask("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return {row[0] for row in ask("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")}


def _lost(there: set[str], tracked: Iterable[str]) -> Iterator[LostTable]:
    for made in MADE:
        needed = set(made.tables) - set(made.later)
        if made.tracked in tracked or there & set(made.tables):
            yield from (LostTable(made, table) for table in made.tables if table in needed - there)


def _outside(ask: _Ask, kind: str) -> Iterator[Outside | LostTable]:
    there = _tables(ask, kind)
    tracking = ask("SELECT name, position FROM tracking")
    yield from _lost(there, {name for name, position in tracking if position})
    columns = [
        (made, table, column, at_least)
        for made in MADE
        for at_least, some in ((1, made.positions), (0, made.counted))
        for table, column in some
        if made.tables[0] in there and table in there
    ]
    tracked = {made.tracked: made for made in MADE if made.tracked}
    parts = ["SELECT -1, coalesce(max(position), 0), 0 FROM log"]
    parts += [
        f"SELECT {number}, (SELECT min({column}) FROM {table}), (SELECT max({column}) FROM {table})"  # noqa: S608 - constants
        for number, (_, table, column, _) in enumerate(columns)
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
