"""Positions where little decides much: two players and a newcomer, several readings, what is owed."""

from __future__ import annotations

import pytest

from ledger.presence import PlayerAway, PlayerBack, SeatLeft, SeatTaken
from ledger.table.events import DealtIn, HandPlayed, Post
from ledger.vocabulary import Witness
from projections.obligations.policy import Policy, Ruling
from tests.ledger.table.tables import ROOM, hand
from tests.projections.obligations.rooms import (
    DEAD,
    MOVING,
    OWED,
    SIX,
    coming,
    dues,
    evening,
    policy,
    posts,
    seats_placed,
    shown_placement,
)

OWED_POLICY = policy("house", "owed")


def played(
    number: int, button: int | None, posts_text: str, dealt: tuple[int, ...] = SIX, **more: object
) -> HandPlayed:
    """A hand with posts as in `2:small 3:big 5:entry`; amounts follow from the roles."""
    chips = {"small": 5, "big": 10, "extra": 20, "entry": 10, "makeup": 10, "ante": 0}
    posts_stated = tuple(
        Post(int(seat), role, chips[role]) for seat, role in (part.split(":") for part in posts_text.split())
    )
    return hand(number, button, None, None, dealt, posts=posts_stated, **more)


# Two players


@pytest.mark.parametrize("book_policy", [DEAD, MOVING, OWED])
def test_two_players_on_record_are_judged(book_policy: Policy) -> None:
    first = played(1, 1, "1:small 2:big", (1, 2))
    (place,) = dues(book_policy, first, played(2, 2, "2:small 1:big", (1, 2)))[1].placements
    assert (seats_placed(place), place.heads_up, place.judged) == ((2, 2, 1), True, True)
    assert (place.opener, place.first, place.last) == (2, 1, 2)
    three = played(1, 1, "2:small 3:big", (1, 2, 3))
    for gone_seat, stays, seats in ((2, (1, 3), (3, 3, 1)), (3, (1, 2), (2, 2, 1))):
        second = played(2, seats[0], f"{seats[1]}:small {seats[2]}:big", stays)
        (place,) = dues(book_policy, three, SeatLeft(gone_seat, f"p{gone_seat}"), second)[1].placements
        assert (seats_placed(place), place.heads_up, place.judged) == (seats, True, True)


def test_a_newcomer_dealt_in_between_two_players_leaves_it_unjudged() -> None:
    """W08, first row: C, left of B, is dealt in on the second hand."""
    first = played(1, 1, "1:small 2:big", (1, 2))
    sits = SeatTaken(3, "p3", "walk-in", 200)
    posted = dues(MOVING, first, sits, played(2, 2, "2:small 1:big 3:entry", (1, 2, 3)))[1]
    assert seats_placed(posted.place) == (2, 2, 1)
    place = shown_placement(posted)
    assert (place.judged, place.heads_up, posted.dealt) == (False, False, (1, 2, 3))
    as_small = dues(MOVING, first, sits, played(2, 2, "3:small 1:big", (1, 2, 3)))[1]
    assert [seats_placed(placement) for placement in as_small.placements] == [(2, 2, 1), (2, 3, 1)]


@pytest.mark.parametrize(
    ("gone_seat", "book_policy", "seats"),
    [(2, DEAD, (1, 1, 3)), (2, MOVING, (1, 1, 3)), (1, DEAD, (2, 2, 3)), (1, MOVING, (2, 2, 3))],
)
def test_a_newcomer_in_place_of_one_of_two_has_the_big_blind(gone_seat: int, book_policy: Policy, seats: tuple) -> None:
    first = played(1, 1, "1:small 2:big", (1, 2))
    due = coming(book_policy, first, SeatLeft(gone_seat, f"p{gone_seat}"), SeatTaken(3, "p3", "walk-in", 200))
    assert seats_placed(due.place) == seats
    assert shown_placement(due).heads_up


def test_of_two_newcomers_beside_one_player_the_next_has_the_big_blind() -> None:
    first = played(1, 2, "2:small 4:big", (2, 4))
    sit = [SeatTaken(seat, f"p{seat}", "walk-in", 200) for seat in (1, 6)]
    for book_policy in (DEAD, MOVING):
        due = coming(book_policy, first, SeatLeft(2, "p2"), *sit)
        assert (seats_placed(due.place), due.dealt) == ((4, 4, 6), (4, 6))


def test_two_players_whose_button_is_not_told_have_it_on_the_small_blind() -> None:
    unseen = played(1, None, "1:small 2:big", (1, 2))
    place = shown_placement(coming(MOVING, unseen))
    assert seats_placed(place) == (2, 2, 1)
    assert place.button_grounds[0].basis == "assumed"
    hand_played = played(1, 1, "2:big", (1, 2))
    assert seats_placed(coming(DEAD, hand_played).place) == (2, 2, 1)


