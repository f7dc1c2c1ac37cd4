"""The setup of a hand, without its acts: seats and their order, posts, button, game and options."""

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
from ledger.hand.ending import HandVoided
from ledger.hand.opening_posts import RANK, filter_standing_posts, sort_opening_posts
from ledger.hand.street_deals import StreetDeal
from ledger.hand.variants import VARIANTS, Variant
from ledger.replay import HandReplay
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import Chips, Seat, Street
from projections.amount_text import amount
from projections.timeline.event_index import LONG_HAND, EventIndex, NumberedEvent

_EventT = TypeVar("_EventT", bound=Event)
_POST_TYPES: Final[frozenset[type[Event]]] = frozenset((o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted))


class HandSetup:
    """A played hand with everything that doesn't depend on its acts. The subclass `Timeline` adds the acts."""

    numbered_events: list[tuple[int, Event]]
    # `Timeline` sets these, from the hand's trace:
    put_in: dict[Seat, Chips]  # a seat's chips in the pot; an unrecorded return of an uncalled bet isn't subtracted
    acts: list[Act]
    undone_versions: set[int]  # versions of acts that were taken back before the next act
    deals: list[StreetDeal]
    later_runs: list[StreetDeal]  # streets of a second board or a second run
    betting_end: BettingEnd | None
    late_acts: list[Act]  # recorded after a pot was paid: no book judges them
    live: frozenset[Seat]  # seats with a hand at the end

    def __init__(self, played: HandReplay, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Create the setup of a hand. `in_force`: the options, permissions and agreements of its table."""
        self.played = played
        self.in_force = in_force

    def reset_setup(self) -> None:
        """Clear the setup, except for the options in force before the hand."""
        self.options: dict[str, int | str] = dict(self.in_force.options)
        self.start: dict[Seat, Chips | None] = {}
        self.button: Seat | None = None
        self.game: o.GameSet | None = None
        self.posts: list[tuple[int, o.Post]] = []
        self.numbered_events = list(self.played.numbered)

    @cached_property
    def index(self) -> EventIndex | None:
        """The index of events; None for a short or a corrected hand, which is scanned."""
        numbered = self.played.numbered
        is_corrected = self.played.events is not self.played.recorded_events
        return None if is_corrected or len(numbered) <= LONG_HAND else EventIndex(numbered)

    @overload
    def of(self, kind: type[_EventT], /) -> list[tuple[int, _EventT]]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[NumberedEvent]: ...
    def of(self, *kinds: type[Event]) -> list[NumberedEvent]:
        """Return the events of these types with their versions, in order."""
        if len(kinds) == 1:
            return self.played.events_of(kinds[0])
        if self.index is not None:
            return self.index.events_of(kinds)
        event_lists = [pairs for kind in kinds if (pairs := self.played.events_of(kind))]
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

    def seats_after(self, seat: Seat, seats: list[Seat] | None = None) -> list[Seat]:
        """Return the dealt-in seats, or these `seats`, clockwise after `seat`; `seat` itself comes last if it's among them."""
        ring = self.seats if seats is None else sorted(seats)
        split_index = bisect_right(ring, seat)
        return ring[split_index:] + ring[:split_index]

    def steps_from_button(self, seat: Seat) -> int:
        """Return how many seats clockwise `seat` is from the button, or 0 if unknown.

        The next seat dealt in has 1, and the button itself the highest number.
        """
        if self.button is None or seat not in self.start:
            return 0
        ring = self.seats
        return (bisect_left(ring, seat) - bisect_right(ring, self.button)) % len(ring) + 1

    def standing_posts(self) -> list[tuple[int, o.Post]]:
        """Return the posts of the deal that was played, with their versions. After a misdeal, that's the new deal.

        A post that was returned before the first act is left out, because the mistake was corrected in time.
        """
        return self._standing_posts

    @cached_property
    def _standing_posts(self) -> list[tuple[int, o.Post]]:
        misdeals = [version for version, _ in self.of(MisdealDeclared)]
        returns: list[NumberedEvent] = self.of(o.PostReturned, b.ChipsReturned)
        if self.of(b.ChipsMoved):
            set_aside = self.played.trace.set_aside
            returns = [
                (version, replace(event, amount=event.amount - set_aside.get(version, 0))) for version, event in returns
            ]
        dead_money = self.of(o.DeadMoneyTaken)
        in_order = self.index is not None
        first_act = self.first_act or len(self.numbered_events) + 1
        return filter_standing_posts(self.posts, misdeals, returns, dead_money, first_act, in_order=in_order)

    @cached_property
    def first_act(self) -> int | None:
        """The version of the first act, or None if nobody acted."""
        return next((version for version, event in self.numbered_events if type(event) in ACT_KINDS), None)

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, clockwise from the button.

        A small blind on the button comes first. With two players, without a button, or if several seats post the same
        blind (as for owed blinds), the posts are in order of size instead.
        """
        return self._opening_posts

    @cached_property
    def _opening_posts(self) -> list[tuple[int, Seat, str]]:
        return sort_opening_posts(self._standing_posts, self.button, self.seats)

    def find_posters(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles: a blind's role, or "straddle"."""
        return {seat for role in roles for seat in self._posters_by_role.get(role, ())}

    @cached_property
    def _posters_by_role(self) -> dict[str, set[Seat]]:
        by_role: dict[str, set[Seat]] = {}
        for _, post in self._standing_posts:
            if isinstance(post, o.BlindPosted | o.StraddlePosted):
                role = post.role if isinstance(post, o.BlindPosted) else "straddle"
                by_role.setdefault(role, set()).add(post.seat)
        return by_role

    @property
    def variant(self) -> Variant | None:
        """The variant of the game, or None if it is unknown."""
        return VARIANTS.get(self.game.variant) if self.game else None

    @property
    def blinds(self) -> tuple[Chips, ...]:
        """The amounts of the game's blinds, smallest first; empty if they are unknown."""
        return self.game.blinds if self.game else ()

    @property
    def big_blind(self) -> Chips | None:
        """The amount of the big blind, which is the second blind or the only one; None if it is unknown."""
        return None if not self.blinds else self.blinds[min(1, len(self.blinds) - 1)]

    @property
    def has_third_blind(self) -> bool:
        """Whether the game has a blind above the big one."""
        return len(self.blinds) > 2

    @property
    def largest_blind_role(self) -> str:
        """The role of the game's largest blind."""
        return "extra" if self.has_third_blind else "big"

    def fixed_bet(self, street: Street) -> Chips | None:
        """Return the size of a bet on this street of a limit game; None in other games."""
        game, variant = self.game, self.variant
        if game is None or variant is None or game.betting != "limit" or len(game.bets) < 2:
            return None
        return game.bets[variant.uses_upper_bet(street, self.options.get("limit-schedule"))]

    def option(self, name: str) -> int | None:
        """Return the value of a numeric house option, or None if it isn't recorded."""
        value = self.options.get(name)
        return value if isinstance(value, int) else None

    def format_chips(self, chips: Chips) -> str:
        """Format an amount in the table's unit, for example `$12.50`."""
        game = self.game
        return amount(chips, game.unit, game.exponent) if game else amount(chips, "", 0)

    def misdeals(self) -> list[tuple[int, MisdealDeclared]]:
        """Return the misdeals with their versions. A hand voided for a misdeal counts even if nobody declared one."""
        declared = self.played.events_of(MisdealDeclared)
        if declared:
            return declared
        return [
            (version, MisdealDeclared("other"))
            for version, voiding in self.of(HandVoided)
            if voiding.reason == "misdeal"
        ]

    def straddles(self) -> list[tuple[int, o.StraddlePosted]]:
        """Return the straddles of the deal that was played, with their versions."""
        return [(version, post) for version, post in self.standing_posts() if isinstance(post, o.StraddlePosted)]

    def straddle_total(self, version: int, post: o.StraddlePosted) -> Chips:
        """Return what a straddle amounts to, with the seat's earlier blind and straddles."""
        earlier_chips = 0
        for earlier_version, earlier_post in self.standing_posts():
            if earlier_version >= version or earlier_post.seat != post.seat:
                continue
            if isinstance(earlier_post, o.StraddlePosted):
                earlier_chips += earlier_post.amount
            elif isinstance(earlier_post, o.BlindPosted) and earlier_post.role in RANK:
                earlier_chips += earlier_post.live  # made-up blinds don't count: they pay for earlier hands
        return post.amount + earlier_chips

    def stack_at(self, seat: Seat) -> Chips | None:
        """Return the seat's stack before the hand, or None if it is unknown."""
        return self.start.get(seat)


def read_setup(setup: HandSetup) -> None:
    """Set seats, posts, button, game and options from the hand's events, without its acts."""
    event: Any  # narrowed by `kind`, which mypy can't follow
    for version, event in setup.numbered_events:
        kind = type(event)
        if kind in _POST_TYPES:
            setup.posts.append((version, event))
        elif kind is o.SeatDealtIn:
            known_stack = setup.start.get(event.seat, event.stack)  # a stack that the record contradicts is unknown
            setup.start[event.seat] = event.stack if known_stack == event.stack else None
        elif kind is o.OptionSet:
            setup.options[event.option] = event.value
        elif kind is o.ButtonPlaced:
            setup.button = event.seat
        elif kind is o.GameSet:
            setup.game = event
