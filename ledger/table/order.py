"""A table's events in the table's own order, not in that of their arrival.

The whole rule, the stronger word first; `docs/handscript.md` tells it to people:

1. Time. Hands that tell when they began stand by that; hands that tell only their source's own clock,
   without its zone, stand by that clock among themselves.
2. Source. Hands without a time, and hands of the same moment, stand as their source tells them.
3. Number. Of hands of one series (those whose numbers begin with the same word, or with a digit) the
   lower number is the earlier. So hands of several sources come together.
4. Where nothing tells, a hand goes directly behind what it is known to follow; of what follows nothing,
   what was brought in on an earlier day comes first, then the lower number. That is a guess, and the hand
   says so (`TableEntry.guessed`).

What a weaker word says against a stronger one is not heard. A hand told several times appears once. An
event with a time stands behind the last hand that had begun by then; one without stands behind what
its source tells before it, at the start of a source before the hand that comes next in it. A hand that
began in a second, by a clock that tells no less, began somewhere in it: of what happened in that second,
what its own source tells before it stands before it. Where the hand was recorded while it ran, the log knows what that is.
The same events give the same order, in whatever sequence their sources came in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.table.arranging import OrderEvidence, Pairs, arrange_indexes
from ledger.table.events import HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import Key, number_key, series
from ledger.table.plain import is_in_table_order
from ledger.table.standing import TableEntry, apply_table_corrections, from_entries, from_events, group_hands
from ledger.vocabulary import Millis

__all__ = ["TableEntry", "from_entries", "from_events", "put_in_order", "sort_entries"]

_DAY: Final = 24 * 60 * 60 * 1000
_SECOND: Final = 1_000
_NEVER: Final = -(1 << 62)
_ANY: Final = "\U0010ffff"  # behind every source


def put_in_order(told: Iterable[TableEntry]) -> Iterable[TableEntry]:
    """Return the events that hold in the table's order, as `sort_entries` does.

    What can be gone through again and stands in its order already is returned itself: where it is read
    from a ledger each time, one event is in memory.
    """
    told = list(told) if isinstance(told, Iterator) else told
    return told if is_in_table_order(told) else sort_entries(told)


def sort_entries(told: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the events that hold in the table's order; a hand told twice appears once.

    What only tells the order (`OrderTold`) is not among them. `HandsMissing` stands behind the hand
    that it names.
    """
    stream = apply_table_corrections(told)
    record = _Record(stream)
    hands = record.arranged()
    slots = {hand.version: index for index, hand in enumerate(hands)}
    at = [slots[one.version] for one in record.hands]  # of each hand of the record, its place
    between: list[list[tuple[Millis, int, TableEntry]]] = [[] for _ in range(len(hands) + 1)]
    place = {one.version: index for index, one in enumerate(stream)}
    for one, slot, time in _facts(stream, record, at, _clock(hands, [*place])):
        between[slot + 1].append((time, place[one.version], one))
    out: list[TableEntry] = []
    for index in range(len(hands) + 1):
        if index:
            out.append(hands[index - 1])
        out += (one for _, _, one in sorted(between[index], key=lambda item: item[:2]))
    return out


