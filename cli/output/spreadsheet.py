"""Tables for spreadsheets: what the ledger adds to the findings of an audit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import UUID

from ledger.hand.opening import HandOpened, SeatDealtIn, SeatLeftOut
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook
from projections.reports.csv_rows import FindingContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.entry import Entry
    from ledger.store import Ledger
    from projections.addresses.hand_reference import Hand
    from projections.findings.finding import Finding


def context_finder(ledger: Ledger) -> Callable[[Finding], FindingContext]:
    """Return a function that finds the context of a finding: when it was, who sat there, which file, and how to see it."""
    files, address_book = source_names.load_source_files(ledger), AddressBook(ledger)

    # Findings come hand by hand: one hand is kept, not all.
    @lru_cache(maxsize=1)
    def subject(hand: Hand) -> list[Entry]:
        return ledger.entries(UUID(hex=hand.stream))

    def find_context(finding: Finding) -> FindingContext:
        if not finding.hand.stream:
            file = files.get(finding.source, source_names.UNKNOWN)
            return FindingContext(source=file.name, sha256=file.sha256)
        entries = subject(finding.hand)
        entry = entries[finding.version - 1] if finding.version <= len(entries) else None
        return FindingContext(
            started=_start_of(entries),
            event_time=None if entry is None else entry.mark.time,
            player=_player_name(ledger, entries, finding),
            source=files.get(finding.source, source_names.UNKNOWN).name,
            sha256=files.get(finding.source, source_names.UNKNOWN).sha256,
            show=address_book.find_finding_address(finding.hand, finding.version),
        )

    return find_context


def _start_of(entries: list[Entry]) -> int | None:
    opening = entries[0].event if entries else None
    return opening.started if isinstance(opening, HandOpened) else None


def _player_name(ledger: Ledger, entries: list[Entry], finding: Finding) -> str:
    """Return the name of who sat there, raw; the beginning of the id where the name is not known."""
    if finding.seat is None:
        return ""
    players = [
        entry.event.player
        for entry in entries
        if isinstance(entry.event, SeatDealtIn | SeatLeftOut) and entry.event.seat == finding.seat
    ]
    return "" if not players else ledger.people.name(players[-1]) or f"player-{players[-1][:6]}"
