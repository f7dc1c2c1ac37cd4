"""The acts of a hand with what each seat faced, and where the betting ended."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand.seat_maps import FEW_SEATS
from ledger.hand.turn_order import SeatBits, seats_of
from ledger.vocabulary import Chips, Seat, Street

ActKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]


VoluntaryAct: TypeAlias = b.Folded | b.Checked | b.Called | b.Bet | b.Raised | b.Completed
ACT_KINDS: Final[Mapping[type[Event], ActKind]] = {
    b.Folded: "fold",
    b.Checked: "check",
    b.Called: "call",
    b.Bet: "bet",
    b.Raised: "raise",
    b.Completed: "raise",
}


class BetLevels:
    """The bet levels of a street so far, including blinds and straddles: the highest, and those before it."""

    __slots__ = ("highest", "largest_step", "previous")

    def __init__(self, highest: Chips, largest_step: Chips, previous: BetLevels | None = None) -> None:
        self.highest = highest
        self.largest_step = largest_step  # the largest difference between two neighbouring levels
        self.previous = previous  # None: nobody has bet yet, and the highest is 0

    def raise_to(self, level: Chips) -> BetLevels:
        """Return the levels with another one on top."""
        return BetLevels(level, max(self.largest_step, level - self.highest), self)

    def keep_up_to(self, level: Chips) -> BetLevels:
        """Return the levels up to this one."""
        top_levels = self
        while top_levels.previous is not None and top_levels.highest > level:
            top_levels = top_levels.previous
        return top_levels


NO_BET_LEVELS: Final = BetLevels(0, 0)


class Act(NamedTuple):
    """A voluntary act and what its seat faced.

    Amounts are in the game's chips. A bet is a seat's live total on this street, as in `BettingRound.bets`. A set of seats
    is an int with one bit per seat (`SeatBits`).
    """

    version: int
    event: Event
    kind: ActKind
    seat: Seat
    street: Street
    amount_added: Chips  # what the act put into the pot
    bet_after: Chips  # the seat's bet after the act
    bet_before: Chips  # the seat's bet before the act
    bet_to_call: Chips  # the highest bet before the act
    pot_before: Chips  # all chips in the pot before the act
    seat_to_act: Seat | None  # whose turn it was; None = nobody's
    to_act_bits: SeatBits  # who had yet to act
    live_bits: SeatBits  # who held a hand
    able_bits: SeatBits  # who held a hand and chips
    raises_before: int  # earlier raises on this street, without opening bets and blinds
    bet_levels: BetLevels  # of this street, before the act
    is_all_in: bool
    is_first_on_street: bool  # the seat had not acted on this street
    far_seats: list[Seat]  # the seats above 63, in the order of their bits
    own_bit: SeatBits  # of the seat that acts

    @property
    def has_turn(self) -> bool:
        """Whether the seat had yet to act."""
        return bool(self.to_act_bits & self.own_bit)

    @property
    def has_hand(self) -> bool:
        """Whether the seat held a hand."""
        return bool(self.live_bits & self.own_bit)

    @property
    def has_chips(self) -> bool:
        """Whether the seat held a hand and a chip to bet."""
        return bool(self.able_bits & self.own_bit)

    @property
    def live_count(self) -> int:
        """How many seats held a hand."""
        return self.live_bits.bit_count()

    @property
    def able_count(self) -> int:
        """How many seats held a hand and chips."""
        return self.able_bits.bit_count()

    @property
    def is_crowded(self) -> bool:
        """Whether the act has only counts of seats, not the seats."""
        return False

    @property
    def seats_to_act(self) -> frozenset[Seat]:
        """Who had yet to act."""
        return frozenset(seats_of(self.to_act_bits, self.far_seats))

    @property
    def live_seats(self) -> frozenset[Seat]:
        """Who held a hand."""
        return frozenset(seats_of(self.live_bits, self.far_seats))

    @property
    def able_seats(self) -> frozenset[Seat]:
        """Who held a hand and chips."""
        return frozenset(seats_of(self.able_bits, self.far_seats))

    @property
    def ordered_seats_to_act(self) -> list[Seat]:
        """Who had yet to act, from the due seat on."""
        due_seat = self.seat_to_act or 0
        return sorted(seats_of(self.to_act_bits, self.far_seats), key=lambda seat: (seat < due_seat, seat))

    @property
    def call_amount(self) -> Chips:
        """The chips that the seat had to add to call, if its stack were deep enough."""
        return max(0, self.bet_to_call - self.bet_before)

    @property
    def raise_size(self) -> Chips:
        """The amount by which the act exceeded the highest bet; 0 for no bet or raise."""
        return max(0, self.bet_after - self.bet_to_call) if self.kind in ("bet", "raise") else 0


class CrowdedAct(Act):
    """An act of a hand with too many players to judge.

    Three sets of 100,000 seats for each of 100,000 acts would fill the memory. Here each set is the doubled number of
    other seats, plus 1 if it has the acting seat. The set of seats yet to act only shows whether there were others.
    """

    __slots__ = ()

    @classmethod
    def from_act(cls, act: Act) -> CrowdedAct:
        """Return an act with counts instead of sets of seats."""
        live, able = 2 * _count_seats(act.live_bits) - act.has_hand, 2 * _count_seats(act.able_bits) - act.has_chips
        to_act = 2 * bool(act.to_act_bits & ~act.own_bit) + act.has_turn
        return cls(*act._replace(to_act_bits=to_act, live_bits=live, able_bits=able, own_bit=1))

    @property
    def live_count(self) -> int:
        """How many seats held a hand."""
        return (self.live_bits >> 1) + (self.live_bits & 1)

    @property
    def able_count(self) -> int:
        """How many seats held a hand and chips."""
        return (self.able_bits >> 1) + (self.able_bits & 1)

    @property
    def is_crowded(self) -> bool:
        """Whether the act keeps how many seats there were, and not which."""
        return True


@lru_cache(maxsize=4)
def _count_seats(bits: SeatBits) -> int:
    """Count the seats in a set, which is mostly the set of the previous act."""
    return bits.bit_count()


def shrink_act(act: Act, dealt_in: int) -> Act:
    """Shrink an act of a hand with seats above 63, whose sets of seats are large numbers."""
    if dealt_in > FEW_SEATS:
        return CrowdedAct.from_act(act)
    return act if act.own_bit & act.live_bits else act._replace(own_bit=0)


class BettingEnd(NamedTuple):
    """Where the betting ended and the showdown or an award began."""

    version: int
    street: Street
    seats_to_act: tuple[Seat, ...]  # seats that still had to act then
    is_matched: bool  # all of these lacked only their option
    live_seats: frozenset[Seat]
