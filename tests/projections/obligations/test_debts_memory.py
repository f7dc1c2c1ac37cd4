"""What a table remembers between hands: who sits where, what was drawn, moved, bought, and lost."""

from __future__ import annotations

import pytest

from ledger.presence import PlayerAway, PlayerBack, PlayerBusted, SeatLeft, SeatMoved, SeatTaken
from ledger.table.events import ButtonDrawn, GameStarted, PlayerEliminated, PlayerIdentified, Post
from ledger.vocabulary import Witness
from tests.projections.obligations.desk import (
    ALL,
    LISTS,
    Desk,
    clauses,
    due_at,
    entry,
    lacking,
    makeup,
    terms,
    waits_by_way,
)


def play_quiet_hands(book: str = "hilton", betting: str = "limit", hands: int = 8, **told: object) -> Desk:
    """Six seats, everybody dealt in on every hand; the last has its button at seat 6, then 1, ..."""
    desk = Desk(book, betting, method="dead" if book == "rrop4" else "", **told)
    for number in range(hands):
        desk.play(*(((5 + number + step) % 6) + 1 for step in range(3)), range(1, 7))
    return desk


def test_a_quiet_table_remembers_where_it_was() -> None:
    desk = play_quiet_hands()
    assert desk.keeper.player_tabs.has_no_issues
    assert desk.keeper.player_tabs.last_number == "8"
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    assert [missed_blind.role for missed_blind in due_at(desk.coming(), 4).missed] == ["big"]
    assert not desk.keeper.player_tabs.has_no_issues


def test_what_is_due_is_the_same_whether_it_was_asked_before_or_not() -> None:
    desk, fresh = play_quiet_hands(), play_quiet_hands()
    for _ in range(2):
        desk.coming()
    assert desk.coming().seats == fresh.coming().seats
    assert desk.play(2, 3, 4, range(1, 7)).seats == fresh.play(2, 3, 4, range(1, 7)).seats


def test_a_misdeal_at_a_quiet_table_moves_nothing() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 5, range(1, 7), completed=False, voided="misdeal")
    assert desk.keeper.player_tabs.last_number == "8"
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    assert [missed_blind.role for missed_blind in due_at(desk.coming(), 4).missed] == ["big"]


def test_a_hand_of_stud_in_between_moves_nothing() -> None:
    desk = play_quiet_hands()
    desk.play(None, None, None, range(1, 7), variant="stud", blinds=())
    assert desk.keeper.player_tabs.last_number == "8"


def test_in_stud_nobody_owes_a_blind() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    desk.tell(PlayerBack(4))
    due = desk.play(None, None, None, range(1, 7), variant="razz", blinds=())
    assert (terms(due, 4), due_at(due, 4).missed) == ("yes", ())
    assert [missed_blind.role for missed_blind in desk.keeper.player_tabs.find_tab("p4").missed] == ["big"]


def test_who_goes_broke_at_a_quiet_table_is_remembered() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 4, range(1, 7), stacks={5: (80, 0)})
    assert due_at(desk.coming(), 5).status == "broke"
    assert desk.keeper.player_tabs.find_tab("p5").broke_hand == "9"


def test_a_short_big_blind_at_a_quiet_table_is_remembered() -> None:
    for live, barred in ((4, ("short-blind",)), (5, ())):
        desk = play_quiet_hands("bicycle")
        post = Post(4, "big", live, all_in=True)
        desk.play(2, 3, 4, range(1, 7), posts=[post], stacks={4: (live, 20)})
        assert due_at(desk.coming(), 4).barred == barred


def test_a_big_blind_that_is_short_by_mistake_is_no_short_stack() -> None:
    desk = play_quiet_hands("bicycle")
    desk.play(2, 3, 4, range(1, 7), posts=[Post(4, "big", 4, all_in=False)])
    assert due_at(desk.coming(), 4).barred == ()


def test_who_is_not_listed_at_a_quiet_table_has_no_part_in_the_hand() -> None:
    desk = play_quiet_hands()
    assert terms(desk.play(2, 3, 4, range(1, 7)), 6) == "yes"
    due = desk.play(3, 4, 5, range(1, 6))
    assert (terms(due, 6), due_at(due, 6).status) == ("no", "away")
    assert due_at(desk.coming(), 6).status == "away"
    desk = play_quiet_hands(witnesses=LISTS)
    desk.play(2, 3, 4, range(1, 6))
    assert desk.coming().seat(6) is None


def test_a_newcomer_at_a_quiet_table_is_noticed() -> None:
    desk = play_quiet_hands()
    desk.who[7] = "new"
    due = desk.play(2, 3, 4, range(1, 8))
    assert "came from" in lacking(due, 7)
    desk = play_quiet_hands()
    desk.who[6] = "other"
    assert due_at(desk.play(2, 3, 4, range(1, 7)), 6).status == "new"


