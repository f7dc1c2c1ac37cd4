"""What is due on one hand of a table under one book, as plain values, each with the reasons for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from ledger.text.language import is_whole_sentence
from ledger.vocabulary import Chips, PlayerId, Seat

Basis: TypeAlias = Literal["record", "book", "fallback", "assumed"]
"""`record`: the record shows it. `book`: the cited clauses ask for it. `fallback`: the usual answer if the book is
silent, which is shown but never judged. `assumed`: we assumed a fact, so what follows from it is only likely."""

Method: TypeAlias = Literal["dead", "positional", "owed", "record"]
"""Dead button; moving button with blinds by position; moving button with owed blinds; as recorded."""

SeatStatus: TypeAlias = Literal[
    "playing",  # in the game, owes nothing
    "new",  # hasn't had the big blind or posted here yet
    "owing",  # missed a blind, or posted one short
    "waiting",  # at the table, owes nothing, waits for a position
    "away",
    "broke",
    "unknown",
]

Deal: TypeAlias = Literal[
    "yes",  # is dealt in, and posts nothing but the blind of its position
    "if-posts",  # is dealt in if it posts `SeatDue.post`
    "no",  # may not be dealt in on this hand
    "open",  # the book leaves it open, or the record lacks a fact: its grounds say which
]


class Ground(msgspec.Struct, frozen=True, gc=False, rename={"sentence": "says"}):
    """One reason: a sentence, the clauses that it cites, and the fact that it rests on.

    If terms are open, the first reason is a question without a full stop, to be shown after "Can't tell:".
    """

    sentence: str
    clauses: tuple[str, ...] = ()
    basis: Basis = "book"
    hand: str = ""  # number of the hand whose record shows it
    version: int | None = None  # of the event in the table's stream

    @property
    def is_question(self) -> bool:
        """Whether the sentence is an open question."""
        return not is_whole_sentence(self.sentence)


class DuePost(msgspec.Struct, frozen=True, gc=False, rename={"grounds": "why"}):
    """A post that is due on the hand. Amounts are in the table's smallest unit; None = unknown."""

    seat: Seat
    role: Literal["small", "big", "extra", "entry", "makeup", "straddle", "kill"]
    live: Chips | None
    dead: Chips | None = 0
    grounds: tuple[Ground, ...] = ()


NO_BUTTON: Final = "the game has no button"
"""Why nothing is due in a game without blinds."""


class Placement(
    msgspec.Struct,
    frozen=True,
    rename={
        "equal_methods": "alike",
        "button_grounds": "button_why",
        "small_grounds": "small_why",
        "big_grounds": "big_why",
        "has_collision": "folded",
    },
):
    """One reading of where button and blinds belong. A seat of None is open, and its grounds say why."""

    method: Method
    button: Seat | None
    small: Seat | None  # also None if the hand has no small blind
    big: Seat | None
    extra: Seat | None = None
    button_empty: bool = False  # a dead button: nobody is dealt in at that seat
    small_empty: bool = False  # a dead small blind, which nobody posts
    heads_up: bool = False
    reading: str = ""  # what distinguishes it from the others, if the book allows several
    opener: Seat | None = None  # first to act on the first round
    first: Seat | None = None  # first to act on later rounds, if nobody folds
    last: Seat | None = None  # last to act on later rounds
    posts: tuple[DuePost, ...] = ()  # due from positions, or by the method "owed" from those who owe
    button_grounds: tuple[Ground, ...] = ()
    small_grounds: tuple[Ground, ...] = ()
    big_grounds: tuple[Ground, ...] = ()
    judged: bool = True  # False: it rests on fallbacks, so it is shown but not judged
    doubtful: bool = False  # another reading of the book is likelier: a hand that fits only this one is likely wrong
    equal_methods: tuple[Method, ...] = ()  # other methods by which the positions are the same
    has_collision: bool = False  # two positions would be on one seat or out of order, so only the last blind is placed
    dealt: tuple[Seat, ...] = ()  # the seats that are dealt in, ascending


def list_blind_posters(placement: Placement, role: Literal["small", "big", "extra"]) -> tuple[Seat, ...]:
    """Return the seats that a blind is due from; if from nobody, the seat of its position."""
    posters = tuple(post.seat for post in placement.posts if post.role == role)
    position = {"small": placement.small, "big": placement.big, "extra": placement.extra}[role]
    return posters or (() if position is None else (position,))


