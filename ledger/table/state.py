"""The state of a table after its events so far: seats, stacks, positions, gaps, options.

It contains facts only. A rulebook decides what a seat owes.
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
"""`unknown`: the last hand didn't list the seat, and no event explains it."""


PositionRole: TypeAlias = Literal["button", "small", "big"]


class PassedPosition(NamedTuple):
    """A position that passed a seat that wasn't dealt in. A rulebook decides whether that is a debt."""

    role: PositionRole
    hand: str  # number of the hand


class Absence(NamedTuple):
    """A hand in which an occupied seat got no cards."""

    hand: str
    reason: NotDealtIn


class NoPost(NamedTuple):
    """A post that a seat didn't make, by the record."""

    hand: str
    role: str
    reason: NotPosted


@dataclass(slots=True)
class SeatState:
    """One occupied seat. Hands are named by their number; "" = none yet."""

    seat: Seat
    player: PlayerId
    origin: Origin = "unknown"
    stack: Chips | None = None  # None = unknown
    presence: Presence = "present"
    in_room: bool | None = None  # for absent players only
    hand_before_seating: str = ""  # the last hand before the player came to this seat
    seated_at: Millis | None = None
    hand_before_absence: str = ""  # the last hand before the player went away
    first_hand_dealt: str = ""
    last_hand_dealt: str = ""
    hands_dealt: int = 0  # hands dealt in at this seat, on record
    awaited_position: str = ""  # what the player chose to wait for: "big-blind", "button", "position"
    deferred_until: str = ""  # when the player may enter: "button-passed", "big-blind", "unknown"
    has_asked_out: bool = False
    is_busted: bool = False
    is_connected: bool | None = None
    markers: set[str] = field(default_factory=set)
    passed_positions: list[PassedPosition] = field(default_factory=list)  # since the last big, entry or make-up post
    absences: list[Absence] = field(default_factory=list)  # since the last hand dealt in
    missing_posts: list[NoPost] = field(default_factory=list)  # since the same posts
    is_history_known: bool = True  # the player's arrival is recorded, and no hands are missing since
    has_news: bool = False  # events since the last cards concern the player


class Departure(NamedTuple):
    """A player who gave up a seat, with the stack and the last hand."""

    seat: Seat
    stack: Chips | None
    reason: str
    hand: str


class Gap(msgspec.Struct, frozen=True):
    """Hands that are missing between two hands.

    `how`: "numbers" (they skip numbers that each hand should have), "told" (the record says so), "stacks" (a stack
    shrank between hands, or several grew, and no event explains it), "players" (few or none of the players are in both
    hands), "order" (no evidence puts one hand after the other, and the stacks don't show it).
    """

    after: str
    before: str  # "" = no later hand is known
    count: int | None
    how: Literal["numbers", "told", "stacks", "players", "order"]


class Carry(msgspec.Struct, frozen=True, gc=False):
    """A player's stack from the end of a hand to the start of the next.

    `difference` is the stack in the next hand less (carried + moved). None: one of them is unknown.
    """

    seat: Seat
    player: PlayerId
    carried: Chips | None  # after the earlier hand
    moved: Chips  # recorded chips added less chips removed since then
    found: Chips | None
    difference: Chips | None


class Continuity(msgspec.Struct, frozen=True, gc=False):
    """How two neighbouring hands of the record fit together."""

    after: str
    before: str
    consecutive: bool | None  # None: the source doesn't number its hands one by one
    stacks: tuple[Carry, ...]  # players of the second hand who sat in the first
    came: tuple[Seat, ...]  # seats of the second hand whose player did not sit in the first
    left: tuple[PlayerId, ...]  # players of the first hand who are not in the second

    @property
    def unexplained(self) -> tuple[Carry, ...]:
        """The stacks that don't continue."""
        return tuple([carry for carry in self.stacks if carry.difference])

    @property
    def continues(self) -> bool | None:
        """Whether every stack continues. None: no stack can be compared."""
        differences = [carry.difference for carry in self.stacks if carry.difference is not None]
        return not any(differences) if differences else None


class HandFit(NamedTuple):
    """How a hand follows the previous one, and the gap between them, if any."""

    hand: HandPlayed
    fit: Continuity | None
    gap: Gap | None


class KnownPosition(NamedTuple):
    """Where a position was: as recorded ("told"), or by the post of its blind ("posted")."""

    seat: Seat | None
    basis: Literal["told", "posted", "several", ""] = ""


UNKNOWN_POSITION = KnownPosition(None)


class StandingGrant(NamedTuple):
    """A permission or agreement, with the hand after which it was given."""

    event: PermissionGranted | Agreed
    after_hand: str
    time: Millis | None


@dataclass(slots=True)
class TableState:
    """A table after its last event. Amounts are in the table's units."""

    opened: TableOpened | None = None
    time: Millis | None = None  # of the last event that has one
    witnesses: int = 0  # of the last source that stated its witnesses

    seats: dict[Seat, SeatState] = field(default_factory=dict)
    departures: dict[PlayerId, Departure] = field(default_factory=dict)
    moved_chips: dict[PlayerId, Chips] = field(default_factory=dict)  # chips since the last hand
    chairs: int = 0  # 0 = unknown
    seating: str = ""  # how seats were given out

    hands: int = 0
    first_counted_number: int = 0  # first number of the last hand's count
    counted_hands: int = 0  # hands on record of that count
    follows_count: bool = False  # the last hand had the next number, or closed a gap in the numbers
    last_hand: HandPlayed | None = None  # the last hand of the present game
    former_game_hand: HandPlayed | None = None  # the last hand of the game before this one
    hand_before_last: HandPlayed | None = None  # if no hand is missing between it and the last one
    button: KnownPosition = UNKNOWN_POSITION  # of the last hand
    small: KnownPosition = UNKNOWN_POSITION
    big: KnownPosition = UNKNOWN_POSITION
    continuity: Continuity | None = None  # of the last hand
    breaks: list[Continuity] = field(default_factory=list)  # those with an unexplained stack
    gaps: list[Gap] = field(default_factory=list)
    is_order_guess: bool = False  # the place of the coming hand is a guess
    open_gap: Gap | None = None  # hands are known to be missing after the last hand
    first_unbroken_hand: str = ""  # number of the hand since which none is missing

    games: int = 0
    is_game_over: bool = False  # the game is over
    button_draw_winner: Seat | None = None  # winner of the draw for the button, until the first hand
    button_draw_seats: tuple[Seat, ...] = ()  # of all players in that draw
    button_buyer: Seat | None = None  # buyer of the button, until the next hand

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

    has_markers: bool = False  # the record has had a marker, so it records them
    pause_reason: str = ""  # why play is stopped, "" = it isn't
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
    unread_lines: int = 0  # unread lines: the state may be incomplete
    cached_fit: HandFit | None = field(default=None, compare=False, repr=False)
    """How the coming hand fits, cached until the next event."""

    def seat_of(self, player: PlayerId) -> SeatState | None:
        """Return the seat of `player`, or None."""
        for seat_state in self.seats.values():
            if seat_state.player == player:
                return seat_state
        return None

    @property
    def number(self) -> str:
        """Number of the last hand; "" before the first."""
        return self.last_hand.number if self.last_hand else ""
