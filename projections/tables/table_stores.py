"""Databases that hold tables made from the log: the ledger's own, or a temporary one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from ledger.store.database.db_errors import translated

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ledger.store.database.database import Link


class TableStore(Protocol):
    """Opens SQLAlchemy connections to the tables."""

    def core(self, *, write: bool = False) -> AbstractContextManager[Connection]:
        """Open an SQLAlchemy connection in a transaction."""
        ...


class SqlTableStore(TableStore, Protocol):
    """Opens the driver's connections as well, for plain SQL."""

    def snapshot(self) -> AbstractContextManager[Link]:
        """Open the driver's connection in a read transaction."""
        ...


class TemporaryTables:
    """A temporary SQLite database, for the duration of one command."""

    def __init__(self, folder: Path) -> None:
        """Create the database in a temporary folder."""
        from sqlalchemy import create_engine  # noqa: PLC0415 - reading the ledger's own tables needs none of it

        self._engine = create_engine(f"sqlite:///{folder / 'tables'}")

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """See `TableStore.core`: every transaction can write."""
        del write
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Link]:
        """See `SqlTableStore.snapshot`."""
        with translated(), self.core() as connection:
            yield cast("Link", connection.connection.driver_connection)

    def close(self) -> None:
        """Close the file."""
        self._engine.dispose()
