"""The list of all events that can be stored."""

from __future__ import annotations

from typing import Final, TypeAlias, get_args

from ledger.case.events import CaseEvent
from ledger.event import Event, topic
from ledger.hand.events import HandEvent
from ledger.house.events import HouseEvent
from ledger.table.events import TableEvent

AnyEvent: TypeAlias = HandEvent | TableEvent | CaseEvent | HouseEvent

STREAMS: Final[dict[str, tuple[type[Event], ...]]] = {
    "hand": get_args(HandEvent),
    "table": get_args(TableEvent),
    "case": get_args(CaseEvent),
    "house": get_args(HouseEvent),
}
"""The event types of each kind of stream."""

EVENT_TYPES: Final[tuple[type[Event], ...]] = tuple(dict.fromkeys(get_args(AnyEvent)))
"""Every event type once, in the order of the unions."""

TOPICS: Final[dict[str, type[Event]]] = {topic(kind): kind for kind in EVENT_TYPES}
"""Published name → current version of the event type."""
