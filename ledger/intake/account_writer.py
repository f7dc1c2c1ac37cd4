"""Store the accounts of one source, a piece of the source in one transaction.

The events of the tables are stored in the same transaction, in the order of the source: `HandPlayed` for each account,
facts between hands, and the decisions about accounts of one hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from uuid import UUID

import msgspec

from ledger.account import Amendment, Reject, TableAccount, write_detail
from ledger.entry import Provenance, SourceSpan
from ledger.errors import CorrectionError
from ledger.event import Event
from ledger.hand.opening import HandOpened
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake.account_cache import AccountCache
from ledger.intake.accounts import AccountChooser, Editions, IncomingAccount, Verdict
from ledger.intake.byte_accounts import ByteCounts
from ledger.intake.chunk_preparation import PreparedHand
from ledger.intake.facts import AnchoredFact, SourceEdition, TableFact, change_drafts, compare_editions, fact_draft
from ledger.intake.fed import FedHands
from ledger.intake.neighbours import Neighbours
from ledger.intake.nights import Nights, PlayedAccount
from ledger.intake.summary import ACCOUNTS_SHOWN, AccountSummary
from ledger.store import CommitDraft, HandRow, Outcome, SourceProgress
from ledger.store.log.stored_sources import imported_key
from ledger.store.requests import amendments
from ledger.store.requests.erasure import forget_again
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, OrderTold, TableOpened
from ledger.vocabulary import Millis

if TYPE_CHECKING:
    from ledger.store import Ledger

_encode: Final = msgspec.json.Encoder().encode
_UNTOLD_REASON: Final = "its source was told anew without it"


class ImportProgress(msgspec.Struct):
    """How far the import of a source has come. An interrupted import continues from here."""

    line: int = 1  # of the next byte
    new: int = 0
    same: int = 0
    second: int = 0
    rejected: int = 0
    unbalanced: int = 0
    incomplete: int = 0
    faults: int = 0  # rejects that a better reader may read: the source is read again
    number: str = ""  # of the last hand, by which facts about the table are identified
    bytes: ByteCounts = msgspec.field(default_factory=ByteCounts)
    superseded: int = 0
    doubtful: int = 0
    kept: int = 0
    corrected: int = 0
    facts_voided: int = 0
    facts_kept: int = 0
    untold: int = 0  # hands only in earlier editions: they still count
    night: str = ""  # the first account of the last hand, if its number was repeated
    night_of: str = ""  # that hand's table; "" if an older program stored this
    apart: int = 0  # hands taken for another evening's
    undated: int = 0  # accounts that may be another evening's
    unwitnessed: int = 0  # hands from sources that don't say what they always record

    @property
    def hands(self) -> int:
        """How many hands were stored or are in the ledger already."""
        return self.new + self.same + self.second + self.superseded

    def add_verdict(self, verdict: Verdict) -> None:
        """Count the decision about an account."""
        self.new += verdict.outcome == "new"
        self.same += verdict.outcome == "same"
        self.second += verdict.outcome == "second"
        self.superseded += verdict.outcome == "superseded"
        self.doubtful += verdict.is_doubtful
        self.kept += bool(verdict.keep_reason)
        self.apart += verdict.evening == "apart"
        self.undated += verdict.evening == "undated"


class AccountWriter:
    """Store what a reader yields, one transaction for each `store`."""

    def __init__(
        self,
        ledger: Ledger,
        source: str,
        reader: str,
        moment: Millis,
        progress: ImportProgress,
        editions: Editions,
        cache: AccountCache,
        keys: set[str] | None = None,
    ) -> None:
        """Take the ledger, the source with its reader, the time, and the progress to continue from."""
        self.fed_hands: FedHands | None = None  # hands of feeds, if the format can be followed by one
        self._cache = cache
        self._chooser = AccountChooser(ledger, source, keys or set(), editions, cache)
        self.accounts: list[AccountSummary] = []
        self.repeat_suffix = ""  # for the key of another import, after another edition was read
        self.ledger = ledger
        self._source = source
        self._reader = reader
        self._moment = moment
        self.progress = progress
        self.drafts: list[CommitDraft] = []
        self._hands_and_facts: list[PlayedAccount | TableFact] = []
        # table → the last hand of this source, and whether it is the last one of the table
        self._last_hands: dict[UUID, tuple[HandPlayed, bool]] = {}
        self._rejects: list[Reject] = []
        self._imported: SourceImported | None = None
        self._fact_count = 0  # facts about tables since the last hand
        self._tables: dict[tuple[str, str, str], UUID] = {}
        self._opened_tables: set[UUID] = set()
        self._nights = Nights(ledger, self._chooser)
        self._neighbours = Neighbours()
        self._span = (0, 0)
        self._editions_by_table: dict[UUID, SourceEdition] = {}  # only if the source was read before

    @property
    def has_earlier_editions(self) -> bool:
        """Whether another edition of this source was read before."""
        return self._chooser.has_earlier_editions

    def add_hand(self, hand: PreparedHand) -> None:
        """Take one hand."""
        if self.fed_hands is not None:
            hand = self.fed_hands.find_match(hand) or hand
        opened = hand.opened
        self.progress.incomplete += hand.is_incomplete
        self.progress.unbalanced += hand.is_unbalanced
        self.progress.unwitnessed += not opened.witnesses
        stream = self._table_stream(opened.venue, opened.tournament, opened.table)
        self._hands_and_facts.append(PlayedAccount(stream, len(self.drafts), hand.played, opened))
        self.drafts.append(hand.draft)
        self.progress.number = opened.number
        self._fact_count = 0

    def add_facts(self, account: TableAccount) -> None:
        """Take facts about a table.

        Their key is their content and what they follow, so that a longer copy of the source doesn't store them twice.
        `Nights` changes it where another night has the same facts.
        """
        self.add_facts_after(account, self.progress.number, self._fact_count)
        self._fact_count += 1

    def add_facts_after(self, account: TableAccount, number: str, facts_before: int) -> None:
        """Take facts about a table. In their source they follow the hand `number` and `facts_before` other facts."""
        stream = self._table_stream(account.venue, account.tournament, account.table)
        encoded_events = _encode(account.events)
        context = f"{stream.hex}\0{number}\0{facts_before}\0{sorted(account.times.items())}"
        fact_key = sha256(context.encode("utf-8", "surrogatepass") + encoded_events).hexdigest()
        self._hands_and_facts.append(TableFact(stream, account, f"table:{fact_key}"))

    def add_amendment(self, amendment: Amendment) -> Reject | None:
        """Correct a hand of the ledger; return a reject if the correction doesn't fit."""
        opened = amendment.opened
        rows = self._find_rows(amendment)
        hand_name = f"hand {opened.number!r} of table {opened.table!r}"
        if len(rows) != 1:
            mismatch = f"{hand_name} matches {len(rows)} hands" if rows else f"there is no {hand_name} in this ledger"
            return _correction_reject(
                amendment,
                f"{mismatch}: nothing to correct",
                "Give the hand's own number and time, as in the file that tells it.",
            )
        correction_key = amendments.key_of(rows[0], amendment.corrections)
        if amendments.is_taken_in(self.ledger, correction_key):
            return None  # it was imported before
        try:
            hand_events, table_events = amendments.correction_events(self.ledger, rows[0], amendment.corrections)
        except CorrectionError as error:
            return _correction_reject(amendment, error.message, error.hint)
        source_place = SourceSpan(self._source, amendment.start, amendment.length)
        is_unbalanced = amendments.is_unbalanced(self.ledger, rows[0], hand_events)
        is_new = self._append_correction(
            rows[0],
            hand_events,
            table_events,
            Provenance(self._moment, "system", "import", correction_key, source_place),
        )
        self.progress.corrected += is_new
        self.progress.unbalanced += is_new and is_unbalanced
        return None

    def _find_rows(self, amendment: Amendment) -> list[HandRow]:
        """Return the accounts that count of the hand to be corrected, including this source's own."""
        opened = amendment.opened
        if any(draft.hand is not None and draft.hand.number == opened.number for draft in self.drafts):
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

    def flush(self) -> None:
        """Store the hands so far, so that a correction can find them. The progress stays where it was."""
        self._span = (0, 0)
        self._imported, rejects, self._rejects = None, self._rejects, []
        self.ledger.append_all(
            self.drafts,
            follow_up=self._follow_up_drafts,
            source=self._source,
            reader=self._reader,
            in_transaction=partial(forget_again, self.ledger, source=self._source),
        )
        self.forget()
        self._rejects = rejects

    def _table_stream(self, venue: str, tournament: str, table: str) -> UUID:
        stream = self._tables.get((venue, tournament, table))
        if stream is None:
            stream = self._tables[venue, tournament, table] = table_stream(venue, tournament, table)
        return stream

    def add_reject(self, reject: Reject) -> None:
        """Take a span that cannot be read."""
        self._rejects.append(reject)

    def store(self, start: int, length: int, imported: SourceImported | None = None) -> None:
        """Store what was taken from this span of the source, and the progress.

        `imported`: the event to store as well if the span is the whole source. Its counts are filled in here, and no
        progress is stored.
        """
        self._span = (start, length)
        self._imported = imported
        self.ledger.append_all(
            self.drafts,
            follow_up=self._follow_up_drafts,
            source=self._source,
            reader=self._reader,
            progress=None if imported else self._stored_progress,
            in_transaction=partial(forget_again, self.ledger, source=self._source),
        )
        self.forget()

    def _stored_progress(self) -> SourceProgress:
        return SourceProgress(sum(self._span), _encode(self.progress).decode())

    def forget(self) -> None:
        """Drop what was taken, since it is stored."""
        self.drafts, self._hands_and_facts, self._rejects = [], [], []

    def _decide_hands(self, outcomes: Sequence[Outcome]) -> dict[int, Verdict]:
        """Decide about each hand and count the decisions; the keys are the indexes of the drafts."""
        played_accounts = [entry for entry in self._hands_and_facts if isinstance(entry, PlayedAccount)]
        incoming_accounts = [
            IncomingAccount(
                played_account.stream,
                played_account.opened,
                played_account.hand,
                outcomes[played_account.draft].state == "same",
                outcomes[played_account.draft].account > 1,
            )
            for played_account in played_accounts
        ]
        verdicts = self._chooser.decide(incoming_accounts)
        progress = self.progress
        for played_account, verdict in zip(played_accounts, verdicts, strict=True):
            progress.add_verdict(verdict)
            if verdict.outcome == "superseded" or verdict.is_doubtful or verdict.keep_reason:
                self._note_account(played_account.hand, verdict)
        verdicts_by_draft = {
            played_account.draft: verdict for played_account, verdict in zip(played_accounts, verdicts, strict=True)
        }
        self._hands_and_facts = self._nights.key_facts(self._hands_and_facts, incoming_accounts, progress)
        if self.has_earlier_editions:
            self._remember_edition(verdicts_by_draft)
        return verdicts_by_draft

    def _remember_edition(self, verdicts: dict[int, Verdict]) -> None:
        """Add to the edition's hands and facts, which are compared with earlier editions at the end."""
        for entry in self._hands_and_facts:
            edition = self._editions_by_table.setdefault(entry.stream, SourceEdition())
            if isinstance(entry, PlayedAccount):
                edition.add_hand(entry.hand, verdicts[entry.draft].first_account)
            else:
                edition.facts.append(AnchoredFact(entry, edition.last_hand))

    def settle_facts(self) -> None:
        """Void the facts that only earlier editions of this source have."""
        drafts: list[CommitDraft] = []
        source_place = SourceSpan(self._source, 0, 0)
        provenance = Provenance(self._moment, "system", "import", "", source_place)
        for stream, edition in self._editions_by_table.items():
            changes = compare_editions(
                self.ledger, stream, edition, self._chooser.is_own_source, self._chooser.find_binding
            )
            self.progress.facts_voided += changes.voided_count
            self.progress.facts_kept += len(changes.kept_facts)
            for kept_facts in changes.kept_facts:
                self._note_kept(kept_facts.hand, kept_facts.reason)
            self.progress.untold += len(changes.untold_hands)
            for hand in changes.untold_hands[: ACCOUNTS_SHOWN - len(self.accounts)]:
                self.accounts.append(AccountSummary(hand.number, hand.hand, "untold"))
            repeat_suffix = str(self.ledger.head()[0])
            reason = self.ledger.people.text(_UNTOLD_REASON) if changes.voids else ""
            drafts += change_drafts(stream, changes, edition.first_hand, provenance, reason, repeat_suffix)
        if drafts:
            self._append(drafts)

    def _append(self, drafts: list[CommitDraft]) -> None:
        self.ledger.append_all(drafts)

    def _note_kept(self, hand: str, reason: str) -> None:
        if len(self.accounts) < ACCOUNTS_SHOWN:
            self.accounts.append(AccountSummary("", hand, "kept", "", reason))

    def _note_account(self, hand: HandPlayed, verdict: Verdict) -> None:
        if len(self.accounts) < ACCOUNTS_SHOWN:
            outcome: Literal["doubtful", "kept", "superseded"]
            outcome = "doubtful" if verdict.is_doubtful else "kept" if verdict.keep_reason else "superseded"
            self.accounts.append(
                AccountSummary(hand.number, hand.hand, outcome, verdict.replaced_account, verdict.keep_reason)
            )

    def _follow_up_drafts(self, outcomes: Sequence[Outcome]) -> list[CommitDraft]:
        """Return the drafts for the other streams, now that it is known which hands are new."""
        verdicts = self._decide_hands(outcomes)
        self._cache.forget_stored()
        drafts: list[CommitDraft] = []
        entries = sorted(self._hands_and_facts, key=_BY_TABLE)  # stable: within a table the source's order stays
        for stream, table_entries in groupby(entries, key=_BY_TABLE):
            drafts += self._table_drafts(stream, list(table_entries), outcomes, verdicts)
        return drafts + self._order_drafts(outcomes) + self._house_drafts()

    def _order_drafts(self, outcomes: Sequence[Outcome]) -> list[CommitDraft]:
        """Return the drafts that state the order of hands which the ledger already had."""
        for entry in self._hands_and_facts:
            if isinstance(entry, PlayedAccount):
                is_new = outcomes[entry.draft].state == "new"
                self._neighbours.add_hand(entry.stream, entry.hand, is_new=is_new)
        return [
            self._table_draft(
                stream, [order_fact], f"order:{stream.hex}:{order_fact.after_hand}:{order_fact.before_hand}"
            )
            for stream, order_fact in self._neighbours.pending_orders()
        ]

    def _table_drafts(
        self,
        stream: UUID,
        entries: list[PlayedAccount | TableFact],
        outcomes: Sequence[Outcome],
        verdicts: dict[int, Verdict],
    ) -> list[CommitDraft]:
        """Return the drafts for one table: runs of hands, and the facts after each run."""
        drafts: list[CommitDraft] = []
        events: list[Event] = []
        for index, entry in enumerate(entries):
            if isinstance(entry, PlayedAccount):
                is_new = outcomes[entry.draft].state == "new"
                if is_new and stream not in self._opened_tables:
                    self._opened_tables.add(stream)
                    drafts.append(self._opening_draft(stream, entry.opened))
                events += [entry.hand] if is_new else []
                events += verdicts[entry.draft].table_events
                self._last_hands[stream] = entry.hand, is_new
                continue
            if events:
                drafts.append(self._table_draft(stream, events))
                events = []
            next_account = next(
                (later_entry for later_entry in entries[index:] if isinstance(later_entry, PlayedAccount)), None
            )
            is_known = next_account is not None and outcomes[next_account.draft].state == "same"
            drafts.append(self._fact_draft(entry, next_account.hand if next_account and is_known else None))
        if events:
            drafts.append(self._table_draft(stream, events))
        return drafts

    def _fact_draft(self, fact: TableFact, next_hand: HandPlayed | None) -> CommitDraft:
        """Return the draft of facts, with their place in the order unless they belong at the stream's end.

        `next_hand`: the next hand of the source, if the ledger already has it.
        """
        last_hand, is_table_last = self._last_hands.get(fact.stream, (_NO_HAND, next_hand is None))
        order = None
        if not is_table_last:
            following_hand = next_hand if next_hand and not last_hand.hand else _NO_HAND
            order = OrderTold(last_hand.number, following_hand.number, last_hand.hand, following_hand.hand)
        source_place = SourceSpan(self._source, fact.account.start, fact.account.length)
        return fact_draft(fact, order, Provenance(self._moment, "system", "import", fact.key, source_place))

    def _house_drafts(self) -> list[CommitDraft]:
        """Return the drafts for the house's stream: rejected spans, and the import of the source."""
        drafts: list[CommitDraft] = []
        if self._rejects:
            text = self.ledger.people.text
            events = [
                SourceRejected(
                    self._source, reject.start, reject.length, reject.line, reject.code, text(write_detail(reject))
                )
                for reject in self._rejects
            ]
            commit_key = f"rejected:{self._source}:{self._reader}:{self._span[0]}"
            drafts.append(self._house_draft(events, commit_key))
        if self._imported:
            finished_import = msgspec.structs.replace(
                self._imported,
                new=self.progress.new,
                same=self.progress.same,
                second=self.progress.second,
                superseded=self.progress.superseded,
            )
            drafts.append(self._house_draft([finished_import], imported_key(finished_import, self.repeat_suffix)))
        return drafts

    def _house_draft(self, events: Sequence[Event], commit_key: str) -> CommitDraft:
        provenance = Provenance(self._moment, "system", "import", commit_key)
        return CommitDraft("house", HOUSE, None, len(events), _encode(events), b"", provenance)

    def _opening_draft(self, stream: UUID, opened: HandOpened) -> CommitDraft:
        """Return the draft that opens the table. Its key makes sure that it is stored once."""
        event = TableOpened(opened.venue, opened.table, opened.tournament, opened.club, opened.seats, opened.witnesses)
        return self._table_draft(stream, [event], f"opened:{stream.hex}")

    def _table_draft(self, stream: UUID, events: Sequence[Event], commit_key: str = "") -> CommitDraft:
        provenance = Provenance(self._moment, "system", "import", commit_key, SourceSpan(self._source, *self._span))
        return CommitDraft("table", stream, None, len(events), _encode(events), b"", provenance)


class _NoHand(NamedTuple):
    """Stands for no hand where an order needs one."""

    number: str = ""
    hand: str = ""


_NO_HAND: Final = _NoHand()


def _correction_reject(amendment: Amendment, reason: str, hint: str) -> Reject:
    return Reject(amendment.start, amendment.length, amendment.line, "correction", reason, hint)


_BY_TABLE: Final = itemgetter(0)
"""Both `Played` and `Fact` begin with their table."""
