"""Correct a fact recorded between hands: a count, a fill, a seated player.

The correction and the new fact go to the end of the table's stream. The old fact stays on record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.lines import split_facts
from ledger.formats.handscript.live import LiveLines
from ledger.hand.correction_errors import event_corrected_already
from ledger.hand.corrections import find_replacement
from ledger.hand.ending import CorrectionMade
from ledger.marks import pack_origins
from ledger.recording import recording_errors
from ledger.store.commits import CommitDraft
from ledger.streams import table_stream
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, OrderTold, TableOpened
from ledger.table.fold import fold
from ledger.vocabulary import Millis, PlayerId, Role, TextRef

if TYPE_CHECKING:
    from ledger.entry import Entry, Provenance
    from ledger.event import Event
    from ledger.store import Ledger
    from ledger.store.hands.hand_accounts import TableKey

_NO_FACTS: Final = (HandPlayed, TableOpened, OrderTold, AccountPlaced, AccountChosen)
"""Events of a table's stream that other commands correct, or that can't be corrected."""


class CorrectionAuthor(NamedTuple):
    """The author of a correction, and the reason."""

    role: Role
    person: PlayerId
    reason: TextRef


class FactCorrection(NamedTuple):
    """A correction of a table's fact, with the new facts."""

    correction: CorrectionMade
    events: list[Event]
    time: Millis | None  # of the corrected fact, and so of the new ones


def plan_fact_correction(
    ledger: Ledger,
    table_key: TableKey,
    version: int,
    texts: Sequence[str],
    author: CorrectionAuthor,
    *,
    is_insertion: bool = False,
) -> FactCorrection:
    """Return the correction of the fact with this version in the table's stream, without writing it.

    `texts`: the lines that replace it, or follow it if `is_insertion`. Raises `CorrectionError` or
    `UnreadableHandError`.
    """
    entries = {entry.version: entry for entry in ledger.entries(table_stream(*table_key))}
    corrected_entry = _find_fact(entries, table_key, version)
    time = corrected_entry.mark.time
    events = _read_facts(ledger, table_key, list(entries.values()), texts, time)
    voids = () if is_insertion else (version,)
    correction = CorrectionMade(voids, version, len(events), author.role, author.person, author.reason)
    return FactCorrection(correction, events, time)


def append_fact_correction(ledger: Ledger, table_key: TableKey, plan: FactCorrection, recorded: Provenance) -> None:
    """Append a correction to the table's stream."""
    events = [plan.correction, *plan.events]
    times = {} if plan.time is None else dict.fromkeys(range(1, len(events)), plan.time)
    draft = CommitDraft(
        "table",
        table_stream(*table_key),
        None,
        len(events),
        ledger.mapper.encode("table", events),
        pack_origins([0] * (2 * len(events)), times=times),
        recorded,
    )
    ledger.append_all([draft])


def _find_fact(entries: Mapping[int, Entry], table_key: TableKey, version: int) -> Entry:
    """Return a fact in force, or raise an error if there is none with this version."""
    entry = entries.get(version)
    if entry is None:
        raise recording_errors.fact_missing(table_key.table, version, max(entries, default=0))
    if isinstance(entry.event, _NO_FACTS):
        raise recording_errors.no_fact(table_key.table, version, is_hand=isinstance(entry.event, HandPlayed))
    replacement = find_replacement([(number, entry.event) for number, entry in entries.items()], version)
    if replacement is not None:
        raise event_corrected_already(table_key.table, version, replacement.versions, replacement.correction)
    return entry


def _read_facts(
    ledger: Ledger, table_key: TableKey, entries: Sequence[Entry], texts: Sequence[str], time: Millis | None
) -> list[Event]:
    """Return the events of typed lines between hands of this table."""
    table = fold(entries)
    settings = Settings(
        table_key.venue,
        table_key.table,
        table.chairs,
        table_key.tournament,
        unit=table.unit or "chips",
        exponent=table.exponent,
    )
    lines = LiveLines(ledger.people, settings)
    lines.sits(lambda: {seat: seat_state.player for seat, seat_state in table.seats.items()})
    moment = datetime.fromtimestamp((time or 0) / 1000, UTC)
    events: list[Event] = []
    for text in (part for line in texts for part in split_facts(line)):
        line_facts = lines.take(text, moment)
        if line_facts.kind != "table" or not line_facts.events or _has_no_facts(line_facts.events):
            raise recording_errors.correction_not_of_table(text)
        events += line_facts.events
    return events


def _has_no_facts(events: Sequence[Event]) -> bool:
    return any(isinstance(event, (*_NO_FACTS, CorrectionMade)) for event in events)