class _Record:
    """The hands of a stream, each once, and what is told of their order."""

    def __init__(self, stream: list[TableEntry]) -> None:
        self.hands: list[TableEntry] = []  # of each the account that stands
        self._by_version: dict[int, int] = {}
        self._by_number: dict[str, list[int]] = {}
        self._by_stream: dict[str, int] = {}
        self._in_source: dict[str, list[int]] = {}
        self._pairs: list[tuple[int, int]] = []
        for hand in group_hands(stream):
            for account in hand.accounts:
                self._by_version[account.told.version] = len(self.hands)
                self._by_stream[account.hand.hand] = len(self.hands)
            self._by_number.setdefault(hand.first.hand.number, []).append(len(self.hands))
            self.hands.append(hand.stands.told)
        order: list[OrderTold] = []
        for one in stream:
            if isinstance(one.event, HandPlayed):
                told = self._in_source.setdefault(one.source, [])
                known = self._by_version[one.version]
                if not told or told[-1] != known:
                    told.append(known)
            elif isinstance(one.event, OrderTold):
                order.append(one.event)
        for said in order:
            first, second = self.hand(said.after, said.after_hand), self.hand(said.before, said.before_hand)
            if first is not None and second is not None:
                self._pairs.append((first, second))

    def of(self, one: TableEntry) -> int:
        """Return the hand that this is an account of."""
        return self._by_version[one.version]

    def hand(self, number: str, stream: str = "") -> int | None:
        """Return the hand of this account, or of this number, if that is one hand."""
        found = self._by_stream.get(stream)
        numbered = self._by_number.get(number, ())
        return numbered[0] if found is None and len(numbered) == 1 else found

    def arranged(self) -> list[TableEntry]:
        """Return the hands in their order."""
        hands = self.hands
        keys = [number_key(one.event.number) for one in hands]  # type: ignore[union-attr]  # only hands are put in
        times = [_began(one) for one in hands]
        clocks = [_own_clock(one) for one in hands]
        for moments in (times, clocks):
            if None not in moments and _tell_apart(moments, keys):
                placed = sorted(zip(moments, keys, range(len(hands)), strict=True))
                return [hands[at] for _, _, at in placed]
        sources = [
            (first, second)
            for pair in (*map(pairwise, self._in_source.values()), self._pairs)
            for first, second in pair
            if times[first] is None or times[second] is None or times[first] == times[second]
            if clocks[first] is None or clocks[second] is None or clocks[first] == clocks[second]
        ]
        again = len(set(keys)) < len(keys)  # numbers restart: they tell nothing from session to session
        if (
            not again
            and all(one is None for one in (*times, *clocks))
            and _one_series(keys)
            and all(keys[first] < keys[second] for first, second in sources)
        ):
            return [hands[at] for at in sorted(range(len(hands)), key=keys.__getitem__)]
        return self._by_all(times, clocks, keys, sources)

    def _by_all(
        self, times: list[Millis | None], clocks: list[Millis | None], keys: list[Key], sources: Pairs
    ) -> list[TableEntry]:
        hands = self.hands
        barriers = _Barriers()
        numbers = _by_number(keys, _strands(len(hands), sources) if len(set(keys)) < len(keys) else None)
        levels = [barriers.between(times) + barriers.between(clocks), sources, numbers]
        first = _first_of_strand(len(hands), [*sources, *numbers], keys, hands)

        def known(at: int) -> OrderEvidence:
            if at < 0:
                return OrderEvidence(_NEVER, (), 0)
            time = times[at] if times[at] is not None else clocks[at]
            return OrderEvidence(time, (first[at], _last_resort(hands[at], keys[at])), hands[at].day * _DAY)

        things = [*range(len(hands)), *range(-barriers.count, 0)]
        found = [one for one in arrange_indexes(things, levels, known) if one.what >= 0]
        return [hands[one.what]._replace(guessed=True) if one.guessed else hands[one.what] for one in found]


class _Barriers:
    """Things that are no hands: all of one moment lie before one, all of the next behind it."""

    def __init__(self) -> None:
        self.count = 0

    def between(self, times: Sequence[Millis | None]) -> list[tuple[int, int]]:
        """Return the pairs that put hands with a time into its order; hands of one moment stay open."""
        moments: dict[Millis, list[int]] = {}
        for at, time in enumerate(times):
            if time is not None:
                moments.setdefault(time, []).append(at)
        found: list[tuple[int, int]] = []
        for before, after in pairwise(sorted(moments)):
            self.count += 1
            found += ((one, -self.count) for one in moments[before])
            found += ((-self.count, one) for one in moments[after])
        return found


def _tell_apart(times: list[Millis | None], keys: list[Key]) -> bool:
    """Whether hands of the same moment are told apart by numbers of one series."""
    known: dict[Millis | None, str] = {}
    return all(known.setdefault(time, series(key)) == series(key) for time, key in zip(times, keys, strict=True))


def _one_series(keys: list[Key]) -> bool:
    return len({series(key) for key in keys}) < 2


def _by_number(keys: list[Key], strands: list[int] | None = None) -> list[tuple[int, int]]:
    """Return the pairs that put the hands of each series into the order of their numbers.

    `strands`, where numbers restart: only what one strand of hands tells is compared.
    """
    counted: dict[tuple[str, int], list[int]] = {}
    for at, key in enumerate(keys):
        if key:
            counted.setdefault((series(key), strands[at] if strands else 0), []).append(at)
    return [
        pair
        for some in counted.values()
        for pair in pairwise(sorted(some, key=keys.__getitem__))
        if keys[pair[0]] != keys[pair[1]]
    ]


