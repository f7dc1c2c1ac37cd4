"""Build the errors for a device with an old screen, with what others recorded at the table since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ledger.errors import ConflictError
from ledger.recording import recording_errors
from ledger.recording.stored_act import mask_cards
from ledger.store.hands.hand_accounts import read_entries_after
from ledger.table.events import HandPlayed, TableOpened
from ledger.text.language import phrase

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.formats.handscript.live import LiveLines
    from ledger.hand.events import HandEvent
    from ledger.recording.stored_act import StoredAct
    from ledger.store import Ledger

_MAX_LINES: Final = 3


class RecordedTable(Protocol):
    """A table that is being recorded, as `Recorder` has it."""

    ledger: Ledger
    table: UUID
    stream: UUID | None
    hand_events: list[HandEvent]
    lines: LiveLines

    @property
    def running(self) -> bool:
        """Whether a hand is in progress."""

    @property
    def version(self) -> int:
        """The version of the running hand's last event, or 0 between hands."""


def build_version_conflict(recorder: RecordedTable, seen_version: int) -> ConflictError:
    """Return the error that lists what was recorded after a version of the running hand, or what is missing before it."""
    version = recorder.version
    if recorder.running and seen_version > version:
        return recording_errors.event_missing(version, seen_version)
    later_lines = (
        phrase("; ").join(_list_hand_lines_since(recorder, seen_version))
        if recorder.running
        else phrase("the hand ended")
    )
    return recording_errors.hand_moved_on(version, seen_version, later_lines)


def build_position_conflict(recorder: RecordedTable, position: int) -> ConflictError:
    """Return the error that lists what was recorded at the table after a position of the log."""
    recorded_lines = _list_table_lines_since(recorder, position)
    if recorder.stream is not None:
        hand_entries = recorder.ledger.entries(recorder.stream)
        recorded_lines += _list_hand_lines_since(recorder, sum(entry.position <= position for entry in hand_entries))
    later_lines = phrase("; ").join(recorded_lines[-_MAX_LINES:])
    return recording_errors.table_moved_on(later_lines)


def build_key_conflict(stored_act: StoredAct) -> ConflictError:
    """Return the error that names another act, which is recorded under the key of this one."""
    return recording_errors.key_used(stored_act.describe())


def _list_hand_lines_since(recorder: RecordedTable, version: int) -> list[str]:
    """Return the last lines of the running hand after a version, without cards that were not shown."""
    return recorder.lines.write_lines([mask_cards(event) for event in recorder.hand_events])[version:][-_MAX_LINES:]


def _list_table_lines_since(recorder: RecordedTable, position: int) -> list[str]:
    """Return a line for each event of the table after a position of the log."""
    sql = "SELECT coalesce(max(version + count - 1), 0) FROM log WHERE stream = ? AND position <= ?"
    with recorder.ledger.database.reading() as link:
        version_row = link.execute(sql, (recorder.table.bytes, position)).fetchone()
    events = [entry.event for entry in read_entries_after(recorder.ledger, recorder.table, version_row[0])]
    return [
        phrase("hand {hand} ended", hand=event.number)
        if isinstance(event, HandPlayed)
        else recorder.lines.write_lines([event])[0]
        for event in events
        if not isinstance(event, TableOpened)
    ]
