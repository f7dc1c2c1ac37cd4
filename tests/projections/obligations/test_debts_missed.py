"""What a player who missed blinds posts, from where, and what else settles it."""

from __future__ import annotations

import pytest

from ledger.presence import MarkerGiven, MarkerTaken, PlayerAway, PlayerBack, SeatLeft
from ledger.table.events import ButtonBought, Post
from ledger.vocabulary import Witness
from projections.obligations.dues import Due
from projections.obligations.policy import MakeUp, Policy, Ruling
from projections.obligations.stakes import Stakes, price_make_up
from tests.projections.obligations.desk import (
    Desk,
    clauses,
    due_at,
    entry,
    lacking,
    makeup,
    policy,
    terms,
    waits_by_way,
)

OTHER_SEATS = (1, 2, 4, 5, 6)
NINE = (1, 2, 4, 5, 6, 7, 8, 9)
N20 = {"options": {"bring-in": 20, "makeup-option": 1}}


def after_missing(book: str, roles: str, betting: str, **told: object) -> Desk:
    """Six seats; seat 3 got no cards while the named blinds were due from it, and is back behind."""
    desk = Desk(book, betting, method="dead" if book == "rrop4" else "", **told)
    dead = book == "rrop4" or (book == "hilton" and betting == "limit")
    desk.play(6, 1, 2, range(1, 7))
    if roles == "both":
        desk.play(1, 2, 4, OTHER_SEATS, out={3: "away"})
        desk.play(2, 4, 5, OTHER_SEATS, out={3: "away"})
    elif dead:
        desk.play(1, 2, 3, range(1, 7))
        desk.play(2, 3, 4, OTHER_SEATS, out={3: "away"})
        desk.play(3, 4, 5, OTHER_SEATS, out={3: "away"})
    else:
        desk.play(1, 2, 3, range(1, 7))
        desk.play(2, 4, 5, OTHER_SEATS, out={3: "away"})
    desk.play(4, 5, 6, OTHER_SEATS, out={3: "away"})
    desk.tell(PlayerBack(3))
    return desk


def next_hand(desk: Desk, *posts: Post) -> Due:
    return desk.play(5, 6, 1, range(1, 7), posts=posts)


@pytest.mark.parametrize(
    ("roles", "betting", "stakes_told", "book", "expected"),
    [
        ("both", "limit", {}, "hilton", "10+5"),
        ("both", "limit", {}, "rrop4", "10+5"),
        ("both", "limit", {}, "bicycle", "10+5"),
        ("both", "no-limit", {}, "hilton", "10+0"),
        ("both", "no-limit", {}, "rrop4", "10+5"),
        ("both", "no-limit", {}, "bicycle", "10+5"),
        ("both", "no-limit", N20, "hilton", "15+0"),
        ("both", "no-limit", N20, "rrop4", "15+0"),
        ("both", "no-limit", N20, "bicycle", "10+5"),
        ("small", "limit", {}, "hilton", "5+0"),
        ("small", "no-limit", {}, "hilton", "5+0"),
        ("small", "limit", {}, "rrop4", "5+0"),
        ("small", "no-limit", {}, "rrop4", "5+0"),
        ("small", "limit", {}, "bicycle", "10+5"),
        ("small", "no-limit", {}, "bicycle", "10+5"),
    ],
)
def test_a_returning_player_posts_what_the_book_asks(
    roles: str, betting: str, stakes_told: dict[str, object], book: str, expected: str
) -> None:
    desk = after_missing(book, roles, betting, **stakes_told)
    due = next_hand(desk)
    assert terms(due, 3) == expected
    assert {missed_blind.role for missed_blind in due_at(due, 3).missed} == (
        {"small", "big"} if roles == "both" else {"small"}
    )


L3 = (5, 10, 20)


