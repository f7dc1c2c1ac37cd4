"""What lies before a hand's acts: its seats, posts, button, game and options, and who comes after whom.

`projections.following` reads it and enters what the acts were; `projections.course` is what detectors ask.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar, overload

import msgspec

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.dealing import MisdealDeclared
from ledger.replay import PlayedHand
from ledger.vocabulary import Chips, Seat
from projections.acts import RANK, Act, Deal, End
from projections.in_force import NOTHING_IN_FORCE, InForce

_E = TypeVar("_E", bound=Event)

ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)

Found: TypeAlias = tuple[int, Any]
"""An event behind its version; it is of one of the types that were asked for."""


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

    @overload
    def of(self, kind: type[_E], /) -> list[tuple[int, _E]]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[Found]: ...
    def of(self, *kinds: type[Event]) -> list[Found]:
        """Return the events of these types with their versions, in order."""
        if len(kinds) == 1:
            return self.played.of(kinds[0])
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
        misdeals = self.of(MisdealDeclared)
        posts = self.posts
        if misdeals:
            posts = [pair for pair in posts if pair[0] > misdeals[-1][0]] or posts
        for version, event in self.of(o.PostReturned, b.ChipsReturned):
            void = any(version > at for at, _ in misdeals) and posts is self.posts
            back = as_post(event)
            if back is not None and version < self._first_acted and not void:
                posts = without(posts, version, back)
        for version, dead in self.of(o.DeadMoneyTaken):
            if version < self._first_acted:
                posts = _with_dead(posts, version, dead)
        return posts

    @property
    def _first_acted(self) -> int:
        if self.first_act is not None:
            return self.first_act
        return next((version for version, event in self.line if isinstance(event, ACTS)), len(self.line) + 1)

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, the furthest last.

        The furthest is the last clockwise from the button, whatever it is called; a small blind on the
        button is the nearest. With two players, without a button, and where several seats post the
        same blind, as owed blinds do, the larger blind is the further one.
        """
        found = [
            (version, post.seat, post.role if isinstance(post, o.BlindPosted) else "straddle")
            for version, post in self.standing_posts()
            if isinstance(post, o.StraddlePosted) or (isinstance(post, o.BlindPosted) and post.role in RANK)
        ]
        roles: list[str] = [role for _, _, role in found]
        blinds = [role for role in roles if role != "straddle"]
        single = len(set(blinds)) == len(blinds)
        by_seat = self.button is not None and len(self.start) > 2 and single

        def far(post: tuple[int, Seat, str]) -> tuple[int, int, int]:
            version, seat, role = post
            near = seat == self.button and (role == "small" or roles.count(role) > 1)
            straddle = role == "straddle"
            rank = straddle if by_seat else RANK[role]
            return rank, 0 if near else self.steps(seat), version

        return sorted(found, key=far)

    def poster(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles; "straddle" names straddlers."""
        return {
            post.seat
            for _, post in self.standing_posts()
            if (post.role if isinstance(post, o.BlindPosted) else "straddle") in roles
            and isinstance(post, o.BlindPosted | o.StraddlePosted)
        }


def as_post(event: o.PostReturned | b.ChipsReturned) -> o.PostReturned | None:
    """Return what goes back before the first act as a post; None: it is change, which never was one."""
    if isinstance(event, o.PostReturned):
        return event
    if event.reason == "change":
        return None
    return o.PostReturned(event.seat, event.amount, "straddle" if event.reason == "straddle" else "unknown")


def without(posts: list[tuple[int, o.Post]], before: int, back: o.PostReturned) -> list[tuple[int, o.Post]]:
    """Return the posts without what went back: of the seat's last post of that role, or of any if none is told."""
    left, kept = back.amount, []
    for version, post in reversed(posts):
        one: o.Post | None = post
        if left > 0 and version < before and post.seat == back.seat and back.role in ("unknown", *_returned_as(post)):
            if isinstance(post, o.BlindPosted):
                live = 0 if back.dead else min(left, post.live)
                dead = min(left - live, post.dead)
                left -= live + dead
                rest = msgspec.structs.replace(post, live=post.live - live, dead=post.dead - dead, all_in=None)
                one = rest if rest.live or rest.dead else None
            elif isinstance(post, o.StraddlePosted):
                rest_amount = max(post.amount - left, 0)
                left -= post.amount - rest_amount
                one = msgspec.structs.replace(post, amount=rest_amount, all_in=None) if rest_amount else None
        if one is not None:
            kept.append((version, one))
    return kept[::-1]


def _with_dead(posts: list[tuple[int, o.Post]], before: int, taken: o.DeadMoneyTaken) -> list[tuple[int, o.Post]]:
    """Return the posts with dead money that the dealer took as the dead part of what its seat makes up."""
    for at in range(len(posts) - 1, -1, -1):
        version, post = posts[at]
        if version > before or post.seat != taken.seat or not isinstance(post, o.BlindPosted):
            continue
        if post.role.startswith("makeup"):
            whole = msgspec.structs.replace(post, dead=post.dead + taken.amount)
            return [*posts[:at], (version, whole), *posts[at + 1 :]]
    return posts


def _returned_as(post: o.Post) -> tuple[str, ...]:
    """Return the words by which a post goes back."""
    if isinstance(post, o.BlindPosted):
        return (post.role, "makeup") if post.role.startswith("makeup") else (post.role,)
    return ("straddle",) if isinstance(post, o.StraddlePosted) else ()
