"""The setup of a hand: seats, posts, button, game and options, and the order of seats around the table."""

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
from ledger.hand.opening_posts import RANK, opening_posts, standing_posts
from ledger.hand.street_deals import StreetDeal
from ledger.hand.variants import VARIANTS, Variant
from ledger.replay import PlayedHand
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import Chips, Seat, Street
from projections.amount_text import amount
from projections.timeline.event_index import LONG_HAND, EventIndex, NumberedEvent

_EventT = TypeVar("_EventT", bound=Event)


class HandSetup:
    """A played hand with its setup: everything that doesn't depend on acts. `Timeline` adds the trace."""

    numbered_events: list[tuple[int, Event]]
    # from the trace:
    put_in: dict[Seat, Chips]  # a seat's chips in the pot, before an uncalled bet was returned without a record
    acts: list[Act]
    undone_versions: set[int]  # acts that were taken back before the next act
    deals: list[StreetDeal]
    later_runs: list[StreetDeal]  # streets of a second board or a second run
    betting_end: BettingEnd | None
    late_acts: list[Act]  # recorded after a pot was paid: no book judges them
    live: frozenset[Seat]  # seats with a hand at the end

    def __init__(self, played: PlayedHand, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Take the hand, and the options, permissions and agreements of its table."""
        self.played = played
        self.in_force = in_force

    def reset_setup(self) -> None:
        """Start with an empty setup and the options in force before the hand."""
        self.options: dict[str, int | str] = dict(self.in_force.options)
        self.start: dict[Seat, Chips | None] = {}
        self.button: Seat | None = None
        self.game: o.GameSet | None = None
        self.posts: list[tuple[int, o.Post]] = []
        self.numbered_events = list(self.played.numbered)

    @cached_property
    def index(self) -> EventIndex | None:
        """The index of events; None if the hand is short or was corrected, so that lists are scanned."""
        numbered = self.played.numbered
        corrected = self.played.events is not self.played.recorded_events
        return None if corrected or len(numbered) <= LONG_HAND else EventIndex(numbered)

    @overload
    def of(self, kind: type[_EventT], /) -> list[tuple[int, _EventT]]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[NumberedEvent]: ...
    def of(self, *kinds: type[Event]) -> list[NumberedEvent]:
        """Return the events of these types with their versions, in order."""
        if len(kinds) == 1:
            return self.played.of(kinds[0])
        if self.index is not None:
            return self.index.events_of(kinds)
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

    def seats_after(self, seat: Seat, seats: list[Seat] | None = None) -> list[Seat]:
        """Return the seats clockwise after `seat`, `seat` itself last if it is among them."""
        ring = self.seats if seats is None else sorted(seats)
        return [ring_seat for ring_seat in ring if ring_seat > seat] + [
            ring_seat for ring_seat in ring if ring_seat <= seat
        ]

    def steps_from_button(self, seat: Seat) -> int:
        """Return how many dealt-in seats `seat` is from the button: 1 is the next seat, the button itself is the last."""
        if self.button is None or seat not in self.start:
            return 0
        ring = self.seats
        return (bisect_left(ring, seat) - bisect_right(ring, self.button)) % len(ring) + 1

    def standing_posts(self) -> list[tuple[int, o.Post]]:
        """Return the posts of the deal that was played: after a misdeal, those of the new deal.

        A post returned before the first act was corrected in time and is left out.
        """
        return self._standing_posts

    @cached_property
    def _standing_posts(self) -> list[tuple[int, o.Post]]:
        misdeals = [version for version, _ in self.of(MisdealDeclared)]
        returns: list[NumberedEvent] = self.of(o.PostReturned, b.ChipsReturned)
        if self.of(b.ChipsMoved):
            set_aside = self.played.trace.set_aside
            returns = [
                (returned_at, replace(event, amount=event.amount - set_aside.get(returned_at, 0)))
                for returned_at, event in returns
            ]
        dead_money = self.of(o.DeadMoneyTaken)
        in_order = self.index is not None
        first_act = self.first_act or len(self.numbered_events) + 1
        return standing_posts(self.posts, misdeals, returns, dead_money, first_act, in_order=in_order)

    @cached_property
    def first_act(self) -> int | None:
        """The version of the first act; None = nobody acted."""
        return next((version for version, event in self.numbered_events if type(event) in ACT_KINDS), None)

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, in order from the button.

        The last is the furthest clockwise from the button, whatever its role; a small blind on the button comes first.
        With two players, without a button, or if several seats post the same blind (as for owed blinds), the larger
        blind comes later.
        """
        return self._opening_posts

    @cached_property
    def _opening_posts(self) -> list[tuple[int, Seat, str]]:
        return opening_posts(self._standing_posts, self.button, self.seats)

    def find_posters(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles; the role of a straddle is "straddle"."""
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
        """The game, if it is known."""
        return VARIANTS.get(self.game.variant) if self.game else None

    @property
    def blinds(self) -> tuple[Chips, ...]:
        """The game's blinds, smallest first; () = unknown."""
        return self.game.blinds if self.game else ()

    @property
    def big_blind(self) -> Chips | None:
        """The game's big blind, the second blind or the only one; None = unknown."""
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
        """Return the fixed size of a bet on this street in a limit game; None elsewhere."""
        game, variant = self.game, self.variant
        if game is None or variant is None or game.betting != "limit" or len(game.bets) < 2:
            return None
        return game.bets[variant.upper(street, self.options.get("limit-schedule"))]

    def option(self, name: str) -> int | None:
        """Return a numeric house option; None = not recorded."""
        value = self.options.get(name)
        return value if isinstance(value, int) else None

    def format_chips(self, chips: Chips) -> str:
        """Format an amount in the table's unit, for example `$12.50`."""
        game = self.game
        return amount(chips, game.unit, game.exponent) if game else amount(chips, "", 0)

    def misdeals(self) -> list[tuple[int, MisdealDeclared]]:
        """Return the misdeals; a hand voided for a misdeal counts as one even if none was declared."""
        declared = self.played.of(MisdealDeclared)
        if declared:
            return declared
        return [
            (version, MisdealDeclared("other"))
            for version, voiding in self.of(HandVoided)
            if voiding.reason == "misdeal"
        ]

    def straddles(self) -> list[tuple[int, o.StraddlePosted]]:
        """Return the straddles of the deal that was played."""
        return [(version, post) for version, post in self.standing_posts() if isinstance(post, o.StraddlePosted)]

    def straddle_total(self, version: int, post: o.StraddlePosted) -> Chips:
        """Return the total of a straddle with the seat's earlier blind or straddle."""
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
        """Return the seat's stack before the hand; None = unknown."""
        return self.start.get(seat)


def read_setup(setup: HandSetup) -> None:
    """Fill in seats, posts, button, game and options. Acts are skipped."""
    event: Any  # narrowed by `kind`, which mypy can't follow
    for version, event in setup.numbered_events:
        kind = type(event)
        if kind in POSTS:
            setup.posts.append((version, event))
        elif kind is o.SeatDealtIn:
            known_stack = setup.start.get(event.seat, event.stack)
            setup.start[event.seat] = event.stack if known_stack == event.stack else None
        elif kind is o.OptionSet:
            setup.options[event.option] = event.value
        elif kind is o.ButtonPlaced:
            setup.button = event.seat
        elif kind is o.GameSet:
            setup.game = event


POSTS: Final[frozenset[type[Event]]] = frozenset((o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted))
