"""The small measures that debts rest on: what passed whom, who lies where, how far somebody moved."""

from __future__ import annotations

import pytest

from ledger.table.events import DealtIn, HandPlayed, Post
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Witness
from projections.obligations.debt_inputs import DebtInputs, list_spots
from projections.obligations.dues import Due, Placement
from projections.obligations.game_start import NewGame
from projections.obligations.missed_blinds import BlindPassage, Spot, in_zone, locate_positions, measure_passage
from projections.obligations.moves import Move, has_free_pass, measure_move
from projections.obligations.player_tabs import PlayerTabs
from projections.obligations.stakes import Stakes, find_entry_point, is_high_stakes, read_stakes
from tests.projections.obligations.desk import ALL, new_game, policy


def hand(button: int | None, small: int | None, big: int | None, *seats: int, **told: object) -> HandPlayed:
    fields: dict[str, object] = {
        "number": "7",
        "hand": "",
        "started": None,
        "betting": "limit",
        "format": "cash",
        "blinds": (5, 10),
        "button": button,
        "small": small,
        "big": big,
        "posts": (),
        "skipped": (),
        "dealt_in": tuple(DealtIn(seat, f"p{seat}", 100, 100) for seat in seats),
        "left_out": (),
        "completed": True,
        "witnesses": ALL,
    }
    return HandPlayed(**(fields | told))  # type: ignore[arg-type]  # fields by name


def make_placement(
    button: int | None, small: int | None, big: int | None, method: str = "dead", extra: int | None = None
) -> Placement:
    return Placement(method, button, small, big, extra)  # type: ignore[arg-type]  # one of the methods


def due(*placements: Placement) -> Due:
    return Due("a book", "6", placements, ())


# Where positions were


@pytest.mark.parametrize(
    ("spot", "seat", "expected"),
    [
        (Spot(2, 4, 5), 2, True),
        (Spot(2, 4, 5), 3, True),
        (Spot(2, 4, 5), 4, True),
        (Spot(2, 4, 5), 5, False),
        (Spot(2, 4, 5), 6, False),
        (Spot(2, 4, 5), 1, False),
        (Spot(8, 9, 1), 9, True),
        (Spot(8, 9, 1), 1, False),
        (Spot(8, 9, 1), 7, False),
        (Spot(2, 3, 4, 6), 5, True),
        (Spot(2, 3, 4, 6), 6, False),
        (Spot(2, 3, 4, 6), 4, True),
        (Spot(None, 4, 5), 3, None),
        (Spot(None, 4, 5), 5, False),
        (Spot(2, 4, None), 3, None),
        (Spot(5, 4, 5), 1, False),
    ],
)
def test_the_zone_is_the_short_way_from_the_button_to_the_last_blind(
    spot: Spot, seat: int, expected: bool | None
) -> None:
    assert in_zone(spot, seat) is expected


def test_positions_are_as_told_else_as_posted_else_as_they_belonged() -> None:
    hand_played = hand(1, 2, 3, 1, 2, 3, 4)
    assert locate_positions(hand_played, None) == (Spot(1, 2, 3), None)
    posted = hand(1, None, None, 1, 2, 3, 4, posts=(Post(2, "small", 5), Post(4, "big", 10)))
    assert locate_positions(posted, None) == (Spot(1, 2, 4), None)
    fits = make_placement(1, 2, 3, extra=4)
    assert locate_positions(hand(None, None, None, 1, 2), due(fits)) == (Spot(1, 2, 3, 4), fits)
    assert locate_positions(hand(1, None, 3, 1, 2), due(make_placement(4, 5, 6), fits)) == (Spot(1, 2, 3, 4), fits)
    assert locate_positions(hand(1, 5, 3, 1, 2), due(fits))[0] == Spot(1, 5, 3, 4)
    own_hand = hand(1, 2, 3, 1, 2, posts=(Post(6, "extra", 20),))
    assert locate_positions(own_hand, due(fits))[0] == Spot(1, 2, 3, 6)
    assert locate_positions(own_hand, None)[0] == Spot(1, 2, 3, 6)


