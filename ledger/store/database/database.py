"""One database under a ledger: its engine, its transactions, and what differs between the two kinds.

`sqlite` and `postgres` in this room fill it in. The log, its index and the vault are read and
written over a `Link`, the driver's own connection; what is made of the log goes over SQLAlchemy's, which is
loaded when it is first asked for: to read a hand takes less time than to load it.
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
"""A row of a table, either way: the statement says of which types its values are."""

_RETRY_SECONDS: Final = 0.5
"""Seconds after which a watch that broke off is begun anew."""
HAND_COLUMNS: Final = "position, place, number, account, started, variant, betting, format, note"


class Cursor(Protocol):
    """What a statement gives back, by either driver."""

    def fetchone(self) -> Any:  # noqa: ANN401 - rows are the driver's
        """Return the next row or None."""

    def fetchall(self) -> list[Row]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Row]:
        """Yield the remaining rows."""


class Link(Protocol):
    """A driver's connection inside a transaction; parameters are written `?`."""

    def execute(self, sql: str, parameters: Sequence[object] = ..., /) -> Cursor:
        """Run one statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> object:
        """Run one statement for each row."""


class Database(ABC):
    """An open database that holds a ledger."""

    read_only: bool
    keeps_texts: bool
    """Whether plain events are handed over as a text; otherwise as its bytes."""

    is_lasting = True
    """Whether the ledger is there when the program has ended."""

    def __init__(self, address: Address, *, read_only: bool) -> None:
        self.address = address
        self.read_only = read_only
        self.lock = threading.RLock()  # one writer at a time in a process
        self._is_closed = False
        self._engine: Engine | None = None
        self._engine_lock = threading.Lock()  # of the engine
        self._watchers: list[Callable[[], None]] = []

    @property
    def engine(self) -> Engine:
        """SQLAlchemy's engine, made when it is first asked for."""
        with self._engine_lock:
            if self._engine is None:
                import logging  # noqa: PLC0415 - SQLAlchemy loads it

                # What goes wrong with a connection is said in our own words; without a handler of its own,
                # the pool's log would write tracebacks where a person reads.
                logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())
                self._engine = self._make_engine()
            return self._engine

    @abstractmethod
    def _make_engine(self) -> Engine:
        """Return a new engine, whose connections are set up as all are."""

    @abstractmethod
    def prepare(self, *, create: bool, make_about: Callable[[], dict[str, str]]) -> bool:
        """Check that this is a ledger that can be read; make one of nothing if `create`.

        Returns whether it was made now. `about` gives what is written about a new one.
        """

    @abstractmethod
    def reading(self) -> AbstractContextManager[Link]:
        """Lend a connection for reading; what one statement sees is one state of the log."""

    @abstractmethod
    def writing(self, *, bulk: bool = False) -> AbstractContextManager[Link]:
        """Hold the ledger for writing: one transaction, durable when left, undone by an error.

        With `bulk` it is durable only after `settle`.
        """

    appends_at_once = False
    """Whether `at_once` may be asked."""

    def append_at_once(self, rows: Sequence[Ready]) -> list[tuple[int, bytes]]:
        """Append rows in one transaction that holds the log for a moment.

        Return position and hash of each, durable. What a guard finds otherwise is an error, and
        nothing was appended.
        """
        del rows
        return []  # not asked: `appends_at_once` says so

    def wait_for_disk(self) -> None:
        """Return when all that a reader could see is durable: at once where nothing else is seen."""
        return

    @abstractmethod
    def make_durable(self) -> None:
        """Make everything durable that was written in bulk."""

    @abstractmethod
    def read_head(self, link: Link) -> tuple[int, bytes]:
        """Return position and hash of the last commit; while writing, nobody else can add one."""

    @abstractmethod
    def read_end(self, link: Link) -> tuple[int, bytes]:
        """Return position and hash of the last commit, holding up nobody."""

    @abstractmethod
    def scrub(self) -> list[str]:
        """Leave no trace of what was erased where the database keeps older states.

        Returns, in words, what this cannot reach, with the statements that reach further.
        """

    @abstractmethod
    def raise_layout(self, link: Link) -> None:
        """Mark the database as laid out in the newest way, inside a transaction."""

    @abstractmethod
    def add(self, link: Link, rows: list[Row], position: int, link_hash: bytes) -> None:
        """Insert rows into the log, in order of `log`'s columns, and move its head."""

    @abstractmethod
    def add_hands(self, link: Link, rows: list[Row]) -> None:
        """Insert rows into the index of hands, in order of `HANDS`."""

    @abstractmethod
    def values_table(self, types: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, Sequence[object]]:
        """Return SQL of a table `v` (column1, column2, ...) that holds `rows`, and its parameters.

        `types` are PostgreSQL's names of the columns' types.
        """

    @abstractmethod
    def watch_outside(self, on_append: Callable[[], None], stop: threading.Event) -> None:
        """Call `told` whenever another process may have appended, until `stop` is set."""

    @abstractmethod
    def bytes_of(self, column: str) -> str:
        """Return SQL for a column of events as bytes."""

    table_query: str
    """SQL that finds a row where there is a table of a name."""

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
        """Lend a connection inside a transaction that reads: what several statements see is what one transaction sees."""
        with self.core() as connection:
            yield self.link_of(connection)

    @contextmanager
    def watch(self, on_append: Callable[[], None]) -> Iterator[None]:
        """Call `told` after each append, here or in another process. It must return at once."""
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
        """Watch, and begin anew after a lost connection or a file that could not be read: `told`, who looks hears why."""
        while not stop.is_set():
            with suppress(HandledgerError):
                self.watch_outside(on_append, stop)
            if not stop.wait(_RETRY_SECONDS):
                on_append()

    def notify_watchers(self) -> None:
        """Tell those who watch in this process."""
        for on_append in tuple(self._watchers):
            on_append()

    def close(self) -> None:
        """End all connections; one that another thread still uses ends when that gives it back.

        No connection is ended under a thread's feet: drivers free what the thread is reading.
        """
        self._is_closed = True
        if self._engine is not None:
            self._engine.dispose()

    @contextmanager
    def lending(self) -> Iterator[None]:
        """End what comes back to the pool when the ledger has been closed meanwhile."""
        pool = self.engine.pool  # `dispose` puts another in its place
        try:
            yield
        finally:
            if self._is_closed:
                pool.dispose()
                self.engine.pool.dispose()


class Address(NamedTuple):
    """Where a ledger lies: a file of SQLite, or a schema of PostgreSQL."""

    kind: Literal["sqlite", "postgresql"]
    name: str
    """The path of the file, or the URL without its password: what people may see."""
    full_url: str
    """What opens it again: a path, or a URL with its password."""


def parse_address(url: str) -> Address:
    """Return what a URL, or a plain path of a SQLite file, names."""
    if "://" not in url:
        return Address("sqlite", url, url)
    from sqlalchemy import make_url  # noqa: PLC0415 - a path needs none of it
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - the same

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the latter of a port that is no number
        raise UsageError(
            "the ledger's address is no SQLAlchemy URL",
            "Examples: sqlite:///hands.ledger, postgresql://user@host/database, or a path.",
        ) from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return Address("sqlite", parsed.database or ":memory:", url)
    if kind == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return Address("postgresql", parsed.render_as_string(), parsed.render_as_string(hide_password=False))
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
