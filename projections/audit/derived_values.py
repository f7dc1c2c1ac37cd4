"""Find the events of a hand that its reader filled in. No finding rests on them alone."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import AntePosted, BlindPosted, StraddlePosted
from ledger.replay import PlayedHand
from projections.findings.finding import Breach
from projections.timeline.hand_timeline import Timeline

DERIVED: Final = "a value that the record doesn't show"
"""The missing fact if the reader filled in the event that would be a breach."""
_FILLED_IN: Final = frozenset((AntePosted, Bet, BlindPosted, Called, Checked, Folded, Raised, StraddlePosted))
_NAMES: Final = {
    AntePosted: "ante",
    BlindPosted: "blind",
    Bet: "bet",
    Raised: "raise",
    Called: "call",
    Checked: "check",
    Folded: "fold",
    StraddlePosted: "straddle",
}


def _derived_versions(hand: PlayedHand, timeline: Timeline) -> dict[int, Event]:
    """Return the posts and acts that the reader of a hand filled in, by version."""
    return timeline.cached("derived", lambda: _find_derived(hand, timeline))


def _find_derived(hand: PlayedHand, timeline: Timeline) -> dict[int, Event]:
    return {
        version: event
        for version, event in timeline.numbered_events
        if type(event) in _FILLED_IN and hand.mark(version).how == "derived"
    }


def rests_on_derived_alone(hand: PlayedHand, timeline: Timeline, breach: Breach) -> bool:
    """Return whether every event that shows a breach was filled in."""
    derived = _derived_versions(hand, timeline)
    return breach.version in derived and all(version in derived for version, _ in breach.other_events)


def derived_doubt(hand: PlayedHand, timeline: Timeline, breach: Breach, number: str) -> str:
    """Return the doubt about the last value filled in before a breach; "" if there is none."""
    derived = _derived_versions(hand, timeline)
    earlier = [event for version, event in derived.items() if version <= breach.version]
    if not earlier:
        return ""
    event = earlier[-1]
    seat = getattr(event, "seat", 0)
    return f"seat {seat}'s {_NAMES[type(event)]} of hand {number} follows from the game; the record doesn't show it"
