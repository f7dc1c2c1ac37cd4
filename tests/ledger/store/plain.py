"""SQLite as another program sees it: without handledger's settings and guards of the connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def plain_sqlite(file: str | Path) -> Iterator[sqlite3.Connection]:
    """A connection that commits at the end, and is closed (sqlite3's own `with` only commits)."""
    connection = sqlite3.connect(file)
    try:
        with connection:
            yield connection
    finally:
        connection.close()
