"""Facts from the showdown on: hands, awards, what the source declares, corrections."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Cards, Chips, PlayerId, Role, Seat, TextRef

Half: TypeAlias = Literal["", "high", "low"]

ResultKind: TypeAlias = Literal[
    "total-pot",
    "main-pot",
    "side-pot",
    "rake",
    "jackpot",
    "drop",
    "end-stack",
    "winnings",
    "net",
    "board",
    "finish",
    "hand-count",
    "other-drop",
    "collected",
    "balance",
]


class ShowdownBegun(Event, frozen=True):
    """The record says that the showdown began."""

    STREAM: ClassVar[str] = "hand"

    run: int = 1


class CardsShown(Event, frozen=True):
    """A seat showed cards to the table."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards  # "??" for one that stayed face down
    after: bool = False  # after the pot was awarded
    claim: TextRef = ""  # what the record calls the hand


class CardsMucked(Event, frozen=True):
    """A seat mucked at the showdown without showing all its cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    cards: Cards = ""  # known to the record all the same
    declined: bool = False  # the record says "does not show", rather than "mucks"


class CardsTurnedDown(Event, frozen=True):
    """A shown hand was turned face down again."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat


class BoardPlayDeclared(Event, frozen=True):
    """A player declared, by word or gesture, to play the board."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    manner: Literal["words", "gesture", "unknown"] = "unknown"


class PotAwarded(Event, frozen=True):
    """Chips went from the pot to a seat."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips  # what the seat received, after the drop
    pot: int | None = None  # 0 = main pot, k = side pot k; None = the record does not say
    run: int = 1
    board: int = 1
    half: Half = ""


class PotTakenBack(Event, frozen=True):
    """An award was reversed at the table."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips


class PotImpounded(Event, frozen=True):
    """The house holds a pot until a ruling."""

    STREAM: ClassVar[str] = "hand"

    amount: Chips | None = None
    pot: int | None = None


class DropTaken(Event, frozen=True):
    """The house took its part of the pot."""

    STREAM: ClassVar[str] = "hand"

    kind: Literal["rake", "jackpot", "bingo", "fortune", "tax", "cash-out", "other"]
    amount: Chips


class BountyWon(Event, frozen=True):
    """A player won a bounty, which isn't part of this pot."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    over: Seat | None = None  # who was knocked out
    kind: Literal["knockout", "seven-deuce", "progressive", "other"] = "knockout"


class PlayerFinished(Event, frozen=True):
    """A player is out of the tournament."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    rank: int | None = None
    prize: Chips | None = None


class ResultDeclared(Event, frozen=True):
    """A result that the source states. It's compared with the replay, never replayed."""

    STREAM: ClassVar[str] = "hand"

    what: ResultKind
    seat: Seat | None = None
    amount: Chips | None = None
    cards: Cards = ""
    number: int = 0  # which side pot, run or rank


class HandVoided(Event, frozen=True):
    """The hand was canceled and all chips went back."""

    STREAM: ClassVar[str] = "hand"

    reason: Literal["cancelled", "aborted", "misdeal", "ruling", "unknown"] = "unknown"


class HandCompleted(Event, frozen=True):
    """The record says that the hand is over. A hand without it may have been cut off."""

    STREAM: ClassVar[str] = "hand"


class RemarkNoted(Event, frozen=True):
    """A comment by the record's writer, in its place."""

    STREAM: ClassVar[str] = "hand"

    text: TextRef


class LineUnread(Event, frozen=True):
    """Something unknown in the source. The hand is incomplete."""

    STREAM: ClassVar[str] = "hand"

    text: TextRef


class CorrectionMade(Event, frozen=True):
    """Earlier events of this stream are void, and the next `count` events replace them.

    The corrected stream is the recorded one less `voids`, with the `count` events that follow this
    one placed after version `after`. `voids` may be empty: then the record had left something out.
    """

    STREAM: ClassVar[str] = "hand"

    voids: tuple[int, ...]
    after: int
    count: int = 0
    by: Role = "unknown"
    person: PlayerId = ""
    why: TextRef = ""


class HandSealed(Event, frozen=True):
    """The hand's events so far are sealed under one root."""

    STREAM: ClassVar[str] = "hand"

    events: int
    root: str  # SHA-256, hex
    first: int  # position of the hand's first event in the log
    last: int
    number: int = 1  # the first seal of this hand, the second after a correction, ...