def test_an_assumed_button_is_assumed_on_a_quiet_table_too() -> None:
    hands = [played(n, None, posts_text) for n, posts_text in ((1, "2:small 3:big"), (2, "3:small 4:big"))]
    place = shown_placement(dues(MOVING, *hands)[1])
    assert seats_placed(place) == (2, 3, 4)
    assert place.button_grounds[0].basis == "assumed"
    assert "just before the small blind" in place.button_grounds[0].sentence


# Several readings: the one that the record follows is where the next hand starts from


@pytest.mark.parametrize(
    ("second", "readings"),
    [
        ("4:big", [("dead", (3, 4, 5), "4:5 5:10"), ("owed", (4, 5, 6), "4:5 5:10 6:10")]),
        ("4:big 5:big", [("dead", (4, 5, 6), "5:5 6:10"), ("owed", (4, 5, 6), "4:5 5:5 6:10")]),
    ],
)
def test_the_reading_that_was_followed_goes_on(second: str, readings: list) -> None:
    five = (1, 2, 4, 5, 6)
    events = [played(1, 1, "2:small 3:big"), SeatLeft(3, "p3"), played(2, 2, second, five)]
    if second == "4:big":  # the big blind has come to seat 4 alone
        readings[1] = ("owed", (4, 5, 6), "4:5 5:10 6:10")
    places = [placement for placement in coming(OWED_POLICY, *events).placements if not placement.doubtful]
    assert [(placement.method, seats_placed(placement), posts(placement)) for placement in places] == readings


@pytest.mark.parametrize(
    ("posts_text", "fits"),
    [
        ("3:small 4:big", True),
        ("4:big", False),
        ("3:small", False),
        ("3:small 5:big", False),
        ("3:small 4:big 5:big", False),
        ("2:small 4:big", False),
        ("3:small 4:big 6:entry", True),
        ("1:ante 2:ante 3:ante 4:ante 5:ante 6:ante 3:small 4:big", True),
        ("", True),
        ("1:ante 2:ante", True),
    ],
)
def test_a_button_that_is_not_told_is_taken_over_only_if_the_blinds_fit(posts_text: str, fits: bool) -> None:
    events = [played(1, 1, "2:small 3:big"), played(2, None, posts_text)]
    place = coming(MOVING, *events).place
    belongs = place is not None and place.button == 3 and place.button_grounds[0].basis == "book"
    assert belongs == fits


@pytest.mark.parametrize(("button", "fits"), [(2, True), (3, False), (None, True)])
def test_a_told_button_has_to_fit_too(button: int | None, fits: bool) -> None:
    """Without blinds on record, the big blind is where it belonged if the button was."""
    events = [played(1, 1, "2:small 3:big"), played(2, button, "")]
    place = coming(DEAD, *events).place
    assert (place is not None and place.big == 5) == fits


def test_told_positions_have_to_fit_too() -> None:
    first = played(1, 1, "2:small 3:big")
    hand_played = hand(2, None, 3, 4, SIX)
    wrong = hand(2, None, 3, 5, SIX)
    assert shown_placement(coming(MOVING, first, hand_played)).button_grounds[0].basis == "book"
    assert shown_placement(coming(MOVING, first, wrong)).button_grounds[0].basis == "assumed"
    small = hand(2, None, 2, 4, SIX)
    assert shown_placement(coming(MOVING, first, small)).button_grounds[0].basis == "assumed"


def test_of_two_big_blinds_the_one_further_from_the_button_counts() -> None:
    for button, posts_text, big in ((5, "6:big 1:big", 2), (2, "3:big 4:big", 5), (5, "5:big 6:big", 6)):
        assert shown_placement(coming(DEAD, played(1, button, posts_text))).big == big


# Blinds that are owed


def test_who_posts_to_enter_owes_no_blind_of_the_round() -> None:
    """Seat 3 leaves; a newcomer posts from the seat that the big blind goes past."""
    first = played(1, 1, "2:small 3:big", (1, 2, 3, 5, 6))
    seat_left, sits = SeatLeft(3, "p3"), SeatTaken(4, "p4", "walk-in", 200)
    second = played(2, 2, "5:big 6:big 4:entry", (1, 2, 4, 5, 6))
    places = dues(OWED, first, seat_left, sits, second)[1].placements
    assert [(posts(place), place.doubtful) for place in places] == [("5:10 6:10", False), ("5:5 6:10", True)]


