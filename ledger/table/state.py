"""What is known of a table after the events told so far: seats, stacks, positions, gaps, options.

Facts only. What a seat owes follows from them under a rulebook; nothing here judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ledger.hand.opening import Agreed, Betting, GameFormat, HouseOption, NotDealtIn, NotPosted, PermissionGranted
from ledger.presence import Origin
from ledger.table.events import HandPlayed, RemovalQueued, SeatRequested, TableOpened
from ledger.vocabulary import Chips, Millis, PlayerId, Seat, TextRef

Presence: TypeAlias = Literal["present", "away", "unknown"]
"""`unknown`: the last hand did not list the seat, and nothing tells why."""


PositionRole: TypeAlias = Literal["button", "small", "big"]


class PassedPosition(NamedTuple):
    """A position went past a seat that was not dealt in. Whether that is a debt, a book says."""

    role: PositionRole
    hand: str  # number of the hand


class Absence(NamedTuple):
    """A hand in which an occupied seat got no cards."""

    hand: str
    reason: NotDealtIn


class NoPost(NamedTuple):
    """A post that the record says was not made from a seat."""

    hand: str
    role: str
    reason: NotPosted


@dataclass(slots=True)
class SeatState:
    """One occupied seat. Hands are named by their number; "" = none yet."""

    seat: Seat
    player: PlayerId
    origin: Origin = "unknown"
    stack: Chips | None = None  # None = not told
    presence: Presence = "present"
    in_room: bool | None = None  # told of an absent player only
    hand_before_seating: str = ""  # the last hand before the player came to this seat
    seated_at: Millis | None = None
    hand_before_absence: str = ""  # the last hand before the player went away
    first_hand_dealt: str = ""
    last_hand_dealt: str = ""
    hands_dealt: int = 0  # hands dealt in at this seat, as far as the record goes
    awaited_position: str = ""  # what the player chose to wait for: "big-blind", "button", "position"
    deferred_until: str = ""  # until when the player is kept out: "button-passed", "big-blind", "unknown"
    has_asked_out: bool = False
    is_busted: bool = False
    is_connected: bool | None = None
    markers: set[str] = field(default_factory=set)
    passed_positions: list[PassedPosition] = field(default_factory=list)  # since the last big, entry or make-up post
    absences: list[Absence] = field(default_factory=list)  # since the last hand dealt in
    missing_posts: list[NoPost] = field(default_factory=list)  # as `passed`
    is_history_known: bool = True  # the record saw the player come, and no hands are missing since
    has_news: bool = False  # something was told of the player here between hands, since the last cards


class Departure(NamedTuple):
    """A player who gave up a seat: with what, after which hand."""

    seat: Seat
    stack: Chips | None
    reason: str
    hand: str


class Gap(msgspec.Struct, frozen=True):
    """Hands are missing between two hands.

    `how`: "numbers" (not consecutive where each hand has the next number), "told" (the record says
    so), "stacks" (a stack shrank between hands, or several grew, and no event explains it), "players"
    (nobody of the one hand, or only a few, sit in the other), "order" (nothing tells that the one
    hand was played after the other, and no stacks show it).
    """

    after: str
    before: str  # "" = no later hand is known
    count: int | None
    how: Literal["numbers", "told", "stacks", "players", "order"]


class Carry(msgspec.Struct, frozen=True, gc=False):
    """One player's stack from the end of a hand to the beginning of the next.

    `difference` = found - (carried + moved); None where one of them is not told.
    """

    seat: Seat
    player: PlayerId
    carried: Chips | None  # after the hand before
    moved: Chips  # chips added less chips removed since then, as told
    found: Chips | None
    difference: Chips | None


class Continuity(msgspec.Struct, frozen=True, gc=False):
    """How two neighbouring hands of the record fit together."""

    after: str
    before: str
    consecutive: bool | None  # None: the source does not number its hands one by one
    stacks: tuple[Carry, ...]  # players of the second hand who sat in the first
    came: tuple[Seat, ...]  # seats of the second hand whose player did not sit in the first
    left: tuple[PlayerId, ...]  # players of the first hand who are not in the second

    @property
    def unexplained(self) -> tuple[Carry, ...]:
        """The stacks that do not continue."""
        return tuple([carry for carry in self.stacks if carry.difference])

    @property
    def continues(self) -> bool | None:
        """Whether every stack continues; None if no stack can be compared."""
        differences = [carry.difference for carry in self.stacks if carry.difference is not None]
        return not any(differences) if differences else None


class HandFit(NamedTuple):
    """How a hand follows on the one before it, and the gap between them, if there is one."""

    hand: HandPlayed
    fit: Continuity | None
    gap: Gap | None


class KnownPosition(NamedTuple):
    """Where a position was: by the record's own word ("told"), or since its blind came from there."""

    seat: Seat | None
    basis: Literal["told", "posted", "several", ""] = ""


