"""Files of the rulebooks that a house made and adopted, to the byte, each by the digest of the book that it makes.

They lie beside the log: a book may name people, and what is hashed into the log is there for good. The
house's stream names the digest, so that other bytes are noticed.
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
"""As many as the program reads of a rulebook."""


class BookFile(NamedTuple):
    """A file of a rulebook. `digest`: hex, of its bytes; of one that extends another book, of that book's digest and its own."""

    digest: str
    base: str  # digest of the book that it extends, hex; "" = it stands by itself
    data: bytes

    @property
    def sound(self) -> bool:
        """Whether the digest is that of these bytes."""
        own = sha256(self.data).hexdigest()
        return self.digest == (sha256(f"{self.base}\n{own}".encode()).hexdigest() if self.base else own)


def prepare(ledger: EventLog) -> None:
    """Make the table where it is not there yet."""
    from ledger.store.database.tables import LATER_TABLES, rulebooks  # noqa: PLC0415 - it loads SQLAlchemy, and every audit comes by here

    with ledger.database.core(write=True) as core:
        LATER_TABLES.create_all(core, tables=[rulebooks])


def keep(link: Link, files: Iterable[BookFile]) -> int:
    """Keep files, in place of what lies under their digests and is otherwise; return how many were not there."""
    new = 0
    for one in files:
        digest, base = bytes.fromhex(one.digest), bytes.fromhex(one.base)
        row = link.execute("SELECT base, data FROM rulebooks WHERE digest = ?", (digest,)).fetchone()
        if row is not None and (bytes(row[0]), bytes(row[1])) == (base, one.data):
            continue
        link.execute("DELETE FROM rulebooks WHERE digest = ?", (digest,))
        link.execute("INSERT INTO rulebooks (digest, base, data) VALUES (?, ?, ?)", (digest, base, one.data))
        new += 1
    return new


def kept(ledger: EventLog) -> dict[str, str]:
    """Return the digests of all books whose files are kept, each with that of the book that it extends, "" for none."""
    from sqlalchemy import inspect  # noqa: PLC0415 - as above

    with ledger.database.core() as core:
        if not inspect(core).has_table("rulebooks"):
            return {}
    with ledger.database.reading() as link:
        rows = link.execute("SELECT digest, base FROM rulebooks ORDER BY digest").fetchall()
    return {bytes(digest).hex(): bytes(base).hex() for digest, base in rows}


def read(ledger: EventLog, digest: str) -> BookFile:
    """Return a file that is kept; one that is larger than any that was put in is an error."""
    with ledger.database.reading() as link:
        row = link.execute(
            "SELECT base, data FROM rulebooks WHERE digest = ? AND length(data) <= ?",
            (bytes.fromhex(digest), BYTES_MOST),
        ).fetchone()
    if row is None:
        raise IntegrityError(f"the rulebook of SHA-256 {digest[:12]} cannot be read from this ledger")
    return BookFile(digest, bytes(row[0]).hex(), bytes(row[1]))


def every(ledger: EventLog) -> Iterator[BookFile]:
    """Yield all files that are kept."""
    return (read(ledger, digest) for digest in kept(ledger))