def test_what_is_left_of_a_round_comes_before_the_next_one() -> None:
    """Six become three: the big blind is back at seat 3, which has yet to pay the small one."""
    first = played(1, 5, "6:small 1:big")
    steps = [[], [SeatLeft(1, "p1"), SeatLeft(2, "p2")], [SeatLeft(4, "p4")], [], []]
    dues_found = list(evening(OWED, first, *steps))
    assert [posts(placement.place) for placement in dues_found] == [
        "1:5 2:10",
        "3:10 4:10 5:10",
        "3:5 5:5 6:10",
        "3:10 5:10 6:5",
        "3:5 5:5 6:10",
    ]
    placements = [placement for placement in dues_found[2].placements if not placement.doubtful]
    assert [posts(placement) for placement in placements] == ["3:5 5:5 6:10", "3:10 5:5 6:10"]


def test_somebody_posts_the_big_blind_even_if_all_have_just_paid_it() -> None:
    """Three are left, each of whom paid the big blind on the last hand."""
    first = played(1, 5, "6:small 1:big")
    steps = [[], [SeatLeft(1, "p1"), SeatLeft(2, "p2")], [SeatLeft(6, "p6")]]
    *_, last = evening(OWED, first, *steps)
    assert posts(last.place) == "3:10 4:5 5:5"


def test_an_owed_blind_made_good_a_hand_late_is_paid() -> None:
    five = (1, 2, 4, 5, 6)
    events = [
        played(1, 1, "2:small 3:big"),
        SeatLeft(3, "p3"),
        played(2, 2, "4:small 5:big", five),
        played(3, 4, "4:big 5:small 6:big", five),
    ]
    assert [posts(placement) for placement in coming(OWED, *events).placements] == ["1:10 6:5"]


def test_who_goes_away_takes_the_debt_out_of_the_round() -> None:
    """Seat 4 paid the big blind of W04, and is away when the small one is due."""
    five = (1, 2, 4, 5, 6)
    events = [played(1, 1, "2:small 3:big"), SeatLeft(3, "p3"), played(2, 2, "4:big 5:big", five), PlayerAway(4, "p4")]
    assert posts(coming(OWED, *events).place) == "1:10 5:5 6:10"
    third = played(3, 5, "5:small 6:big 1:big", (1, 2, 5, 6), out={4: "away"})
    assert posts(coming(OWED, *events, third).place) == "1:5 2:10 6:5"
    assert posts(coming(OWED, *events, third, PlayerBack(4, "p4")).place) == "1:5 2:10 6:5"


# Who came in ahead of the big blind


def test_once_the_big_blind_has_come_the_button_may_come_as_well() -> None:
    silent = policy("moving", **{"button.eligibility": Ruling(["short-blind"])})
    nine = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    eight = tuple(seat for seat in nine if seat != 3)
    first = played(1, 1, "2:small 4:big", eight)
    events = [first, SeatTaken(3, "p3", "walk-in", 200), played(2, 2, "4:small 5:big 3:entry", nine)]
    for book_policy in (MOVING, silent):
        events_told = list(events)
        open_hands = 0
        for number in range(3, 13):
            due = coming(book_policy, *events_told)
            open_hands += len(due.placements) > 1
            place = shown_placement(due)
            events_told.append(played(number, place.button, f"{place.small}:small {place.big}:big", nine))
        buttons = [event.button for event in events_told if isinstance(event, HandPlayed)]
        assert buttons == [1, 2, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]
        assert open_hands == (0 if book_policy is MOVING else 1)


def test_who_came_in_ahead_and_left_again_is_forgotten() -> None:
    nine = (1, 2, 3, 4, 5, 6, 7, 8, 9)
    eight = tuple(seat for seat in nine if seat != 3)
    events = [
        played(1, 1, "2:small 4:big", eight),
        SeatTaken(3, "p3", "walk-in", 200),
        played(2, 2, "4:small 5:big 3:entry", nine),
        SeatLeft(3, "p3"),
        played(3, 4, "5:small 6:big", eight),
        SeatTaken(3, "p3", "walk-in", 200),
    ]
    assert seats_placed(coming(MOVING, *events).place) == (5, 6, 7)


def test_a_stand_in_leaves_the_next_hand_unjudged_on_record_too() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    first = played(1, 6, "1:small 2:big", betting="limit", after={3: 4})
    second = hand(
        2,
        1,
        None,
        None,
        SIX,
        betting="limit",
        before={3: 4},
        after={3: 200},
        posts=(Post(2, "small", 5), Post(3, "big", 4, all_in=True), Post(4, "big", 10)),
    )
    third = played(3, 2, "3:small 4:big", betting="limit")
    dues_found = dues(book_policy, first, second, third, played(4, 3, "4:small 5:big", betting="limit"))
    assert [shown_placement(due).judged for due in dues_found[1:4]] == [True, False, True]


