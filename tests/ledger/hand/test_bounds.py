"""Whose turn it is and what may be bet, where houses and programs are known to stumble."""

from __future__ import annotations

import pytest

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import opening as o
from ledger.hand.bounds import Bounds, bounds, to_call
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.order import actor, find_opener
from ledger.hand.state import HandState

FLOP = d.BoardDealt("flop", "AsKd2c")


def hand(
    *events: HandEvent,
    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6),
    button: int | None = 6,
    stacks: dict[int, int] | None = None,
    betting: str = "no-limit",
    bets: tuple[int, ...] = (),
    variant: str = "holdem",
) -> HandState:
    return fold(
        [
            o.GameSet(variant, betting, "cash", "chips", 0, (5, 10), 0, bets),  # type: ignore[arg-type] # any text
            *(o.SeatDealtIn(seat, f"p{seat}", (stacks or {}).get(seat, 1000)) for seat in seats),
            o.ButtonPlaced(button),
            *events,
        ]
    )


SMALL, BIG = o.BlindPosted(1, "small", 5), o.BlindPosted(2, "big", 10)


def test_the_seat_left_of_the_big_blind_opens_and_the_small_blind_later() -> None:
    assert actor(hand(SMALL, BIG)) == 3
    assert actor(hand(SMALL, BIG, FLOP)) == 1


def test_heads_up_the_button_posts_small_and_opens_and_is_last_later() -> None:
    posts = (o.BlindPosted(2, "small", 5), o.BlindPosted(1, "big", 10))
    assert actor(hand(*posts, seats=(1, 2), button=2)) == 2
    assert actor(hand(*posts, FLOP, seats=(1, 2), button=2)) == 1


def test_a_dead_button_at_an_empty_seat_still_sets_the_order() -> None:
    state = hand(SMALL, BIG, b.Called(3, 10, 10), FLOP, seats=(1, 2, 3, 5), button=4)
    assert find_opener(state) == 5


def test_a_straddle_moves_the_opener_and_an_entry_post_does_not() -> None:
    assert actor(hand(SMALL, BIG, o.BlindPosted(5, "entry", 10))) == 3
    assert actor(hand(SMALL, BIG, o.BlindPosted(5, "makeup", 10, 5))) == 3
    assert actor(hand(SMALL, BIG, o.StraddlePosted(3, 20))) == 4
    assert actor(hand(SMALL, BIG, o.StraddlePosted(6, 20, "mississippi"))) == 1
    assert actor(hand(SMALL, BIG, o.StraddlePosted(5, 20, "sleeper"))) == 3


def test_the_place_of_a_big_blind_that_nobody_posts_sets_the_opener() -> None:
    state = hand(SMALL, o.BlindPositionPlaced("big", 2), seats=(1, 3, 4))
    assert actor(state) == 3


def test_the_big_blind_and_the_straddler_have_the_last_word() -> None:
    calls = [b.Called(seat, 10, 10) for seat in (3, 4, 5, 6)]
    state = hand(SMALL, BIG, *calls, b.Called(1, 5, 10))
    assert actor(state) == 2
    assert to_call(state, 2) == 0
    assert bounds(state, 2).may_raise
    finished = hand(SMALL, BIG, *calls, b.Called(1, 5, 10), b.Checked(2))
    assert actor(finished) is None


def test_a_seat_that_was_skipped_is_due_before_the_others_go_on() -> None:
    assert actor(hand(SMALL, BIG, b.Called(4, 10, 10))) == 3
    assert actor(hand(SMALL, BIG, b.Called(4, 10, 10), b.Folded(3))) == 5
    assert actor(hand(SMALL, BIG, b.Raised(5, 30, 30))) == 3
    raised = hand(SMALL, BIG, b.Raised(5, 30, 30), b.Folded(3), b.Folded(4))
    assert actor(raised) == 6


def test_nobody_is_due_against_a_seat_that_cannot_bet_more() -> None:
    state = hand(
        o.BlindPosted(2, "small", 5),
        o.BlindPosted(1, "big", 10),
        b.Called(2, 2, 7),
        seats=(1, 2),
        button=2,
        stacks={2: 7},
    )
    assert actor(state) is None


def test_without_a_button_or_a_post_nobody_can_say_who_opens() -> None:
    assert actor(hand(button=None)) is None
    assert actor(hand(FLOP, button=None)) is None


def test_a_short_big_blind_is_called_at_its_full_amount() -> None:
    state = hand(SMALL, o.BlindPosted(2, "big", 4, all_in=True), stacks={2: 4})
    assert to_call(state, 3) == 10
    assert bounds(state, 3).min_to == 20


@pytest.mark.parametrize(
    ("acts", "seat", "expected"),
    [
        ([], 3, Bounds(20, 1000, True)),
        ([b.Raised(3, 30, 30)], 4, Bounds(50, 1000, True)),
        ([b.Raised(3, 30, 30), b.Raised(4, 40, 40, all_in=True)], 5, Bounds(60, 1000, True)),
        ([o.StraddlePosted(3, 20)], 4, Bounds(30, 1000, True)),
    ],
)
def test_no_limit_raises_by_the_last_full_raise(acts: list[HandEvent], seat: int, expected: Bounds) -> None:
    assert bounds(hand(SMALL, BIG, *acts), seat) == expected


