"""Check whether a table's events are in table order as they arrived: then nothing needs sorting.

Most tables are in order, and then a walk keeps one event in memory, whatever their number. This check is quick and
gives up early; `ledger.table.order` sorts what it can't confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.hand.ending import CorrectionMade
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import NumberKey, find_series, number_key
from ledger.table.standing_accounts import TableEntry
from ledger.vocabulary import Millis

_ARRANGING: Final = frozenset({AccountChosen, AccountPlaced, CorrectionMade, HandsMissing, OrderTold})
"""Events that move or replace other events."""

_NEVER: Final = -(1 << 62)


class StoredEntries(Iterable[TableEntry]):
    """The entries of a table, which can be read again. Their order is checked once."""

    _order_reader: OrderReader | None = None
    _hand_ids: bytearray

    def read_order(self) -> OrderReader:
        """Return the reader of these entries, which stopped at the first one that may be out of order."""
        if self._order_reader is None:
            self._hand_ids = bytearray()
            self._order_reader = OrderReader()
            self._order_reader.read(self._iter_collecting_hands())
        return self._order_reader

    def trust_order(self) -> None:
        """Assume that all entries are in order, without a check."""
        self._order_reader = OrderReader()

    def join_hand_ids(self) -> bytes | None:
        """Return the joined ids of the hands' streams, or None if they may be out of order."""
        return bytes(self._hand_ids) if self.read_order().is_in_order else None

    def _iter_collecting_hands(self) -> Iterator[TableEntry]:
        for entry in self:
            if type(entry.event) is HandPlayed:
                self._hand_ids += bytes.fromhex(entry.event.hand)
            yield entry


def is_in_table_order(entries: Iterable[TableEntry]) -> bool:
    """Whether events are in table order, with each hand once."""
    if isinstance(entries, StoredEntries):
        return entries.read_order().is_in_order
    return OrderReader().read(entries)


class OrderReader:
    """Reads a table's stream once, up to the first entry that is out of order, with little memory."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.is_in_order = True  # of all entries so far
        self.hands = 0
        self.version = -1
        self.number: NumberKey | None = None  # of the last hand
        self.uses_source_clock: bool | None = None  # False = hands have a start time; None = no time at all
        self.moment = _NEVER  # when the last hand began
        self.source: str | None = None
        self.reached_by_source: dict[str, int] = {}  # by source: the number of hands before its next fact
        self.time = _NEVER  # of the last fact since the last hand, if it has one
        self.latest = _NEVER  # of all facts since the last hand

    @classmethod
    def resume_sorted(cls, stream: Iterable[TableEntry], sorted_entries: Iterable[TableEntry]) -> OrderReader:
        """Return the reader of a sorted stream, so that it can continue with later entries.

        `is_in_order` is True if every hand has a start time. Then a later hand comes last, even if earlier entries had
        to be sorted.
        """
        reader = cls()
        hands_before_version: dict[int, int] = {}  # version → number of hands before it
        position_by_hand: dict[str, int] = {}  # hand → its place, from 1
        for entry in sorted_entries:
            event = entry.event
            if isinstance(event, HandPlayed):
                is_hand_in_place = (
                    reader._read_hand(entry, event) and reader.uses_source_clock is False and not entry.is_guess
                )
                reader.is_in_order = reader.is_in_order and is_hand_in_place
                position_by_hand[event.hand] = reader.hands
            elif entry.time is not None:
                reader.latest = max(reader.latest, entry.time)
            hands_before_version[entry.version] = reader.hands
        reader.reached_by_source = {}
        for entry in stream:
            reader.version = max(reader.version, entry.version)
            if entry.source != reader.source:
                reader.source, reader.time = entry.source, _NEVER
            if isinstance(entry.event, HandPlayed):
                reader.reached_by_source[entry.source] = position_by_hand.get(entry.event.hand, -1)
                reader.time = _NEVER
            elif type(entry.event) in _ARRANGING:
                reader.reached_by_source[entry.source] = hands_before_version.get(entry.version, -1)
                reader.time = _NEVER
            elif entry.time is not None:
                reader.reached_by_source[entry.source], reader.time = (
                    hands_before_version.get(entry.version, -1),
                    entry.time,
                )
        return reader

    def read(self, entries: Iterable[TableEntry]) -> bool:
        """Read the next entries. Return whether all entries so far are in order."""
        self.is_in_order = self.is_in_order and all(map(self.read_entry, entries))
        return self.is_in_order

    def read_entry(self, entry: TableEntry) -> bool:
        """Return whether the next entry is in order, as far as the earlier ones show."""
        event = entry.event
        if type(event) in _ARRANGING or entry.version <= self.version:
            return False
        # something was recorded while the hand ran
        has_later_news = entry.last_version_before is not None and entry.last_version_before < self.version
        self.version = entry.version
        if entry.source != self.source:
            self.source, self.time = entry.source, _NEVER
        if isinstance(event, HandPlayed):
            return self._read_hand(entry, event, has_later_news=has_later_news)
        if isinstance(event, TableOpened):
            return not self.hands and self._is_after_earlier_facts(_NEVER)
        return self._read_fact(entry)

    def _read_hand(self, entry: TableEntry, hand: HandPlayed, *, has_later_news: bool = False) -> bool:
        start_time = entry.time if hand.started is None else hand.started
        moment = hand.clock if start_time is None else start_time
        uses_source_clock = None if moment is None else start_time is None
        number = number_key(hand.number)
        if uses_source_clock is not False and self.latest > _NEVER:
            return False  # the fact has a time, and the hands don't
        if self.number is None:
            self.uses_source_clock = uses_source_clock
        elif (
            uses_source_clock != self.uses_source_clock
            or number <= self.number
            or find_series(number) != find_series(self.number)
        ):
            return False
        if moment is not None and (
            moment < max(self.moment, self.latest) or (has_later_news and moment == self.latest)
        ):
            return False
        self.number, self.moment = number, _NEVER if moment is None else moment
        self.hands += 1
        self.reached_by_source[entry.source] = self.hands
        self.time = self.latest = _NEVER
        return True

    def _read_fact(self, entry: TableEntry) -> bool:
        if entry.time is not None:
            if (self.hands and self.uses_source_clock is not False) or entry.time < self.moment:
                return False
            self.time, self.reached_by_source[entry.source] = entry.time, self.hands
        return self.reached_by_source.get(entry.source, self.hands) == self.hands and self._is_after_earlier_facts(
            self.time
        )

    def _is_after_earlier_facts(self, time: Millis) -> bool:
        """Whether a fact comes after those read since the last hand."""
        if time < self.latest:
            return False
        self.latest = time
        return True