def test_a_placement_that_contradicts_the_record_lends_it_nothing() -> None:
    placement, third = make_placement(4, 5, 6), make_placement(4, 5, 7)
    assert locate_positions(hand(1, None, 6, 1, 2), due(placement)) == (Spot(1, None, 6), placement)
    assert locate_positions(hand(4, None, 3, 1, 2), due(placement, third)) == (Spot(4, None, 3), placement)
    open_big = make_placement(4, 5, None)
    assert locate_positions(hand(4, None, 3, 1, 2), due(open_big))[0] == Spot(4, 5, 3)
    open_button = make_placement(None, 5, 6)
    assert locate_positions(hand(4, None, 6, 1, 2), due(open_button))[0] == Spot(4, 5, 6)


def test_the_furthest_blind_is_the_third_where_there_is_one() -> None:
    assert (Spot(1, 2, 3).furthest, Spot(1, 2, 3, 4).furthest, Spot(1).furthest) == (3, 4, None)
    assert [Spot(1, 2, 3, 4).seat_of(role) for role in ("small", "big", "extra")] == [2, 3, 4]


# What went past whom


def make_passage(method: str, spot: Spot, spot_now: Spot, *dealt: int) -> BlindPassage:
    return BlindPassage("7", method, spot, spot_now, frozenset(dealt), is_backwards=False)  # type: ignore[arg-type]  # a method


@pytest.mark.parametrize(
    ("seat", "expected"), [(3, ("small",)), (4, ("big",)), (5, ("big",)), (6, ()), (2, ()), (1, ())]
)
def test_under_the_dead_button_a_blind_passes_all_from_its_old_place_to_its_new(
    seat: int, expected: tuple[str, ...]
) -> None:
    assert make_passage("dead", Spot(1, 2, 3), Spot(2, 3, 5), 1, 2, 7).list_missed_blinds(seat) == expected
    assert make_passage("owed", Spot(1, 2, 3), Spot(2, 3, 5), 1, 2, 7).list_missed_blinds(seat) == expected
    assert make_passage("record", Spot(1, 2, 3), Spot(2, 3, 5), 1, 2, 7).list_missed_blinds(seat) == expected


def test_a_third_blind_passes_as_well_and_an_unknown_one_passes_nobody() -> None:
    blind_passage = make_passage("dead", Spot(1, 2, 3, 4), Spot(2, 3, 5, 7), 1, 2, 5, 7)
    assert (blind_passage.list_missed_blinds(6), blind_passage.list_missed_blinds(4)) == (("extra",), ("big",))
    assert make_passage("dead", Spot(1, None, 3), Spot(2, 3, 3), 1, 2, 7).list_missed_blinds(3) == ()


@pytest.mark.parametrize(("seat", "expected"), [(3, ("small",)), (5, ("big",)), (7, ()), (8, ()), (1, ())])
def test_under_a_moving_button_a_seat_missed_what_it_would_have_had(seat: int, expected: tuple[str, ...]) -> None:
    spot = Spot(2, 4, 6)
    assert make_passage("positional", Spot(9, 1, 2), spot, 2, 4, 6, 9).list_missed_blinds(seat) == expected


def test_a_moving_button_with_a_third_blind_or_without_a_small_one() -> None:
    assert make_passage("positional", Spot(), Spot(2, 4, 6, 8), 2, 4, 6, 8).list_missed_blinds(7) == ("extra",)
    assert make_passage("positional", Spot(), Spot(2, None, 6), 2, 4, 6).list_missed_blinds(3) == ("big",)
    assert make_passage("positional", Spot(), Spot(2, 2, 6), 2, 4, 6).list_missed_blinds(1) == ()


def test_of_two_players_and_without_a_button_the_blinds_are_followed_instead() -> None:
    assert make_passage("positional", Spot(2, 2, 6), Spot(6, 6, 2), 2, 6).list_missed_blinds(4) == ("small",)
    assert make_passage("positional", Spot(6, 6, 2), Spot(2, 2, 6), 2, 6).list_missed_blinds(4) == ("big",)
    assert make_passage("positional", Spot(1, 2, 3), Spot(None, 3, 5), 1, 2, 5).list_missed_blinds(4) == ("big",)