@pytest.mark.parametrize(
    ("book", "blinds", "roles", "live", "dead", "basis"),
    [
        ("hilton", (5, 10), {"big"}, 10, 0, "fallback"),
        ("hilton", (5, 10), {"small"}, 5, 0, "fallback"),
        ("hilton", L3, {"small", "big", "extra"}, 20, 15, "book"),
        ("hilton", L3, {"small"}, 5, 0, "fallback"),
        ("hilton", L3, {"small", "big"}, 15, 0, "fallback"),
        ("rrop4", (5, 10), {"big"}, 10, 0, "book"),
        ("rrop4", L3, {"small", "big", "extra"}, 20, 15, "book"),
        ("rrop4", L3, {"small"}, 5, 0, "book"),
        ("rrop4", L3, {"small", "big"}, 15, 0, "book"),
        ("bicycle", (5, 10), {"big"}, 10, 5, "book"),
        ("bicycle", L3, {"small", "big", "extra"}, None, None, "fallback"),
        ("bicycle", L3, {"small"}, None, None, "fallback"),
        ("bicycle", L3, {"small", "big"}, None, None, "fallback"),
        ("rrop4", (), {"small", "big"}, None, None, "record"),
    ],
)
def test_a_make_up_costs_what_the_book_says_of_the_blinds_that_were_missed(
    book: str, blinds: tuple[int, ...], roles: set[str], live: int | None, dead: int | None, basis: str
) -> None:
    lower = 20 if blinds == L3 else 10
    stakes = Stakes(blinds, True, lower, lower, True, 0, "holdem", "cash", {})
    cost = price_make_up(policy(book), stakes, frozenset(roles))
    assert (cost.live, cost.dead, cost.reasons[0].basis) == (live, dead, basis)


def test_a_book_of_ones_own_decides_each_point_by_itself() -> None:
    policy = Policy(
        {
            "missed.both.limit": Ruling(MakeUp("sum", "all"), ("1",)),
            "missed.both.big_bet": Ruling(MakeUp("capped", "bring-in"), ("2",)),
            "missed.small_only": Ruling(MakeUp("big", "bring-in"), ("3",)),
            "missed.big_only": Ruling(MakeUp("all-blinds", "minimum-open"), ("4",)),
        }
    )
    limit = Stakes((5, 10), True, 10, 12, True, 0, "holdem", "cash", {})
    both_roles = frozenset({"small", "big"})
    assert price_make_up(policy, limit, both_roles)[:2] == (15, 0)
    assert price_make_up(policy, limit._replace(is_limit=False), both_roles)[:2] == (12, 0)
    assert price_make_up(policy, limit, frozenset({"small"}))[:2] == (10, 0)
    assert price_make_up(policy, limit, frozenset({"big"}))[:2] == (12, 3)
    costs = [price_make_up(policy, limit, frozenset(roles_missed)) for roles_missed in ({"small"}, {"big"}, both_roles)]
    assert [cost.reasons[0].clauses for cost in costs] == [("3",), ("4",), ("1",)]
    option = MakeUp("big", "big", "makeup-option", "sum", "minimum-open")
    half = MakeUp("sum", "big", "makeup-option", "", "all")
    for rule, off, on in ((option, (10, 0), (12, 3)), (half, (10, 5), (15, 0))):
        book = Policy({"missed.both.limit": Ruling(rule)})
        assert price_make_up(book, limit, both_roles)[:2] == off
        assert price_make_up(book, limit._replace(options={"makeup-option": 0}), both_roles)[:2] == off
        assert price_make_up(book, limit._replace(options={"makeup-option": 1}), both_roles)[:2] == on
    bare_stakes = limit._replace(opening=None, is_limit=False)
    assert price_make_up(policy, bare_stakes, both_roles)[:2] == (None, None)
    assert price_make_up(Policy({}), limit, both_roles)[:2] == (None, None)
    assert price_make_up(Policy({}), limit, frozenset({"big"}))[:2] == (10, 0)


def test_the_bring_in_may_not_be_told_of_and_is_then_assumed() -> None:
    stakes = Stakes((5, 10), True, 10, 10, True, 0, "holdem", "cash", {})
    both_roles = frozenset({"small", "big"})
    assert [reason.basis for reason in price_make_up(policy("rrop4"), stakes, both_roles).reasons] == ["book"]
    untold_stakes = stakes._replace(is_opening_stated=False)
    assert [reason.basis for reason in price_make_up(policy("rrop4"), untold_stakes, both_roles).reasons] == [
        "book",
        "assumed",
    ]
    assert [reason.basis for reason in price_make_up(policy("rrop4"), untold_stakes, frozenset({"big"})).reasons] == [
        "book"
    ]
    assert [reason.basis for reason in price_make_up(policy("bicycle"), untold_stakes, both_roles).reasons] == ["book"]


