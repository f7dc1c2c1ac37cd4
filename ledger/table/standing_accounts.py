"""Group a table's accounts by hand, and choose the one that stands for each hand.

The table's stream contains decisions: an account belongs to another's hand or is a hand of its own, and one account of
a hand is chosen. Without a decision, accounts of one number are one hand if nothing contradicts it, and the first
complete account stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from ledger.entry import Entry
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, TableEvent
from ledger.table.identity import decide_identity, is_redeal
from ledger.vocabulary import Millis

_DAY: Final = 24 * 60 * 60 * 1000


class TableEntry(NamedTuple):
    """An event of a table: its version in the stream, and its time, if known."""

    version: int
    event: TableEvent
    time: Millis | None = None
    source: str = ""  # digest of the file whose sequence it belongs to; "" = recorded live
    day: int = 0  # of its import, in days since 1970
    is_guess: bool = False  # a hand: no evidence puts it after the one before it
    last_version_before: int | None = None  # of a hand recorded while it ran: the version before it began


def build_table_entries(entries: Iterable[Entry]) -> list[TableEntry]:
    """Reduce a table's entries to what sorting needs. The time of a hand is its start."""
    return [
        TableEntry(
            entry.version,
            entry.event,  # type: ignore[arg-type]  # the store holds only TableEvent in a table's stream
            entry.mark.time,
            entry.recorded.source.source if entry.recorded.source else "",
            entry.recorded.time // _DAY,
        )
        for entry in entries
    ]


def number_table_events(
    events: Sequence[TableEvent], times: dict[int, Millis] | None = None, sources: Sequence[str] = ()
) -> list[TableEntry]:
    """Give version numbers to events that aren't in a ledger yet. `times` are by index, as in `TableAccount`."""
    times = times or {}
    return [
        TableEntry(index + 1, event, times.get(index), sources[index] if sources else "")
        for index, event in enumerate(events)
    ]


class AnyAccount(Protocol):
    """An account of a hand, as far as choosing the standing one needs it."""

    @property
    def hand(self) -> HandPlayed:
        """The table's summary of it."""

    @property
    def source(self) -> str:
        """The digest of its file; "" = it came from none."""


Kind = TypeVar("Kind", bound=AnyAccount)


class StreamAccount(NamedTuple):
    """An account in a table's stream."""

    entry: TableEntry

    @property
    def hand(self) -> HandPlayed:
        """The table's summary of it."""
        hand_event = self.entry.event
        assert isinstance(hand_event, HandPlayed)  # noqa: S101 - `group_hands` picks them
        return hand_event

    @property
    def source(self) -> str:
        """The digest of its file; "" = it came from none."""
        return self.entry.source


@dataclass(slots=True)
class HandAccounts(Generic[Kind]):
    """A hand of a table: its accounts in the order of arrival, and the decisions about them."""

    accounts: list[Kind] = field(default_factory=list)
    chosen: AccountChosen | None = None
    doubtful: dict[str, AccountPlaced] = field(default_factory=dict)  # by account

    @property
    def first_account(self) -> Kind:
        """The first complete account that isn't doubtful. It stands without a choice."""
        complete_accounts = (
            account for account in self.accounts if account.hand.completed and account.hand.hand not in self.doubtful
        )
        return next(complete_accounts, self.accounts[0])

    @property
    def standing_account(self) -> Kind:
        """The account that stands."""
        for account in self.accounts:
            if self.chosen is not None and account.hand.hand == self.chosen.hand:
                return account
        return self.first_account


def group_accounts(accounts: Iterable[Kind], decisions: Iterable[Event]) -> list[HandAccounts[Kind]]:
    """Group accounts of one number by hand, in the order of their first accounts.

    `decisions` are the choices and placements in force, in order.
    """
    placing_by_stream: dict[str, AccountPlaced] = {}
    choices: list[AccountChosen] = []
    for event in decisions:
        if isinstance(event, AccountPlaced):
            placing_by_stream[event.hand] = event
        elif isinstance(event, AccountChosen):
            choices.append(event)
    hands: list[HandAccounts[Kind]] = []
    hand_by_stream: dict[str, HandAccounts[Kind]] = {}
    for account in accounts:
        stream = account.hand.hand
        placing = placing_by_stream.get(stream)
        hand = _find_hand(account, hands) if placing is None else hand_by_stream.get(placing.of)
        if hand is None:
            hand = HandAccounts()
            hands.append(hand)
        hand.accounts.append(account)
        if placing is not None and placing.doubtful:
            hand.doubtful[stream] = placing
        hand_by_stream[stream] = hand
    for choice in choices:
        chosen_hand = hand_by_stream.get(choice.hand)
        if chosen_hand is not None:
            chosen_hand.chosen = choice
    return hands


def _find_hand(account: Kind, hands: list[HandAccounts[Kind]]) -> HandAccounts[Kind] | None:
    """Return the hand of an account without a decision. None: it is a hand of its own."""
    doubtful_hand = None
    for hand in hands:
        first_account = hand.accounts[0]
        if first_account.source == account.source and is_redeal(first_account.hand, account.hand):
            continue
        identity = decide_identity(first_account.hand, account.hand)
        if identity == "same":
            return hand
        if identity == "doubtful":
            doubtful_hand = doubtful_hand or hand
    return doubtful_hand


def group_hands(entries: Iterable[TableEntry]) -> list[HandAccounts[StreamAccount]]:
    """Group the hands of a table, in the order in which they first arrived. `entries` are those in force."""
    by_number: dict[str, list[StreamAccount]] = {}
    decisions_by_number: dict[str, list[Event]] = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, HandPlayed):
            by_number.setdefault(event.number or f"\0{entry.version}", []).append(StreamAccount(entry))
        elif isinstance(event, AccountPlaced | AccountChosen):
            decisions_by_number.setdefault(event.number, []).append(event)
    grouped_hands: list[HandAccounts[StreamAccount]] = []
    for number, accounts in by_number.items():
        if len(accounts) == 1 and number not in decisions_by_number:
            grouped_hands.append(HandAccounts(accounts))
        else:
            grouped_hands += group_accounts(accounts, decisions_by_number.get(number, ()))
    return grouped_hands


def apply_table_corrections(entries: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the events in force once the table's own corrections are applied, in order."""
    by_version = {entry.version: entry for entry in entries}
    numbered = [(version, by_version[version].event) for version in sorted(by_version)]
    return [by_version[version] for version, _ in apply_corrections(numbered)]