def test_nothing_follows_from_a_big_blind_that_went_backwards() -> None:
    four = (1, 2, 3, 5)
    blind_passage = measure_passage(hand(1, 2, 3, *four), Spot(2, 3, 5), Spot(1, 2, 3), make_placement(3, 5, 1))
    assert blind_passage.is_backwards
    assert blind_passage.list_missed_blinds(4) == ()
    repeated = measure_passage(hand(1, 2, 3, *four), Spot(2, 3, 5), Spot(1, 2, 3), make_placement(1, 2, 3))
    assert not repeated.is_backwards  # the book itself put it there
    assert measure_passage(hand(1, 2, 3, *four), Spot(2, 3, 5), Spot(1, 2, 3), None).is_backwards
    unchanged = measure_passage(hand(2, 3, 5, *four), Spot(2, 3, 5), Spot(2, 3, 5), None)
    assert not unchanged.is_backwards
    skipped = measure_passage(hand(3, 5, 2, 1, 2, 3, 5), Spot(2, 3, 5), Spot(3, 5, 2), make_placement(3, 5, 1))
    assert not skipped.is_backwards
    assert skipped.list_missed_blinds(6) == ("big",)
    assert (skipped.hand, skipped.method, skipped.dealt) == ("7", "dead", frozenset(four))
    assert measure_passage(hand(1, 2, 3, *four), Spot(), Spot(1, 2, 3), None).method == "record"
    two = measure_passage(hand(1, 1, 3, 1, 3), Spot(3, 3, 1), Spot(1, 1, 3), None)
    assert not two.is_backwards


# Seat changes


def table(*seats: int, chairs: int = 0, away: tuple[int, ...] = (), late_seats: tuple[int, ...] = ()) -> TableState:
    state = TableState(last_hand=hand(1, 2, 3), chairs=chairs)
    for seat in seats:
        state.seats[seat] = SeatState(
            seat,
            f"p{seat}",
            presence="away" if seat in away else "present",
            last_hand_dealt="" if seat in late_seats else "7",
        )
    return state


@pytest.mark.parametrize(
    ("start", "new_seat", "gained", "players_beyond", "leaving"),
    [
        (4, 7, 2, 0, ""),
        (4, 9, 3, 0, ""),
        (8, 7, 0, 0, ""),
        (3, 9, 4, 3, "big"),
        (3, 7, 3, 2, "big"),
        (1, 7, -1, 0, "button"),
        (2, 7, -2, 0, "small"),
        (6, 4, -1, 0, ""),
    ],
)
def test_a_move_is_measured_by_the_players_between(
    start: int, new_seat: int, gained: int, players_beyond: int, leaving: str
) -> None:
    state = table(*({1, 2, 3, 4, 5, 6, 8} - {start}), new_seat)
    move = measure_move(state, Spot(1, 2, 3), start, new_seat, 12)
    assert (move.gained, move.passed_beyond, move.leaving) == (gained, players_beyond, leaving)
    assert (move.old_seat, move.new_seat, move.hand, move.version, move.missing_fact) == (start, new_seat, "7", 12, "")


def test_who_is_away_or_was_not_dealt_in_is_not_passed() -> None:
    state = table(1, 2, 3, 5, 6, 8, 9, away=(5,), late_seats=(6,))
    assert measure_move(state, Spot(1, 2, 3), 4, 9, None).gained == 1


def test_the_next_big_blinds_seat_is_counted_from_in_chairs() -> None:
    def offset(new_seat: int, chairs: int = 9, big: int = 3, seats: tuple[int, ...] = (1, 2, 3, 4, 6, 8)) -> int | None:
        return measure_move(table(*seats, new_seat, chairs=chairs), Spot(1, 2, big), 2, new_seat, None).offset

    assert [offset(5), offset(7), offset(9)] == [1, 3, 5]
    assert offset(5, big=4) == 0  # before the next one: it is the next one
    assert offset(1, seats=(2, 3, 4, 8)) == 6
    assert offset(1, chairs=0, seats=(2, 3, 4, 8)) is None
    assert offset(9, big=8, seats=(2, 4, 8)) == 0
    assert offset(3, big=8, seats=(1, 2, 8)) == 2
    assert offset(2, seats=()) is None


def test_without_the_last_big_blind_a_move_cannot_be_measured() -> None:
    for spot in (None, Spot(1, 2)):
        assert "big blind" in measure_move(table(1, 2, 3), spot, 4, 7, None).missing_fact