@pytest.mark.parametrize("book", ["hilton", "rrop4", "bicycle"])
def test_nothing_is_owed_once_it_is_made_up_and_the_next_blind_in_turn_is_due_all_the_same(book: str) -> None:
    desk = after_missing(book, "both", "limit")
    next_hand(desk, makeup(3, 10, 5))
    due = desk.play(6, 1, 2, range(1, 7))
    assert (terms(due, 3), due_at(due, 3).missed, due_at(due, 3).status) == ("yes", (), "playing")
    due = desk.play(1, 2, 3, range(1, 7))
    assert terms(due, 3) == "yes"
    assert due.place is not None
    assert due.place.big == 3


@pytest.mark.parametrize("book", ["hilton", "rrop4", "bicycle"])
def test_the_big_blind_in_turn_settles_what_was_missed(book: str) -> None:
    desk = after_missing(book, "both", "limit")
    desk.play(5, 6, 1, OTHER_SEATS, out={3: "waiting-for-big-blind"})
    due = desk.play(6, 1, 2, OTHER_SEATS, out={3: "waiting-for-big-blind"})
    assert waits_by_way(due, 3)["big-blind"] == 1
    due = desk.play(1, 2, 3, range(1, 7))
    assert (terms(due, 3), waits_by_way(due, 3)) == ("yes", {"big-blind": 0})
    due = desk.play(2, 3, 4, range(1, 7))
    assert due_at(due, 3).missed == ()


def test_ways_back_say_which_are_open_now() -> None:
    seat_due = due_at(after_missing("hilton", "both", "limit").coming(), 3)
    assert [(way_in.kind, way_in.is_on_this_hand, way_in.live, way_in.dead) for way_in in seat_due.ways_in] == [
        ("post", True, 10, 5),
        ("big-blind", False, 0, 0),
        ("straddle", False, None, 0),
    ]
    barred = due_at(return_between_blinds("hilton", "limit").coming(), 3)
    assert {way_in.kind: way_in.is_on_this_hand for way_in in barred.ways_in} == {
        "big-blind": False,
        "straddle": False,
        "button-passes": False,
    }
    second_result = due_at(after_missing("hilton", "both", "limit").coming(), 3)
    assert len({miss.role for miss in second_result.missed}) == len(second_result.missed) == 2


def test_every_missed_blind_names_the_hand_it_went_by() -> None:
    due = next_hand(after_missing("rrop4", "both", "limit"))
    assert [
        (missed_blind.role, missed_blind.hand, missed_blind.ground.hand) for missed_blind in due_at(due, 3).missed
    ] == [("big", "2", "2"), ("small", "3", "3")]
    assert clauses(due, 3) >= {"blinds.9.1", "blinds.9.2", "blinds.9.3"}


def return_between_blinds(book: str, betting: str) -> Desk:
    """W13: seat 3 of nine is away for its big blind and back when it lies between the blinds."""
    desk = Desk(book, betting, method="dead" if book == "rrop4" else "")
    desk.play(9, 1, 2, range(1, 10))
    desk.tell(PlayerAway(3))
    desk.play(1, 2, 4, NINE, out={3: "away"})
    desk.tell(PlayerBack(3))
    return desk


def test_limit_bars_a_make_up_between_the_blinds_until_the_button_has_passed() -> None:
    for book, clause in (("hilton", "B16.1"), ("rrop4", "blinds.7.2")):
        due = return_between_blinds(book, "limit").play(2, 4, 5, range(1, 10), posts=[makeup(3, 10)])
        assert terms(due, 3) == "no"
        assert [missed_blind.role for missed_blind in due_at(due, 3).missed] == ["big"]
        assert waits_by_way(due, 3)["button-passes"] == 1
        assert clause in clauses(due, 3)


def test_the_coming_hand_says_the_same_as_the_hand_that_is_recorded() -> None:
    assert terms(return_between_blinds("hilton", "limit").coming(), 3) == "no"
    assert terms(return_between_blinds("rrop4", "no-limit").coming(), 3) == "no"
    assert terms(return_between_blinds("hilton", "no-limit").coming(), 3) == "10+0"
    assert terms(return_between_blinds("bicycle", "limit").coming(), 3) == "10+5"
    assert waits_by_way(return_between_blinds("bicycle", "limit").coming(), 3)["buy-button"] == 0


