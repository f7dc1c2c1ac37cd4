"""Read the lines of a correction like a table's lines: with names, several seats, several facts on a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from ledger.errors import UnreadableHandError
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import split_facts
from ledger.formats.handscript.live import LiveLines
from ledger.formats.handscript.notes.typed_lines import read_notes_behind
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import HandOpened
from ledger.recording import recording_errors

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.hand.events import HandEvent
    from ledger.people import People


def read_typed_lines(texts: Sequence[str], earlier_events: Sequence[Event], people: People) -> list[HandEvent]:
    """Return the events of typed lines that follow the earlier events of a hand. The lines may be notes."""
    try:
        return _read_strictly(texts, earlier_events, people)
    except UnreadableHandError:
        events = read_notes_behind(texts, earlier_events, people)
        if events is None:
            raise
        return events


def _read_strictly(texts: Sequence[str], earlier_events: Sequence[Event], people: People) -> list[HandEvent]:
    opened = next((event for event in earlier_events if isinstance(event, HandOpened)), None)
    if opened is None:
        if not texts:
            return []
        raise recording_errors.opening_corrected()
    settings = Settings(opened.venue, opened.table, opened.seats, opened.tournament, opened.club)
    lines = LiveLines(people, settings)
    lines.resume(earlier_events, opened.started)
    moment = datetime.fromtimestamp((opened.started or 0) / 1000, UTC)
    events: list[HandEvent] = []
    for text in (part for line in texts for part in split_facts(line)):
        line_facts = lines.take(text, moment)
        is_fact = line_facts.kind == "hand" and line_facts.events and not line_facts.begins
        if not is_fact or any(isinstance(event, CorrectionMade) for event in line_facts.events):
            raise recording_errors.correction_not_of_hand(text)
        events += cast("list[HandEvent]", line_facts.events)
    return events
