"""Whether a table's events stand in the table's own order as they were told: then nothing is put in order.

So it is at most tables, and there a walk needs one event in memory at a time, whatever their number. What
is not seen to be so at a glance, is put in order by the whole rule (`ledger.table.order`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.hand.ending import CorrectionMade
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import Key, number_key, series
from ledger.table.standing import TableEntry
from ledger.vocabulary import Millis

_ARRANGING: Final = frozenset({AccountChosen, AccountPlaced, CorrectionMade, HandsMissing, OrderTold})
"""What says that something stands elsewhere than where it was told, or for something else."""

_NEVER: Final = -(1 << 62)


class StoredEntries(Iterable[TableEntry]):
    """What a table was told, which can be gone through again: whether it stands in its order is asked once."""

    _in_place: OrderReader | None = None
    _hands: bytearray

    def in_place(self) -> OrderReader:
        """Return the reading of these events, up to the first that may stand elsewhere."""
        if self._in_place is None:
            self._hands = bytearray()
            self._in_place = OrderReader()
            self._in_place.read(self._noted())
        return self._in_place

    def known_in_place(self) -> None:
        """Take it as known that all of it is in its place: it is not gone through for that."""
        self._in_place = OrderReader()

    def hands(self) -> bytes | None:
        """Return the ids of the hands' streams, one behind the other; None: they may stand otherwise."""
        return bytes(self._hands) if self.in_place().whole else None

    def _noted(self) -> Iterator[TableEntry]:
        for one in self:
            if type(one.event) is HandPlayed:
                self._hands += bytes.fromhex(one.event.hand)
            yield one


def is_in_table_order(told: Iterable[TableEntry]) -> bool:
    """Whether events stand in the table's order, each of its hands told once."""
    if isinstance(told, StoredEntries):
        return told.in_place().whole
    return OrderReader().read(told)


class OrderReader:
    """Reads a table's stream once, each event as long as it is in its place, and remembers little of it."""

    def __init__(self) -> None:
        """Begin where nothing was told."""
        self.whole = True  # all that was read is in its place
        self.hands = 0
        self.version = -1
        self.number: Key | None = None  # of the last hand
        self.clocked: bool | None = None  # whether hands tell the moment they began, or their clock; None = neither
        self.moment = _NEVER  # when the last hand began
        self.source: str | None = None
        self.reached: dict[str, int] = {}  # by source: behind how many hands it tells on
        self.time = _NEVER  # of the last fact, where its source told one since the last hand
        self.latest = _NEVER  # of the facts since the last hand

    @classmethod
    def arranged(cls, stream: Iterable[TableEntry], ordered: Iterable[TableEntry]) -> OrderReader:
        """Return the reading of a stream that was put in order, so that it can go on with what is told behind.

        It is whole where every hand tells when it began: then a later hand stands last, whatever stood elsewhere before.
        """
        found = cls()
        behind: dict[int, int] = {}  # version → how many hands it stands behind
        place: dict[str, int] = {}  # hand → the how manieth it is
        for one in ordered:
            event = one.event
            if isinstance(event, HandPlayed):
                told = found._hand(one, event) and found.clocked is False and not one.guessed
                found.whole = found.whole and told
                place[event.hand] = found.hands
            elif one.at is not None:
                found.latest = max(found.latest, one.at)
            behind[one.version] = found.hands
        found.reached = {}
        for one in stream:
            found.version = max(found.version, one.version)
            if one.source != found.source:
                found.source, found.time = one.source, _NEVER
            if isinstance(one.event, HandPlayed):
                found.reached[one.source] = place.get(one.event.hand, -1)
                found.time = _NEVER
            elif type(one.event) in _ARRANGING:
                found.reached[one.source] = behind.get(one.version, -1)
                found.time = _NEVER
            elif one.at is not None:
                found.reached[one.source], found.time = behind.get(one.version, -1), one.at
        return found

    def read(self, told: Iterable[TableEntry]) -> bool:
        """Go on with what was told behind; whether all is in its place."""
        self.whole = self.whole and all(map(self.take, told))
        return self.whole

    def take(self, one: TableEntry) -> bool:
        """Whether the next event is in its place, as far as those before it show."""
        event = one.event
        if type(event) in _ARRANGING or one.version <= self.version:
            return False
        while_it_ran = one.opened is not None and one.opened < self.version  # something was told
        self.version = one.version
        if one.source != self.source:
            self.source, self.time = one.source, _NEVER
        if isinstance(event, HandPlayed):
            return self._hand(one, event, while_it_ran=while_it_ran)
        if isinstance(event, TableOpened):
            return not self.hands and self._in_turn(_NEVER)
        return self._fact(one)

    def _hand(self, one: TableEntry, hand: HandPlayed, *, while_it_ran: bool = False) -> bool:
        began = one.at if hand.started is None else hand.started
        moment = hand.clock if began is None else began
        clocked = None if moment is None else began is None
        number = number_key(hand.number)
        if clocked is not False and self.latest > _NEVER:
            return False  # a fact tells when it was, and hands do not
        if self.number is None:
            self.clocked = clocked
        elif clocked != self.clocked or number <= self.number or series(number) != series(self.number):
            return False
        if moment is not None and (moment < max(self.moment, self.latest) or (while_it_ran and moment == self.latest)):
            return False
        self.number, self.moment = number, _NEVER if moment is None else moment
        self.hands += 1
        self.reached[one.source] = self.hands
        self.time = self.latest = _NEVER
        return True

    def _fact(self, one: TableEntry) -> bool:
        if one.at is not None:
            if (self.hands and self.clocked is not False) or one.at < self.moment:
                return False
            self.time, self.reached[one.source] = one.at, self.hands
        return self.reached.get(one.source, self.hands) == self.hands and self._in_turn(self.time)

    def _in_turn(self, time: Millis) -> bool:
        """Whether a fact stands behind those told before it since the last hand."""
        if time < self.latest:
            return False
        self.latest = time
        return True
