"""What the course of a hand is made of: acts in their context, streets as they came, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ledger.event import Event
from ledger.hand.opening_posts import RANK
from ledger.hand.street_deals import StreetDeal as Deal
from ledger.vocabulary import Chips, Seat, Street

__all__ = ["NOBODY", "NO_WAGERS", "RANK", "Act", "ActKind", "Deal", "End", "Wagers"]

ActKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]

NOBODY: Final[frozenset[Seat]] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Wagers:
    """The levels of a street so far, blinds and straddles too: the last, and those before it."""

    level: Chips
    largest_step: Chips  # by how much one of them went above the one before
    before: Wagers | None = None  # None: there is none yet, and this is none

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


@dataclass(frozen=True, slots=True)
class Act:
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
    waiting: frozenset[Seat]  # who had yet to act
    live: frozenset[Seat]  # who held a hand
    able: frozenset[Seat]  # who held a hand and chips
    raises: int  # raises made before on this street, not counting the opening bet or the blind
    wagers: Wagers  # the levels of this street so far
    all_in: bool
    first: bool  # the seat's first act on this street

    @property
    def pending(self) -> list[Seat]:
        """Who had yet to act, from the due seat on."""
        due = self.due or 0
        return sorted(self.waiting, key=lambda seat: (seat < due, seat))

    @property
    def call(self) -> Chips:
        """What the seat had to add to call, were its stack deep enough."""
        return max(0, self.level - self.before)

    @property
    def gain(self) -> Chips:
        """By how much the act went above the highest bet; 0 for no bet or raise."""
        return max(0, self.to - self.level) if self.kind in ("bet", "raise") else 0


@dataclass(frozen=True, slots=True)
class End:
    """Where the hand went on to the showdown or the award."""

    version: int
    street: Street
    open: tuple[Seat, ...]  # seats that still had to act then
    matched: bool  # all of these lacked only their option
    live: frozenset[Seat]
