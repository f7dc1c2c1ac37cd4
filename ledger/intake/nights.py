"""Facts between hands of nights that tell the same: `5 away` behind hand 4, tonight and tomorrow.

Numbers restart, so what a fact says and the number of the hand before it do not tell one night's fact
from another's. Where another hand had the number before, the fact's key names the hand as well. Keys of
facts whose hand was the first of its number stay as earlier programs made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Protocol
from uuid import UUID

from ledger.hand.opening import HandOpened
from ledger.intake.accounts import AccountChooser, IncomingAccount
from ledger.intake.facts import TableFact
from ledger.store.hands.hand_accounts import entries_after
from ledger.table.events import HandPlayed

if TYPE_CHECKING:
    from ledger.store import Ledger


class PlayedAccount(NamedTuple):
    """A hand for a table's stream."""

    stream: UUID
    draft: int  # index of the hand's own
    hand: HandPlayed
    opened: HandOpened


class NightProgress(Protocol):
    """How far the import of a source has come."""

    number: str
    night: str
    night_of: str


class Nights:
    """Keeps the facts of one source apart from those that other nights told in the same words."""

    def __init__(self, ledger: Ledger, choosing: AccountChooser) -> None:
        """Take the ledger, and what knows which hand an account tells."""
        self._ledger = ledger
        self._choosing = choosing
        self._last_accounts: dict[UUID, IncomingAccount] = {}  # of each table the last hand
        self._first_hands: dict[UUID, str] = {}

    def key_facts(
        self,
        hands_and_facts: Sequence[PlayedAccount | TableFact],
        accounts: Sequence[IncomingAccount],
        progress: NightProgress,
    ) -> list[PlayedAccount | TableFact]:
        """Return what a source told, in its order, facts under keys that no other night has.

        `accounts` are its hands; `progress` is given what an import that goes on from here must know.
        """
        account_iterator = iter(accounts)
        next_accounts: dict[UUID, IncomingAccount] = {}  # of each table the first hand here
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
            keyed.append(entry._replace(key=_night_key(entry.key, night)) if night else entry)
        if accounts:
            progress.night, progress.night_of = self._find_night(accounts[-1]), accounts[-1].stream.hex
        return keyed

    def _find_night(self, hand: IncomingAccount) -> str:
        """Return the first account of a hand whose number another hand had before; "" of any other."""
        if not hand.is_contested:
            return ""
        first_account, is_only_hand = self._choosing.find_first_account(hand)
        return "" if is_only_hand else first_account

    def _find_start(self, stream: UUID, next_account: IncomingAccount | None) -> str:
        """Return the hand before which facts at a source's beginning stand; "" for the table's first."""
        if next_account is None:
            return ""
        first_account = (
            self._choosing.find_first_account(next_account)[0] if next_account.is_contested else next_account.hand.hand
        )
        if stream not in self._first_hands:
            entries = entries_after(self._ledger, stream, 0)
            first_hands = (entry.event.hand for entry in entries if isinstance(entry.event, HandPlayed))
            self._first_hands[stream] = next(first_hands, first_account)
        return "" if first_account == self._first_hands[stream] else first_account


def _night_key(fact_key: str, night: str) -> str:
    """Return the key of a fact within a night."""
    return "table:" + sha256(f"{fact_key}\0{night}".encode()).hexdigest()
