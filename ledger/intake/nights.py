"""Tell apart facts of several nights with the same words: `5 away` after hand 4, tonight and tomorrow.

Hand numbers restart, so the fact and the number of the hand before it don't identify the night. If another hand had the
number before, the fact's key also contains the hand. The other keys are as older programs built them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol
from uuid import UUID

from ledger.hand.opening import HandOpened
from ledger.intake.accounts import AccountChooser, IncomingAccount
from ledger.intake.facts import TableFact
from ledger.store.hands.hand_accounts import read_entries_after
from ledger.table.events import HandPlayed

if TYPE_CHECKING:
    from ledger.store import Ledger


class PlayedAccount(NamedTuple):
    """A hand for a table's stream."""

    stream: UUID
    draft: int  # index of the hand's draft
    hand: HandPlayed
    opened: HandOpened


class NightProgress(Protocol):
    """The part of the import progress that `Nights` needs."""

    number: str
    night: str
    night_of: str


class Nights:
    """Gives the facts of one source keys that other nights don't have."""

    def __init__(self, ledger: Ledger, choosing: AccountChooser) -> None:
        """Take the ledger, and the chooser that knows which hand an account describes."""
        self._ledger = ledger
        self._choosing = choosing
        self._last_accounts: dict[UUID, IncomingAccount] = {}  # last hand of each table
        self._first_hands: dict[UUID, str] = {}

    def key_facts(
        self,
        hands_and_facts: Sequence[PlayedAccount | TableFact],
        accounts: Sequence[IncomingAccount],
        progress: NightProgress,
    ) -> list[PlayedAccount | TableFact]:
        """Return the items of a source in order, with keys for the facts that no other night has.

        `accounts` are its hands. `progress` gets what an import that continues here needs.
        """
        account_iterator = iter(accounts)
        next_accounts: dict[UUID, IncomingAccount] = {}  # first hand of each table in this batch
        for account in accounts:
            next_accounts.setdefault(account.stream, account)
        keyed: list[PlayedAccount | TableFact] = []
        for entry in hands_and_facts:
            if isinstance(entry, PlayedAccount):
                self._last_accounts[entry.stream] = next(account_iterator)
                keyed.append(entry)
                continue
            last_account = self._last_accounts.get(entry.stream)
            if last_account is not None:
                night = self._find_night(last_account)
            elif progress.night and progress.night_of in ("", entry.stream.hex):
                night = progress.night
            else:
                night = self._find_start(entry.stream, next_accounts.get(entry.stream))
            keyed.append(entry._replace(key=_build_night_key(entry.key, night)) if night else entry)
        if accounts:
            progress.night, progress.night_of = self._find_night(accounts[-1]), accounts[-1].stream.hex
        return keyed

    def _find_night(self, hand: IncomingAccount) -> str:
        """Return the first account of a hand whose number another hand had before, else ""."""
        if not hand.is_contested:
            return ""
        first_account, is_only_hand = self._choosing.find_first_account(hand)
        return "" if is_only_hand else first_account

    def _find_start(self, stream: UUID, next_account: IncomingAccount | None) -> str:
        """Return the hand that follows the facts at a source's start; "" if it's the table's first."""
        if next_account is None:
            return ""
        first_account = (
            self._choosing.find_first_account(next_account)[0] if next_account.is_contested else next_account.hand.hand
        )
        if stream not in self._first_hands:
            entries = read_entries_after(self._ledger, stream, 0)
            first_hands = (entry.event.hand for entry in entries if isinstance(entry.event, HandPlayed))
            self._first_hands[stream] = next(first_hands, first_account)
        return "" if first_account == self._first_hands[stream] else first_account


def _build_night_key(fact_key: str, night: str) -> str:
    """Return the key of a fact of this night."""
    return "table:" + sha256(f"{fact_key}\0{night}".encode()).hexdigest()
