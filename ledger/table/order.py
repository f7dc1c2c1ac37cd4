"""A table's events in playing order, not in the order of their arrival.

The rules, the strongest first; `docs/handscript.md` explains them to users:

1. Time. Hands with a start time are sorted by it. Hands with only their source's clock, without a zone, are sorted by
   that clock among themselves.
2. Source. Hands without a time, and hands of the same moment, keep the order of their source.
3. Number. In one series (numbers that begin with the same word, or with a digit), the lower number is earlier. This
   merges the hands of several sources.
4. Guess. If no rule decides, a hand comes directly after the hand that it is known to follow. Among hands that follow
   none, those imported on an earlier day come first, then lower numbers. The hand is marked as a guess
   (`TableEntry.is_guess`).

A weaker rule never overrules a stronger one. A hand with several accounts appears once. The same events give the same
order, in any sequence of imports.

An event with a time comes after the last hand that had begun by then. An event without one comes after what precedes
it in its source; at the start of a source it comes before the source's next hand. A hand whose clock shows only
seconds began somewhere in its second: an event of that second comes before it if it precedes it in the same source.
For a hand that was recorded while it ran, `TableEntry.last_version_before` settles this.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.table.events import HandPlayed, HandsMissing, OrderTold, TableOpened
from ledger.table.numbers import NumberKey, find_series, number_key
from ledger.table.partial_order import OrderEvidence, Pairs, arrange_indexes
from ledger.table.plain import is_in_table_order
from ledger.table.standing_accounts import (
    TableEntry,
    apply_table_corrections,
    build_table_entries,
    group_hands,
    number_table_events,
)
from ledger.vocabulary import Millis

__all__ = ["TableEntry", "build_table_entries", "number_table_events", "put_in_order", "sort_entries"]

_DAY: Final = 24 * 60 * 60 * 1000
_SECOND: Final = 1_000
_BEFORE_ALL_TIMES: Final = -(1 << 62)
_AFTER_ALL_SOURCES: Final = "\U0010ffff"  # sorts after every source


def put_in_order(entries: Iterable[TableEntry]) -> Iterable[TableEntry]:
    """Return the events in force in table order, as `sort_entries` does.

    A re-readable iterable that is already in order is returned unchanged. If it reads from a ledger, only one event is
    in memory at a time.
    """
    entries = list(entries) if isinstance(entries, Iterator) else entries
    return entries if is_in_table_order(entries) else sort_entries(entries)


def sort_entries(entries: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the events in force in table order. A hand with several accounts appears once.

    `OrderTold` is left out, since it only gives the order. `HandsMissing` comes after the hand that it names.
    """
    stream = apply_table_corrections(entries)
    record = _Record(stream)
    hands = record.sort_hands()
    slots = {hand.version: index for index, hand in enumerate(hands)}
    hand_slots = [slots[entry.version] for entry in record.hands]  # the place of each hand of the record
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
    """The hands of a stream, each once, and the evidence of their order."""

    def __init__(self, stream: list[TableEntry]) -> None:
        self.hands: list[TableEntry] = []  # each as its account in force
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
        """Return the index of the hand that an entry is an account of."""
        return self._hand_by_version[entry.version]

    def find_hand(self, number: str, stream: str = "") -> int | None:
        """Return the index of the hand with this account. Without one, return the only hand with this number, if any."""
        stream_match = self._hand_by_stream.get(stream)
        number_matches = self._hands_by_number.get(number, ())
        return number_matches[0] if stream_match is None and len(number_matches) == 1 else stream_match

    def sort_hands(self) -> list[TableEntry]:
        """Return the hands in their order."""
        hands = self.hands
        keys = [number_key(hand.event.number) for hand in hands]  # type: ignore[union-attr]  # only hands are put in
        times = [_start_time(hand) for hand in hands]
        clocks = [_find_source_clock(hand) for hand in hands]
        for moments in (times, clocks):
            if None not in moments and _are_distinguished(moments, keys):
                dated_hands = sorted(zip(moments, keys, range(len(hands)), strict=True))
                return [hands[hand_index] for _, _, hand_index in dated_hands]
        source_pairs = self._list_pairs_by_source(times, clocks)
        if (
            all(moment is None for moment in (*times, *clocks))
            and _is_one_series(keys)
            and len(set(keys)) == len(keys)  # restarting numbers don't order the hands of several sessions
            and all(keys[first] < keys[second] for first, second in source_pairs)
        ):
            return [hands[hand_index] for hand_index in sorted(range(len(hands)), key=keys.__getitem__)]
        return self._sort_by_all_evidence(times, clocks, keys, source_pairs)

    def _list_pairs_by_source(
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
        numbers = _list_pairs_by_number(
            keys, _find_strands(len(hands), sources) if len(set(keys)) < len(keys) else None
        )
        levels = [barriers.list_pairs_by_time(times) + barriers.list_pairs_by_time(clocks), sources, numbers]
        strand_keys = _find_lowest_of_strands(len(hands), [*sources, *numbers], keys, hands)

        def find_evidence(hand_index: int) -> OrderEvidence:
            if hand_index < 0:
                return OrderEvidence(_BEFORE_ALL_TIMES, (), 0)
            time = times[hand_index] if times[hand_index] is not None else clocks[hand_index]
            return OrderEvidence(
                time,
                (strand_keys[hand_index], _build_tie_breaker(hands[hand_index], keys[hand_index])),
                hands[hand_index].day * _DAY,
            )

        indexes = [*range(len(hands)), *range(-barriers.count, 0)]
        arranged = [
            arranged_index
            for arranged_index in arrange_indexes(indexes, levels, find_evidence)
            if arranged_index.number >= 0
        ]
        return [
            hands[arranged_index.number]._replace(is_guess=True)
            if arranged_index.is_guess
            else hands[arranged_index.number]
            for arranged_index in arranged
        ]


class _Barriers:
    """Nodes between two moments: all hands of the earlier moment come before one, all of the later after it.

    They have the indexes -1, -2, … and keep the number of pairs linear.
    """

    def __init__(self) -> None:
        self.count = 0

    def list_pairs_by_time(self, times: Sequence[Millis | None]) -> list[tuple[int, int]]:
        """Return pairs that sort hands by time. Hands of one moment stay unordered."""
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
    """Whether the hands of each moment have numbers of one series."""
    series_by_time: dict[Millis | None, str] = {}
    return all(
        series_by_time.setdefault(time, find_series(key)) == find_series(key)
        for time, key in zip(times, keys, strict=True)
    )


def _is_one_series(keys: list[NumberKey]) -> bool:
    return len({find_series(key) for key in keys}) < 2


def _list_pairs_by_number(keys: list[NumberKey], strands: list[int] | None = None) -> list[tuple[int, int]]:
    """Return pairs that sort the hands of each series by number.

    If numbers restart, `strands` has the strand of each hand, and only hands of one strand are compared.
    """
    hands_by_series: dict[tuple[str, int], list[int]] = {}
    for hand_index, key in enumerate(keys):
        if key:
            hands_by_series.setdefault((find_series(key), strands[hand_index] if strands else 0), []).append(hand_index)
    return [
        pair
        for hand_indexes in hands_by_series.values()
        for pair in pairwise(sorted(hand_indexes, key=keys.__getitem__))
        if keys[pair[0]] != keys[pair[1]]
    ]


def _build_tie_breaker(entry: TableEntry, key: NumberKey) -> tuple[object, ...]:
    return find_series(key), key, entry.event.hand  # type: ignore[union-attr]  # only hands are put in


def _find_lowest_of_strands(
    count: int, pairs: Iterable[tuple[int, int]], keys: list[NumberKey], hands: list[TableEntry]
) -> list[tuple[object, ...]]:
    """Return a sort key for each hand: the lowest number in its strand.

    Strands that no pair connects then come one after the other.
    """
    strands = _find_strands(count, pairs)
    lowest: dict[int, tuple[object, ...]] = {}
    for hand_index in range(count):
        own_key = _build_tie_breaker(hands[hand_index], keys[hand_index])
        lowest_key = lowest.get(strands[hand_index])
        lowest[strands[hand_index]] = own_key if lowest_key is None else min(own_key, lowest_key)
    return [lowest[strand] for strand in strands]


def _find_strands(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return the strand of each index: one index that represents all indexes that pairs connect to it."""
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
    """A fact between hands, with the place of the hand before it."""

    fact: TableEntry
    slot: int  # -1: before all hands
    time: Millis  # facts of one slot are sorted by it


class _FactPlacer:
    """Places the facts of a stream after hands.

    A fact without a time gets the time of the fact before it. Facts at the start of a source wait for the source's next
    hand.
    """

    def __init__(self, record: _Record, hand_slots: list[int], hand_starts: list[_HandStart]) -> None:
        self._record = record
        self._hand_slots = hand_slots
        self._hand_starts = hand_starts
        self._placed_facts: list[_PlacedFact] = []
        self._waiting_facts: list[tuple[TableEntry, Millis]] = []
        self._slot_by_source: dict[str, int] = {}  # the place after which each source continues
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
        """Continue a source after the hand at a place."""
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
        """Place a fact after the hand that it names, by its time, or where its source continues."""
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
        """Return the place of the last hand that had begun at a time, or -1."""
        hand_starts = self._hand_starts
        slot = bisect_right(hand_starts, _HandStart(time, stream_index, _AFTER_ALL_SOURCES)) - 1
        while slot >= 0 and hand_starts[slot].may_follow(time, stream_index, source):
            slot -= 1
        return slot

    def _place_waiting(self, slot: int) -> None:
        """Place the facts that waited for a hand."""
        self._placed_facts += [_PlacedFact(fact, slot, time) for fact, time in self._waiting_facts]
        self._waiting_facts = []


class _HandStart(NamedTuple):
    """When a hand became the last one begun: its time, its place in the stream, its source."""

    time: Millis
    stream_index: int
    source: str

    def may_follow(self, time: Millis, stream_index: int, source: str) -> bool:
        """Whether a hand timed in whole seconds may have begun after an event that its source has before it."""
        is_earlier_in_source = source == self.source and stream_index < self.stream_index
        return is_earlier_in_source and not self.time % _SECOND and time - self.time < _SECOND


def _list_hand_starts(hands: list[TableEntry], versions: list[int]) -> list[_HandStart]:
    """Return when each hand became the last one begun, ascending. `versions` are the versions of the stream."""
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


def _find_source_clock(entry: TableEntry) -> Millis | None:
    event = entry.event
    return event.clock if isinstance(event, HandPlayed) and _start_time(entry) is None else None
