"""Where button and blinds belong next: the worked examples of both methods, and what stays open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.presence import (
    DealOutRequested,
    PlayerAway,
    PlayerBack,
    PlayerBusted,
    SeatLeft,
    SeatTaken,
    WaitDeclared,
)
from ledger.table.events import (
    ButtonBought,
    ButtonDrawn,
    GameBroken,
    GameStarted,
    HandsMissing,
    Post,
)
from ledger.table.positions import Positions, next_positions
from ledger.table.state import TableState
from tests.ledger.table.tables import ROOM, hand, table

SIX = (1, 2, 3, 4, 5, 6)


def seats(found: Positions) -> tuple[int | None, int | None, int | None]:
    return found.button.seat, found.small.seat, found.big.seat


def after_leaving(dealt: tuple[int, ...], gone: tuple[int, ...], method: str) -> list[Positions]:
    """Play three hands by the positions that are answered, after `gone` left: their positions."""
    events: list = [hand(1, 1, 2, 3, dealt), *(SeatLeft(seat, f"p{seat}") for seat in gone)]
    stay = [seat for seat in dealt if seat not in gone]
    found = []
    for number in (2, 3, 4):
        place = next_positions(table(*events), method)
        found.append(place)
        events.append(hand(number, *seats(place), stay))
    return found


@pytest.mark.parametrize(
    ("gone", "dead", "moving"),
    [
        ((2, 3), [(2, 3, 4), (3, 4, 5), (4, 5, 6)], [(4, 5, 6), (5, 6, 1), (6, 1, 4)]),  # W01
        ((3, 4), [(2, 3, 5), (3, 5, 6), (5, 6, 1)], [(2, 5, 6), (5, 6, 1), (6, 1, 2)]),  # W02
        ((2,), [(2, 3, 4), (3, 4, 5), (4, 5, 6)], [(3, 4, 5), (4, 5, 6), (5, 6, 1)]),  # W03
        ((3,), [(2, 3, 4), (3, 4, 5), (4, 5, 6)], [(2, 4, 5), (4, 5, 6), (5, 6, 1)]),  # W04
        ((1,), [(2, 3, 4), (3, 4, 5), (4, 5, 6)], [(2, 3, 4), (3, 4, 5), (4, 5, 6)]),  # W05
    ],
)
def test_who_leaves_changes_positions_as_in_the_worked_examples(
    gone: tuple[int, ...], dead: list[tuple], moving: list[tuple]
) -> None:
    assert [seats(place) for place in after_leaving(SIX, gone, "dead")] == dead
    assert [seats(place) for place in after_leaving(SIX, gone, "moving")] == moving


def test_the_hiltons_own_example_of_both_methods() -> None:
    five = (1, 2, 3, 4, 5)
    assert [seats(p) for p in after_leaving(five, (3,), "dead")][:2] == [(2, 3, 4), (3, 4, 5)]
    assert [seats(p) for p in after_leaving(five, (3,), "moving")][:2] == [(2, 4, 5), (4, 5, 1)]


def test_an_empty_position_is_named_as_empty() -> None:
    found = next_positions(
        table(hand(1, 1, 2, 3, SIX), SeatLeft(2, "p2"), SeatLeft(3, "p3")), "dead"
    )
    assert (found.button.empty, found.small.empty, found.big.empty) == (True, True, False)
    assert "hand 1" in found.small.why
    assert "seat 3" in found.small.why


@pytest.mark.parametrize(
    ("gone", "dead", "moving", "basis"),
    [
        (1, (3, 3, 2), (3, 3, 2), "fallback"),  # books leave the moving method open here
        (2, (3, 3, 1), (3, 3, 1), "method"),
        (3, (2, 2, 1), (2, 2, 1), "method"),
    ],
)
def test_three_become_two(gone: int, dead: tuple, moving: tuple, basis: str) -> None:
    state = table(hand(1, 1, 2, 3, (1, 2, 3)), SeatLeft(gone, f"p{gone}"))
    assert seats(next_positions(state, "dead")) == dead
    found = next_positions(state, "moving")
    assert seats(found) == moving
    assert found.button.basis == basis
    assert found.small.basis == "fallback"


def test_two_become_three_when_the_third_waits_left_of_the_big_blind() -> None:
    state = table(hand(1, 1, 1, 2, (1, 2)), SeatTaken(3, "p3"), WaitDeclared(3))
    assert seats(next_positions(state, "dead")) == (1, 2, 3)
    assert seats(next_positions(state, "moving")) == (2, 2, 1)


def test_two_become_three_when_the_third_waits_between_them() -> None:
    state = table(hand(1, 1, 1, 3, (1, 3)), SeatTaken(2, "p2"), WaitDeclared(2))
    assert seats(next_positions(state, "dead")) == (3, 3, 1)
    assert seats(next_positions(state, "moving")) == (3, 1, 2)


def test_heads_up_depends_on_whether_a_newcomer_posts() -> None:
    state = table(hand(1, 1, 1, 3, (1, 3)), SeatTaken(2, "p2"))
    found = next_positions(state, "dead")
    assert seats(found) == (None, None, 1)
    assert "seat 2" in found.button.why


@pytest.mark.parametrize("method", ["dead", "moving"])
def test_heads_up_goes_on(method: str) -> None:
    assert seats(next_positions(table(hand(1, 1, 1, 2, (1, 2))), method)) == (2, 2, 1)


@pytest.mark.parametrize(
    "gone",
    [
        PlayerAway(4, "p4"), DealOutRequested(4), PlayerBusted(4, "p4"), SeatLeft(4, "p4"),
        SeatLeft(None, "p4"), WaitDeclared(4, "button"),
    ],
)  # fmt: skip
def test_who_is_away_or_out_is_passed_over(gone: object) -> None:
    state = table(hand(1, 1, 2, 3, SIX), gone)
    assert seats(next_positions(state, "dead")) == (2, 3, 5)
    assert 4 not in next_positions(state, "dead").players


def test_who_is_back_takes_the_big_blind_in_turn() -> None:
    state = table(
        hand(1, 1, 2, 3, SIX),
        PlayerAway(4, "p4"),
        hand(2, 2, 3, 5, (1, 2, 3, 5, 6), out={4: "away"}),
        PlayerBack(4, "p4"),
    )
    found = next_positions(state, "dead")
    assert found.waiting == (4,)
    assert seats(found) == (3, 5, 6)
    round_later = table(
        hand(1, 1, 2, 3, SIX), PlayerAway(4, "p4"),
        hand(2, 2, 3, 3, (1, 2, 3, 5, 6), out={4: "away"}), PlayerBack(4, "p4"),
    )  # fmt: skip
    assert next_positions(round_later, "dead").big.seat == 4


def test_missing_hands_leave_all_open_until_the_next_hand() -> None:
    lost = table(hand(1, 1, 2, 3, SIX), HandsMissing("1"))
    assert seats(next_positions(lost, "dead")) == (None, None, None)
    assert "after hand 1" in next_positions(lost, "moving").button.why
    found = table(hand(1, 1, 2, 3, SIX), HandsMissing("1"), hand(9, 4, 5, 6, SIX))
    assert seats(next_positions(found, "dead")) == (5, 6, 1)


def test_a_hand_after_a_gap_does_not_lend_its_small_blind_from_before() -> None:
    shown = table(hand(1, 1, 2, 3, SIX), hand(2, 2, None, 4, SIX))
    assert next_positions(shown, "dead").button.seat == 3
    hidden = table(hand(1, 1, 2, 3, SIX), hand(7, 2, None, 4, SIX))
    assert next_positions(hidden, "dead").button.seat is None
    assert next_positions(hidden, "dead").small.seat == 4


def test_positions_that_are_not_told_stay_open() -> None:
    state = table(hand(1, None, None, None, SIX))
    for method in ("dead", "moving"):
        found = next_positions(state, method)
        assert not found.known
        assert "does not tell" in found.button.why


def test_a_posted_blind_stands_for_its_position() -> None:
    posts = (Post(2, "small", 5), Post(3, "big", 10), Post(6, "entry", 10))
    state = table(hand(1, 1, None, None, SIX, posts=posts))
    assert seats(next_positions(state, "dead")) == (2, 3, 4)


def test_two_big_blinds_on_one_hand_leave_the_dead_method_open() -> None:
    posts = (Post(3, "big", 10), Post(4, "big", 10))
    found = next_positions(table(hand(1, 1, None, None, SIX, posts=posts)), "dead")
    assert "more than one big blind" in found.big.why


def test_whoever_made_up_between_the_blinds_may_or_may_not_get_the_button() -> None:
    state = table(hand(1, 2, 4, 5, SIX, posts=(Post(3, "makeup-big", 10),)))
    found = next_positions(state, "moving")
    assert found.button.seat is None
    assert "left to the book" in found.button.why


def test_the_first_hand_rests_on_the_draw() -> None:
    sat = [SeatTaken(seat, f"p{seat}") for seat in (2, 4, 6)]
    none = table(GameStarted(), *sat)
    assert not next_positions(none, "dead").known
    drawn = table(GameStarted(), *sat, ButtonDrawn((2, 4, 6), 4))
    assert seats(next_positions(drawn, "dead")) == (4, 6, 2)
    assert next_positions(drawn, "dead").button.basis == "record"


def test_a_bought_button_is_the_records_own_word() -> None:
    found = next_positions(table(hand(1, 1, 2, 3, SIX), ButtonBought(2)), "moving")
    assert seats(found) == (2, None, None)


def test_a_misdeal_does_not_move_the_button_but_a_hand_without_end_is_open() -> None:
    again = next_positions(
        table(hand(1, 1, 2, 3, SIX, completed=False, voided="misdeal")), "moving"
    )
    assert seats(again) == (1, 2, 3)
    assert again.button.basis == "fallback"
    cut = next_positions(table(hand(1, 1, 2, 3, SIX, completed=False)), "moving")
    assert seats(cut) == (None, None, None)


def test_nothing_is_due_when_the_game_is_over() -> None:
    found = next_positions(table(hand(1, 1, 2, 3, SIX), GameBroken()), "dead")
    assert "over" in found.big.why


def test_no_answer_is_given_for_fewer_than_two() -> None:
    gone = [SeatLeft(seat, f"p{seat}") for seat in SIX[1:]]
    for method in ("dead", "moving"):
        assert seats(next_positions(table(hand(1, 1, 2, 3, SIX), *gone), method)) == (None,) * 3


@given(
    dealt=st.sets(st.integers(1, 10), min_size=3),
    gone=st.sets(st.integers(1, 10)),
    data=st.data(),
)
def test_any_answer_names_a_player_for_the_big_blind_and_a_reason_for_each(
    dealt: set[int], gone: set[int], data: st.DataObject
) -> None:
    ring = sorted(dealt)
    at = data.draw(st.integers(0, len(ring) - 1))
    button, small, big = (ring[(at + step) % len(ring)] for step in range(3))
    state: TableState = table(
        hand(1, button, small, big, ring, witnesses=ROOM),
        *(SeatLeft(seat, f"p{seat}") for seat in gone & dealt),
    )
    for method in ("dead", "moving"):
        found = next_positions(state, method)
        assert all(place.why for place in (found.button, found.small, found.big))
        if found.known:
            stay = dealt - gone
            assert found.big.seat in stay
            assert found.button.seat != found.big.seat
            if method == "moving":
                assert found.button.seat in stay
                assert found.small.seat in stay
            elif len(stay) > 2:
                assert (found.button.seat, found.small.seat) == (small, big)


NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)


def test_a_player_away_for_the_big_blind_is_passed_by_and_may_wait_behind_the_button() -> None:
    """W13: seat 3 misses its big blind and comes back between button and blinds."""
    eight = tuple(seat for seat in NINE if seat != 3)
    events = [hand(1, 9, 1, 2, NINE), PlayerAway(3, "p3")]
    assert seats(next_positions(table(*events), "dead")) == (1, 2, 4)
    events += [hand(2, 1, 2, 4, eight, out={3: "away"}), PlayerBack(3, "p3")]
    assert seats(next_positions(table(*events), "dead")) == (2, 4, 5)
    events.append(hand(3, 2, 4, 5, eight, out={3: "waiting-for-big-blind"}))
    assert seats(next_positions(table(*events), "dead")) == (4, 5, 6)
    assert [one.role for one in table(*events).seats[3].passed] == ["big", "small"]


def test_a_newcomer_who_posted_behind_the_button_does_not_get_it_under_the_dead_method() -> None:
    """W14: dealt in at seat 3 between button 2 and small blind 4."""
    state = table(hand(1, 2, 4, 5, NINE, posts=(Post(3, "entry", 10),)))
    assert seats(next_positions(state, "dead")) == (4, 5, 6)
    assert next_positions(state, "moving").button.seat is None


def test_a_latecomer_to_a_new_game_takes_the_big_blind_when_it_comes() -> None:
    """W19: five drew for the button; seats 8 and 3 sit down after the second hand."""
    five = (1, 2, 4, 5, 6)
    events: list = [GameStarted(), hand(1, 6, 1, 2, five), hand(2, 1, 2, 4, five)]
    events += [SeatTaken(8, "p8"), SeatTaken(3, "p3")]
    for number, wanted in ((3, (2, 4, 5)), (4, (4, 5, 6)), (5, (5, 6, 8))):
        found = next_positions(table(*events), "dead")
        assert seats(found) == wanted
        events.append(hand(number, *wanted, five, out={8: "unknown", 3: "unknown"}))
