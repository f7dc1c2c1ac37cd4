"""Who sits at a table, what somebody posts, and a hand as it is planned."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.evenings.rooms import Place

EntryChoice: TypeAlias = Literal["wait", "post", "straddle"]


@dataclass
class Person:
    """Somebody with a chair."""

    name: str
    seat: int
    stack: int
    there: bool = True
    plays: bool = False  # gets cards from hand to hand, owes nothing
    fresh: bool = True  # counts as a new player
    settled: bool = False  # has had the big blind in turn since it came in
    missed: set[str] = field(default_factory=set)
    murky: bool = False  # what it missed can be read in two ways: it waits for the big blind
    between: bool = False  # made up between the blinds: no blind and no button this round
    need: list[str] = field(default_factory=list)  # owed method: still to pay this round
    how: EntryChoice = "wait"
    moved: bool = False
    moved_now: bool = False  # since the last hand
    transferred: bool = False
    rebought: bool = False  # since it last had cards
    played: bool = False  # had cards on the last hand
    passing: set[str] = field(default_factory=set)  # what it lets go past free of charge
    passed_free: bool = False  # has done so, and has had no cards since

    @property
    def able(self) -> bool:
        return self.there and self.stack > 0 and not self.passing

    def copy(self) -> Person:
        copied = copy(self)
        copied.missed, copied.need, copied.passing = (set(self.missed), list(self.need), set(self.passing))
        return copied


@dataclass(frozen=True)
class Posting:
    """One post of a hand. `short` = all its chips."""

    seat: int
    role: str  # of BlindPosted, or "straddle"
    live: int
    dead: int = 0
    short: bool = False


@dataclass
class Plan:
    """A hand before its cards: who plays, where positions lie, what is posted."""

    button: int
    small: int
    big: int  # the furthest blind
    dealt: list[int]
    middle: int = 0  # of three blinds
    stepped_in: int = 0  # the seat that posts the big blind for who is short of half of it
    posts: list[Posting] = field(default_factory=list)
    entering: dict[int, str] = field(default_factory=dict)  # seat: entry, makeup, free, between...
    straddlers: list[int] = field(default_factory=list)
    permits: list[str] = field(default_factory=list)
    first_hand: bool = False
    above_pot: int = 0  # a wrong: somebody raises by so much more than the pot allows
    refused: int = 0  # a wrong: the seat that gets no cards for having too few chips

    @property
    def heads_up(self) -> bool:
        return len(self.dealt) == 2

    def copy(self) -> Plan:
        copied = copy(self)
        copied.dealt, copied.posts, copied.entering = (list(self.dealt), list(self.posts), dict(self.entering))
        copied.straddlers, copied.permits = list(self.straddlers), list(self.permits)
        return copied

    @property
    def furthest(self) -> int:
        """The seat that speaks last before the flop, but for straddles."""
        return self.stepped_in or self.big

    def at(self, place: Place) -> int:
        return {"button": self.button, "small": self.small, "middle": self.middle, "big": self.big}[place]
