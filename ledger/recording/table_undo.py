"""Undo between two hands: the last fact of the table, or the end of its last hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast
from uuid import UUID

from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, HandCompleted, HandVoided
from ledger.recording import recording_errors
from ledger.recording.undo import build_undo
from ledger.table.events import HandPlayed, TableOpened

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.people import People
    from ledger.recording.author import Author
    from ledger.store import Ledger


class TableUndo(NamedTuple):
    """A correction of the table, and of the hand that runs again because of it, if any."""

    correction: CorrectionMade
    undone_event: Event
    hand: UUID | None = None
    hand_correction: CorrectionMade | None = None  # None: its end wasn't recorded
    hand_version: int = 0  # of that correction


def undo_at_table(
    ledger: Ledger, table: UUID, writer: Author, people: People, reason: str, *, before_version: int | None = None
) -> TableUndo:
    """Return the correction of the last fact of a table. Raise `UsageError` if it can't be undone.

    `before_version`: the version of the table's stream at the time, to read an old act again.
    """
    entries = [entry for entry in ledger.entries(table) if before_version is None or entry.version < before_version]
    events_in_force = apply_corrections([(entry.version, entry.event) for entry in entries])
    events_in_force = [(version, event) for version, event in events_in_force if not isinstance(event, TableOpened)]
    if not events_in_force:
        raise recording_errors.nothing_recorded()
    version, event = events_in_force[-1]
    is_imported = next(entry for entry in entries if entry.version == version).recorded.source is not None
    if is_imported:
        raise recording_errors.last_line_imported()
    correction = build_undo([(version, cast("HandEvent", event))], writer, people, reason)
    if not isinstance(event, HandPlayed):
        return TableUndo(correction, event)
    stream = UUID(hex=event.hand)
    hand_entries = ledger.entries(stream)
    if hand_entries[0].recorded.source is not None:
        raise recording_errors.last_hand_imported(event.number)
    hand_events = apply_corrections([(entry.version, cast("HandEvent", entry.event)) for entry in hand_entries])
    if not isinstance(hand_events[-1][1], HandCompleted | HandVoided):
        return TableUndo(correction, event, stream)
    return TableUndo(
        correction, event, stream, build_undo(hand_events[-1:], writer, people, reason), len(hand_entries) + 1
    )
