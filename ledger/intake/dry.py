"""Run an import without writing, to find out what it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.house.events import SourceImported
from ledger.intake.account_writer import AccountWriter
from ledger.store import Outcome
from ledger.store.hands.hand_accounts import TableKey, list_hand_accounts

if TYPE_CHECKING:
    from ledger.account import Amendment, Reject
    from ledger.entry import Provenance
    from ledger.event import Event
    from ledger.intake.account_cache import AccountCache
    from ledger.intake.accounts import Editions
    from ledger.intake.import_progress import ImportProgress
    from ledger.intake.source_drafts import SourceReading
    from ledger.store import CommitDraft, HandRow, Ledger


class SeenHands:
    """The hands and accounts of hands that a dry run has met."""

    def __init__(self) -> None:
        """Start empty."""
        self.hands: set[tuple[str, str, str, str]] = set()
        self.streams: set[bytes] = set()


class DryRunWriter(AccountWriter):
    """Counts the hands that are new, the same, or other accounts."""

    def __init__(
        self,
        ledger: Ledger,
        reading: SourceReading,
        progress: ImportProgress,
        editions: Editions,
        cache: AccountCache,
        seen_hands: SeenHands,
    ) -> None:
        """Take what this dry run has met in all sources, and what `AccountWriter` takes."""
        super().__init__(ledger, reading, progress, editions, cache)
        self._seen_hands = seen_hands

    def flush(self) -> None:
        """Do nothing. A hand of this source can't be corrected yet, and its corrections aren't rejected."""

    def _append(self, drafts: list[CommitDraft]) -> None:
        """Store nothing."""

    def add_amendment(self, amendment: Amendment) -> Reject | None:
        """Check whether a correction fits. If this run has met its hand, count it as fitting."""
        opened = amendment.opened
        if (opened.venue, opened.tournament, opened.table, opened.number) in self._seen_hands.hands or any(
            draft.hand is not None and draft.hand.number == opened.number for draft in self.batch.drafts
        ):
            self.progress.corrected += len(amendment.corrections) > 0
            return None
        return super().add_amendment(amendment)

    def _append_correction(
        self, row: HandRow, hand_events: list[Event], table_events: list[Event], provenance: Provenance
    ) -> bool:
        del row, hand_events, table_events, provenance
        return True

    def store(
        self,
        start: int,  # noqa: ARG002 - as its base class
        length: int,  # noqa: ARG002 - as its base class
        imported: SourceImported | None = None,  # noqa: ARG002 - as its base class
    ) -> None:
        """Count what was added, and drop it."""
        known_streams = self.ledger.known_streams([draft.stream.bytes for draft in self.batch.drafts])
        outcomes = []
        for draft in self.batch.drafts:
            hand_facts = draft.hand
            assert hand_facts is not None  # noqa: S101 - every draft of a hand has them
            hand_key = (hand_facts.venue, hand_facts.tournament, hand_facts.table, hand_facts.number)
            if draft.stream.bytes in known_streams or draft.stream.bytes in self._seen_hands.streams:
                outcomes.append(Outcome("same", draft.stream, 1, 0))
            else:
                is_repeated = hand_key in self._seen_hands.hands or bool(
                    list_hand_accounts(self.ledger, TableKey(*hand_key[:3]), (hand_key[3],))
                )
                outcomes.append(Outcome("new", draft.stream, 1, 0, 1 + is_repeated))
            self._seen_hands.hands.add(hand_key)
            self._seen_hands.streams.add(draft.stream.bytes)
        self._decide_hands(outcomes)
        self.drop_stored()
