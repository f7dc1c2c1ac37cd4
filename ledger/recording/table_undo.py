"""What is taken back between two hands: the last fact of the table, or the end of its last hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast
from uuid import UUID

from ledger.errors import UsageError
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade, HandCompleted, HandVoided
from ledger.recording.undo import make_undo
from ledger.table.events import HandPlayed, TableOpened

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.people import People
    from ledger.recording.writer import Author
    from ledger.store import Ledger

_NOTHING_TO_UNDO: Final = "there is nothing to take back"


class TableUndo(NamedTuple):
    """A correction of the table, and of the hand that runs again by it, if there is one."""

    correction: CorrectionMade
    undone_event: Event
    hand: UUID | None = None
    hand_correction: CorrectionMade | None = None  # None: its end was never on record
    hand_version: int = 0  # of that correction


def undo_at_table(
    ledger: Ledger, table: UUID, writer: Author, people: People, why: str, *, before_version: int | None = None
) -> TableUndo:
    """Return what takes back the last thing that the table was told here; `UsageError` if that can't be.

    `before_version`: the version of the table's stream at which it was taken back, to read an old act again.
    """
    entries = [entry for entry in ledger.entries(table) if before_version is None or entry.version < before_version]
    held = apply_corrections([(entry.version, entry.event) for entry in entries])
    held = [(version, event) for version, event in held if not isinstance(event, TableOpened)]
    if not held:
        raise UsageError(_NOTHING_TO_UNDO, "Nobody sits here yet, and no hand was recorded.")
    version, event = held[-1]
    is_imported = next(entry for entry in entries if entry.version == version).recorded.source is not None
    if is_imported:
        raise UsageError(_NOTHING_TO_UNDO, "The last line was imported. Mend its hand with handledger correct.")
    made = make_undo([(version, cast("HandEvent", event))], writer, people, why)
    if not isinstance(event, HandPlayed):
        return TableUndo(made, event)
    stream = UUID(hex=event.hand)
    recorded = ledger.entries(stream)
    if recorded[0].recorded.source is not None:
        raise UsageError(_NOTHING_TO_UNDO, f"Hand {event.number} was imported. Mend it with handledger correct.")
    hand_held = apply_corrections([(entry.version, cast("HandEvent", entry.event)) for entry in recorded])
    if not isinstance(hand_held[-1][1], HandCompleted | HandVoided):
        return TableUndo(made, event, stream)
    return TableUndo(made, event, stream, make_undo(hand_held[-1:], writer, people, why), len(recorded) + 1)
