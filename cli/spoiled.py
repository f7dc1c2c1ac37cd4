"""Which hands of a ledger stand beside lines that nobody could read: judgement is told, and goes no further."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

from cli.rejects import standing
from projections.doubts import SOUND, Spoiled

if TYPE_CHECKING:
    from ledger.house.events import SourceRejected
    from ledger.store import HandRow, Ledger
    from ledger.store.accounts import Place

_UNREAD = "unread lines"


def spoiled(ledger: Ledger) -> dict[str, Spoiled]:
    """Return what was not read of hands, and between them, by the id of the hand's stream, hex.

    A rejected span that somebody has waived need not be read and spoils nothing; nor does a line in a
    hand that was corrected since, which is looked at as it stands.
    """
    found: dict[str, Spoiled] = {}

    def mark(row: HandRow, **what: bool) -> None:
        found[row.stream.hex] = found.get(row.stream.hex, SOUND)._replace(**what)

    unread = list(ledger.hands(note=_UNREAD))
    amended = ledger.continued(row.stream for row in unread)
    for row in unread:
        if row.stream not in amended:
            mark(row, within=True)
    by_source: dict[str, list[SourceRejected]] = {}
    for reject in standing(ledger):
        by_source.setdefault(reject.source, []).append(reject)
    for digest, rejects in by_source.items():
        rows = sorted(ledger.hands(source=digest), key=lambda row: row.start)
        starts = [row.start for row in rows]
        tables: dict[Place, list[int]] = {}  # which of the rows are a table's
        for index, row in enumerate(rows):
            tables.setdefault(_place(row), []).append(index)
        for reject in rejects:
            _touched(rows, bisect_right(starts, reject.start), reject.start, tables, mark)
    return found


def _touched(
    rows: list[HandRow], at: int, start: int, tables: dict[Place, list[int]], mark: Callable[..., None]
) -> None:  # fmt: skip
    """Mark the hand of a source in which a rejected span lies, or those on either side of it.

    `at` is the first of the rows behind the span. One source may tell of many tables: nobody knows
    of which of them the span tells.
    """
    if at and start < rows[at - 1].start + rows[at - 1].length:
        mark(rows[at - 1], within=True)
        return
    for indexes in tables.values():
        behind = bisect_left(indexes, at)
        if behind < len(indexes) and (behind or indexes[behind] == at):
            mark(rows[indexes[behind]], before=True)
    if at and tables[_place(rows[at - 1])][-1] == at - 1:
        mark(rows[at - 1], after=True)


def _place(row: HandRow) -> Place:
    from ledger.store.accounts import Place

    return Place(row.venue, row.tournament, row.table)
