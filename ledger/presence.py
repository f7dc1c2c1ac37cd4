"""Events about people and chips at a table, which belong to a table's stream or to a hand.

If a source reports one in the middle of a hand, it stays in the hand, in the source's order. If a source reports it
between hands, it goes into the table's stream. A seat or an amount that is None is unknown.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from ledger.event import Event
from ledger.vocabulary import Chips, PlayerId, Role, Seat, TextRef

Origin: TypeAlias = Literal[
    "walk-in",
    "broken-game",
    "limit-change",
    "playing-over",
    "game-start",
    "table-balance",
    "must-move",
    "returning",
    "unknown",
]

MarkerKind: TypeAlias = Literal["missed-blind", "missed-small", "missed-big", "away", "reserved", "playing-over"]

ChipsKind: TypeAlias = Literal[
    "buy-in",
    "rebuy",
    "add-on",
    "top-up",
    "admin",
    "color-up",
    "cash-out",
    "penalty",
    "correction",
    "time-charge",
    "prize",
    "unknown",
]


class SeatTaken(Event, frozen=True):
    """A player took a seat."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    player: PlayerId
    origin: Origin = "unknown"
    stack: Chips | None = None


class SeatLeft(Event, frozen=True):
    """A player gave up a seat."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId
    reason: Literal["left", "removed", "busted", "moved", "missed-post", "unknown"] = "unknown"
    stack: Chips | None = None


class SeatMoved(Event, frozen=True):
    """A player changed seats at the same table."""

    STREAM: ClassVar[str] = "table"

    player: PlayerId
    origin: Seat
    to: Seat


class PlayerAway(Event, frozen=True):
    """A player is absent, or sits out."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId = ""
    in_room: bool | None = None  # None = unknown
    why: Literal["sits-out", "away", "stood-up", "forced", "next-hand", "spectator", "unknown"] = "unknown"


class PlayerBack(Event, frozen=True):
    """A player is present again."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId = ""


class DealOutRequested(Event, frozen=True):
    """A player asked not to be dealt in."""

    STREAM: ClassVar[str] = "table"

    seat: Seat


class WaitDeclared(Event, frozen=True):
    """A player chose to wait rather than post."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    wait_for: Literal["big-blind", "button", "position"] = "big-blind"


class EntryDeferred(Event, frozen=True):
    """A player may play only after the button has passed, or when the big blind comes."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId = ""
    until: Literal["button-passed", "big-blind", "unknown"] = "button-passed"


class MarkerGiven(Event, frozen=True):
    """A seat got a missed-blind marker."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    kind: MarkerKind


class MarkerTaken(Event, frozen=True):
    """A seat lost its marker."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    kind: MarkerKind


class PlayerBusted(Event, frozen=True):
    """A player has no chips left."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    player: PlayerId = ""


class ChipsAdded(Event, frozen=True):
    """A player's stack grew, but not from a pot."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    amount: Chips
    kind: ChipsKind = "unknown"
    by: Role = "unknown"
    player: PlayerId = ""


class ChipsRemoved(Event, frozen=True):
    """A player's stack shrank, but not by a bet."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    amount: Chips
    kind: ChipsKind = "unknown"
    by: Role = "unknown"
    player: PlayerId = ""


class StackCounted(Event, frozen=True):
    """A stack was counted, or set, to an amount."""

    STREAM: ClassVar[str] = "table"

    seat: Seat
    amount: Chips
    before: Chips | None = None
    by: Role = "unknown"


class ConnectionLost(Event, frozen=True):
    """A player lost the connection."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId = ""


class ConnectionRestored(Event, frozen=True):
    """A player is connected again."""

    STREAM: ClassVar[str] = "table"

    seat: Seat | None
    player: PlayerId = ""


class WordsSaid(Event, frozen=True):
    """Somebody spoke or chatted; the words aren't binding."""

    STREAM: ClassVar[str] = "table"

    words: TextRef
    seat: Seat | None = None
    player: PlayerId = ""
    by: Role = "player"


class FloorCalled(Event, frozen=True):
    """The floor was asked for a decision."""

    STREAM: ClassVar[str] = "table"

    by: Role = "unknown"
    seat: Seat | None = None


class FloorRuled(Event, frozen=True):
    """The floor decided on the spot. A longer dispute becomes a case."""

    STREAM: ClassVar[str] = "table"

    by: Role
    decision: TextRef = ""
    clause: str = ""  # the clause that the floor cited, "" = none
    seat: Seat | None = None


PresenceEvent: TypeAlias = (
    SeatTaken
    | SeatLeft
    | SeatMoved
    | PlayerAway
    | PlayerBack
    | DealOutRequested
    | WaitDeclared
    | EntryDeferred
    | MarkerGiven
    | MarkerTaken
    | PlayerBusted
    | ChipsAdded
    | ChipsRemoved
    | StackCounted
    | ConnectionLost
    | ConnectionRestored
    | WordsSaid
    | FloorCalled
    | FloorRuled
)
"""The events that both a table's stream and a hand may contain."""
