"""Evenings: between the hands people come, go, move and pay; what the books leave open is avoided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from ledger import presence as pr
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.people import People
from ledger.replay import HandReplay
from ledger.table import events as t
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from ledger.vocabulary import Witness
from tests.evenings import moves
from tests.evenings.plan import Person, Plan
from tests.evenings.play import misdealt, opening, play
from tests.evenings.ring import clockwise
from tests.evenings.rooms import ROOMS, Room
from tests.evenings.table import MurkyError, Table

EVERYTHING = int(sum(Witness))
START = 1_795_000_000_000
PEOPLE = People(b"e" * 32)


@dataclass
class Dealt:
    """A hand of an evening: its events, what was planned, and the facts told before it."""

    number: str
    events: list[HandEvent]
    plan: Plan
    before: list[t.TableEvent] = field(default_factory=list)
    misdealt: bool = False
    table: Table | None = None  # as it was before the hand, if the evening keeps it

    @property
    def started(self) -> int:
        head = self.events[0]
        assert isinstance(head, o.HandOpened)
        assert head.started is not None
        return head.started


@dataclass
class Evening:
    """Hands of one table in order."""

    room: Room
    seed: int
    hands: list[Dealt]
    after: list[t.TableEvent] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"evening({self.room.name!r}, seed={self.seed}, hands={len(self.hands)})"

    @cached_property
    def played(self) -> list[HandReplay]:
        return [HandReplay(hand.events) for hand in self.hands]

    def told(self) -> list[TableEntry]:
        """The stream of the table."""
        return table_entries(self.hands, self.after)


def hand_id(number: int) -> str:
    return f"{number:032x}"


def table_entries(hands: list[Dealt], events: list[t.TableEvent] | None = None) -> list[TableEntry]:
    """The table's stream of these hands, each with its facts before it."""
    entries: list[TableEntry] = []
    clock = START
    for hand in hands:
        for event in hand.before:
            entries.append(TableEntry(len(entries) + 1, event, clock))
            clock += 1
        line = build_hand_played(fold(hand.events), hand_id(int(hand.number)))
        entries.append(TableEntry(len(entries) + 1, line, None))
        clock = hand.started + 1000
    for event in events or ():
        entries.append(TableEntry(len(entries) + 1, event, clock))
    return entries


def evening(
    room: str | Room, seed: int, hands: int = 30, *, keep: bool = False, favour: tuple[str, ...] = ()
) -> Evening:
    """An evening of at most so many hands; the same arguments give the same events.

    `keep` leaves with each hand the table as it was before, so that it can be dealt otherwise.
    `favour` names moves that are to happen often: "rebuy", "move_away".
    """
    chosen_room = ROOMS[room] if isinstance(room, str) else room
    maker = _Maker(chosen_room, Random(f"{chosen_room.name} {seed}"), keep=keep, favour=favour)
    return Evening(chosen_room, seed, list(maker.hands(hands)))


def begin_events(table: Table, plan: Plan, number: str, started: int) -> list[HandEvent]:
    """The events of a hand up to its posts."""
    players = {seat: PEOPLE.player("Evening", p.name) for seat, p in table.people.items()}
    reasons = {seat: moves.why_out(table, plan, seat) for seat in table.people if seat not in plan.dealt}
    return opening(table, plan, number, started, _head(table.room), players, reasons)


def _head(room: Room) -> o.HandOpened:
    form = room.form == "tournament"
    return o.HandOpened(
        "Evening", "1", "", EVERYTHING, tournament="77" if form else "", written="chips" if form else "USD"
    )


