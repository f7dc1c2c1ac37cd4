"""List what somebody corrected later in the hands and counts of a shift: what stood there, who changed it, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ledger.clocks import format_moment
from ledger.hand.ending import CorrectionMade
from ledger.streams import table_stream
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, HandsMissing, OrderTold
from projections.money.difference import EventRef
from projections.money.shift_report import ShiftCorrection
from projections.reports.event_text import EventDescriber

if TYPE_CHECKING:
    from ledger.entry import Entry
    from ledger.people import People
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey

_BOOKKEEPING: Final = (HandPlayed, OrderTold, HandsMissing, AccountPlaced, AccountChosen)
"""Events of a table's stream that say nothing about its money. A corrected hand is listed as a hand."""


def list_table_corrections(
    ledger: Ledger, table_key: TableKey, is_of_shift: Callable[[int], bool]
) -> list[ShiftCorrection]:
    """Return the corrected facts of a table. `is_of_shift` gets the version of a void or a replacing event."""
    entries = ledger.entries(table_stream(*table_key))
    corrections = _CorrectionReader(ledger.people, table_key, table_key.table)
    return [
        correction
        for correction_entry, voided, added in _iter_corrections(entries)
        if any(not isinstance(entry.event, _BOOKKEEPING) for entry in (*voided, *added))
        and any(is_of_shift(entry.version) for entry in (*voided, *added))
        for correction in [corrections.read(correction_entry, voided, added)]
    ]


def list_hand_corrections(
    ledger: Ledger, table_key: TableKey, rows: Sequence[HandRow], name_hand: Callable[[HandRow], str]
) -> list[ShiftCorrection]:
    """Return the corrections of hands."""
    return [
        _CorrectionReader(ledger.people, table_key, name_hand(row), entries).read(correction_entry, voided, added)
        for row in rows
        for entries in [ledger.entries(row.stream)]
        for correction_entry, voided, added in _iter_corrections(entries)
    ]


def _iter_corrections(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[Entry], list[Entry]]]:
    """Yield each correction of a stream with the entries that it makes void and those that replace them."""
    for index, entry in enumerate(entries):
        if isinstance(entry.event, CorrectionMade):
            voids = set(entry.event.voids)
            voided = [earlier for earlier in entries[:index] if earlier.version in voids]
            yield entry, voided, list(entries[index + 1 : index + 1 + entry.event.count])


class _CorrectionReader:
    """Builds the documents of a stream's corrections."""

    def __init__(self, people: People, table_key: TableKey, name: str, entries: Sequence[Entry] = ()) -> None:
        """`entries`: the events of a hand, whose seats and stakes the sentences need."""
        self._people, self._table_key, self._name = people, table_key, name
        self._describer = EventDescriber(people)
        for entry in entries:
            self._describer.remember(entry.event)

    def read(self, entry: Entry, voided: Sequence[Entry], added: Sequence[Entry]) -> ShiftCorrection:
        """Return the document of a correction."""
        correction = entry.event
        assert isinstance(correction, CorrectionMade)  # noqa: S101 - the caller asks
        return ShiftCorrection(
            **self._table_key._asdict(),
            was=[self._describer.describe(void.event) for void in voided],
            became=[self._describer.describe(addition.event) for addition in added],
            by=correction.by,
            person=(self._people.name(correction.person) or "") if correction.person else "",
            why=(self._people.words(correction.why) or "") if correction.why else "",
            recorded=format_moment(entry.recorded.time),
            event=EventRef(entry.stream.hex, entry.version, self._name),
        )