def test_a_short_all_in_does_not_reopen_and_two_of_them_may() -> None:
    acts = [b.Raised(3, 110, 110), b.Called(4, 110, 110), b.Raised(5, 160, 160, all_in=True)]
    folds = [b.Folded(6), b.Folded(1), b.Folded(2)]
    state = hand(SMALL, BIG, *acts, *folds, stacks={5: 160})
    assert actor(state) == 3
    assert bounds(state, 3).why == "not-reopened"
    two = [*acts, b.Raised(6, 215, 215, all_in=True), *folds[1:]]
    assert bounds(hand(SMALL, BIG, *two, stacks={5: 160, 6: 215}), 3).may_raise


def test_a_stack_below_a_full_raise_may_go_all_in() -> None:
    state = hand(SMALL, BIG, b.Raised(3, 100, 100), stacks={4: 120, 5: 90})
    assert bounds(state, 4) == Bounds(120, 120, may_raise=True, why="all-in-only")
    assert bounds(state, 5).why == "call-takes-all"
    assert to_call(state, 5) == 90


def test_pot_limit_counts_the_call_into_the_pot() -> None:
    state = hand(SMALL, BIG, betting="pot-limit")
    assert bounds(state, 3) == Bounds(20, 35, may_raise=True)
    later = hand(SMALL, BIG, b.Called(3, 10, 10), b.Folded(1), FLOP, betting="pot-limit")
    assert bounds(later, 2) == Bounds(10, 25, may_raise=True)


def test_split_limits_rise_on_the_big_streets_unless_the_house_says_otherwise() -> None:
    turn = (FLOP, d.BoardDealt("turn", "9c"))
    assert bounds(hand(SMALL, BIG, betting="limit", bets=(10, 20)), 3) == Bounds(20, 20, True)
    assert bounds(hand(SMALL, BIG, *turn, betting="limit", bets=(10, 20)), 1).min_to == 20
    lower = o.OptionSet("limit-schedule", "lower-all-streets")
    assert bounds(hand(lower, SMALL, BIG, *turn, betting="limit", bets=(10, 20)), 1).min_to == 10


def test_a_posted_cap_ends_the_raising() -> None:
    acts = [b.Raised(3, 20, 20), b.Raised(4, 30, 30), b.Raised(5, 40, 40)]
    cap = o.OptionSet("raise-cap", 3)
    state = hand(cap, SMALL, BIG, *acts, betting="limit", bets=(10, 20))
    assert bounds(state, 6) == Bounds(40, 40, may_raise=False, why="raise-cap")
    capped_hand = hand(SMALL, BIG, b.RaisesCapped(), betting="limit", bets=(10, 20))
    assert bounds(capped_hand, 3).why == "raise-cap"


def test_a_cap_on_a_players_bets_holds_over_the_whole_hand() -> None:
    cap = o.OptionSet("bet-cap", 40)
    state = hand(cap, SMALL, BIG, b.Raised(3, 30, 30))
    assert bounds(state, 4) == Bounds(40, 40, may_raise=True, why="bet-cap")
    assert bounds(hand(cap, SMALL, BIG, b.Raised(3, 40, 40)), 4).may_raise is False


def test_against_nothing_but_all_ins_there_is_no_raise() -> None:
    state = hand(
        o.BlindPosted(2, "small", 5),
        o.BlindPosted(1, "big", 10),
        b.Raised(2, 95, 100),
        seats=(1, 2),
        button=2,
        stacks={2: 100},
    )
    assert bounds(state, 1).why == "nobody-to-raise"


def stud(*events: HandEvent, variant: str = "stud") -> HandState:
    return fold(
        [
            o.GameSet(variant, "limit", "cash", "chips", 0, (), 1, (10, 20), 3),
            *(o.SeatDealtIn(seat, f"p{seat}", 1000) for seat in (1, 2, 3)),
            d.HoleCardsDealt(1, "????2h", "ddu"),
            d.HoleCardsDealt(2, "????Kc", "ddu"),
            d.HoleCardsDealt(3, "????2c", "ddu"),
            *events,
        ]
    )


def test_stud_is_opened_by_the_lowest_door_card_and_then_by_the_best_hand_showing() -> None:
    assert actor(stud()) == 3  # clubs are lowest
    assert actor(stud(variant="razz")) == 2
    state = stud(o.BringInPosted(3, 3))
    assert (actor(state), to_call(state, 1)) == (1, 3)
    assert bounds(state, 1) == Bounds(10, 10, may_raise=True)
    fourth = [
        o.BringInPosted(3, 3),
        b.Called(1, 3, 3),
        b.Called(2, 3, 3),
        d.StreetDealt("fourth"),
        d.HoleCardsDealt(1, "3h", "u"),
        d.HoleCardsDealt(2, "9c", "u"),
        d.HoleCardsDealt(3, "2d", "u"),
    ]
    assert actor(stud(*fourth)) == 3  # a pair of twos shows
    assert bounds(stud(*fourth), 3) == Bounds(10, 20, may_raise=True, why="open-pair")
    assert actor(stud(*fourth, variant="razz")) == 1


def test_the_bring_in_has_no_option_of_its_own() -> None:
    state = stud(o.BringInPosted(3, 3), b.Called(1, 3, 3), b.Called(2, 3, 3))
    assert actor(state) is None
    raised = stud(o.BringInPosted(3, 3), b.Completed(1, 10, 10), b.Folded(2))
    assert actor(raised) == 3
    assert bounds(raised, 3) == Bounds(20, 20, may_raise=True)
