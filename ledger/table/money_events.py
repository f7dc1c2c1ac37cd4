"""Events about money around a table: boxes, tray, fills and funds, and what a tournament sells and pays.

The person and role of the entry show who counted or paid. A wrong count is corrected like any other entry.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Cents, ChipCount, PlayerId, Rank

BoxKind: TypeAlias = Literal["drop", "jackpot", "promotion"]
"""The content of a box at the table: the rake, or the drop for a fund."""

FundKind: TypeAlias = Literal["jackpot", "promotion"]

EntryKind: TypeAlias = Literal["entry", "re-entry", "rebuy", "add-on"]
"""An entry or chips that a tournament sells."""


class BoxCounted(Event, frozen=True):
    """Somebody opened a box of this table and counted it. The next hand drops into an empty box."""

    STREAM: ClassVar[str] = "table"

    kind: BoxKind
    amount: ChipCount
    shift: str = ""  # the shift that ends with this count, as the house calls it: "swing"; "" = not stated


class ChipsFilled(Event, frozen=True):
    """The cage brought chips to the dealer's tray."""

    STREAM: ClassVar[str] = "table"

    amount: ChipCount


class ChipsCredited(Event, frozen=True):
    """The dealer's tray gave chips back to the cage."""

    STREAM: ClassVar[str] = "table"

    amount: ChipCount


class TrayCounted(Event, frozen=True):
    """Somebody counted the chips in the dealer's tray."""

    STREAM: ClassVar[str] = "table"

    amount: ChipCount


class FundPaid(Event, frozen=True):
    """The house paid a player from its jackpot or promotion fund."""

    STREAM: ClassVar[str] = "table"

    kind: FundKind
    amount: ChipCount
    player: PlayerId
    hand: str = ""  # the number of the hand that won it; "" = not stated


class EntrySold(Event, frozen=True):
    """A tournament sold a player an entry, a re-entry, a rebuy or an add-on."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    kind: EntryKind
    price: Cents  # in hundredths, for the prize pool
    fee: Cents = 0  # in hundredths, for the house
    chips: ChipCount = 0  # that the player got; 0 = not stated


class PrizePoolStated(Event, frozen=True):
    """Somebody stated the prize pool of a tournament, as it's paid: with added money and an overlay."""

    STREAM: ClassVar[str] = "table"

    amount: Cents
    guaranteed: Cents = 0  # the guaranteed prize pool: the house pays the overlay if less was sold; 0 = none
    added: Cents = 0  # money that the house adds to the entries in any case; 0 = none


class PrizePaid(Event, frozen=True):
    """A tournament paid a prize."""

    STREAM: ClassVar[str] = "table"

    place: Rank
    player: PlayerId
    amount: Cents


MoneyEvent: TypeAlias = (
    BoxCounted | ChipsFilled | ChipsCredited | TrayCounted | FundPaid | EntrySold | PrizePoolStated | PrizePaid
)
"""All events about money around a table."""

TOURNAMENT_MONEY: Final = frozenset((EntrySold, PrizePoolStated, PrizePaid))
"""Events of tournaments only. In a cash game, chips that a player buys are `ChipsAdded`."""