def test_a_dead_post_to_enter_is_a_post_and_an_empty_one_is_none() -> None:
    for post, expected in ((entry(7, 0, 10), True), (entry(7, 10), True), (entry(7, 0), False)):
        desk = play_quiet_hands()
        desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
        desk.play(2, 3, 4, range(1, 8), posts=[post])
        assert desk.keeper.player_tabs.find_tab("p7").established is expected


@pytest.mark.parametrize("role", ["makeup", "makeup-small", "makeup-big", "entry", "unknown"])
def test_any_post_to_be_dealt_in_settles_what_is_owed(role: str) -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6]
    desk.play(2, 3, 5, other_seats, out={4: "away"})
    desk.play(3, 5, 6, other_seats, out={4: "away"})
    desk.play(5, 6, 1, range(1, 7), posts=[Post(4, role, 10, 5)])  # type: ignore[arg-type]  # a role
    assert due_at(desk.coming(), 4).missed == ()


def test_who_made_up_behind_the_button_may_have_it() -> None:
    desk = play_quiet_hands("hilton", "no-limit")
    desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6]
    desk.play(2, 3, 5, other_seats, out={4: "away"})
    desk.play(3, 5, 6, other_seats, out={4: "away"})
    desk.play(5, 6, 1, range(1, 7), posts=[makeup(4, 10)])
    assert (due_at(desk.coming(), 4).button, due_at(desk.coming(), 4).barred) == (True, ())


def test_an_entry_post_of_who_owed_nothing_bars_nobody_from_the_button() -> None:
    desk = play_quiet_hands("hilton", "no-limit")
    desk.play(2, 3, 4, range(1, 7), posts=[entry(3, 10)])
    assert due_at(desk.coming(), 3).button is True


# Who sits where


def test_who_is_listed_elsewhere_has_moved_and_who_is_not_listed_has_left() -> None:
    desk = play_quiet_hands(witnesses=LISTS)
    desk.who = {**desk.who, 7: "p5", 5: "new"}
    desk.play(2, 3, 4, [1, 2, 3, 4, 7])
    memory = desk.keeper.player_tabs
    assert memory.seated == {1: "p1", 2: "p2", 3: "p3", 4: "p4", 7: "p5"}
    assert "p6" not in memory.tabs
    assert memory.find_tab("p5").seat == 7


def test_a_source_that_does_not_tell_who_is_away_keeps_the_seats_of_those_it_does_not_list() -> None:
    few = int(Witness.BUTTON | Witness.POSTS | Witness.MISSING_HANDS)
    desk = play_quiet_hands(witnesses=few)
    desk.who = {**desk.who, 5: "new"}
    desk.play(2, 3, 4, [1, 2, 3, 4, 5])
    memory = desk.keeper.player_tabs
    assert set(memory.tabs) == {"p1", "p2", "p3", "p4", "new", "p6"}
    assert memory.seated[6] == "p6"
    assert "sits out" in lacking(desk.play(3, 4, 5, [1, 2, 3, 4, 5, 7]), 7)


def test_seats_that_are_numbered_anew_leave_everything_unknown() -> None:
    desk = play_quiet_hands()
    desk.who = {seat: f"p{seat % 6 + 1}" for seat in range(1, 7)}
    desk.play(2, 3, 4, range(1, 7))
    assert "its own names or seat numbers" in lacking(desk.coming(), 6)


def test_a_few_untold_seat_changes_leave_the_others_known() -> None:
    desk = play_quiet_hands()
    desk.who |= {1: "p2", 2: "p1"}
    desk.play(2, 3, 4, range(1, 7))
    assert terms(desk.coming(), 5) == "yes"
    desk = play_quiet_hands()
    desk.who |= {7: "p6"}
    desk.play(2, 3, 4, [1, 7])  # one of two has moved
    assert desk.keeper.player_tabs.find_tab("p1").missing_fact == ""


def test_who_sits_down_again_where_he_sits_is_the_same_and_may_tell_where_from() -> None:
    desk = play_quiet_hands()
    desk.tell(SeatTaken(4, "p4", "walk-in", 1000), SeatTaken(4, "p4", "unknown", 1000))
    assert terms(desk.coming(), 4) == "yes"
    assert desk.keeper.player_tabs.find_tab("p4").origin == "walk-in"
    desk.tell(SeatTaken(7, "p4", "unknown", 1000))
    memory = desk.keeper.player_tabs
    assert (memory.seated.get(7), 4 in memory.seated) == ("p4", False)
    desk.tell(SeatTaken(6, "other", "walk-in", 1000))
    assert memory.seated[6] == "other"
    assert terms(desk.coming(), 6) == "10+0"


