"""What a finding points at: its hand, its source, and the bytes of an event in it."""

from __future__ import annotations

from ledger.hand.opening import HandOpened
from ledger.replay import PlayedHand
from projections.addresses.grammar import hand_address, ordinal
from projections.addresses.hand_reference import Hand
from projections.findings.finding import Line
from projections.timeline.hand_timeline import Timeline


def hand_of(hand: PlayedHand, course: Timeline) -> Hand:
    """Return which hand it is, as its record calls it."""
    opening = course.line[0][1]
    stream = hand.stream.hex if hand.stream is not None else ""
    if not isinstance(opening, HandOpened):
        return Hand("", "", "", "", stream)
    return Hand(opening.venue, opening.table, opening.number, opening.tournament, stream)


def address_of(opened: object, session: int) -> str:
    """Return the address of a hand by its own record; `session`: which hand of its number it is at its table."""
    if not isinstance(opened, HandOpened):
        return ""
    path = [opened.tournament, opened.table] if opened.tournament else [opened.table]
    return hand_address(path, opened.number, day=ordinal(session) if session > 1 else "")


def source_of(hand: PlayedHand) -> str:
    """Return the SHA-256 of the file that told it, hex; "" = none did."""
    recorded = hand.recorded
    return recorded.source.source if recorded is not None and recorded.source is not None else ""


def line_of(hand: PlayedHand, version: int, note: str) -> Line:
    """Return an event of the hand with its bytes in the source, and what it shows."""
    mark = hand.mark(version)
    if not mark.length:
        return Line(version, note)
    place = hand.recorded.source if hand.recorded is not None else None
    return Line(version, note, (place.start if place is not None else 0) + mark.start, mark.length)
