"""What is due on one hand of a table under one book. Plain values, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.vocabulary import Chips, PlayerId, Seat

Basis: TypeAlias = Literal["record", "book", "fallback", "assumed"]
"""`record`: the record says it. `book`: the named clauses ask for it. `fallback`: the usual answer where the
book is silent, to show, never to accuse. `assumed`: we assumed something, so what rests on it is only likely."""

Method: TypeAlias = Literal["dead", "positional", "owed", "record"]
"""Dead button; moving button with blinds by position; moving button with owed blinds; as recorded."""

SeatStatus: TypeAlias = Literal[
    "playing",  # was dealt in last time, owes nothing
    "new",  # has not taken a blind or posted here yet
    "owing",  # missed a blind, or left one unpaid
    "waiting",  # there, owes nothing now, waits for a position
    "away",
    "broke",
    "unknown",
]

Deal: TypeAlias = Literal[
    "yes",  # is to be dealt in, nothing to post beyond the blind of its position
    "if-posts",  # may be dealt in if it posts `post`
    "no",  # may not be dealt in on this hand
    "open",  # the book leaves it open, or the record lacks a fact: its grounds say which
]


class Ground(msgspec.Struct, frozen=True, gc=False, rename={"sentence": "says"}):
    """One reason: a sentence, the clauses of the book it applies, and the fact it rests on.

    Where terms are open, the first reason is a question in lower case, as it follows "Can't tell:".
    """

    sentence: str
    clauses: tuple[str, ...] = ()
    basis: Basis = "book"
    hand: str = ""  # number of the hand whose record it rests on
    version: int | None = None  # of the event in the table's stream


class DuePost(msgspec.Struct, frozen=True, gc=False, rename={"grounds": "why"}):
    """A post that belongs on the hand. Amounts are in units of the table; None = not known."""

    seat: Seat
    role: Literal["small", "big", "extra", "entry", "makeup", "straddle", "kill"]
    live: Chips | None
    dead: Chips | None = 0
    grounds: tuple[Ground, ...] = ()


NO_BUTTON: Final = "the game has no button"
"""Why nothing is due in a game without blinds."""
PASSED_OVER: Final = "who has less than half of the big blind posts nothing"
"""The reading under which the next player posts in the place of a short one, who posts nothing."""


class Placement(
    msgspec.Struct,
    frozen=True,
    rename={
        "equal_methods": "alike",
        "button_grounds": "button_why",
        "small_grounds": "small_why",
        "big_grounds": "big_why",
    },
):
    """One reading of where the positions belong. A seat of None is open, and its grounds say why."""

    method: Method
    button: Seat | None
    small: Seat | None  # None also where there is none: no small blind on this hand
    big: Seat | None
    extra: Seat | None = None
    button_empty: bool = False  # nobody is dealt in there: a dead button
    small_empty: bool = False  # a dead small blind: not posted
    heads_up: bool = False
    reading: str = ""  # what sets it apart where the book allows several
    opener: Seat | None = None  # first to act on the first round
    first: Seat | None = None  # first to act on later rounds, if nobody folds
    last: Seat | None = None
    posts: tuple[DuePost, ...] = ()  # from positions, and in `owed` of those who still owe this round
    button_grounds: tuple[Ground, ...] = ()
    small_grounds: tuple[Ground, ...] = ()
    big_grounds: tuple[Ground, ...] = ()
    judged: bool = True  # False: only fallbacks give this answer; show it, accuse nobody
    doubtful: bool = False  # another reading of the text is closer: a record that fits is likely wrong
    equal_methods: tuple[Method, ...] = ()  # other methods by which the positions are the same
    folded: bool = False  # the method leads to one seat twice: no text says how the others lie
    dealt: tuple[Seat, ...] = ()  # who is dealt in by it, ascending


def blind_posters(place: Placement, role: Literal["small", "big", "extra"]) -> tuple[Seat, ...]:
    """Return who posts a blind: its position or those who owe it. If nobody posts it, its position."""
    posters = tuple(post.seat for post in place.posts if post.role == role)
    position = {"small": place.small, "big": place.big, "extra": place.extra}[role]
    return posters or (() if position is None else (position,))


def methods_of(places: Iterable[Placement]) -> set[Method]:
    """Return the methods that lead to these placements."""
    return {method for place in places for method in (place.method, *place.equal_methods)}


class Missed(msgspec.Struct, frozen=True, gc=False, rename={"ground": "why"}):
    """A blind that went past a seat."""

    role: Literal["small", "big", "extra"]
    hand: str  # number; "" = a marker, or somebody's word, tells it
    ground: Ground


class WayIn(msgspec.Struct, frozen=True, rename={"is_on_this_hand": "now", "hands_to_wait": "hands", "grounds": "why"}):
    """One way for a seat to be dealt in (again)."""

    kind: Literal["post", "big-blind", "button-passes", "straddle", "buy-button", "position", "free", "kill"]
    is_on_this_hand: bool  # the seat can use it on this hand
    hands_to_wait: int | None = None  # how many, if nobody comes or goes; None = unknown
    live: Chips | None = 0
    dead: Chips | None = 0
    grounds: tuple[Ground, ...] = ()


class SeatDue(
    msgspec.Struct,
    frozen=True,
    rename={"status": "standing", "ways_in": "ways", "grounds": "why", "possible_posts": "either"},
):
    """What one occupied seat must, may and may not do on this hand."""

    seat: Seat
    player: PlayerId
    status: SeatStatus
    deal: Deal
    post: tuple[DuePost, ...] = ()  # to be dealt in now, beyond the blind of its position
    missed: tuple[Missed, ...] = ()
    ways_in: tuple[WayIn, ...] = ()
    button: bool | None = None  # whether it may have the button; None = the book says nothing
    grounds: tuple[Ground, ...] = ()
    barred: tuple[str, ...] = ()  # what keeps it from the button: as in `button.eligibility`
    possible_posts: tuple[DuePost, ...] = ()  # what it may have to post, where the record leaves it open

    @property
    def live(self) -> Chips | None:
        """What it posts live if it posts now; None = not known."""
        return _sum_amounts(post.live for post in self.post)

    @property
    def dead(self) -> Chips | None:
        """What it posts dead if it posts now; None = not known."""
        return _sum_amounts(post.dead for post in self.post)

    @property
    def enters_free(self) -> bool:
        """Whether its player is a new one who may come in for nothing."""
        return self.status == "new" and self.deal == "yes" and not self.post


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One way to deal the coming hand: which players come in, and where the positions are then."""

    posting: tuple[Seat, ...]  # post to be dealt in
    playing: tuple[Seat, ...]  # come in without a post, and could wait
    waiting: tuple[Seat, ...]  # could come in, but don't
    dealt: tuple[Seat, ...]
    placements: tuple[Placement, ...]  # the readings by which all of them are let in
    post: tuple[DuePost, ...] = ()  # what is posted besides the blinds


