"""List the later corrections of a shift's hands and counts: what was recorded before, who changed it, and why."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

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
    from ledger.vocabulary import Millis
    from projections.money.shift import ShiftTable

_BOOKKEEPING: Final = (HandPlayed, OrderTold, HandsMissing, AccountPlaced, AccountChosen)
"""Events of a table's stream that aren't about its money. Corrected hands are listed by `list_hand_corrections`."""


def list_table_corrections(ledger: Ledger, table: ShiftTable) -> list[ShiftCorrection]:
    """Return the corrected facts of a table's part of a shift."""
    reader = _CorrectionReader(ledger.people, table.key, table.key.table)
    reader.describer.money.unit, reader.describer.money.exponent = table.money_unit
    standing_versions = sorted(entry.version for entry in table.entries)

    def is_of_shift(version: int) -> bool:
        """Whether an event is in the shift. For a void event, the event before it decides."""
        index = bisect_right(standing_versions, version) - 1
        return index >= 0 and standing_versions[index] in table.versions

    return [
        reader.read(correction)
        for correction in _iter_corrections(ledger.entries(table_stream(*table.key)))
        if any(
            not isinstance(entry.event, _BOOKKEEPING) and is_of_shift(entry.version)
            for entry in (*correction.voided, *correction.added)
        )
    ]


def list_hand_corrections(
    ledger: Ledger, table_key: TableKey, rows: Sequence[HandRow], name_hand: Callable[[HandRow], str]
) -> list[ShiftCorrection]:
    """Return the corrections of hands."""
    return [
        _CorrectionReader(ledger.people, table_key, name_hand(row), entries).read(correction)
        for row in rows
        for entries in [ledger.entries(row.stream)]
        for correction in _iter_corrections(entries)
    ]


class _Correction(NamedTuple):
    """A correction with the entries that it makes void and those that replace them."""

    entry: Entry
    voided: list[Entry]
    added: list[Entry]


def _iter_corrections(entries: Sequence[Entry]) -> Iterator[_Correction]:
    """Yield each correction of a stream."""
    for index, entry in enumerate(entries):
        if not isinstance(entry.event, CorrectionMade):
            continue
        voids = set(entry.event.voids)
        voided = [earlier for earlier in entries[:index] if earlier.version in voids]
        added = list(entries[index + 1 : index + 1 + entry.event.count])
        if entry.event.by == "software" and not added:
            yield _compare_imports(entry, voided, entries[:index])
        else:
            yield _Correction(entry, voided, added)


def _compare_imports(correction: Entry, voided: Sequence[Entry], earlier_entries: Sequence[Entry]) -> _Correction:
    """Return what a re-imported file changed. It repeats the facts around a changed one, which don't count."""
    import_run = _identify_import(correction)
    restated = [entry for entry in earlier_entries if _identify_import(entry) == import_run]
    voided_events, restated_events = [entry.event for entry in voided], [entry.event for entry in restated]
    return _Correction(
        correction,
        [entry for entry in voided if entry.event not in restated_events],
        [
            entry
            for entry in restated
            if entry.event not in voided_events and not isinstance(entry.event, (CorrectionMade, *_BOOKKEEPING))
        ],
    )


def _identify_import(entry: Entry) -> tuple[Millis, str, str]:
    """Return the key that all events of one file in one import share: time, writer and source."""
    recorded = entry.recorded
    return recorded.time, recorded.writer, recorded.source.source if recorded.source else ""


class _CorrectionReader:
    """Builds the documents of a stream's corrections."""

    def __init__(self, people: People, table_key: TableKey, name: str, entries: Sequence[Entry] = ()) -> None:
        """`entries`: the events of a hand, whose seats and stakes the sentences need."""
        self._people, self._table_key, self._name = people, table_key, name
        self.describer = EventDescriber(people)
        for entry in entries:
            self.describer.remember(entry.event)

    def read(self, correction: _Correction) -> ShiftCorrection:
        """Return the document of a correction."""
        entry = correction.entry
        event = entry.event
        assert isinstance(event, CorrectionMade)  # noqa: S101 - `_iter_corrections` yields no others
        return ShiftCorrection(
            **self._table_key._asdict(),
            was=[self.describer.describe(voided.event) for voided in correction.voided],
            became=[self.describer.describe(added.event) for added in correction.added],
            by=event.by,
            person=(self._people.name(event.person) or "") if event.person else "",
            why=(self._people.words(event.why) or "") if event.why else "",
            recorded=format_moment(entry.recorded.time),
            event=EventRef(entry.stream.hex, entry.version, self._name),
        )
