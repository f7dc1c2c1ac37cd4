"""Which hands of a ledger stand beside lines that nobody could read: judgement is told, and goes no further."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

from cli.rejects import standing
from projections.doubts import SOUND, Spoiled

if TYPE_CHECKING:
    from ledger.house.events import SourceRejected
    from ledger.store import HandRow, Ledger
    from ledger.store.accounts import Place

_UNREAD = "unread lines"


def spoiled(ledger: Ledger, amended: set[str]) -> dict[str, Spoiled]:
    """Return what was not read of hands, and between them, by the id of the hand's stream, hex.

    A rejected span that somebody has waived need not be read and spoils nothing; nor does a line in a
    hand that was corrected since, which is looked at as it stands.
    """
    found: dict[str, Spoiled] = {}

    def mark(row: HandRow, **what: bool) -> None:
        found[row.stream.hex] = found.get(row.stream.hex, SOUND)._replace(**what)

    for row in ledger.hands(note=_UNREAD):
        if row.stream.hex not in amended:
            mark(row, within=True)
    by_source: dict[str, list[SourceRejected]] = {}
    for reject in standing(ledger):
        by_source.setdefault(reject.source, []).append(reject)
    for digest, rejects in by_source.items():
        rows = sorted(ledger.hands(source=digest), key=lambda row: row.start)
        for reject in rejects:
            _touched(rows, reject.start, mark)
    return found


def _touched(rows: list[HandRow], start: int, mark: Callable[..., None]) -> None:
    """Mark the hand of a source in which a rejected span lies, or those on either side of it."""
    at = bisect_right([row.start for row in rows], start)
    if at and start < rows[at - 1].start + rows[at - 1].length:
        mark(rows[at - 1], within=True)
        return
    # One source may tell of many tables: nobody knows of which of them the span tells.
    here: set[Place] = set()
    for row in rows[at:]:
        place = _place(row)
        if place not in here:
            here.add(place)
            if row is rows[at] or any(_place(before) == place for before in rows[:at]):
                mark(row, before=True)
    if at and _place(rows[at - 1]) not in here:
        mark(rows[at - 1], after=True)


def _place(row: HandRow) -> Place:
    from ledger.store.accounts import Place

    return Place(row.venue, row.tournament, row.table)
