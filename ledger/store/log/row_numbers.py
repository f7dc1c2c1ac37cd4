"""Small numbers for what rows of the log repeat: writers, sources, tables. Kept in memory."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.errors import IntegrityError, UsageError
from ledger.store.database.database import Link, Row


class Numbers:
    """Looks numbers up, and gives new ones inside a transaction that appends.

    A transaction that fails may leave numbers here that were never stored: call `forget`.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing; everything is looked up again."""
        self._writers: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._writer_words: dict[int, tuple[str, str]] = {}
        self._sources: dict[str, tuple[int, bytes]] = {}
        self._source_digests: dict[int | None, str | None] = {None: None}
        self._places: dict[tuple[str, str, str], int] = {}

    def known_writer(self, link: Link, clock: str, by: str) -> tuple[int, bytes, bytes] | None:
        """Return the number of a clock and a writer and both in UTF-8; None if they have none yet."""
        words = (clock, by)
        found = self._writers.get(words)
        if found is None:
            row = link.execute("SELECT id FROM writers WHERE clock = ? AND by = ?", words).fetchone()
            if row is not None:
                found = self._writers[words] = (row[0], clock.encode(), by.encode())
        return found

    def writer(self, link: Link, clock: str, by: str) -> tuple[int, bytes, bytes]:
        """Return the same, with a new number if need be."""
        found = self.known_writer(link, clock, by)
        if found is None:
            row = _next(link, "writers")
            link.execute("INSERT INTO writers (id, clock, by) VALUES (?, ?, ?)", (*row, clock, by))
            found = self._writers[clock, by] = (row[0], clock.encode(), by.encode())
        return found

    def source(self, link: Link, digest: str) -> tuple[int, bytes]:
        """Return the number of a source and its digest as bytes, a new number if need be."""
        found = self._sources.get(digest)
        if found is None:
            raw = digest_of(digest)
            row = link.execute("SELECT id FROM sources WHERE digest = ?", (raw,)).fetchone()
            if row is None:
                row = _next(link, "sources")
                link.execute("INSERT INTO sources (id, digest, length, name) VALUES (?, ?, NULL, '')", (row[0], raw))
            found = self._sources[digest] = (row[0], raw)
        return found

    def place(self, link: Link, venue: str, tournament: str, table: str) -> int:
        """Return the number of a table, a new one if need be."""
        words = (venue, tournament, table)
        found = self._places.get(words)
        if found is None:
            row = link.execute(
                "SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?", words
            ).fetchone()
            if row is None:
                row = _next(link, "places")
                link.execute("INSERT INTO places (id, venue, tournament, name) VALUES (?, ?, ?, ?)", (*row, *words))
            found = self._places[words] = row[0]
        return found

    def words(
        self, link: Link, rows: Sequence[Row], *, writer: int, source: int
    ) -> tuple[Mapping[int, tuple[str, str]], Mapping[int | None, str | None]]:
        """Return clock and writer, and digests in hex, of all numbers that `rows` hold.

        `writer` and `source` are the columns in which the numbers stand; no source has no digest.
        """
        writers, digests = self._writer_words, self._source_digests
        for number in {row[writer] for row in rows} - writers.keys():
            found = link.execute("SELECT clock, by FROM writers WHERE id = ?", (number,)).fetchone()
            if found is None:
                raise IntegrityError(f"the log names writer {number}, which is not in the ledger")
            writers[number] = (found[0], found[1])
        for number in {row[source] for row in rows} - digests.keys():
            found = link.execute("SELECT digest FROM sources WHERE id = ?", (number,)).fetchone()
            if found is None or found[0] is None:
                raise IntegrityError(f"the log names source {number}, which is not in the ledger")
            digests[number] = bytes(found[0]).hex()
        return writers, digests


def digest_of(digest: str) -> bytes:
    """Return a SHA-256 written in hex as bytes."""
    try:
        raw = bytes.fromhex(digest)
    except ValueError:
        raw = b""
    if len(raw) != 32:
        raise UsageError(f"a source is named by its SHA-256 in hex, not by {digest[:80]!r}")
    return raw


def _next(link: Link, table: str) -> tuple[int]:
    row = link.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()
    return (row[0],)
