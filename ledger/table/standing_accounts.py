"""Which accounts tell one hand of a table, and which of them stands.

The events of the table's stream say so: an account is placed with another's hand or made a hand of its
own, and one of a hand's accounts is chosen. Where nobody said anything, accounts of one number that
nothing parts are one hand, and its first complete account stands.
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
    """An event of a table: its version in the stream, and when it happened, if that is known."""

    version: int
    event: TableEvent
    time: Millis | None = None
    source: str = ""  # whose sequence it is part of: digest of a file; "" = the ledger's own recording
    day: int = 0  # on which day it was brought in
    is_guess: bool = False  # a hand: no evidence puts it after the one before it
    last_version_before: int | None = (
        None  # a hand that was recorded while it ran: the last version told before it began
    )


def from_entries(entries: Iterable[Entry]) -> list[TableEntry]:
    """Take what the order needs from a table's entries. A hand's time is when it began."""
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


def from_events(
    events: Sequence[TableEvent], times: dict[int, Millis] | None = None, sources: Sequence[str] = ()
) -> list[TableEntry]:
    """Give numbers to events that are not in a ledger yet; `times` by index, as in `TableAccount`."""
    times = times or {}
    return [
        TableEntry(index + 1, event, times.get(index), sources[index] if sources else "")
        for index, event in enumerate(events)
    ]


class AnyAccount(Protocol):
    """An account of a hand, as far as it matters which of them stands."""

    @property
    def hand(self) -> HandPlayed:
        """What the table remembers of it."""

    @property
    def source(self) -> str:
        """Who tells it: digest of a file; "" = it came from none."""


Kind = TypeVar("Kind", bound=AnyAccount)


class StreamAccount(NamedTuple):
    """An account in a table's stream."""

    entry: TableEntry

    @property
    def hand(self) -> HandPlayed:
        """What the table remembers of it."""
        hand_event = self.entry.event
        assert isinstance(hand_event, HandPlayed)  # noqa: S101 - `group_hands` picks them
        return hand_event

    @property
    def source(self) -> str:
        """Who tells it."""
        return self.entry.source


@dataclass(slots=True)
class HandAccounts(Generic[Kind]):
    """A hand of a table: its accounts in the order in which they came, and what was said of them."""

    accounts: list[Kind] = field(default_factory=list)
    chosen: AccountChosen | None = None
    doubtful: dict[str, AccountPlaced] = field(default_factory=dict)  # account → who says so

    @property
    def first_account(self) -> Kind:
        """The account that came first and holds: it stands where nobody chose."""
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
    """Return the hands that these accounts of one number tell, in the order of their first accounts.

    `said` are the choices and placings that hold, in their order.
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
    """Return the hand that an account of which nobody said anything tells; None: one of its own."""
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
    """Return the hands of a table, in the order in which they were first told; `stream` is what holds."""
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
    """Return the events that hold once the table's own corrections are applied, in their order."""
    by_version = {entry.version: entry for entry in entries}
    numbered = [(version, by_version[version].event) for version in sorted(by_version)]
    return [by_version[version] for version, _ in apply_corrections(numbered)]
