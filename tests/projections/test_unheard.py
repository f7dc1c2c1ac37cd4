"""Behind missing hands clauses are left out of whose seats nothing is known: asked, they say the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.table_walk.table_context import TableContext, TableWalk, pick_table_books
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.natural import as_told, natural

_TABLED = sorted(name for name in ROOMS if pick_table_books([load(ROOMS[name].book)]))
"""Rooms whose book has clauses about several hands."""
_IS_NOTHING_DUE = TableContext.is_nothing_due.fget  # type: ignore[attr-defined]  # a property has it


def _judged(evening: Evening, entries: list[TableEntry]) -> tuple[AuditResult, int]:
    """What the audit says, and of how many hands nothing was known that a clause could look at."""
    books = [load(evening.room.book)]
    hands = {f"{int(hand.number):032x}": HandReplay(hand.events) for hand in evening.hands}
    audit = Auditor(books)
    blank = 0
    for sat in TableWalk(pick_table_books(books)).contexts(entries):
        audit.judge_hand(hands[sat.hand.hand], sat)
        context = sat[books[0].name]
        blank += bool(context.due_positions.unknown) and _IS_NOTHING_DUE(context)
    return audit.result(), blank


@pytest.mark.slow
@pytest.mark.parametrize("retell", [as_told, natural])
@pytest.mark.parametrize("room", _TABLED)
def test_a_hand_of_which_nothing_before_is_known_is_judged_as_if_all_were_asked(
    room: str, retell: Callable[[Evening], Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    short_results, nights = [], []
    for seed in range(2):
        drawn_evening = retell(evening(room, seed, 12))
        entries = [
            entry
            for entry in drawn_evening.told()
            if not isinstance(entry.event, HandPlayed) or int(entry.event.number) % 4
        ]
        nights.append((drawn_evening, entries))
        short_results.append(_judged(drawn_evening, entries))
    assert sum(blank for _, blank in short_results) > 0
    monkeypatch.setattr(TableContext, "is_nothing_due", property(lambda _: False))
    for (drawn_evening, entries), (result, _) in zip(nights, short_results, strict=True):
        assert _judged(drawn_evening, entries)[0] == result
