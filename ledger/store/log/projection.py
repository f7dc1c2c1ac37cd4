"""Run projections: tables made from the log, whose position is stored in the transaction of their rows.

So each commit is projected exactly once, even after a crash, and a projection can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from sqlalchemy import Connection, MetaData
from sqlalchemy.exc import IntegrityError

from ledger.store.commits import Commit
from ledger.store.database.database import Database, Link
from ledger.store.database.db_errors import translated
from ledger.store.log.log_reader import LogReader


class Projection(Protocol):
    """Tables made from the log."""

    name: str
    """Unique in a ledger; changes whenever its rows would."""

    tables: MetaData
    """Its own tables."""

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        """Project commits, in order, each once; `connection` is inside the transaction."""


def catch_up(
    database: Database,
    reader: LogReader,
    projection: Projection,
    batch: int,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Project new commits, `batch` to a transaction; return the position reached. `on_progress` gets each position."""
    with translated():
        with database.core(write=True) as connection:
            projection.tables.create_all(connection)
            link = database.link_of(connection)
            if not 0 <= _read_position(link, projection.name) <= database.read_end(link)[0]:
                _reset_projection(link, projection, connection)
        try:
            return _project_new(database, reader, projection, batch, on_progress)
        except IntegrityError:  # its position lies before commits it has projected: somebody changed it
            with database.core(write=True) as connection:
                _reset_projection(database.link_of(connection), projection, connection)
            return _project_new(database, reader, projection, batch, on_progress)


def _project_new(
    database: Database, reader: LogReader, projection: Projection, batch: int, on_progress: Callable[[int], None] | None
) -> int:
    while True:
        with database.core(write=True) as connection:
            link = database.link_of(connection)
            place = _read_position(link, projection.name)
            commits = reader.page(link, place, None, batch)
            if not commits:
                return place
            projection.project(commits, connection)
            link.execute("UPDATE tracking SET position = ? WHERE name = ?", (commits[-1].position, projection.name))
        if on_progress is not None:
            on_progress(commits[-1].position)


def rebuild(database: Database, reader: LogReader, projection: Projection, batch: int) -> int:
    """Drop a projection's tables and rebuild them."""
    with translated(), database.core(write=True) as connection:
        link = database.link_of(connection)
        _read_position(link, projection.name)
        _reset_projection(link, projection, connection)
    return catch_up(database, reader, projection, batch)


def _reset_projection(link: Link, projection: Projection, connection: Connection) -> None:
    """Reset a projection to the beginning of the log."""
    projection.tables.drop_all(connection)
    projection.tables.create_all(connection)
    link.execute("UPDATE tracking SET position = 0 WHERE name = ?", (projection.name,))


def _read_position(link: Link, name: str) -> int:
    """Return a projection's position, locked until the transaction ends."""
    link.execute(
        "INSERT INTO tracking (name, position) VALUES (?, 0) ON CONFLICT (name) DO UPDATE SET "
        "position = tracking.position",
        (name,),
    )
    row = link.execute("SELECT position FROM tracking WHERE name = ?", (name,)).fetchone()
    place: int = row[0]
    return place
