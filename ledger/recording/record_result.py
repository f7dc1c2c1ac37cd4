"""The result of recording an act."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.event import Event


class RecordResult(NamedTuple):
    """The recorded events, and the version of the last one in its stream."""

    kind: str  # "hand", "table", or "header": no event, it applies to later lines
    events: tuple[Event, ...]
    version: int
    stream: UUID | None = None
    hand_ended: bool = False
    is_repeat: bool = False  # it was already recorded under the same key
    position: int = 0  # of its last event in the log; 0 = unknown, or no event