def test_big_bet_games_may_allow_it_and_then_the_button_skips_the_seat() -> None:
    desk = return_between_blinds("hilton", "no-limit")
    due = desk.play(2, 4, 5, range(1, 10), posts=[makeup(3, 10)])
    assert terms(due, 3) == "10+0"
    due = desk.coming()
    assert (due_at(due, 3).missed, due_at(due, 3).button, due_at(due, 3).barred) == ((), False, ("made-up-between",))
    assert due.place is not None
    assert (due.place.button, due.place.small, due.place.big) == (4, 5, 6)
    for button in range(4, 10):
        desk.play(button, button % 9 + 1, (button + 1) % 9 + 1, range(1, 10))
    desk.play(1, 2, 3, range(1, 10))
    assert due_at(desk.coming(), 3).button is True


def test_a_blind_the_method_moves_past_is_escaped_by_who_is_there_and_by_who_is_away() -> None:
    desk = Desk("hilton", "no-limit")
    desk.play(1, 2, 3, range(1, 8))
    desk.tell(SeatLeft(2, "p2"), SeatLeft(3, "p3"))
    due = desk.play(5, 6, 7, [1, 5, 6, 7], out={4: "away"})
    assert due.place is not None
    assert due.place.button == 5
    assert due_at(desk.coming(), 4).missed == ()  # with seat 4 there it would have had the button
    desk = Desk("hilton", "no-limit")
    desk.play(1, 2, 3, range(1, 7))
    desk.tell(SeatLeft(3, "p3"))
    desk.play(2, 5, 6, [1, 2, 5, 6], out={4: "away"})
    assert [missed_blind.role for missed_blind in due_at(desk.coming(), 4).missed] == ["small"]


def test_owed_blinds_cannot_be_escaped_by_being_away() -> None:
    desk = Desk("rrop4", "no-limit", method="moving")
    desk.play(1, 2, 3, range(1, 8))
    desk.tell(SeatLeft(2, "p2"), SeatLeft(3, "p3"))
    desk.play(5, 6, 7, [1, 5, 6, 7], out={4: "away"}, posts=[Post(5, "big", 10), Post(6, "big", 10)])
    assert {missed_blind.role for missed_blind in due_at(desk.coming(), 4).missed} == {"small", "big"}


def test_sitting_out_between_ones_blinds_costs_nothing() -> None:
    desk = Desk("hilton")
    desk.play(6, 1, 2, range(1, 7))
    for button, small, big in ((1, 2, 3), (2, 3, 4)):
        desk.play(button, small, big, range(1, 6), out={6: "sitting-out"})
    due = desk.play(3, 4, 5, range(1, 7))
    assert (terms(due, 6), due_at(due, 6).missed) == ("yes", ())


def test_a_straddle_next_to_the_big_blind_settles_it_only_where_the_book_says_so() -> None:
    for book, is_settled in (("hilton", True), ("rrop4", False), ("bicycle", False)):
        desk = after_missing(book, "both", "limit", options={"straddle-amount": 20})
        desk.play(5, 6, 1, OTHER_SEATS, out={3: "waiting-for-big-blind"})
        straddle = {way_in.kind: way_in for way_in in due_at(desk.coming(), 3).ways_in}.get("straddle")
        assert (straddle is not None) is is_settled
        if straddle is not None:
            assert (straddle.is_on_this_hand, straddle.live) == (True, 20)
        desk = after_missing(book, "both", "limit", options={"straddle-amount": 20})
        due = desk.play(5, 6, 1, OTHER_SEATS, out={3: "away"})
        due = desk.play(6, 1, 2, range(1, 7), posts=[Post(3, "straddle", 20)])
        straddle_due = {way_in.kind: way_in for way_in in due_at(due, 3).ways_in}.get("straddle")
        assert (straddle_due is not None and straddle_due.is_on_this_hand) is is_settled
        assert (due_at(desk.coming(), 3).missed == ()) is is_settled


def test_a_straddle_from_another_seat_settles_nothing() -> None:
    desk = after_missing("hilton", "both", "limit")
    due = desk.play(5, 6, 1, range(1, 7), posts=[Post(3, "straddle", 20)])
    assert not next(way_in for way_in in due_at(due, 3).ways_in if way_in.kind == "straddle").is_on_this_hand
    assert {way_in.role for way_in in due_at(desk.coming(), 3).missed} == {"small", "big"}