def _last_resort(one: TableEntry, key: Key) -> tuple[object, ...]:
    return series(key), key, one.event.hand  # type: ignore[union-attr]  # only hands are put in


def _first_of_strand(
    count: int, pairs: Iterable[tuple[int, int]], keys: list[Key], hands: list[TableEntry]
) -> list[tuple[object, ...]]:
    """Return for each hand what the strand of hands that it is tied to goes by: its lowest number.

    So strands that nothing ties together stand one behind the other.
    """
    strands = _strands(count, pairs)
    lowest: dict[int, tuple[object, ...]] = {}
    for at in range(count):
        own = _last_resort(hands[at], keys[at])
        known = lowest.get(strands[at])
        lowest[strands[at]] = own if known is None else min(own, known)
    return [lowest[strand] for strand in strands]


def _strands(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each thing one that stands for all that pairs tie it to."""
    up = list(range(count))

    def top(at: int) -> int:
        while up[at] != at:
            up[at] = up[up[at]]
            at = up[at]
        return at

    for first, second in pairs:
        up[top(first)] = top(second)
    return [top(at) for at in range(count)]


def _facts(
    stream: list[TableEntry], record: _Record, at: list[int], clock: list[_Begun]
) -> list[tuple[TableEntry, int, Millis]]:
    """Return the facts between hands, each with the place of the hand it stands behind, and a time.

    Without a time of its own a fact has that of the one told before it. Those with which a source
    begins wait for the hand that comes next in it.
    """
    found: list[tuple[TableEntry, int, Millis]] = []
    waiting: list[tuple[TableEntry, Millis]] = []
    reached: dict[str, int] = {}  # by source: the place behind which it tells on
    slot, time = -1, _NEVER
    before = ""
    for place, one in enumerate(stream):
        event, source = one.event, one.source
        if source != before:
            found += ((fact, slot, when) for fact, when in waiting)
            waiting, before, time = [], source, _NEVER
            slot = reached.get(source, slot)
        if isinstance(event, HandPlayed):
            slot, time = at[record.of(one)], _NEVER
            found += ((fact, slot - 1, when) for fact, when in waiting)
            waiting = []
        elif isinstance(event, OrderTold):
            after = record.hand(event.after, event.after_hand)
            next_one = record.hand(event.before, event.before_hand)
            if after is None and next_one is None:
                continue
            slot = at[next_one] - 1 if after is None and next_one is not None else at[after or 0]
            time = _NEVER
        elif isinstance(event, TableOpened):
            found.append((one, -1, _NEVER))
            continue
        else:
            if isinstance(event, HandsMissing) and (named := record.hand(event.after)) is not None:
                slot, time, reached[source] = at[named], _NEVER, at[named]
            elif one.at is not None:
                time = one.at
                slot = bisect_right(clock, _Begun(time, place, _ANY)) - 1
                while slot >= 0 and clock[slot].may_follow(time, place, source):
                    slot -= 1
                reached[source] = slot
            if source in reached:
                found.append((one, slot, time))
            else:
                waiting.append((one, time))
            continue
        reached[source] = slot
    return [*found, *((fact, slot, when) for fact, when in waiting)]


class _Begun(NamedTuple):
    """From when on a hand is the last one begun: time, before which place in the stream, source."""

    time: Millis
    place: int
    source: str

    def may_follow(self, time: Millis, place: int, source: str) -> bool:
        """Whether the hand, whose clock tells seconds, may have begun behind what its source told before it."""
        return place < self.place and source == self.source and not self.time % _SECOND and time - self.time < _SECOND


def _clock(hands: list[TableEntry], versions: list[int]) -> list[_Begun]:
    """Return for each hand from when on it is the last one begun, ascending; `versions` are those of the stream."""
    clock: list[_Begun] = []
    last = _Begun(_NEVER, 0, "")
    for one in hands:
        started = _began(one)
        told = one.version - 1 if one.opened is None else one.opened
        last = max(last, _Begun(last.time if started is None else started, bisect_right(versions, told), one.source))
        clock.append(last)
    return clock


def _began(one: TableEntry) -> Millis | None:
    event = one.event
    return event.started if isinstance(event, HandPlayed) and event.started is not None else one.at


def _own_clock(one: TableEntry) -> Millis | None:
    event = one.event
    return event.clock if isinstance(event, HandPlayed) and _began(one) is None else None
