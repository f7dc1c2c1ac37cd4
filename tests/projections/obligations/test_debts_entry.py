"""New players, transfers, new games, going broke, seat changes: on what terms a seat is dealt in."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, PlayerAway, PlayerBack, PlayerBusted, SeatLeft, SeatTaken
from ledger.table.events import ButtonDrawn, GameStarted, PlayerIdentified
from ledger.vocabulary import Witness
from tests.projections.obligations.desk import Desk, clauses, due_at, entry, lacking, terms, waits_by_way

BOOKS = ("hilton", "rrop4", "bicycle")


def newcomer(book: str, betting: str = "limit", origin: str = "walk-in", **told: object) -> Desk:
    """Six seats, seat 7 empty; after the first hand somebody sits down there, behind the button."""
    desk = Desk(book, betting, method="dead" if book == "rrop4" else "", **told)
    desk.play(1, 2, 3, range(1, 7))
    desk.who[7] = "new"
    desk.tell(SeatTaken(7, "new", origin, 1000))  # type: ignore[arg-type]  # one of them
    return desk


LOW = {"bets": (3, 6), "blinds": (1, 3)}


@pytest.mark.parametrize(
    ("betting", "policy_settings", "hilton", "rrop4", "bicycle"),
    [
        ("limit", LOW, "yes", "3+0", "yes"),
        ("limit", {}, "10+0", "10+0", "yes"),
        ("limit", {"bets": (500, 1000), "blinds": (250, 500), "exponent": 2}, "500+0", "500+0", "yes"),
        ("limit", {"bets": (499, 998), "blinds": (250, 499), "exponent": 2}, "yes", "499+0", "yes"),
        ("no-limit", {}, "open", "10+0", "yes"),
        ("no-limit", {"options": {"entry-post-required": 1}}, "10+0", "10+0", "yes"),
        ("no-limit", {"options": {"entry-post-required": 0}}, "yes", "10+0", "yes"),
        ("limit", {"variant": "triple-27"}, "10+0", "20+0", "yes"),
    ],
)
def test_a_new_player_behind_the_button_posts_by_the_size_of_the_game(
    betting: str, policy_settings: dict[str, object], hilton: str, rrop4: str, bicycle: str
) -> None:
    for book, expected in zip(BOOKS, (hilton, rrop4, bicycle), strict=True):
        desk = newcomer(book, betting, **policy_settings)
        assert terms(desk.coming(), 7) == expected
        due = desk.play(2, 3, 4, range(1, 8))
        assert terms(due, 7) == expected
        assert due_at(due, 7).status == "new"


def test_the_size_of_a_game_that_is_not_told_leaves_the_post_open() -> None:
    desk = newcomer("hilton", blinds=(), bets=())
    assert lacking(desk.coming(), 7).startswith("the size of the game")
    assert terms(newcomer("rrop4", blinds=(), bets=()).coming(), 7) == "None+0"


def test_a_new_player_waits_for_the_big_blind_or_comes_in_with_it() -> None:
    desk = newcomer("rrop4")
    for button, small, big, hands_left in ((2, 3, 4, 3), (3, 4, 5, 2), (4, 5, 6, 1)):
        due = desk.play(button, small, big, range(1, 7), out={7: "waiting-for-big-blind"})
        assert waits_by_way(due, 7) == {"post": 0, "big-blind": hands_left}
    due = desk.play(5, 6, 7, range(1, 8))
    assert (terms(due, 7), waits_by_way(due, 7)) == ("yes", {"big-blind": 0})
    due = desk.coming()
    assert (terms(due, 7), due_at(due, 7).status, due_at(due, 7).button) == ("yes", "playing", True)


def test_ways_in_say_which_are_open_now() -> None:
    seat_due = due_at(newcomer("rrop4").coming(), 7)
    assert [(way_in.kind, way_in.is_on_this_hand, way_in.live) for way_in in seat_due.ways_in] == [
        ("post", True, 10),
        ("big-blind", False, 0),
    ]
    assert "blinds.5" in clauses(newcomer("rrop4").coming(), 7)
    assert next((w.kind, w.is_on_this_hand) for w in due_at(newcomer("bicycle").coming(), 7).ways_in) == ("free", True)


def test_who_posted_to_enter_is_a_player_like_any_other() -> None:
    for book in BOOKS:
        desk = newcomer(book)
        desk.play(2, 3, 4, range(1, 8), posts=[entry(7, 10)])
        due = desk.coming()
        assert (terms(due, 7), due_at(due, 7).status, due_at(due, 7).button) == ("yes", "playing", True)


def test_who_was_dealt_in_without_the_post_is_in_the_game_but_has_taken_no_blind() -> None:
    desk = newcomer("hilton")
    desk.play(2, 3, 4, range(1, 8))
    due = desk.coming()
    assert (terms(due, 7), due_at(due, 7).status) == ("yes", "playing")
    assert (due_at(due, 7).button, due_at(due, 7).barred) == (False, ("new", "no-big-blind"))


def seat_between_blinds(book: str) -> Desk:
    """W14: seat 3 of nine is empty and lies between the button and the blinds; a new player sits down."""
    desk = Desk(book, method="dead" if book == "rrop4" else "")
    desk.play(1, 2, 4, [1, 2, 4, 5, 6, 7, 8, 9])
    desk.tell(SeatTaken(3, "new", "walk-in", 1000))
    desk.who[3] = "new"
    return desk


@pytest.mark.parametrize(("book", "clause"), [("hilton", "B5.1"), ("rrop4", "blinds.7.1")])
def test_nobody_comes_in_between_the_button_and_the_big_blind(book: str, clause: str) -> None:
    desk = seat_between_blinds(book)
    due = desk.play(2, 4, 5, range(1, 10), posts=[entry(3, 10)])
    assert (terms(due, 3), waits_by_way(due, 3)) == ("no", {"big-blind": 7, "button-passes": 1})
    assert clause in clauses(due, 3)
    due = desk.coming()
    assert (due_at(due, 3).button, "new" in due_at(due, 3).barred) == (False, True)
    assert due.place is not None
    assert (due.place.button, due.place.small, due.place.big) == (4, 5, 6)


def test_once_the_button_has_passed_the_newcomer_owes_the_big_blind_and_nothing_more() -> None:
    for book in ("hilton", "rrop4"):
        desk = seat_between_blinds(book)
        desk.play(2, 4, 5, [1, 2, 4, 5, 6, 7, 8, 9], out={3: "between-button-and-blinds"})
        due = desk.play(4, 5, 6, range(1, 10))
        assert (terms(due, 3), due_at(due, 3).missed) == ("10+0", ())


def test_a_book_without_the_zone_lets_a_new_player_in_at_once() -> None:
    assert terms(seat_between_blinds("bicycle").play(2, 4, 5, range(1, 10)), 3) == "yes"


def test_a_player_moved_by_the_house_posts_nothing_where_the_book_says_so() -> None:
    for origin in ("broken-game", "limit-change"):
        due = newcomer("hilton", origin=origin).play(2, 3, 4, range(1, 8))
        assert terms(due, 7) == "yes"
        assert "B17.3" in clauses(due, 7)
        assert terms(newcomer("rrop4", origin=origin).coming(), 7) == "10+0"


def test_where_a_new_player_came_from_matters_only_to_a_book_that_asks() -> None:
    for origin in ("unknown", "must-move"):
        assert "came from" in lacking(newcomer("hilton", origin=origin).coming(), 7)
        assert terms(newcomer("rrop4", origin=origin).coming(), 7) == "10+0"


def test_a_moved_player_who_lets_the_blinds_go_by_owes_them() -> None:
    desk = newcomer("hilton", origin="broken-game")
    desk.play(2, 3, 4, range(1, 8))
    desk.tell(PlayerAway(7))
    seats = list(range(1, 7))
    for button in (3, 4):
        desk.play(button, button + 1, button + 2, seats, out={7: "away"})
    desk.play(5, 6, 1, seats, out={7: "away"})
    desk.play(6, 1, 2, seats, out={7: "away"})
    desk.tell(PlayerBack(7))
    due = desk.play(1, 2, 3, range(1, 8))
    assert terms(due, 7) == "10+5"


def test_a_moved_player_who_lets_the_blinds_go_by_before_the_first_hand_owes_them_too() -> None:
    for origin, hilton, rrop4 in (("broken-game", "10+5", "10+0"), ("walk-in", "10+0", "10+0")):
        for book, expected in (("hilton", hilton), ("rrop4", rrop4)):
            desk = newcomer(book, origin=origin)
            for button, small, big in ((4, 5, 6), (5, 6, 1), (6, 1, 2), (1, 2, 3)):
                desk.play(button, small, big, range(1, 7), out={7: "waiting-for-button"})
            assert terms(desk.coming(), 7) == expected


def test_before_the_big_blind_nothing_is_due_from_a_moved_player() -> None:
    desk = Desk("hilton")
    desk.play(1, 2, 4, [1, 2, 4, 5, 6, 7])
    desk.tell(SeatTaken(3, "new", "broken-game", 1000))
    desk.who[3] = "new"
    other_seats = [1, 2, 4, 5, 6, 7]
    due = desk.play(2, 4, 5, other_seats, out={3: "away"})  # the small blind goes past, not the big one
    assert due_at(due, 3).missed == ()
    assert due_at(desk.coming(), 3).missed == ()
    for button, small, big in ((4, 5, 6), (5, 6, 7), (6, 7, 1), (7, 1, 2), (1, 2, 4), (2, 4, 5)):
        desk.play(button, small, big, other_seats, out={3: "away"})
    assert [missed_blind.role for missed_blind in due_at(desk.coming(), 3).missed] == ["big", "small"]


def test_playing_over_is_coming_in_new_or_is_not_spoken_of() -> None:
    due = newcomer("rrop4", origin="playing-over").coming()
    assert terms(due, 7) == "10+0"
    assert "blinds.6" in clauses(due, 7)
    for book in ("hilton", "bicycle"):
        assert terms(newcomer(book, origin="playing-over").coming(), 7) == "open"


def test_a_newcomer_the_record_does_not_announce_is_new_where_seats_are_on_record() -> None:
    desk = Desk("rrop4", method="dead")
    desk.play(1, 2, 3, range(1, 7))
    assert terms(desk.play(2, 3, 4, range(1, 8)), 7) == "10+0"
    few = int(Witness.BUTTON | Witness.POSTS | Witness.MISSING_HANDS)
    desk = Desk("rrop4", method="dead", witnesses=few)
    desk.play(1, 2, 3, range(1, 7))
    assert "sits out" in lacking(desk.play(2, 3, 4, range(1, 8)), 7)


def test_whoever_is_in_the_first_hand_on_record_is_taken_to_be_in_the_game() -> None:
    due = Desk("rrop4", method="dead").play(1, 2, 3, range(1, 7))
    assert {seat.deal for seat in due.seats} == {"yes"}


def test_who_sat_down_before_the_first_hand_on_record_is_new_unless_everybody_did() -> None:
    desk = Desk("rrop4", method="dead")
    desk.who[6] = "new"
    desk.tell(SeatTaken(6, "new", "walk-in", 1000))
    due = desk.play(1, 2, 3, range(1, 7))
    assert (terms(due, 6), terms(due, 5)) == ("10+0", "yes")
    desk = Desk("rrop4", method="dead")
    desk.tell(*(SeatTaken(seat, f"p{seat}", "walk-in", 1000) for seat in range(1, 7)))
    due = desk.play(1, 2, 3, range(1, 7))
    assert {seat_due.deal for seat_due in due.seats} == {"yes"}


# New games


def new_game(book: str) -> Desk:
    """W19: seats 1, 2, 4, 5, 6 draw, 6 wins; after two hands X sits down in 8 and Y in 3."""
    desk = Desk(book, method="dead" if book == "rrop4" else "")
    seats = [1, 2, 4, 5, 6]
    desk.tell(*(SeatTaken(seat, f"p{seat}", "game-start", 1000) for seat in seats))
    desk.tell(GameStarted(), ButtonDrawn(tuple(seats), 6))
    assert {seat_due.deal for seat_due in desk.play(6, 1, 2, seats).seats} == {"yes"}
    desk.play(1, 2, 4, seats)
    desk.who |= {8: "x", 3: "y"}
    desk.tell(SeatTaken(8, "x", "walk-in", 1000), SeatTaken(3, "y", "walk-in", 1000))
    return desk


def test_in_a_new_game_a_latecomer_is_free_until_the_button_went_round_or_a_blind_passed() -> None:
    desk = new_game("rrop4")
    due = desk.play(2, 4, 5, [1, 2, 4, 5, 6, 8], out={3: "waiting-for-button"})
    assert (terms(due, 8), terms(due, 3)) == ("yes", "no")
    assert "blinds.12.2" in clauses(due, 8)
    due = desk.play(4, 5, 6, [1, 2, 3, 4, 5, 6, 8], posts=[entry(3, 10)])
    assert terms(due, 3) == "10+0"
    due = desk.coming()
    assert {seat.deal for seat in due.seats} == {"yes"}


def test_after_one_revolution_of_the_button_a_latecomer_posts() -> None:
    desk = new_game("rrop4")
    seats = [1, 2, 4, 5, 6, 8]
    for button, small, big in ((2, 4, 5), (4, 5, 6), (5, 6, 8), (6, 8, 1)):
        desk.play(button, small, big, seats)
    desk.who[7] = "z"
    desk.tell(SeatTaken(7, "z", "walk-in", 1000))
    assert terms(desk.coming(), 7) == "10+0"


def test_in_a_new_game_of_another_book_who_missed_the_first_deal_is_an_incoming_player() -> None:
    due = new_game("hilton").play(2, 4, 5, [1, 2, 4, 5, 6, 8])
    assert terms(due, 8) == "10+0"
    assert {"B17.2", "B18"} <= clauses(due, 8)


def test_who_drew_for_the_button_is_in_the_game_and_makes_up_what_passes() -> None:
    for book, expected in (("rrop4", "10+5"), ("hilton", "10+5")):
        desk = new_game(book)
        desk.tell(PlayerAway(6))
        desk.play(2, 4, 5, [1, 2, 4, 5], out={6: "away", 3: "unknown", 8: "unknown"})
        desk.play(4, 5, 1, [1, 2, 4, 5], out={6: "away", 3: "unknown", 8: "unknown"})
        desk.play(5, 1, 2, [1, 2, 4, 5], out={6: "away", 3: "unknown", 8: "unknown"})
        desk.tell(PlayerBack(6))
        due = desk.play(1, 2, 4, [1, 2, 4, 5, 6], out={3: "unknown", 8: "unknown"})
        assert terms(due, 6) == expected


def test_drawing_makes_a_player_active_even_without_the_first_deal() -> None:
    desk = Desk("rrop4", method="dead")
    seats = [1, 2, 4, 5, 6]
    desk.tell(*(SeatTaken(seat, f"p{seat}", "game-start", 1000) for seat in seats))
    desk.tell(GameStarted(), ButtonDrawn(tuple(seats), 6))
    desk.play(6, 1, 2, [1, 2, 4, 6], out={5: "away"})
    assert terms(desk.play(1, 2, 4, seats), 5) == "yes"


# Going broke


def broke(book: str, hands: int, stakes_told: dict[str, object], away: bool = False) -> Desk:
    """W17: seat 4 of nine goes broke on the first hand, and buys in again after so many hands more."""
    desk = Desk(book, method="dead" if book == "rrop4" else "", **stakes_told)
    desk.play(1, 2, 3, range(1, 10), stacks={4: (100, 0)})
    desk.tell(PlayerBusted(4))
    if away:
        desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6, 7, 8, 9]
    for button, small, big in [(2, 3, 5), (3, 5, 6)][:hands]:
        desk.play(button, small, big, other_seats, out={4: "away" if away else "no-chips"})
    desk.tell(PlayerBack(4), ChipsAdded(4, 1000, "rebuy"))
    return desk


@pytest.mark.parametrize(
    ("hands", "stakes_told", "hilton", "rrop4"),
    [
        (0, {}, "yes", "yes"),
        (1, {}, "no", "no"),
        (2, {}, "10+0", "10+5"),
        (1, LOW, "open", "no"),
        (2, LOW, "yes", "3+1"),
    ],
)
def test_a_player_who_buys_in_again_is_new_or_owes_the_blinds_that_went_by(
    hands: int, stakes_told: dict[str, object], hilton: str, rrop4: str
) -> None:
    assert terms(broke("hilton", hands, stakes_told).coming(), 4) == hilton
    assert terms(broke("rrop4", hands, stakes_told).coming(), 4) == rrop4
    if hands == 2:
        assert "B19.1" in clauses(broke("hilton", hands, stakes_told).coming(), 4)
        assert "blinds.11.1" in clauses(broke("rrop4", hands, stakes_told).coming(), 4)


def test_who_came_back_for_nothing_as_a_new_player_owes_again_what_goes_by_later() -> None:
    desk = broke("hilton", 2, LOW)
    desk.play(5, 6, 7, range(1, 10))
    assert due_at(desk.play(6, 7, 8, range(1, 10)), 4).status == "playing"
    desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6, 7, 8, 9]
    for button, small, big in ((7, 8, 9), (8, 9, 1), (9, 1, 2), (1, 2, 3), (2, 3, 5), (3, 5, 6)):
        desk.play(button, small, big, other_seats, out={4: "away"})
    desk.tell(PlayerBack(4))
    due = due_at(desk.coming(), 4)
    assert (due.status, terms(desk.coming(), 4)) == ("owing", "3+1")


def test_a_book_that_asks_only_who_was_away_lets_a_broke_player_back_in_for_nothing() -> None:
    assert terms(broke("bicycle", 2, {}).coming(), 4) == "yes"
    assert terms(broke("bicycle", 2, {}, away=True).coming(), 4) == "10+5"
    assert terms(broke("bicycle", 2, LOW, away=True).coming(), 4) == "3+1"


def test_without_chips_nobody_is_dealt_in() -> None:
    desk = Desk("hilton")
    desk.play(1, 2, 3, range(1, 10), stacks={4: (100, 0)})
    due = desk.coming()
    assert (terms(due, 4), due_at(due, 4).status) == ("no", "broke")


def test_a_rebuy_before_any_blind_went_by_costs_nothing_ever_after() -> None:
    desk = broke("hilton", 0, {})
    desk.play(2, 3, 4, range(1, 10))
    assert terms(desk.play(3, 4, 5, range(1, 10)), 4) == "yes"


def test_who_bought_in_before_a_blind_went_by_and_then_stayed_away_owes_like_anybody() -> None:
    desk = broke("hilton", 0, {})
    desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6, 7, 8, 9]
    for button, small, big in ((2, 3, 5), (3, 5, 6), (5, 6, 7)):
        desk.play(button, small, big, other_seats, out={4: "away"})
    desk.tell(PlayerBack(4))
    assert (terms(desk.coming(), 4), due_at(desk.coming(), 4).status) == ("10+5", "owing")


# People


def test_another_name_is_the_same_player() -> None:
    desk = newcomer("rrop4")
    desk.tell(PlayerIdentified("new", "known"))
    desk.who[7] = "known"
    assert terms(desk.coming(), 7) == "10+0"


def test_an_empty_seat_owes_nothing_and_who_comes_next_is_new() -> None:
    desk = newcomer("rrop4")
    desk.play(2, 3, 4, range(1, 8), posts=[entry(7, 10)])
    desk.tell(SeatLeft(7, "new"))
    assert desk.coming().seat(7) is None
    desk.tell(SeatTaken(7, "other", "walk-in", 1000))
    assert terms(desk.coming(), 7) == "10+0"


def test_a_player_due_the_button_in_the_room_is_dealt_in_and_one_who_asked_out_is_not() -> None:
    for room, expected in ((True, "yes"), (False, "no"), (None, "open")):
        desk = Desk("hilton", "no-limit")
        desk.play(2, 3, 4, range(1, 7))
        desk.play(3, 4, 5, range(1, 7))
        desk.tell(PlayerAway(4, in_room=room))
        assert terms(desk.coming(), 4) == expected
        assert terms(desk.coming(), 5) == "yes"


def test_reasons_cite_the_book_and_the_hand() -> None:
    due = newcomer("hilton").coming()
    seat_due = due_at(due, 7)
    assert seat_due.grounds[0].basis == "record"
    assert seat_due.grounds[0].version == 2
    assert seat_due.post[0].grounds[0].clauses == ("B17.2",)