def three_blinds(book: str) -> Desk:
    """Blinds of 5, 10 and 25; seat 4 is away while all three pass, and back behind the button."""
    desk = Desk(book, blinds=(5, 10, 25), bets=(25, 50), method="dead" if book == "rrop4" else "")
    desk.play(6, 1, 2, range(1, 7), posts=[Post(3, "extra", 25)])
    other_seats = (1, 2, 3, 5, 6)
    for button, small, big, extra in ((1, 2, 3, 5), (2, 3, 5, 6), (3, 5, 6, 1)):
        desk.play(button, small, big, other_seats, out={4: "away"}, posts=[Post(extra, "extra", 25)])
    desk.tell(PlayerBack(4))
    return desk


def test_of_three_blinds_each_one_missed_is_owed_and_the_middle_one_is_no_short_big_blind() -> None:
    for book in ("hilton", "rrop4"):
        desk = three_blinds(book)
        due = desk.play(5, 6, 1, range(1, 7), posts=[Post(2, "extra", 25), makeup(4, 25, 15)])
        assert terms(due, 4) == "25+15"
        assert [missed_blind.role for missed_blind in due_at(due, 4).missed] == ["extra", "big", "small"]
        assert due_at(desk.coming(), 4).missed == ()
    for player in ("p1", "p2", "p3", "p5", "p6"):
        assert not three_blinds("bicycle").keeper.player_tabs.find_tab(player).short_big


def test_taking_the_middle_of_three_blinds_does_not_settle_the_others() -> None:
    desk = three_blinds("rrop4")
    desk.play(5, 6, 4, range(1, 7), posts=[Post(2, "extra", 25)])
    assert len(due_at(desk.coming(), 4).missed) == 3
    desk = three_blinds("rrop4")
    desk.play(6, 1, 2, range(1, 7), posts=[Post(4, "extra", 25)])
    assert due_at(desk.coming(), 4).missed == ()


def test_a_house_without_straddles_offers_none() -> None:
    desk = after_missing("hilton", "both", "limit", options={"straddle-allowed": 0})
    assert "straddle" not in waits_by_way(desk.coming(), 3)


def test_who_played_on_without_the_post_owes_it_on_the_next_deal_or_on_a_later_one() -> None:
    for book, expected, clause in (("rrop4", "10+5", "blinds.10.2"), ("hilton", "yes", "B23.2")):
        desk = after_missing(book, "both", "limit")
        desk.play(5, 6, 1, range(1, 7), stacks={3: (1000, 990)})  # called and lost
        due = desk.play(6, 1, 2, range(1, 7))
        assert terms(due, 3) == expected
        assert clause in clauses(due, 3)
        assert len(due_at(due, 3).missed) == 2


def test_whether_who_lost_nothing_had_acted_is_not_told() -> None:
    desk = after_missing("hilton", "both", "limit")
    desk.play(5, 6, 1, range(1, 7))
    assert lacking(desk.play(6, 1, 2, range(1, 7)), 3).startswith("whether the player had acted")
    desk = after_missing("rrop4", "both", "limit")
    desk.play(5, 6, 1, range(1, 7))
    due = desk.play(6, 1, 2, range(1, 7))
    assert terms(due, 3) == "10+5"
    assert "blinds.10.2" not in clauses(due, 3)


def test_a_short_big_blind_is_made_good_where_the_book_lets_the_next_player_post() -> None:
    for book, expected in (("bicycle", "10+5"), ("hilton", "yes"), ("rrop4", "yes")):
        desk = Desk(book, method="dead" if book == "rrop4" else "")
        desk.play(6, 1, 2, range(1, 7), posts=[Post(2, "big", 4, all_in=True)], stacks={2: (4, 12)})
        due = desk.coming()
        assert terms(due, 2) == expected
        if book == "bicycle":
            assert (due_at(due, 2).button, due_at(due, 2).barred) == (False, ("short-blind",))
            assert any(ground.basis == "fallback" for ground in due_at(due, 2).post[0].grounds)


def test_half_a_blind_is_a_blind() -> None:
    desk = Desk("bicycle")
    desk.play(6, 1, 2, range(1, 7), posts=[Post(2, "big", 5, all_in=True)], stacks={2: (5, 15)})
    assert terms(desk.coming(), 2) == "yes"


