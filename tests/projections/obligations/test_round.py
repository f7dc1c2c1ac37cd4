"""What positions remember of one hand: where they were, and whether the next follow in a row."""

from __future__ import annotations

import msgspec
import pytest

from ledger.table.events import DealtIn, Post
from ledger.vocabulary import Witness
from projections.obligations.button_round import (
    ButtonRound,
    HandPositions,
    Turn,
    _collect_paid_roles,
    _read_positions,
    agrees_with,
    plan_turn,
)
from projections.obligations.dues import Due, DuePost, Placement
from projections.obligations.game import BlindName
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import Spot
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy
from tests.projections.obligations.test_debts_measures import hand, make_placement

TWO: tuple[BlindName, ...] = ("small", "big")
THREE: tuple[BlindName, ...] = ("small", "big", "extra")


def make_positions(
    button: int | None,
    small: int | None,
    big: int | None,
    *dealt: int,
    roles: tuple[BlindName, ...] = TWO,
    assumed: str = "",
    extra: int | None = None,
) -> HandPositions:
    players = tuple(f"p{seat}" for seat in dealt)
    return HandPositions("7", button, small, big, extra, dealt, players, roles, assumed)


def test_positions_in_a_row_of_three_or_more_go_on_by_one() -> None:
    assert plan_turn(make_positions(1, 2, 4, 1, 2, 4, 6)) == Turn(1, 2, 3, 0)
    assert plan_turn(make_positions(4, 6, 1, 1, 2, 4, 6)) == Turn(3, 0, 1, 2)
    assert plan_turn(make_positions(6, 1, 2, 1, 2, 4, 6)) == Turn(0, 1, 2, 3)
    assert plan_turn(make_positions(2, 4, 1, 1, 2, 4)) == Turn(2, 0, 1, 2)


@pytest.mark.parametrize(
    "was",
    [
        None,
        make_positions(1, 2, 4, 1, 2, 4, 6, assumed="taken to be right of the small blind"),
        make_positions(1, 2, 4, 1, 2, 4, 6, roles=("big",)),
        make_positions(1, 2, 4, 1, 2, 4, 6, roles=THREE),
        make_positions(3, 4, 6, 1, 2, 4, 6),
        make_positions(None, 2, 4, 1, 2, 4, 6),
        make_positions(1, 1, 2, 1, 2),
        make_positions(1, 2, 1, 1, 2),
        make_positions(1, 4, 6, 1, 2, 4, 6),
        make_positions(1, 2, 6, 1, 2, 4, 6),
        make_positions(1, None, 4, 1, 2, 4, 6),
    ],
)
def test_where_they_are_not_in_a_row_one_looks_closely(was: HandPositions | None) -> None:
    assert plan_turn(was) is None


def test_a_round_is_settled_where_the_last_big_blind_alone_owes_the_small_one() -> None:
    def settled_turn(**more: object) -> Turn | None:
        button_round = ButtonRound()
        button_round.positions = make_positions(1, 2, 4, 1, 2, 4, 6)
        button_round.debts = {"p4": ("small",)}
        for name, value in more.items():
            setattr(button_round, name, value)
        button_round.plan_steady_turn()
        return button_round.turn

    assert settled_turn() == Turn(1, 2, 3, 0)
    assert settled_turn(debts={}) is None
    assert settled_turn(debts={"p2": ("small",)}) is None
    assert settled_turn(debts={"p4": ("small",), "p6": ("big",)}) is None
    assert settled_turn(void=make_positions(1, 2, 4, 1, 2, 4, 6)) is None
    assert settled_turn(stepped_in=True) is None
    assert settled_turn(late_debts={"p6": ("big",)}) is None
    assert settled_turn(zone={"p6": "new"}) is None
    assert settled_turn(positions=None) is None


def spots(
    *told: int | None,
    dealt: tuple[int, ...] = (1, 2, 4, 6),
    posts: tuple[Post, ...] = (),
    fits: Placement | None = None,
    roles: tuple[BlindName, ...] = TWO,
) -> tuple[int | None, int | None, int | None, int | None, bool]:
    button, small, big = told
    hand_positions = _read_positions(hand(button, small, big, *dealt, posts=posts), fits, roles)
    assert hand_positions.dealt == dealt
    return (
        hand_positions.button,
        hand_positions.small,
        hand_positions.big,
        hand_positions.extra,
        bool(hand_positions.assumed),
    )