UNKNOWN_POSITION = KnownPosition(None)


class StandingGrant(NamedTuple):
    """A permission or agreement and the hand after which it was given."""

    event: PermissionGranted | Agreed
    after_hand: str
    time: Millis | None


@dataclass(slots=True)
class TableState:
    """A table as it stands after its last event. Amounts are in units of the table."""

    opened: TableOpened | None = None
    time: Millis | None = None  # the table's clock: time of the last event that has one
    witnesses: int = 0  # of the last source that told something with witnesses

    seats: dict[Seat, SeatState] = field(default_factory=dict)
    departures: dict[PlayerId, Departure] = field(default_factory=dict)
    moved_chips: dict[PlayerId, Chips] = field(default_factory=dict)  # chips since the last hand
    chairs: int = 0  # 0 = not told
    seating: str = ""  # how seats were given out

    hands: int = 0
    first_counted_number: int = 0  # the number with which the count of hands began that the last hand belongs to
    counted_hands: int = 0  # hands on record of that count
    follows_count: bool = False  # the last hand had the next number, or closed a gap in the numbers
    last_hand: HandPlayed | None = None  # the last hand of the game that is on
    former_game_hand: HandPlayed | None = None  # the last hand of the game before this one
    hand_before_last: HandPlayed | None = None  # the one before it, if no hand is missing between them
    button: KnownPosition = UNKNOWN_POSITION  # of the last hand
    small: KnownPosition = UNKNOWN_POSITION
    big: KnownPosition = UNKNOWN_POSITION
    continuity: Continuity | None = None  # from the hand before to the last
    breaks: list[Continuity] = field(default_factory=list)  # all that leave a stack unexplained
    gaps: list[Gap] = field(default_factory=list)
    is_order_guess: bool = False  # that the coming hand is the next one is a guess
    open_gap: Gap | None = None  # hands are known to be missing after the last hand
    first_unbroken_hand: str = ""  # number of the first hand since which none is missing

    games: int = 0
    is_game_over: bool = False  # the game is over
    button_draw_winner: Seat | None = None  # who won the draw for the button, until the first hand
    button_draw_seats: tuple[Seat, ...] = ()  # who took part in that draw
    button_buyer: Seat | None = None  # who bought the button, until the next hand

    variant: str = ""
    betting: Betting | None = None
    format: GameFormat = "unknown"
    unit: str = ""
    exponent: int = 0
    blinds: tuple[Chips, ...] = ()
    ante: Chips = 0
    bets: tuple[Chips, ...] = ()
    bring_in: Chips = 0
    level: str = ""
    options: dict[HouseOption, int | str] = field(default_factory=dict)
    permissions: list[StandingGrant] = field(default_factory=list)
    agreements: list[StandingGrant] = field(default_factory=list)

    has_markers: bool = False  # a marker was told of here: the record does tell of them
    pause_reason: str = ""  # why play has stopped, "" = it has not
    host: PlayerId = ""
    dealer: PlayerId = ""
    deck: str = ""
    requests: dict[PlayerId, SeatRequested] = field(default_factory=dict)
    removals: dict[PlayerId, RemovalQueued] = field(default_factory=dict)
    notices: list[TextRef] = field(default_factory=list)
    identities: dict[PlayerId, PlayerId] = field(default_factory=dict)  # old → new
    eliminated: dict[PlayerId, int | None] = field(default_factory=dict)  # → rank
    bounties: dict[PlayerId, Chips] = field(default_factory=dict)
    time_charges: dict[PlayerId, Chips] = field(default_factory=dict)  # time paid to the house

    corrections: int = 0
    unread_lines: int = 0  # lines that nobody could read: what is known here may be incomplete
    cached_fit: HandFit | None = field(default=None, compare=False, repr=False)
    """How the hand to come fits, once asked; every event of the table makes it open again."""

    def seat_of(self, player: PlayerId) -> SeatState | None:
        """Return the seat at which `player` sits, if any."""
        for seat_state in self.seats.values():
            if seat_state.player == player:
                return seat_state
        return None

    @property
    def number(self) -> str:
        """Number of the last hand; "" before the first."""
        return self.last_hand.number if self.last_hand else ""
