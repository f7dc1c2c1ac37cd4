"""Open the database behind an address; only its driver is loaded."""

from __future__ import annotations

import os

from ledger.errors import UsageError
from ledger.store.database.database import Database, default_url, parse_address


def open_database(url: str | os.PathLike[str] | None, *, read_only: bool = False, timeout: float = 5.0) -> Database:
    """Return the database behind an address, not checked yet."""
    address_text = os.fspath(url) if url is not None else default_url()
    if not address_text:
        raise UsageError("the ledger's address is empty", "Give a path or a SQLAlchemy URL.")
    parsed = parse_address(address_text)
    if parsed.kind == "sqlite":
        from ledger.store.database.sqlite import SqliteDatabase  # noqa: PLC0415 - only what is needed

        is_usual_place = address_text == default_url()
        return SqliteDatabase(parsed, read_only=read_only, timeout=timeout, makes_folder=is_usual_place)
    from ledger.store.database.postgres import PostgresDatabase  # noqa: PLC0415 - an extra

    return PostgresDatabase(parsed, read_only=read_only, timeout=timeout)
