"""Check positions in tables made from the log: none may lie outside of the log, and no table may be missing.

A person who can write to the database can change one. A projection whose position lies after the log's end
would skip later commits, so its tables are made again from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.store.commits import IntegrityProblem

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ledger.store.database.database import Database, Link

RESULTS_NAME: Final = "results-1"
SITTINGS_NAME: Final = "sittings-1"
STATISTICS_NAME: Final = "statistics-1"
"""Names in `tracking` of tables made from the log."""
FINDINGS_LAYOUT: Final = "findings-layout-1"
"""The row of `tracking` that promises all tables of findings: a ledger of an earlier version lacks both."""


class TableGroup(NamedTuple):
    """Tables made from the log together."""

    label: str  # as a sentence calls it
    tracking_name: str  # its name in `tracking`; "" = it keeps its own place
    tables: tuple[str, ...]
    position_columns: tuple[tuple[str, str], ...]  # table and column of what says which hand a row is about: 1 at least
    count_columns: tuple[
        tuple[str, str], ...
    ] = ()  # what counts what is in the log, or says how far it was read: 0 at least
    optional_tables: tuple[str, ...] = ()  # tables that a ledger of an earlier version may lack
    layout_name: str = ""  # the row of `tracking` that promises these, too


TABLE_GROUPS: Final = (
    TableGroup(
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
        optional_tables=("rested_walks", "walks_on_the_way", "announced_tables"),
        layout_name=FINDINGS_LAYOUT,
    ),
    TableGroup(
        "the results of hands",
        RESULTS_NAME,
        ("hand_results", "seat_results"),
        (("hand_results", "position"), ("seat_results", "position")),
    ),
    TableGroup("who sat where", SITTINGS_NAME, ("sittings", "hand_dealers"), (("hand_dealers", "position"),)),
    TableGroup(
        "the statistics of players",
        STATISTICS_NAME,
        ("hand_statistics", "seat_statistics"),
        (("hand_statistics", "position"), ("seat_statistics", "position")),
    ),
)


class OutOfLog(NamedTuple):
    """A value beyond the end of the log."""

    table_group: TableGroup
    column: str  # table.column, or the name in `tracking`
    value: object
    log_end: int

    @property
    def reason(self) -> str:
        """Say what is wrong."""
        return f"{self.column} is {self.value!r:.40}, but the log ends at {self.log_end}: {self.table_group.label} can't be trusted"


class LostTable(NamedTuple):
    """A missing table whose group has others left."""

    table_group: TableGroup
    table: str

    @property
    def reason(self) -> str:
        """Say what is wrong."""
        return f"the table {self.table} is gone: {self.table_group.label} can't be trusted"


class _Tables(NamedTuple):
    """The tables of a ledger, and how to ask about them."""

    query: Callable[[str], Sequence[tuple[Any, ...]]]
    kind: str  # of the store
    schema: str = ""  # that names are looked up in on PostgreSQL; "" = that of the connection

    def names(self) -> set[str]:
        """Return the names of all tables."""
        if self.kind == "sqlite":
            return {row[0] for row in self.query("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        text = self.schema.replace("'", "''").replace("%", "%%")
        schema = f"'{text}'" if self.schema else "current_schema()"
        return {row[0] for row in self.query(f"SELECT tablename FROM pg_tables WHERE schemaname = {schema}")}  # noqa: S608 - quoted

    def qualified(self, table: str) -> str:
        """Return the name of a table as a statement needs it."""
        schema = self.schema.replace('"', '""').replace("%", "%%")
        return f'"{schema}".{table}' if self.schema else table


def _open_tables(link: Link, database: Database) -> _Tables:
    return _Tables(lambda sql: link.execute(sql).fetchall(), database.address.kind)


def list_table_names(database: Database) -> set[str]:
    """Return the names of all tables of a ledger."""
    with database.reading() as link:
        return _open_tables(link, database).names()


def find_out_of_log(database: Database) -> list[OutOfLog | LostTable]:
    """Return the values that lie outside of the log, and the tables that are gone."""
    with database.reading() as link:
        return list(_find_out_of_log(_open_tables(link, database)))


def reset_derived_tables(database: Database, faults: Sequence[OutOfLog | LostTable]) -> None:
    """Empty what was made of the log where a value lies outside of it: it's made again when somebody asks.

    Where a table is gone, those that are made with it go as well: all of them are laid out again.
    """
    lost_groups = dict.fromkeys(fault.table_group for fault in faults if isinstance(fault, LostTable))
    empty_derived_tables(
        database, dict.fromkeys(fault.table_group for fault in faults if fault.table_group not in lost_groups)
    )
    empty_derived_tables(database, lost_groups, verb="DROP TABLE")


def empty_derived_tables(database: Database, table_groups: Iterable[TableGroup], *, verb: str = "DELETE FROM") -> None:
    """Empty or drop tables that are made from the log: they're made again when somebody asks."""
    with database.writing() as link:
        existing_tables = _open_tables(link, database).names()
        for table_group in table_groups:
            for table in table_group.tables:
                if table in existing_tables:
                    link.execute(f"{verb} {table}")
            for name in (table_group.tracking_name, table_group.layout_name):
                link.execute("DELETE FROM tracking WHERE name = ?", (name,))


