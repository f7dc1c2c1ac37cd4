"""A table's events in the table's own order, not in that of their arrival.

The whole rule, the stronger word first; `docs/handscript.md` tells it to people:

1. Time. Hands that tell when they began stand by that; hands that tell only their source's own clock,
   without its zone, stand by that clock among themselves.
2. Source. Hands without a time, and hands of the same moment, stand as their source tells them.
3. Number. Of hands of one series (those whose numbers begin with the same word, or with a digit) the
   lower number is the earlier. So hands of several sources come together.
4. Where nothing tells, a hand goes directly behind what it is known to follow; of what follows nothing,
   what was brought in on an earlier day comes first, then the lower number. That is a guess, and the hand
   says so (`Told.guessed`).

What a weaker word says against a stronger one is not heard. A hand told several times appears once. An
event with a time stands behind the last hand that had begun by then; one without stands behind what
its source tells before it, at the start of a source before the hand that comes next in it.
The same events give the same order, in whatever sequence their sources came in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from ledger.entry import Entry
from ledger.hand.corrections import holding
from ledger.table.arranging import Known, Pairs, arranged
from ledger.table.events import HandPlayed, HandsMissing, OrderTold, TableEvent, TableOpened
from ledger.vocabulary import Millis

Key: TypeAlias = tuple[tuple[int, int, str], ...]

_DAY: Final = 24 * 60 * 60 * 1000
_NEVER: Final = -(1 << 62)


class Told(NamedTuple):
    """An event of a table: its version in the stream, and when it happened, if that is known."""

    version: int
    event: TableEvent
    at: Millis | None = None
    source: str = (
        ""  # whose sequence it is part of: digest of a file; "" = the ledger's own recording
    )
    day: int = 0  # on which day it was brought in
    guessed: bool = False  # a hand: nothing tells that it stands behind the one before it


def from_entries(entries: Iterable[Entry]) -> list[Told]:
    """Take what the order needs from a table's entries. A hand's time is when it began."""
    return [
        Told(
            entry.version, entry.event, entry.mark.at,  # type: ignore[arg-type]  # the store holds only TableEvent in a table's stream
            entry.recorded.source.source if entry.recorded.source else "",
            entry.recorded.at // _DAY,
        )
        for entry in entries
    ]  # fmt: skip


def from_events(
    events: Sequence[TableEvent],
    times: dict[int, Millis] | None = None,
    sources: Sequence[str] = (),
) -> list[Told]:
    """Give numbers to events that are not in a ledger yet; `times` by index, as in `TableAccount`."""
    times = times or {}
    return [
        Told(index + 1, event, times.get(index), sources[index] if sources else "")
        for index, event in enumerate(events)
    ]


def number_key(number: str) -> Key:
    """Return a key that sorts hand numbers as people read them: "9" before "10", "2-9" before "2-10".

    Digits are compared by length and text, so that a number of any length costs no conversion.
    """
    parts: list[tuple[int, int, str]] = []
    at = 0
    while at < len(number):
        digit = number[at] in "0123456789"
        end = at + 1
        while end < len(number) and (number[end] in "0123456789") == digit:
            end += 1
        run = number[at:end]
        if digit:
            run = run.lstrip("0")
            parts.append((0, len(run), run))
        else:
            parts.append((1, 0, run))
        at = end
    return tuple(parts)


def ordered(told: Iterable[Told]) -> list[Told]:
    """Return the events that hold in the table's order; a hand told twice appears once.

    What only tells the order (`OrderTold`) is not among them. `HandsMissing` stands behind the hand
    that it names.
    """
    by_version = {one.version: one for one in told}
    stream = [
        by_version[version]
        for version, _ in holding(
            [(version, by_version[version].event) for version in sorted(by_version)]
        )
    ]
    record = _Record(stream)
    hands = record.arranged()
    slots = {hand.version: index for index, hand in enumerate(hands)}
    at = [slots[one.version] for one in record.hands]  # of each hand of the record, its place
    between: list[list[tuple[Millis, int, Told]]] = [[] for _ in range(len(hands) + 1)]
    place = {one.version: index for index, one in enumerate(stream)}
    for one, slot, time in _facts(stream, record, at, _clock(hands, place)):
        between[slot + 1].append((time, place[one.version], one))
    out: list[Told] = []
    for index in range(len(hands) + 1):
        if index:
            out.append(hands[index - 1])
        out += (one for _, _, one in sorted(between[index], key=lambda item: item[:2]))
    return out


class _Record:
    """The hands of a stream, each once, and what is told of their order."""

    def __init__(self, stream: list[Told]) -> None:
        self.hands: list[
            Told
        ] = []  # one account of each: the first complete one stands for the hand
        self._by_key: dict[object, int] = {}
        self._by_number: dict[str, int] = {}
        self._by_stream: dict[str, int] = {}
        self._in_source: dict[str, list[int]] = {}
        self._pairs: list[tuple[int, int]] = []
        order: list[OrderTold] = []
        for one in stream:
            event = one.event
            if isinstance(event, HandPlayed):
                self._take(one, event)
            elif isinstance(event, OrderTold):
                order.append(event)
        for told in order:
            first, second = self.hand(told.after, told.after_hand), self.hand(told.before, told.before_hand)  # fmt: skip
            if first is not None and second is not None:
                self._pairs.append((first, second))

    def _take(self, one: Told, event: HandPlayed) -> None:
        key: object = event.number or one.version
        known = self._by_key.get(key)
        if known is None:
            known = self._by_key[key] = len(self.hands)
            self.hands.append(one)
        elif event.completed and not self.hands[known].event.completed:  # type: ignore[union-attr]  # only hands are put in
            self.hands[known] = one
        self._by_number[event.number] = self._by_stream[event.hand] = known
        told = self._in_source.setdefault(one.source, [])
        if not told or told[-1] != known:
            told.append(known)

    def of(self, one: Told, event: HandPlayed) -> int:
        """Return the hand that this is an account of."""
        return self._by_key[event.number or one.version]

    def hand(self, number: str, stream: str = "") -> int | None:
        """Return the hand of this number, or of this account."""
        found = self._by_stream.get(stream)
        return self._by_number.get(number) if found is None else found

    def arranged(self) -> list[Told]:
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
        if all(one is None for one in (*times, *clocks)) and _one_series(keys) and all(
            keys[first] < keys[second] for first, second in sources
        ):  # fmt: skip
            return [hands[at] for at in sorted(range(len(hands)), key=keys.__getitem__)]
        return self._by_all(times, clocks, keys, sources)

    def _by_all(
        self, times: list[Millis | None], clocks: list[Millis | None], keys: list[Key], sources: Pairs
    ) -> list[Told]:  # fmt: skip
        hands = self.hands
        barriers = _Barriers()
        levels = [barriers.between(times) + barriers.between(clocks), sources, _by_number(keys)]
        first = _first_of_strand(len(hands), [*sources, *levels[2]], keys, hands)

        def known(at: int) -> Known:
            if at < 0:
                return Known(_NEVER, (), 0)
            time = times[at] if times[at] is not None else clocks[at]
            return Known(time, (first[at], _last_resort(hands[at], keys[at])), hands[at].day * _DAY)

        things = [*range(len(hands)), *range(-barriers.count, 0)]
        found = [one for one in arranged(things, levels, known) if one.what >= 0]
        return [
            hands[one.what]._replace(guessed=True) if one.guessed else hands[one.what]
            for one in found
        ]


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
    series: dict[Millis | None, str] = {}
    return all(
        series.setdefault(time, _series(key)) == _series(key)
        for time, key in zip(times, keys, strict=True)
    )


def _series(key: Key) -> str:
    """Return the word that a number begins with: numbers that begin alike count on from each other."""
    return key[0][2] if key and key[0][0] else ""


def counts_on(lower: str, higher: str) -> bool:
    """Whether two hand numbers are of one series, the first the lower."""
    first, second = number_key(lower), number_key(higher)
    return _series(first) == _series(second) and first < second


def _one_series(keys: list[Key]) -> bool:
    return len({_series(key) for key in keys}) < 2


def _by_number(keys: list[Key]) -> list[tuple[int, int]]:
    """Return the pairs that put the hands of each series into the order of their numbers."""
    series: dict[str, list[int]] = {}
    for at, key in enumerate(keys):
        if key:
            series.setdefault(_series(key), []).append(at)
    return [
        pair
        for some in series.values()
        for pair in pairwise(sorted(some, key=keys.__getitem__))
        if keys[pair[0]] != keys[pair[1]]
    ]


def _last_resort(one: Told, key: Key) -> tuple[object, ...]:
    return _series(key), key, one.event.hand  # type: ignore[union-attr]  # only hands are put in


def _first_of_strand(
    count: int, pairs: Iterable[tuple[int, int]], keys: list[Key], hands: list[Told]
) -> list[tuple[object, ...]]:
    """Return for each hand what the strand of hands that it is tied to goes by: its lowest number.

    So strands that nothing ties together stand one behind the other.
    """
    up = list(range(count))

    def top(at: int) -> int:
        while up[at] != at:
            up[at] = up[up[at]]
            at = up[at]
        return at

    for first, second in pairs:
        up[top(first)] = top(second)
    lowest: dict[int, tuple[object, ...]] = {}
    for at in range(count):
        own = _last_resort(hands[at], keys[at])
        known = lowest.get(top(at))
        lowest[top(at)] = own if known is None else min(own, known)
    return [lowest[top(at)] for at in range(count)]


def _facts(
    stream: list[Told], record: _Record, at: list[int], clock: list[tuple[Millis, int]]
) -> list[tuple[Told, int, Millis]]:
    """Return the facts between hands, each with the place of the hand it stands behind, and a time.

    Without a time of its own a fact has that of the one told before it. Those with which a source
    begins wait for the hand that comes next in it.
    """
    found: list[tuple[Told, int, Millis]] = []
    waiting: list[tuple[Told, Millis]] = []
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
            slot, time = at[record.of(one, event)], _NEVER
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
                slot = reached[source] = bisect_right(clock, (time, place)) - 1
            if source in reached:
                found.append((one, slot, time))
            else:
                waiting.append((one, time))
            continue
        reached[source] = slot
    return [*found, *((fact, slot, when) for fact, when in waiting)]


def _clock(hands: list[Told], place: dict[int, int]) -> list[tuple[Millis, int]]:
    """Return for each hand from when on it is the last one begun: time and place, ascending."""
    clock: list[tuple[Millis, int]] = []
    last = (_NEVER, 0)
    for one in hands:
        started = _began(one)
        last = max(last, (last[0] if started is None else started, place[one.version]))
        clock.append(last)
    return clock


def _began(one: Told) -> Millis | None:
    event = one.event
    return event.started if isinstance(event, HandPlayed) and event.started is not None else one.at


def _own_clock(one: Told) -> Millis | None:
    event = one.event
    return event.clock if isinstance(event, HandPlayed) and _began(one) is None else None
