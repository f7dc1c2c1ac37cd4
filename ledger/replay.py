"""A hand played over again: its events as corrected, the state at any moment, each act in context.

This is what detectors, reports and commands are given. Everything is computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar, cast
from uuid import UUID

import msgspec

from ledger.entry import NO_MARK, Mark, Recorded
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.bounds import Bounds, bounds, call_level
from ledger.hand.corrections import holding
from ledger.hand.events import HandEvent
from ledger.hand.fold import STEPS, apply, begin, fold
from ledger.hand.order import bring_in_seat, opener
from ledger.hand.state import HandState
from ledger.marks import unpack
from ledger.vocabulary import Chips, Seat, Street

Kind: TypeAlias = Literal[
    "ante", "blind", "straddle", "bring-in", "fold", "check", "call", "bet", "raise", "complete"
]
Numbered: TypeAlias = tuple[int, HandEvent]
"""An event with its version: its number in the stream, from 1."""

AnEvent = TypeVar("AnEvent", bound=Event)

KINDS: Final[dict[type, Kind]] = {
    o.AntePosted: "ante",
    o.BlindPosted: "blind",
    o.StraddlePosted: "straddle",
    o.BringInPosted: "bring-in",
    b.Folded: "fold",
    b.Checked: "check",
    b.Called: "call",
    b.Bet: "bet",
    b.Raised: "raise",
    b.Completed: "complete",
}
FORCED: Final = frozenset(("ante", "blind", "straddle", "bring-in"))


class Moment(NamedTuple):
    """One step of a replay. The states are copies: they stay as they are."""

    version: int
    event: HandEvent
    mark: Mark
    before: HandState
    after: HandState


class Course:
    """The corrected events of a hand, and what follows from them at each act."""

    def __init__(self, numbered: list[Numbered]) -> None:
        self.numbered = numbered

    def before(self, version: int) -> HandState:
        """Return the state just before the event of this version, as corrected by all that came."""
        state = begin()
        for number, event in self.numbered:
            if number == version:
                break
            apply(state, event)
        return state

    @cached_property
    def bounds_at(self) -> dict[int, Bounds]:
        """The legal bounds just before each free act, by version."""
        found: dict[int, Bounds] = {}
        state = begin()
        for version, event in self.numbered:
            if type(event) in _FREE:
                found[version] = bounds(state, _seat(event))
            apply(state, event)
        return found

    @cached_property
    def call_levels(self) -> dict[int, Chips]:
        """The total that a call had to reach just before each act, by version."""
        found: dict[int, Chips] = {}
        state = begin()
        for version, event in self.numbered:
            if type(event) in KINDS:
                found[version] = call_level(state)
            apply(state, event)
        return found

    @cached_property
    def spent_at(self) -> dict[int, Seat]:
        """The versions of the acts that took a seat's last chip, as its stack tells."""
        found: dict[int, Seat] = {}
        state = begin()
        for version, event in self.numbered:
            apply(state, event)
            seat = getattr(event, "seat", None)
            if type(event) in KINDS and seat in state.dealt and state.behind(seat) == 0:
                found[version] = seat
        return found


class Act(msgspec.Struct, frozen=True, gc=False):
    """A wager, forced or free, a check or a fold, with what held just before it."""

    course: Course
    version: int
    event: Event
    kind: Kind
    seat: Seat
    street: Street
    was_live: bool  # False: folded, killed, or never dealt in
    due: Seat | None  # whose turn it was; None: nobody's, or not told, or a post
    level_before: Chips  # the highest live bet on the street
    bet_before: Chips  # the seat's own
    raises_before: int  # full raises on the street
    pot_before: Chips  # all chips in the pot, bets of the street too
    added: Chips
    to: Chips
    increment: Chips  # by how much the highest bet went up
    all_in_told: bool | None  # the record's word; None: it does not say

    def __repr__(self) -> str:
        return f"<Act @{self.version} seat {self.seat} {self.kind} to {self.to}>"

    @property
    def forced(self) -> bool:
        """Whether it was a post."""
        return self.kind in FORCED

    @property
    def in_turn(self) -> bool | None:
        """Whether the seat was due; None where turns do not matter or the record cannot tell."""
        return None if self.due is None else self.due == self.seat

    @property
    def before(self) -> HandState:
        """The state just before the act, as corrected (folded anew each time)."""
        return self.course.before(self.version)

    @property
    def to_call(self) -> Chips:
        """The chips that the seat had to add to call, however few it had."""
        return max(0, self.course.call_levels[self.version] - self.bet_before)

    @property
    def bounds(self) -> Bounds:
        """What the seat could legally have bet or raised to."""
        return self.course.bounds_at[self.version]

    @property
    def all_in(self) -> bool:
        """Whether the act took the seat's last chip, by the record's word or by its stack."""
        return bool(self.all_in_told) or self.version in self.course.spent_at


