"""Build the drafts that a recorder appends to a table's stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from ledger.entry import Provenance
from ledger.marks import pack_origins
from ledger.recording.table_opening import build_table_opened
from ledger.store.commits import CommitDraft
from ledger.streams import table_stream

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.formats.handscript.context import Settings
    from ledger.formats.handscript.live import LineResult
    from ledger.recording.author import Author
    from ledger.store import Ledger
    from ledger.vocabulary import Millis


def build_opening_draft(ledger: Ledger, author: Author, settings: Settings, moment: Millis) -> CommitDraft:
    """Return the commit that opens a table. It has the same key each time, so that it is stored once."""
    table = table_stream(settings.venue, settings.tournament, settings.table)
    return build_table_draft(ledger, author, table, [build_table_opened(settings)], moment, f"opened:{table.hex}")


def build_table_draft(
    ledger: Ledger,
    author: Author,
    table: UUID,
    events: Sequence[Event],
    moment: Millis,
    key: str,
    table_facts: LineResult | None = None,
) -> CommitDraft:
    """Return the commit of a table's events. `table_facts`: their times, and which of them are inferred."""
    marks = b""
    if table_facts is not None:
        times = {event_index: table_facts.times.get(event_index, moment) for event_index in range(len(events))}
        marks = pack_origins([0, 0] * len(events), table_facts.inferred, times)
    provenance = Provenance(moment, author.clock, author.name, key)
    return CommitDraft("table", table, None, len(events), ledger.mapper.encode("table", events), marks, provenance)
