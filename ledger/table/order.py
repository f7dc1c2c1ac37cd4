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

from ledger.table.events import HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import NumberKey, number_key, series
from ledger.table.partial_order import OrderEvidence, Pairs, arrange_indexes
from ledger.table.plain import is_in_table_order
from ledger.table.standing_accounts import TableEntry, apply_table_corrections, from_entries, from_events, group_hands
from ledger.vocabulary import Millis

__all__ = ["TableEntry", "from_entries", "from_events", "put_in_order", "sort_entries"]

_DAY: Final = 24 * 60 * 60 * 1000
_SECOND: Final = 1_000
_BEFORE_ALL_TIMES: Final = -(1 << 62)
_AFTER_ALL_SOURCES: Final = "\U0010ffff"  # behind every source


def put_in_order(entries: Iterable[TableEntry]) -> Iterable[TableEntry]:
    """Return the events that hold in the table's order, as `sort_entries` does.

    What can be gone through again and stands in its order already is returned itself: where it is read
    from a ledger each time, one event is in memory.
    """
    entries = list(entries) if isinstance(entries, Iterator) else entries
    return entries if is_in_table_order(entries) else sort_entries(entries)


def sort_entries(entries: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the events that hold in the table's order; a hand told twice appears once.

    What only tells the order (`OrderTold`) is not among them. `HandsMissing` stands behind the hand
    that it names.
    """
    stream = apply_table_corrections(entries)
    record = _Record(stream)
    hands = record.sort_hands()
    slots = {hand.version: index for index, hand in enumerate(hands)}
    hand_slots = [slots[entry.version] for entry in record.hands]  # of each hand of the record, its place
    facts_by_slot: list[list[tuple[Millis, int, TableEntry]]] = [[] for _ in range(len(hands) + 1)]
    stream_index = {entry.version: index for index, entry in enumerate(stream)}
    fact_placer = _FactPlacer(record, hand_slots, _list_hand_starts(hands, [*stream_index]))
    for entry, slot, time in fact_placer.place(stream):
        facts_by_slot[slot + 1].append((time, stream_index[entry.version], entry))
    sorted_entries: list[TableEntry] = []
    for index in range(len(hands) + 1):
        if index:
            sorted_entries.append(hands[index - 1])
        sorted_entries += (
            entry for _, _, entry in sorted(facts_by_slot[index], key=lambda placed_fact: placed_fact[:2])
        )
    return sorted_entries


class _Record:
    """The hands of a stream, each once, and what is told of their order."""

    def __init__(self, stream: list[TableEntry]) -> None:
        self.hands: list[TableEntry] = []  # of each the account that stands
        self._hand_by_version: dict[int, int] = {}
        self._hands_by_number: dict[str, list[int]] = {}
        self._hand_by_stream: dict[str, int] = {}
        self._hands_by_source: dict[str, list[int]] = {}
        self._pairs: list[tuple[int, int]] = []
        for hand in group_hands(stream):
            for account in hand.accounts:
                self._hand_by_version[account.entry.version] = len(self.hands)
                self._hand_by_stream[account.hand.hand] = len(self.hands)
            self._hands_by_number.setdefault(hand.first_account.hand.number, []).append(len(self.hands))
            self.hands.append(hand.standing_account.entry)
        order_events: list[OrderTold] = []
        for entry in stream:
            if isinstance(entry.event, HandPlayed):
                source_hands = self._hands_by_source.setdefault(entry.source, [])
                hand_index = self._hand_by_version[entry.version]
                if not source_hands or source_hands[-1] != hand_index:
                    source_hands.append(hand_index)
            elif isinstance(entry.event, OrderTold):
                order_events.append(entry.event)
        for order_event in order_events:
            first, second = (
                self.find_hand(order_event.after, order_event.after_hand),
                self.find_hand(order_event.before, order_event.before_hand),
            )
            if first is not None and second is not None:
                self._pairs.append((first, second))

    def hand_index(self, entry: TableEntry) -> int:
        """Return the hand that this is an account of."""
        return self._hand_by_version[entry.version]

    def find_hand(self, number: str, stream: str = "") -> int | None:
        """Return the hand of this account, or of this number, if that is one hand."""
        stream_match = self._hand_by_stream.get(stream)
        number_matches = self._hands_by_number.get(number, ())
        return number_matches[0] if stream_match is None and len(number_matches) == 1 else stream_match

    def sort_hands(self) -> list[TableEntry]:
        """Return the hands in their order."""
        hands = self.hands
        keys = [number_key(hand.event.number) for hand in hands]  # type: ignore[union-attr]  # only hands are put in
        times = [_start_time(hand) for hand in hands]
        clocks = [_source_clock(hand) for hand in hands]
        for moments in (times, clocks):
            if None not in moments and _are_distinguished(moments, keys):
                dated_hands = sorted(zip(moments, keys, range(len(hands)), strict=True))
                return [hands[hand_index] for _, _, hand_index in dated_hands]
        source_pairs = self._pairs_by_source(times, clocks)
        if (
            all(moment is None for moment in (*times, *clocks))
            and _is_one_series(keys)
            and len(set(keys)) == len(keys)  # numbers that restart don't order the hands of several sessions
            and all(keys[first] < keys[second] for first, second in source_pairs)
        ):
            return [hands[hand_index] for hand_index in sorted(range(len(hands)), key=keys.__getitem__)]
        return self._sort_by_all_evidence(times, clocks, keys, source_pairs)

    def _pairs_by_source(
        self, times: Sequence[Millis | None], clocks: Sequence[Millis | None]
    ) -> list[tuple[int, int]]:
        """Return the pairs that put hands into the order of their sources, where no time decides."""
        return [
            (first, second)
            for pair in (*map(pairwise, self._hands_by_source.values()), self._pairs)
            for first, second in pair
            if times[first] is None or times[second] is None or times[first] == times[second]
            if clocks[first] is None or clocks[second] is None or clocks[first] == clocks[second]
        ]

    def _sort_by_all_evidence(
        self, times: list[Millis | None], clocks: list[Millis | None], keys: list[NumberKey], sources: Pairs
    ) -> list[TableEntry]:
        hands = self.hands
        barriers = _Barriers()
        numbers = _pairs_by_number(keys, _strands(len(hands), sources) if len(set(keys)) < len(keys) else None)
        levels = [barriers.pairs_by_time(times) + barriers.pairs_by_time(clocks), sources, numbers]
        strand_keys = _lowest_of_strand(len(hands), [*sources, *numbers], keys, hands)

        def evidence_for(hand_index: int) -> OrderEvidence:
            if hand_index < 0:
                return OrderEvidence(_BEFORE_ALL_TIMES, (), 0)
            time = times[hand_index] if times[hand_index] is not None else clocks[hand_index]
            return OrderEvidence(
                time,
                (strand_keys[hand_index], _last_resort(hands[hand_index], keys[hand_index])),
                hands[hand_index].day * _DAY,
            )

        indexes = [*range(len(hands)), *range(-barriers.count, 0)]
        arranged = [
            arranged_index
            for arranged_index in arrange_indexes(indexes, levels, evidence_for)
            if arranged_index.number >= 0
        ]
        return [
            hands[arranged_index.number]._replace(is_guess=True)
            if arranged_index.is_guess
            else hands[arranged_index.number]
            for arranged_index in arranged
        ]


class _Barriers:
    """Things that are no hands: all of one moment lie before one, all of the next behind it."""

    def __init__(self) -> None:
        self.count = 0

    def pairs_by_time(self, times: Sequence[Millis | None]) -> list[tuple[int, int]]:
        """Return the pairs that put hands with a time into its order; hands of one moment stay open."""
        moments: dict[Millis, list[int]] = {}
        for hand_index, time in enumerate(times):
            if time is not None:
                moments.setdefault(time, []).append(hand_index)
        pairs: list[tuple[int, int]] = []
        for earlier_moment, later_moment in pairwise(sorted(moments)):
            self.count += 1
            pairs += ((index, -self.count) for index in moments[earlier_moment])
            pairs += ((-self.count, index) for index in moments[later_moment])
        return pairs


def _are_distinguished(times: list[Millis | None], keys: list[NumberKey]) -> bool:
    """Whether hands of the same moment are told apart by numbers of one series."""
    series_by_time: dict[Millis | None, str] = {}
    return all(
        series_by_time.setdefault(time, series(key)) == series(key) for time, key in zip(times, keys, strict=True)
    )


def _is_one_series(keys: list[NumberKey]) -> bool:
    return len({series(key) for key in keys}) < 2


def _pairs_by_number(keys: list[NumberKey], strands: list[int] | None = None) -> list[tuple[int, int]]:
    """Return the pairs that put the hands of each series into the order of their numbers.

    `strands`, where numbers restart: only what one strand of hands tells is compared.
    """
    hands_by_series: dict[tuple[str, int], list[int]] = {}
    for hand_index, key in enumerate(keys):
        if key:
            hands_by_series.setdefault((series(key), strands[hand_index] if strands else 0), []).append(hand_index)
    return [
        pair
        for hand_indexes in hands_by_series.values()
        for pair in pairwise(sorted(hand_indexes, key=keys.__getitem__))
        if keys[pair[0]] != keys[pair[1]]
    ]


def _last_resort(entry: TableEntry, key: NumberKey) -> tuple[object, ...]:
    return series(key), key, entry.event.hand  # type: ignore[union-attr]  # only hands are put in


def _lowest_of_strand(
    count: int, pairs: Iterable[tuple[int, int]], keys: list[NumberKey], hands: list[TableEntry]
) -> list[tuple[object, ...]]:
    """Return for each hand what the strand of hands that it is tied to goes by: its lowest number.

    So strands that nothing ties together stand one behind the other.
    """
    strands = _strands(count, pairs)
    lowest: dict[int, tuple[object, ...]] = {}
    for hand_index in range(count):
        own_key = _last_resort(hands[hand_index], keys[hand_index])
        lowest_key = lowest.get(strands[hand_index])
        lowest[strands[hand_index]] = own_key if lowest_key is None else min(own_key, lowest_key)
    return [lowest[strand] for strand in strands]


def _strands(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each thing one that stands for all that pairs tie it to."""
    parents = list(range(count))

    def find_root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for first, second in pairs:
        parents[find_root(first)] = find_root(second)
    return [find_root(index) for index in range(count)]


class _PlacedFact(NamedTuple):
    """A fact between hands, the place of the hand it stands behind, and a time."""

    fact: TableEntry
    slot: int
    time: Millis


class _FactPlacer:
    """Places the facts of a stream behind hands.

    Without a time of its own a fact has that of the one told before it. Those with which a source
    begins wait for the hand that comes next in it.
    """

    def __init__(self, record: _Record, hand_slots: list[int], clock: list[_HandStart]) -> None:
        self._record = record
        self._hand_slots = hand_slots
        self._clock = clock
        self._placed_facts: list[_PlacedFact] = []
        self._waiting_facts: list[tuple[TableEntry, Millis]] = []
        self._slot_by_source: dict[str, int] = {}  # by source: the place behind which it tells on
        self._slot = -1
        self._time = _BEFORE_ALL_TIMES

    def place(self, stream: Iterable[TableEntry]) -> list[_PlacedFact]:
        """Return the facts of a stream with their places."""
        previous_source = ""
        for stream_index, entry in enumerate(stream):
            event, source = entry.event, entry.source
            if source != previous_source:
                self._place_waiting(self._slot)
                self._time, previous_source = _BEFORE_ALL_TIMES, source
                self._slot = self._slot_by_source.get(source, self._slot)
            if isinstance(event, HandPlayed):
                self._go_to(source, self._hand_slots[self._record.hand_index(entry)])
                self._place_waiting(self._slot - 1)
            elif isinstance(event, OrderTold):
                self._follow_order(source, event)
            elif isinstance(event, TableOpened):
                self._placed_facts.append(_PlacedFact(entry, -1, _BEFORE_ALL_TIMES))
            else:
                self._place_fact(entry, stream_index)
        self._place_waiting(self._slot)
        return self._placed_facts

    def _go_to(self, source: str, slot: int) -> None:
        """Let a source tell on behind a hand."""
        self._slot, self._time = slot, _BEFORE_ALL_TIMES
        self._slot_by_source[source] = slot

    def _follow_order(self, source: str, order: OrderTold) -> None:
        hand_before = self._record.find_hand(order.after, order.after_hand)
        next_hand = self._record.find_hand(order.before, order.before_hand)
        if hand_before is not None:
            self._go_to(source, self._hand_slots[hand_before])
        elif next_hand is not None:
            self._go_to(source, self._hand_slots[next_hand] - 1)

    def _place_fact(self, entry: TableEntry, stream_index: int) -> None:
        """Place a fact: behind the hand that it names, by its time, or where its source tells on."""
        event, source = entry.event, entry.source
        if isinstance(event, HandsMissing) and (named_hand := self._record.find_hand(event.after)) is not None:
            self._go_to(source, self._hand_slots[named_hand])
        elif entry.time is not None:
            self._time = entry.time
            self._slot = self._slot_by_source[source] = self._find_slot(entry.time, stream_index, source)
        if source in self._slot_by_source:
            self._placed_facts.append(_PlacedFact(entry, self._slot, self._time))
        else:
            self._waiting_facts.append((entry, self._time))

    def _find_slot(self, time: Millis, stream_index: int, source: str) -> int:
        """Return the place of the last hand begun at a time; -1 if none had."""
        clock = self._clock
        slot = bisect_right(clock, _HandStart(time, stream_index, _AFTER_ALL_SOURCES)) - 1
        while slot >= 0 and clock[slot].may_follow(time, stream_index, source):
            slot -= 1
        return slot

    def _place_waiting(self, slot: int) -> None:
        """Place the facts that waited for a hand."""
        self._placed_facts += [_PlacedFact(fact, slot, time) for fact, time in self._waiting_facts]
        self._waiting_facts = []


class _HandStart(NamedTuple):
    """From when on a hand is the last one begun: time, before which place in the stream, source."""

    time: Millis
    place: int
    source: str

    def may_follow(self, time: Millis, place: int, source: str) -> bool:
        """Whether the hand, whose clock tells seconds, may have begun behind what its source told before it."""
        return place < self.place and source == self.source and not self.time % _SECOND and time - self.time < _SECOND


def _list_hand_starts(hands: list[TableEntry], versions: list[int]) -> list[_HandStart]:
    """Return for each hand from when on it is the last one begun, ascending; `versions` are those of the stream."""
    hand_starts: list[_HandStart] = []
    last_start = _HandStart(_BEFORE_ALL_TIMES, 0, "")
    for hand in hands:
        started = _start_time(hand)
        version_before = hand.version - 1 if hand.last_version_before is None else hand.last_version_before
        last_start = max(
            last_start,
            _HandStart(
                last_start.time if started is None else started, bisect_right(versions, version_before), hand.source
            ),
        )
        hand_starts.append(last_start)
    return hand_starts


def _start_time(entry: TableEntry) -> Millis | None:
    event = entry.event
    return event.started if isinstance(event, HandPlayed) and event.started is not None else entry.time


def _source_clock(entry: TableEntry) -> Millis | None:
    event = entry.event
    return event.clock if isinstance(event, HandPlayed) and _start_time(entry) is None else None
