"""Facts before the first voluntary act of a hand: the game, the seats, positions and posts."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Chips, Millis, PlayerId, Role, Seat

Betting: TypeAlias = Literal["no-limit", "pot-limit", "limit", "spread"]
GameFormat: TypeAlias = Literal["cash", "tournament", "unknown"]

HouseOption: TypeAlias = Literal[
    "straddle-allowed",  # 0 or 1
    "straddle-amount",  # chips
    "smallest-chip",  # chips
    "low-qualifier",  # rank, 8 = eight or better, 0 = none
    "joker-used",  # 0 or 1
    "entry-post-required",  # 0 or 1
    "makeup-option",  # 1 = all blinds, up to the bring-in
    "button-method",  # "dead" or "moving"
    "limit-schedule",  # the streets of each bet of a split limit: `options.LIMIT_SCHEDULES`
    "bring-in",  # chips: minimum opening bet where it exceeds the big blind
    "blind-dead",  # role of a blind that is dead by structure
    "raise-cap",  # number of raises
    "bet-cap",  # chips a player may put in during one hand
    "antes-count-as-blinds",  # 0 or 1
    "dealer-box",  # seat number that sits at the dealer's left, normally 1
    "half-bet-rule",  # 0 or 1
    "minimum-open",  # chips
    "bomb-pot",  # chips of the ante
    "trips-beat-straights",  # 0 or 1: of a deck without 2 to 5
    "other",
]

BlindRole: TypeAlias = Literal[
    "small", "big", "extra", "entry", "makeup-small", "makeup-big", "makeup", "kill", "collection", "button", "unknown"
]
"""`extra` is a third blind of the structure, `entry` a new player's post, `makeup*` a missed one."""

StraddleKind: TypeAlias = Literal["straddle", "sleeper", "button", "mississippi", "restraddle"]

NotDealtIn: TypeAlias = Literal[
    "sitting-out",
    "away",
    "waiting-for-big-blind",
    "waiting-for-button",
    "moved",
    "no-chips",
    "asked-to-be-dealt-out",
    "between-button-and-blinds",
    "reserved",
    "unknown",
]

NotPosted: TypeAlias = Literal[
    "dead-small-blind", "dead-button", "empty-seat", "absent", "no-player-due", "escaped", "unknown"
]

GrantSubject: TypeAlias = Literal[
    "straddle",
    "multiple-straddles",
    "sleeper",
    "seat-change",
    "playing-over",
    "rabbit",
    "run-several-times",
    "deal-out",
    "stakes",
    "exceed-pot-limit",
    "keep-cards",
    "expose-cards",
    "chop-blinds",
    "split-pot",
    "other",
]


class HandOpened(Event, frozen=True):
    """A hand began: its identity, and what its source always records."""

    STREAM: ClassVar[str] = "hand"

    venue: str  # the room, as the source names it
    table: str  # the table's name or number; with a tournament, of that tournament
    number: str  # the room's number of the hand
    witnesses: int  # `Witness` bits: what this source records whenever it happens
    started: Millis | None = None
    written: str = ""  # date, time and zone as the source wrote them
    seats: int = 0  # chairs at the table, 0 = unknown
    tournament: str = ""  # the tournament's number, "" in a cash game
    club: str = ""  # a private club or home game


class GameSet(Event, frozen=True):
    """The game of this hand and its structure. All amounts are in units of the table."""

    STREAM: ClassVar[str] = "hand"

    variant: str  # id in `ledger.hand.variants`: holdem, omaha8, razz, ...
    betting: Betting
    format: GameFormat
    unit: str  # currency code, "chips", "play"
    exponent: int  # a unit is 10^-exponent of the currency: 2 = cents
    blinds: tuple[Chips, ...] = ()  # the structure's, smallest first; () = unknown
    ante: Chips = 0
    bets: tuple[Chips, ...] = ()  # limit: small and big bet; otherwise the minimum bet, if known
    bring_in: Chips = 0  # stud
    written: str = ""  # the game as the source names it, if that says more: "HORSE (Razz Limit"