class Doubtful(msgspec.Struct, frozen=True, gc=False, rename={"sentences": "says", "farther_doubt_count": "more"}):
    """Why what is due is only likely: which parts of the record may be missing, the nearest first."""

    seat: Seat | None  # whose debts are doubtful; None: where the positions belong
    sentences: tuple[str, ...]
    farther_doubt_count: int = 0  # more such doubts farther back: a long table may have one for each hand


class Due(msgspec.Struct, frozen=True, rename={"previous_hand": "after"}):
    """All that is due on one hand. The first placement is shown; a record that fits any is right."""

    book: str
    previous_hand: str  # number of the hand that it follows; "" = none
    placements: tuple[Placement, ...]
    seats: tuple[SeatDue, ...]  # ascending, which is clockwise
    dealt: tuple[Seat, ...] = ()  # who is taken to be dealt in
    unknown: str = ""  # why nothing can be said, such as missing hands; "" = it is known
    doubts: tuple[Doubtful, ...] = ()  # what is not certain of it; a finding is then likely too
    choices: tuple[Choice, ...] = ()
    """Every way to deal the hand, if a player's choice changes the positions. The first one is shown.
    Empty: no choice changes them."""

    @property
    def place(self) -> Placement | None:
        """The reading that is shown."""
        return self.placements[0] if self.placements else None

    def seat(self, seat: Seat) -> SeatDue | None:
        """Return what is due from a seat, if somebody sits there."""
        return next((seat_due for seat_due in self.seats if seat_due.seat == seat), None)


def _sum_amounts(amounts: Iterable[Chips | None]) -> Chips | None:
    total = 0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
