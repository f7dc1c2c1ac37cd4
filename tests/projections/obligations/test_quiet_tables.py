"""Tables where for hands nothing happens: what then happens is not overlooked by the short ways."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.presence import PlayerBusted, SeatLeft, SeatTaken
from ledger.table.events import ButtonBought, ButtonDrawn, GameStarted, HandPlayed, Post
from ledger.vocabulary import Witness
from projections.obligations import debts, obligations
from projections.obligations.dues import Due
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy, Ruling
from tests.ledger.table.tables import ROOM, hand
from tests.projections.obligations.desk import due_at, entry, lacking, terms
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
from tests.projections.obligations.test_debts_memory import play_quiet_hands

ALL = (DEAD, MOVING, OWED)
CALM = (dealt(1, 1, 2, 3), dealt(2, 2, 3, 4))
"""After these the third hand has its button at seat 3, and nobody comes or goes."""


def third(**told: object) -> HandPlayed:
    return dealt(3, 3, 4, 5, SIX, **told)


def list_placements(policy: Policy, hand_played: HandPlayed, *between: object) -> list[tuple[object, str]]:
    due = dues(policy, *CALM, *between, hand_played)[2]  # type: ignore[arg-type]  # events
    return [(seats_placed(place), posts(place)) for place in due.placements]


@pytest.mark.parametrize("book_policy", ALL)
def test_a_stack_below_its_blind_posts_what_it_has(book_policy: Policy) -> None:
    assert list_placements(book_policy, third()) == [((3, 4, 5), "4:5 5:10")]
    assert list_placements(book_policy, third(before={4: 4})) == [((3, 4, 5), "4:4 5:10")]
    assert list_placements(book_policy, third(before={5: 9})) == [((3, 4, 5), "4:5 5:9")]
    assert list_placements(book_policy, third(before={4: 5, 5: 10})) == [((3, 4, 5), "4:5 5:10")]
    assert list_placements(book_policy, third(before={6: 1, 3: 1})) == [((3, 4, 5), "4:5 5:10")]
    assert list_placements(book_policy, third(before={5: 11}, ante=2)) == [((3, 4, 5), "4:5 5:None")]
    assert list_placements(book_policy, third(before={5: 12}, ante=2)) == [((3, 4, 5), "4:5 5:10")]


@pytest.mark.parametrize("book_policy", ALL)
def test_a_dead_blind_a_third_one_and_untold_amounts_are_seen(book_policy: Policy) -> None:
    place = shown_placement(dues(book_policy, *CALM, third(options=(("blind-dead", "small"),)))[2])
    assert [(post.live, post.dead) for post in place.posts] == [(0, 5), (10, 0)]
    three = hand(
        3, 3, None, None, SIX, blinds=(5, 10, 20), posts=(Post(4, "small", 5), Post(5, "big", 10), Post(6, "extra", 20))
    )
    assert shown_placement(dues(book_policy, *CALM, three)[2]).extra is not None
    untold_hands = (dealt(1, 1, 2, 3, blinds=()), dealt(2, 2, 3, 4, blinds=()))
    assert posts(shown_placement(dues(book_policy, *untold_hands)[1])) == "3:None 4:None"


@pytest.mark.parametrize("book_policy", ALL)
def test_all_that_follows_from_the_positions_is_there(book_policy: Policy) -> None:
    place = shown_placement(dues(book_policy, *CALM, third())[2])
    assert (place.opener, place.first, place.last) == (6, 4, 3)
    assert [(post.seat, post.role, post.live, post.dead) for post in place.posts] == [
        (4, "small", 5, 0),
        (5, "big", 10, 0),
    ]
    assert not place.button_empty
    assert (place.heads_up, place.judged, place.reading) == (False, True, "")
    assert f"Seat {2 if book_policy is not DEAD else 3} had " in place.button_grounds[0].sentence
    straddled = dealt(3, 3, 4, 5, SIX, Post(6, "straddle", 20))
    assert shown_placement(dues(book_policy, *CALM, straddled)[2]).opener == 1


def test_a_bought_button_is_one_reading_of_the_recorded_hand() -> None:
    bought = dealt(3, 6, 1, 2)
    for book_policy in ALL:
        assert ((6, 1, 2), "1:5 2:10") in list_placements(book_policy, bought, ButtonBought(6))
        assert [seats for seats, _ in list_placements(book_policy, bought)] == [(3, 4, 5)]


def parse_posts(*own: str) -> tuple[Post, ...]:
    """Posts as in `4:small:5`; with a fourth number that many chips are dead."""
    posts = []
    for seat, role, live, *dead in (post_text.split(":") for post_text in own):
        posts.append(Post(int(seat), role, int(live), int(dead[0]) if dead else 0))  # type: ignore[arg-type]  # a role
    return tuple(posts)


USUAL = ("4:small:5", "5:big:10")
TURNS: dict[str, dict[str, Any]] = {
    "as it was due": {},
    "no button told": {"button": None},
    "all told": {"small": 4, "big": 5},
    "the button one further": {"button": 4},
    "the button told elsewhere": {"button": 1},
    "the small blind told elsewhere": {"small": 3},
    "the big blind told elsewhere": {"big": 6},
    "all blinds one further": {"posts": ("5:small:5", "6:big:10")},
    "all blinds one further, no button told": {"button": None, "posts": ("5:small:5", "6:big:10")},
    "everything one further": {"button": 4, "posts": ("5:small:5", "6:big:10")},
    "the big blind alone further": {"posts": ("4:small:5", "6:big:10")},
    "the small blind from another": {"posts": ("3:small:5", "5:big:10")},
    "the blinds exchanged": {"posts": ("4:big:10", "5:small:5")},
    "the big blind first": {"posts": USUAL[::-1]},
    "no small blind": {"posts": USUAL[1:]},
    "no big blind": {"posts": USUAL[:1]},
    "no blinds": {"posts": ()},
    "a dead small blind": {"posts": ("4:small:0:5", "5:big:10")},
    "a dead big blind": {"posts": ("4:small:5", "5:big:0:10")},
    "two big blinds": {"posts": (*USUAL, "6:big:10")},
    "a straddle": {"posts": (*USUAL, "6:straddle:20")},
    "an ante": {"posts": ("1:ante:0:1", *USUAL), "ante": 1},
    "a third blind": {"posts": (*USUAL, "6:extra:20")},
    "a third blind of the structure": {"posts": (*USUAL, "6:extra:20"), "blinds": (5, 10, 20)},
    "a button blind": {"posts": ("3:button:2", *USUAL), "blinds": (2, 5, 10)},
    "one blind": {"posts": USUAL[1:], "blinds": (10,), "witnesses": ROOM | int(Witness.BLIND_AMOUNTS)},
    "four blinds": {"blinds": (1, 2, 5, 10)},
    "an entry post": {"posts": (*USUAL, "1:entry:10")},
    "a make-up": {"posts": (*USUAL, "1:makeup:10")},
    "a misdeal": {"completed": False, "voided": "misdeal"},
    "a hand cut off": {"completed": False},
    "stud": {"variant": "razz", "blinds": (), "posts": (), "button": None},
    "a short small blind": {"before": {4: 3}, "posts": ("4:small:3", "5:big:10")},
    "a short big blind": {"before": {5: 4}, "posts": ("4:small:5", "5:big:4")},
    "a dead small blind of the house": {"options": (("blind-dead", "small"),)},
    "one seat less": {"seats": (1, 2, 3, 4, 5)},
    "somebody else": {"seats": (1, 2, 3, 4, 5, 7)},
    "who goes broke": {"after": {6: 0}},
    "a hand left out": {"number": 4},
}


def turned(turn: str) -> HandPlayed:
    hand_fields = dict(TURNS[turn])
    hand_fields["posts"] = parse_posts(*hand_fields.pop("posts", USUAL))
    seats = hand_fields.pop("seats", SIX)
    return hand(
        hand_fields.pop("number", 3),
        hand_fields.pop("button", 3),
        hand_fields.pop("small", None),
        hand_fields.pop("big", None),
        seats,
        **hand_fields,
    )


@pytest.mark.parametrize("book_policy", ALL)
@pytest.mark.parametrize("turn", TURNS)
def test_whatever_happens_at_a_quiet_table_the_short_way_goes_where_the_long_one_does(
    turn: str, book_policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def due() -> list[Due]:
        dues_found = [
            *dues(book_policy, *CALM, turned(turn)),
            coming(book_policy, *CALM, turned(turn), ButtonBought(2)),
        ]
        return [
            replace(due_found, seats=tuple(replace(seat_due, grounds=()) for seat_due in due_found.seats))
            for due_found in dues_found
        ]

    quick_dues = due()
    monkeypatch.setattr(PlayerTabs, "_take_steady_hand", lambda *_: False)
    monkeypatch.setattr(debts, "_is_steady", lambda *_: False)
    monkeypatch.setattr(obligations, "place_steady_hand", lambda *_: None)
    assert due() == quick_dues


def test_who_leaves_and_comes_back_between_two_hands_is_new() -> None:
    desk = play_quiet_hands("rrop4")
    desk.tell(SeatLeft(5, "p5"), SeatTaken(5, "p5", "walk-in", 1000))
    assert terms(desk.play(2, 3, 4, range(1, 7)), 5) == "10+0"


def test_what_a_quiet_hand_tells_of_seats_and_chips_is_heard() -> None:
    desk = play_quiet_hands("rrop4")
    desk.who[7] = "p7"
    desk.play(2, 3, 4, range(1, 7), within=(SeatTaken(7, "p7", "walk-in", 1000),))
    assert terms(desk.coming(), 7) == "10+0"
    desk = play_quiet_hands("rrop4")
    desk.play(2, 3, 4, range(1, 7), within=(PlayerBusted(5, "p5"),))
    assert desk.keeper.player_tabs.find_tab("p5").broke_hand == "9"


def test_a_newcomer_who_is_listed_without_cards_at_a_quiet_table_is_noticed() -> None:
    desk = play_quiet_hands("rrop4")
    desk.play(2, 3, 4, range(1, 7), out={7: "waiting-for-big-blind"})
    assert (terms(desk.coming(), 7), due_at(desk.coming(), 7).status) == ("10+0", "new")


def test_a_game_goes_round_at_a_quiet_table_as_well() -> None:
    def newcomer(hands: int) -> str:
        desk = play_quiet_hands("rrop4", hands=0)
        desk.tell(*(SeatTaken(seat, f"p{seat}", "game-start", 1000) for seat in range(1, 7)))
        desk.tell(GameStarted(), ButtonDrawn(tuple(range(1, 7)), 6))
        for number in range(hands):
            desk.play(*(((5 + number + step) % 6) + 1 for step in range(3)), range(1, 7))
        desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
        return terms(desk.coming(), 7)

    assert [newcomer(hands) for hands in (1, 4, 7)] == ["yes", "yes", "10+0"]


def test_missing_hands_at_a_table_without_counted_numbers_are_missing_all_the_same() -> None:
    desk = play_quiet_hands("hilton")
    desk.play(2, 3, 4, range(1, 7), number=12)
    assert "are missing" in lacking(desk.coming(), 1)
    desk.play(3, 4, 5, range(1, 7), number=13, posts=[entry(1, 10)])
    assert terms(desk.coming(), 1) == "yes"


def test_a_stand_in_at_a_quiet_table_looks_closely() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    hand_played = third(before={5: 4}, betting="limit")
    limit = (dealt(1, 1, 2, 3, betting="limit"), dealt(2, 2, 3, 4, betting="limit"))
    assert posts(shown_placement(dues(book_policy, *limit, hand_played)[2])) == "4:5 5:4 6:10"
