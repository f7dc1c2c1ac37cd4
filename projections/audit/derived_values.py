"""Find breaches that rest on derived events: a reader inferred them from the game, because the source doesn't show them.

Derived events alone can't prove a breach.
"""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import AntePosted, BlindPosted, StraddlePosted
from ledger.replay import HandReplay
from projections.findings.finding import Breach
from projections.timeline.hand_timeline import Timeline

DERIVED_VALUE: Final = "a value that the record doesn't show"
"""The missing fact if only derived events would show a breach."""
_DERIVABLE_EVENTS: Final = frozenset((AntePosted, Bet, BlindPosted, Called, Checked, Folded, Raised, StraddlePosted))
_EVENT_NAMES: Final = {
    AntePosted: "ante",
    BlindPosted: "blind",
    Bet: "bet",
    Raised: "raise",
    Called: "call",
    Checked: "check",
    Folded: "fold",
    StraddlePosted: "straddle",
}


def _get_derived_events(hand: HandReplay, timeline: Timeline) -> dict[int, Event]:
    """Return the derived posts and acts of a hand by version, cached for the hand."""
    return timeline.cached("derived", lambda: _find_derived_events(hand, timeline))


def _find_derived_events(hand: HandReplay, timeline: Timeline) -> dict[int, Event]:
    return {
        version: event
        for version, event in timeline.numbered_events
        if type(event) in _DERIVABLE_EVENTS and hand.origin_of(version).basis == "derived"
    }


def rests_on_derived_alone(hand: HandReplay, timeline: Timeline, breach: Breach) -> bool:
    """Whether every event that shows a breach is derived."""
    derived = _get_derived_events(hand, timeline)
    return breach.version in derived and all(version in derived for version, _ in breach.other_events)


def describe_derived_doubt(hand: HandReplay, timeline: Timeline, breach: Breach, number: str) -> str:
    """Return the doubt about the last derived event before a breach; "" if there is none."""
    derived = _get_derived_events(hand, timeline)
    earlier_events = [event for version, event in derived.items() if version <= breach.version]
    if not earlier_events:
        return ""
    event = earlier_events[-1]
    seat = getattr(event, "seat", 0)
    return (
        f"seat {seat}'s {_EVENT_NAMES[type(event)]} of hand {number} follows from the game; the record doesn't show it"
    )