def test_a_free_pass_hangs_on_the_position_left_and_on_the_new_seat() -> None:
    def move(leaving: str, offset: int | None) -> Move:
        return Move(1, 5, "7", None, 0, 0, leaving, offset)

    hilton, rrop4 = policy("hilton"), policy("rrop4")
    assert [has_free_pass(hilton, move("small", distance)) for distance in (0, 1, 2, 3, None)] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [has_free_pass(hilton, move(name, 1)) for name in ("button", "big", "")] == [True, False, False]
    assert [has_free_pass(rrop4, move(name, 8)) for name in ("button", "small")] == [True, False]
    assert not has_free_pass(policy("bicycle"), move("button", 1))


def test_hands_sat_out_count_against_the_positions_gained() -> None:
    assert [Move(1, 5, "7", None, 2, 0, "", 0, waited=hands).hands_left for hands in (0, 1, 2, 3)] == [2, 1, 0, 0]


# New games


def test_a_blind_has_passed_the_seats_from_the_first_small_blind_to_the_last_big_one() -> None:
    assert NewGame(is_recorded=True).has_blind_passed(4) is False
    two = new_game(Spot(6, 1, 2), Spot(1, 2, 4))
    assert [two.has_blind_passed(seat) for seat in (1, 2, 3, 4, 5, 6)] == [True, True, True, True, False, False]
    assert (two.first_hand, two.has_revolved, two.has_lapped) == ("1", False, False)
    round_it = new_game(Spot(6, 1, 2), Spot(1, 2, 4), Spot(2, 4, 6), Spot(4, 6, 1))
    assert [round_it.has_blind_passed(seat) for seat in (3, 5)] == [True, True]
    assert (round_it.has_revolved, round_it.has_lapped) == (False, False)
    finished_game = new_game(Spot(6, 1, 2), Spot(1, 2, 4), Spot(2, 4, 6), Spot(4, 6, 1), Spot(6, 1, 2))
    assert (finished_game.has_revolved, finished_game.has_lapped) == (True, True)


def test_the_button_has_gone_round_once_it_reaches_or_passes_where_it_began() -> None:
    assert new_game(Spot(6, 1, 2), Spot(1, 2, 4), Spot(5, 1, 2)).has_revolved is False
    assert new_game(Spot(6, 1, 2), Spot(5, 1, 2), Spot(1, 2, 4)).has_revolved is True
    assert new_game(Spot(6, 1, 2), Spot(6, 1, 2)).has_revolved is False


def test_positions_that_are_not_told_leave_a_new_game_open() -> None:
    assert new_game(Spot(6)).has_blind_passed(3) is None
    assert new_game(Spot(6, None, 2)).has_blind_passed(2) is True
    assert new_game(Spot(6, None, 2)).has_blind_passed(1) is False
    open_game = new_game(Spot(6, 1, 2), Spot(1, 2, 4), Spot(2))
    assert (open_game.has_blind_passed(4), open_game.has_blind_passed(5)) == (True, False)
    assert new_game(Spot(None, 1, 2), Spot(1, 2, 4), Spot(None, 4, 5), Spot(6, 5, 6)).has_revolved is False


# What a hand is played for


def test_stakes_are_the_hands_own_where_it_tells_them_and_the_tables_else() -> None:
    state = TableState(blinds=(1, 3), bets=(3, 6), betting="limit", variant="omaha8", format="cash", exponent=2)
    state.options["bring-in"] = 4
    stakes = read_stakes(state, None)
    assert stakes == Stakes((1, 3), True, 3, 4, True, 2, "omaha8", "cash", {"bring-in": 4})
    hand_played = hand(
        1, 2, 3, betting="no-limit", unit="USD", exponent=1, variant="holdem", options=(("minimum-open", 25),)
    )
    there = read_stakes(state, hand_played)
    assert (there.blinds, there.is_limit, there.lower, there.opening) == ((5, 10), False, 10, 25)
    assert (there.exponent, there.variant) == (1, "holdem")
    assert there.options == {"bring-in": 4, "minimum-open": 25}
    assert read_stakes(state, hand(1, 2, 3, blinds=())).blinds == (1, 3)
    assert read_stakes(state, hand(1, 2, 3)).exponent == 2


