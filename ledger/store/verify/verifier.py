"""Recompute everything from the raw rows and report the differences.

Shares no code with the modules that write: its own SQL, its own layout of hashed bytes, its own JSON parser.
It goes on after a problem, so that one flipped byte doesn't hide another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, InvalidRequestError

from ledger.store.commits import IntegrityProblem
from ledger.store.database.db_errors import as_store_error as describe_db_error
from ledger.store.database.db_errors import is_nobodys_fault
from ledger.store.database.derived_tables import check_positions
from ledger.store.database.postgres_catalog import check_postgres
from ledger.store.database.raw_connection import open_raw
from ledger.store.verify.checkpoint_checks import check_checkpoints
from ledger.store.verify.column_checks import check_columns
from ledger.store.verify.index_checks import check_index
from ledger.store.verify.log_checks import check_log
from ledger.store.verify.log_claims import LogClaims
from ledger.store.verify.opening_checks import check_openings
from ledger.store.verify.packed_texts import check_dictionaries
from ledger.store.verify.people_checks import check_layout, check_people
from ledger.store.verify.postgres_indexes import check_indexes
from ledger.store.verify.row_checks import check_rows
from ledger.store.verify.rulebook_checks import check_rulebooks
from ledger.store.verify.source_checks import check_sources
from ledger.store.verify.stamp_checks import check_stamps
from ledger.store.verify.tree_checks import Anchor

_Check: TypeAlias = Callable[[Connection], Iterator[IntegrityProblem]]
_MAX_PROBLEMS: Final = 1000
"""A verification stops after so many problems: more would say the same."""
_UNREAD_PROBLEM: Final = IntegrityProblem(None, "unread", "everything after this wasn't checked")


def verify(
    engine: Engine,
    anchors: Sequence[Anchor] = (),
    secret: bytes | None = None,
    *,
    url: str = "",
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[IntegrityProblem]:
    """Return the problems of the ledger behind `engine`; empty if there are none.

    `anchors` are roots seen before: the log must begin with each of them. `secret` makes the ids of a
    ledger without salts; without it, `find_blind_spots` says so. `jobs`: number of processes, each of
    which opens the ledger at `url` and checks a part of the log. `progress` gets the position reached
    and the end of the log.
    """
    problems: list[IntegrityProblem] = []
    try:
        with open_raw(engine) as connection:
            claims = LogClaims()
            checks: tuple[_Check, ...] = (
                *_FIRST_CHECKS,
                partial(check_log, anchors=anchors, claims=claims, url=url, jobs=jobs, progress=progress),
                *_LATER_CHECKS,
                partial(check_people, claims=claims, secret=secret),
                *(partial(check, claims=claims) for check in _CLAIM_CHECKS),
            )
            for check in checks:
                for problem in check(connection):
                    problems.append(problem)
                    if len(problems) >= _MAX_PROBLEMS:
                        return [*problems, _UNREAD_PROBLEM]
    except (TypeError, ValueError, AttributeError, OverflowError, InvalidRequestError) as error:
        problems += [IntegrityProblem(None, "row", f"a row holds what no ledger writes: {error}"), _UNREAD_PROBLEM]
    except DBAPIError as error:
        store_error = describe_db_error(error)
        if store_error is not None and not problems and is_nobodys_fault(error):
            raise store_error from error
        problems += [IntegrityProblem(None, "database", f"the database cannot be read: {error.orig}"), _UNREAD_PROBLEM]
    return problems


def _check_guards(connection: Connection) -> Iterator[IntegrityProblem]:
    """Check that the triggers that keep the log append-only exist."""
    if connection.dialect.name != "sqlite":
        return  # `check_postgres` looks
    sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger' OR name = 'events'"
    expected_guards = {"log_follows", "log_unchanged", "log_kept", "dictionary_unchanged", "dictionary_kept", "events"}
    actual_guards = {row[0] for row in connection.exec_driver_sql(sql)}
    for name in sorted(expected_guards - actual_guards):
        yield IntegrityProblem(None, "guard", f"{name}, which guards or shows the log, is gone")
    for name in sorted(actual_guards - expected_guards):
        yield IntegrityProblem(None, "guard", f"there is a foreign trigger {name}")


def _check_file(connection: Connection) -> Iterator[IntegrityProblem]:
    """Run SQLite's own check of its file; it finds little, but names pages."""
    if connection.dialect.name == "sqlite":
        for (sqlite_message,) in connection.exec_driver_sql("PRAGMA integrity_check(20)"):
            if sqlite_message != "ok":
                yield IntegrityProblem(None, "file", f"SQLite says: {sqlite_message}")


def _check_versions(connection: Connection) -> Iterator[IntegrityProblem]:
    """Check each stream of several commits: versions without gap or overlap, in the log's order, of one kind."""
    sql = (
        "SELECT position, version, next, kind, kind_before, position_before FROM (SELECT position, "
        "version, kind, lag(version + count) OVER w AS next, lag(kind) OVER w AS kind_before, "
        "lag(position) OVER w AS position_before FROM log WHERE stream IN "
        "(SELECT stream FROM log GROUP BY stream HAVING count(*) > 1 OR max(version) <> 1) "
        "WINDOW w AS (PARTITION BY stream ORDER BY version)) AS t "
        "WHERE (next IS NULL AND version <> 1 AND kind <> 0) OR next <> version "
        "OR kind_before <> kind OR position_before > position"
    )
    for position, version, next_version, kind, previous_kind, _ in connection.exec_driver_sql(sql):
        if next_version is None or next_version != version:
            expected_version = 1 if next_version is None else next_version
            yield IntegrityProblem(
                position, "version", f"this stream goes on at {version}, expected {expected_version}"
            )
        elif kind != previous_kind:
            yield IntegrityProblem(position, "kind", "this stream changes its kind")
        else:
            yield IntegrityProblem(position, "order", "this stream's versions are not in the log's order")


_FIRST_CHECKS: Final = (
    _check_guards,
    check_postgres,
    check_indexes,
    check_columns,
    check_layout,
    _check_file,
    check_dictionaries,
)
_LATER_CHECKS: Final = (_check_versions, check_stamps, check_positions)
_CLAIM_CHECKS: Final = (check_index, check_openings, check_sources, check_checkpoints, check_rows, check_rulebooks)
"""Checks that compare tables with the claims of the log."""
