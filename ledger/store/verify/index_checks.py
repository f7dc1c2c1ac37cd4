"""Verify the index of hands against the log, and read the index fields from a hand's events. Part of `ledger.store.verify`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.verify.log_claims import JsonList, LogClaims


def check_index(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Find rows of the index without a commit, and count accounts again; `check_log` compares the other rows."""
    if connection.exec_driver_sql("SELECT count(*) FROM hands").scalar_one() != claims.index_rows:
        sql = "SELECT position FROM hands WHERE position NOT IN (SELECT position FROM log)"
        for (position,) in connection.exec_driver_sql(sql):
            yield IntegrityProblem(position, "index", "the index holds a hand that is not in the log")
    sql = (
        "SELECT position, account, told FROM (SELECT position, account, row_number() OVER "
        "(PARTITION BY place, number ORDER BY position) AS told FROM hands WHERE (place, number) IN "
        "(SELECT place, number FROM hands GROUP BY place, number HAVING count(*) > 1 OR max(account) <> 1)) AS t "
        "WHERE account <> told"
    )
    for position, account, account_number in connection.exec_driver_sql(sql):
        yield IntegrityProblem(
            position, "index", f"the index calls account {account_number} of a hand its account {account}"
        )


def read_index_fields(events: JsonList, tags: set[str] | None, *, is_live: bool) -> tuple[object, ...] | None:
    """Return venue, tournament, table, number, started, variant, betting, format, note.

    `tags`: names of its events, where known. `is_live`: the hand came from no source.
    """
    try:
        tags = {event[0] for event in events} if tags is None else tags
        opening = events[0]
        game = next((event for event in events if event[0] == "GameSet"), None)
        tournament = opening[8] if len(opening) > 8 else ""
        started = opening[5] if len(opening) > 5 else None
        note = "" if "LineUnread" not in tags else "unread lines"
        if "HandCompleted" not in tags:
            note = "live" if is_live and game and "SeatDealtIn" not in tags else "cut off"
        if "HandVoided" in tags:
            note = "voided"
        game_fields = tuple(game[1:4]) if game else ("", "", "unknown")
        return (opening[1], tournament, opening[2], opening[3], started, *game_fields, note)
    except (LookupError, TypeError):
        return None  # the check of the events has reported it
