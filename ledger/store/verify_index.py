"""Verifies the index of hands against the events it was made from. Part of `ledger.store.verify`."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection

from ledger.store.commits import Problem
from ledger.store.verify_texts import Texts

_PAGE: Final = 500


def check_index(connection: Connection) -> Iterator[Problem]:
    """Compare each row of the index with the hand's own words, and count tellings anew."""
    text = "CAST(l.data AS BLOB)" if connection.dialect.name == "sqlite" else "l.data"
    sql = (
        f"SELECT l.position, {text}, p.venue, p.tournament, p.name, h.number, h.started, "
        "h.variant, h.betting, h.format, h.note, l.codec FROM log AS l "
        "LEFT JOIN hands AS h ON h.position = l.position LEFT JOIN places AS p ON p.id = h.place "
        "WHERE l.kind = 1 AND l.version = 1 AND l.position > {} ORDER BY l.position LIMIT {}"
    )
    texts = Texts(connection)
    read = -1
    while True:
        rows = connection.exec_driver_sql(sql.format(read, _PAGE)).all()
        for row in rows:
            read = row[0]
            if row[5] is None:
                yield Problem(row[0], "index", "this hand is missing in the index of hands")
                continue
            told = _told(texts.plain(row[11], row[1]))
            if told is not None and told != tuple(row[2:11]):
                yield Problem(row[0], "index", "the index says otherwise than the hand's events")
        if len(rows) < _PAGE:
            break
    sql = (
        "SELECT h.position FROM hands AS h LEFT JOIN log AS l ON l.position = h.position "
        "WHERE l.position IS NULL OR l.kind <> 1 OR l.version <> 1"
    )
    for (position,) in connection.exec_driver_sql(sql):
        yield Problem(position, "index", "the index holds a hand that is not in the log")
    sql = (
        "SELECT position, account, told FROM (SELECT position, account, row_number() OVER "
        "(PARTITION BY place, number ORDER BY position) AS told FROM hands) AS t "
        "WHERE account <> told"
    )
    for position, account, told in connection.exec_driver_sql(sql):
        yield Problem(position, "index", f"the index calls telling {told} of a hand {account}")


def _told(data: Any) -> tuple[Any, ...] | None:  # noqa: ANN401 - text or bytes, as the driver has it
    """Return venue, tournament, table, number, started, variant, betting, format, note."""
    try:
        events = json.loads(data)
        tags = [event[0] for event in events]
        opened = events[0]
        game = next((event for event in events if event[0] == "GameSet"), None)
        tournament = opened[8] if len(opened) > 8 else ""
        started = opened[5] if len(opened) > 5 else None
        note = "" if "LineUnread" not in tags else "unread lines"
        if "HandCompleted" not in tags:
            note = "cut off"
        if "HandVoided" in tags:
            note = "voided"
        played = tuple(game[1:4]) if game else ("", "", "unknown")
        return (opened[1], tournament, opened[2], opened[3], started, *played, note)
    except (ValueError, LookupError, TypeError, RecursionError):
        return None  # said already by whoever looked at the events
