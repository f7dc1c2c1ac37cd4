"""Tables for spreadsheets: what the ledger adds to the findings of an audit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

from ledger.hand.opening import HandOpened, SeatDealtIn, SeatLeftOut
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook
from projections.reports.rows import FindingContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.entry import Entry
    from ledger.store import Ledger
    from projections.addresses.hand_reference import Hand
    from projections.findings.finding import Finding


def teller(ledger: Ledger) -> Callable[[Finding], FindingContext]:
    """Return what tells of a finding: when it was, who sat there, which file, and how to see it."""
    files, book = source_names.source_files_by_digest(ledger), AddressBook(ledger)

    # Findings come hand by hand: one hand is kept, not all.
    @lru_cache(maxsize=1)
    def of(told: Hand) -> list[Entry]:
        return ledger.entries(UUID(hex=told.stream))

    def tell(found: Finding) -> FindingContext:
        if not found.hand.stream:
            file = files.get(found.source, source_names.UNKNOWN)
            return FindingContext(source=file.name, sha256=file.sha256)
        entries = of(found.hand)
        shown = entries[found.version - 1] if found.version <= len(entries) else None
        return FindingContext(
            started=_started(entries),
            event_time=None if shown is None else shown.mark.at,
            player=_player(ledger, entries, found),
            source=files.get(found.source, source_names.UNKNOWN).name,
            sha256=files.get(found.source, source_names.UNKNOWN).sha256,
            show=book.of_finding(found.hand, found.version),
        )

    return tell


def _started(entries: list[Entry]) -> int | None:
    opened = entries[0].event if entries else None
    return opened.started if isinstance(opened, HandOpened) else None


def _player(ledger: Ledger, entries: list[Entry], found: Finding) -> str:
    """Return the name of who sat there, raw; the beginning of the id where the name is not known."""
    if found.seat is None:
        return ""
    here = [
        entry.event.player
        for entry in entries
        if isinstance(entry.event, SeatDealtIn | SeatLeftOut) and entry.event.seat == found.seat
    ]
    return "" if not here else ledger.people.name(here[-1]) or f"player-{here[-1][:6]}"
