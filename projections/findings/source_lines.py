"""What a finding cites: its hand, its source file, and the bytes of an event in it."""

from __future__ import annotations

from ledger.hand.opening import HandOpened
from ledger.replay import PlayedHand
from projections.addresses.address_grammar import hand_address, ordinal
from projections.addresses.hand_reference import Hand
from projections.findings.finding import Line
from projections.timeline.hand_timeline import Timeline


def hand_of(hand: PlayedHand, timeline: Timeline) -> Hand:
    """Return the reference of a hand, as its record names it."""
    opening = timeline.numbered_events[0][1]
    stream = hand.stream.hex if hand.stream is not None else ""
    if not isinstance(opening, HandOpened):
        return Hand("", "", "", "", stream)
    return Hand(opening.venue, opening.table, opening.number, opening.tournament, stream)


def address_of(opening: object, session: int) -> str:
    """Return the address of a hand as its record names it; `session` counts hands with its number at its table."""
    if not isinstance(opening, HandOpened):
        return ""
    path = [opening.tournament, opening.table] if opening.tournament else [opening.table]
    return hand_address(path, opening.number, day=ordinal(session) if session > 1 else "")


def source_of(hand: PlayedHand) -> str:
    """Return the SHA-256 of the file that a hand comes from, hex; "" = it comes from none."""
    provenance = hand.recorded
    return provenance.source.source if provenance is not None and provenance.source is not None else ""


def line_of(hand: PlayedHand, version: int, note: str) -> Line:
    """Return an event of the hand with its bytes in the source, and a note of what it shows."""
    mark = hand.mark(version)
    if not mark.length:
        return Line(version, note)
    place = hand.recorded.source if hand.recorded is not None else None
    return Line(version, note, (place.start if place is not None else 0) + mark.start, mark.length)
