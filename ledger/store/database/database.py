"""One database under a ledger: its engine, its transactions, and the differences between the two kinds.

`sqlite` and `postgres` in this room implement it. The log, its index and the vault use a `Link`, the
driver's own connection. Tables made from the log use SQLAlchemy, loaded on first use: loading it takes
longer than reading a hand.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import platformdirs

from ledger.errors import HandledgerError, UsageError
from ledger.store.commits import Ready
from ledger.store.database.db_errors import translated

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Row: TypeAlias = tuple[Any, ...]
"""A row of a table, read or written; the statement determines the types of its values."""

_RETRY_SECONDS: Final = 0.5
"""Seconds until a broken watch starts again."""
HAND_COLUMNS: Final = "position, place, number, account, started, variant, betting, format, note"


class Cursor(Protocol):
    """The result of a statement, of either driver."""

    def fetchone(self) -> Any:  # noqa: ANN401 - rows are the driver's
        """Return the next row or None."""

    def fetchall(self) -> list[Row]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Row]:
        """Yield the remaining rows."""


class Link(Protocol):
    """A driver's connection inside a transaction; `?` marks a parameter."""

    def execute(self, sql: str, parameters: Sequence[object] = ..., /) -> Cursor:
        """Run one statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> object:
        """Run one statement for each row."""


class Database(ABC):
    """An open database that holds a ledger."""

    read_only: bool
    keeps_texts: bool
    """Whether the driver takes plain events as text; otherwise as bytes."""

    is_lasting = True
    """Whether the ledger outlives the program."""

    def __init__(self, address: DatabaseAddress, *, read_only: bool) -> None:
        self.address = address
        self.read_only = read_only
        self.lock = threading.RLock()  # one writer at a time in a process
        self._is_closed = False
        self._engine: Engine | None = None
        self._engine_lock = threading.Lock()  # of the engine
        self._watchers: list[Callable[[], None]] = []

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's engine, made on first use."""
        with self._engine_lock:
            if self._engine is None:
                import logging  # noqa: PLC0415 - SQLAlchemy loads it

                # Our own errors report a failed connection; without a handler of its own,
                # the pool's log would write tracebacks to the terminal.
                logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())
                self._engine = self._make_engine()
            return self._engine

    @abstractmethod
    def _make_engine(self) -> Engine:
        """Return a new engine with the settings of all connections."""

    @abstractmethod
    def prepare(self, *, create: bool, make_about: Callable[[], dict[str, str]]) -> bool:
        """Check that this is a readable ledger; make one if there is none and `create` is set.

        Returns whether it was made now. `make_about` returns the rows of a new ledger's `about`.
        """

    @abstractmethod
    def reading(self) -> AbstractContextManager[Link]:
        """Lend a connection for reading; each statement sees one state of the log."""

    @abstractmethod
    def writing(self, *, bulk: bool = False) -> AbstractContextManager[Link]:
        """Hold the ledger for writing: one transaction, durable at the end, undone by an error.

        With `bulk` it's durable only after `make_durable`.
        """

    appends_at_once = False
    """Whether `append_at_once` is available."""

    def append_at_once(self, rows: Sequence[Ready]) -> list[tuple[int, bytes]]:
        """Append rows in one transaction that holds the log for a moment.

        Return position and hash of each, durable. If a guard refuses a row, raise and append nothing.
        """
        del rows
        return []  # never called: see `appends_at_once`

    def wait_for_disk(self) -> None:
        """Return when everything that a reader could see is durable."""
        return

    @abstractmethod
    def make_durable(self) -> None:
        """Make all bulk writes durable."""

    @abstractmethod
    def read_head(self, link: Link) -> tuple[int, bytes]:
        """Return position and hash of the last commit; until the transaction ends, nobody else can append."""

    @abstractmethod
    def read_end(self, link: Link) -> tuple[int, bytes]:
        """Return position and hash of the last commit without blocking anybody."""

    @abstractmethod
    def scrub(self) -> list[str]:
        """Clear erased data from the older states that the database keeps.

        Returns, in words, what this can't reach, with the statements that do.
        """

    @abstractmethod
    def raise_layout(self, link: Link) -> None:
        """Mark the database as of the newest layout, inside a transaction."""

    @abstractmethod
    def add(self, link: Link, rows: list[Row], position: int, link_hash: bytes) -> None:
        """Insert rows into the log, in order of `log`'s columns, and move its head."""

    @abstractmethod
    def add_hands(self, link: Link, rows: list[Row]) -> None:
        """Insert rows into the index of hands, in order of `HAND_COLUMNS`."""

    @abstractmethod
    def values_table(self, types: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, Sequence[object]]:
        """Return SQL of a table `v` (column1, column2, ...) that holds `rows`, and its parameters.

        `types` are PostgreSQL's names of the columns' types.
        """

    @abstractmethod
    def watch_outside(self, on_append: Callable[[], None], stop: threading.Event) -> None:
        """Call `on_append` whenever another process may have appended, until `stop` is set."""

    @abstractmethod
    def bytes_of(self, column: str) -> str:
        """Return SQL for a column of events as bytes."""

    table_query: str
    """SQL that returns a row if there is a table of a name."""

    def has_table(self, name: str) -> bool:
        """Return whether the ledger has a table of this name."""
        with self.reading() as link:
            return link.execute(self.table_query, (name,)).fetchone() is not None

    @abstractmethod
    def link_of(self, connection: Connection) -> Link:
        """Return the driver's connection inside an SQLAlchemy connection."""

    @contextmanager
    def core(self, *, write: bool = False) -> Iterator[Connection]:
        """Lend an SQLAlchemy connection inside a transaction."""
        if not write:
            with translated(), self.lending(), self.engine.connect() as connection, connection.begin():
                yield connection
            return
        with translated(), self.lock, self.lending(), self.engine.connect() as new_connection:
            connection = new_connection.execution_options(handledger_writes=True)
            with connection.begin():
                yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Link]:
        """Lend a connection inside a reading transaction: all its statements see one state."""
        with self.core() as connection:
            yield self.link_of(connection)

    @contextmanager
    def watch(self, on_append: Callable[[], None]) -> Iterator[None]:
        """Call `on_append` after each append, here or in another process. It must return at once."""
        stop = threading.Event()
        self._watchers.append(on_append)
        watcher = threading.Thread(target=self._watch_on, args=(on_append, stop), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            self._watchers.remove(on_append)
            stop.set()
            watcher.join()

    def _watch_on(self, on_append: Callable[[], None], stop: threading.Event) -> None:
        """Watch; after a lost connection or an unreadable file, call `on_append` and start again: the next read reports the error."""
        while not stop.is_set():
            with suppress(HandledgerError):
                self.watch_outside(on_append, stop)
            if not stop.wait(_RETRY_SECONDS):
                on_append()

    def notify_watchers(self) -> None:
        """Notify the watchers of this process."""
        for on_append in tuple(self._watchers):
            on_append()

    def close(self) -> None:
        """Close all connections; one in use closes when its thread gives it back.

        A driver frees memory that a reading thread still uses, so no connection in use is closed.
        """
        self._is_closed = True
        if self._engine is not None:
            self._engine.dispose()

    @contextmanager
    def lending(self) -> Iterator[None]:
        """Close connections that come back to the pool after the ledger was closed."""
        pool = self.engine.pool  # `dispose` puts another in its place
        try:
            yield
        finally:
            if self._is_closed:
                pool.dispose()
                self.engine.pool.dispose()


class DatabaseAddress(NamedTuple):
    """The place of a ledger: a SQLite file or a PostgreSQL schema."""

    kind: Literal["sqlite", "postgresql"]
    name: str
    """The path of the file, or the URL without its password, which people may see."""
    full_url: str
    """The path, or the URL with its password, that opens the ledger again."""


def parse_address(url: str) -> DatabaseAddress:
    """Parse a URL, or a plain path of a SQLite file."""
    if "://" not in url:
        return DatabaseAddress("sqlite", url, url)
    from sqlalchemy import make_url  # noqa: PLC0415 - a path needs none of it
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - the same

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # ValueError: a port that isn't a number
        raise UsageError(
            "the ledger's address is no SQLAlchemy URL",
            "Examples: sqlite:///hands.ledger, postgresql://user@host/database, or a path.",
        ) from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return DatabaseAddress("sqlite", parsed.database or ":memory:", url)
    if kind == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return DatabaseAddress("postgresql", parsed.render_as_string(), parsed.render_as_string(hide_password=False))
    raise UsageError(
        f"handledger keeps ledgers in SQLite and PostgreSQL, not in {kind}",
        "Give a URL that begins with sqlite:/// or postgresql://.",
    )


def default_url() -> str:
    """Return the address of the ledger if none is given: HANDLEDGER_URL, or the user's own file."""
    configured_url = os.environ.get("HANDLEDGER_URL")
    if configured_url:
        return configured_url
    return str(Path(platformdirs.user_data_dir("handledger", appauthor=False)) / "hands.ledger")
