"""Random evenings of full tables, dealt as `due` offers: no rule is broken, and every output offers the same."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn
from projections.audit.audit_result import make_book_ref
from projections.live.next_hand import propose_hand
from projections.obligations.dues import Due
from projections.reports.owed_report import OccupiedSeat, OwedDocument, format_screen, format_summary
from projections.table_walk.table_context import TableWalk
from projections.table_walk.table_dues import list_seat_holders
from tests.laws import size
from tests.small_tables.changes import Change, Seating, absent, can_combine, touches_others
from tests.small_tables.dealing import Plan
from tests.small_tables.laws import breaches
from tests.small_tables.offers import offers
from tests.small_tables.shown import (
    placement_called,
    placements_due,
    placements_in_summary,
    placements_on_screen,
    seats_on_screen,
)
from tests.small_tables.tables import FURTHER, TABLES
from tests.small_tables.walking import Node, Walker, script

pytestmark = pytest.mark.law

SEATS = 9
EVENINGS = {name: table.with_seats(SEATS) for name, table in (TABLES | FURTHER).items() if "busts" not in table.more}
WIDE = 400
"""Columns: nothing is folded, so that a line is one statement."""


class Evening:
    """One evening of a full table: things happen between hands, and each hand is one of those that are offered."""

    def __init__(self, name: str, seed: int) -> None:
        self.random = Random(f"{name} {seed}")
        self.walker = Walker(EVENINGS[name])
        self.name = f"{name}, evening {seed}"

    def play(self, hands: int) -> int:
        """Play so many hands; return how many were dealt as offered."""
        node = self.walker._first()
        for played in range(hands):
            follower = self._next(node)
            if follower is None:
                return played
            node = follower
        return hands

    def _next(self, node: Node) -> Node | None:
        walker, number = self.walker, len(node.steps) + 1
        combination = self._changes(node)
        seating, events = walker._apply(node, combination)
        if "buys" in combination and not walker._may_buy(node, events):
            seating, events = walker._apply(node, ("",) * SEATS)
        table, due, events, markers = walker._told(node, seating, events, number)
        plans = [] if due.unknown else offers(due, absent(seating))
        self._hold_outputs(table, due, plans, seating)
        if not plans:
            return None
        plan = self.random.choice(plans)
        node_here = Node(None, seating, node.steps, markers, node.dealt)
        findings, node_after = walker._play(node_here, table, seating, events, plan, due=due)
        players = {seat: sitter.player for seat, sitter in seating.items()}
        assert node.dealt is not None
        wrong = [finding.citation + ": " + finding.saw for finding in findings]
        wrong += breaches(due, plan, players, node.dealt)
        assert not wrong, f"{self.name}: {wrong}\n{script(node_after.steps)}"
        return node_after

    def _changes(self, node: Node) -> tuple[Change, ...]:
        """Return what happens before the next hand: mostly nothing, mostly to one or two seats."""
        options = self.walker.options(node)
        several = self.random.choice((0, 0, 1, 1, 1, 2, 3))
        seats = self.random.sample(range(SEATS), several)
        combination = tuple([self.random.choice(options[seat]) if seat in seats else "" for seat in range(SEATS)])
        if not can_combine(combination):
            combination = tuple(["" if touches_others(change) else change for change in combination])
        return combination

    def _hold_outputs(self, table: TableWalk, due: Due, plans: list[Plan], seating: Seating) -> None:
        """Hold text, JSON, the floor's summary and the proposed hand against what is offered."""
        book = self.walker.book
        occupied = [
            OccupiedSeat(seat_holder.seat, f"P{seat_holder.seat}", seat_holder.stack, seat_holder.presence)
            for seat_holder in list_seat_holders(table.state, None)
        ]
        document = OwedDocument(
            "Evening", "", "1", "", "chips", 0, due.previous_hand, "", [make_book_ref(book)], occupied, None, [due]
        )
        events = msgspec.json.decode(msgspec.json.encode(document, enc_hook=int), type=OwedDocument)
        assert offers(events.due[0], absent(seating)) == plans
        screen = format_screen(document, width=WIDE)
        assert placements_on_screen(screen) == placements_due(due), screen
        summary = "\n".join(format_summary(document, width=WIDE))
        assert placements_in_summary(summary) == placements_due(due), summary
        if due.placements and not due.unknown:
            assert placement_called(screen) == placements_due(due)[0], screen
        self._hold_seats(screen, due, plans)
        proposal = propose_hand(table.state, due)
        if not proposal.missing and plans:
            dealt = tuple([event.seat for event in proposal.events if isinstance(event, SeatDealtIn)])
            button = next(event.seat for event in proposal.events if isinstance(event, ButtonPlaced))
            posts = sorted(
                (event.seat, event.role, event.live, event.dead)
                for event in proposal.events
                if isinstance(event, BlindPosted)
            )
            assert (button, dealt, posts) in [
                (plan.button, plan.dealt, sorted((post.seat, post.role, post.live, post.dead) for post in plan.posts))
                for plan in plans
            ], f"{self.name}: {proposal}\n{screen}"

    def _hold_seats(self, screen: str, due: Due, plans: list[Plan]) -> None:
        """Hold what is printed of each seat against the hands that may be dealt."""
        for seat, line in seats_on_screen(screen).items():
            dealt = [plan for plan in plans if seat in plan.dealt]
            posting = [
                plan
                for plan in dealt
                if any(post.seat == seat and post.role in ("entry", "makeup") for post in plan.posts)
            ]
            part = line.split(",")[0]
            if part in ("plays", "may play at once", "plays without a post", "may play at once without a post"):
                assert not plans or dealt, f"{self.name}: {line}\n{screen}"
                assert not posting, f"{self.name}: {line}\n{screen}"
            elif part.startswith("may play if it posts") and "isn't recorded" not in part:
                assert posting or not plans, f"{self.name}: {line}\n{screen}"
            elif part == "gets no cards":
                assert not dealt, f"{self.name}: {line}\n{screen}"
            ways_in = next(seat_due.ways_in for seat_due in due.seats if seat_due.seat == seat)
            assert ("buys the button" in line) <= any(
                way_in.kind == "buy-button" and way_in.is_on_this_hand for way_in in ways_in
            )


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_of_a_full_table_dealt_as_offered(name: str) -> None:
    played = sum(Evening(name, seed).play(size(12, 40)) for seed in range(size(2, 60)))
    assert played
