"""The events of a table's stream. They contain all that obligations need, so nobody has to read the hands."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import msgspec

from ledger.event import Event
from ledger.hand.ending import CorrectionMade, LineUnread, PlayerFinished, RemarkNoted
from ledger.hand.opening import (
    Agreed,
    Betting,
    BlindRole,
    GameFormat,
    GameSet,
    HouseOption,
    NotDealtIn,
    NotPosted,
    OptionSet,
    PermissionGranted,
)
from ledger.presence import PresenceEvent
from ledger.table.money_events import MoneyEvent
from ledger.vocabulary import Chips, Millis, PlayerId, Role, Seat, TextRef

PostRole: TypeAlias = Literal[
    "straddle",
    "sleeper",
    "button-straddle",
    "mississippi",
    "restraddle",
    "ante",
    "bomb-pot",
    "penalty",
    "bring-in",
    "dead-money",
]
"""What may be posted besides blinds."""

ChoiceRule: TypeAlias = Literal["", "same-source", "finished", "kept"]
"""The rule by which an account stands: its source corrected the hand, the earlier account was unfinished, or it stays
although another is more complete. "" means that a person decided.
"""

OwedBlind: TypeAlias = Literal["small", "big", "extra"]

Voided: TypeAlias = Literal["", "cancelled", "aborted", "misdeal", "ruling", "unknown"]
"""Why a hand was voided; "" = it wasn't."""


