"""Hands that did not count, buttons that were bought: which readings there are, and which are judged."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.presence import SeatLeft, SeatTaken
from ledger.table.events import ButtonBought, ButtonDrawn, GameBroken, GameStarted, HandsMissing
from projections.books.rulebook import load
from projections.obligations import debts, obligations
from projections.obligations.dues import Due
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.policy import Policy, Ruling
from projections.table_walk.table_context import TableWalk
from tests.evenings import ROOMS, Evening, evening
from tests.projections.obligations.rooms import DEAD, MOVING, OWED, coming, dues, policy, posts, seats_placed
from tests.projections.obligations.test_positions_closely import played
from tests.projections.obligations.test_positions_states import SIX, dealt

FIRST = dealt(1, 1, 2, 3)
STAYS = policy("dead", **{"button.moves_after_misdeal": Ruling(False, ("i4",))})
MOVING_BUTTON = policy("dead", **{"button.moves_after_misdeal": Ruling(True, ("i4",))})


def cut(voided: str, *seats: int) -> object:
    return dealt(2, 2, 3, 4, seats or SIX, completed=False, voided=voided)


@pytest.mark.parametrize(
    ("book_policy", "voided", "expected"),
    [
        (STAYS, "misdeal", [((2, 3, 4), True)]),
        (MOVING_BUTTON, "misdeal", [((3, 4, 5), True)]),
        (DEAD, "misdeal", [((2, 3, 4), False)]),
        (STAYS, "ruling", [((2, 3, 4), True), ((3, 4, 5), True)]),
        (MOVING_BUTTON, "ruling", [((2, 3, 4), True), ((3, 4, 5), True)]),
        (DEAD, "", [((2, 3, 4), True), ((3, 4, 5), True)]),
    ],
)
def test_what_follows_a_hand_that_did_not_count(
    book_policy: Policy, voided: str, expected: list[tuple[tuple[int, int, int], bool]]
) -> None:
    due = coming(book_policy, FIRST, cut(voided))  # type: ignore[arg-type]  # a hand
    assert [(seats_placed(placement), placement.judged) for placement in due.placements] == expected


def test_whose_big_blind_did_not_count_and_who_is_gone_leaves_it_to_the_next() -> None:
    for book_policy in (STAYS, DEAD):
        due = coming(book_policy, FIRST, cut("misdeal"), SeatLeft(4, "p4"))  # type: ignore[arg-type]  # only what is asked of the book stands in
        assert [seats_placed(placement) for placement in due.placements] == [(2, 3, 5)]


def test_a_redeal_rests_on_the_clauses_about_it_only_after_a_misdeal() -> None:
    for voided, clauses in (("misdeal", ("i4",)), ("ruling", ())):
        place = coming(STAYS, FIRST, cut(voided)).placements[0]  # type: ignore[arg-type]  # only what is asked of the book stands in
        assert place.button_grounds[0].clauses == clauses


def test_a_stand_in_for_a_short_blind_leaves_the_next_coming_hand_unjudged() -> None:
    book_policy = policy("moving", **{"blinds.short_below_half": Ruling("next-posts", ("04b",))})
    first = played(1, 6, "1:small 2:big", betting="limit", after={3: 4})
    helped = played(2, 1, "2:small 3:big 4:big", betting="limit", before={3: 4}, after={3: 200})
    assert not any(placement.judged for placement in coming(book_policy, first, helped).placements)
    hand_played = played(2, 1, "2:small 3:big", betting="limit")
    assert all(placement.judged for placement in coming(book_policy, first, hand_played).placements)


def test_a_bought_button_is_not_judged_even_where_the_book_sells_it() -> None:
    for value, judged in ((True, False), (False, True)):
        sells = policy("moving", **{"button.buy": Ruling(value, ("21c",))})
        bought, usual = coming(sells, FIRST, ButtonBought(5)).placements
        assert (seats_placed(bought), bought.judged) == ((5, 6, 1), False)
        assert (seats_placed(usual), usual.judged) == ((2, 3, 4), judged)
        assert bought.reading == "the button in the seat that bought it"
        assert bought.button_grounds[0].clauses == ("21c",)


def test_a_bought_button_is_gone_after_the_hand() -> None:
    due = coming(MOVING, FIRST, ButtonBought(5), dealt(2, 5, 6, 1))
    assert [seats_placed(placement) for placement in due.placements] == [(6, 1, 2)]


def test_without_an_answer_it_says_why() -> None:
    alone = [SeatLeft(seat, f"p{seat}") for seat in SIX[1:]]
    for book_policy in (DEAD, MOVING, OWED):
        assert coming(book_policy, FIRST, *alone).unknown == "fewer than two players can be dealt in"
        assert coming(book_policy, FIRST, GameBroken()).unknown == "the game is over"
        assert coming(book_policy, FIRST, dealt(2, 2, 3, 4), GameStarted()).unknown
    stud = dealt(2, None, None, 3, variant="razz")
    assert dues(MOVING, FIRST, stud)[1].unknown == "the game has no button"


def test_who_is_dealt_in_on_the_coming_hand_counts_who_posts_in_turn() -> None:
    sits = SeatTaken(7, "p7", "walk-in", 200)
    due = coming(MOVING, dealt(1, 4, 5, 6), sits)
    assert (due.dealt, seats_placed(due.place)) == ((1, 2, 3, 4, 5, 6, 7), (5, 6, 7))
    later = coming(MOVING, FIRST, sits)
    assert later.dealt == SIX
    assert later.previous_hand == "1"


def dues_of(evening: Evening) -> list[Due]:
    """What was due; how a seat that owes nothing was settled last, the short way does not note."""
    book = load(evening.room.book)
    dues = [sat[book.name].due for sat in TableWalk([book]).contexts(evening.told())]
    return [replace(due, seats=tuple(replace(seat, grounds=()) for seat in due.seats)) for due in dues]


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_the_short_ways_of_a_quiet_table_say_what_the_long_ways_say(room: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entries_told = evening(room, 5, 30)
    dues = dues_of(entries_told)
    monkeypatch.setattr(PlayerTabs, "_take_steady_hand", lambda *_: False)
    monkeypatch.setattr(debts, "_is_steady", lambda *_: False)
    monkeypatch.setattr(obligations, "place_steady_hand", lambda *_: None)
    assert dues_of(entries_told) == dues


def test_how_many_hands_are_missing_is_told_where_it_is_more_than_one() -> None:
    due = dues(DEAD, FIRST, dealt(3, 4, 5, 6))[1]
    assert due.unknown == "hands are missing between hand 1 and hand 3"
    two = dues(DEAD, FIRST, dealt(4, 4, 5, 6))[1]
    assert two.unknown == "2 hands are missing between hand 1 and hand 4"


def test_the_first_hand_of_a_game_goes_by_the_first_of_two_methods() -> None:
    sat = [SeatTaken(seat, f"p{seat}") for seat in (2, 4, 6)]
    first = [GameStarted(), *sat, ButtonDrawn((2, 4, 6), 4)]
    assert [placement.method for placement in coming(policy("house", "owed"), *first).placements] == ["dead"]


def test_after_missing_hands_nothing_is_left_of_the_blinds_that_were_owed() -> None:
    later = dealt(9, 4, 5, 6)
    due = coming(OWED, FIRST, HandsMissing("1"), later)
    assert [(seats_placed(placement), posts(placement)) for placement in due.placements] == [((5, 6, 1), "1:10 6:5")]


def test_a_game_that_nobody_sits_down_to_has_no_first_hand() -> None:
    for book_policy in (DEAD, policy("dead", **{"button.initial": Ruling("right-of-dealer", ("4.1",))})):
        due = coming(book_policy, GameStarted(), ButtonDrawn((4,), 4))
        assert due.unknown == "fewer than two players can be dealt in"


def test_a_choice_of_the_house_rests_on_the_clause_of_the_method_as_well() -> None:
    settings = {
        "blinds.dead_blind_posted": Ruling("not-posted", ("of-dead",)),
        "button.repeat_last_action": Ruling(True, ("of-moving",)),
    }
    for method, clause in (("dead", "of-dead"), ("moving", "of-moving")):
        chosen = {"options": (("button-method", method),)}
        place = coming(policy("house", **settings), dealt(1, 1, 2, 3, **chosen)).place
        assert place is not None
        assert place.button_grounds[0].clauses == ("m.cash_big_bet", clause)
        plain_place = coming(policy(method, **settings), FIRST).place
        assert plain_place is not None
        assert plain_place.button_grounds[0].clauses == ("m.cash_big_bet",)


def test_two_players_are_judged_only_under_a_book_that_puts_the_small_blind_on_the_button() -> None:
    two = dealt(1, 1, 1, 2, (1, 2))
    for book_name in ("dead", "moving"):
        for value, judged in (("button", True), ("elsewhere", False)):
            book = policy(book_name, **{"blinds.heads_up_small_blind": Ruling(value)})
            assert coming(book, two).placements[0].judged is judged


def test_half_a_blind_is_posted_for_by_the_next_only_where_the_book_says_so() -> None:
    short_hand = dealt(1, 6, 1, 2, after={3: 4}, betting="limit")
    for value, paid in (("next-posts", "2:5 3:4 4:10"), ("as-full", "2:5 3:4")):
        book = policy("moving", **{"blinds.short_below_half": Ruling(value, ("04b",))})
        assert posts(coming(book, short_hand).place) == paid