def check_positions(connection: Connection) -> Iterator[IntegrityProblem]:
    """Say which values lie outside of the log. Part of `ledger.store.verify`."""
    from ledger.store.database.raw_connection import find_schema  # noqa: PLC0415 - every command looks at positions, without SQLAlchemy

    def ask(sql: str) -> Sequence[tuple[Any, ...]]:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]

    is_sqlite = connection.dialect.name == "sqlite"
    tables = _Tables(ask, "sqlite") if is_sqlite else _Tables(ask, "postgresql", find_schema(connection))
    for fault in _find_out_of_log(tables):
        yield IntegrityProblem(
            None, "projection", f"{fault.reason}; the next command that uses it rebuilds it from the log"
        )


def _find_lost_tables(existing_tables: set[str], tracking: Sequence[tuple[Any, ...]]) -> Iterator[LostTable]:
    """Yield the tables that are gone: those made with one that is there, or that a row of `tracking` promises."""
    tracked_names, begun_names = {name for name, _ in tracking}, {name for name, position in tracking if position}
    for table_group in TABLE_GROUPS:
        is_promised = table_group.layout_name in tracked_names
        if is_promised or table_group.tracking_name in begun_names or existing_tables & set(table_group.tables):
            needed_tables = set(table_group.tables) - (set() if is_promised else set(table_group.optional_tables))
            yield from (
                LostTable(table_group, table)
                for table in table_group.tables
                if table in needed_tables - existing_tables
            )


class _PositionColumn(NamedTuple):
    """A column with positions of the log, or with counts of what is in it."""

    table_group: TableGroup
    table: str
    column: str
    at_least: int


def _find_out_of_log(tables: _Tables) -> Iterator[OutOfLog | LostTable]:
    """Yield the tables that are gone, and the values that lie outside of the log."""
    existing_tables = tables.names()
    tracking = tables.query("SELECT name, position FROM tracking")
    yield from _find_lost_tables(existing_tables, tracking)
    columns = list(_list_columns(existing_tables))
    log_end, ranges = _query_ranges(tables, columns)
    if not isinstance(log_end, int):
        return  # the check of the log reports it
    for position_column, values in zip(columns, ranges, strict=True):
        wrong_value = next((value for value in values if _is_outside(value, position_column.at_least, log_end)), None)
        if wrong_value is not None:
            column_name = f"{position_column.table}.{position_column.column}"
            yield OutOfLog(position_column.table_group, column_name, wrong_value, log_end)
    yield from _find_tracking_out_of_log(tracking, log_end)


def _list_columns(existing_tables: set[str]) -> Iterator[_PositionColumn]:
    """Yield the columns with positions or counts in the tables that are there."""
    for table_group in TABLE_GROUPS:
        if table_group.tables[0] not in existing_tables:
            continue
        for at_least, columns in ((1, table_group.position_columns), (0, table_group.count_columns)):
            yield from (
                _PositionColumn(table_group, table, column, at_least)
                for table, column in columns
                if table in existing_tables
            )


def _query_ranges(tables: _Tables, columns: Sequence[_PositionColumn]) -> tuple[object, list[tuple[object, object]]]:
    """Return the last position of the log, and the lowest and highest value of each column."""
    selects = ["SELECT -1, coalesce(max(position), 0), 0 FROM log"]
    for number, (_, name, column, _) in enumerate(columns):
        table = tables.qualified(name)
        lowest, highest = (f"(SELECT {function}({column}) FROM {table})" for function in ("min", "max"))  # noqa: S608 - quoted
        selects.append(f"SELECT {number}, {lowest}, {highest}")
    (_, log_end, _), *ranges = sorted(tables.query(" UNION ALL ".join(selects)))
    return log_end, [(lowest, highest) for _, lowest, highest in ranges]


def _find_tracking_out_of_log(tracking: Sequence[tuple[Any, ...]], log_end: int) -> Iterator[OutOfLog]:
    """Yield the positions in `tracking` that lie outside of the log. A name with a colon follows a log elsewhere."""
    groups_by_name = {
        name: table_group
        for table_group in TABLE_GROUPS
        for name in (table_group.tracking_name, table_group.layout_name)
        if name
    }
    for name, position in tracking:
        if isinstance(name, str) and (":" in name or _is_position(position, 0, log_end)):
            continue
        label = name if isinstance(name, str) else f"{name!r:.40}"
        table_group = groups_by_name.get(name) or TableGroup(label, name, (), ())
        yield OutOfLog(table_group, f"tracking.position of {name!s:.40}", position, log_end)


def _is_outside(value: object, at_least: int, log_end: int) -> bool:
    """Whether a value is there, and is no position between these."""
    return value is not None and not _is_position(value, at_least, log_end)


def _is_position(value: object, at_least: int, log_end: int) -> bool:
    return isinstance(value, int) and at_least <= value <= log_end
