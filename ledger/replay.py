"""Replay a hand: its events as corrected, and its state at any moment.

Detectors, reports and commands get a `HandReplay`. Everything is computed on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias, TypeVar, cast
from uuid import UUID

from ledger.entry import NO_ORIGIN, EventOrigin, Provenance
from ledger.event import Event
from ledger.hand import ending as e
from ledger.hand.corrections import apply_corrections
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin, fold
from ledger.hand.hand_trace import HandTrace
from ledger.hand.state import HandState
from ledger.hand.trace import build_trace
from ledger.marks import unpack_origins

Numbered: TypeAlias = tuple[int, HandEvent]
"""An event with its version, which is its number in the stream, from 1."""

EventT = TypeVar("EventT", bound=Event)


_LONG_HAND: Final = 200
"""Hands with more events are replayed step by step, not from the first event each time."""


class HandReplay:
    """One account of a hand, as corrected.

    `events` are the recorded events of the stream, version 1 first. Since most callers need nothing else, the other
    arguments may be raw: `marks` packed as stored, `stream` as bytes, `recorded` as a function.
    """

    def __init__(
        self,
        events: Sequence[HandEvent],
        marks: Sequence[EventOrigin] | bytes | None = None,
        stream: UUID | bytes | None = None,
        *,
        position: int = 0,  # of the first event in the ledger, 0 = not from a ledger
        recorded: Provenance | Callable[[], Provenance] | None = None,  # origin of the first event's commit
        session: int = 1,  # 2 = the second hand with this number at the table
    ) -> None:
        self.recorded_events = events
        self._marks = marks
        self._stream = stream
        self.position = position
        self._recorded = recorded
        self.session = session
        self._stepped_state: tuple[int, HandState] | None = None  # number of applied events, and the state after them

    @cached_property
    def stream(self) -> UUID | None:
        """The id of the stream, or None."""
        return UUID(bytes=self._stream) if isinstance(self._stream, bytes) else self._stream

    @cached_property
    def recorded(self) -> Provenance | None:
        """The provenance of the first event, or None if the hand isn't in a ledger."""
        return self._recorded() if callable(self._recorded) else self._recorded

    def replace_events(self, events: Sequence[HandEvent]) -> HandReplay:
        """Return the hand with these events, as when hidden cards are opened."""
        return HandReplay(
            events, self._marks, self._stream, position=self.position, recorded=self._recorded, session=self.session
        )

    @cached_property
    def numbered(self) -> list[Numbered]:
        """The corrected events with their versions, in order."""
        if e.CorrectionMade not in self._recorded_types:
            return list(enumerate(self.recorded_events, 1))
        return list_corrected(self.recorded_events)

    @cached_property
    def events(self) -> Sequence[HandEvent]:
        """The corrected events."""
        if e.CorrectionMade not in self._recorded_types:
            return self.recorded_events
        return [event for _, event in self.numbered]

    @cached_property
    def _recorded_types(self) -> frozenset[type]:
        return frozenset(map(type, self.recorded_events))

    @cached_property
    def corrections(self) -> list[tuple[int, e.CorrectionMade]]:
        """All corrections with their versions."""
        return [
            (version, event)
            for version, event in enumerate(self.recorded_events, 1)
            if isinstance(event, e.CorrectionMade)
        ]

    @cached_property
    def final_state(self) -> HandState:
        """The state after all events, as corrected. Don't change it."""
        return fold(self.events)

    @cached_property
    def trace(self) -> HandTrace:
        """The acts and streets of the hand as corrected, with its final state. Don't change it."""
        hand_trace = build_trace(self.numbered)
        self.__dict__.setdefault("final_state", hand_trace.state)
        return hand_trace

    @cached_property
    def event_types(self) -> frozenset[type]:
        """The event types that occur."""
        if e.CorrectionMade not in self._recorded_types:
            return self._recorded_types
        return frozenset(map(type, self.events))

    @cached_property
    def _events_by_type(self) -> dict[type, list[Numbered]]:
        events_by_type: dict[type, list[Numbered]] = {}
        for pair in self.numbered:
            event_type = type(pair[1])
            if event_type in events_by_type:
                events_by_type[event_type].append(pair)
            else:
                events_by_type[event_type] = [pair]
        return events_by_type

    def events_of(self, kind: type[EventT]) -> list[tuple[int, EventT]]:
        """Return the events of one type with their versions, in order."""
        return cast("list[tuple[int, EventT]]", self._events_by_type.get(kind, []))

    @cached_property
    def marks(self) -> Sequence[EventOrigin]:
        """The origin of each recorded event, or empty origins."""
        count = len(self.recorded_events)
        if isinstance(self._marks, bytes):
            return unpack_origins(self._marks, count)
        return self._marks or [NO_ORIGIN] * count

    def origin_of(self, version: int) -> EventOrigin:
        """Return the origin of the event with this version."""
        marks = self.marks
        return marks[version - 1] if 0 < version <= len(marks) else NO_ORIGIN

    def state_at(self, version: int) -> HandState:
        """Return the state after the first `version` events, without later corrections."""
        return fold([event for _, event in list_corrected(self.recorded_events[: max(0, version)])])

    def state_before(self, version: int) -> HandState:
        """Return the state just before the event with this version, with all corrections.

        For a long hand, the next call changes the returned state.
        """
        if len(self.numbered) <= _LONG_HAND:
            return fold(
                event for _, event in takewhile(lambda numbered_event: numbered_event[0] != version, self.numbered)
            )
        end = self._index_by_version.get(version, len(self.numbered))
        if self._stepped_state is None or self._stepped_state[0] > end:
            self._stepped_state = 0, begin()
        index, state = self._stepped_state
        for _, event in self.numbered[index:end]:
            apply(state, event)
        self._stepped_state = end, state
        return state

    @cached_property
    def _index_by_version(self) -> dict[int, int]:
        return {version: index for index, (version, _) in enumerate(self.numbered)}


def list_corrected(events: Sequence[HandEvent]) -> list[Numbered]:
    """Return the events in force with their versions, with all corrections applied.

    If a later correction voids a correction, the events that came with the voided one are dropped too. The result
    contains no corrections.
    """
    numbered = list(enumerate(events, 1))
    return apply_corrections(numbered) if e.CorrectionMade in set(map(type, events)) else numbered