def collect_methods(placements: Iterable[Placement]) -> set[Method]:
    """Return the methods by which these placements follow."""
    return {method for placement in placements for method in (placement.method, *placement.equal_methods)}


class Missed(msgspec.Struct, frozen=True, gc=False, rename={"ground": "why"}):
    """A blind that went past a seat, and that the player hasn't made up."""

    role: Literal["small", "big", "extra"]
    hand: str  # number of the hand; "" = only a marker or somebody's statement shows it
    ground: Ground


class WayIn(msgspec.Struct, frozen=True, rename={"is_on_this_hand": "now", "hands_to_wait": "hands", "grounds": "why"}):
    """One way for a player to be dealt in, or dealt in again."""

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
    """The dues of one occupied seat: whether it is dealt in, what it must post, and what it owes."""

    seat: Seat
    player: PlayerId
    status: SeatStatus
    deal: Deal
    post: tuple[DuePost, ...] = ()  # to be dealt in now, beyond the blind of its position
    missed: tuple[Missed, ...] = ()
    ways_in: tuple[WayIn, ...] = ()
    button: bool | None = None  # whether it may have the button; None = the book doesn't say
    grounds: tuple[Ground, ...] = ()
    barred: tuple[str, ...] = ()  # what bars it from the button, as in the point `button.eligibility`
    possible_posts: tuple[DuePost, ...] = ()  # the posts that may be due, if the record leaves open which one is

    @property
    def live(self) -> Chips | None:
        """Live chips that the seat posts if it posts now, or None if that's unknown."""
        return _sum_amounts(post.live for post in self.post)

    @property
    def dead(self) -> Chips | None:
        """Dead chips that the seat posts if it posts now, or None if that's unknown."""
        return _sum_amounts(post.dead for post in self.post)

    @property
    def enters_free(self) -> bool:
        """Whether the seat's player is new and may come in without a post."""
        return self.status == "new" and self.deal == "yes" and not self.post


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One way to deal the coming hand: which players come in, and where button and blinds are then."""

    posting: tuple[Seat, ...]  # post to be dealt in
    playing: tuple[Seat, ...]  # come in without a post, and could wait
    waiting: tuple[Seat, ...]  # could come in, but wait
    dealt: tuple[Seat, ...]
    placements: tuple[Placement, ...]  # the readings that let all of them in
    post: tuple[DuePost, ...] = ()  # what is posted besides the blinds


class Doubtful(msgspec.Struct, frozen=True, gc=False, rename={"sentences": "says", "farther_doubt_count": "more"}):
    """Why dues are only likely: the parts of the record that may be missing."""

    seat: Seat | None  # whose dues are doubtful; None = the positions
    sentences: tuple[str, ...]  # the nearest part first
    farther_doubt_count: int = 0  # more such doubts farther back: a long table may have one for each hand


class Due(msgspec.Struct, frozen=True, rename={"previous_hand": "after"}):
    """Everything that is due on one hand. The first placement is shown; a hand that fits any of them is right."""

    book: str
    previous_hand: str  # number of the hand that it follows; "" = none
    placements: tuple[Placement, ...]
    seats: tuple[SeatDue, ...]  # ascending, which is clockwise
    dealt: tuple[Seat, ...] = ()  # who is, or is assumed to be, dealt in
    unknown: str = ""  # why the positions are unknown, such as missing hands; "" = they are known
    doubts: tuple[Doubtful, ...] = ()  # if there are any, findings about the same are only likely
    choices: tuple[Choice, ...] = ()
    """Every way to deal the hand, if a player's choice changes the positions; the first one is shown. () = none does."""

    @property
    def place(self) -> Placement | None:
        """The placement that is shown, or None if there is none."""
        return self.placements[0] if self.placements else None

    def seat(self, seat: Seat) -> SeatDue | None:
        """Return the dues of a seat, or None if nobody sits there."""
        return next((seat_due for seat_due in self.seats if seat_due.seat == seat), None)


def _sum_amounts(amounts: Iterable[Chips | None]) -> Chips | None:
    """Return the sum, or None if one of the amounts is unknown."""
    total = 0
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
