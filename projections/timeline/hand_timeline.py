"""The course of a hand as detectors look at it: who was due, what was faced, how the board came.

What the acts were comes from the hand's trace (`ledger.hand.trace`); here are the questions about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ledger.event import Event
from ledger.hand import opening as o
from ledger.hand.acts import Act
from ledger.hand.betting import BetReturned, ChipsMoved, ChipsReturned, HandKilled, HandRetrieved
from ledger.hand.dealing import BoardTurnedUp, DealCompleted, ErrorNoticed, HoleCardsDealt, MisdealDeclared
from ledger.hand.ending import CardsMucked, CardsShown, HandVoided, PotAwarded, PotTakenBack
from ledger.hand.opening_posts import RANK
from ledger.hand.street_deals import StreetDeal
from ledger.hand.trace import trace
from ledger.hand.variants import VARIANTS, Variant
from ledger.replay import PlayedHand
from ledger.table.in_force import NOTHING_IN_FORCE, InForce
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat, Street, Witness, split_cards
from projections.amount_text import amount
from projections.timeline.event_index import LONG, ActIndex, Found
from projections.timeline.hand_setup import Outline, lay_out

_Found = TypeVar("_Found")

NEVER: Final = 10**9
"""A version that no event of a hand has: what has not happened comes after all of them."""


_ACTS: Final = int(Witness.ACTS)
_STATED: Final = int(Witness.ACTS | Witness.WRITTEN_BUTTON)

_LAID_OUT: Final = frozenset({"options", "start", "button", "game", "posts", "line"})
"""What is known without the trace."""

_TRACED: Final = frozenset({"put", "acts", "undone", "deals", "others", "ended", "live", "late_acts"})


class Timeline(Outline):
    """A played hand as detectors see it."""

    def __init__(self, played: PlayedHand, in_force: InForce = NOTHING_IN_FORCE) -> None:
        """Take the hand, and what its table was told that counts in it.

        Its trace is asked for when an act is first looked at.
        """
        super().__init__(played, in_force)
        self._worked_out: dict[str, Any] = {}

    def once(self, name: str, work_out: Callable[[], _Found]) -> _Found:
        """Return what several clauses work out from the same hand, worked out when it is first asked for."""
        if name not in self._worked_out:
            self._worked_out[name] = work_out()
        found: _Found = self._worked_out[name]
        return found

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Read the trace, and answer from it."""
            missing = _LAID_OUT if name in _LAID_OUT else _TRACED
            if name not in missing or name in self.__dict__:
                raise AttributeError(name)
            if missing is _LAID_OUT:
                self._lay_out()
            else:
                self._read_trace()
            return getattr(self, name)

    def _lay_out(self) -> None:
        """Gather seats, posts and the game: all that most clauses about posts look at."""
        self.begin()
        lay_out(self)

    def _read_trace(self) -> None:
        """Take what the trace notes of the acts, the streets and the end."""
        options = self.in_force.options
        found = trace(self.played.numbered, options) if "bet-cap" in options else self.played.trace
        self.put, self.undone = found.put_in, found.undone
        self.deals, self.others, self.ended = found.street_deals, found.later_runs, found.betting_end
        self.live = found.live
        late = self._after_award(found.acts)
        self.late_acts = [act for act in found.acts if act.version in late]
        self.acts = [act for act in found.acts if act.version not in late] if late else found.acts

    def _after_award(self, acts: list[Act]) -> set[int]:
        """Return the events that come after a pot was paid, where an act does."""
        corrected = self.played.events is not self.played.recorded_events
        if self.ended is None or not acts or (acts[-1].version < self.ended.version and not corrected):
            return set()
        paid = 0
        late: set[int] = set()
        for version, event in self.line:
            if isinstance(event, PotAwarded):
                paid += event.amount
            elif isinstance(event, PotTakenBack):
                paid -= event.amount
            elif isinstance(event, MisdealDeclared):
                paid = 0
            elif paid > 0:
                late.add(version)
        return late

    def up(self, seat: Seat, before: int | None = None) -> set[str]:
        """Return the cards that a seat had shown before an event, or at all."""
        return {
            card
            for _, event in self.upto(before, CardsShown, seat=seat)
            for card in split_cards(event.cards)
            if card != UNKNOWN_CARD
        }

    def tabled(self, seat: Seat, before: int | None = None) -> bool:
        """Whether a seat had shown all its cards before an event: then they have been read."""
        if self.index is not None:
            at = self.once(f"tabled {seat}", lambda: self._tabled_at(seat))
            return at is not None and (before is None or at < before)
        up = self.up(seat, before)
        return bool(up) and up.issuperset(self.played.final.hole(seat))

    def _tabled_at(self, seat: Seat) -> int | None:
        """Return where a seat had shown all its cards; None = it never did."""
        lacking, shown = set(self.played.final.hole(seat)), False
        for version, event in self.upto(None, CardsShown, seat=seat):
            cards = [card for card in split_cards(event.cards) if card != UNKNOWN_CARD]
            shown = shown or bool(cards)
            lacking.difference_update(cards)
            if shown and not lacking:
                return version
        return None

    def let_go(self, seat: Seat, before: int | None = None) -> int | None:
        """Return where a seat let go of cards at the showdown that it had not shown, before an event."""
        return next((v for v, _ in self.upto(before, CardsMucked, seat=seat) if not self.tabled(seat, v)), None)

    def killed(self, seat: Seat, after: int = 0, before: int | None = None) -> int | None:
        """Return where a seat's hand was killed for good reason or none, in between.

        Not where it was cleared away as one that lost: that is no ruling on the hand.
        """
        cleared = self.played.final.cleared
        return next(
            (
                v
                for v, event in self.since(after, HandKilled, seat=seat, before=before)
                if event.reason != "lost" or seat not in cleared
            ),
            None,
        )

    def permissions(self, subject: str) -> list[tuple[int, o.PermissionGranted]]:
        """Return who allowed `subject` and when; 0 = it was told at the table before the hand."""
        told = [(0, event) for event in self.in_force.permissions]
        return [pair for pair in told + self.of(o.PermissionGranted) if pair[1].subject == subject]

    def agreed(self, subject: str) -> list[tuple[int, o.Agreed]]:
        """Return who agreed on `subject` and when; 0 = it was told at the table before the hand."""
        told = [(0, event) for event in self.in_force.agreements]
        return [pair for pair in told + self.of(o.Agreed) if pair[1].subject == subject]

    def since(
        self, version: int, *kinds: type[Event], seat: Seat | None = None, before: int | None = None
    ) -> list[Found]:
        """Return the events of these types after a version and before another, of one seat or all."""
        if self.index is not None:
            return self.index.between(kinds, seat, version, before)
        return [
            (at, event)
            for at, event in self.of(*kinds)
            if at > version and (before is None or at < before) and (seat is None or event.seat == seat)
        ]

    def upto(self, version: int | None, *kinds: type[Event], seat: Seat | None = None) -> list[Found]:
        """Return the events of these types before a version (None = all), of one seat or all."""
        return self.since(0, *kinds, seat=seat, before=version)

    def any_between(self, after: int, before: int | None, *kinds: type[Event], seat: Seat | None = None) -> bool:
        """Whether there is an event of these types after a version and before another, of one seat or all."""
        if self.index is None:
            return bool(self.since(after, *kinds, seat=seat, before=before))
        first = self.index.first_after(kinds, seat, after)
        return first is not None and (before is None or first[0] < before)

    def nearest(self, version: int, *kinds: type[Event], seat: Seat | None = None) -> Found | None:
        """Return the first event of these types after a version; None = there is none."""
        if self.index is not None:
            return self.index.first_after(kinds, seat, version)
        return next(iter(self.since(version, *kinds, seat=seat)), None)

    @cached_property
    def _acts(self) -> ActIndex | None:
        """The acts by their versions; None where there are so few that they are read through."""
        return ActIndex(self.acts) if self.index is not None and len(self.acts) > LONG else None

    def act_after(self, version: int, seat: Seat | None = None) -> Act | None:
        """Return the first act after an event, of one seat or any."""
        if self._acts is not None:
            return self._acts.next_after(version, seat)
        return next((act for act in self.acts if act.version > version and seat in (None, act.seat)), None)

    def acted(self, seat: Seat | None, before: int) -> bool:
        """Whether a seat had acted before an event."""
        if self._acts is not None:
            return self._acts.acted(seat, before)
        return any(act.seat == seat and act.version < before for act in self.acts)

    def taken_back(self, act: Act) -> list[int]:
        """Return where an act was taken back before anybody else acted: its chips went back, or its hand.

        A check is where it was noticed out of turn, and whose turn it was acts next.
        """
        later = self.act_after(act.version)
        following = None if later is None else later.version
        returned = [
            version
            for version, event in self.since(act.version, ChipsReturned, HandRetrieved, seat=act.seat, before=following)
            if isinstance(event, HandRetrieved) or self.came_back(version, event) == act.added
        ]
        if act.kind == "check" and later is not None and later.seat == act.due:
            told = self.since(act.version, ErrorNoticed, before=following)
            returned += [v for v, one in told if one.kind == "out-of-turn" and one.seat in (None, act.seat)]
        return returned[:1]

    def came_back(self, version: int, event: ChipsReturned) -> Chips:
        """Return how much came back of what a seat had bet: change never was part of it, nor what only lay there."""
        if event.reason == "change":
            return 0
        return event.amount - (self.played.trace.set_aside.get(version, 0) if self.of(ChipsMoved) else 0)

    def settled(self, act: Act) -> Chips:
        """Return what a seat's bet came to before anybody else acted: some may have gone back, or been added."""
        last, other = self._run_of(act)
        back = self.since(last.version, ChipsReturned, seat=act.seat, before=other)
        gone = sum(self.came_back(version, event) for version, event in back)
        return last.to - gone

    def _run_of(self, act: Act) -> tuple[Act, int | None]:
        """Return the last act of its seat before any other acted, and where the other did; None = nobody did."""
        if self._acts is not None:
            return self._acts.run_of(act)
        later = [one for one in self.acts if one.version > act.version]
        other = next((one.version for one in later if one.seat != act.seat or one.street != act.street), None)
        own = [one for one in later if other is None or one.version < other]
        return own[-1] if own else act, other

    def count_acts(self, before: int) -> int:
        """Return how many acts came before an event."""
        return len(self.acts_before(before)) if self._acts is None else self._acts.count_before(before)

    def acts_between(self, start: int, end: int) -> list[Act]:
        """Return the acts from one event to another."""
        if self._acts is not None:
            return self.acts[self._acts.count_before(start) : self._acts.count_before(end)]
        return self.acts_before(end)[self.count_acts(start) :]

    def acts_back_from(self, version: int) -> Iterator[Act]:
        """Yield the acts before an event, the nearest first."""
        if self._acts is None:
            yield from reversed(self.acts_before(version))
            return
        for index in range(self._acts.count_before(version) - 1, -1, -1):
            yield self.acts[index]

    def acts_before(self, version: int | None) -> list[Act]:
        """Return the acts before an event; None = all."""
        if self._acts is not None:
            return self.acts[: None if version is None else self._acts.count_before(version)]
        return [act for act in self.acts if version is None or act.version < version]

    def complete(self, at: int) -> bool:
        """Whether the record says that the deal was complete before an event."""
        return bool(self.upto(at, DealCompleted))

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
        return game.bets[plan.upper(street, self.options.get("limit-schedule"))]

    def option(self, name: str) -> int | None:
        """Return a numeric option of the house, if the record tells it."""
        value = self.options.get(name)
        return value if isinstance(value, int) else None

    def say(self, chips: Chips) -> str:
        """Write an amount of this table."""
        game = self.game
        return amount(chips, game.unit, game.exponent) if game else amount(chips, "", 0)

    def wager(self, act: Act) -> str:
        """Say a bet or raise: `bet 20`, `raised from 10 to 25`."""
        if not act.level:
            return f"bet {self.say(act.to)}"
        return f"raised from {self.say(act.level)} to {self.say(act.to)}"

    def misdeals(self) -> list[tuple[int, MisdealDeclared]]:
        """Return the misdeals that were declared; a hand that was void for one had one, told or not."""
        told = self.played.of(MisdealDeclared)
        if told:
            return told
        return [(v, MisdealDeclared("other")) for v, one in self.of(HandVoided) if one.reason == "misdeal"]

    def straddles(self) -> list[tuple[int, o.StraddlePosted]]:
        """Return the straddles of the deal that was played."""
        return [(v, post) for v, post in self.standing_posts() if isinstance(post, o.StraddlePosted)]

    def straddled(self, version: int, post: o.StraddlePosted) -> Chips:
        """Return how much a straddle makes in all: with the blind or straddle of its seat before it."""
        before = 0
        for at, one in self.standing_posts():
            if at >= version or one.seat != post.seat:
                continue
            if isinstance(one, o.StraddlePosted):
                before += one.amount
            elif isinstance(one, o.BlindPosted) and one.role in RANK:
                before += one.live  # not what was made up: that is owed for hands before
        return post.amount + before

    def stack_at(self, seat: Seat) -> Chips | None:
        """Return the seat's stack before the hand; None = not told."""
        return self.start.get(seat)

    def kept(self, street: Street) -> StreetDeal | None:
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

    def version_of(self, what: str, seat: Seat | None = None) -> int:
        """Return the version of the event that tells a position, a post or a seat; 0 = none does.

        `what` is "button", "dealt" (or left out), "skipped", "post" (any), or the role of a blind,
        by its position if that is told and by its post otherwise. `seat` None: whosever it is.
        """
        if what == "button":
            return next((version for version, _ in self.of(o.ButtonPlaced)), 0)
        if what == "dealt":
            seats = self.of(o.SeatDealtIn, o.SeatLeftOut)
            return next((version for version, event in seats if event.seat == seat), 0)
        if what == "skipped":
            skipped = self.of(o.BlindSkipped)
            return next((v for v, event in skipped if seat in (None, event.seat)), 0)
        for version, post in self.standing_posts():
            role = post.role if isinstance(post, o.BlindPosted) else "straddle"
            if what in ("post", role) and seat in (None, post.seat):
                return version
        placed = self.of(o.BlindPositionPlaced)
        return next((v for v, e in placed if e.role == what and seat in (None, e.seat)), 0)

    def unasked(self) -> tuple[int, tuple[Seat, ...]]:
        """Return where the first round closed over seats that lacked only their option, and who."""
        flop = self.deals[0] if self.deals else None
        if any(act.kind in ("bet", "raise") and act.street == "preflop" for act in self.acts):
            return 0, ()
        if flop is not None:
            open_, matched, version = flop.open, flop.matched, flop.version
            if flop.withdrawn:
                return 0, ()
        elif self._void():
            return 0, ()  # nothing went on: the cards and the blinds went back
        elif self.ended is not None and self.ended.street == "preflop":
            open_, matched, version = self.ended.open, self.ended.matched, self.ended.version
        else:
            return 0, ()
        chopped = not any(self.put.get(seat, 0) for seat in open_)  # all that they put in went back
        return (version, open_) if matched and not chopped else (0, ())

    def _void(self) -> bool:
        """Whether the hand was voided, or nothing was dealt and nobody acted after its last misdeal."""
        if self.of(HandVoided):
            return True
        last = max((version for version, _ in self.of(MisdealDeclared)), default=0)
        dealt = self.since(last, HoleCardsDealt, DealCompleted)
        return last > 0 and not dealt and not any(act.version > last for act in self.acts)

    def early(self) -> list[StreetDeal]:
        """Return the streets that came while somebody still had to act, if only to use an option."""
        return [deal for deal in self.deals if deal.open and not self._opens(deal) and self._seen_early(deal)]

    def _seen_early(self, deal: StreetDeal) -> bool:
        """Whether cards lay face up before the betting was over: face down they told nobody anything."""
        if deal.event.face_up:
            return True
        until = deal.withdrawn[0] if deal.withdrawn is not None else NEVER
        up = next((v for v, one in self.since(deal.version, BoardTurnedUp) if one.street == deal.street), NEVER)
        left = set(deal.open) - {act.seat for act in self.acts_between(deal.version, up)}
        return up < until and bool(left)

    def passed_over(self, seat: Seat | None) -> bool:
        """Whether a street came while a seat had yet to act, and it never acted again: that is one wrong, told there."""
        return any(
            seat in deal.open and not any(act.seat == seat and act.version > deal.version for act in self.acts)
            for deal in self.early()
        )

    def _opens(self, deal: StreetDeal) -> bool:
        """Whether a street is where the betting begins, as in a bomb pot: nothing lay there to bet on."""
        live = any(
            (isinstance(post, o.BlindPosted) and post.live) or isinstance(post, o.StraddlePosted | o.BringInPosted)
            for _, post in self.standing_posts()
        )
        return deal.matched and not live and not self.count_acts(deal.version)

    def substantial(self, acts: list[Act]) -> bool:
        """Whether acts are substantial action: two seats, one with chips, or three seats."""
        seats = {act.seat for act in acts}
        return len(seats) >= 3 or (len(seats) == 2 and any(act.added for act in acts))

    def perhaps_substantial(self, acts: list[Act]) -> bool:
        """Whether acts may be substantial action where a book does not define it, and are none by the usual definition.

        Some take two acts for it, or one with chips.
        """
        return not self.substantial(acts) and (len({act.seat for act in acts}) > 1 or any(act.added for act in acts))

    @cached_property
    def witnesses(self) -> int:
        """What the source records whenever it happens, and what the hand states in full."""
        told = next((event.witnesses for event in self.played.events if isinstance(event, o.HandOpened)), 0)
        return told if told & _STATED == _ACTS else self.played.final.witnesses

    def witnessed(self, kind: Witness) -> bool:
        """Whether the source records such facts whenever they happen."""
        return bool(self.witnesses & int(kind))  # enum flags are slow to combine

    def stakes(self) -> Iterator[tuple[Act, Chips]]:
        """Yield each act with all that its seat has put in by then, posts and antes too."""
        paid: dict[Seat, Chips] = {}
        other = sorted([*self._posted(), *self._went_back()])
        at = 0
        for act in self.acts:
            while at < len(other) and other[at][0] < act.version:
                _, seat, chips = other[at]
                paid[seat] = paid.get(seat, 0) + chips
                at += 1
            paid[act.seat] = paid.get(act.seat, 0) + act.added
            yield act, paid[act.seat]

    def _posted(self) -> Iterator[tuple[int, Seat, Chips]]:
        for version, post in self.posts:
            chips = post.live + post.dead if isinstance(post, o.BlindPosted) else post.amount
            yield version, post.seat, chips

    def _went_back(self) -> Iterator[tuple[int, Seat, Chips]]:
        for version, event in self.of(o.PostReturned, ChipsReturned, BetReturned):
            chips = self.came_back(version, event) if isinstance(event, ChipsReturned) else event.amount
            if chips:
                yield version, event.seat, -chips

    def rounds(self) -> Iterator[tuple[Street, list[Act]]]:
        """Yield each street with its acts."""
        streets: dict[Street, list[Act]] = {}
        for act in self.acts:
            streets.setdefault(act.street, []).append(act)
        yield from streets.items()
