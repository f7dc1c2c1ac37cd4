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
    at: Millis | None = None
    source: str = ""  # whose sequence it is part of: digest of a file; "" = the ledger's own recording
    day: int = 0  # on which day it was brought in
    guessed: bool = False  # a hand: nothing tells that it stands behind the one before it
    opened: int | None = None  # a hand that was recorded while it ran: the last version told before it began


def from_entries(entries: Iterable[Entry]) -> list[TableEntry]:
    """Take what the order needs from a table's entries. A hand's time is when it began."""
    return [
        TableEntry(
            entry.version,
            entry.event,  # type: ignore[arg-type]  # the store holds only TableEvent in a table's stream
            entry.mark.at,
            entry.recorded.source.source if entry.recorded.source else "",
            entry.recorded.at // _DAY,
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

    told: TableEntry

    @property
    def hand(self) -> HandPlayed:
        """What the table remembers of it."""
        event = self.told.event
        assert isinstance(event, HandPlayed)  # noqa: S101 - `group_hands` picks them
        return event

    @property
    def source(self) -> str:
        """Who tells it."""
        return self.told.source


@dataclass(slots=True)
class HandAccounts(Generic[Kind]):
    """A hand of a table: its accounts in the order in which they came, and what was said of them."""

    accounts: list[Kind] = field(default_factory=list)
    chosen: AccountChosen | None = None
    doubtful: dict[str, AccountPlaced] = field(default_factory=dict)  # account → who says so

    @property
    def first(self) -> Kind:
        """The account that came first and holds: it stands where nobody chose."""
        complete = (one for one in self.accounts if one.hand.completed and one.hand.hand not in self.doubtful)
        return next(complete, self.accounts[0])

    @property
    def stands(self) -> Kind:
        """The account that stands."""
        for one in self.accounts:
            if self.chosen is not None and one.hand.hand == self.chosen.hand:
                return one
        return self.first


def group_accounts(accounts: Iterable[Kind], said: Iterable[Event]) -> list[HandAccounts[Kind]]:
    """Return the hands that these accounts of one number tell, in the order of their first accounts.

    `said` are the choices and placings that hold, in their order.
    """
    placed: dict[str, AccountPlaced] = {}
    chosen: list[AccountChosen] = []
    for event in said:
        if isinstance(event, AccountPlaced):
            placed[event.hand] = event
        elif isinstance(event, AccountChosen):
            chosen.append(event)
    hands: list[HandAccounts[Kind]] = []
    of: dict[str, HandAccounts[Kind]] = {}
    for account in accounts:
        stream = account.hand.hand
        word = placed.get(stream)
        hand = _home(account, hands) if word is None else of.get(word.of)
        if hand is None:
            hand = HandAccounts()
            hands.append(hand)
        hand.accounts.append(account)
        if word is not None and word.doubtful:
            hand.doubtful[stream] = word
        of[stream] = hand
    for choice in chosen:
        found = of.get(choice.hand)
        if found is not None:
            found.chosen = choice
    return hands


def _home(account: Kind, hands: list[HandAccounts[Kind]]) -> HandAccounts[Kind] | None:
    """Return the hand that an account of which nobody said anything tells; None: one of its own."""
    doubtful = None
    for hand in hands:
        first = hand.accounts[0]
        if first.source == account.source and is_redeal(first.hand, account.hand):
            continue
        answer = decide_identity(first.hand, account.hand)
        if answer == "same":
            return hand
        if answer == "doubtful":
            doubtful = doubtful or hand
    return doubtful


def group_hands(stream: Iterable[TableEntry]) -> list[HandAccounts[StreamAccount]]:
    """Return the hands of a table, in the order in which they were first told; `stream` is what holds."""
    by_number: dict[str, list[StreamAccount]] = {}
    said: dict[str, list[Event]] = {}
    for one in stream:
        event = one.event
        if isinstance(event, HandPlayed):
            by_number.setdefault(event.number or f"\0{one.version}", []).append(StreamAccount(one))
        elif isinstance(event, AccountPlaced | AccountChosen):
            said.setdefault(event.number, []).append(event)
    found: list[HandAccounts[StreamAccount]] = []
    for number, accounts in by_number.items():
        if len(accounts) == 1 and number not in said:
            found.append(HandAccounts(accounts))
        else:
            found += group_accounts(accounts, said.get(number, ()))
    return found


def apply_table_corrections(told: Iterable[TableEntry]) -> list[TableEntry]:
    """Return the events that hold once the table's own corrections are applied, in their order."""
    by_version = {one.version: one for one in told}
    numbered = [(version, by_version[version].event) for version in sorted(by_version)]
    return [by_version[version] for version, _ in apply_corrections(numbered)]