class Post(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A post of a played hand, less returned parts. `role` includes straddles, antes and dead money."""

    seat: Seat
    role: BlindRole | PostRole
    live: Chips
    dead: Chips = 0
    all_in: bool | None = None


class Skipped(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A post that was due, or could be expected, and wasn't made."""

    role: BlindRole
    seat: Seat | None
    reason: NotPosted


class DealtIn(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A seat that was dealt in, with its stack before the hand and after it (None = unknown)."""

    seat: Seat
    player: PlayerId
    before: Chips | None
    after: Chips | None


class LeftOut(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A seat that was occupied and not dealt in."""

    seat: Seat
    player: PlayerId
    stack: Chips | None
    reason: NotDealtIn


Within: TypeAlias = PresenceEvent | PermissionGranted | Agreed | PlayerFinished
"""The events of a hand that also concern the table. `HandPlayed` carries them, so nobody has to read the hand."""


GameSetting: TypeAlias = GameSet | OptionSet
"""The game, and an option of the house."""


class TableOpened(Event, frozen=True):
    """A table exists; its identity and what its record witnesses."""

    STREAM: ClassVar[str] = "table"

    venue: str
    table: str
    tournament: str = ""
    club: str = ""
    seats: int = 0
    witnesses: int = 0
    opening: tuple[GameSetting, ...] = ()  # opening events of each hand, if chosen before the first one


class GameStarted(Event, frozen=True):
    """A new game began at the table; obligations start afresh."""

    STREAM: ClassVar[str] = "table"


class GameBroken(Event, frozen=True):
    """The game at the table ended."""

    STREAM: ClassVar[str] = "table"


class HandPlayed(Event, frozen=True):
    """A hand as the table's obligations need it.

    `button`, `small` and `big` are positions and may be empty seats; None = unknown. They are as recorded, never
    inferred from the posts.
    """

    STREAM: ClassVar[str] = "table"

    number: str
    hand: str  # id of the hand's stream, hex
    started: Millis | None
    betting: Betting
    format: GameFormat
    blinds: tuple[Chips, ...]
    button: Seat | None
    small: Seat | None
    big: Seat | None
    posts: tuple[Post, ...]
    skipped: tuple[Skipped, ...]
    dealt_in: tuple[DealtIn, ...]
    left_out: tuple[LeftOut, ...]
    completed: bool  # False: voided, misdealt or cut off
    witnesses: int
    bets: tuple[Chips, ...] = ()
    bring_in: Chips = 0
    ante: Chips = 0
    variant: str = ""
    unit: str = ""
    exponent: int = 0
    seats: int = 0  # chairs at the table, 0 = unknown
    level: str = ""  # of a tournament, as written
    options: tuple[tuple[HouseOption, int | str], ...] = ()
    within: tuple[Within, ...] = ()  # events about seats and chips during the hand, in order
    voided: Voided = ""
    clock: Millis | None = None  # without `started`: the source's own clock, as if it were UTC
    late: tuple[Seat, ...] = ()  # dealt-in seats whose players came back as the blinds were posted
    contradicts: bool = False  # its recorded chips don't add up


class OrderTold(Event, frozen=True):
    """A source has this hand directly before another, or before the next fact.

    It is stored if the order of arrival doesn't show it, because a hand was already in the ledger. "" = unknown.
    """

    STREAM: ClassVar[str] = "table"

    after: str  # number of the earlier hand
    before: str  # number of the later hand
    after_hand: str = ""  # id of the account's stream, hex
    before_hand: str = ""


class HandsMissing(Event, frozen=True):
    """Hands are known to be missing here. Obligations are unknown until they are stated again."""

    STREAM: ClassVar[str] = "table"

    after: str  # number of the last hand known
    before: str = ""  # number of the next hand known
    count: int | None = None


class AccountPlaced(Event, frozen=True):
    """A decision which hand an account describes, because another account has the same number.

    `of` is an account of that hand. If it is the account itself, the account is a separate hand.
    """

    STREAM: ClassVar[str] = "table"

    number: str
    hand: str  # id of the account's stream, hex
    of: str
    doubtful: bool = False  # it may be another hand, so it has no effect
    by: Role = "software"
    person: PlayerId = ""
    why: TextRef = ""


class AccountChosen(Event, frozen=True):
    """A decision which account of a hand counts, until a later choice or a correction."""

    STREAM: ClassVar[str] = "table"

    number: str
    hand: str  # id of the account's stream, hex
    instead: str = ""  # the account that it replaces
    by: Role = "software"
    person: PlayerId = ""
    why: TextRef = ""
    rule: ChoiceRule = ""


class SeatsAssigned(Event, frozen=True):
    """How the seats were given out."""

    STREAM: ClassVar[str] = "table"

    method: Literal["drawn", "chosen", "arrival", "unknown"]


class ButtonDrawn(Event, frozen=True):
    """Players drew for the button."""

    STREAM: ClassVar[str] = "table"

    seats: tuple[Seat, ...]
    winner: Seat | None = None


class ButtonBought(Event, frozen=True):
    """A player bought the button."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    amount: Chips | None = None


class SeatRequested(Event, frozen=True):
    """A player asked for a seat."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    seat: Seat | None = None
    stack: Chips | None = None


class SeatRequestAnswered(Event, frozen=True):
    """A request for a seat was granted or refused."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    granted: bool
    by: Role = "unknown"
    stack: Chips | None = None


class RemovalQueued(Event, frozen=True):
    """A player will be removed, or the game will stop, after this hand."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId = ""  # "" = the whole game stops
    by: Role = "unknown"
    withdrawn: bool = False


class StakesChanged(Event, frozen=True):
    """Blinds, antes or bet sizes changed."""

    STREAM: ClassVar[str] = "table"

    blinds: tuple[Chips, ...] = ()
    ante: Chips | None = None
    bets: tuple[Chips, ...] = ()
    level: str = ""


class GameChanged(Event, frozen=True):
    """The game changed, as in a mixed rotation."""

    STREAM: ClassVar[str] = "table"

    variant: str
    betting: Betting


class TablePaused(Event, frozen=True):
    """Play stopped for a while."""

    STREAM: ClassVar[str] = "table"

    why: Literal["break", "host", "dispute", "outage", "unknown"] = "unknown"


class TableResumed(Event, frozen=True):
    """Play went on."""

    STREAM: ClassVar[str] = "table"


class HostChanged(Event, frozen=True):
    """Another player runs a private game."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    previous: PlayerId = ""


class DealerChanged(Event, frozen=True):
    """Another dealer sat down."""

    STREAM: ClassVar[str] = "table"

    dealer: PlayerId
    previous: PlayerId = ""


class DeckChanged(Event, frozen=True):
    """Another deck came into play."""

    STREAM: ClassVar[str] = "table"

    deck: str = ""
    by: Role = "unknown"


class PlayerIdentified(Event, frozen=True):
    """A player got another identity: the same person from here on."""

    STREAM: ClassVar[str] = "table"

    old: PlayerId
    new: PlayerId


class PlayerEstablished(Event, frozen=True):
    """Somebody states that a player played here before the record begins and owes nothing."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    player: PlayerId = ""


class BlindsOwed(Event, frozen=True):
    """Somebody states that a player owes blinds from before the record begins; () = unknown blinds."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    roles: tuple[OwedBlind, ...] = ()
    player: PlayerId = ""


class AbsenceTold(Event, frozen=True):
    """A player is away and hasn't been dealt in since a hand before the record begins."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    since: str  # number of the first hand without cards
    player: PlayerId = ""


class PlayerEliminated(Event, frozen=True):
    """A player is out of the tournament; recorded between hands."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    rank: int | None = None
    seat: Seat | None = None


class BountyPaid(Event, frozen=True):
    """A bounty was paid between hands."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    amount: Chips
    over: PlayerId = ""


class TimeChargeTaken(Event, frozen=True):
    """A seat paid the house for its time."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    amount: Chips


class HouseNoticePosted(Event, frozen=True):
    """A sign or announcement of the room applies at this table."""

    STREAM: ClassVar[str] = "table"

    text: TextRef


TableOnlyEvent: TypeAlias = (
    TableOpened
    | GameStarted
    | GameBroken
    | HandPlayed
    | OrderTold
    | HandsMissing
    | AccountPlaced
    | AccountChosen
    | SeatsAssigned
    | ButtonDrawn
    | ButtonBought
    | SeatRequested
    | SeatRequestAnswered
    | RemovalQueued
    | StakesChanged
    | GameChanged
    | TablePaused
    | TableResumed
    | HostChanged
    | DealerChanged
    | DeckChanged
    | PlayerIdentified
    | PlayerEstablished
    | BlindsOwed
    | AbsenceTold
    | PlayerEliminated
    | BountyPaid
    | TimeChargeTaken
    | HouseNoticePosted
)

TableEvent: TypeAlias = (
    TableOnlyEvent
    | MoneyEvent
    | PresenceEvent
    | GameSet
    | OptionSet
    | PermissionGranted
    | Agreed
    | RemarkNoted
    | LineUnread
    | CorrectionMade
)
"""All events of a table's stream."""
