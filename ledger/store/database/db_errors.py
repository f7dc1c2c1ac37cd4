"""Turn exceptions of databases into our own errors: no driver's exception leaves the store."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.errors import (
    ConflictError,
    HandledgerError,
    IntegrityError,
    LedgerBusyError,
    NotALedgerError,
    StorageFullError,
    StoreError,
    UsageError,
)

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

_BUSY_HINT = "Wait until the other program has finished, then do it again: nothing was stored."
_DISK_HINT = "Free some space or choose another place with --ledger; what was stored stays stored."
_CORRUPT_HINT = "Keep the file as it is, and go on from a copy or a backup that `handledger verify` finds sound."


@contextmanager
def translated() -> Iterator[None]:
    """Turn an exception of a driver or of SQLAlchemy into one of our errors."""
    try:
        yield
    except HandledgerError:
        raise
    except Exception as error:
        store_error = as_store_error(error)
        if store_error is None:
            raise
        raise store_error from error


def as_store_error(error: BaseException) -> HandledgerError | None:
    """Return our error for a driver's exception, None for any other."""
    if isinstance(error, HandledgerError):
        return error
    if isinstance(error, sqlite3.Error):
        return _from_sqlite(error)
    if isinstance(error, UnicodeDecodeError):  # SQLite's message quotes the damaged text
        return IntegrityError("the ledger's file is damaged: it holds text that is none", _CORRUPT_HINT)
    if "sqlalchemy.exc" in sys.modules:  # unless it's loaded, nobody raised its errors
        from sqlalchemy.exc import DBAPIError, SQLAlchemyError  # noqa: PLC0415 - reading may do without it

        if isinstance(error, DBAPIError) and error.orig is not None:
            return as_store_error(error.orig) or StoreError(f"the ledger's database refused: {error.orig}")
        if isinstance(error, SQLAlchemyError):
            return StoreError(f"the ledger's database refused: {error}")
    if type(error).__module__.partition(".")[0] == "psycopg":
        return _from_postgres(error)
    return None


def is_nobodys_fault(error: DBAPIError) -> bool:
    """Return whether an error says nothing against the ledger itself.

    That is so if the ledger is locked, the connection broke, or the role may not read a table.
    """
    state = getattr(error.orig, "sqlstate", None)
    if isinstance(error.orig, sqlite3.Error):
        return isinstance(as_store_error(error), LedgerBusyError)
    return not state or state.startswith(("08", "57P")) or state in {"42501", "55P03", "57014"}


def _from_sqlite(error: sqlite3.Error) -> HandledgerError:
    words = str(error)
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return LedgerBusyError("another program is writing to this ledger", _BUSY_HINT)
    if code in {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    }:
        return StorageFullError(f"the ledger's file cannot be written or read: {words}", _DISK_HINT)
    if code == sqlite3.SQLITE_NOTADB:
        return NotALedgerError(
            "this file isn't a ledger",
            "Give the path of a ledger. To make a new one: handledger import FILES --ledger NEW.ledger",
        )
    if code == sqlite3.SQLITE_CORRUPT:
        return IntegrityError(f"the ledger's file is damaged: {words}", _CORRUPT_HINT)
    return _from_constraint(words) or StoreError(f"the ledger's database refused: {words}")


def _from_postgres(error: BaseException) -> HandledgerError:
    words = str(error).strip().partition("\n")[0]
    state = getattr(error, "sqlstate", None) or ""
    if state in {"55P03", "40001", "40P01", "57014"}:
        return LedgerBusyError("another program is writing to this ledger", _BUSY_HINT)
    if state == "42501":
        return StoreError(
            f"the role that opened the ledger may not do this: {words}",
            "Ask the owner of its tables for the right to read (or write) them.",
        )
    if state == "25006":
        return StoreError(
            f"the ledger's server takes no changes: {words}",
            "It is a standby, or set to read-only. Name the primary server with --ledger.",
        )
    if "NUL (0x00)" in words:  # the driver's own error, before the server sees the text
        return UsageError("a text can't hold a NUL byte", "Send it without that byte.")
    if state.startswith(("53", "58")):
        return StorageFullError(f"the ledger's server cannot write: {words}", _DISK_HINT)
    if state.startswith("XX"):
        return IntegrityError(f"the ledger's database is damaged: {words}", _CORRUPT_HINT)
    if not state or state.startswith(("08", "57P")):
        return StoreError(
            f"no connection to the ledger's server: {words}",
            "Make it first: createdb NAME makes a database on its server, createuser NAME a role."
            if "does not exist" in words
            else "Check that the server is running and reachable, then try again.",
        )
    return _from_constraint(words) or StoreError(f"the ledger's database refused: {words}")


def _from_constraint(words: str) -> HandledgerError | None:
    if "handledger: versions" in words or "log_place" in words or "log.stream" in words:
        return ConflictError("another writer was first at this place of the stream")
    if "log_key" in words or "log.key" in words:
        return ConflictError("another writer used this idempotency key first")
    if "handledger:" in words:
        return IntegrityError(words[words.index("handledger:") :])
    return None
