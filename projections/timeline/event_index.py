"""Indexes of the events and acts of a long hand, so that lookups needn't scan the whole hand.

An ordinary hand is scanned, which is faster than an index. A corrected hand is scanned too: bisection needs events in
the order of their versions, and corrected events aren't.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.acts import Act
    from ledger.vocabulary import Seat

NumberedEvent: TypeAlias = tuple[int, Any]
"""A version in the hand's stream, and the event; the caller knows its type."""

LONG_HAND: Final = 200
"""A hand with more events is indexed."""

_version_of_event: Final = itemgetter(0)
_version_of_act: Final = attrgetter("version")


class EventIndex:
    """The events of a hand in order, by type and by seat. Lists are built on first use."""

    def __init__(self, events: Sequence[NumberedEvent]) -> None:
        """Create the index of a hand's events."""
        self._events = events
        self._by_types: dict[tuple[type[Event], ...], list[NumberedEvent]] = {}
        self._by_seat: dict[tuple[type[Event], ...], dict[Seat | None, list[NumberedEvent]]] = {}

    def events_of(self, types: tuple[type[Event], ...]) -> list[NumberedEvent]:
        """Return the events of these types. Don't change the list."""
        matching = self._by_types.get(types)
        if matching is None:
            type_set = frozenset(types)
            matching = self._by_types[types] = [
                (version, event) for version, event in self._events if type(event) in type_set
            ]
        return matching

    def events_of_seat(self, types: tuple[type[Event], ...], seat: Seat | None) -> list[NumberedEvent]:
        """Return the events of these types by a seat, or by all seats if it is None. Don't change the list."""
        if seat is None:
            return self.events_of(types)
        by_seat = self._by_seat.get(types)
        if by_seat is None:
            by_seat = self._by_seat[types] = {}
            for version, event in self.events_of(types):
                by_seat.setdefault(event.seat, []).append((version, event))
        return by_seat.get(seat, [])

    def events_between(
        self, types: tuple[type[Event], ...], seat: Seat | None, after_version: int, before_version: int | None
    ) -> list[NumberedEvent]:
        """Return the events of `events_of_seat` after a version and before another.

        If `before_version` is None, the list goes to the hand's end.
        """
        events = self.events_of_seat(types, seat)
        end = len(events) if before_version is None else bisect_left(events, before_version, key=_version_of_event)
        return events[bisect_right(events, after_version, key=_version_of_event) : end]

    def first_after(
        self, types: tuple[type[Event], ...], seat: Seat | None, after_version: int
    ) -> NumberedEvent | None:
        """Return the first event of `events_of_seat` after a version, or None if there is none."""
        events = self.events_of_seat(types, seat)
        index = bisect_right(events, after_version, key=_version_of_event)
        return events[index] if index < len(events) else None


class ActIndex:
    """The acts of a hand in the order of their versions, by seat."""

    def __init__(self, acts: Sequence[Act]) -> None:
        """Create the index of a hand's acts."""
        self._acts = acts
        self._run_ends = _find_run_ends(acts)
        self._by_seat: dict[Seat, list[Act]] = {}
        for act in acts:
            self._by_seat.setdefault(act.seat, []).append(act)

    def count_before(self, version: int) -> int:
        """Return how many acts came before a version."""
        return bisect_left(self._acts, version, key=_version_of_act)

    def next_after(self, version: int, seat: Seat | None = None) -> Act | None:
        """Return the first act after a version, by one seat or by any (None), or None if there is none."""
        acts = self._acts if seat is None else self._by_seat.get(seat, [])
        index = bisect_right(acts, version, key=_version_of_act)
        return acts[index] if index < len(acts) else None

    def has_acted(self, seat: Seat | None, before_version: int) -> bool:
        """Whether a seat acted before a version."""
        return seat is not None and seat in self._by_seat and self._by_seat[seat][0].version < before_version

    def find_run_end(self, act: Act) -> tuple[Act, int | None]:
        """Return the last act of the run that an act is in, and the version of the act after the run.

        A run ends when another seat acts or a new street begins. The version is None if the run ends with the hand.
        """
        index = bisect_left(self._acts, act.version, key=_version_of_act)
        end_index = self._run_ends[index]
        next_version = self._acts[end_index].version if end_index < len(self._acts) else None
        return self._acts[end_index - 1], next_version


def _find_run_ends(acts: Sequence[Act]) -> list[int]:
    """Return, for each act, the index of the next act by another seat or on another street."""
    ends = [len(acts)] * len(acts)
    for index in range(len(acts) - 2, -1, -1):
        is_same_run = (acts[index].seat, acts[index].street) == (acts[index + 1].seat, acts[index + 1].street)
        ends[index] = ends[index + 1] if is_same_run else index + 1
    return ends
