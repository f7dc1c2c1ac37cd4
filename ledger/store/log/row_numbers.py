"""Small numbers for repeated values in rows of the log: writers, sources, tables. Cached in memory."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.errors import IntegrityError, UsageError
from ledger.store.database.database import Link, Row


class RowNumbers:
    """Looks numbers up, and assigns new ones inside an appending transaction.

    After a failed transaction, call `forget`: the cache may hold numbers that were never stored.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Clear the cache; everything is looked up again."""
        self._writers: dict[tuple[str, str], tuple[int, bytes, bytes]] = {}
        self._writer_words: dict[int, tuple[str, str]] = {}
        self._sources: dict[str, tuple[int, bytes]] = {}
        self._source_digests: dict[int | None, str | None] = {None: None}
        self._places: dict[tuple[str, str, str], int] = {}

    def known_writer(self, link: Link, clock: str, writer_name: str) -> tuple[int, bytes, bytes] | None:
        """Return the number of a clock and a writer, and both in UTF-8; None if they have no number yet."""
        words = (clock, writer_name)
        writer_entry = self._writers.get(words)
        if writer_entry is None:
            row = link.execute("SELECT id FROM writers WHERE clock = ? AND by = ?", words).fetchone()
            if row is not None:
                writer_entry = self._writers[words] = (row[0], clock.encode(), writer_name.encode())
        return writer_entry

    def writer(self, link: Link, clock: str, writer_name: str) -> tuple[int, bytes, bytes]:
        """Return the same, assigning a new number if need be."""
        writer_entry = self.known_writer(link, clock, writer_name)
        if writer_entry is None:
            row = _next_number(link, "writers")
            link.execute("INSERT INTO writers (id, clock, by) VALUES (?, ?, ?)", (*row, clock, writer_name))
            writer_entry = self._writers[clock, writer_name] = (row[0], clock.encode(), writer_name.encode())
        return writer_entry

    def source(self, link: Link, digest: str) -> tuple[int, bytes]:
        """Return the number of a source and its digest as bytes; assign a number if need be."""
        source_entry = self._sources.get(digest)
        if source_entry is None:
            digest_bytes = digest_of(digest)
            row = link.execute("SELECT id FROM sources WHERE digest = ?", (digest_bytes,)).fetchone()
            if row is None:
                row = _next_number(link, "sources")
                link.execute(
                    "INSERT INTO sources (id, digest, length, name) VALUES (?, ?, NULL, '')", (row[0], digest_bytes)
                )
            source_entry = self._sources[digest] = (row[0], digest_bytes)
        return source_entry

    def place(self, link: Link, venue: str, tournament: str, table: str) -> int:
        """Return the number of a table; assign one if need be."""
        words = (venue, tournament, table)
        place_number = self._places.get(words)
        if place_number is None:
            row = link.execute(
                "SELECT id FROM places WHERE venue = ? AND tournament = ? AND name = ?", words
            ).fetchone()
            if row is None:
                row = _next_number(link, "places")
                link.execute("INSERT INTO places (id, venue, tournament, name) VALUES (?, ?, ?, ?)", (*row, *words))
            place_number = self._places[words] = row[0]
        return place_number

    def words(
        self, link: Link, rows: Sequence[Row], *, writer: int, source: int
    ) -> tuple[Mapping[int, tuple[str, str]], Mapping[int | None, str | None]]:
        """Return clock and writer, and digests in hex, of all numbers in `rows`.

        `writer` and `source` are the columns of the numbers; a row without source has no digest.
        """
        writers, digests = self._writer_words, self._source_digests
        for number in {row[writer] for row in rows} - writers.keys():
            number_row = link.execute("SELECT clock, by FROM writers WHERE id = ?", (number,)).fetchone()
            if number_row is None:
                raise IntegrityError(f"the log names writer {number}, which is not in the ledger")
            writers[number] = (number_row[0], number_row[1])
        for number in {row[source] for row in rows} - digests.keys():
            number_row = link.execute("SELECT digest FROM sources WHERE id = ?", (number,)).fetchone()
            if number_row is None or number_row[0] is None:
                raise IntegrityError(f"the log names source {number}, which is not in the ledger")
            digests[number] = bytes(number_row[0]).hex()
        return writers, digests


def digest_of(digest: str) -> bytes:
    """Parse a SHA-256 in hex."""
    try:
        digest_bytes = bytes.fromhex(digest)
    except ValueError:
        digest_bytes = b""
    if len(digest_bytes) != 32:
        raise UsageError(f"a source is named by its SHA-256 in hex, not by {digest[:80]!r}")
    return digest_bytes


def _next_number(link: Link, table: str) -> tuple[int]:
    row = link.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()
    return (row[0],)
