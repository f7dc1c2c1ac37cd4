"""Build the drafts that the import of one source appends to its tables and to the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ledger.account import Reject, write_detail
from ledger.entry import Provenance, SourceSpan
from ledger.event import Event
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake.facts import TableFact, build_fact_draft
from ledger.store import CommitDraft
from ledger.store.log.stored_sources import build_imported_key
from ledger.streams import HOUSE
from ledger.table.events import OrderTold, TableOpened
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.opening import HandOpened
    from ledger.people import People

_encode: Final = msgspec.json.Encoder().encode


class SourceReading(NamedTuple):
    """The reading of a source: which source, which reader, and when."""

    source: str
    reader: str
    moment: Millis
    keys: frozenset[str] = frozenset()  # that an earlier edition of the source also has


class DraftBuilder:
    """Builds drafts with the provenance of one source."""

    def __init__(self, people: People, reading: SourceReading) -> None:
        """Take the people, who store the texts of rejects, and the source."""
        self._people = people
        self._reading = reading

    def build_provenance(self, commit_key: str, start: int, length: int) -> Provenance:
        """Return the provenance of events that are in this span of the source."""
        span = SourceSpan(self._reading.source, start, length)
        return Provenance(self._reading.moment, "system", "import", commit_key, span)

    def build_table_draft(
        self, stream: UUID, events: Sequence[Event], span: tuple[int, int], commit_key: str = ""
    ) -> CommitDraft:
        """Return the draft of events for a table's stream. `span`: start and length in the source."""
        provenance = self.build_provenance(commit_key, *span)
        return CommitDraft("table", stream, None, len(events), _encode(events), b"", provenance)

    def build_opening_draft(self, stream: UUID, opened: HandOpened, span: tuple[int, int]) -> CommitDraft:
        """Return the draft that opens the table. Its key makes sure that it is stored once."""
        event = TableOpened(opened.venue, opened.table, opened.tournament, opened.club, opened.seats, opened.witnesses)
        return self.build_table_draft(stream, [event], span, f"opened:{stream.hex}")

    def build_fact_draft(self, fact: TableFact, order: OrderTold | None) -> CommitDraft:
        """Return the draft of facts. `order`: their place, unless they belong at the stream's end."""
        return build_fact_draft(fact, order, self.build_provenance(fact.key, fact.account.start, fact.account.length))

    def build_rejects_draft(self, rejects: Sequence[Reject], span_start: int) -> CommitDraft:
        """Return the draft of rejected spans for the house's stream."""
        source, text = self._reading.source, self._people.text
        events = [
            SourceRejected(source, reject.start, reject.length, reject.line, reject.code, text(write_detail(reject)))
            for reject in rejects
        ]
        return self._build_house_draft(events, f"rejected:{source}:{self._reading.reader}:{span_start}")

    def build_imported_draft(self, imported: SourceImported, repeat_suffix: str) -> CommitDraft:
        """Return the draft for the house's stream that a source was read to its end."""
        return self._build_house_draft([imported], build_imported_key(imported, repeat_suffix))

    def _build_house_draft(self, events: Sequence[Event], commit_key: str) -> CommitDraft:
        provenance = Provenance(self._reading.moment, "system", "import", commit_key)
        return CommitDraft("house", HOUSE, None, len(events), _encode(events), b"", provenance)
