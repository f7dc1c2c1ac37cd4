"""What the course of a hand is made of: acts in their context, streets as they came, the end."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand.holdings import count
from ledger.vocabulary import Chips, Seat, Street, split_cards

ActKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]

Acted: TypeAlias = b.Folded | b.Checked | b.Called | b.Bet | b.Raised | b.Completed
ACT_KINDS: Final[dict[type[Acted], ActKind]] = {
    b.Folded: "fold",
    b.Checked: "check",
    b.Called: "call",
    b.Bet: "bet",
    b.Raised: "raise",
    b.Completed: "raise",
}

_FLOP: Final = 3

NOBODY: Final[frozenset[Seat]] = frozenset()
RANK: Final = {"small": 1, "big": 2, "extra": 3, "straddle": 4}
"""Posts that move the opener, the furthest last."""


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
    waiting: AbstractSet[Seat]  # who had yet to act
    live: AbstractSet[Seat]  # who held a hand
    able: AbstractSet[Seat]  # who held a hand and chips
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
    withdrawn: tuple[int, d.BoardWithdrawn] | None = None  # since when no card of it lies there
    taken: list[tuple[int, d.BoardWithdrawn]] = field(default_factory=list)  # each time some went
    filled: int = 0  # cards that came in the place of taken ones
    put_back: int = 0  # burned cards that went back on the deck before these came
    acts: list[Act] = field(default_factory=list)  # on this street while these cards lay there

    @property
    def street(self) -> Street:
        """The street that these cards are."""
        return self.event.street

    @property
    def cards(self) -> int:
        """How many cards lay there at most, one that stuck to another counted too."""
        return count(self.event.cards) - self.filled

    @property
    def oversize(self) -> bool:
        """Whether it is a flop of more than three cards."""
        return self.street == "flop" and self.cards > _FLOP

    @property
    def burned(self) -> int:
        """How many cards were out as burns when these came."""
        return max(0, len(self.burns) - self.put_back)

    @property
    def left(self) -> int:
        """How many of the cards were never taken back."""
        return count(self.event.cards) - sum(count(gone.cards) for _, gone in self.taken)

    @property
    def places(self) -> tuple[int, ...]:
        """The places in the deck of the cards that stayed; of all that came, once none did."""
        if not self.taken or self.withdrawn is not None:
            return self.event.deck
        return tuple(
            place for _, place in self._stay(list(zip(split_cards(self.event.cards), self.event.deck, strict=False)))
        )

    @property
    def lying(self) -> list[str]:
        """The cards that were not taken back."""
        return [name for name, _ in self._stay([(name, 0) for name in split_cards(self.event.cards)])]

    def _stay(self, stay: list[tuple[str, int]]) -> list[tuple[str, int]]:
        for _, gone in self.taken:
            for card in split_cards(gone.cards):
                at = next((i for i, (name, _) in enumerate(stay) if name == card), len(stay) - 1)
                del stay[at : at + 1]
        return stay

    @property
    def on_all(self) -> list[Act]:
        """The acts while every card that came lay there: those that rest on a card too many."""
        return [act for act in self.acts if not self.taken or act.version < self.taken[0][0]]

    def tell_anew(self, event: d.BoardDealt) -> None:
        """Take in a line that tells the street as it now lies, with what came in the place of taken cards."""
        gone = "".join(one.cards for _, one in self.taken)
        fresh = count(event.cards) - self.left
        self.filled += fresh
        kept = self.event.deck if not (gone or event.deck) else ()
        deck = (0,) * count(gone) + event.deck if event.deck else kept
        self.event = msgspec.structs.replace(self.event, cards=gone + event.cards, deck=deck)

    def take(self, version: int, event: d.BoardWithdrawn) -> None:
        """Take back what an event says; the street is withdrawn once nothing of it is left."""
        self.taken.append((version, event))
        if self.left <= 0 or not event.cards:
            cards = "".join(gone.cards for _, gone in self.taken)
            self.withdrawn = version, msgspec.structs.replace(event, cards=cards)


@dataclass(frozen=True, slots=True)
class End:
    """Where the hand went on to the showdown or the award."""

    version: int
    street: Street
    open: tuple[Seat, ...]  # seats that still had to act then
    matched: bool  # all of these lacked only their option
    live: AbstractSet[Seat]