def test_who_left_is_forgotten_by_name_or_by_seat() -> None:
    desk = play_quiet_hands()
    desk.tell(SeatLeft(4, "p4"), SeatLeft(3, ""), PlayerEliminated("p2", 3, 2))
    memory = desk.keeper.player_tabs
    assert sorted(memory.seated) == [1, 5, 6]
    assert not {"p2", "p3", "p4"} & set(memory.tabs)


def test_a_new_identity_takes_the_debt_along() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    desk.tell(PlayerIdentified("p4", "known"), PlayerIdentified("nobody", "someone"))
    assert [missed_blind.role for missed_blind in due_at(desk.coming(), 4).missed] == ["big"]
    assert desk.keeper.player_tabs.seated[4] == "known"
    assert "someone" not in desk.keeper.player_tabs.tabs


def test_a_move_of_somebody_unknown_is_open() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(SeatMoved("p9", 2, 5))
    assert desk.keeper.player_tabs.find_tab("p9").missing_fact.startswith("since when")


def test_a_move_where_no_big_blind_is_on_record_is_open() -> None:
    desk = Desk("rrop4", method="dead")
    desk.play(1, None, None, range(1, 7), blinds=())
    desk.who[7] = "p4"
    desk.tell(SeatMoved("p4", 4, 7))
    assert lacking(desk.coming(), 7).startswith("where the big blind was")


def test_a_closer_seat_is_free_for_being_closer_however_long_one_waits() -> None:
    desk = play_quiet_hands("rrop4", hands=1)  # button 6, blinds 1 and 2
    desk.who[7] = "p1"
    desk.tell(SeatMoved("p1", 1, 7))
    assert "blinds.13.3" in clauses(desk.coming(), 7)
    desk.play(1, 2, 3, range(2, 7), out={7: "moved"})
    assert "blinds.13.3" in clauses(desk.coming(), 7)


def test_two_moves_with_a_hand_between_add_up() -> None:
    desk = play_quiet_hands("rrop4", hands=1)  # button 6, blinds 1 and 2
    desk.who[7] = "p3"
    desk.tell(SeatMoved("p3", 3, 7))  # past 4, 5 and 6
    assert waits_by_way(desk.coming(), 7)["position"] == 3
    desk.play(1, 2, 4, [1, 2, 4, 5, 6], out={7: "moved"})
    assert waits_by_way(desk.coming(), 7)["position"] == 2
    desk.who[3] = "p3"
    desk.tell(SeatMoved("p3", 7, 3))
    assert waits_by_way(desk.coming(), 3)["position"] == 4  # two hands left, and past seats 1 and 2


def test_what_is_due_from_a_settled_player_names_the_seat_that_is_held_now() -> None:
    desk = play_quiet_hands("rrop4")
    assert due_at(desk.coming(), 4).seat == 4
    desk.who[7] = "p4"
    desk.tell(SeatMoved("p4", 4, 7))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6, 7], posts=[entry(7, 10)])
    due = desk.coming()
    assert [(seat.seat, seat.player) for seat in due.seats] == [
        (1, "p1"),
        (2, "p2"),
        (3, "p3"),
        (5, "p5"),
        (6, "p6"),
        (7, "p4"),
    ]
    desk.tell(PlayerIdentified("p4", "known"))
    assert due_at(desk.coming(), 7).player == "known"


def test_a_new_players_seat_change_is_no_move() -> None:
    desk = play_quiet_hands("rrop4")
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    desk.who[8] = "p7"
    desk.tell(SeatMoved("p7", 7, 8))
    assert (terms(desk.coming(), 8), due_at(desk.coming(), 8).status) == ("10+0", "new")


def test_told_to_be_broke_is_broke_once() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerBusted(4))
    assert desk.keeper.player_tabs.find_tab("p4").broke_hand == "8"
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "no-chips"})
    desk.tell(PlayerBusted(4), PlayerBusted(9))
    assert desk.keeper.player_tabs.find_tab("p4").broke_hand == "8"


# Games


def test_a_draw_before_the_first_hand_begins_a_game_and_a_later_one_does_not() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(*(SeatTaken(seat, f"p{seat}", "walk-in", 1000) for seat in (1, 2, 3)))
    desk.tell(ButtonDrawn((1, 2, 3), 1))
    assert desk.keeper.player_tabs.game.is_recorded
    assert desk.keeper.player_tabs.game.drawers == {"p1", "p2", "p3"}
    desk = play_quiet_hands("rrop4")
    desk.tell(ButtonDrawn((1, 2, 3), 1))
    assert not desk.keeper.player_tabs.game.is_recorded
    assert not desk.keeper.player_tabs.game.drawers


