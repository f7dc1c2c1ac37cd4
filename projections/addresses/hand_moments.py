"""Find the hand on a line of a source, and the event that an address names after `@`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ledger.errors import AddressError, NothingFoundError
from ledger.hand.dealing import BoardDealt, DealCompleted, StreetDealt
from ledger.text.language import phrase
from projections.addresses import source_names

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store import HandRow, Ledger

_DIGITS: Final = re.compile(r"[0-9]{1,9}")  # ASCII only


def parse_number(text: str) -> int | None:
    """Return the number of an event as written in an address; None for a street or any other text."""
    return int(text) if _DIGITS.fullmatch(text) else None


def find_by_line(ledger: Ledger, source_name: str, line_number: int) -> HandRow:
    """Return the hand on a line of a source. If the file was imported again, its newest version counts."""
    source_names.find_single_source(ledger, source_name)
    for versions in source_names.find_versions(ledger, source_name):
        newest_version = versions[-1]
        offset = source_names.find_line_offset(ledger, newest_version, line_number)
        if offset is None:
            continue
        for hand_row in ledger.hands(source=newest_version):
            if hand_row.start <= offset < hand_row.start + hand_row.length:
                return hand_row
        unchanged_hand = _find_unchanged_hand(ledger, versions, offset)
        if unchanged_hand is not None:
            return unchanged_hand
        raise NothingFoundError(
            phrase("line {line} of {source} belongs to no hand", line=line_number, source=repr(source_name))
        )
    raise NothingFoundError(phrase("{source} has no line {line}", source=repr(source_name), line=line_number))


def _find_unchanged_hand(ledger: Ledger, versions: Sequence[str], offset: int) -> HandRow | None:
    """Return the hand of an earlier version of a file whose unchanged bytes are at this offset of the newest one."""
    *earlier_versions, newest_version = versions
    data = b"".join(ledger.sources.read(newest_version)) if earlier_versions else b""
    for hand_row in ledger.hands(source=earlier_versions, standing=True) if data else ():
        text = source_names.read_span(ledger, hand_row.source, hand_row.start, hand_row.length)
        start = data.find(text, max(0, offset - len(text) + 1)) if text else -1
        if 0 <= start <= offset < start + len(text):
            return hand_row
    return None


def parse_version(ledger: Ledger, hand_row: HandRow, moment: str) -> int:
    """Return the number of the event that `@12` or `@flop` names in a hand."""
    events = ledger.events(hand_row.stream)
    version = parse_number(moment)
    if version is None:
        return _find_street(events, moment)
    if not 0 < version <= len(events):
        raise AddressError(
            phrase(
                "hand {number} has {count} events; there's no event {event}",
                number=repr(hand_row.number),
                count=len(events),
                event=version,
            )
        )
    return version


def _find_street(events: Sequence[Event], street: str) -> int:
    """Return the version of the event that deals a street; `AddressError` if the hand doesn't reach it."""
    for version, event in enumerate(events, 1):
        if (isinstance(event, BoardDealt | StreetDealt) and event.street == street) or (
            street == "preflop" and isinstance(event, DealCompleted)
        ):
            return version
    raise AddressError(phrase("this hand has no {street}", street=street))
