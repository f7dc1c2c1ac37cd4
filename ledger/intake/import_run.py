"""The state that all sources of one import into a ledger share."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ledger.account import read_detail
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake.account_cache import AccountCache
from ledger.intake.dry import SeenHands
from ledger.intake.games import GameTables
from ledger.intake.jobs import Jobs
from ledger.intake.summary import REJECTS_SHOWN, RejectSummary

if TYPE_CHECKING:
    from ledger.intake.accounts import Editions
    from ledger.intake.import_options import ImportOptions
    from ledger.notation import Format
    from ledger.store import Ledger
    from ledger.vocabulary import Millis


class ImportRun:
    """An import: its ledger and options, its processes, and the editions of its sources."""

    def __init__(
        self, ledger: Ledger, options: ImportOptions, forced_format: Format | None, editions: Editions
    ) -> None:
        """Take the ledger, the options, their format, and the editions of sources that were read before."""
        self.ledger = ledger
        self.options = options
        self.editions = editions
        self.forced_format = forced_format
        self.jobs = Jobs(options.jobs, ledger.people)
        self.account_cache = AccountCache(is_dry_run=options.dry_run)
        self.game_tables = GameTables(ledger, is_dry_run=options.dry_run)
        self.seen_hands = SeenHands()

    def name_source(self, digest: bytes) -> str:
        """Return the ledger's name for a source with this SHA-256, hex."""
        return self.ledger.people.source_id(digest)[0].hex()

    def has_read(self, digest: str) -> bool:
        """Whether a reader has read this source to its end."""
        return self.editions.has_read(digest)

    def find_rejects(self, imported: SourceImported) -> list[RejectSummary]:
        """Return the first spans that were rejected when a source was read."""
        self.editions.read_on()  # it may have been read a moment ago
        ledger, rejects = self.ledger, []
        for position in self.editions.reject_positions.get(imported.source, ())[-imported.rejected :][:REJECTS_SHOWN]:
            with ledger.database.reading() as link:
                commit = ledger.reader.commit_at(link, position)
            for entry in ledger.entries_of(commit) if commit is not None else ():
                event = entry.event
                if entry.position == position and isinstance(event, SourceRejected):
                    detail = read_detail(ledger.people.words(event.detail) or "")
                    rejects.append(RejectSummary(event.line, event.start, event.length, event.code, *detail))
        return rejects

    def current_millis(self) -> Millis:
        """Return the time at which a source is imported."""
        return _current_millis()


def _current_millis() -> Millis:
    return time.time_ns() // 1_000_000
