"""Where tables made from the log are kept: what lends connections to them, the ledger's database or one beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from ledger.store.db_errors import translated

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ledger.store.database import Link


class TableStore(Protocol):
    """Something that lends connections to the tables."""

    def core(self, *, write: bool = False) -> AbstractContextManager[Connection]:
        """Lend an SQLAlchemy connection inside a transaction."""
        ...


class SqlTableStore(TableStore, Protocol):
    """One that lends the driver's connections too, for plain SQL."""

    def snapshot(self) -> AbstractContextManager[Link]:
        """Lend the driver's connection inside a transaction that reads."""
        ...


class TemporaryTables:
    """A database of its own for as long as a command runs."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that goes with it."""
        from sqlalchemy import create_engine  # noqa: PLC0415 - whoever reads what is kept in the ledger needs none of it

        self._engine = create_engine(f"sqlite:///{folder / 'tables'}")

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Lend a connection inside a transaction."""
        del write
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Link]:
        """See `Keeping.snapshot`."""
        with translated(), self.core() as connection:
            yield cast("Link", connection.connection.driver_connection)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()