def test_positions_are_as_told_else_as_posted_else_as_what_fits_has_them() -> None:
    assert spots(1, 2, 4) == (1, 2, 4, None, False)
    assert spots(1, 2, 4, fits=make_placement(6, 1, 2, extra=4)) == (1, 2, 4, 4, False)
    assert spots(None, None, None, fits=make_placement(1, 2, 4)) == (1, 2, 4, None, False)
    posts = (Post(2, "small", 5), Post(4, "big", 10), Post(6, "extra", 20))
    assert spots(1, None, None, posts=posts) == (1, 2, 4, 6, False)
    assert spots(1, None, None, posts=posts, fits=make_placement(1, 2, 4, extra=1))[3] == 6
    dead = (Post(2, "small", 5), Post(4, "big", 10), Post(6, "extra", 0, 20))
    assert spots(1, None, None, posts=dead)[3] is None


def test_a_button_that_nobody_told_is_taken_to_be_right_of_the_small_blind() -> None:
    assert spots(None, 2, 4) == (1, 2, 4, None, True)
    assert spots(None, 1, 2) == (6, 1, 2, None, True)
    assert spots(None, 2, 4, dealt=(2, 4)) == (2, 2, 4, None, True)
    assert spots(None, 2, 4, dealt=(2,)) == (None, 2, 4, None, False)
    assert spots(None, None, 4) == (None, None, 4, None, False)


def test_of_two_players_the_small_blind_is_on_the_button() -> None:
    assert spots(2, None, 4, dealt=(2, 4)) == (2, 2, 4, None, False)
    assert spots(4, None, 4, dealt=(2, 4)) == (4, None, 4, None, False)
    assert spots(2, None, 4, dealt=(2, 4), roles=("big",)) == (2, None, 4, None, False)
    assert spots(2, None, 4) == (2, None, 4, None, False)


def test_the_last_who_posted_a_big_blind_has_it() -> None:
    two = (Post(4, "big", 10), Post(6, "big", 10))
    assert spots(1, 2, None, posts=two)[2] == 6
    assert spots(4, None, None, posts=(Post(6, "big", 10), Post(2, "big", 10)))[2] == 2
    assert spots(1, 2, 4, posts=(Post(6, "extra", 20), Post(1, "extra", 20)))[3] == 1


def test_where_blinds_are_owed_who_posts_one_need_not_have_its_position() -> None:
    posts = (Post(6, "small", 5), Post(1, "big", 10), Post(4, "extra", 20))
    owed = msgspec.structs.replace(make_placement(1, 2, 4, extra=6), method="owed")
    assert spots(1, None, None, posts=posts, fits=owed) == (1, 2, 4, 6, False)
    assert spots(4, None, None, posts=(Post(4, "big", 10), Post(2, "big", 10)))[2] == 4
    dead = (Post(4, "big", 10), Post(6, "big", 0, 10), Post(6, "big", 0, 10))
    assert spots(1, 2, None, posts=dead)[2] == 4


def test_posts_that_a_source_does_not_tell_are_taken_from_what_was_due() -> None:
    fits = Placement(
        "dead", 1, 2, 4, None, posts=(DuePost(2, "small", 5, 0), DuePost(4, "big", 10, 0), DuePost(6, "entry", 10, 0))
    )
    silent, stated_witnesses = int(Witness.BUTTON), int(Witness.POSTS)
    due = {2: {"small"}, 4: {"big"}}
    assert _collect_paid_roles(hand(1, 2, 4, 1, 2, 4, witnesses=silent), fits) == due
    assert _collect_paid_roles(hand(1, 2, 4, 1, 2, 4, witnesses=silent), None) == {}
    assert _collect_paid_roles(hand(1, 2, 4, 1, 2, 4, witnesses=stated_witnesses), fits) == {}
    some_posts = (Post(6, "big", 10), Post(6, "small", 5), Post(1, "makeup", 5))
    hand_played = hand(1, 2, 4, 1, 2, 4, witnesses=silent, posts=some_posts)
    assert _collect_paid_roles(hand_played, fits) == {6: {"big", "small"}}


