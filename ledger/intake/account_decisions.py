"""Count and list the decisions about the accounts of a source, and compare it with its earlier editions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal
from uuid import UUID

from ledger.intake.accounts import AccountChooser, Editions, IncomingAccount, Verdict
from ledger.intake.facts import AnchoredFact, SourceEdition, TableFact, build_change_drafts, compare_editions
from ledger.intake.nights import Nights, PlayedAccount
from ledger.intake.summary import ACCOUNTS_SHOWN, AccountSummary

if TYPE_CHECKING:
    from ledger.entry import Provenance
    from ledger.intake.account_cache import AccountCache
    from ledger.intake.import_progress import ImportProgress
    from ledger.intake.source_drafts import SourceReading
    from ledger.store import CommitDraft, Ledger, Outcome
    from ledger.table.events import HandPlayed

_UNTOLD_REASON: Final = "its file was imported again without it"


class AccountDecisions:
    """Decides about the accounts of a source, and tracks what its tables had if it was read before."""

    def __init__(self, ledger: Ledger, reading: SourceReading, editions: Editions, cache: AccountCache) -> None:
        """Take the source, and what all sources of the import share."""
        self._ledger = ledger
        self._chooser = AccountChooser(ledger, reading.source, reading.keys, editions, cache)
        self._nights = Nights(ledger, self._chooser)
        self._editions_by_table: dict[UUID, SourceEdition] = {}  # only if the source was read before
        self.listed_accounts: list[AccountSummary] = []  # the first ones

    @property
    def has_earlier_editions(self) -> bool:
        """Whether another edition of this source was read before."""
        return self._chooser.has_earlier_editions

    def decide(
        self, entries: Sequence[PlayedAccount | TableFact], outcomes: Sequence[Outcome], progress: ImportProgress
    ) -> tuple[list[PlayedAccount | TableFact], dict[int, Verdict]]:
        """Decide about each hand, and count the decisions.

        Return the hands and facts, with fact keys that no other night has, and the verdicts by the index of the hand's
        draft.
        """
        played_accounts = [entry for entry in entries if isinstance(entry, PlayedAccount)]
        incoming_accounts = [
            IncomingAccount(
                played_account.stream,
                played_account.opened,
                played_account.hand,
                is_known=outcomes[played_account.draft].state == "same",
                is_contested=outcomes[played_account.draft].account > 1,
            )
            for played_account in played_accounts
        ]
        verdicts: dict[int, Verdict] = {}
        for played_account, verdict in zip(played_accounts, self._chooser.decide(incoming_accounts), strict=True):
            verdicts[played_account.draft] = verdict
            progress.add_verdict(verdict)
            self._list_account(played_account.hand, verdict)
        keyed_entries = self._nights.key_facts(entries, incoming_accounts, progress)
        if self.has_earlier_editions:
            self._remember_edition(keyed_entries, verdicts)
        return keyed_entries, verdicts

    def _list_account(self, hand: HandPlayed, verdict: Verdict) -> None:
        """List an account that replaces another, that may be of another hand, or that only a person can choose."""
        is_listed = verdict.outcome == "superseded" or verdict.is_doubtful or verdict.keep_reason
        if not is_listed or len(self.listed_accounts) >= ACCOUNTS_SHOWN:
            return
        outcome: Literal["doubtful", "kept", "superseded"]
        outcome = "doubtful" if verdict.is_doubtful else "kept" if verdict.keep_reason else "superseded"
        self.listed_accounts.append(
            AccountSummary(hand.number, hand.hand, outcome, verdict.replaced_account, verdict.keep_reason)
        )

    def _remember_edition(self, entries: Sequence[PlayedAccount | TableFact], verdicts: dict[int, Verdict]) -> None:
        """Add to the edition's hands and facts, which are compared with earlier editions at the end."""
        for entry in entries:
            edition = self._editions_by_table.setdefault(entry.stream, SourceEdition())
            if isinstance(entry, PlayedAccount):
                edition.add_hand(entry.hand, verdicts[entry.draft].first_account)
            else:
                edition.facts.append(AnchoredFact(entry, edition.last_hand))

    def settle_editions(self, progress: ImportProgress, provenance: Provenance) -> list[CommitDraft]:
        """Return the drafts that void the facts which only earlier editions of this source have."""
        drafts: list[CommitDraft] = []
        for stream, edition in self._editions_by_table.items():
            changes = compare_editions(
                self._ledger, stream, edition, self._chooser.is_own_source, self._chooser.find_binding
            )
            progress.facts_voided += changes.voided_count
            progress.facts_kept += len(changes.kept_facts)
            progress.untold += len(changes.missing_hands)
            self.listed_accounts += [
                AccountSummary("", kept_facts.hand, "kept", "", kept_facts.reason)
                for kept_facts in changes.kept_facts[: self._free_places]
            ]
            self.listed_accounts += [
                AccountSummary(hand.number, hand.hand, "untold") for hand in changes.missing_hands[: self._free_places]
            ]
            repeat_suffix = str(self._ledger.head()[0])
            reason = self._ledger.people.text(_UNTOLD_REASON) if changes.voids else ""
            drafts += build_change_drafts(stream, changes, edition.first_hand, provenance, reason, repeat_suffix)
        return drafts

    @property
    def _free_places(self) -> int:
        """The number of accounts that can still be listed."""
        return max(0, ACCOUNTS_SHOWN - len(self.listed_accounts))
