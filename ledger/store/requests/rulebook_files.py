"""Store the files of rulebooks that a house made and adopted, byte for byte, by the digest of the book.

They are beside the log: a book may name people, and the log keeps everything for good. The house's
stream has the digest, so that changed bytes are noticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import IntegrityError

if TYPE_CHECKING:
    from ledger.store.database.database import Link
    from ledger.store.log.event_log import EventLog

BYTES_MOST: Final = 1 << 20
"""The limit of a rulebook's size."""


class StoredBookFile(NamedTuple):
    """A file of a rulebook. `digest`, hex: of its bytes, or of the base's digest and its own if it extends a book."""

    digest: str
    base: str  # digest of the book that it extends, hex; "" for none
    data: bytes

    @property
    def is_sound(self) -> bool:
        """Whether the digest matches these bytes."""
        file_digest = sha256(self.data).hexdigest()
        return self.digest == (sha256(f"{self.base}\n{file_digest}".encode()).hexdigest() if self.base else file_digest)


def create_table(ledger: EventLog) -> None:
    """Create the table if the ledger lacks it."""
    from ledger.store.database.tables import LATER_TABLES, rulebooks  # noqa: PLC0415 - it loads SQLAlchemy, and every audit loads this module

    with ledger.database.core(write=True) as core:
        LATER_TABLES.create_all(core, tables=[rulebooks])


def store_files(link: Link, files: Iterable[StoredBookFile]) -> int:
    """Store files, replacing damaged ones of the same digest; return how many were new."""
    new_count = 0
    for book_file in files:
        digest, base = bytes.fromhex(book_file.digest), bytes.fromhex(book_file.base)
        row = link.execute("SELECT base, data FROM rulebooks WHERE digest = ?", (digest,)).fetchone()
        if row is not None and (bytes(row[0]), bytes(row[1])) == (base, book_file.data):
            continue
        link.execute("DELETE FROM rulebooks WHERE digest = ?", (digest,))
        link.execute("INSERT INTO rulebooks (digest, base, data) VALUES (?, ?, ?)", (digest, base, book_file.data))
        new_count += 1
    return new_count


def list_kept_books(ledger: EventLog) -> dict[str, str]:
    """Return the digests of all stored books, each with its base's digest or ""."""
    from sqlalchemy import inspect  # noqa: PLC0415 - as above

    with ledger.database.core() as core:
        if not inspect(core).has_table("rulebooks"):
            return {}
    with ledger.database.reading() as link:
        rows = link.execute("SELECT digest, base FROM rulebooks ORDER BY digest").fetchall()
    return {bytes(digest).hex(): bytes(base).hex() for digest, base in rows}


def read_file(ledger: EventLog, digest: str) -> StoredBookFile:
    """Return a stored file; raise if it's missing or larger than allowed."""
    with ledger.database.reading() as link:
        row = link.execute(
            "SELECT base, data FROM rulebooks WHERE digest = ? AND length(data) <= ?",
            (bytes.fromhex(digest), BYTES_MOST),
        ).fetchone()
    if row is None:
        raise IntegrityError(f"the rulebook of SHA-256 {digest[:12]} cannot be read from this ledger")
    return StoredBookFile(digest, bytes(row[0]).hex(), bytes(row[1]))


def read_all_files(ledger: EventLog) -> Iterator[StoredBookFile]:
    """Yield all stored files."""
    return (read_file(ledger, digest) for digest in list_kept_books(ledger))