def test_the_lower_bet_of_a_limit_game_is_its_least_opening_bet() -> None:
    table_state = TableState()
    stakes = read_stakes(table_state, hand(1, 2, 3, bets=(20, 40)))
    assert (stakes.lower, stakes.opening, stakes.is_opening_stated) == (20, 20, True)
    spread = read_stakes(table_state, hand(1, 2, 3, betting="spread", bets=(20, 40), witnesses=0))
    assert (spread.is_limit, spread.lower, spread.is_opening_stated) == (True, 20, False)
    assert read_stakes(table_state, hand(1, 2, 3)).lower == 10
    big_bet = read_stakes(table_state, hand(1, 2, 3, betting="pot-limit", bets=(20, 40)))
    assert (big_bet.is_limit, big_bet.lower, big_bet.opening) == (False, 10, 10)
    nothing = read_stakes(table_state, hand(1, 2, 3, blinds=()))
    assert (nothing.lower, nothing.opening, nothing.big, nothing.amount("small")) == (None, None, None, None)
    assert nothing.roles == ("small", "big")
    assert read_stakes(table_state, None).is_limit is False


def test_blinds_have_their_amounts_by_role() -> None:
    three = read_stakes(TableState(), hand(1, 2, 3, blinds=(20, 5, 10)))
    assert [three.amount(role) for role in three.roles] == [5, 10, 20]
    assert (three.roles, three.largest_role, three.big) == (("small", "big", "extra"), "extra", 20)
    assert (three.total(["small", "extra"]), three.total([])) == (25, 0)
    single = read_stakes(TableState(), hand(1, None, 3, blinds=(10,)))
    assert (single.roles, single.amount("big"), single.amount("small")) == (("small", "big"), 10, None)
    two = read_stakes(TableState(), hand(1, 2, 3))
    assert (two.amount("extra"), two.total(["extra", "big"]), two.largest_role) == (None, None, "big")


@pytest.mark.parametrize(("lower", "exponent", "high"), [(5, 0, True), (4, 0, False), (500, 2, True), (499, 2, False)])
def test_the_boundary_of_a_book_is_in_the_currency(lower: int, exponent: int, high: bool) -> None:
    stakes = Stakes((1, lower), True, lower, lower, True, exponent, "holdem", "cash", {})
    assert is_high_stakes(policy("hilton"), stakes) is high
    assert is_high_stakes(policy("rrop4"), stakes) is True
    assert is_high_stakes(policy("hilton"), stakes._replace(lower=None)) is None
    assert find_entry_point(policy("hilton"), stakes) == f"entry.post.limit_{'high' if high else 'low'}"
    assert find_entry_point(policy("hilton"), stakes._replace(lower=None)) == ""
    assert find_entry_point(policy("hilton"), stakes._replace(is_limit=False)) == "entry.post.big_bet"
    assert find_entry_point(policy("rrop4"), stakes._replace(variant="badacey")) == "entry.post.lowball"
    assert find_entry_point(policy("rrop4"), stakes._replace(variant="razz")) != "entry.post.lowball"
    assert find_entry_point(policy("hilton"), stakes._replace(variant="badugi")) != "entry.post.lowball"


# Asking


def make_inputs(
    *spots: Spot, dealt: tuple[int, ...] = (1, 2, 4, 5, 6, 8), hand_played: HandPlayed | None = None
) -> DebtInputs:
    stakes = Stakes((5, 10), True, 10, 10, True, 0, "holdem", "cash", {})
    return DebtInputs(
        policy("hilton"), PlayerTabs(policy("hilton")), TableState(), stakes, list(spots), frozenset(dealt), hand_played
    )


def test_readings_that_differ_leave_the_zone_open() -> None:
    spot, next_spot = Spot(2, 4, 5), Spot(4, 5, 6)
    assert [make_inputs(spot).find_zone(seat) for seat in (2, 3, 5, 6)] == ["in", "in", "out", "out"]
    assert [make_inputs(spot, next_spot).find_zone(seat) for seat in (3, 4, 7)] == ["either", "in", "out"]
    assert make_inputs().find_zone(3) == "unknown"
    assert make_inputs(spot, Spot(None, 4, 5)).find_zone(3) == "unknown"


