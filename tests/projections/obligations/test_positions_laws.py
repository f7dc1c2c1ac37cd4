"""Laws that positions keep on any evening that is played as it is due."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import HandPlayed, Post, TableEvent
from ledger.table.fold import apply, begin
from ledger.table.order import TableEntry
from ledger.table.state import TableState
from projections.obligations.dues import Due, Placement
from projections.obligations.obligations import Obligations
from projections.obligations.policy import Policy
from tests.ledger.table.tables import hand
from tests.projections.obligations.rooms import DEAD, MOVING, OWED, deal, policy, shown_placement

pytestmark = pytest.mark.slow  # seconds; left out of `make check`

OWED_POLICY = policy("house", "owed")
ADJUSTED = policy("moving", "adjusted")
ALL = [DEAD, MOVING, OWED, OWED_POLICY, ADJUSTED]
CHAIRS = range(1, 11)


class Dealt(NamedTuple):
    """A hand as it was due and played."""

    due: Due
    hand: HandPlayed
    coming: Due  # what was said of it before it was dealt


class Room:
    """A table whose hands are dealt as they are due."""

    def __init__(self, policy: Policy, first: HandPlayed) -> None:
        self.kept = Obligations(policy, "house")
        self.state: TableState = begin()
        self.count = 0
        self.played: list[Dealt] = []
        self.take(first)

    def tell(self, event: TableEvent) -> None:
        self.count += 1
        apply(self.state, event)
        self.kept.apply_table_event(TableEntry(self.count, event), self.state)

    def take(self, hand_played: HandPlayed, coming: Due | None = None) -> None:
        self.count += 1
        due = self.kept.add_seat_dues(self.kept.find_positions(self.state, hand_played), self.state, hand_played)
        self.agree(due, hand_played)
        self.kept.apply_hand(hand_played, self.state, due)
        apply(self.state, hand_played)
        if coming is not None:
            self.played.append(Dealt(due, hand_played, coming))

    def agree(self, due: Due, hand_played: HandPlayed) -> None:
        """The short way of a quiet table says what the long way says."""
        turn, self.kept.round.turn = self.kept.round.turn, None
        assert self.kept.find_positions(self.state, hand_played).placements == due.placements
        self.kept.round.turn = turn

    def deal(self, **more: Any) -> bool:
        """Deal the next hand to all who are to be dealt in; say whether there was one."""
        coming = self.kept.find_due(self.state)
        if coming.place is None or coming.place.button is None or len(coming.dealt) < 2:
            return False
        out = {seat: "unknown" for seat in self.state.seats if seat not in coming.dealt}
        number = len(self.played) + 2
        self.take(deal(number, coming, coming.dealt, out=out, **more), coming)
        return True


STEP = st.tuples(st.sampled_from(["leave", "away", "back", "sit"]), st.sampled_from(CHAIRS))
STEPS = st.lists(st.lists(STEP, max_size=2), min_size=6, max_size=14)
LEAVES = st.lists(st.lists(st.tuples(st.just("leave"), st.sampled_from(CHAIRS)), max_size=2), min_size=6, max_size=14)


def open_room(policy: Policy, seats: set[int], at: int) -> Room:
    ring = sorted(seats)
    button, small, big = (ring[(at + step) % len(ring)] for step in range(3))
    first = hand(1, button, None, None, ring, posts=(Post(small, "small", 5), Post(big, "big", 10)))
    return Room(policy, first)


def evening(policy: Policy, seats: set[int], button: int, steps: list, least: int = 2) -> Room:
    room = open_room(policy, seats, button)
    for step in steps:
        for act, seat in step:
            seat_state = room.state.seats.get(seat)
            present_count = sum(seat_due.presence == "present" for seat_due in room.state.seats.values())
            if act == "sit" and seat_state is None:
                room.tell(SeatTaken(seat, f"n{room.count}", "walk-in", 200))
            elif seat_state is None or (act in ("leave", "away") and present_count <= least):
                continue
            elif act == "leave":
                room.tell(SeatLeft(seat, seat_state.player))
            elif act == "away" and seat_state.presence == "present":
                room.tell(PlayerAway(seat, seat_state.player))
            elif act == "back" and seat_state.presence == "away":
                room.tell(PlayerBack(seat, seat_state.player))
        if not room.deal():
            break
    return room


SEATS = st.sets(st.sampled_from(CHAIRS), min_size=3)
SEAT_NUMBERS = st.integers(0, 9)


def check(place: Placement, dealt: tuple[int, ...]) -> None:
    assert place.big in dealt
    for seat in (place.opener, place.first, place.last, *(post.seat for post in place.posts)):
        assert seat in dealt
    assert len({(post.seat, post.role) for post in place.posts}) == len(place.posts)
    assert any(post.role == "big" for post in place.posts)
    if len(dealt) == 2:
        assert place.button == place.small != place.big
        assert (place.opener, place.last) == (place.button, place.button)
    elif place.judged:
        assert len({place.button, place.small, place.big} - {None}) == sum(
            seat is not None for seat in (place.button, place.small, place.big)
        )
    assert place.button_empty == (place.button is not None and place.button not in dealt)
    assert place.small_empty == (place.small is not None and place.small not in dealt)
    assert all(ground.sentence for ground in (*place.button_grounds, *place.small_grounds, *place.big_grounds))


def test_who_leaves_and_is_back_at_once_is_passed_over_by_the_button_as_a_new_player() -> None:
    steps = [[], [], [], [("leave", 1)], [("leave", 5), ("sit", 5)], []]
    played = evening(MOVING, {1, 2, 5, 6}, 0, steps).played
    assert [item.hand.button for item in played] == [2, 5, 6, 2, 6, 2]


@pytest.mark.parametrize("book_policy", ALL)
@given(seats=SEATS, button=SEAT_NUMBERS, steps=STEPS)
def test_positions_never_collide(book_policy: Policy, seats: set[int], button: int, steps: list) -> None:
    for played_hand in evening(book_policy, seats, button, steps).played:
        for place in played_hand.due.placements:
            check(place, played_hand.due.dealt)


@pytest.mark.parametrize("book_policy", ALL)
@given(seats=SEATS, button=SEAT_NUMBERS, steps=STEPS)
def test_a_hand_dealt_as_it_was_due_was_right(book_policy: Policy, seats: set[int], button: int, steps: list) -> None:
    """What is said before a hand stands among what is said of it, once it is dealt."""
    for played_hand in evening(book_policy, seats, button, steps).played:
        placement = shown_placement(played_hand.coming)
        key = (placement.button, placement.small, placement.big, [(p.seat, p.role) for p in placement.posts])
        assert key in [
            (p.button, p.small, p.big, [(q.seat, q.role) for q in p.posts]) for p in played_hand.due.placements
        ]


def paid(room: Room) -> dict[str, list[tuple[int, str]]]:
    """What each player who stayed from first to last posted, by hand; nobody is left out of it."""
    stayed = {played_hand.player for played_hand in room.played[-1].hand.dealt_in} if room.played else set()
    for played_hand in room.played:
        stayed &= {dealt.player for dealt in played_hand.hand.dealt_in}
    blinds_paid: dict[str, list[tuple[int, str]]] = {player: [] for player in stayed}
    for number, played_hand in enumerate(room.played):
        name = {dealt.seat: dealt.player for dealt in played_hand.hand.dealt_in}
        for post in played_hand.hand.posts:
            if name[post.seat] in stayed:
                blinds_paid[name[post.seat]].append((number, post.role))
    return blinds_paid


@given(seats=SEATS, button=SEAT_NUMBERS, steps=LEAVES)
def test_everybody_pays_each_blind_once_per_round_under_the_dead_button(
    seats: set[int], button: int, steps: list
) -> None:
    """Big, and small on the very next hand: with three players or more nobody escapes one."""
    room = evening(DEAD, seats, button, steps, least=3)
    posts = paid(room)
    pairs_up(posts, len(room.played) - 1)
    for own_posts in posts.values():
        bigs = [number for number, role in own_posts if role == "big"]
        for start, end in pairwise(bigs):
            for other_posts in posts.values():
                assert sum(role == "big" and start <= number < end for number, role in other_posts) == 1


def pairs_up(posts: dict[str, list[tuple[int, str]]], last: int) -> None:
    for own_posts in posts.values():
        for number, role in own_posts:
            if role == "big" and number < last:
                assert (number + 1, "small") in own_posts
            if role == "small" and number > 0:
                assert (number - 1, "big") in own_posts


@given(
    seats=st.sets(st.sampled_from(CHAIRS), min_size=5),
    button=SEAT_NUMBERS,
    leaving=st.lists(st.sampled_from(CHAIRS), max_size=5),
)
def test_everybody_pays_each_blind_once_per_round_where_blinds_are_owed(
    seats: set[int], button: int, leaving: list[int]
) -> None:
    """Players leave one by one, so that the table is not through before its debts are."""
    steps = [step for seat in leaving for step in ([("leave", seat)], [], [], [])]
    room = evening(OWED, seats, button, steps + [[]] * 8, least=4)
    posts = paid(room)
    pairs_up(posts, len(room.played) - 1)
    counts = [sum(role == "big" for _, role in own_posts) for own_posts in posts.values()]
    assert max(counts, default=0) - min(counts, default=0) <= 2


@given(seats=SEATS, button=SEAT_NUMBERS, steps=LEAVES)
def test_nobody_acts_last_twice_running_under_the_moving_button(seats: set[int], button: int, steps: list) -> None:
    for book_policy in (MOVING, OWED):
        room = evening(book_policy, seats, button, steps, least=3)
        for played_hand, two in pairwise(room.played):
            assert shown_placement(played_hand.due).last != shown_placement(two.due).last


@given(seats=SEATS, button=SEAT_NUMBERS, steps=LEAVES)
def test_nobody_has_the_big_blind_twice_running(seats: set[int], button: int, steps: list) -> None:
    """Where three become two a button that always goes on may leave it with the same player."""
    for book_policy in (DEAD, MOVING, OWED):
        room = evening(book_policy, seats, button, steps)
        for played_hand, two in pairwise(room.played):
            became_two = shown_placement(two.due).heads_up and not shown_placement(played_hand.due).heads_up
            if book_policy is DEAD or not became_two:
                assert shown_placement(played_hand.due).big != shown_placement(two.due).big


@given(seats=SEATS, button=SEAT_NUMBERS, steps=LEAVES)
def test_every_hand_has_all_blinds_under_the_moving_button(seats: set[int], button: int, steps: list) -> None:
    for played_hand in evening(MOVING, seats, button, steps).played:
        assert sorted(post.role for post in shown_placement(played_hand.due).posts) == ["big", "small"]


@given(seats=SEATS, button=SEAT_NUMBERS, hands=st.integers(2, 25))
def test_where_nobody_comes_or_goes_all_methods_agree(seats: set[int], button: int, hands: int) -> None:
    rooms = [evening(book_policy, seats, button, [[]] * hands) for book_policy in ALL]
    for row in zip(*(room.played for room in rooms), strict=True):
        for answer in row:
            assert len(answer.due.placements) == 1
            readings = [(p.button, p.small, p.big, p.opener, p.first, p.last) for p in answer.due.placements]
            assert readings == [(p.button, p.small, p.big, p.opener, p.first, p.last) for p in row[0].due.placements]
