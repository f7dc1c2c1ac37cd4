"""Find the hands of a case, and resolve the hands that the user links to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.case import case_errors
from ledger.case.events import CaseLinked
from ledger.streams import table_stream
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook

if TYPE_CHECKING:
    from ledger.case.state import CaseState
    from ledger.store import HandRow, Ledger

_SPAN: Final = re.compile(r"(.+)@([0-9]{1,9})-([0-9]{1,9})")


class HandLink(NamedTuple):
    """A hand, and the event that links it to a case."""

    row: HandRow
    event: CaseLinked


def resolve_hand(ledger: Ledger, address: str) -> HandLink:
    """Return the link to a hand or to some of its events: `T7/408`, `T7/408@17` or `T7/408@17-20`."""
    span_match = _SPAN.fullmatch(address)
    if not span_match:
        location = hand_address.find(ledger, address)
        return HandLink(location.row, CaseLinked(location.row.stream.hex, location.version or 0, location.version or 0))
    row = hand_address.find(ledger, span_match[1]).row
    first, last = int(span_match[2]), int(span_match[3])
    event_count = len(ledger.events(row.stream))
    if not 1 <= first <= last <= event_count:
        raise case_errors.span_outside_hand(
            address, row.number, event_count, AddressBook(ledger).find_hand_address(row)
        )
    return HandLink(row, CaseLinked(row.stream.hex, first, last))


def find_table_name(ledger: Ledger, stream: str) -> str:
    """Return the name of the table with this stream id (hex), or "" if no hand was played there."""
    for row in ledger.tables():
        if table_stream(row.venue, row.tournament, row.table).hex == stream:
            return f"{row.tournament or row.venue}/{row.table}"
    return ""


def find_case_rows(ledger: Ledger, state: CaseState) -> list[HandRow]:
    """Return the hands of a case that are in this ledger."""
    return [row for stream in state.hands if (row := ledger.hand(stream))]
