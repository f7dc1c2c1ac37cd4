"""Walks all histories of a small table, those with the same beginning together, and judges each hand on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import NamedTuple

from ledger.formats.handscript import tell
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.presence import MarkerGiven
from ledger.replay import PlayedHand
from ledger.table import events as t
from ledger.table.listing import listed
from ledger.table.order import Told
from ledger.table.played import played
from projections.audit import Audit
from projections.finding import Finding
from projections.obligations.due import Due
from projections.rulebook import load
from projections.table_context import Table, TableContexts
from tests.small_tables.changes import Seating, Sitter, absent, apply_changes, beginning, combinations_of
from tests.small_tables.dealing import PEOPLE, SEEN, START, Plan, Post, events_of
from tests.small_tables.laws import Dealt, breaches
from tests.small_tables.offers import offers
from tests.small_tables.snapshots import copy_table, key_of
from tests.small_tables.tables import SmallTable
from tests.small_tables.wrongs import same, wrongs


class Step(NamedTuple):
    """One hand of a history, with what was told before it."""

    before: tuple[t.TableEvent, ...]
    hand: tuple[HandEvent, ...]


@dataclass
class Node:
    """A table after some hands. `count`: how many histories come to it or to one like it."""

    table: Table
    seating: Seating
    steps: tuple[Step, ...]
    count: int = 1
    markers: frozenset[int] = frozenset()
    dealt: Dealt | None = None


@dataclass
class Walk:
    """What became of all histories of a table."""

    kept: int = 0
    broken: int = 0
    certain: int = 0
    hands: int = 0
    offered: int = 0
    states: int = 0
    wronged: int = 0  # hands dealt with one wrong
    stuck: Counter[str] = field(default_factory=Counter)  # why nothing is offered
    kinds: Counter[str] = field(default_factory=Counter)
    least: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def report(self) -> str:
        """Say what was found, with the least history of each kind."""
        broken = f"{self.broken:,} broken ({self.certain:,} for certain)"
        played = (
            f"{self.hands:,} hands played, {self.offered:,} offers, {self.states:,} tables, {self.wronged:,} wrongs"
        )
        lines = [f"{self.kept + self.broken:,} histories, {broken}; {played}"]
        lines += [f"  nothing is offered, {count:,} times: {why}" for why, count in self.stuck.most_common()]
        for kind, count in self.kinds.most_common():
            lines += ["", f"## {count:,} times: {kind}", self.said[kind], script(self.least[kind])]
        return "\n".join(lines)


@cache
def audit_of(book: str) -> Audit:
    """Return an audit under a book."""
    return Audit([load(book)], kept=False)


class Walker:
    """Plays every history of a table and judges it."""

    def __init__(
        self,
        game: SmallTable,
        *,
        most_changes: int = 99,
        leaving: bool = False,
        merged: bool = True,
        most_tables: int = 0,
        wronged: bool = False,
        on_progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take the game. `merged=False`: tables that are alike are walked each by itself.

        `wronged`: each offer is also dealt with one wrong, which has to be found. `most_tables`: so many of them, drawn at random, are walked on from behind each hand; 0 = all.
        """
        self.game = game
        self.book = load(game.book)
        self.audit = audit_of(game.book)
        self.most_changes = most_changes
        self.leaving = leaving
        self.merged = merged
        self.most_tables = most_tables
        self.wronged = wronged
        self.walk = Walk()
        self._last = False
        self._random = Random(f"{game.name} {game.seats}")
        self._progress = on_progress

    def run(self, hands: int) -> Walk:
        """Walk all histories of so many hands."""
        nodes = [self._first()]
        for number in range(2, hands + 1):
            self._last = number == hands
            nodes = self._next(nodes, number)
            self._progress(f"{self.game.name}: hand {number}, {len(nodes):,} tables, {self.walk.broken:,} broken")
        return self.walk

    def _first(self) -> Node:
        game = self.game
        seating = beginning(game.seats)
        table = Table([self.book])
        events: list[t.TableEvent] = [t.TableOpened("Evening", "1", seats=game.seats, witnesses=SEEN)]
        events += [t.PlayerEstablished(seat, sitter.player) for seat, sitter in seating.items()]
        small, big = game.blinds
        plan = Plan(1, 2, 3, tuple(seating), (Post(2, "small", small), Post(3, "big", big)), 4 if game.seats > 3 else 1)
        node = Node(table, seating, ())
        found, after = self._play(node, seating, events, plan, 1)
        assert not found, found
        return after

    def _next(self, nodes: list[Node], number: int) -> list[Node]:
        made: dict[object, Node] = {}
        for node in nodes:
            for after in self._children(node, number):
                if self._last:  # what it leads to is not asked
                    self.walk.kept += after.count
                    continue
                key: object = key_of(after.table, after.markers) if self.merged else len(made)
                known = made.get(key)
                if known is None:
                    made[key] = after
                else:
                    known.count += after.count
        self.walk.states += len(made)
        found = list(made.values())
        if self.most_tables and len(found) > self.most_tables:
            return self._random.sample(found, self.most_tables)
        return found

    def _children(self, node: Node, number: int) -> Iterator[Node]:
        game = self.game
        combos = combinations_of(
            node.seating, game.seats, self.most_changes, tells_room=game.tells_room, leaving=self.leaving
        )
        for combo in combos:
            seating, events = apply_changes(node.seating, combo, f"N{number}s")
            table, due, events, markers = self._told(node, seating, events, number)
            if due.unknown or not due.placements:
                self.walk.stuck[due.unknown or "no placement"] += node.count
                continue
            plans = offers(due, absent(seating))
            if not plans:
                self.walk.stuck["no offer"] += node.count
            for plan in plans:
                self.walk.offered += 1
                here = Node(table, seating, node.steps, node.count, markers, node.dealt)
                if self.wronged and plan.judged:
                    self._wrong(here, seating, events, plan, plans, number)
                broken, after = self._play(here, seating, events, plan, number, told=True)
                players = {seat: sitter.player for seat, sitter in seating.items()}
                assert node.dealt is not None
                wrong = list(breaches(due, plan, players, node.dealt))
                if broken or wrong:
                    self._note(broken, wrong, after)
                else:
                    yield after

    def _told(
        self, node: Node, seating: Seating, events: list[t.TableEvent], number: int
    ) -> tuple[Table, Due, list[t.TableEvent], frozenset[int]]:
        """Return a table that was told what happened, and what is due on its coming hand."""
        table = copy_table(node.table)
        clock = START + number * 120_000 - 60_000
        for event in events:
            table._told(Told(1, event, clock))
        due = table.coming()[self.book.name]
        if self.game.gives_markers:
            needed = {one.seat for one in due.seats if one.missed and one.standing != "new"}
            markers = {
                seat
                for seat in node.markers
                if node.seating.get(seat) and seat in seating and node.seating[seat].player == seating[seat].player
            }
            given = [MarkerGiven(seat, "missed-blind") for seat in sorted(needed - markers)]
            for event in given:
                table._told(Told(1, event, clock))
            if given:
                due = table.coming()[self.book.name]
            return table, due, [*events, *given], frozenset((markers | needed) & needed)
        return table, due, events, frozenset()

    def _play(
        self, node: Node, seating: Seating, events: list[t.TableEvent], plan: Plan, number: int, *, told: bool = False
    ) -> tuple[list[Finding], Node]:
        table = copy_table(node.table)
        if not told:
            for event in events:
                table._told(Told(1, event, START + number * 120_000 - 60_000))
        people = {seat: (sitter.player, sitter.stack) for seat, sitter in seating.items()}
        line, stacks = events_of(self.game, plan, number, people)
        hand = played(fold(line), f"{number:032x}")
        contexts = TableContexts(table, Told(number, hand, None), listed(table.state, hand))
        found = self.audit.add(PlayedHand(line), contexts)
        if not plan.judged:  # nobody is accused for certain by what the book does not settle
            found = [one for one in found if one.certainty == "certain"]
        if not self._last:
            table._played(Told(number, hand, None), contexts.hand, contexts)
        self.walk.hands += 1
        after = {
            seat: Sitter(one.player, stacks[seat], one.there, one.in_room, one.marked) for seat, one in seating.items()
        }
        step = Step(tuple(events), tuple(line))
        made_up = {} if node.dealt is None else dict(node.dealt.made_up)
        made_up |= {seating[post.seat].player: str(number) for post in plan.posts if post.role == "makeup"}
        dealt = Dealt(plan, {seat: one.player for seat, one in seating.items()}, made_up)
        return found, Node(table, after, (*node.steps, step), node.count, node.markers, dealt)

    def _wrong(
        self, node: Node, seating: Seating, events: list[t.TableEvent], plan: Plan, plans: list[Plan], number: int
    ) -> None:
        """Law 5: what was dealt otherwise than any reading offers is found."""
        for what, other in wrongs(plan):
            if any(same(other, one) for one in plans):
                continue
            self.walk.wronged += 1
            found, after = self._play(node, seating, events, other, number, told=True)
            if not found:
                self._note([], [f"law 5: {what} is not found"], after)

    def _note(self, found: list[Finding], wrong: list[str], node: Node) -> None:
        walk = self.walk
        walk.broken += node.count
        certain = bool(wrong) or any(one.certainty == "certain" for one in found)
        walk.certain += node.count if certain else 0
        kind = "; ".join(sorted({*wrong, *(f"{one.clause} {one.certainty}" for one in found)}))
        walk.kinds[kind] += node.count
        known = walk.least.get(kind)
        if known is None or _weight(node.steps) < _weight(known):
            walk.least[kind] = node.steps
            walk.said[kind] = "\n".join(f"{one.citation}: {one.saw} (should: {one.should})" for one in found)


def _weight(steps: tuple[Step, ...]) -> tuple[int, int]:
    return len(steps), sum(len(step.before) for step in steps[1:])


def script(steps: tuple[Step, ...]) -> str:
    """Return a history in handscript."""
    lines = ["handscript 1", "venue Evening  table 1", "witness live-table except burns shuffles"]
    for step in steps:
        if step.before:
            lines += ["", *tell([one for one in step.before if not isinstance(one, t.TableOpened)], PEOPLE)]
        lines += ["", *tell(list(step.hand), PEOPLE)]
        lines[-1] = "end"
    lines = [line if not line.startswith("hand ") else " ".join(line.split()[:3]) for line in lines]
    return "\n".join(lines) + "\n"