class OptionSet(Event, frozen=True):
    """An option of the house applies; the record itself states it."""

    STREAM: ClassVar[str] = "hand"

    option: HouseOption
    value: int | str


class TournamentSet(Event, frozen=True):
    """The tournament, its level and its price."""

    STREAM: ClassVar[str] = "hand"

    level: str = ""  # as written: "XII"
    buy_in: Chips | None = None  # in units of `currency`, exponent 2
    fee: Chips | None = None
    bounty: Chips | None = None
    currency: str = ""
    written: str = ""  # buy-in, match and round as the source wrote them


class SeatDealtIn(Event, frozen=True):
    """A seat takes part in the hand."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    player: PlayerId
    stack: Chips | None  # before any post; None = unknown
    bounty: Chips = 0  # on this player's head, exponent 2


class SeatLeftOut(Event, frozen=True):
    """A seat is occupied but gets no cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    player: PlayerId
    stack: Chips | None
    reason: NotDealtIn = "unknown"


class ButtonPlaced(Event, frozen=True):
    """The button is at a seat, which may be empty. None: the record states that there isn't one."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat | None


class BlindPositionPlaced(Event, frozen=True):
    """The position of a blind, whether or not anybody posts there."""

    STREAM: ClassVar[str] = "hand"

    role: Literal["small", "big", "extra"]
    seat: Seat | None  # may be an empty seat; None: the record says there is none


class BlindPosted(Event, frozen=True):
    """A blind, entry or make-up post. Only the live part counts toward calling."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    role: BlindRole
    live: Chips
    dead: Chips = 0
    all_in: bool | None = None  # None: the record does not say


class StraddlePosted(Event, frozen=True):
    """A voluntary blind bet before the cards."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    kind: StraddleKind = "straddle"
    live: bool = True
    all_in: bool | None = None


class AntePosted(Event, frozen=True):
    """Dead money before the deal."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    for_table: bool = False  # one seat pays for all (big blind ante, button ante)
    kind: Literal["ante", "bomb-pot", "penalty"] = "ante"
    all_in: bool | None = None


class BringInPosted(Event, frozen=True):
    """Stud: the forced opening bet."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    all_in: bool | None = None


class BlindSkipped(Event, frozen=True):
    """An expected post wasn't made, and the record shows it."""

    STREAM: ClassVar[str] = "hand"

    role: Literal["small", "big", "extra", "makeup-small", "makeup-big"]
    seat: Seat | None = None
    reason: NotPosted = "unknown"


class PostReturned(Event, frozen=True):
    """A post, ante or straddle went back to its seat before it could be won."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips
    role: Literal["ante", "small", "big", "straddle", "entry", "makeup", "unknown"] = "unknown"
    dead: bool = False  # it had been dead money


class DeadMoneyTaken(Event, frozen=True):
    """Chips went from a seat into the pot without being a bet: a penalty, a late dead blind."""

    STREAM: ClassVar[str] = "hand"

    seat: Seat
    amount: Chips


class PotSeeded(Event, frozen=True):
    """Chips that no seat of this hand put in: the room's money, a carried-over or impounded pot."""

    STREAM: ClassVar[str] = "hand"

    kind: Literal["promotion", "splash", "carried-over", "bounty", "other"]
    amount: Chips


class PermissionGranted(Event, frozen=True):
    """Somebody with a role allowed something. It counts from here on."""

    STREAM: ClassVar[str] = "hand"

    by: Role
    subject: GrantSubject
    seat: Seat | None = None  # to whom; None = all
    scope: Literal["hand", "table", "day", "player"] = "hand"
    person: PlayerId = ""  # who granted it
    amount: Chips | None = None


class Agreed(Event, frozen=True):
    """Players agreed on something among themselves."""

    STREAM: ClassVar[str] = "hand"

    seats: tuple[Seat, ...]
    subject: GrantSubject


Post: TypeAlias = BlindPosted | StraddlePosted | AntePosted | BringInPosted
"""What a seat puts in before it acts."""
