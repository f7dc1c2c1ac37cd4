"""What of a hand its record does not say and the reader filled in: no finding rests on it alone."""

from __future__ import annotations

from typing import Final

from ledger.event import Event
from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.opening import AntePosted, BlindPosted, StraddlePosted
from ledger.replay import PlayedHand
from projections.findings.finding import Breach
from projections.timeline.hand_timeline import Timeline

DERIVED: Final = "a value that the record doesn't show"
"""What is missing where the reader filled in the event that would be a breach."""
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


def _derived_versions(hand: PlayedHand, course: Timeline) -> dict[int, Event]:
    """Return the posts and acts of a hand that its reader filled in, by version."""
    return course.cached("derived", lambda: _find(hand, course))


def _find(hand: PlayedHand, course: Timeline) -> dict[int, Event]:
    return {
        version: event
        for version, event in course.numbered_events
        if type(event) in _FILLED_IN and hand.mark(version).how == "derived"
    }


def rests_on_derived_alone(hand: PlayedHand, course: Timeline, breach: Breach) -> bool:
    """Whether all that shows a breach was filled in."""
    derived = _derived_versions(hand, course)
    return breach.version in derived and all(version in derived for version, _ in breach.beside)


def derived_doubt(hand: PlayedHand, course: Timeline, breach: Breach, number: str) -> str:
    """Return which value, filled in before a breach, it may rest on; "" if there is none."""
    derived = _derived_versions(hand, course)
    earlier = [event for version, event in derived.items() if version <= breach.version]
    if not earlier:
        return ""
    event = earlier[-1]
    seat = getattr(event, "seat", 0)
    return f"seat {seat}'s {_NAMES[type(event)]} of hand {number} follows from the game; the record doesn't show it"
