"""What lies before a hand's acts: its seats, posts, button, game and options, and who comes after whom.

`projections.following` reads it and enters what the acts were; `projections.course` is what detectors ask.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar, overload

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.opening_posts import opening_posts, standing_posts
from ledger.replay import PlayedHand
from ledger.vocabulary import Chips, Seat
from projections.acts import Act, Deal, End
from projections.event_index import LONG, EventIndex, Found
from projections.in_force import NOTHING_IN_FORCE, InForce

_E = TypeVar("_E", bound=Event)
_Known: TypeAlias = tuple[Seat | None, int, int]  # the button, and how many seats and posts there were

ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)


class Outline:
    """A played hand with what was told before its acts, and room for what the acts were."""

    line: list[tuple[int, Event]]

    def __init__(self, played: PlayedHand, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Take the hand, and what its table was told that counts in it."""
        self.played = played
        self.in_force = in_force

    def begin(self) -> None:
        """Know nothing of the hand yet but what was in force before it."""
        self.options: dict[str, int | str] = dict(self.in_force.options)
        self.start: dict[Seat, Chips | None] = {}
        self._ring: list[Seat] = []
        self.button: Seat | None = None
        self.game: o.GameSet | None = None
        self.posts: list[tuple[int, o.Post]] = []
        self._stands: tuple[tuple[int, int], list[tuple[int, o.Post]]] | None = None
        self._regular: tuple[list[tuple[int, o.Post]], _Known, list[tuple[int, Seat, str]]] | None = None
        self._posters: tuple[list[tuple[int, o.Post]], int, dict[str, set[Seat]]] | None = None
        self.line = list(self.played.numbered)

    def begin_acts(self) -> None:
        """Know nothing of the acts yet."""
        self.put: dict[Seat, Chips] = {}
        self.acts: list[Act] = []
        self.undone: set[int] = set()  # versions of acts that were taken back before anybody else acted
        self.deals: list[Deal] = []
        self.others: list[Deal] = []  # of second boards, and of second runs of the rest
        self.ended: End | None = None
        self.first_act: int | None = None
        self.live: frozenset[Seat] = frozenset()  # who held a hand at the end

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
        return [(version, event) for version, event in self.played.numbered if type(event) in kinds]

    @property
    def seats(self) -> list[Seat]:
        """The dealt-in seats, clockwise from the lowest number; while lines are followed, those that were told."""
        start = self.start
        if len(self._ring) != len(start):
            self._ring = sorted(start)
        return self._ring

    def after(self, seat: Seat, among: list[Seat] | None = None) -> list[Seat]:
        """Return the seats clockwise after `seat`, `seat` itself last if it is among them."""
        ring = self.seats if among is None else sorted(among)
        return [s for s in ring if s > seat] + [s for s in ring if s <= seat]

    def steps(self, seat: Seat) -> int:
        """Return how many dealt-in seats lie from the button to `seat`; the button is the last."""
        if self.button is None or seat not in self.start:
            return 0
        return self.after(self.button).index(seat) + 1

    def standing_posts(self) -> list[tuple[int, o.Post]]:
        """Return the posts of the deal that was played: after a misdeal those that were made again.

        What went back before the first act was put right in time, and does not stand.
        """
        known = len(self.posts), self._first_acted
        if self._stands is None or self._stands[0] != known:
            self._stands = known, self._standing_posts()
        return self._stands[1]

    def _standing_posts(self) -> list[tuple[int, o.Post]]:
        misdeals = [version for version, _ in self.of(MisdealDeclared)]
        returns, taken = self.of(o.PostReturned, b.ChipsReturned), self.of(o.DeadMoneyTaken)
        in_order = self.index is not None
        return standing_posts(self.posts, misdeals, returns, taken, self._first_acted, in_order=in_order)

    @property
    def _first_acted(self) -> int:
        return self._first_told_act if self.first_act is None else self.first_act

    @cached_property
    def _first_told_act(self) -> int:
        return next((version for version, event in self.line if isinstance(event, ACTS)), len(self.line) + 1)

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, the furthest last.

        The furthest is the last clockwise from the button, whatever it is called; a small blind on the
        button is the nearest. With two players, without a button, and where several seats post the
        same blind, as owed blinds do, the larger blind is the further one.
        """
        posts = self.standing_posts()
        known, known_by = self._regular, (self.button, len(self.start), len(posts))
        if known is not None and known[0] is posts and known[1] == known_by:
            return known[2]
        found = opening_posts(posts, self.button, self.seats)
        self._regular = posts, known_by, found
        return found

    def poster(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles; "straddle" names straddlers."""
        posts = self.standing_posts()
        if self._posters is None or self._posters[0] is not posts or self._posters[1] != len(posts):
            seats: dict[str, set[Seat]] = {}
            for _, post in posts:
                if isinstance(post, o.BlindPosted | o.StraddlePosted):
                    role = post.role if isinstance(post, o.BlindPosted) else "straddle"
                    seats.setdefault(role, set()).add(post.seat)
            self._posters = posts, len(posts), seats
        seats = self._posters[2]
        return {seat for role in roles for seat in seats.get(role, ())}


def lay_out(course: Outline) -> None:
    """Enter seats, posts, button, game and options; the acts are not looked at."""
    event: Any  # told apart by `kind`, which the type checker does not follow
    for version, event in course.line:
        kind = type(event)
        if kind in POSTS:
            course.posts.append((version, event))
        elif kind is o.SeatDealtIn:
            course.start[event.seat] = event.stack
        elif kind is o.OptionSet:
            course.options[event.option] = event.value
        elif kind is o.ButtonPlaced:
            course.button = event.seat
        elif kind is o.GameSet:
            course.game = event


POSTS: Final[frozenset[type[Event]]] = frozenset((o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted))
