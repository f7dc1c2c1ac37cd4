"""Whether a table's events stand in the table's own order as they were told: then nothing is put in order.

So it is at most tables, and there a walk needs one event in memory at a time, whatever their number. What
is not seen to be so at a glance, is put in order by the whole rule (`ledger.table.order`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.hand.ending import CorrectionMade
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import NumberKey, number_key, series
from ledger.table.standing_accounts import TableEntry
from ledger.vocabulary import Millis

_ARRANGING: Final = frozenset({AccountChosen, AccountPlaced, CorrectionMade, HandsMissing, OrderTold})
"""What says that something stands elsewhere than where it was told, or for something else."""

_NEVER: Final = -(1 << 62)


class StoredEntries(Iterable[TableEntry]):
    """What a table was told, which can be gone through again: whether it stands in its order is asked once."""

    _order_reader: OrderReader | None = None
    _hand_ids: bytearray

    def order_reader(self) -> OrderReader:
        """Return the reading of these events, up to the first that may stand elsewhere."""
        if self._order_reader is None:
            self._hand_ids = bytearray()
            self._order_reader = OrderReader()
            self._order_reader.read(self._noting_hands())
        return self._order_reader

    def trust_order(self) -> None:
        """Take it as known that all of it is in its place: it is not gone through for that."""
        self._order_reader = OrderReader()

    def hand_ids(self) -> bytes | None:
        """Return the ids of the hands' streams, one behind the other; None: they may stand otherwise."""
        return bytes(self._hand_ids) if self.order_reader().is_in_order else None

    def _noting_hands(self) -> Iterator[TableEntry]:
        for entry in self:
            if type(entry.event) is HandPlayed:
                self._hand_ids += bytes.fromhex(entry.event.hand)
            yield entry


def is_in_table_order(entries: Iterable[TableEntry]) -> bool:
    """Whether events stand in the table's order, each of its hands told once."""
    if isinstance(entries, StoredEntries):
        return entries.order_reader().is_in_order
    return OrderReader().read(entries)


class OrderReader:
    """Reads a table's stream once, each event as long as it is in its place, and remembers little of it."""

    def __init__(self) -> None:
        """Begin where nothing was told."""
        self.is_in_order = True  # all that was read is in its place
        self.hands = 0
        self.version = -1
        self.number: NumberKey | None = None  # of the last hand
        self.uses_source_clock: bool | None = (
            None  # whether hands tell the moment they began, or their clock; None = neither
        )
        self.moment = _NEVER  # when the last hand began
        self.source: str | None = None
        self.reached_by_source: dict[str, int] = {}  # by source: behind how many hands it tells on
        self.time = _NEVER  # of the last fact, where its source told one since the last hand
        self.latest = _NEVER  # of the facts since the last hand

    @classmethod
    def resume_sorted(cls, stream: Iterable[TableEntry], sorted_entries: Iterable[TableEntry]) -> OrderReader:
        """Return the reading of a stream that was put in order, so that it can go on with what is told behind.

        It is whole where every hand tells when it began: then a later hand stands last, whatever stood elsewhere before.
        """
        reader = cls()
        hands_before_version: dict[int, int] = {}  # version → how many hands it stands behind
        position_by_hand: dict[str, int] = {}  # hand → the how manieth it is
        for entry in sorted_entries:
            event = entry.event
            if isinstance(event, HandPlayed):
                is_hand_in_place = (
                    reader._hand(entry, event) and reader.uses_source_clock is False and not entry.is_guess
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
        """Go on with what was told behind; whether all is in its place."""
        self.is_in_order = self.is_in_order and all(map(self.read_entry, entries))
        return self.is_in_order

    def read_entry(self, entry: TableEntry) -> bool:
        """Whether the next event is in its place, as far as those before it show."""
        event = entry.event
        if type(event) in _ARRANGING or entry.version <= self.version:
            return False
        has_later_news = (
            entry.last_version_before is not None and entry.last_version_before < self.version
        )  # something was told
        self.version = entry.version
        if entry.source != self.source:
            self.source, self.time = entry.source, _NEVER
        if isinstance(event, HandPlayed):
            return self._hand(entry, event, has_later_news=has_later_news)
        if isinstance(event, TableOpened):
            return not self.hands and self._in_turn(_NEVER)
        return self._fact(entry)

    def _hand(self, entry: TableEntry, hand: HandPlayed, *, has_later_news: bool = False) -> bool:
        start_time = entry.time if hand.started is None else hand.started
        moment = hand.clock if start_time is None else start_time
        uses_source_clock = None if moment is None else start_time is None
        number = number_key(hand.number)
        if uses_source_clock is not False and self.latest > _NEVER:
            return False  # a fact tells when it was, and hands do not
        if self.number is None:
            self.uses_source_clock = uses_source_clock
        elif (
            uses_source_clock != self.uses_source_clock
            or number <= self.number
            or series(number) != series(self.number)
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

    def _fact(self, entry: TableEntry) -> bool:
        if entry.time is not None:
            if (self.hands and self.uses_source_clock is not False) or entry.time < self.moment:
                return False
            self.time, self.reached_by_source[entry.source] = entry.time, self.hands
        return self.reached_by_source.get(entry.source, self.hands) == self.hands and self._in_turn(self.time)

    def _in_turn(self, time: Millis) -> bool:
        """Whether a fact stands behind those told before it since the last hand."""
        if time < self.latest:
            return False
        self.latest = time
        return True