class PlayedHand:
    """One account of a hand, as corrected, with all that can be asked of it.

    `events` are the stream's events as recorded, version 1 first. `marks` may be packed as stored.
    """

    def __init__(
        self,
        events: Sequence[HandEvent],
        marks: Sequence[Mark] | bytes | None = None,
        stream: UUID | None = None,
        *,
        position: int = 0,  # of the first event in the ledger, 0 = not from a ledger
        recorded: Recorded | None = None,  # how the commit of the first event came in
    ) -> None:
        self.recorded_events = events
        self._marks = marks
        self.stream = stream
        self.position = position
        self.recorded = recorded

    def told(self, events: Sequence[HandEvent]) -> PlayedHand:
        """Return the same hand with other words in its events, as when hidden cards are opened."""
        return PlayedHand(
            events, self._marks, self.stream, position=self.position, recorded=self.recorded
        )

    @cached_property
    def numbered(self) -> list[Numbered]:
        """The corrected events with their versions, in the order in which they hold."""
        if e.CorrectionMade not in self._recorded_kinds:
            return list(enumerate(self.recorded_events, 1))
        return corrected(self.recorded_events)

    @cached_property
    def events(self) -> Sequence[HandEvent]:
        """The corrected events."""
        if e.CorrectionMade not in self._recorded_kinds:
            return self.recorded_events
        return [event for _, event in self.numbered]

    @cached_property
    def _recorded_kinds(self) -> frozenset[type]:
        return frozenset(map(type, self.recorded_events))

    @cached_property
    def corrections(self) -> list[tuple[int, e.CorrectionMade]]:
        """The corrections that were made, with their versions."""
        return [
            (version, event)
            for version, event in enumerate(self.recorded_events, 1)
            if isinstance(event, e.CorrectionMade)
        ]

    @cached_property
    def final(self) -> HandState:
        """The state after all events, as corrected. Do not change it."""
        return fold(self.events)

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The event types that occur."""
        if e.CorrectionMade not in self._recorded_kinds:
            return self._recorded_kinds
        return frozenset(map(type, self.events))

    @cached_property
    def _by_kind(self) -> dict[type, list[Numbered]]:
        found: dict[type, list[Numbered]] = {}
        for pair in self.numbered:
            kind = type(pair[1])
            if kind in found:
                found[kind].append(pair)
            else:
                found[kind] = [pair]
        return found

    def of(self, kind: type[AnEvent]) -> list[tuple[int, AnEvent]]:
        """Return the events of one type with their versions, in order."""
        return cast("list[tuple[int, AnEvent]]", self._by_kind.get(kind, []))

    @cached_property
    def marks(self) -> Sequence[Mark]:
        """The mark of each recorded event, empty marks where none were kept."""
        count = len(self.recorded_events)
        if isinstance(self._marks, bytes):
            return unpack(self._marks, count)
        return self._marks or [NO_MARK] * count

    def mark(self, version: int) -> Mark:
        """Return where the event of this version stands in its source."""
        marks = self.marks
        return marks[version - 1] if 0 < version <= len(marks) else NO_MARK

    def at(self, version: int) -> HandState:
        """Return the state as it was recorded by then: after the first `version` events."""
        return fold([event for _, event in corrected(self.recorded_events[: max(0, version)])])

    def before(self, version: int) -> HandState:
        """Return the state just before the event of this version, as corrected by all that came."""
        return self.course.before(version)

    def moments(self) -> Iterator[Moment]:
        """Yield every step of the corrected hand, with a state of its own before and after."""
        state = begin()
        for version, event in self.numbered:
            before = state
            state = before.copy()
            apply(state, event)
            yield Moment(version, event, self.mark(version), before, state)

    @cached_property
    def course(self) -> Course:
        """What is worked out for all acts at once when it is first asked of one."""
        return Course(self.numbered)

    @cached_property
    def acts(self) -> list[Act]:
        """Every post, fold, check, call, bet, raise and completion in its context, in order."""
        return _acts(self.course)


_FREE: Final = frozenset(kind for kind, name in KINDS.items() if name not in FORCED)


def _seat(act: HandEvent) -> Seat:
    """Return whose act it is; every act is a seat's."""
    return cast("b.Checked", act).seat


