"""What positions rest on: who is there, first hands, redeals, gaps, untold positions, odd structures."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.presence import DealOutRequested, PlayerAway, PlayerBack, PlayerBusted, SeatLeft, SeatTaken, WaitDeclared
from ledger.table.events import (
    ButtonBought,
    ButtonDrawn,
    DealtIn,
    GameBroken,
    GameStarted,
    HandPlayed,
    HandsMissing,
    Post,
    SeatsAssigned,
    StakesChanged,
)
from projections.obligations.policy import Policy, Ruling
from tests.ledger.table.tables import ROOM, hand
from tests.projections.obligations.rooms import (
    DEAD,
    MOVING,
    NINE,
    OWED,
    SIX,
    coming,
    dealt,
    dues,
    evening,
    policy,
    posts,
    seats_placed,
    shown_placement,
)

# Who is there


@pytest.mark.parametrize(
    "seat_events",
    [
        PlayerAway(4, "p4"),
        DealOutRequested(4),
        PlayerBusted(4, "p4"),
        SeatLeft(4, "p4"),
        SeatLeft(None, "p4"),
        WaitDeclared(4, "button"),
        WaitDeclared(4, "position"),
    ],
)
@pytest.mark.parametrize(("book_policy", "seats"), [(DEAD, (2, 3, 5)), (MOVING, (2, 3, 5))])
def test_who_is_away_or_out_is_passed_over(seat_events: Any, book_policy: Policy, seats: tuple) -> None:
    due = coming(book_policy, dealt(1, 1, 2, 3), seat_events)
    assert seats_placed(due.place) == seats
    assert 4 not in due.dealt


def test_who_is_back_takes_the_big_blind_in_turn_but_no_other_position() -> None:
    away = [
        dealt(1, 1, 2, 3),
        PlayerAway(4, "p4"),
        dealt(2, 2, 3, 5, (1, 2, 3, 5, 6), out={4: "away"}),
        PlayerBack(4, "p4"),
    ]
    for book_policy in (DEAD, MOVING):
        assert seats_placed(coming(book_policy, *away).place) == (3, 5, 6), "seat 4 missed the big blind and waits"
    for number, (button, small, big) in enumerate(((3, 5, 6), (5, 6, 1), (6, 1, 2), (1, 2, 3)), 3):
        away.append(dealt(number, button, small, big, (1, 2, 3, 5, 6), out={4: "unknown"}))
    for book_policy in (DEAD, MOVING):
        due = coming(book_policy, *away)
        assert seats_placed(due.place) == (2, 3, 4), "the big blind has come round"
        assert due.dealt == SIX


def test_who_missed_no_blind_is_dealt_in_again_at_once() -> None:
    """Seat 6 is away for one hand while the blinds are at seats 2 to 4."""
    events = [
        dealt(1, 1, 2, 3),
        PlayerAway(6, "p6"),
        dealt(2, 2, 3, 4, (1, 2, 3, 4, 5), out={6: "away"}),
        PlayerBack(6, "p6"),
    ]
    assert coming(DEAD, *events).dealt == SIX


def test_nothing_is_due_when_the_game_is_over_or_one_player_is_left() -> None:
    assert "over" in coming(DEAD, dealt(1, 1, 2, 3), GameBroken()).unknown
    alone = [SeatLeft(seat, f"p{seat}") for seat in SIX[1:]]
    for book_policy in (DEAD, MOVING, OWED):
        assert "fewer than two" in coming(book_policy, dealt(1, 1, 2, 3), *alone).unknown


# First hands


SAT = [SeatTaken(seat, f"p{seat}") for seat in (2, 4, 6)]


def test_the_first_hand_rests_on_the_draw() -> None:
    assert "no draw" in coming(DEAD, GameStarted(), *SAT).unknown
    due = coming(
        policy("dead", **{"button.initial": Ruling("draw", ("12.1",))}), GameStarted(), *SAT, ButtonDrawn((2, 4, 6), 4)
    )
    assert seats_placed(due.place) == (4, 6, 2)
    assert due.place is not None
    assert due.place.judged
    assert due.place.button_grounds[0].clauses == ("12.1",)
    silent = coming(DEAD, GameStarted(), *SAT, ButtonDrawn((2, 4, 6), 4))
    assert seats_placed(silent.place) == (4, 6, 2)
    assert silent.place is not None
    assert not silent.place.judged


@pytest.mark.parametrize(
    ("options", "seats"), [((), (6, 2, 4)), ((("dealer-box", 5),), (4, 6, 2)), ((("dealer-box", 2),), (6, 2, 4))]
)
def test_the_first_button_may_belong_right_of_the_dealer(options: tuple, seats: tuple) -> None:
    book_policy = policy("dead", **{"button.initial": Ruling("right-of-dealer", ("4.1",))})
    first = dealt(1, 2, 4, 6, (2, 4, 6), options=options)
    due = dues(book_policy, GameStarted(), *SAT, ButtonDrawn((2, 4, 6), 2), first)[0]
    assert seats_placed(due.place) == seats
    assert shown_placement(due).judged
    assert due.place.button_grounds[0].clauses == ("4.1",)


def test_a_tournament_draws_whatever_cash_games_do() -> None:
    book_policy = policy(
        "dead",
        **{
            "button.initial": Ruling("right-of-dealer", ("4.1",)),
            "button.initial.tournament": Ruling("draw-unless-seats-drawn", ("4.3",)),
        },
    )
    first = dealt(1, 4, 6, 2, (2, 4, 6), format="tournament")
    due = dues(book_policy, GameStarted(), SeatsAssigned("chosen"), *SAT, ButtonDrawn((2, 4, 6), 4), first)[0]
    assert seats_placed(due.place) == (4, 6, 2)
    assert shown_placement(due).button_grounds[0].clauses == ("4.3",)


def test_a_first_hand_without_draw_goes_by_its_own_button() -> None:
    due = dues(DEAD, GameStarted(), *SAT, dealt(1, 4, 6, 2, (2, 4, 6)))[0]
    assert seats_placed(due.place) == (4, 6, 2)
    assert shown_placement(due).judged  # the blinds behind it


def test_the_first_hand_of_a_record_is_no_first_hand_of_a_game() -> None:
    first = dues(DEAD, dealt(1, 1, 2, 3))[0]
    assert "no earlier hand" in first.unknown
    assert not first.placements
    wrong = dues(DEAD, dealt(1, 1, 3, 2))[0]
    assert "no earlier hand" in wrong.unknown
    assert seats_placed(wrong.place) == (1, 2, 3)  # the small blind lies behind the big one, whatever went before


def test_a_new_game_begins_anew() -> None:
    due = coming(DEAD, dealt(1, 1, 2, 3), GameStarted(), ButtonDrawn(SIX, 5))
    assert seats_placed(due.place) == (5, 6, 1)


def test_two_players_begin_with_the_small_blind_on_the_button() -> None:
    two = [SeatTaken(2, "p2"), SeatTaken(5, "p5")]
    due = coming(DEAD, GameStarted(), *two, ButtonDrawn((2, 5), 5))
    assert seats_placed(due.place) == (5, 5, 2)
    assert shown_placement(due).heads_up
    assert "fewer than two" in coming(DEAD, GameStarted(), two[0], ButtonDrawn((2,), 2)).unknown


# Redeals, hands that do not count


@pytest.mark.parametrize(
    ("seats", "blinds", "reason"),
    [
        ((2, 5), (5, 10, 20), "two players"),
        ((2, 4, 5), (5, 10, 20), "fewer players than blinds"),
        ((2,), (5, 10), "fewer than two"),
    ],
)
def test_a_first_hand_of_too_few_players_for_its_blinds_is_open(seats: tuple, blinds: tuple, reason: str) -> None:
    sat = [SeatTaken(seat, f"p{seat}") for seat in seats]
    stakes = StakesChanged(blinds=blinds)
    due = coming(DEAD, GameStarted(), *sat, stakes, ButtonDrawn(seats, seats[0]))
    assert reason in due.unknown


def test_a_first_button_drawn_by_somebody_who_is_gone_is_open_for_two_players() -> None:
    sat = [SeatTaken(seat, f"p{seat}") for seat in (2, 5)]
    assert "two players" in coming(DEAD, GameStarted(), *sat, ButtonDrawn((2, 5, 7), 7)).unknown
    three = coming(DEAD, GameStarted(), *sat, SeatTaken(8, "p8"), ButtonDrawn((2, 5, 7), 7))
    assert seats_placed(three.place) == (7, 8, 2)
    assert shown_placement(three).button_empty


def test_a_silent_book_shows_two_players_as_two() -> None:
    first, second = dues("house-burn", dealt(1, 1, 1, 2, (1, 2)), dealt(2, 2, 3, 1, (1, 2, 3)))[:2]
    assert (shown_placement(first).heads_up, shown_placement(second).heads_up) == (True, False)


def test_a_mover_in_a_tournament_may_have_the_button_or_not() -> None:
    first = dealt(1, 1, 2, 4, (1, 2, 4, 5), format="tournament")
    second = dealt(2, 4, 5, 1, (1, 3, 4, 5), format="tournament")
    dues_found = dues(MOVING, first, SeatLeft(2, "p2"), SeatTaken(3, "p3", "table-balance", 500), second)
    assert [placement.button for placement in dues_found[1].placements] == [4, 3]
    assert [placement.button for placement in dues_found[2].placements] == [5], "nobody has come since"


def test_a_misdeal_leaves_the_positions_where_they_were() -> None:
    misdealt = dealt(2, 2, 3, 4, completed=False, voided="misdeal")
    ruled = policy("dead", **{"button.moves_after_misdeal": Ruling(False, ("i4",))})
    due = coming(ruled, dealt(1, 1, 2, 3), misdealt)
    assert [seats_placed(placement) for placement in due.placements] == [(2, 3, 4)]
    assert shown_placement(due).judged
    assert due.place.button_grounds[0].clauses == ("i4",)
    silent = shown_placement(coming(DEAD, dealt(1, 1, 2, 3), misdealt))
    assert seats_placed(silent) == (2, 3, 4)
    assert not silent.judged


def test_after_the_redeal_the_positions_move_on() -> None:
    events = [dealt(1, 1, 2, 3), dealt(2, 2, 3, 4, completed=False, voided="misdeal"), dealt(3, 2, 3, 4)]
    for book_policy in (DEAD, MOVING, OWED):
        assert seats_placed(coming(book_policy, *events).place) == (3, 4, 5)
        assert posts(coming(book_policy, *events).place) == "4:5 5:10"


def test_a_book_may_move_the_button_after_a_misdeal() -> None:
    ruled = policy("dead", **{"button.moves_after_misdeal": Ruling(True, ("x",))})
    due = coming(ruled, dealt(1, 1, 2, 3), dealt(2, 2, 3, 4, completed=False, voided="misdeal"))
    assert [seats_placed(placement) for placement in due.placements] == [(3, 4, 5)]


@pytest.mark.parametrize("voided", ["", "cancelled", "ruling"])
@pytest.mark.parametrize("book_policy", [DEAD, MOVING, OWED])
def test_a_hand_without_end_may_count_or_not(book_policy: Policy, voided: str) -> None:
    cut = dealt(2, 2, 3, 4, completed=False, voided=voided)
    due = coming(book_policy, dealt(1, 1, 2, 3), cut)
    assert sorted((seats_placed(placement), posts(placement)) for placement in due.placements) == [
        ((2, 3, 4), "3:5 4:10"),
        ((3, 4, 5), "4:5 5:10"),
    ]
    for follows in ((2, 3, 4), (3, 4, 5)):
        due_after = coming(book_policy, dealt(1, 1, 2, 3), cut, dealt(3, *follows))
        button, small, big = (seat + 1 for seat in follows)
        assert [seats_placed(placement) for placement in due_after.placements] == [(button, small, big)]
        assert [posts(placement) for placement in due_after.placements] == [f"{small}:5 {big}:10"]


# Gaps and what is not told


def test_missing_hands_leave_all_unknown_until_the_next_hand() -> None:
    lost = coming(DEAD, dealt(1, 1, 2, 3), HandsMissing("1"))
    assert not lost.placements
    assert "after hand 1" in lost.unknown
    dues_found = dues(DEAD, dealt(1, 1, 2, 3), HandsMissing("1"), dealt(9, 4, 5, 6))
    assert "between hand 1 and hand 9" in dues_found[1].unknown
    assert seats_placed(dues_found[2].place) == (5, 6, 1)


def test_numbers_that_leave_some_out_are_a_gap_where_the_source_counts_them() -> None:
    assert "missing" in dues(DEAD, dealt(1, 1, 2, 3), dealt(3, 4, 5, 6))[1].unknown
    uncounted = {"witnesses": ROOM & ~(1 << 43)}
    due = dues(DEAD, dealt(1, 1, 2, 3, **uncounted), dealt(3, 4, 5, 6, **uncounted))[1]
    assert seats_placed(due.place) == (2, 3, 4)


def test_a_table_full_of_strangers_is_a_gap() -> None:
    uncounted = {"witnesses": ROOM & ~(1 << 43)}
    first = dealt(1, 1, 2, 3, (1, 2, 3, 4), **uncounted)
    second = dealt(7, 5, 6, 7, (5, 6, 7, 8), **uncounted)
    assert "may be missing" in dues(DEAD, first, second)[1].unknown
    hand_played = dealt(7, 2, 3, 4, (1, 2, 3, 4), **uncounted)
    assert not dues(DEAD, first, hand_played)[1].unknown
    fewer = dealt(7, 1, 2, 3, (1, 2, 3, 4, 5, 6, 7), **uncounted)
    kept = dealt(8, 2, 3, 1, (1, 2, 3), **uncounted)
    assert "may be missing" in dues(DEAD, fewer, kept)[1].unknown


def test_a_stack_that_shrank_unexplained_is_a_gap() -> None:
    uncounted = {"witnesses": ROOM & ~(1 << 43)}
    hand_played = dealt(7, 4, 5, 6, before={2: 150}, **uncounted)
    assert "may be missing" in dues(DEAD, dealt(1, 1, 2, 3, **uncounted), hand_played)[1].unknown


def test_positions_that_are_not_told_stay_unknown() -> None:
    for book_policy in (DEAD, MOVING):
        due = coming(book_policy, hand(1, None, None, None, SIX))
        assert not due.placements
        assert "doesn't record" in due.unknown


def test_a_small_blind_that_nobody_posted_follows_from_the_hand_before() -> None:
    dues_found = dues(DEAD, dealt(1, 1, 2, 3), SeatLeft(3, "p3"), dealt(2, 2, None, 4, (1, 2, 4, 5, 6)))
    assert seats_placed(dues_found[-1].place) == (3, 4, 5)
    hidden = coming(DEAD, dealt(2, 2, None, 4, (1, 2, 4, 5, 6)))
    assert seats_placed(hidden.place) == (None, 4, 5)
    assert hidden.place is not None
    assert "doesn't record" in hidden.place.button_grounds[0].sentence


def test_a_button_that_is_not_told_follows_from_the_blinds() -> None:
    unseen = [dealt(number, None, small, big) for number, small, big in ((1, 2, 3), (2, 3, 4))]
    dead, moving = coming(DEAD, *unseen), coming(MOVING, *unseen)
    assert seats_placed(dead.place) == seats_placed(moving.place) == (3, 4, 5)
    assert moving.place is not None
    assert moving.place.button_grounds[0].basis == "book", "on hand 2 it is where it belonged"
    first = shown_placement(coming(MOVING, unseen[0]))
    assert first.button_grounds[0].basis == "assumed"


def test_a_record_that_fits_no_reading_is_where_the_next_hand_starts_from() -> None:
    for book_policy in (DEAD, MOVING):
        assert seats_placed(coming(book_policy, dealt(1, 1, 2, 3), dealt(2, 4, 5, 6)).place) == (5, 6, 1)


def test_two_big_blinds_under_the_dead_button_count_as_the_further_one() -> None:
    hand_played = hand(1, 2, None, None, SIX, posts=(Post(3, "big", 10), Post(4, "big", 10)))
    due = shown_placement(coming(DEAD, hand_played))
    assert due.big == 5


def renumbered(number: int, order: str) -> HandPlayed:
    """A hand of a format that counts seats from the small blind, player by player."""
    hand_played = hand(
        number,
        None,
        None,
        None,
        range(1, len(order) + 1),
        witnesses=ROOM & ~(1 << 32),
        posts=(Post(1, "small", 5), Post(2, "big", 10)),
    )
    seats = tuple(DealtIn(seat, name, 200, 200) for seat, name in enumerate(order, 1))
    return HandPlayed(
        **{name: getattr(hand_played, name) for name in hand_played.__struct_fields__} | {"dealt_in": seats}
    )


def test_seats_that_are_numbered_anew_in_each_hand_are_matched_by_their_players() -> None:
    dues_found = dues(DEAD, renumbered(1, "abcdef"), renumbered(2, "bcdefa"), renumbered(3, "cdefab"))
    assert [seats_placed(due.place) for due in dues_found[1:3]] == [(6, 1, 2), (6, 1, 2)]
    wrong = dues(DEAD, renumbered(1, "abcdef"), renumbered(2, "cdefab"))[1]
    assert seats_placed(wrong.place) == (5, 6, 1)
    due_unknown = dues(DEAD, renumbered(1, "abcdef"), renumbered(2, "cdefa"))[1]
    assert "have new numbers" in due_unknown.unknown


# Eligibility


def test_who_came_in_ahead_of_the_big_blind_is_passed_by_the_button() -> None:
    """W14: seat 3 sat down between button 2 and small blind 4 and was dealt in after posting."""
    eight = tuple(seat for seat in NINE if seat != 3)
    events = [
        dealt(1, 1, 2, 4, eight),
        SeatTaken(3, "p3", "walk-in", 200),
        dealt(2, 2, 4, 5, NINE, Post(3, "entry", 10)),
    ]
    for book_policy in (DEAD, MOVING, OWED):
        due = coming(book_policy, *events)
        assert [seats_placed(placement) for placement in due.placements] == [(4, 5, 6)]
    assert "seat 3" in shown_placement(coming(MOVING, *events)).button_grounds[-1].sentence
    silent = coming(policy("moving", **{"button.eligibility": Ruling(["short-blind"])}), *events)
    assert [seats_placed(placement) for placement in silent.placements] == [(4, 5, 6), (3, 4, 5)]


def test_who_made_up_between_the_blinds_is_passed_by_where_the_book_says_so() -> None:
    """W13: seat 3 misses its big blind, and posts between button 2 and small blind 4."""
    eight = tuple(seat for seat in NINE if seat != 3)
    events = [
        dealt(1, 9, 1, 2, NINE),
        PlayerAway(3, "p3"),
        dealt(2, 1, 2, 4, eight, out={3: "away"}),
        PlayerBack(3, "p3"),
    ]
    third = dealt(3, 2, 4, 5, NINE, Post(3, "makeup", 10))
    eligibility_policy = policy("moving", **{"button.eligibility": Ruling(["made-up-between"], ("16.3",))})
    was = dues(eligibility_policy, *events, third)
    assert seats_placed(was[2].place) == (2, 4, 5)
    assert [seats_placed(placement) for placement in was[3].placements] == [(4, 5, 6)]
    assert seats_placed(coming(DEAD, *events, third).place) == (4, 5, 6)
    silent = policy("moving", **{"button.eligibility": Ruling(["short-blind"])})
    assert [seats_placed(placement) for placement in coming(silent, *events, third).placements] == [
        (3, 4, 5),
        (4, 5, 6),
    ]


def test_who_came_back_without_paying_does_not_get_the_button() -> None:
    """W11, the last row: seat 4 was away when its big blind was due."""
    five = (1, 2, 5, 6)
    events = [
        dealt(1, 1, 2, 3),
        SeatLeft(3, "p3"),
        PlayerAway(4, "p4"),
        dealt(2, 2, 5, 6, five, out={4: "away"}),
        PlayerBack(4, "p4"),
    ]
    eligibility_policy = policy("moving", **{"button.eligibility": Ruling(["missed-blind", "new"], ("10",))})
    third = dealt(3, 4, 5, 6, (1, 2, 4, 5, 6))
    due = dues(eligibility_policy, *events, third)[2]
    assert shown_placement(due).button == 5
    assert any("missed a blind" in ground.sentence for ground in due.place.button_grounds)


def test_a_bought_button_is_not_judged() -> None:
    due = coming(MOVING, dealt(1, 1, 2, 3), ButtonBought(5))
    assert [seats_placed(placement) for placement in due.placements] == [(5, 6, 1), (2, 3, 4)]
    assert not any(placement.judged for placement in due.placements)
    barred = policy("moving", **{"button.buy": Ruling(False, ("x",))})
    assert all(placement.judged for placement in coming(barred, dealt(1, 1, 2, 3), ButtonBought(5)).placements[1:])


# Owed blinds


def test_an_owed_blind_that_was_left_out_may_be_made_good_on_the_next_hand() -> None:
    events = [dealt(1, 1, 2, 3), SeatLeft(3, "p3"), dealt(2, 2, 4, 5, (1, 2, 4, 5, 6))]
    assert posts(dues(OWED, *events)[1].place) == "4:10 5:10"
    due = coming(OWED, *events)
    assert [posts(placement) for placement in due.placements] == ["4:10 5:5 6:10", "5:5 6:10"]
    later = coming(OWED, *events, dealt(3, 4, 5, 6, (1, 2, 4, 5, 6)))
    assert [posts(placement) for placement in later.placements] == ["1:10 6:5"]


def test_who_goes_away_owing_owes_it_no_more_as_a_blind_of_the_round() -> None:
    events = [dealt(1, 1, 2, 3), PlayerAway(3, "p3")]
    place = coming(OWED, *events).place
    assert posts(place) == "4:10 5:10"


def test_reasons_name_hands_seats_and_clauses() -> None:
    (due,) = evening(DEAD, dealt(1, 1, 2, 3), [SeatLeft(2, "p2"), SeatLeft(3, "p3")])
    place = due.place
    assert place is not None
    assert due.previous_hand == "1"
    assert "Seat 3 had the big blind in hand 1" in place.big_grounds[0].sentence
    assert place.big_grounds[0].clauses == ("m.cash_big_bet",)
    assert [ground.clauses for ground in place.small_grounds] == [("m.cash_big_bet",), ("dead-blind",)]
    assert [ground.clauses for ground in place.button_grounds] == [("m.cash_big_bet",), ("dead-button",)]
    assert all(ground.hand == "1" for ground in (place.big_grounds[0], place.small_grounds[0]))
    assert place.posts[0].grounds == place.big_grounds


# Who is called, and who comes in free


def test_an_absent_player_in_the_room_who_is_due_the_button_is_dealt_in() -> None:
    """W21: seat 4 has paid both blinds and is away when the button comes."""
    eligibility_policy = policy("moving", **{"button.absent_due": Ruling("dealt-in-if-in-room", ("12b.4",))})
    events = [dealt(1, 1, 2, 3), dealt(2, 2, 3, 4), dealt(3, 3, 4, 5)]
    room, player_away = PlayerAway(4, "p4", in_room=True), PlayerAway(4, "p4", in_room=False)
    due = coming(eligibility_policy, *events, room)
    assert (seats_placed(due.place), due.dealt) == ((4, 5, 6), SIX)
    assert shown_placement(due).last == 4
    for events_other in ((player_away,), (room, DealOutRequested(4)), (PlayerAway(4, "p4"),)):
        due = coming(eligibility_policy, *events, *events_other)
        assert (seats_placed(due.place), due.dealt) == ((5, 6, 1), (1, 2, 3, 5, 6))
    assert seats_placed(coming(MOVING, *events, room).place) == (5, 6, 1), "the book says nothing of it"
    far = coming(eligibility_policy, *events, PlayerAway(3, "p3", in_room=True))
    assert 3 not in far.dealt, "the button has just been there"


def test_who_comes_in_without_a_post_is_dealt_in_and_takes_no_blind_out_of_turn() -> None:
    free = policy("moving", **{"entry.post.big_bet": Ruling("nothing"), "entry.zone": Ruling("open")})
    five = (1, 2, 3, 4, 5)
    due = coming(free, dealt(1, 1, 2, 3, five), SeatTaken(6, "p6", "walk-in", 200))
    assert (seats_placed(due.place), due.dealt) == ((2, 3, 4), SIX)
    assert shown_placement(due).opener == 5
    late_due = coming(
        free, dealt(1, 2, 3, 4, five), SeatTaken(6, "p6", "walk-in", 200), dealt(2, 3, 4, 5, five, out={6: "unknown"})
    )
    assert seats_placed(late_due.place) == (4, 5, 6), "the big blind in turn"


def test_a_tournament_deals_in_whoever_has_chips() -> None:
    first = dealt(1, 1, 2, 3, format="tournament")
    due = coming(DEAD, first, PlayerAway(4, "p4"), SeatTaken(8, "p8", "table-balance", 500))
    assert (seats_placed(due.place), due.dealt) == ((2, 3, 4), (*SIX, 8))
    assert coming(DEAD, first, PlayerBusted(4, "p4")).dealt == (1, 2, 3, 5, 6)
    moved = coming(
        MOVING,
        dealt(1, 1, 2, 4, (1, 2, 4, 5), format="tournament"),
        SeatLeft(2, "p2"),
        SeatTaken(3, "p3", "table-balance", 500),
    )
    assert [placement.button for placement in moved.placements] == [4, 3], "whether a mover may have it is open"