def test_a_placement_fits_what_is_told_of_positions_and_posts() -> None:
    place = Placement("dead", 1, 2, 4, None, posts=(DuePost(2, "small", 5, 0), DuePost(4, "big", 10, 0)))
    right_posts = (Post(2, "small", 5), Post(4, "big", 10))
    assert agrees_with(place, hand(1, 2, 4, 1, 2, 4))
    assert agrees_with(place, hand(None, None, None, 1, 2, 4, posts=right_posts))
    assert agrees_with(place, hand(1, 2, 4, 1, 2, 4, posts=(*right_posts, Post(6, "entry", 10))))
    assert not agrees_with(place, hand(2, 2, 4, 1, 2, 4))
    assert not agrees_with(place, hand(1, 1, 4, 1, 2, 4))
    assert not agrees_with(place, hand(1, 2, 6, 1, 2, 4))
    assert not agrees_with(place, hand(1, None, None, 1, 2, 4, posts=right_posts[:1]))
    assert not agrees_with(place, hand(1, None, None, 1, 2, 4, posts=(*right_posts, Post(6, "extra", 20))))
    assert not agrees_with(place, hand(1, None, None, 1, 2, 4, posts=(*right_posts, Post(6, "big", 10))))
    assert agrees_with(make_placement(None, None, None), hand(1, 2, 4, 1, 2, 4))


def test_without_anything_before_a_hand_is_where_its_record_has_it() -> None:
    button_round = ButtonRound()
    button_round.apply_hand(hand(1, 2, 4, 1, 2, 4, 6, variant="holdem"), Due("a book", "", (), ()), TWO)
    assert button_round.positions is not None
    assert (button_round.positions.button, button_round.positions.furthest, button_round.unknown_reason != "") == (
        1,
        4,
        True,
    )
    button_round.apply_hand(hand(1, 2, 4, 1, 2, 4, 6, variant="razz"), Due("a book", "", (), ()), TWO)
    assert button_round.positions is None
    assert "without a button" in button_round.unknown_reason
    button_round.apply_hand(hand(None, 2, None, 1, variant="holdem"), Due("a book", "", (), ()), TWO)
    assert button_round.positions is None
    assert "doesn't record" in button_round.unknown_reason


def aligned(**seats: int) -> HandPositions | str | None:
    """The positions of hand 7 in the seats of a hand whose players are given by name."""
    button_round = ButtonRound()
    button_round.positions = make_positions(1, 2, 4, 1, 2, 4, 6)
    sat = tuple(DealtIn(seat, player, 100, 100) for player, seat in seats.items())
    return button_round.align_positions(hand(None, None, None, dealt_in=sat))


def test_positions_go_along_where_most_seats_are_numbered_anew() -> None:
    hand_positions = make_positions(1, 2, 4, 1, 2, 4, 6)
    assert aligned(p1=1, p2=2, p4=4, p6=6) == hand_positions
    assert aligned(p1=1, p2=2, p4=4, p6=7) == hand_positions
    assert aligned(p1=2, p2=1, p4=4, p6=6) == hand_positions  # half of them is not most
    assert aligned(p1=1, p2=5, new=4, other=8, third=9) == hand_positions
    moved = aligned(p1=2, p2=3, p4=5, p6=6)
    assert moved == hand_positions._replace(button=2, small=3, big=5, dealt=(2, 3, 5, 6))
    fewer = aligned(p1=2, p4=5, new=7)
    assert fewer == hand_positions._replace(button=2, small=None, big=5, dealt=(2, 5), players=("p1", "p4"))
    assert "have new numbers" in str(aligned(p1=2, p2=3, p6=7, new=4))
    assert ButtonRound().align_positions(hand(1, 2, 3, 1, 2, 3)) is None


def test_a_game_whose_first_button_is_not_told_is_not_known_to_have_gone_round() -> None:
    game = NewGame(is_recorded=True)
    for was, spot_now in ((None, Spot(None, 1, 2)), (Spot(None, 1, 2), Spot(1, 2, 4)), (Spot(1, 2, 4), Spot(8, 1, 2))):
        game.follow_hand("1", was, spot_now)
    assert not game.has_revolved
    assert game.has_blind_passed(8)


def test_a_hand_that_did_not_count_anchors_nothing() -> None:
    def positions_after(**told: object) -> HandPositions | None:
        button_round = ButtonRound()
        button_round.apply_hand(hand(1, 2, 4, 1, 2, 4, 6, variant="holdem", **told), Due("a book", "", (), ()), TWO)
        return button_round.positions

    assert positions_after(completed=False, voided="misdeal") is None
    assert positions_after(completed=False) is not None


def test_who_is_dealt_in_on_the_first_hand_on_record_is_in_the_game_whoever_was_told_to_sit() -> None:
    memory = PlayerTabs(Policy({}))
    memory.game = NewGame(is_recorded=True)
    memory.game.drawn_seats = {1, 2}
    dealt = hand(1, 2, 3, 1, 2, 3)
    assert memory.find_newcomer_tab(dealt, 3).entered
    assert not memory.find_newcomer_tab(dealt, 4).entered
