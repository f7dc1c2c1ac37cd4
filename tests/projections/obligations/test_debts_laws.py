"""Laws of debts over random evenings: who is always there owes nothing, who made up owes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import Post
from projections.obligations.dues import Due
from tests.projections.obligations.desk import Desk, due_at, entry, makeup

COLUMNS = [
    ("hilton", "limit", ""),
    ("hilton", "no-limit", ""),
    ("rrop4", "limit", "dead"),
    ("rrop4", "no-limit", "moving"),
    ("bicycle", "limit", ""),
]
STAY = (1, 4, 7)  # these are dealt in on every hand
COME_AND_GO = (2, 3, 5, 6, 8)

moves = st.lists(
    st.tuples(st.sampled_from(COME_AND_GO), st.sampled_from(["away", "back", "leave", "sit", "post"])), max_size=4
)


def tell(desk: Desk, seat: int, act: str) -> None:
    seat_state = desk.state.seats.get(seat)
    if act == "sit" and seat_state is None:
        desk.who[seat] = f"n{desk.version}"
        desk.tell(SeatTaken(seat, desk.who[seat], "walk-in", 1000))
    elif seat_state is None:
        return
    elif act == "away":
        desk.tell(PlayerAway(seat, in_room=False))
    elif act == "back":
        desk.tell(PlayerBack(seat))
    elif act == "leave":
        desk.tell(SeatLeft(seat, seat_state.player))


def deal(desk: Desk, due: Due, willing: set[int]) -> tuple[set[int], list[Post], dict[int, str]]:
    """Deal as the book asks: in those who may be, with their post if they are willing."""
    dealt, posts, out = set(due.dealt), [], {}
    for seat in due.seats:
        seat_state = desk.state.seats[seat.seat]
        if seat.seat in dealt:
            continue
        if seat.status == "away":
            out[seat.seat] = "away"
        elif seat.deal == "yes" and seat_state.presence == "present":
            dealt.add(seat.seat)
        elif seat.deal == "if-posts" and seat.seat in willing and seat.live is not None:
            dealt.add(seat.seat)
            post = entry if seat.status == "new" else makeup
            if seat.post:
                posts.append(post(seat.seat, seat.live, seat.dead or 0))
        else:
            out[seat.seat] = "waiting-for-big-blind"
    return dealt, posts, out


@pytest.mark.parametrize(("book", "betting", "method"), COLUMNS)
@settings(max_examples=min(40, settings().max_examples), deadline=None)
@given(evening=st.lists(moves, min_size=3, max_size=14))
def test_who_is_always_there_never_owes_and_a_make_up_leaves_nothing_owed(
    book: str, betting: str, method: str, evening: list[list[tuple[int, str]]]
) -> None:
    desk = Desk(book, betting, method=method)
    desk.play(8, 1, 2, range(1, 9))
    for steps in evening:
        for seat, act in steps:
            tell(desk, seat, act)
        due = desk.coming()
        place = due.place
        if place is None or place.big is None or len(due.dealt) < 3:
            break
        dealt, posts, out = deal(desk, due, {seat for seat, act in steps if act == "post"})
        own_posts = [post for post in place.posts if post.role in ("small", "big") and post.live]
        posts += [Post(blind_post.seat, blind_post.role, blind_post.live or 0) for blind_post in own_posts]  # type: ignore[arg-type]  # one of the two
        assert {blind_post.seat for blind_post in own_posts} <= dealt
        on_hand = desk.play(place.button, place.small, place.big, dealt, posts=posts, out=out)
        for seat in STAY:
            assert (due_at(on_hand, seat).deal, due_at(on_hand, seat).missed) == ("yes", ())
        due_after = desk.coming()
        for post in posts:
            blind_post = due_at(due_after, post.seat)
            if post.role in ("entry", "makeup", "big"):
                assert (blind_post.missed, blind_post.deal) == ((), "yes"), f"{post} leaves {blind_post}"


@settings(max_examples=settings().max_examples * 6 // 5, deadline=None)
@given(away=st.integers(1, 9), book=st.sampled_from(COLUMNS), seat=st.integers(1, 6))
def test_an_absence_of_any_length_costs_at_most_one_of_each_blind(
    away: int, book: tuple[str, str, str], seat: int
) -> None:
    desk = Desk(book[0], book[1], method=book[2])
    desk.play(1, 2, 3, range(1, 7))
    desk.tell(PlayerAway(seat, in_room=False))
    for _ in range(away):
        place = desk.coming().place
        assert place is not None
        own_posts = [post for post in place.posts if post.role in ("small", "big") and post.live]
        posts = [Post(one.seat, one.role, one.live or 0) for one in own_posts]  # type: ignore[arg-type]  # one of the two
        indexes = [one for one in range(1, 7) if one != seat]
        desk.play(place.button, place.small, place.big, indexes, posts=posts, out={seat: "away"})
    missed = [one.role for one in due_at(desk.coming(), seat).missed]
    assert len(missed) == len(set(missed))
    if away >= 6:
        assert set(missed) == {"small", "big"}
    if away == 1:
        assert len(missed) <= 1 + (seat == 2)
