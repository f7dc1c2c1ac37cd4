"""The course of a hand as detectors look at it: who was due, what was faced, how the board came.

One pass over the events, made only for hands that have something to look at. It follows the usual
order of turns (left of the furthest blind or straddle, then left of the button); where an act came
from another seat it says so and goes on from there. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, overload

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.variants import VARIANTS, Variant
from ledger.replay import PlayedHand
from ledger.vocabulary import Chips, Seat, Street, Witness
from projections.detector import amount

_E = TypeVar("_E", bound=Event)
ActKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]
Post: TypeAlias = o.BlindPosted | o.StraddlePosted | o.AntePosted | o.BringInPosted

_KINDS: Final[dict[type[Event], ActKind]] = {
    b.Folded: "fold", b.Checked: "check", b.Called: "call", b.Bet: "bet", b.Raised: "raise",
    b.Completed: "raise",
}  # fmt: skip
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


def full_level(wagers: tuple[int, ...], unit: int) -> int:
    """Return the last level that was reached by a full bet or raise of `unit` or more."""
    base = 0
    for level in wagers:
        if level - base >= unit:
            base = level
    return base


@dataclass(frozen=True, slots=True)
class End:
    """Where the hand went on to the showdown or the award."""

    version: int
    street: Street
    open: tuple[Seat, ...]  # seats that still had to act then
    matched: bool  # all of these lacked only their option
    live: frozenset[Seat]


class Course:
    """A played hand as detectors see it."""

    line: list[tuple[int, Event]]

    def __init__(self, played: PlayedHand) -> None:
        """Take the hand; the pass over its events is made when its results are first asked for."""
        self.played = played
        self.memo: dict[str, Any] = {}  # what several detectors work out from the same cards

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Make the pass, and answer from what it found."""
            if "posts" in self.__dict__ or name[:1] == "_":
                raise AttributeError(name)
            self._follow()
            return getattr(self, name)

    def _follow(self) -> None:
        self.options: dict[str, int | str] = {}
        self.start: dict[Seat, Chips | None] = {}
        self.put: dict[Seat, Chips] = {}
        self.button: Seat | None = None
        self.game: o.GameSet | None = None
        self.witnesses = 0
        self.posts: list[tuple[int, Post]] = []
        self.line = list(self.played.numbered)
        self.acts: list[Act] = []
        self.deals: list[Deal] = []
        self.ended: End | None = None
        self.first_act: int | None = None
        self.live: frozenset[Seat] = frozenset()  # who held a hand at the end
        _Pass(self).run()

    @overload
    def of(self, kind: type[_E], /) -> list[tuple[int, _E]]: ...
    @overload
    def of(self, *kinds: type[Event]) -> list[tuple[int, Any]]: ...
    def of(self, *kinds: type[Event]) -> list[tuple[int, Any]]:
        """Return the events of these types with their versions, in order."""
        if len(kinds) == 1:
            return self.played.of(kinds[0])
        return [(version, event) for version, event in self.played.numbered if type(event) in kinds]

    @cached_property
    def seats(self) -> list[Seat]:
        """The dealt-in seats, clockwise from the lowest number."""
        return sorted(self.start)

    @property
    def variant(self) -> Variant | None:
        """The game, if it is known."""
        return VARIANTS.get(self.game.variant) if self.game else None

    @property
    def blinds(self) -> tuple[Chips, ...]:
        """The structure's blinds, smallest first; () = not told."""
        return self.game.blinds if self.game else ()

    @property
    def big(self) -> Chips | None:
        """The structure's big blind, if told: the second, or the only one."""
        return None if not self.blinds else self.blinds[min(1, len(self.blinds) - 1)]

    def unit(self, street: Street) -> Chips | None:
        """Return the fixed size of a bet on this street in a limit game; None elsewhere."""
        game, plan = self.game, self.variant
        if game is None or plan is None or game.betting != "limit" or len(game.bets) < 2:
            return None
        low = self.options.get("limit-schedule") == "lower-all-streets"
        return game.bets[1] if street in plan.big_streets and not low else game.bets[0]

    def option(self, name: str) -> int | None:
        """Return a numeric option of the house, if the record tells it."""
        value = self.options.get(name)
        return value if isinstance(value, int) else None

    def say(self, chips: Chips) -> str:
        """Write an amount of this table."""
        return amount(chips, self.game.exponent if self.game else 0)

    def after(self, seat: Seat, among: list[Seat] | None = None) -> list[Seat]:
        """Return the seats clockwise after `seat`, `seat` itself last if it is among them."""
        ring = self.seats if among is None else sorted(among)
        return [s for s in ring if s > seat] + [s for s in ring if s <= seat]

    def steps(self, seat: Seat) -> int:
        """Return how many dealt-in seats lie from the button to `seat`; the button is the last."""
        if self.button is None or seat not in self.start:
            return 0
        return self.after(self.button).index(seat) + 1

    def regular_posts(self) -> list[tuple[int, Seat, str]]:
        """Return version, seat and role of the posts that open the betting, the furthest last."""
        back = {
            event.seat
            for version, event in self.of(o.PostReturned)
            if event.role == "straddle" and version < (self.first_act or version + 1)
        }
        found = [
            (version, post.seat, post.role if isinstance(post, o.BlindPosted) else "straddle")
            for version, post in self.posts
            if (isinstance(post, o.StraddlePosted) and post.seat not in back)
            or (isinstance(post, o.BlindPosted) and post.role in RANK)
        ]
        return sorted(found, key=lambda f: (RANK[f[2]], self.steps(f[1]), f[0]))

    def stack_at(self, seat: Seat) -> Chips | None:
        """Return the seat's stack before the hand; None = not told."""
        return self.start.get(seat)

    def kept(self, street: Street) -> Deal | None:
        """Return the cards of a street that were not withdrawn, the last such."""
        stay = [deal for deal in self.deals if deal.street == street and deal.withdrawn is None]
        return stay[-1] if stay else None

    @property
    def contested(self) -> bool:
        """Whether two or more seats held a hand when the betting was over."""
        final = self.played.final
        if not final.killed:
            return len(final.live) > 1
        return self.ended is not None and len(self.ended.live) > 1

    def poster(self, *roles: str) -> set[Seat]:
        """Return the seats that posted in one of these roles; "straddle" names straddlers."""
        return {
            post.seat
            for _, post in self.posts
            if (post.role if isinstance(post, o.BlindPosted) else "straddle") in roles
            and isinstance(post, o.BlindPosted | o.StraddlePosted)
        }

    def unasked(self) -> tuple[int, tuple[Seat, ...]]:
        """Return where the first round closed over seats that lacked only their option, and who."""
        flop = self.deals[0] if self.deals else None
        if any(act.kind in ("bet", "raise") and act.street == "preflop" for act in self.acts):
            return 0, ()
        if flop is not None:
            open_, matched, version = flop.open, flop.matched, flop.version
            if flop.withdrawn:
                return 0, ()
        elif self.ended is not None and self.ended.street == "preflop":
            open_, matched, version = self.ended.open, self.ended.matched, self.ended.version
        else:
            return 0, ()
        return (version, open_) if matched else (0, ())

    def early(self) -> list[Deal]:
        """Return the streets that came while somebody still had to act; a mere option is none."""
        return [
            deal for deal in self.deals
            if deal.open and not (deal.matched and deal.street == "flop" and deal.withdrawn is None)
        ]  # fmt: skip

    def substantial(self, acts: list[Act]) -> bool:
        """Whether acts are substantial action: two seats, one with chips, or three seats."""
        seats = {act.seat for act in acts}
        return len(seats) >= 3 or (len(seats) == 2 and any(act.added for act in acts))

    def witnessed(self, kind: Witness) -> bool:
        """Whether the source records such facts whenever they happen."""
        return bool(self.witnesses & kind)

    def rounds(self) -> Iterator[tuple[Street, list[Act]]]:
        """Yield each street with its acts."""
        streets: dict[Street, list[Act]] = {}
        for act in self.acts:
            streets.setdefault(act.street, []).append(act)
        yield from streets.items()


