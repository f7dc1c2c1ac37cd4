"""Verify that each row beside the log is named by the log or the vault.

Part of `ledger.store.verify`: shares no code with the modules that write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table
from ledger.store.verify.log_claims import LogClaims

_GHOST_QUERIES: Final = (
    ("writer", "SELECT id FROM writers WHERE id NOT IN (SELECT writer FROM log)"),
    ("table", "SELECT id FROM places WHERE id NOT IN (SELECT place FROM hands)"),
    (
        "dictionary",
        (
            "SELECT id FROM dictionaries WHERE id < (SELECT max(id) FROM dictionaries) "
            "AND id NOT IN (SELECT codec FROM log)"
        ),
    ),
)
"""Rows written together with the rows that name them; the newest dictionary may wait for its first commit."""

_ABOUT_NAMES: Final = {"1": {"layout", "ledger", "secret"}, "2": {"layout", "ledger", "ids"}}
"""Names in `about`, by layout; other checks compare id and ids with the log, and the secret with every name."""


def check_rows(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Find rows that nothing names."""
    for row_kind, sql in _GHOST_QUERIES:
        for (number,) in connection.exec_driver_sql(sql):
            yield IntegrityProblem(None, "row", f"nothing in the log speaks of {row_kind} {number}")
    about_values = {
        str(name): str(value) for name, value in connection.exec_driver_sql("SELECT name, value FROM about")
    }
    expected_names = _ABOUT_NAMES.get(about_values.get("layout", ""), _ABOUT_NAMES["2"])
    for name in sorted(about_values.keys() ^ expected_names):
        yield IntegrityProblem(None, "about", f"the table `about` has a wrong or missing row: {name!r}")
    if about_values.get("layout") not in _ABOUT_NAMES:
        yield IntegrityProblem(None, "about", "the table `about` states a layout that the tables don't have")
    yield from _check_erased(connection, claims)
    yield from _check_sources(connection, claims)
    yield from _check_progress(connection, claims)


def _check_erased(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Compare the erased ids with the people that the house says it forgot."""
    erased_in_log = {event[1] for event in claims.house_events("PersonErased") if len(event) > 1}
    erased_rows = {row[0] for row in connection.exec_driver_sql("SELECT id FROM erased")}
    for player in sorted(erased_rows - erased_in_log):
        yield IntegrityProblem(None, "erased", f"{player[:8]} counts as forgotten, and the house does not say so")
    for player in sorted(erased_in_log - erased_rows):
        yield IntegrityProblem(None, "erased", f"{player[:8]} was forgotten, and may be kept again")
    for (player,) in connection.exec_driver_sql("SELECT id FROM names WHERE id IN (SELECT id FROM erased)"):
        yield IntegrityProblem(None, "erased", f"{player[:8]} was forgotten, and has a name")


def _check_sources(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Compare sources with the log, and blocks with their sources."""
    claims_by_source = _collect_claimed_sources(claims)
    for digest, length, name in connection.exec_driver_sql("SELECT digest, length, name FROM sources"):
        if digest is not None:  # else it is still being imported
            source_digest = bytes(digest).hex()
            claim = claims_by_source.get(source_digest, _ClaimedSource())
            yield from _compare_source(f"source {source_digest[:12]}", length, name, claim)
    statement = (
        "SELECT DISTINCT b.source FROM blocks AS b LEFT JOIN sources AS s ON s.id = b.source "
        "WHERE s.id IS NULL OR (s.digest IS NOT NULL AND s.length IS NULL)"
    )
    for (number,) in connection.exec_driver_sql(statement):
        yield IntegrityProblem(None, "source", f"the bytes of source {number} are stored, but its record is gone")
    if has_table(connection, "blackened"):
        yield from _check_blackened(connection, claims)


@dataclass(slots=True)
class _ClaimedSource:
    """What the house's events say of a source."""

    lengths: set[object] = field(default_factory=set)
    names: set[object] = field(default_factory=set)
    is_kept: bool = False  # its bytes were kept


def _collect_claimed_sources(claims: LogClaims) -> dict[str, _ClaimedSource]:
    """Return what the imports in the house's stream say of each source. Events of older programs are shorter."""
    claims_by_source: dict[str, _ClaimedSource] = {}
    for event in claims.house_events("SourceImported"):
        claim = claims_by_source.setdefault(str(event[1]), _ClaimedSource())
        claim.lengths.add(event[4])
        claim.names.add(event[13] if len(event) > 13 else "")
        claim.is_kept |= len(event) > 17 and bool(event[17])
    return claims_by_source


def _compare_source(subject: str, length: int | None, name: str, claim: _ClaimedSource) -> Iterator[IntegrityProblem]:
    """Compare a row of `sources` with what the log says. `length`: None, if its bytes were not kept."""
    if length is None and claim.is_kept:
        yield IntegrityProblem(None, "source", f"the bytes of {subject}, which were kept, are gone")
    if length is not None and claim.lengths and length not in claim.lengths:
        yield IntegrityProblem(None, "source", f"{subject} has another length than the one that was imported")
    if claim.names and name not in claim.names:
        yield IntegrityProblem(None, "source", f"{subject} has another name than the log says")


def _check_blackened(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Compare the redacted sources with those that the house says it redacted."""
    blackened_in_log = {event[1] for event in claims.house_events("SourceBlackened") if len(event) > 1}
    statement = "SELECT s.digest FROM blackened AS b LEFT JOIN sources AS s ON s.id = b.source"
    blackened_rows = {bytes(row[0] or b"").hex() for row in connection.exec_driver_sql(statement)}
    for blackened_source in sorted(blackened_rows - blackened_in_log):
        yield IntegrityProblem(
            None, "source", f"source {blackened_source[:12]} counts as redacted, and the house does not say so"
        )


def _check_progress(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Check the progress of imports: within the source, and only of unfinished imports."""
    finished_imports = {
        (str(event[1]), str(event[3])) for event in claims.house_events("SourceImported") if len(event) > 3
    }
    statement = (
        "SELECT s.digest, s.length, p.reader, p.upto FROM progress AS p LEFT JOIN sources AS s ON s.id = p.source"
    )
    for digest, length, reader, imported_bytes in connection.exec_driver_sql(statement):
        source_digest = bytes(digest).hex() if digest else ""
        if not source_digest or imported_bytes < 0 or (length is not None and imported_bytes > length):
            yield IntegrityProblem(
                None, "progress", "an import is said to have come to a place that its source does not have"
            )
        elif (source_digest, reader) in finished_imports:
            yield IntegrityProblem(
                None, "progress", f"the import of source {source_digest[:12]} ended, and is kept as unfinished"
            )
