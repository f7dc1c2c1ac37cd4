"""Facts of the betting: the ruled act, and beside it the words, chips and motions it came from.

`to` is the seat's total on this street, live chips only; `added` what it put in by this act.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Cards, Chips, Role, Seat, Street, TextRef

Declaration: TypeAlias = Literal[
    "fold",
    "check",
    "call",
    "bet",
    "raise",
    "all-in",
    "complete",
    "board",
    "hand",
    "muck",
    "time",
    "deal-me-out",
    "wait",
    "other",
]

KillReason: TypeAlias = Literal[
    "absent",
    "looked-before-post",
    "wrong-count",
    "joker",
    "fouled",
    "out-of-turn",
    "lost",
    "clock",
    "rule",
    "disconnected",
    "unknown",
    "cannot-call",  # for want of chips to call: no book allows it
]


class Folded(Event, frozen=True):
    """A seat gave up its hand."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards = ""  # shown while folding


class Checked(Event, frozen=True):
    """A seat passed the action without betting."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat


class Called(Event, frozen=True):
    """A seat matched the bet, or put in all it had toward it."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    added: Chips
    to: Chips
    all_in: bool | None = None


class Bet(Event, frozen=True):
    """A seat opened the betting of a street."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    added: Chips
    to: Chips
    all_in: bool | None = None


class Raised(Event, frozen=True):
    """A seat put in more than the bet it faced."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    added: Chips
    to: Chips
    all_in: bool | None = None


class Completed(Event, frozen=True):
    """A seat filled a bring-in or a short all-in up to a full bet."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    added: Chips
    to: Chips
    all_in: bool | None = None


class Declared(Event, frozen=True):
    """A player announced or signaled something that may be binding."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    what: Declaration
    amount: Chips | None = None
    manner: Literal["words", "gesture", "unknown"] = "words"
    words: TextRef = ""


class ChipsMoved(Event, frozen=True):
    """One motion of chips toward the pot. The act as ruled follows as its own event."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    motion: int = 1  # 1 = the first motion of this turn
    chips: tuple[Chips, ...] = ()  # each chip's value; () = not witnessed


class ChipsReturned(Event, frozen=True):
    """Chips went back to a seat by ruling or as change; not an uncalled bet."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    reason: Literal["change", "refund", "correction", "straddle", "unknown"] = "unknown"


class BetReturned(Event, frozen=True):
    """The uncalled part of a bet went back."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips


class BettingClosed(Event, frozen=True):
    """The record states that a betting round was closed."""

    STREAM: ClassVar[str] = "hand"

    street: Street


class RaisesCapped(Event, frozen=True):
    """The record says that no more raises are allowed."""

    STREAM: ClassVar[str] = "hand"


class HandKilled(Event, frozen=True):
    """A hand was declared dead."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    reason: KillReason = "unknown"
    by: Role = "unknown"


class HandRetrieved(Event, frozen=True):
    """A folded or killed hand was given back and plays on."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    by: Role = "unknown"


class ClockCalled(Event, frozen=True):
    """Somebody asked for the clock on a player."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat | None  # on whom
    by: Role = "unknown"
    seconds: int | None = None


class ClockExpired(Event, frozen=True):
    """A player's time ran out. Its consequence is a separate event."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    connected: bool | None = None


class TimeBankUsed(Event, frozen=True):
    """A player drew on extra time."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    seconds: int | None = None


class TimeWarned(Event, frozen=True):
    """A player got a time warning."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    seconds: int | None = None


class RunsOffered(Event, frozen=True):
    """A player, or the room, proposed to run the rest several times."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat | None
    runs: int


class RunsAnswered(Event, frozen=True):
    """A player took or declined several runs."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    runs: int  # 1 = declined


class RunsAgreed(Event, frozen=True):
    """The rest of the board is run this many times."""

    STREAM: ClassVar[str] = "hand"

    runs: int


class CashOutTaken(Event, frozen=True):
    """A player sold the hand to the house for a fixed price."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    price: Chips | None = None
    fee: Chips = 0


class InsuranceBought(Event, frozen=True):
    """A player insured an all-in; the counterparty is the house."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    premium: Chips
    covers: Chips | None = None


class InsurancePaid(Event, frozen=True):
    """The house paid out an insurance."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips


Wager: TypeAlias = Called | Bet | Raised | Completed
"""What a seat puts in when it acts."""
