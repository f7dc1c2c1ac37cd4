"""Structures of other than two blinds, short stacks and straddles: where posts belong, how much."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.presence import SeatLeft
from ledger.table.events import HandPlayed, Post, StakesChanged
from ledger.vocabulary import Witness
from projections.obligations.policy import Ruling
from tests.ledger.table.tables import ROOM, hand
from tests.projections.obligations.rooms import (
    DEAD,
    MOVING,
    OWED,
    SIX,
    coming,
    dealt,
    dues,
    policy,
    posts,
    seats_placed,
    shown_placement,
)

# Other structures


def three(number: int, button: int, seats: tuple[int, ...] = SIX, **more: Any) -> HandPlayed:
    ring = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    return hand(
        number,
        button,
        None,
        None,
        seats,
        blinds=(5, 10, 20),
        posts=(Post(ring[0], "small", 5), Post(ring[1], "big", 10), Post(ring[2], "extra", 20)),
        **more,
    )


def test_three_blinds_lie_one_behind_the_other() -> None:
    for book_policy in (DEAD, MOVING, OWED):
        place = shown_placement(coming(book_policy, three(1, 1)))
        assert (*seats_placed(place), place.extra) == (2, 3, 4, 5)
        assert posts(place) == "3:5 4:10 5:20"
        assert place.opener == 6


def test_three_blinds_with_an_empty_seat() -> None:
    events = [three(1, 1), SeatLeft(3, "p3")]
    dead, moving, owed = (coming(book_policy, *events).place for book_policy in (DEAD, MOVING, OWED))
    assert dead is not None
    assert moving is not None
    assert owed is not None
    assert (*seats_placed(dead), dead.extra, posts(dead)) == (2, 3, 4, 5, "4:10 5:20")
    assert dead.small_empty
    assert (*seats_placed(moving), moving.extra, posts(moving)) == (2, 4, 5, 6, "4:5 5:10 6:20")
    assert posts(owed) == "4:10 5:20 6:20", "seat 4 has paid the largest, 5 and 6 have not"


def test_three_blinds_of_three_players_are_nowhere_written_under_a_moving_button() -> None:
    departures = [SeatLeft(seat, f"p{seat}") for seat in (4, 5, 6)]
    assert "three players and a moving button" in coming(MOVING, three(1, 1), *departures).unknown
    assert not coming(DEAD, three(1, 1), *departures).unknown


def test_three_blinds_of_two_players_are_nowhere_written() -> None:
    departures = [SeatLeft(seat, f"p{seat}") for seat in SIX[2:]]
    for book_policy in (DEAD, MOVING, OWED):
        assert "three blinds" in coming(book_policy, three(1, 1), *departures).unknown


def test_a_single_blind_follows_the_button() -> None:
    hand_played = hand(1, 1, None, None, SIX, blinds=(10,), posts=(Post(2, "big", 10),))
    for book_policy in (DEAD, MOVING, OWED):
        place = shown_placement(coming(book_policy, hand_played))
        assert (*seats_placed(place), place.opener, posts(place)) == (2, None, 3, 4, "3:10")
    placement = shown_placement(coming(DEAD, hand_played, SeatLeft(2, "p2")))
    assert (seats_placed(placement), placement.button_empty, placement.last) == ((2, None, 3), True, 1)


def test_a_game_of_antes_alone_has_a_button_and_no_blinds() -> None:
    antes = hand(1, 1, None, None, SIX, blinds=(), ante=2, posts=tuple(Post(s, "ante", 0, 2) for s in SIX))
    for book_policy in (DEAD, MOVING):
        place = shown_placement(coming(book_policy, antes))
        assert (*seats_placed(place), place.opener, place.posts) == (2, None, None, 3, ())


def test_stud_has_no_button_and_leaves_the_button_unknown_behind_it() -> None:
    stud = hand(2, None, None, None, SIX, variant="razz", blinds=())
    dues_found = dues(DEAD, dealt(1, 1, 2, 3), stud, dealt(3, 2, 3, 4, variant="holdem"))
    assert "no button" in dues_found[1].unknown
    assert "without a button" in dues_found[2].unknown
    assert seats_placed(dues_found[3].place) == (3, 4, 5)


def test_more_blinds_than_three_are_no_structure_of_any_book() -> None:
    hand_played = hand(1, 1, 2, 3, SIX, blinds=(1, 2, 4, 8))
    assert "4 blinds" in coming(DEAD, hand_played).unknown


def test_a_dead_blind_of_the_structure_is_no_bet() -> None:
    place = shown_placement(coming(DEAD, dealt(1, 1, 2, 3, options=(("blind-dead", "small"),))))
    assert [(post.live, post.dead) for post in place.posts] == [(0, 5), (10, 0)]


def test_a_blind_on_the_button_leaves_the_two_others_where_they_are() -> None:
    button = hand(
        1, 1, None, None, SIX, blinds=(2, 5, 10), posts=(Post(1, "button", 2), Post(2, "small", 5), Post(3, "big", 10))
    )
    place = shown_placement(coming(DEAD, button))
    assert (seats_placed(place), posts(place)) == ((2, 3, 4), "3:5 4:10")


def test_a_structure_that_changes_carries_the_furthest_blind_on() -> None:
    hand_fields = {"witnesses": ROOM | int(Witness.BLIND_AMOUNTS)}
    hand_played = hand(2, 2, None, None, SIX, blinds=(10,), posts=(Post(3, "big", 10),), **hand_fields)
    dues_found = dues(DEAD, dealt(1, 1, 2, 3, **hand_fields), hand_played, dealt(3, 3, 4, 5, **hand_fields))
    assert seats_placed(dues_found[1].place) == (3, None, 4)
    assert seats_placed(dues_found[2].place) == (2, 3, 4)


def test_a_source_that_tells_only_posted_blinds_has_a_dead_small_one_not_another_structure() -> None:
    hand_played = hand(2, 2, None, None, (1, 2, 4, 5, 6), blinds=(10,), posts=(Post(4, "big", 10),))
    due = dues(DEAD, dealt(1, 1, 2, 3), SeatLeft(3, "p3"), hand_played)[1]
    assert seats_placed(due.place) == (2, 3, 4)


def test_a_hand_that_tells_of_other_blinds_has_them() -> None:
    higher = hand(2, 2, None, None, SIX, blinds=(20,), posts=(Post(3, "big", 20),))
    assert seats_placed(dues(DEAD, dealt(1, 1, 2, 3), higher)[1].place) == (3, None, 4)
    grown = hand(2, 2, None, None, SIX, blinds=(2, 5, 10), posts=())
    assert shown_placement(dues(DEAD, dealt(1, 1, 2, 3), grown)[1]).extra is not None
    hand_played = hand(
        2, 2, None, None, SIX, blinds=(10,), posts=(Post(4, "big", 10),), witnesses=ROOM | int(Witness.BLIND_AMOUNTS)
    )
    assert shown_placement(dues(DEAD, dealt(1, 1, 2, 3), hand_played)[1]).small is None


def test_amounts_are_open_where_the_structure_is_not_told() -> None:
    place = shown_placement(coming(DEAD, dealt(1, 1, 2, 3, blinds=())))
    assert [post.live for post in place.posts] == [None, None]


# Short stacks and straddles


def test_a_stack_below_the_blind_posts_what_it_has() -> None:
    assert posts(coming(DEAD, dealt(1, 1, 2, 3, after={3: 4, 4: 9})).place) == "3:4 4:9"
    place = shown_placement(coming(DEAD, dealt(1, 1, 2, 3, after={4: 9}, ante=2)))
    assert [post.live for post in place.posts] == [5, None], "ante or blind first: the room's affair"


@pytest.mark.parametrize(
    ("stack", "paid", "opener"),
    [(4, ["2:5 3:4 4:10", "2:5 4:10"], 5), (5, ["2:5 3:5"], 4), (1, ["2:5 3:1 4:10", "2:5 4:10"], 5)],
)
def test_the_next_player_posts_for_less_than_half_a_blind(stack: int, paid: list[str], opener: int) -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    due = coming(book_policy, dealt(1, 6, 1, 2, after={3: stack}, betting="limit"))
    assert [posts(placement) for placement in due.placements] == paid, "what the short one puts in is not said"
    assert due.placements[0].opener == opener
    assert due.place.big == 3
    if stack < 5:
        assert due.place.posts[-1].grounds[0].clauses == ("04b",)
        free = coming(book_policy, dealt(1, 6, 1, 2, after={3: stack}))
        assert len(free.placements) == 3, "whether it holds beyond limit games is not said"
    assert posts(coming(MOVING, dealt(1, 6, 1, 2, after={3: stack}, betting="limit")).place) == f"2:5 3:{stack}"


def test_whether_who_stood_in_is_credited_is_not_judged() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    first = dealt(1, 6, 1, 2, after={3: 4}, betting="limit")
    second = hand(
        2,
        1,
        None,
        None,
        SIX,
        betting="limit",
        before={3: 4},
        after={3: 12},
        posts=(Post(2, "small", 5), Post(3, "big", 4, all_in=True), Post(4, "big", 10)),
    )
    dues_found = dues(book_policy, first, second)
    assert dues_found[1].place is not None
    assert dues_found[1].place.judged
    assert not any(placement.judged for placement in dues_found[2].placements)
    reasons = [placement.button_grounds[0].sentence for placement in dues_found[2].placements]
    assert reasons == ["whether posting for a short blind counts as the player's own big blind: no book says"] * len(
        reasons
    )
    assert reasons


def test_a_straddle_moves_the_opening_and_nothing_else() -> None:
    first = dealt(1, 1, 2, 3)
    straddled = dealt(2, 2, 3, 4, SIX, Post(5, "straddle", 20), Post(6, "restraddle", 40))
    place = shown_placement(dues(MOVING, first, straddled)[1])
    assert (*seats_placed(place), place.opener, posts(place)) == (2, 3, 4, 1, "3:5 4:10")
    assert seats_placed(coming(MOVING, first, straddled).place) == (3, 4, 5)
    button = dealt(2, 2, 3, 4, SIX, Post(2, "button-straddle", 20))
    assert shown_placement(dues(MOVING, first, button)[1]).opener == 5


def test_with_three_players_the_button_posts_for_the_short_blind() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    first = dealt(1, 3, 1, 2, (1, 2, 3), after={3: 4}, betting="limit")
    place = shown_placement(coming(book_policy, first))
    assert (seats_placed(place), posts(place), place.opener) == ((1, 2, 3), "1:10 2:5 3:4", 2)
    two = dealt(1, 1, 1, 2, (1, 2), after={1: 4}, betting="limit")
    assert posts(coming(book_policy, two).place) == "1:4 2:5", "of two players nobody stands in"
    hand_played = dealt(1, 6, 1, 2, after={3: None}, betting="limit")
    assert posts(coming(book_policy, hand_played).place) == "2:5 3:10"
    unpriced = dealt(1, 6, 1, 2, after={3: 4}, betting="limit", blinds=())
    assert posts(coming(book_policy, unpriced).place) == "2:None 3:None"


def test_nobody_stands_in_who_owes_the_big_blind_anyway() -> None:
    book_policy = policy("moving", "owed", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    first = dealt(1, 1, 2, 3, after={4: 4}, betting="limit")
    assert posts(coming(book_policy, first, SeatLeft(3, "p3")).place) == "4:4 5:10"


def test_a_stand_in_may_stand_in_only_once_in_spread_limit_too() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    due = coming(book_policy, dealt(1, 6, 1, 2, after={3: 4}, betting="spread"))
    assert [posts(placement) for placement in due.placements] == ["2:5 3:4 4:10", "2:5 4:10"]


def test_blinds_of_nothing_are_no_blinds() -> None:
    hand_played = hand(1, 1, None, None, SIX, blinds=(0, 10), posts=(Post(2, "big", 10),))
    assert seats_placed(coming(DEAD, hand_played).place) == (2, None, 3)


@pytest.mark.parametrize(
    ("roles", "ante", "seats"),
    [
        ("2:small 3:big 4:extra", 0, (2, 3, 4, 5)),
        ("2:small 3:big", 0, (2, 3, 4, None)),
        ("2:small 3:big", 2, (2, 3, 4, None)),
        ("3:big", 0, (None, 3, 4, None)),
        ("2:big", 2, (2, None, 3, None)),
        ("1:ante 2:big", 0, (2, None, 3, None)),
        ("1:bomb-pot 2:bomb-pot", 0, (2, None, None, None)),
    ],
)
def test_a_structure_that_is_not_told_shows_in_what_was_posted(roles: str, ante: int, seats: tuple) -> None:
    hand_fields = tuple(
        Post(int(seat), role, 0 if role in ("ante", "bomb-pot") else 10)
        for seat, role in (part.split(":") for part in roles.split())
    )
    place = shown_placement(coming(DEAD, hand(1, 1, None, None, SIX, blinds=(), ante=ante, posts=hand_fields)))
    assert (*seats_placed(place), place.extra) == seats


def test_a_structure_told_between_hands_holds_for_the_coming_one() -> None:
    place = shown_placement(coming(DEAD, dealt(1, 1, 2, 3), StakesChanged(blinds=(10, 20), ante=None)))
    assert posts(place) == "3:10 4:20"


@pytest.mark.parametrize(("role", "paid"), [("big", [(5, 0), (0, 10)]), ("extra", [(5, 0), (10, 0)])])
def test_a_dead_blind_is_one_of_the_structure(role: str, paid: list) -> None:
    place = shown_placement(coming(DEAD, dealt(1, 1, 2, 3, options=(("blind-dead", role),))))
    assert [(post.live, post.dead) for post in place.posts] == paid


def test_a_single_blind_of_two_players_lies_opposite_the_button() -> None:
    hand_played = hand(1, 1, None, None, (1, 2), blinds=(10,), posts=(Post(2, "big", 10),))
    for book_policy in (DEAD, MOVING, OWED):
        place = shown_placement(coming(book_policy, hand_played))
        assert (*seats_placed(place), posts(place), place.opener) == (2, None, 1, "1:10", 2)


def test_a_structure_that_grows_by_two_has_no_button_on_record() -> None:
    hand_fields = {"witnesses": ROOM | int(Witness.BLIND_AMOUNTS)}
    hand_played = hand(1, 2, None, None, SIX, blinds=(10,), posts=(Post(3, "big", 10),), **hand_fields)
    three = hand(2, None, None, None, SIX, blinds=(5, 10, 20), posts=(), **hand_fields)
    place = shown_placement(dues(DEAD, hand_played, three)[1])
    assert (*seats_placed(place), place.extra) == (None, 2, 3, 4)
    assert "doesn't record" in place.button_grounds[0].sentence
