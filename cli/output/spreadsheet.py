"""Add facts of the ledger to the findings of an audit, for tables in a spreadsheet."""

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


def build_context_finder(ledger: Ledger) -> Callable[[Finding], FindingContext]:
    """Return a function that finds the context of a finding: its time, its player, its file and its address."""
    files, address_book = source_names.load_source_files(ledger), AddressBook(ledger)

    # Findings are in order of hands, so a cache of one hand is enough.
    @lru_cache(maxsize=1)
    def read_entries(hand: Hand) -> list[Entry]:
        return ledger.entries(UUID(hex=hand.stream))

    def find_context(finding: Finding) -> FindingContext:
        if not finding.hand.stream:
            file = files.get(finding.source, source_names.UNKNOWN)
            return FindingContext(source=file.name, sha256=file.sha256)
        entries = read_entries(finding.hand)
        entry = entries[finding.version - 1] if finding.version <= len(entries) else None
        return FindingContext(
            started=_find_start(entries),
            event_time=None if entry is None else entry.mark.time,
            player=_find_player_name(ledger, entries, finding),
            source=files.get(finding.source, source_names.UNKNOWN).name,
            sha256=files.get(finding.source, source_names.UNKNOWN).sha256,
            show=address_book.find_finding_address(finding.hand, finding.version),
        )

    return find_context


def _find_start(entries: list[Entry]) -> int | None:
    opening = entries[0].event if entries else None
    return opening.started if isinstance(opening, HandOpened) else None


def _find_player_name(ledger: Ledger, entries: list[Entry], finding: Finding) -> str:
    """Return the name of the player in a finding's seat, raw; if it isn't known, the beginning of the id."""
    if finding.seat is None:
        return ""
    players = [
        entry.event.player
        for entry in entries
        if isinstance(entry.event, SeatDealtIn | SeatLeftOut) and entry.event.seat == finding.seat
    ]
    return "" if not players else ledger.people.name(players[-1]) or f"player-{players[-1][:6]}"
