"""The accounts of hands that an import has read and the ledger doesn't have yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

import msgspec

from ledger.decoders import build_json_decoder
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.intake.evenings import Rival
from ledger.store.hands.hand_accounts import read_entries_after
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed

if TYPE_CHECKING:
    from ledger.store import Ledger

_decode_hand: Final = build_json_decoder(HandPlayed).decode


class AccountCache:
    """The accounts of a batch, or of an entire dry run, and the decisions about accounts at their tables."""

    def __init__(self, *, is_dry_run: bool = False) -> None:
        """Start empty. A dry run keeps everything, since it stores nothing."""
        self.is_dry_run = is_dry_run
        self._accounts: dict[tuple[UUID, str], list[tuple[bytes, str]]] = {}
        self._pending: dict[tuple[UUID, str], list[Event]] = {}
        self._decisions: dict[UUID, _TableDecisions] = {}
        self._fresh_tables: set[UUID] = set()  # tables whose events are read for this batch

    def add(self, table_number: tuple[UUID, str], hand: HandPlayed, source: str) -> None:
        """Add an account. It's stored encoded, since a dry run may have very many."""
        self._accounts.setdefault(table_number, []).append((msgspec.json.encode(hand), source))

    def find_rivals(self, table_number: tuple[UUID, str]) -> list[Rival]:
        """Return the accounts of a number at a table."""
        return [
            Rival(_decode_hand(encoded_hand), source) for encoded_hand, source in self._accounts.get(table_number, ())
        ]

    def add_events(self, table_number: tuple[UUID, str], events: Sequence[Event]) -> None:
        """Add events about a number that will be appended to the table's stream."""
        if events:
            self._pending.setdefault(table_number, []).extend(events)

    def find_events(self, ledger: Ledger, stream: UUID, number: str) -> list[Event]:
        """Return the events about a number: those of the table's stream, then the pending ones."""
        return [*self._read_decisions(ledger, stream).find_events(number), *self._pending.get((stream, number), ())]

    def has_account(self, ledger: Ledger, stream: UUID, account: str) -> bool:
        """Whether the table's stream has an account. Older programs stored only first accounts there."""
        return int(account, 16) in self._read_decisions(ledger, stream).accounts

    def mark_stale(self) -> None:
        """Mark the tables, so that their new events are read when needed."""
        self._fresh_tables.clear()

    def _read_decisions(self, ledger: Ledger, stream: UUID) -> _TableDecisions:
        decisions = self._decisions.setdefault(stream, _TableDecisions())
        if stream not in self._fresh_tables:
            self._fresh_tables.add(stream)
            decisions.read(ledger, stream)
        return decisions

    def forget_stored(self) -> None:
        """Drop what the ledger has stored by now. A dry run stores nothing."""
        if not self.is_dry_run:
            self._accounts, self._pending = {}, {}


class _TableDecisions:
    """The decisions about accounts in a table's stream. Of its many hands only the ids are kept."""

    def __init__(self) -> None:
        self._version = 0
        self._numbered: list[tuple[int, Event]] = []
        self._by_number: dict[str, list[Event]] | None = None  # None: must be built again
        self.accounts: set[int] = set()

    def read(self, ledger: Ledger, stream: UUID) -> None:
        """Read the events since the last reading."""
        for entry in read_entries_after(ledger, stream, self._version):
            self._version = entry.version
            if isinstance(entry.event, HandPlayed):
                self.accounts.add(int(entry.event.hand, 16))
            elif isinstance(entry.event, AccountPlaced | AccountChosen | CorrectionMade):
                self._numbered.append((entry.version, entry.event))
                self._by_number = None

    def find_events(self, number: str) -> list[Event]:
        if self._by_number is None:
            self._by_number = defaultdict(list)
            for _, event in apply_corrections(self._numbered):
                self._by_number[getattr(event, "number", "")].append(event)
        return self._by_number.get(number, [])
