"""Store the accounts of one source, one transaction for each piece of the source.

The events of the tables are in the same transaction, in the order of the source: `HandPlayed` for each account, facts
between hands, and the decisions about accounts of one hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from uuid import UUID

import msgspec

from ledger.account import Amendment, Reject, TableAccount
from ledger.entry import Provenance
from ledger.errors import CorrectionError
from ledger.event import Event
from ledger.house.events import SourceImported
from ledger.intake.account_cache import AccountCache
from ledger.intake.account_decisions import AccountDecisions
from ledger.intake.accounts import Editions, Verdict
from ledger.intake.chunk_preparation import PreparedHand
from ledger.intake.facts import TableFact
from ledger.intake.fed import FedHands
from ledger.intake.import_progress import ImportProgress
from ledger.intake.nights import PlayedAccount
from ledger.intake.source_drafts import DraftBuilder, SourceReading
from ledger.intake.summary import AccountSummary
from ledger.intake.table_sequence import DecidedBatch, TableSequence
from ledger.store import CommitDraft, HandRow, Outcome, SourceProgress
from ledger.store.requests import amendments
from ledger.store.requests.erasure import forget_again
from ledger.streams import table_stream

if TYPE_CHECKING:
    from ledger.store import Ledger

_encode: Final = msgspec.json.Encoder().encode


@dataclass(slots=True)
class PendingBatch:
    """Everything added since the last transaction, and what is stored with it."""

    drafts: list[CommitDraft] = field(default_factory=list)  # of the hands
    entries: list[PlayedAccount | TableFact] = field(default_factory=list)  # for the tables, in the source's order
    rejects: list[Reject] = field(default_factory=list)
    span: tuple[int, int] = (0, 0)  # start and length in the source
    imported: SourceImported | None = None  # the event of a source that is stored whole


class TableStreams(dict[tuple[str, str, str], UUID]):
    """The stream of each table, computed once."""

    def __missing__(self, table_names: tuple[str, str, str]) -> UUID:
        """Compute the stream of a table by its venue, tournament and name."""
        stream = self[table_names] = table_stream(*table_names)
        return stream


class AccountWriter:
    """Store what a reader yields, one transaction for each `store`."""

    def __init__(
        self, ledger: Ledger, reading: SourceReading, progress: ImportProgress, editions: Editions, cache: AccountCache
    ) -> None:
        """Take the ledger, the source, the progress to continue from, and what all sources of the import share."""
        self.ledger = ledger
        self.progress = progress
        self.batch = PendingBatch()
        self.fed_hands: FedHands | None = None  # hands of feeds, if the format can be followed by one
        self.repeat_suffix = ""  # for the key of another import, after another edition was read
        self._reading = reading
        self._cache = cache
        self._decisions = AccountDecisions(ledger, reading, editions, cache)
        self._drafts = DraftBuilder(ledger.people, reading)
        self._sequence = TableSequence(self._drafts)
        self._table_streams = TableStreams()
        self._fact_count = 0  # facts about tables since the last hand

    @property
    def has_earlier_editions(self) -> bool:
        """Whether another edition of this source was read before."""
        return self._decisions.has_earlier_editions

    @property
    def listed_accounts(self) -> list[AccountSummary]:
        """The first accounts that the summary of the source lists."""
        return self._decisions.listed_accounts

    def add_hand(self, hand: PreparedHand) -> None:
        """Add a hand."""
        if self.fed_hands is not None:
            hand = self.fed_hands.find_match(hand) or hand
        opened = hand.opened
        self.progress.incomplete += hand.is_incomplete
        self.progress.unbalanced += hand.is_unbalanced
        self.progress.unwitnessed += not opened.witnesses
        stream = self._table_streams[opened.venue, opened.tournament, opened.table]
        batch = self.batch
        batch.entries.append(PlayedAccount(stream, len(batch.drafts), hand.played, opened))
        batch.drafts.append(hand.draft)
        self.progress.number = opened.number
        self._fact_count = 0

    def add_facts(self, account: TableAccount) -> None:
        """Add facts about a table.

        Their key is their content and what they follow, so that a longer copy of the source doesn't store them twice.
        `Nights` changes it if another night has the same facts.
        """
        self.add_facts_after(account, self.progress.number, self._fact_count)
        self._fact_count += 1

    def add_facts_after(self, account: TableAccount, number: str, facts_before: int) -> None:
        """Add facts about a table that follow the hand `number` and `facts_before` other facts in their source."""
        stream = self._table_streams[account.venue, account.tournament, account.table]
        encoded_events = _encode(account.events)
        context = f"{stream.hex}\0{number}\0{facts_before}\0{sorted(account.times.items())}"
        fact_key = sha256(context.encode("utf-8", "surrogatepass") + encoded_events).hexdigest()
        self.batch.entries.append(TableFact(stream, account, f"table:{fact_key}"))

    def add_amendment(self, amendment: Amendment) -> Reject | None:
        """Correct a hand of the ledger; return a reject if the correction doesn't fit."""
        opened = amendment.opened
        rows = self._find_rows(amendment)
        hand_name = f"hand {opened.number!r} of table {opened.table!r}"
        if len(rows) != 1:
            mismatch = f"{hand_name} matches {len(rows)} hands" if rows else f"there is no {hand_name} in this ledger"
            return _reject_correction(
                amendment, f"{mismatch}: nothing to correct", "Write the hand's number and time as in its own file."
            )
        correction_key = amendments.build_correction_key(rows[0], amendment.corrections)
        if amendments.is_taken_in(self.ledger, correction_key):
            return None  # it was imported before
        try:
            hand_events, table_events = amendments.build_correction_events(self.ledger, rows[0], amendment.corrections)
        except CorrectionError as error:
            return _reject_correction(amendment, error.message, error.hint)
        is_unbalanced = amendments.is_unbalanced(self.ledger, rows[0], hand_events)
        is_new = self._append_correction(
            rows[0],
            hand_events,
            table_events,
            self._drafts.build_provenance(correction_key, amendment.start, amendment.length),
        )
        self.progress.corrected += is_new
        self.progress.unbalanced += is_new and is_unbalanced
        return None

    def _find_rows(self, amendment: Amendment) -> list[HandRow]:
        """Return the accounts that count of the hand to be corrected, including this source's own."""
        opened = amendment.opened
        if any(draft.hand is not None and draft.hand.number == opened.number for draft in self.batch.drafts):
            self.flush()
        rows = list(
            self.ledger.hands(
                venue=opened.venue,
                tournament=opened.tournament,
                table=opened.table,
                number=opened.number,
                standing=True,
            )
        )
        same_time = [row for row in rows if None not in (opened.started, row.started) and row.started == opened.started]
        without_time = [row for row in rows if None in (opened.started, row.started)]
        return same_time or without_time

    def _append_correction(
        self, row: HandRow, hand_events: list[Event], table_events: list[Event], provenance: Provenance
    ) -> bool:
        return amendments.append_correction(self.ledger, row, hand_events, table_events, provenance)

    def add_reject(self, reject: Reject) -> None:
        """Add a span that can't be read."""
        self.batch.rejects.append(reject)

    def flush(self) -> None:
        """Store the hands so far, so that a correction can find them. The progress stays where it was."""
        rejects, self.batch.rejects = self.batch.rejects, []
        self._append_batch(None)
        self.drop_stored()
        self.batch.rejects = rejects

    def store(self, start: int, length: int, imported: SourceImported | None = None) -> None:
        """Store what was added from this span of the source, and the progress.

        `imported` is an event that is stored as well if the span is the entire source. Its counts are filled in here,
        and no progress is stored.
        """
        self.batch.span, self.batch.imported = (start, length), imported
        self._append_batch(None if imported else self._stored_progress)
        self.drop_stored()

    def _append_batch(self, stored_progress: Callable[[], SourceProgress] | None) -> None:
        """Append the hands, and in the same transaction the events of their tables and of the house."""
        self.ledger.append_all(
            self.batch.drafts,
            follow_up=self._follow_up_drafts,
            source=self._reading.source,
            reader=self._reading.reader,
            progress=stored_progress,
            in_transaction=partial(forget_again, self.ledger, source=self._reading.source),
        )

    def _stored_progress(self) -> SourceProgress:
        return SourceProgress(sum(self.batch.span), _encode(self.progress).decode())

    def drop_stored(self) -> None:
        """Drop what was added, since it is stored."""
        self.batch = PendingBatch()

    def _follow_up_drafts(self, outcomes: Sequence[Outcome]) -> list[CommitDraft]:
        """Return the drafts for the other streams, now that it is known which hands are new."""
        verdicts = self._decide_hands(outcomes)
        self._cache.forget_stored()
        decided_batch = DecidedBatch(self.batch.entries, outcomes, verdicts, self.batch.span)
        return self._sequence.build_drafts(decided_batch) + self._build_house_drafts()

    def _decide_hands(self, outcomes: Sequence[Outcome]) -> dict[int, Verdict]:
        """Decide about each hand and count the decisions; the keys are the indexes of the drafts."""
        self.batch.entries, verdicts = self._decisions.decide(self.batch.entries, outcomes, self.progress)
        return verdicts

    def _build_house_drafts(self) -> list[CommitDraft]:
        """Return the drafts for the house's stream: rejected spans, and the import of the source."""
        batch, progress = self.batch, self.progress
        drafts: list[CommitDraft] = []
        if batch.rejects:
            drafts.append(self._drafts.build_rejects_draft(batch.rejects, batch.span[0]))
        if batch.imported:
            finished_import = msgspec.structs.replace(
                batch.imported,
                new=progress.new,
                same=progress.same,
                second=progress.second,
                superseded=progress.superseded,
            )
            drafts.append(self._drafts.build_imported_draft(finished_import, self.repeat_suffix))
        return drafts

    def void_dropped_facts(self) -> None:
        """Void the facts that only earlier editions of this source have."""
        drafts = self._decisions.settle_editions(self.progress, self._drafts.build_provenance("", 0, 0))
        if drafts:
            self._append(drafts)

    def _append(self, drafts: list[CommitDraft]) -> None:
        self.ledger.append_all(drafts)


def _reject_correction(amendment: Amendment, reason: str, hint: str) -> Reject:
    return Reject(amendment.start, amendment.length, amendment.line, "correction", reason, hint)
