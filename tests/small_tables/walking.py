"""Walks all histories of a small table, those with the same beginning together, and judges each hand on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from random import Random
from typing import Final, NamedTuple

from ledger.formats.handscript import write_lines
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.presence import MarkerGiven
from ledger.replay import HandReplay
from ledger.table import events as t
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from ledger.table.unlisted_seats import list_absent_players
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.findings.finding import Finding
from projections.obligations.dues import Due
from projections.table_walk.table_context import ContextsByBook, TableWalk
from tests.small_tables.changes import (
    Change,
    Seating,
    absent,
    apply_changes,
    beginning,
    can_combine,
    changes_of,
    touches_others,
)
from tests.small_tables.dealing import PEOPLE, START, WITNESSES, Plan, Post, events_of
from tests.small_tables.keys import KeyMaker, TableKey, TableView, seat_number
from tests.small_tables.laws import Dealt, breaches
from tests.small_tables.offers import offers
from tests.small_tables.snapshots import copy_table
from tests.small_tables.tables import SmallTable
from tests.small_tables.wrongs import deals_same, wrongs

ANY: Final = 0
"""A number of hands: walk until no hand leads to a new table."""


class Step(NamedTuple):
    """One hand of a history, with what was told before it."""

    before: tuple[t.TableEvent, ...]
    hand: tuple[HandEvent, ...]


@dataclass(slots=True, eq=False)
class Node:
    """A table between two hands, which stands for all that are like it."""

    table: TableWalk | None  # None once all that may follow is known
    seating: Seating
    steps: tuple[Step, ...]
    markers: frozenset[int] = frozenset()
    dealt: Dealt | None = None
    coming: Counter[Coming] | None = None  # what may happen before the next hand, and in how many ways


@dataclass(slots=True, eq=False)
class Coming:
    """A table that was told what happened since its last hand, and what follows from each offer."""

    stuck: str = ""  # why nothing is offered
    kept: int = 0
    broken: int = 0
    certain: int = 0
    wronged: int = 0
    answers: Counter[str] = field(default_factory=Counter)  # what is found in hands with one wrong
    after: list[Node] = field(default_factory=list)


@dataclass
class Walk:
    """What became of all histories of a table."""

    kept: int = 0
    broken: int = 0
    certain: int = 0
    hands: int = 0
    offered: int = 0
    states: int = 0  # tables behind a hand that are not alike
    comings: int = 0  # the same before a hand
    closed: int = 0  # behind this hand and later ones no table is new: what holds, holds of any number of hands
    wronged: int = 0  # hands dealt with one wrong
    answers: Counter[str] = field(default_factory=Counter)  # what is found in them, by histories
    missed: int = 0  # of them, those in which nothing is found, or nothing certain where there is no choice
    stuck: Counter[str] = field(default_factory=Counter)  # why nothing is offered
    kinds: Counter[str] = field(default_factory=Counter)
    least: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def report(self) -> str:
        """Say what was found, with the least history of each kind."""
        broken = f"{self.broken:,} broken ({self.certain:,} for certain)"
        played = f"{self.hands:,} hands played, {self.offered:,} offers, {self.states:,} tables"
        lines = [f"{self.kept + self.broken:,} histories, {broken}; {played}"]
        if self.wronged:
            lines.append(f"  dealt with one wrong: {self.wronged:,} hands, missed in {self.missed:,}")
            lines += [f"    {answer}: {count:,}" for answer, count in sorted(self.answers.items())]
        if self.closed:
            lines.append(f"  no table is new behind hand {self.closed + 1}: so it is in any number of hands")
        lines += [f"  nothing is offered, {count:,} times: {why}" for why, count in self.stuck.most_common()]
        for kind, count in self.kinds.most_common():
            lines += ["", f"## {count:,} times: {kind}", self.said[kind], script(self.least[kind])]
        return "\n".join(lines)


@cache
def audit_of(book: str) -> Auditor:
    """Return an audit under a book."""
    return Auditor([load(book)], keep_findings=False)


class Walker:
    """Plays every history of a table and judges it."""

    def __init__(
        self,
        game: SmallTable,
        *,
        most_changes: int = 99,
        leaving: bool = False,
        merged: bool = True,
        turned: bool = True,
        most_tables: int = 0,
        wronged: bool = False,
        on_progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take the game.

        `merged`: tables with one key are walked on once; `turned`: also if they differ by where seat 1 is.
        `wronged`: each offer is also dealt with one wrong, which has to be found. `most_tables`: so many of
        them, drawn at random, are walked on from behind each hand; 0 = all.
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
        self._keys = KeyMaker(game.seats, turned=turned)
        self._known: dict[object, Node] = {}
        self._comings: dict[object, Coming] = {}
        self._last = False
        self._random = Random(f"{game.name} {game.seats}")
        self._progress = on_progress

    def run(self, hands: int) -> Walk:
        """Walk all histories of so many hands; `ANY`: of any number, until no hand leads to a new table."""
        first = self._first()
        counts = {first: 1}
        new = [first]
        number = 1
        while number < (hands or number + 1):
            number += 1
            self._last = number == hands
            if self.most_tables and len(new) > self.most_tables:
                new = self._random.sample(new, self.most_tables)
            for index, node in enumerate(new, 1):
                self._expand(node)
                if index % 50 == 0:
                    self._progress(f"{self._said(number)}: {index:,} of {len(new):,} tables")
            counts = self._count(counts, ends=self._last)
            self._progress(self._said(number))
            new = [node for node in counts if node.coming is None]
            if not (new or hands or self.most_tables):
                self.walk.closed = number - 1
                self._count(counts, ends=True)
                break
        return self.walk

    def some_tables(self, most: int) -> list[Node]:
        """Return tables behind the first hand and behind the second."""
        first = self._first()
        table = first.table
        self._expand(first)
        first.table = table
        return [first, *[node for node in self._known.values() if node.table is not None][:most]]

    def _said(self, number: int) -> str:
        walk = self.walk
        return f"{self.game.name}: hand {number}, {walk.states:,} tables, {walk.hands:,} hands, {walk.broken:,} broken"

    def _count(self, counts: dict[Node, int], *, ends: bool) -> dict[Node, int]:
        """Return how many histories come to each table one hand later, and count those that end."""
        walk = self.walk
        after: Counter[Node] = Counter()
        for node, count in counts.items():
            for coming, ways in (node.coming or {}).items():
                if coming.stuck:
                    walk.stuck[coming.stuck] += count * ways
                walk.broken += count * ways * coming.broken
                walk.certain += count * ways * coming.certain
                for answer, times in coming.answers.items():
                    walk.answers[answer] += count * ways * times
                if ends:
                    walk.kept += count * ways * coming.kept
                    continue
                for follower in coming.after:
                    after[follower] += count * ways
        return after

    def _first(self) -> Node:
        game = self.game
        seating = beginning(game.seats)
        table = TableWalk([self.book])
        events: list[t.TableEvent] = [t.TableOpened("Evening", "1", seats=game.seats, witnesses=WITNESSES)]
        events += [t.PlayerEstablished(seat, sitter.player) for seat, sitter in seating.items()]
        button, *others = seating
        roles = ("small", "big", "extra")[: len(game.blinds)]
        posts = tuple([Post(seat, role, chips) for seat, role, chips in zip(others, roles, game.blinds, strict=False)])
        extra = others[2] if len(posts) > 2 else None
        plan = Plan(button, others[0], others[1], tuple(seating), posts, [*others, button][len(posts)], extra=extra)
        self.tell(table, events, 1)
        findings, after = self._play(Node(table, seating, ()), table, seating, events, plan)
        assert not findings, findings
        return after

    # What may happen between two hands

    def _expand(self, node: Node) -> None:
        """Find out all that may happen to a table up to the end of its next hand."""
        assert node.table is not None
        node.coming = Counter()
        for key, combination in self._combinations(node):
            coming = self._comings.get(key)
            if coming is None:
                coming = self._comings[key] = self._come(node, combination)
            node.coming[coming] += 1
        node.table = None

    def _combinations(self, node: Node) -> Iterator[tuple[object, tuple[Change, ...]]]:
        """Yield what may happen between two hands, each with the key of the table then."""
        assert node.table is not None
        view = self.view(node)
        shared = view.shared(node.table)
        options = self.options(node)
        parts = self.parts(node, view, [tuple([one for one in seat if not touches_others(one)]) for seat in options])
        ring = view.ring()
        for combination in sorted(product(*options), key=_changes):
            if _changes(combination) > self.most_changes:
                break
            if not can_combine(combination):
                continue
            if not self.merged:
                yield object(), combination
            elif any(map(touches_others, combination)):
                yield self._key_of(node, view, combination), combination
            else:
                yield TableKey(shared, tuple([parts[seat, combination[seat - 1]] for seat in ring])), combination

    def options(self, node: Node) -> list[tuple[Change, ...]]:
        """Return what may happen to each seat, in the order of the seats."""
        game, seats = self.game, range(1, self.game.seats + 1)
        empty = [seat for seat in seats if seat not in node.seating]
        return [
            changes_of(
                node.seating.get(seat), tells_room=game.tells_room, leaving=self.leaving, extra=game.more, empty=empty
            )
            for seat in seats
        ]

    def _apply(self, node: Node, combination: tuple[Change, ...]) -> tuple[Seating, list[t.TableEvent]]:
        busts = "busts" in self.game.more
        return apply_changes(node.seating, combination, f"N{len(node.steps) + 1}s", counted=busts)

    def _key_of(self, node: Node, view: TableView, combination: tuple[Change, ...]) -> TableKey:
        """Return the key of a table after changes of which one is of more than its own seat."""
        assert node.table is not None
        table = copy_table(node.table)
        seating, events = self._apply(node, combination)
        self.tell(table, events, len(node.steps) + 1)
        marked = self._marked(node, seating)
        seats = tuple([view.seat(table, seat, seat in marked) for seat in view.ring()])
        return TableKey(view.shared(table), seats)

    def view(self, node: Node) -> TableView:
        """Return a table as its key names seats and players."""
        assert node.table is not None
        return self._keys.view(node.table)

    def parts(self, node: Node, view: TableView, options: list[tuple[Change, ...]]) -> dict[tuple[int, Change], int]:
        """Return the part of a key that each seat has after each change."""
        assert node.table is not None
        parts: dict[tuple[int, Change], int] = {}
        for change in sorted({change for changes in options for change in changes}):
            combination = tuple([change if change in changes else "" for changes in options])
            table = copy_table(node.table)
            seating, events = self._apply(node, combination)
            self.tell(table, events, len(node.steps) + 1)
            marked = self._marked(node, seating)
            for seat, changes in enumerate(options, 1):
                if change in changes:
                    parts[seat, change] = view.seat(table, seat_number(seat), seat in marked)
        return parts

    def _marked(self, node: Node, seating: Seating) -> set[int]:
        """Return the seats where a marker lies that was given to who sits there."""
        return {
            seat
            for seat in node.markers
            if node.seating.get(seat) and seat in seating and node.seating[seat].player == seating[seat].player
        }

    def tell(self, table: TableWalk, events: list[t.TableEvent], number: int) -> None:
        """Tell a table what happens before a hand."""
        clock = START + number * 120_000 - 60_000
        for event in events:
            table._apply_event(TableEntry(1, event, clock))

    # The next hand

    def _come(self, node: Node, combination: tuple[Change, ...]) -> Coming:
        """Play the next hand in every way that is offered."""
        number = len(node.steps) + 1
        seating, events = self._apply(node, combination)
        if "buys" in combination and not self._may_buy(node, events):
            return Coming()
        table, due, events, markers = self._told(node, seating, events, number)
        if due.unknown or not due.placements:
            return Coming(due.unknown or "no placement")
        plans = list(self._with_losers(offers(due, absent(seating)), seating))
        coming = Coming("" if plans else "no offer")
        self.walk.comings += 1
        players = {seat: sitter.player for seat, sitter in seating.items()}
        here = Node(None, seating, node.steps, markers, node.dealt)
        for plan in plans:
            self.walk.offered += 1
            if self.wronged and plan.judged and plan.lost is None:
                coming.answers += self._wrong(here, table, events, plan, plans, due)
            findings, after = self._play(here, table, seating, events, plan, due=due)
            assert node.dealt is not None
            wrong = list(breaches(due, plan, players, node.dealt))
            if findings or wrong:
                coming.broken += 1
                coming.certain += self._note(findings, wrong, after)
                continue
            coming.kept += 1
            if not self._last:
                coming.after.append(self._merge(after))
        return coming

    def _may_buy(self, node: Node, events: list[t.TableEvent]) -> bool:
        """Whether the button is for sale to who buys it."""
        assert node.table is not None
        table = copy_table(node.table)
        self.tell(table, [event for event in events if not isinstance(event, t.ButtonBought)], len(node.steps) + 1)
        due = table.find_next_dues()[self.book.name]
        buyers = [due.seat(event.seat) for event in events if isinstance(event, t.ButtonBought)]
        return all(
            buyer and any(way.kind == "buy-button" and way.is_on_this_hand for way in buyer.ways_in) for buyer in buyers
        )

    def _with_losers(self, plans: list[Plan], seating: Seating) -> Iterator[Plan]:
        """Yield each plan, and where players may go broke, each who is there losing all to the next one."""
        yield from plans
        if "busts" not in self.game.more:
            return
        for plan in plans:
            seats = [seat for seat in plan.dealt if seating[seat].there]
            dead = {post.seat: post.dead for post in plan.posts}
            for place, seat in enumerate(seats if len(seats) > 1 else ()):
                winner = seats[(place + 1) % len(seats)]
                if dead.get(winner, 0) <= dead.get(seat, 0):  # or it has less than the other loses
                    yield replace(plan, lost=(seat, winner))

    def _merge(self, node: Node) -> Node:
        """Return the table that stands for all that are like this one."""
        assert node.table is not None
        key: object = self._keys.view(node.table).key(node.markers) if self.merged else object()
        known = self._known.get(key)
        if known is not None:
            return known
        self.walk.states += 1
        self._known[key] = node
        return node

    def _told(
        self, node: Node, seating: Seating, events: list[t.TableEvent], number: int
    ) -> tuple[TableWalk, Due, list[t.TableEvent], frozenset[int]]:
        """Return a table that was told what happened, and what is due on its coming hand."""
        assert node.table is not None
        table = copy_table(node.table)
        self.tell(table, events, number)
        due = table.find_next_dues()[self.book.name]
        if self.game.gives_markers:
            needed = {term.seat for term in due.seats if term.missed and term.status != "new"}
            markers = self._marked(node, seating)
            given: list[t.TableEvent] = [
                MarkerGiven(seat_number(seat), "missed-blind") for seat in sorted(needed - markers)
            ]
            if given:
                self.tell(table, given, number)
                due = table.find_next_dues()[self.book.name]
            return table, due, [*events, *given], frozenset(needed)
        return table, due, events, frozenset()

    def _play(
        self,
        node: Node,
        table_walk: TableWalk,
        seating: Seating,
        events: list[t.TableEvent],
        plan: Plan,
        *,
        due: Due | None = None,
    ) -> tuple[list[Finding], Node]:
        """Play a hand at a table that was told all that lies before it; return what is found and the table then."""
        table, number = copy_table(table_walk), len(node.steps) + 1
        people = {seat: (sitter.player, sitter.stack) for seat, sitter in seating.items()}
        line, stacks = events_of(self.game, plan, number, people)
        hand = build_hand_played(fold(line), f"{number:032x}")
        contexts = ContextsByBook(table, TableEntry(number, hand, None), list_absent_players(table.state, hand))
        contexts[self.book.name]._dues_before_deal = due
        findings = self.audit.judge_hand(HandReplay(line), contexts)
        if not plan.judged:  # nobody is accused for certain by what the book does not settle
            findings = [finding for finding in findings if finding.certainty == "certain"]
        if not self._last:
            table._apply_hand(TableEntry(number, hand, None), contexts.hand, contexts)
        self.walk.hands += 1
        after = {seat: sitter.after_hand(stacks[seat], dealt=seat in plan.dealt) for seat, sitter in seating.items()}
        made_up = {} if node.dealt is None else dict(node.dealt.made_up)
        made_up |= {seating[post.seat].player: str(number) for post in plan.posts if post.role == "makeup"}
        dealt = Dealt(plan, {seat: sitter.player for seat, sitter in seating.items()}, made_up)
        step = Step(tuple(events), tuple(line))
        return findings, Node(table, after, (*node.steps, step), node.markers, dealt)

    def _wrong(
        self, node: Node, table_walk: TableWalk, events: list[t.TableEvent], plan: Plan, plans: list[Plan], due: Due
    ) -> Counter[str]:
        """Law 5: what was dealt otherwise than any reading offers is found.

        It is for certain where one way is offered, and neither this hand nor the last has two players: what lies
        then between button and blinds is a matter of readings (docs/readings.md).
        """
        answers: Counter[str] = Counter()
        assert node.dealt is not None
        plain = len(plans) == 1 and min(len(plan.dealt), len(node.dealt.plan.dealt)) > 2
        for what, other in wrongs(plan):
            if any(deals_same(other, offered) for offered in plans):
                continue
            self.walk.wronged += 1
            findings, after = self._play(node, table_walk, node.seating, events, other, due=due)
            sure = any(finding.certainty == "certain" for finding in findings)
            answers[f"{what}: {'certain' if sure else 'likely' if findings else 'nothing'}"] += 1
            if not findings or (plain and not sure):
                self.walk.missed += 1
                text = "; ".join(sorted({finding.clause for finding in findings}))
                wrong = (
                    f"law 5: {what} is found as likely only, by {text}" if findings else f"law 5: {what} is not found"
                )
                self._note([], [wrong], after)
        return answers

    def _note(self, findings: list[Finding], wrong: list[str], node: Node) -> bool:
        """Keep the least history of each kind of wrong; return whether it is certain."""
        walk = self.walk
        certain = bool(wrong) or any(finding.certainty == "certain" for finding in findings)
        kind = "; ".join(sorted({*wrong, *(f"{finding.clause} {finding.certainty}" for finding in findings)}))
        walk.kinds[kind] += 1
        known = walk.least.get(kind)
        if known is None or _weight(node.steps) < _weight(known):
            walk.least[kind] = node.steps
            walk.said[kind] = "\n".join(
                f"{finding.citation}: {finding.saw} (should: {finding.should})" for finding in findings
            )
        return certain


def _changes(combination: tuple[Change, ...]) -> int:
    """Return how many of them are somebody's choice."""
    return sum(change not in ("", "out") for change in combination)


def _weight(steps: tuple[Step, ...]) -> tuple[int, int]:
    return len(steps), sum(len(step.before) for step in steps[1:])


def script(steps: tuple[Step, ...]) -> str:
    """Return a history in handscript."""
    lines = ["handscript 1", "venue Evening  table 1", "witness live-table except burns shuffles"]
    for step in steps:
        if step.before:
            lines += ["", *write_lines([one for one in step.before if not isinstance(one, t.TableOpened)], PEOPLE)]
        lines += ["", *write_lines(list(step.hand), PEOPLE)]
        lines[-1] = "end"
    lines = [line if not line.startswith("hand ") else " ".join(line.split()[:3]) for line in lines]
    return "\n".join(lines) + "\n"
