"""What lies before a hand's acts: its seats, posts, button, game and options, and who comes after whom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Any, Final, TypeVar, overload

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.acts import ACT_KINDS, Act, BettingEnd
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.opening_posts import opening_posts, standing_posts
from ledger.hand.street_deals import StreetDeal
from ledger.replay import PlayedHand
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import Chips, Seat
from projections.timeline.event_index import LONG, EventIndex, Found

_E = TypeVar("_E", bound=Event)


class Outline:
    """A played hand with what was told before its acts."""

    line: list[tuple[int, Event]]
    # of the trace
    put: dict[Seat, Chips]  # all that a seat put in, before a bet went back without a word
    acts: list[Act]
    undone: set[int]  # versions of acts that were taken back before anybody else acted
    deals: list[StreetDeal]
    others: list[StreetDeal]  # of second boards, and of second runs of the rest
    ended: BettingEnd | None
    late_acts: list[Act]  # that the record has after a pot was paid: no book judges them
    live: frozenset[Seat]  # who held a hand at the end

    def __init__(self, played: PlayedHand, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Take the hand, and what its table was told that counts in it."""
        self.played = played
        self.in_force = in_force

    def begin(self) -> None:
        """Know nothing of the hand yet but what was in force before it."""
        self.options: dict[str, int | str] = dict(self.in_force.options)
        self.start: dict[Seat, Chips | None] = {}
        self.button: Seat | None = None
        self.game: o.GameSet | None = None
        self.posts: list[tuple[int, o.Post]] = []
        self.line = list(self.played.numbered)

    @cached_property
    def index(self) -> EventIndex | None:
        """The events by their versions; None where the hand is read through: it is short, or was corrected."""
        numbered = self.played.numbered
        corrected = self.played.events is not self.played.recorded_events
        return None if corrected or len(numbered) <= LONG else EventIndex(numbered)

    @overload
    def of(self, kind: type[_E], /) -> list[tuple[int, _E]]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[Found]: ...
    def of(self, *kinds: type[Event]) -> list[Found]:
        """Return the events of these types with their versions, in order."""
        if len(kinds) == 1:
            return self.played.of(kinds[0])
        if self.index is not None:
            return self.index.of(kinds)
        event_lists = [pairs for kind in kinds if (pairs := self.played.of(kind))]
        if len(event_lists) < 2:
            return event_lists[0] if event_lists else []
        return [(version, event) for version, event in self.played.numbered if type(event) in kinds]

    @property
    def seats(self) -> list[Seat]:
        """The dealt-in seats, clockwise from the lowest number."""
        return self._ring

    @cached_property
    def _ring(self) -> list[Seat]:
        return sorted(self.start)

    def after(self, seat: Seat, among: list[Seat] | None = None) -> list[Seat]:
        """Return the seats clockwise after `seat`, `seat` itself last if it is among them."""
        ring = self.seats if among is None else sorted(among)
        return [ring_seat for ring_seat in ring if ring_seat > seat] + [
            ring_seat for ring_seat in ring if ring_seat <= seat
        ]

    def steps(self, seat: Seat) -> int:
        """Return how many dealt-in seats lie from the button to `seat`; the button is the last."""
        if self.button is None or seat not in self.start:
            return 0
        ring = self.seats
        return (bisect_left(ring, seat) - bisect_right(ring, self.button)) % len(ring) + 1

    def standing_posts(self) -> list[tuple[int, o.Post]]:
        """Return the posts of the deal that was played: after a misdeal those that were made again.

        What went back before the first act was put right in time, and does not stand.
        """
        return self._standing_posts

    @cached_property
    def _standing_posts(self) -> list[tuple[int, o.Post]]:
        misdeals = [version for version, _ in self.of(MisdealDeclared)]
        returns: list[Found] = self.of(o.PostReturned, b.ChipsReturned)
        if self.of(b.ChipsMoved):
            set_aside = self.played.trace.set_aside
            returns = [(v, replace(event, amount=event.amount - set_aside.get(v, 0))) for v, event in returns]
        dead_money = self.of(o.DeadMoneyTaken)
        in_order = self.index is not None
        first_act = self.first_act or len(self.line) + 1
        return standing_posts(self.posts, misdeals, returns, dead_money, first_act, in_order=in_order)

    @cached_property
    def first_act(self) -> int | None:
        """The version of the first act; None = nobody acted."""
        return next((version for version, event in self.line if type(event) in ACT_KINDS), None)

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, the furthest last.

        The furthest is the last clockwise from the button, whatever it is called; a small blind on the
        button is the nearest. With two players, without a button, and where several seats post the
        same blind, as owed blinds do, the larger blind is the further one.
        """
        return self._opening_posts

    @cached_property
    def _opening_posts(self) -> list[tuple[int, Seat, str]]:
        return opening_posts(self._standing_posts, self.button, self.seats)

    def poster(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles; "straddle" names straddlers."""
        seats = self._posters
        return {seat for role in roles for seat in seats.get(role, ())}

    @cached_property
    def _posters(self) -> dict[str, set[Seat]]:
        seats: dict[str, set[Seat]] = {}
        for _, post in self._standing_posts:
            if isinstance(post, o.BlindPosted | o.StraddlePosted):
                role = post.role if isinstance(post, o.BlindPosted) else "straddle"
                seats.setdefault(role, set()).add(post.seat)
        return seats


def lay_out(course: Outline) -> None:
    """Enter seats, posts, button, game and options; the acts are not looked at."""
    event: Any  # told apart by `kind`, which the type checker does not follow
    for version, event in course.line:
        kind = type(event)
        if kind in POSTS:
            course.posts.append((version, event))
        elif kind is o.SeatDealtIn:
            known_stack = course.start.get(event.seat, event.stack)
            course.start[event.seat] = event.stack if known_stack == event.stack else None
        elif kind is o.OptionSet:
            course.options[event.option] = event.value
        elif kind is o.ButtonPlaced:
            course.button = event.seat
        elif kind is o.GameSet:
            course.game = event


POSTS: Final[frozenset[type[Event]]] = frozenset((o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted))