def _acts(course: Course) -> list[Act]:
    acts: list[Act] = []
    state = begin()
    turn = _Turn(state)
    steps, kinds, put, pot = STEPS, KINDS, state.put, -1
    for version, event in course.numbered:
        type_ = type(event)
        kind = kinds.get(type_)
        if kind is None:
            steps[type_](state, event)
            pot = -1  # anything but an act may have moved chips
            continue
        seat = _seat(event)
        if pot < 0:
            put = state.put
            pot = state.total_put()
        free = type_ in _FREE
        due = turn.due() if free else None
        level, bet, raises = state.level, state.bets.get(seat, 0), state.raises
        street, was_live, before = state.street, seat in state.live, put.get(seat, 0)
        steps[type_](state, event)
        added = put.get(seat, 0) - before
        told = False if kind in _NO_CHIPS else event.all_in  # type: ignore[union-attr] # a wager
        acts.append(
            Act(
                course, version, event, kind, seat, street, was_live, due, level, bet, raises, pot,
                added, state.bets.get(seat, 0), max(0, state.level - level), told,
            )
        )  # fmt: skip
        pot += added
        if free:
            turn.acted(seat)
    return acts


_NO_CHIPS: Final = frozenset(("fold", "check"))


class _Turn:
    """Keeps count of who is due, act by act; `order.actor` says the same of a single state."""

    __slots__ = ("order", "queue", "state", "trail")

    def __init__(self, state: HandState) -> None:
        self.state = state
        self.trail: list[int] | None = None  # of the round that `queue` belongs to
        self.queue: list[Seat] | None = None  # who has yet to act, in order; None = not told
        self.order: list[Seat] = []  # all seats, clockwise

    def due(self) -> Seat | None:
        state = self.state
        if self.trail is not state.trail:
            self.trail = state.trail
            self.queue = self._opening_queue()
        queue, live = self.queue, state.live
        if not queue or len(live) < 2:
            return None
        while queue[0] not in live:
            del queue[0]
            if not queue:
                return None
        if len(queue) == 1 and self._alone(queue[0]):
            return None
        return queue[0]

    def _alone(self, seat: Seat) -> bool:
        """Whether a seat that owes nothing is the only one with chips: there is no more betting."""
        state = self.state
        most = max((bet for other, bet in state.bets.items() if other != seat), default=0)
        return state.bet(seat) >= most and len(self._able_from(0)) < 2

    def acted(self, seat: Seat) -> None:
        queue = self.queue
        if self.state.trail[-1] > 0:
            if queue:
                if queue[0] == seat:
                    del queue[0]
                elif seat in queue:
                    queue.remove(seat)
            return
        skipped = queue[: queue.index(seat)] if queue and seat in queue else []
        rest = self._able_from(seat + 1)
        self.queue = skipped + [one for one in rest if one != seat and one not in skipped]

    def _opening_queue(self) -> list[Seat] | None:
        """Line up those who can act on this street, the opener first; None where none is told."""
        state = self.state
        if len(self.order) != len(state.dealt):
            self.order = sorted(state.dealt)
        if state.past and state.button is not None and state.street in _BY_POSITION:
            able = self._able_from(state.button + 1)
            return able if len(able) > 1 else []
        first = opener(state)
        if first is None:
            return None
        able = self._able_from(first)
        bringer = bring_in_seat(state)
        return [one for one in able if one != bringer] if len(able) > 1 or state.level else []

    def _able_from(self, first: Seat) -> list[Seat]:
        """Return the seats that hold a hand and chips, clockwise from `first`."""
        live, put, dealt = self.state.live, self.state.put, self.state.dealt
        told = self.state.told_all_in
        able: list[Seat] = []
        before: list[Seat] = []
        for seat in self.order:
            if seat in live and seat not in told:
                stack = dealt[seat].stack
                if stack is None or stack > put[seat]:
                    (able if seat >= first else before).append(seat)
        return able + before


_BY_POSITION: Final = frozenset(
    ("flop", "turn", "river", "first-draw", "second-draw", "third-draw")
)
"""Streets on which the seat left of the button opens, in every game that has them."""


def corrected(events: Sequence[HandEvent]) -> list[Numbered]:
    """Return the events that hold, with their versions, all corrections applied.

    A correction that a later one voids has no effect, and the events that came with it fall too.
    Corrections themselves are not among the result.
    """
    numbered = list(enumerate(events, 1))
    return holding(numbered) if e.CorrectionMade in set(map(type, events)) else numbered