def test_who_takes_a_seat_that_drew_is_active_before_the_first_hand() -> None:
    for book, active in (("rrop4", True), ("hilton", False)):
        desk = Desk(book, method="dead" if book == "rrop4" else "")
        desk.tell(GameStarted(), ButtonDrawn((1, 2, 3), 1))
        desk.tell(SeatTaken(2, "p2", "game-start", 1000), SeatTaken(5, "p5", "game-start", 1000))
        assert desk.keeper.player_tabs.find_tab("p2").entered is active
        assert desk.keeper.player_tabs.find_tab("p5").entered is False


def test_who_sits_down_later_where_somebody_drew_did_not_draw() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(*(SeatTaken(seat, f"p{seat}", "game-start", 1000) for seat in (1, 2, 3, 4)))
    desk.tell(GameStarted(), ButtonDrawn((1, 2, 3, 4), 1))
    desk.play(1, 2, 3, range(1, 5))
    desk.tell(SeatLeft(2, "p2"), SeatTaken(2, "other", "walk-in", 1000))
    assert desk.keeper.player_tabs.find_tab("other").entered is False
    assert due_at(desk.coming(), 2).status == "new"


def test_a_new_game_forgets_what_was_owed() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    desk.tell(PlayerBack(4), GameStarted())
    due = desk.play(1, 2, 3, range(1, 7))
    assert {seat.deal for seat in due.seats} == {"yes"}
    assert due_at(desk.coming(), 4).missed == ()


def test_who_gets_no_cards_on_the_first_deal_comes_in_later() -> None:
    desk = Desk("hilton")
    desk.tell(GameStarted())
    desk.play(1, 2, 3, range(1, 6), out={6: "away"})
    due = desk.play(2, 3, 4, range(1, 7))
    assert terms(due, 6) == "10+0"  # was there when the game began: no other game sent it here
    desk = Desk("rrop4", method="dead")
    desk.tell(GameStarted())
    desk.play(1, 2, 3, range(1, 6), out={6: "away"})
    assert terms(desk.play(2, 3, 4, range(1, 7)), 6) == "yes"  # no blind has passed it


def test_without_the_beginning_on_record_a_game_is_taken_to_be_no_new_one() -> None:
    few = ALL & ~int(Witness.GAME_STARTS)
    desk = Desk("rrop4", method="dead", witnesses=few)
    desk.play(1, 2, 3, range(1, 7))
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    bases = [ground.basis for ground in due_at(desk.coming(), 7).post[0].grounds]
    assert bases.count("assumed") == 1
    desk = play_quiet_hands("rrop4", witnesses=few)
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    assert "assumed" not in [ground.basis for ground in due_at(desk.coming(), 7).post[0].grounds]
    desk = play_quiet_hands("rrop4", hands=1)
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    assert "assumed" not in [ground.basis for ground in due_at(desk.coming(), 7).post[0].grounds]


def test_who_drew_is_known_by_the_first_hand_where_only_seats_were_told() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(GameStarted(), ButtonDrawn((1, 2, 3, 5), 1))
    desk.play(1, 2, 3, [1, 2, 3, 4], out={5: "away"})
    assert desk.keeper.player_tabs.game.drawers == {"p1", "p2", "p3", "p5"}


def test_who_is_listed_without_cards_where_the_record_begins_is_in_the_game() -> None:
    desk = Desk("rrop4", method="dead")
    desk.play(1, 2, 3, range(1, 6), out={6: "sitting-out"})
    assert desk.keeper.player_tabs.find_tab("p6").entered
    due = desk.play(2, 3, 4, range(1, 7))
    assert terms(due, 6) == "open"  # what went past it before, nobody knows
    assert "which blinds seat 6 missed" in lacking(due, 6)


def test_a_newcomer_who_is_not_announced_may_not_have_the_button() -> None:
    desk = play_quiet_hands()
    due = desk.play(2, 3, 4, range(1, 8))
    assert (due_at(due, 7).button, due_at(due, 7).barred) == (False, ("new", "no-big-blind"))


# Missing hands


def test_missing_hands_make_everybody_unknown_but_who_comes_after_them() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 4, range(1, 7), number=20)
    due = desk.coming()
    assert {terms(due, seat) for seat in (1, 2, 3, 6)} == {"open"}
    assert terms(due, 4) == "yes"  # it had the big blind since
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    assert terms(desk.coming(), 7) == "10+0"
    assert desk.keeper.player_tabs.last_number == "20"


def test_after_missing_hands_a_missed_blind_is_shown_and_the_rest_stays_open() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 4, range(1, 7), number=20)
    desk.tell(PlayerAway(6))
    desk.play(3, 4, 5, [1, 2, 3, 4, 5], out={6: "away"})
    desk.play(4, 5, 1, [1, 2, 3, 4, 5], out={6: "away"})
    desk.tell(PlayerBack(6))
    due = desk.coming()
    assert [missed_blind.role for missed_blind in due_at(due, 6).missed] == ["big"]
    assert terms(due, 6) == "open"
