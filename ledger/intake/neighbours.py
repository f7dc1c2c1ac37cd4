"""What a source tells of the order of its hands that their arrival in the table's stream does not show.

Hands with times need no word, nor does a source whose numbers of one series only count upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from ledger.table.events import HandPlayed, OrderTold
from ledger.table.numbers import counts_on


class Neighbours:
    """Follows one source, and remembers the last hand that it told of each table."""

    def __init__(self) -> None:
        """Begin before the first hand."""
        self._last_hands: dict[UUID, tuple[HandPlayed, bool]] = {}
        self._pairs: dict[UUID, list[OrderTold]] = {}
        self._unsorted_tables: set[UUID] = set()  # tables whose hands do not just count upwards

    def add_hand(self, table: UUID, hand: HandPlayed, *, new: bool) -> None:
        """Take the next hand; `new`: the table is told of it now, by this source."""
        before = self._last_hands.get(table)
        self._last_hands[table] = hand, new
        if before is None or before[0].number == hand.number or _is_ordered_by_time(before[0], hand):
            return
        last = before[0]
        if not counts_on(last.number, hand.number):
            self._unsorted_tables.add(table)
        if not (new and before[1]):
            said = OrderTold(last.number, hand.number, last.hand, hand.hand)
            self._pairs.setdefault(table, []).append(said)

    def pending_orders(self) -> Iterator[tuple[UUID, OrderTold]]:
        """Yield what must be said of the hands taken since it was last asked."""
        for table, pairs in self._pairs.items():
            if table in self._unsorted_tables:
                yield from ((table, pair) for pair in pairs)
        self._pairs.clear()


def _is_ordered_by_time(one: HandPlayed, other: HandPlayed) -> bool:
    """Whether both hands tell their time, by the same clock, and not the same moment."""
    return (None not in (one.started, other.started) and one.started != other.started) or (
        None not in (one.clock, other.clock) and one.clock != other.clock
    )
