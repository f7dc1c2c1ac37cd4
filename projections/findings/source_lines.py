"""The parts of a finding's citation: its hand, its source file, and the bytes of an event in that file."""

from __future__ import annotations

from ledger.hand.opening import HandOpened
from ledger.replay import HandReplay
from projections.addresses.address_grammar import format_hand_address, ordinal
from projections.addresses.hand_reference import Hand
from projections.findings.finding import Line
from projections.timeline.hand_timeline import Timeline


def build_hand_reference(hand: HandReplay, timeline: Timeline) -> Hand:
    """Return the reference of a hand: its venue, table, number, tournament and stream, empty if not recorded."""
    opening = timeline.numbered_events[0][1]
    stream = hand.stream.hex if hand.stream is not None else ""
    if not isinstance(opening, HandOpened):
        return Hand("", "", "", "", stream)
    return Hand(opening.venue, opening.table, opening.number, opening.tournament, stream)


def build_hand_address(opening: object, session: int) -> str:
    """Return the address of a hand, or "" if its first event doesn't open a hand.

    `session` distinguishes hands with the same number at a table; the first has session 1.
    """
    if not isinstance(opening, HandOpened):
        return ""
    path = [opening.tournament, opening.table] if opening.tournament else [opening.table]
    return format_hand_address(path, opening.number, day=ordinal(session) if session > 1 else "")


def find_source_digest(hand: HandReplay) -> str:
    """Return the SHA-256, hex, of the file that a hand comes from, or "" if it comes from none."""
    provenance = hand.recorded
    return provenance.source.source if provenance is not None and provenance.source is not None else ""


def build_line(hand: HandReplay, version: int, note: str) -> Line:
    """Return an event of the hand with its bytes in the source, and a note of what it shows."""
    mark = hand.origin_of(version)  # relative to the hand's first byte
    if not mark.length:
        return Line(version, note)
    hand_source = hand.recorded.source if hand.recorded is not None else None
    hand_start = hand_source.start if hand_source is not None else 0
    return Line(version, note, hand_start + mark.start, mark.length)