# Formats that number seats anew


def anew(number: int, order: str, blinds: tuple[int, ...]) -> HandPlayed:
    """A hand whose seats are counted from the small blind."""
    roles = ("small", "big", "extra")
    hand_played = hand(
        number,
        None,
        None,
        None,
        range(1, len(order) + 1),
        blinds=blinds,
        posts=tuple(Post(seat, roles[seat - 1], chips) for seat, chips in enumerate(blinds, 1)),
    )
    seats = tuple(DealtIn(seat, name, 200, 200) for seat, name in enumerate(order, 1))
    fields = {name: getattr(hand_played, name) for name in hand_played.__struct_fields__}
    return HandPlayed(**(fields | {"dealt_in": seats}))


def test_a_third_blind_goes_with_its_player_when_seats_are_numbered_anew() -> None:
    both_hands = anew(1, "abcdef", (5, 10, 20)), anew(2, "bcdefa", (5, 10, 20))
    place = shown_placement(dues(DEAD, *both_hands)[1])
    assert (*seats_placed(place), place.extra) == (6, 1, 2, 3)


def test_two_of_four_who_change_seats_are_no_new_numbering() -> None:
    both_hands = anew(1, "abcd", (5, 10)), anew(2, "bacd", (5, 10))
    assert seats_placed(dues(DEAD, *both_hands)[1].place) == (1, 2, 3)
    three = anew(1, "abcde", (5, 10)), anew(2, "bcade", (5, 10))
    assert seats_placed(dues(DEAD, *three)[1].place) == (3, 1, 2), "a has seat 3, b seat 1, and c is next"


def test_who_makes_the_big_blind_good_a_hand_late_owes_the_small_one_next() -> None:
    five = (1, 2, 4, 5, 6)
    events = [
        played(1, 1, "2:small 3:big"),
        SeatLeft(3, "p3"),
        played(2, 2, "5:big", five),
        played(3, 4, "4:big 5:small 6:big", five),
    ]
    assert posts(coming(OWED, *events).place) == "1:10 4:5 6:5"
    never = [*events[:3], played(3, 4, "5:small 6:big", five)]
    assert [posts(placement) for placement in coming(OWED, *never).placements] == ["1:10 6:5"]


def test_where_it_is_not_judged_each_blind_is_shown_from_its_position() -> None:
    first = played(1, 1, "1:small 2:big", (1, 2))
    second = played(2, 2, "2:small 1:big 3:entry", (1, 2, 3))
    place = shown_placement(dues(OWED, first, SeatTaken(3, "p3", "walk-in", 200), second)[1])
    assert (posts(place), place.judged) == ("1:10 2:5", False)


def test_reasons_of_a_moving_button_go_from_seat_to_seat() -> None:
    place = shown_placement(coming(MOVING, played(1, 1, "2:small 3:big"), SeatLeft(2, "p2")))
    assert [ground.sentence for ground in place.button_grounds] == [
        "Seat 1 had the button in hand 1, so the button moves to seat 3."
    ]
    assert [ground.sentence for ground in place.small_grounds] == ["Seat 4 is next after the button in seat 3."]
    assert [ground.sentence for ground in place.big_grounds] == ["Seat 5 is next after the small blind in seat 4."]
    assert place.button_grounds[0].clauses == ("m.cash_big_bet",)
    assert place.big_grounds[0].clauses == ("moved",)


def test_reasons_of_owed_blinds_say_what_has_not_been_paid() -> None:
    place = shown_placement(coming(OWED, played(1, 1, "2:small 3:big"), SeatLeft(2, "p2")))
    sentences = {post.seat: post.grounds[0].sentence for post in place.posts}
    assert "owes the small blind" in sentences[3]
    assert "hasn't posted it" in sentences[4]
    assert "next after the small blind" in sentences[5]


def test_a_source_that_tells_positions_but_no_posts_is_taken_to_have_them_paid() -> None:
    blind = {"witnesses": ROOM & ~int(Witness.POSTS)}
    events = [played(1, 1, "2:small 3:big"), SeatLeft(3, "p3"), hand(2, 2, None, None, (1, 2, 4, 5, 6), **blind)]
    assert posts(coming(OWED, *events).place) == "4:5 5:5 6:10"
    silent = [*events[:2], hand(2, 2, None, None, (1, 2, 4, 5, 6))]
    assert posts(coming(OWED, *silent).place) == "4:10 5:10 6:10"