class _Maker:
    def __init__(self, room: Room, rng: Random, *, keep: bool, favour: tuple[str, ...]) -> None:
        self.room, self.rng, self.keep, self.favour = room, rng, keep, favour
        self.names = 0
        self.facts: list[t.TableEvent] = []
        self.clock = START
        self.number = 0
        self.table = Table(room, rng.choice((6, 8, 9, 10, 10)))
        self.restless = rng.choice((0.05, 0.15, 0.3))

    def hands(self, count: int) -> Iterator[Dealt]:
        self.facts.append(
            t.TableOpened("Evening", "1", _head(self.room).tournament, seats=self.table.chairs, witnesses=EVERYTHING)
        )
        self.new_game()
        while self.number < count:
            plan = self.next_plan()
            if plan is None:
                if self.room.form == "tournament":
                    return
                self.facts.append(t.GameBroken())
                self.new_game()
                continue
            spoils = self.table.hands and self.rng.random() < 0.03
            if spoils and self.room.variant == "holdem":
                yield self.deal(plan, misdeal=True)
                if self.number >= count:
                    return
            yield self.deal(plan)

    def new_game(self) -> None:
        """Everybody leaves, and another game begins at the same table."""
        table = self.table
        for person in list(table.people.values()):
            self.facts.append(pr.SeatLeft(person.seat, self.id(person), "left", person.stack))
        self.table = table = Table(self.room, table.chairs)
        self.facts.append(t.GameStarted())
        if self.room.form == "tournament":
            self.facts.append(t.SeatsAssigned("drawn"))
        seats = self.rng.sample(range(1, table.chairs + 1), self.rng.randint(4, table.chairs))
        for seat in sorted(seats):
            person = self.sit(seat, "game-start")
            person.plays = person.settled = True
            person.fresh = False
        table.button = max(seats)
        if self.room.first_button != "right-of-dealer":
            table.button = self.rng.choice(seats)
        if self.room.first_button == "drawn":
            self.facts.append(t.ButtonDrawn(tuple(sorted(seats)), table.button))

    def sit(self, seat: int, origin: pr.Origin) -> Person:
        """A new person takes a chair."""
        self.names += 1
        big = self.room.big
        sizes = (1, 2, 4, 40) if "rebuy" in self.favour else (4, 6, 12, 40, 100, 100)
        stack = self.rng.choice(self.room.stacks) if self.room.stacks else self.rng.choice(sizes) * big
        person = Person(f"Player {self.names}", seat, stack)
        self.table.people[seat] = person
        self.facts.append(pr.SeatTaken(seat, self.id(person), origin, stack))
        return person

    def id(self, person: Person) -> str:
        return PEOPLE.player("Evening", person.name)

    def next_plan(self) -> Plan | None:
        """Let things happen until there is a hand that no reading objects to."""
        for attempt in range(12):
            saved, facts, names = self.table.copy(), list(self.facts), self.names
            if self.table.hands:
                self.happen(calm=attempt > 8)
            try:
                plan = self.table.plan()
                self.check_posts(plan)
            except MurkyError:
                self.table, self.facts, self.names = saved, facts, names
                continue
            self.straddle(plan)
            return plan
        return None

    def check_posts(self, plan: Plan) -> None:
        """Nobody posts to come in with less than that in front of them."""
        for seat in plan.entering:
            posted = sum(post.live + post.dead for post in plan.posts if post.seat == seat)
            if posted > self.table.people[seat].stack:
                raise MurkyError("a post to come in that is more than the stack")

    def happen(self, *, calm: bool) -> None:
        """Between two hands: nothing, or a few things."""
        for needed in moves.NEEDED:
            needed(self)
        if calm:
            return
        for move, weight in moves.MOVES + moves.list_room_moves(self.room):
            often = move.__name__ in self.favour
            if self.rng.random() < (0.5 if often else self.restless * weight):
                move(self)

    def straddle(self, plan: Plan) -> None:
        room, rng = self.room, self.rng
        if not room.straddle or plan.straddlers or len(plan.dealt) < 4 or rng.random() > 0.1:
            return
        ring = clockwise(plan.big, plan.dealt)
        straddles = 2 if room.several_straddles and len(plan.dealt) > 5 and rng.random() < 0.3 else 1
        for index in range(straddles):
            seat, amount = ring[index], room.straddle
            deep = self.table.people[seat].stack > 4 * amount
            if seat in plan.entering or seat == plan.button or not deep:
                break
            if index:
                plan.permits.append("multiple-straddles")
            plan.posts.append(moves.Posting(seat, "straddle", amount * 2**index))
            plan.straddlers.append(seat)

    def deal(self, plan: Plan, *, misdeal: bool = False) -> Dealt:
        table = self.table
        self.number += 1
        self.clock += 120_000
        dealt = Dealt(str(self.number), [], plan.copy(), self.facts, misdealt=misdeal)
        if self.keep:
            dealt.table = table.copy()
        self.facts = []
        dealt.events = begin_events(table, plan, dealt.number, self.clock)
        if misdeal:
            dealt.events += misdealt(table, plan)
            return dealt
        dealt.events += play(table, plan, self.rng)
        marked = table.take(plan)
        if self.room.markers:
            for seat in marked:
                self.facts.append(pr.MarkerGiven(seat, "missed-blind"))
        for seat in plan.dealt:
            person = table.people[seat]
            if not person.stack:
                self.facts.append(pr.PlayerBusted(seat, self.id(person)))
        return dealt
