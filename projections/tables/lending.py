"""Where tables made from the log are kept: what lends connections to them, the ledger's database or one beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, create_engine


class Keeping(Protocol):
    """Something that lends connections to the tables."""

    def core(self, *, write: bool = False) -> AbstractContextManager[Connection]:
        """Lend a connection inside a transaction."""
        ...


class Beside:
    """A database of its own for as long as a command runs."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that goes with it."""
        self._engine = create_engine(f"sqlite:///{folder / 'tables'}")

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Lend a connection inside a transaction."""
        del write
        with self._engine.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()
