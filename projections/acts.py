"""What the course of a hand is made of: acts in their context, streets as they came, the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ledger.event import Event
from ledger.hand import dealing as d
from ledger.hand import opening as o
from ledger.vocabulary import Chips, Seat, Street

ActKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]
Post: TypeAlias = o.BlindPosted | o.StraddlePosted | o.AntePosted | o.BringInPosted

NOBODY: Final[frozenset[Seat]] = frozenset()
RANK: Final = {"small": 1, "big": 2, "extra": 3, "straddle": 4}
"""Posts that move the opener, the furthest last."""


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
    wagers: tuple[Chips, ...]  # the levels of this street so far, blinds and straddles too
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


@dataclass(slots=True)
class Deal:
    """Cards of a board street as they came."""

    version: int
    event: d.BoardDealt
    burns: list[tuple[int, d.CardBurned]]  # since the street before, or since the last shuffle
    open: tuple[Seat, ...]  # seats that still had to act when it came
    shuffled: list[tuple[int, d.DeckShuffled]]  # since the street before
    cut: bool
    matched: bool  # all of these had put in what they had to and lacked only their option
    able: int  # seats that could still bet when it came
    again: bool = False  # the street had been dealt and withdrawn before
    withdrawn: tuple[int, d.BoardWithdrawn] | None = None
    acts: list[Act] = field(default_factory=list)  # on this street while these cards lay there

    @property
    def street(self) -> Street:
        """The street that these cards are."""
        return self.event.street

    @property
    def cards(self) -> int:
        """How many cards came, one that stuck to another counted too."""
        text = self.event.cards
        return len(text) // 2 if "{" not in text else text.count("}") + text.count("??")


@dataclass(frozen=True, slots=True)
class End:
    """Where the hand went on to the showdown or the award."""

    version: int
    street: Street
    open: tuple[Seat, ...]  # seats that still had to act then
    matched: bool  # all of these lacked only their option
    live: frozenset[Seat]