def test_a_marker_shows_a_debt_that_the_record_does_not() -> None:
    desk = Desk("hilton")
    desk.play(6, 1, 2, range(1, 7))
    desk.tell(MarkerGiven(4, "missed-blind"))
    assert terms(desk.coming(), 4) == "None+None"
    desk.tell(MarkerTaken(4, "missed-blind"))
    assert terms(desk.coming(), 4) == "yes"
    desk.tell(MarkerGiven(4, "away"))
    assert terms(desk.coming(), 4) == "yes"


def test_buying_the_button_settles_the_debt_where_the_book_sells_it() -> None:
    desk = return_between_blinds("bicycle", "limit")
    desk.tell(ButtonBought(3, 15))
    due = desk.play(3, 4, 5, range(1, 10))
    assert terms(due, 3) == "yes"
    assert "p21c" in clauses(due, 3)
    assert due_at(desk.coming(), 3).missed == ()
    desk = return_between_blinds("rrop4", "limit")
    desk.tell(ButtonBought(3, 15))
    assert terms(desk.coming(), 3) == "open"


def test_after_missing_hands_a_seat_is_known_again_once_it_took_its_big_blind_or_posted() -> None:
    desk = Desk("hilton")
    desk.play(6, 1, 2, range(1, 7))
    desk.play(3, 4, 5, range(1, 7), number=9)
    due = desk.play(4, 5, 6, range(1, 7))
    assert "are missing" in lacking(due, 2)
    due = desk.play(5, 6, 1, range(1, 7), posts=[entry(2, 10)])
    assert terms(due, 1) == "yes"  # it has the big blind
    due = desk.coming()
    seats = [seat for seat in range(1, 7) if terms(due, seat) == "yes"]
    assert seats == [1, 2, 5, 6]  # the big blinds of hands 9, 10 and 11, and who posted
    assert due_at(due, 3).status == "unknown"


def test_a_source_that_does_not_tell_who_is_away_leaves_a_debt_open() -> None:
    desk = Desk("hilton", witnesses=int(Witness.BUTTON | Witness.POSTS | Witness.MISSING_HANDS))
    desk.play(9, 1, 2, range(1, 10))
    desk.play(1, 2, 4, NINE)
    desk.play(2, 4, 5, NINE)
    due = desk.play(4, 5, 6, range(1, 10))
    assert "sat out in hand 2 or had left" in lacking(due, 3)


def test_nobody_owes_for_absence_in_a_tournament() -> None:
    desk = Desk("hilton", format="tournament")
    desk.play(6, 1, 2, range(1, 7))
    desk.play(1, 2, 4, OTHER_SEATS, out={3: "away"})
    due = desk.play(2, 3, 5, range(1, 7))
    assert (terms(due, 3), due_at(due, 3).missed, due_at(due, 3).barred) == ("yes", (), ())


def test_in_a_tournament_only_who_has_no_chips_or_is_not_there_gets_no_cards() -> None:
    desk = Desk("hilton", format="tournament")
    desk.play(6, 1, 2, range(1, 7), stacks={5: (100, 0)})
    due = desk.coming()
    assert (terms(due, 5), due_at(due, 5).status) == ("no", "broke")
    desk.tell(PlayerAway(4))
    due = desk.play(1, 2, 3, [1, 2, 3, 6], out={4: "away"})
    assert [terms(due, seat) for seat in (3, 4, 5)] == ["yes", "yes", "no"]
    assert due_at(due, 4).status == "away"


def test_a_game_that_may_be_a_tournament_accuses_nobody() -> None:
    desk = after_missing("rrop4", "both", "limit", format="unknown")
    assert lacking(next_hand(desk), 3) == "whether the game is a tournament or a cash game"


def test_a_book_that_does_not_speak_of_missed_blinds_leaves_all_open() -> None:
    desk = after_missing("house-burn", "both", "limit")
    due = next_hand(desk)
    assert (terms(due, 3), due_at(due, 3).button) == ("open", None)


def test_a_misdeal_passes_nobody_and_settles_nothing() -> None:
    desk = return_between_blinds("hilton", "no-limit")
    desk.play(2, 4, 5, range(1, 10), posts=[makeup(3, 10)], completed=False, voided="misdeal")
    due = desk.play(2, 4, 5, range(1, 10))
    assert terms(due, 3) == "10+0"
    assert [missed_blind.role for missed_blind in due_at(due, 3).missed] == ["big"]
