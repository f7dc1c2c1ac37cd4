"""Verify that each kept rulebook file is the one that the house adopted. Part of `ledger.store.verify`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table
from ledger.store.verify.log_claims import LogClaims


def check_rulebooks(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Hash every file again; find files that the house's stream doesn't name."""
    if not has_table(connection, "rulebooks"):
        return
    rows = connection.exec_driver_sql("SELECT digest, base FROM rulebooks ORDER BY digest").all()
    bases = {bytes(digest).hex(): bytes(base).hex() for digest, base in rows}
    adopted_books = _find_adopted_books(bases, claims)
    for digest, base, data in connection.exec_driver_sql("SELECT digest, base, data FROM rulebooks ORDER BY digest"):
        subject = f"the rulebook of SHA-256 {bytes(digest).hex()[:12]}"
        file_digest = hashlib.sha256(bytes(data)).hexdigest()
        book_hash = (
            hashlib.sha256(f"{bytes(base).hex()}\n{file_digest}".encode()).hexdigest() if bytes(base) else file_digest
        )
        if book_hash != bytes(digest).hex():
            yield IntegrityProblem(None, "rulebook", f"{subject} is kept with other bytes than the house adopted")
        if bytes(digest).hex() not in adopted_books:
            yield IntegrityProblem(None, "rulebook", f"{subject} is kept, and the house never adopted it")


def _find_adopted_books(bases: Mapping[str, str], claims: LogClaims) -> set[str]:
    """Return the digests of the books that the house adopted, and of those that they are based on.

    `bases`: digest of a book → digest of its base, "" if it has none.
    """
    adopted_prefixes = tuple(
        str(event[3]).lower() for event in claims.house_events("RulebookAdopted") if len(event) > 3 and event[3]
    )
    adopted_books = {book_digest for book_digest in bases if book_digest.startswith(adopted_prefixes)}
    for book_digest in list(adopted_books):
        while (book_digest := bases.get(book_digest, "")) and book_digest not in adopted_books:
            adopted_books.add(book_digest)
    return adopted_books
