"""Draft the events of each table in the order in which a source has its hands and facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from ledger.event import Event
from ledger.intake.facts import TableFact
from ledger.intake.neighbours import Neighbours
from ledger.intake.nights import PlayedAccount
from ledger.table.events import HandPlayed, OrderTold

if TYPE_CHECKING:
    from ledger.intake.accounts import Verdict
    from ledger.intake.source_drafts import DraftBuilder
    from ledger.store import CommitDraft, Outcome


class DecidedBatch(NamedTuple):
    """The hands and facts of a piece of the source, with the decisions about the hands."""

    entries: Sequence[PlayedAccount | TableFact]
    outcomes: Sequence[Outcome]  # by index of the hand's draft
    verdicts: Mapping[int, Verdict]  # by index of the hand's draft
    span: tuple[int, int]

    def is_new(self, account: PlayedAccount) -> bool:
        """Whether the ledger didn't have this account."""
        return self.outcomes[account.draft].state == "new"


class TableSequence:
    """Drafts the events of each table: runs of hands, and the facts after each run."""

    def __init__(self, drafts: DraftBuilder) -> None:
        """Take the builder of the source's drafts."""
        self._drafts = drafts
        self._neighbours = Neighbours()
        self._opened_tables: set[UUID] = set()
        # table → the last hand of this source, and whether it is the last one of the table
        self._last_hands: dict[UUID, tuple[HandPlayed, bool]] = {}

    def build_drafts(self, batch: DecidedBatch) -> list[CommitDraft]:
        """Return the drafts for the tables of a batch, and those that order hands which the ledger already had."""
        drafts: list[CommitDraft] = []
        entries = sorted(batch.entries, key=_BY_TABLE)  # stable: within a table the source's order stays
        for stream, table_entries in groupby(entries, key=_BY_TABLE):
            drafts += self._build_table_drafts(stream, list(table_entries), batch)
        return drafts + self._build_order_drafts(batch)

    def _build_table_drafts(
        self, stream: UUID, entries: list[PlayedAccount | TableFact], batch: DecidedBatch
    ) -> list[CommitDraft]:
        drafts: list[CommitDraft] = []
        events: list[Event] = []
        for index, entry in enumerate(entries):
            if isinstance(entry, PlayedAccount):
                is_new = batch.is_new(entry)
                if is_new and stream not in self._opened_tables:
                    self._opened_tables.add(stream)
                    drafts.append(self._drafts.build_opening_draft(stream, entry.opened, batch.span))
                events += [entry.hand] if is_new else []
                events += batch.verdicts[entry.draft].table_events
                self._last_hands[stream] = entry.hand, is_new
                continue
            if events:
                drafts.append(self._drafts.build_table_draft(stream, events, batch.span))
                events = []
            drafts.append(self._drafts.build_fact_draft(entry, self._find_order(entry, entries[index:], batch)))
        if events:
            drafts.append(self._drafts.build_table_draft(stream, events, batch.span))
        return drafts

    def _find_order(
        self, fact: TableFact, later_entries: Sequence[PlayedAccount | TableFact], batch: DecidedBatch
    ) -> OrderTold | None:
        """Return the place of facts among the table's hands, or None if it is at the stream's end."""
        next_account = next((entry for entry in later_entries if isinstance(entry, PlayedAccount)), None)
        is_known = next_account is not None and batch.outcomes[next_account.draft].state == "same"
        next_hand = next_account.hand if next_account is not None and is_known else None
        last_hand, is_table_last = self._last_hands.get(fact.stream, (_NO_HAND, next_hand is None))
        if is_table_last:
            return None
        following_hand = next_hand if next_hand and not last_hand.hand else _NO_HAND
        return OrderTold(last_hand.number, following_hand.number, last_hand.hand, following_hand.hand)

    def _build_order_drafts(self, batch: DecidedBatch) -> list[CommitDraft]:
        """Return the drafts that state the order of hands which the ledger already had."""
        for entry in batch.entries:
            if isinstance(entry, PlayedAccount):
                self._neighbours.add_hand(entry.stream, entry.hand, is_new=batch.is_new(entry))
        return [
            self._drafts.build_table_draft(
                stream, [order_fact], batch.span, f"order:{stream.hex}:{order_fact.after_hand}:{order_fact.before_hand}"
            )
            for stream, order_fact in self._neighbours.drain_orders()
        ]


class _NoHand(NamedTuple):
    """Represents no hand where an order needs one."""

    number: str = ""
    hand: str = ""


_NO_HAND: Final = _NoHand()
_BY_TABLE: Final = itemgetter(0)
"""Both `PlayedAccount` and `TableFact` begin with their table."""
