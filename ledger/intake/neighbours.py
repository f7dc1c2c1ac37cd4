"""Find the order of a source's hands where their arrival in the table's stream doesn't show it.

Hands with times need no event, nor does a source whose numbers of one series only ascend.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from ledger.table.events import HandPlayed, OrderTold
from ledger.table.numbers import is_later_in_series


class Neighbours:
    """Follows one source, and remembers its last hand at each table."""

    def __init__(self) -> None:
        """Begin before the first hand."""
        self._last_hands: dict[UUID, tuple[HandPlayed, bool]] = {}
        self._pairs: dict[UUID, list[OrderTold]] = {}
        self._unsorted_tables: set[UUID] = set()  # tables whose hand numbers don't only ascend

    def add_hand(self, table: UUID, hand: HandPlayed, *, is_new: bool) -> None:
        """Add the next hand. `is_new`: this source adds it to the table."""
        previous = self._last_hands.get(table)
        self._last_hands[table] = hand, is_new
        if previous is None or previous[0].number == hand.number or _is_ordered_by_time(previous[0], hand):
            return
        last_hand = previous[0]
        if not is_later_in_series(last_hand.number, hand.number):
            self._unsorted_tables.add(table)
        if not (is_new and previous[1]):
            order_fact = OrderTold(last_hand.number, hand.number, last_hand.hand, hand.hand)
            self._pairs.setdefault(table, []).append(order_fact)

    def drain_orders(self) -> Iterator[tuple[UUID, OrderTold]]:
        """Yield the order events for the hands added since the last call."""
        for table, order_facts in self._pairs.items():
            if table in self._unsorted_tables:
                yield from ((table, order_fact) for order_fact in order_facts)
        self._pairs.clear()


def _is_ordered_by_time(first_hand: HandPlayed, second_hand: HandPlayed) -> bool:
    """Whether both hands have a time by the same clock, and the times differ."""
    return (None not in (first_hand.started, second_hand.started) and first_hand.started != second_hand.started) or (
        None not in (first_hand.clock, second_hand.clock) and first_hand.clock != second_hand.clock
    )
