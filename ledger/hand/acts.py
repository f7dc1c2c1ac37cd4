"""The acts of a hand in their context, and where its betting ended."""

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


class Wagers:
    """The levels of a street so far, blinds and straddles too: the last, and those before it."""

    __slots__ = ("before", "largest_step", "level")

    def __init__(self, level: Chips, largest_step: Chips, before: Wagers | None = None) -> None:
        self.level = level
        self.largest_step = largest_step  # by how much one of them went above the one before
        self.before = before  # None: there is none yet, and this is none

    def raised_to(self, level: Chips) -> Wagers:
        """Return the levels with one more."""
        return Wagers(level, max(self.largest_step, level - self.level), self)

    def up_to(self, level: Chips) -> Wagers:
        """Return the levels that are not above one."""
        last = self
        while last.before is not None and last.level > level:
            last = last.before
        return last


NO_WAGERS: Final = Wagers(0, 0)


class Act(NamedTuple):
    """A voluntary act and what its seat faced."""

    version: int
    event: Event
    kind: ActKind
    seat: Seat
    street: Street
    added: Chips
    to: Chips  # the seat's live total on this street after the act
    before: Chips  # the same before it
    level: Chips  # the highest live bet that it faced
    pot: Chips  # all chips in the pot before it
    due: Seat | None  # whose turn it was; None = nobody's
    to_act: SeatBits  # who had yet to act
    live_bits: SeatBits  # who held a hand
    able_bits: SeatBits  # who held a hand and chips
    raises: int  # raises made before on this street, not counting the opening bet or the blind
    wagers: Wagers  # the levels of this street so far
    all_in: bool
    first: bool  # the seat's first act on this street
    far_seats: list[Seat]
    own_bit: SeatBits  # of the seat that acts

    @property
    def has_turn(self) -> bool:
        """Whether the seat had yet to act."""
        return bool(self.to_act & self.own_bit)

    @property
    def has_hand(self) -> bool:
        """Whether the seat held a hand."""
        return bool(self.live_bits & self.own_bit)

    @property
    def has_chips(self) -> bool:
        """Whether the seat held a hand and a chip to bet."""
        return bool(self.able_bits & self.own_bit)

    @property
    def hands(self) -> int:
        """How many seats held a hand."""
        return self.live_bits.bit_count()

    @property
    def count_able(self) -> int:
        """How many seats held a hand and chips."""
        return self.able_bits.bit_count()

    @property
    def is_crowded(self) -> bool:
        """Whether the act keeps how many seats there were, and not which."""
        return False

    @property
    def waiting(self) -> frozenset[Seat]:
        """Who had yet to act."""
        return frozenset(seats_of(self.to_act, self.far_seats))

    @property
    def live(self) -> frozenset[Seat]:
        """Who held a hand."""
        return frozenset(seats_of(self.live_bits, self.far_seats))

    @property
    def able(self) -> frozenset[Seat]:
        """Who held a hand and chips."""
        return frozenset(seats_of(self.able_bits, self.far_seats))

    @property
    def pending(self) -> list[Seat]:
        """Who had yet to act, from the due seat on."""
        due = self.due or 0
        return sorted(seats_of(self.to_act, self.far_seats), key=lambda seat: (seat < due, seat))

    @property
    def call(self) -> Chips:
        """What the seat had to add to call, were its stack deep enough."""
        return max(0, self.level - self.before)

    @property
    def gain(self) -> Chips:
        """By how much the act went above the highest bet; 0 for no bet or raise."""
        return max(0, self.to - self.level) if self.kind in ("bet", "raise") else 0


class CrowdedAct(Act):
    """An act of a hand with more players than are judged.

    Three sets of 100,000 seats for each of 100,000 acts would fill the memory. Here each is the number of other seats,
    doubled, and 1 more with the seat that acts; of those who had yet to act, whether there were others.
    """

    __slots__ = ()

    @classmethod
    def of(cls, act: Act) -> CrowdedAct:
        """Return an act with the size of each set of seats instead of the set."""
        live, able = 2 * _count(act.live_bits) - act.has_hand, 2 * _count(act.able_bits) - act.has_chips
        to_act = 2 * bool(act.to_act & ~act.own_bit) + act.has_turn
        return cls(*act._replace(to_act=to_act, live_bits=live, able_bits=able, own_bit=1))

    @property
    def hands(self) -> int:
        """How many seats held a hand."""
        return (self.live_bits >> 1) + (self.live_bits & 1)

    @property
    def count_able(self) -> int:
        """How many seats held a hand and chips."""
        return (self.able_bits >> 1) + (self.able_bits & 1)

    @property
    def is_crowded(self) -> bool:
        """Whether the act keeps how many seats there were, and not which."""
        return True


@lru_cache(maxsize=4)
def _count(bits: SeatBits) -> int:
    """Return how many seats are in a set: mostly the set of the act before."""
    return bits.bit_count()


def in_short(act: Act, dealt_in: int) -> Act:
    """Return an act of a hand with seats above 63 without large numbers: the bit of a stranger, sets of very many seats."""
    if dealt_in > FEW_SEATS:
        return CrowdedAct.of(act)
    return act if act.own_bit & act.live_bits else act._replace(own_bit=0)


class BettingEnd(NamedTuple):
    """Where the hand went on to the showdown or the award."""

    version: int
    street: Street
    open: tuple[Seat, ...]  # seats that still had to act then
    matched: bool  # all of these lacked only their option
    live: frozenset[Seat]
