"""The facts of an act that isn't typed as a line: chosen on a screen, or sent by a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ledger.formats.handscript.live import LineResult
from ledger.hand.ending import HandCompleted, HandVoided
from ledger.hand.opening import HandOpened

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.vocabulary import Millis


def wrap_chosen_events(events: Sequence[HandEvent], inferred: Sequence[int] = ()) -> LineResult:
    """Return the facts of chosen events. `inferred`: the indexes of those that nobody entered one by one."""
    return LineResult("hand", list(events), list(inferred), ends=_ends_hand(events))


def wrap_sent_events(events: Sequence[Event], times: Mapping[int, Millis], kind: str) -> LineResult:
    """Return the facts of events that a program sends. `kind`: "hand" or "table"."""
    begins_hand = isinstance(events[0], HandOpened)
    ends_hand = kind == "hand" and _ends_hand(events)
    return LineResult(kind, list(events), times=dict(times), begins=begins_hand, ends=ends_hand)


def _ends_hand(events: Sequence[Event]) -> bool:
    return any(isinstance(event, HandCompleted | HandVoided) for event in events)