class _Pass:
    """The books of the pass."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.street: Street = "preflop"
        self.bets: dict[Seat, Chips] = {}
        self.wagers: tuple[Chips, ...] = ()
        self.level = self.raises = self.pot = 0
        self.last: Seat | None = None  # the turn goes on after this seat
        self.live = NOBODY
        self.spent: set[Seat] = (
            set()
        )  # without a chip to bet, by their stack or by the record's word
        self.pending: frozenset[Seat] = frozenset()
        self.acted: set[Seat] = set()
        self.blinds = True
        self.burns: list[tuple[int, d.CardBurned]] = []
        self.shuffled: list[tuple[int, d.DeckShuffled]] = []
        self.cut = False
        self.early: Street | None = None  # a street that lies there before its time

    def run(self) -> None:
        course = self.course
        for version, event in course.line:
            kind = type(event)
            if kind in _KINDS:
                self.act(version, event)
            else:
                step = _STEPS.get(kind)
                if step:
                    step(self, version, event)
        course.live = self.live

    # Opening

    def opened(self, _version: int, event: o.HandOpened) -> None:
        self.course.witnesses = event.witnesses

    def game(self, _version: int, event: o.GameSet) -> None:
        self.course.game = event
        found = VARIANTS.get(event.variant)
        self.blinds = found is None or found.opening == "blinds"
        if found:
            self.street = found.streets[0].name

    def option(self, _version: int, event: o.OptionSet) -> None:
        self.course.options[event.option] = event.value

    def dealt_in(self, _version: int, event: o.SeatDealtIn) -> None:
        self.course.start[event.seat] = event.stack
        self.course.put.setdefault(event.seat, 0)
        self.live |= {event.seat}
        self.pending |= {event.seat}

    def button(self, _version: int, event: o.ButtonPlaced) -> None:
        self.course.button = event.seat

    def posted(self, version: int, event: Post) -> None:
        self.course.posts.append((version, event))
        live = dead = 0
        if isinstance(event, o.BlindPosted):
            live, dead = event.live, event.dead
        elif isinstance(event, o.AntePosted) or (
            isinstance(event, o.StraddlePosted) and not event.live
        ):
            dead = event.amount
        else:
            live = event.amount
        self.pay(event.seat, live + dead)
        if event.all_in:
            self.spent.add(event.seat)
        if live:
            bet = self.bets[event.seat] = self.bets.get(event.seat, 0) + live
            if bet > self.level:
                self.level = bet
                self.wagers += (bet,)

    def unposted(self, _version: int, event: o.PostReturned) -> None:
        self.pay(event.seat, -event.amount)
        if not event.dead and event.role != "ante":
            self.bets[event.seat] = max(0, self.bets.get(event.seat, 0) - event.amount)
            self.level = max(self.bets.values(), default=0)
            self.wagers = tuple(level for level in self.wagers if level <= self.level)

    def dead_money(self, _version: int, event: o.DeadMoneyTaken) -> None:
        self.pay(event.seat, event.amount)

    def pay(self, seat: Seat, chips: Chips) -> None:
        self.pot += chips
        put = self.course.put[seat] = self.course.put.get(seat, 0) + chips
        stack = self.course.start.get(seat)
        if stack is not None and stack <= put:
            self.spent.add(seat)
        elif chips < 0:
            self.spent.discard(seat)

    # Betting

    def able(self) -> frozenset[Seat]:
        return self.live - self.spent

    def turn(self) -> tuple[Seat, ...]:
        """Return the seats that have a decision left, the due one first."""
        able = self.able()
        waiting = self.waiting(able)
        if self.last is None and waiting:
            self.last = self.opener()
        if self.last is None:
            return tuple(sorted(waiting))
        return tuple(self.course.after(self.last, list(waiting)))

    def waiting(self, able: frozenset[Seat]) -> frozenset[Seat]:
        """Return the seats that have a decision left."""
        waiting = self.pending & able
        if not waiting or len(self.live) < 2:
            return NOBODY
        if len(able) == 1 and self.bets.get(min(waiting), 0) >= self.level:
            return NOBODY
        return waiting

    def due(self, waiting: frozenset[Seat]) -> Seat | None:
        """Return whose turn it is among those that wait; None where the order is not known."""
        if not waiting:
            return None
        if self.last is None:
            self.last = self.opener()
            if self.last is None:
                return None
        last = self.last
        return min([seat for seat in waiting if seat > last] or waiting) if self.blinds else None

    def opener(self) -> Seat | None:
        """Return the seat after which the first round opens."""
        if not self.blinds:
            return None
        posts = self.course.regular_posts()
        return posts[-1][1] if posts else self.course.button

    def act(self, version: int, event: Event) -> None:
        course, kind = self.course, _KINDS[type(event)]
        seat: Seat = event.seat  # type: ignore[attr-defined] # every act has one
        if course.first_act is None:
            course.first_act = version
        before = self.bets.get(seat, 0)
        to: Chips = getattr(event, "to", before)
        added: Chips = getattr(event, "added", 0)
        able = self.able()
        waiting = self.waiting(able)
        if self.early and self.belongs_to_early(kind, seat, before, waiting):
            self.begin(self.early)
            before, to = 0, getattr(event, "to", 0)
            waiting = self.waiting(able)
        due = self.due(waiting)
        stack = course.start.get(seat)
        all_in = bool(getattr(event, "all_in", None)) or (
            added > 0 and stack is not None and course.put.get(seat, 0) + added >= stack
        )
        act = Act(
            version, event, kind, seat, self.street, added, to, before, self.level, self.pot,
            due, waiting, self.live, able, self.raises, self.wagers, all_in,
            seat not in self.acted,
        )  # fmt: skip
        course.acts.append(act)
        if course.deals and course.deals[-1].street == self.street:
            course.deals[-1].acts.append(act)
        self.account(act)

    def account(self, act: Act) -> None:
        """Enter an act into the books."""
        seat = act.seat
        self.pay(seat, act.added)
        self.acted.add(seat)
        self.last = seat
        self.pending -= {seat}
        if act.kind == "fold":
            self.live -= {seat}
            return
        self.bets[seat] = act.to
        if getattr(act.event, "all_in", None):
            self.spent.add(seat)
        if act.to > self.level:
            if act.kind in ("bet", "raise"):
                self.raises += self.level > 0
                self.pending = self.live - {seat}
            self.level = act.to
            self.wagers += (act.to,)

    def belongs_to_early(
        self, kind: ActKind, seat: Seat, before: Chips, pending: frozenset[Seat]
    ) -> bool:
        """Whether an act after a premature street is the first of that street."""
        if not pending:
            return True
        if kind == "bet" and self.level:
            return True
        return (kind == "check" and before < self.level) or seat not in pending

    def killed(self, _version: int, event: b.HandKilled) -> None:
        self.live -= {event.seat}
        self.pending -= {event.seat}

    def retrieved(self, _version: int, event: b.HandRetrieved) -> None:
        self.live |= {event.seat}
        if self.bets.get(event.seat, 0) < self.level:
            self.pending |= {event.seat}

    def bet_back(self, _version: int, event: b.BetReturned) -> None:
        self.pay(event.seat, -event.amount)

    def chips_back(self, _version: int, event: b.ChipsReturned) -> None:
        if event.reason != "change":
            self.pay(event.seat, -event.amount)

    # The board

    def burned(self, version: int, event: d.CardBurned) -> None:
        self.burns.append((version, event))

    def shuffle(self, version: int, event: d.DeckShuffled) -> None:
        self.shuffled.append((version, event))

    def cuts(self, _version: int, _event: d.DeckCut) -> None:
        self.cut = True

    def board(self, version: int, event: d.BoardDealt) -> None:
        deals = self.course.deals
        if event.run > 1 or event.board > 1:
            return
        same = [deal for deal in deals if deal.street == event.street]
        if (
            same
            and same[-1].withdrawn is None
            and same[-1] is deals[-1]
            and not same[-1].acts
            and not self.burns
        ):
            whole = same[-1].event  # card by card: one street
            deals[-1].event = d.BoardDealt(
                whole.street, whole.cards + event.cards, whole.board, whole.run, whole.face_up,
                whole.deck + event.deck, whole.stuck + event.stuck,
            )  # fmt: skip
            return
        waiting = self.turn() if event.street != self.street else ()
        deals.append(
            Deal(
                version,
                event,
                self.burns,
                waiting,
                self.shuffled,
                self.cut,
                self.matched(waiting),
                len(self.able()),
                again=bool(same),
            )
        )
        self.burns, self.shuffled, self.cut = [], [], False
        if event.street == self.street:
            if same:
                self.begin(event.street)
        elif waiting:
            self.early = event.street
        else:
            self.begin(event.street)

    def matched(self, waiting: tuple[Seat, ...]) -> bool:
        return all(self.bets.get(seat, 0) >= self.level for seat in waiting)

    def withdrawn(self, version: int, event: d.BoardWithdrawn) -> None:
        for deal in reversed(self.course.deals):
            if deal.street == event.street and deal.withdrawn is None:
                deal.withdrawn = (version, event)
                break
        if self.early == event.street:
            self.early = None

    def street_dealt(self, _version: int, event: d.StreetDealt) -> None:
        if event.street != self.street:
            self.begin(event.street)

    def begin(self, street: Street) -> None:
        """Open the betting of a street."""
        self.street, self.early = street, None
        self.bets, self.wagers = {}, ()
        self.level = self.raises = 0
        self.acted = set()
        self.last = self.course.button
        able = self.able()
        self.pending = able if len(able) > 1 else NOBODY

    def misdealt(self, _version: int, _event: d.MisdealDeclared) -> None:
        self.live = self.pending = frozenset(self.course.start)
        self.acted, self.last = set(), None
        self.burns, self.shuffled, self.cut = [], [], False

    def end(self, version: int, _event: Event | None = None) -> None:
        """Note where the betting ended and who had yet to act then."""
        if self.course.ended is None:
            waiting = () if self.early else self.turn()
            self.course.ended = End(version, self.street, waiting, self.matched(waiting), self.live)


_STEPS: Final[dict[type[Event], Callable[..., None]]] = {
    o.HandOpened: _Pass.opened, o.GameSet: _Pass.game, o.OptionSet: _Pass.option,
    o.SeatDealtIn: _Pass.dealt_in, o.ButtonPlaced: _Pass.button, o.BlindPosted: _Pass.posted,
    o.StraddlePosted: _Pass.posted, o.AntePosted: _Pass.posted, o.BringInPosted: _Pass.posted,
    o.PostReturned: _Pass.unposted, o.DeadMoneyTaken: _Pass.dead_money,
    b.HandKilled: _Pass.killed, b.HandRetrieved: _Pass.retrieved, b.BetReturned: _Pass.bet_back,
    b.ChipsReturned: _Pass.chips_back, d.CardBurned: _Pass.burned, d.DeckShuffled: _Pass.shuffle,
    d.DeckCut: _Pass.cuts, d.BoardDealt: _Pass.board, d.BoardWithdrawn: _Pass.withdrawn,
    d.StreetDealt: _Pass.street_dealt, d.MisdealDeclared: _Pass.misdealt,
    e.ShowdownBegun: _Pass.end, e.PotAwarded: _Pass.end,
    e.HandCompleted: _Pass.end,
}  # fmt: skip
"""What the pass does with each type of event that is no act."""