def test_the_big_blind_is_where_a_reading_or_the_record_has_it() -> None:
    debt_inputs = make_inputs(Spot(2, 4, 5), Spot(4, 5, 6))
    assert [debt_inputs.has_big_blind(seat) for seat in (4, 5, 6, 7)] == [False, True, True, False]
    record = make_inputs(Spot(2, 4, 5), hand_played=hand(2, 4, 7, 1, 2))
    assert (record.has_big_blind(7), record.has_big_blind(5), record.has_big_blind(4)) == (True, True, False)
    assert not make_inputs().has_big_blind(5)


def test_hands_until_the_big_blind_count_the_players_before_it() -> None:
    debt_inputs = make_inputs(Spot(2, 4, 5))
    assert [debt_inputs.count_hands_until_big(seat) for seat in (5, 6, 7, 8, 9, 1, 3, 4)] == [0, 1, 2, 2, 3, 3, 5, 5]
    assert (make_inputs().count_hands_until_big(5), make_inputs(Spot(2, 4)).count_hands_until_big(5)) == (None, None)


def test_hands_until_the_button_has_passed() -> None:
    assert make_inputs(Spot(2, 4, 5)).count_hands_until_passed(3) == 1
    assert make_inputs(Spot(2, 4, 5)).count_hands_until_passed(2) == 1
    assert make_inputs(Spot(1, 2, 5)).count_hands_until_passed(3) == 2
    assert make_inputs(Spot(1, 4, 6)).count_hands_until_passed(5) == 2
    assert make_inputs(Spot(1, None, 6)).count_hands_until_passed(5) == 1
    assert make_inputs(Spot(1, 2, 4, 6)).count_hands_until_passed(5) == 3
    assert make_inputs(Spot(8, 1, 2)).count_hands_until_passed(9) == 1
    assert make_inputs(Spot(2, 4, 5)).count_hands_until_passed(7) == 0
    assert make_inputs(Spot(4, 5, 4), dealt=(4, 5)).count_hands_until_passed(4) is None
    assert (make_inputs().count_hands_until_passed(3), make_inputs(Spot(None, 4, 5)).count_hands_until_passed(3)) == (
        None,
        None,
    )
    assert make_inputs(Spot(2, 4)).count_hands_until_passed(3) is None


def test_the_straddle_belongs_to_the_seat_next_to_the_last_blind() -> None:
    debt_inputs = make_inputs(Spot(2, 4, 5))
    assert [debt_inputs.can_straddle(seat) for seat in (6, 7, 8, 5, 4)] == [True, False, False, False, False]
    assert make_inputs(Spot(2, 4, 5), dealt=(1, 2, 4, 5, 8)).can_straddle(7)
    assert make_inputs(Spot(2, 4, 5), dealt=(1, 2, 4, 5, 8)).can_straddle(8)
    assert not make_inputs().can_straddle(6)


def test_the_readings_that_agree_with_the_record_hold() -> None:
    placement, other_placement = make_placement(2, 4, 5), make_placement(4, 5, 6)
    spot, other_spot = Spot(2, 4, 5, method="dead"), Spot(4, 5, 6, method="dead")
    assert list_spots((placement, other_placement), None) == [spot, other_spot]
    assert list_spots((placement, other_placement), hand(4, 5, 6)) == [other_spot]
    assert list_spots((placement, other_placement), hand(None, None, 5)) == [spot]
    assert list_spots((placement, other_placement), hand(4, None, 9)) == [spot, other_spot]
    assert list_spots((), hand(4, 5, 6)) == [Spot(4, 5, 6)]
    assert list_spots((), hand(4, 5, None)) == []
    with_third = Spot(2, 4, None, 6, method="dead")
    assert list_spots((make_placement(2, 4, None), make_placement(2, 4, None, extra=6)), None) == [with_third]


def test_what_a_source_tells_is_the_hands_own() -> None:
    assert make_inputs(hand_played=hand(1, 2, 3, witnesses=int(Witness.BUTTON))).is_witnessed(Witness.BUTTON)
    assert not make_inputs(hand_played=hand(1, 2, 3, witnesses=int(Witness.BUTTON))).is_witnessed(Witness.POSTS)
    assert not make_inputs().is_witnessed(Witness.BUTTON)
