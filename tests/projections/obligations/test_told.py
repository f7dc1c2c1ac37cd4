"""What a table remembers of events between hands, and of posts and absences on them."""

from __future__ import annotations

import pytest

from ledger.presence import (
    ChipsAdded,
    MarkerGiven,
    MarkerTaken,
    PlayerAway,
    PlayerBack,
    PlayerBusted,
    SeatLeft,
    SeatMoved,
    SeatTaken,
)
from ledger.table.events import ButtonDrawn, GameStarted, HandPlayed, Post
from projections.obligations.player_tabs import PlayerTabs
from tests.projections.obligations.desk import (
    LISTS,
    Desk,
    clauses,
    due_at,
    entry,
    lacking,
    makeup,
    new_game,
    policy,
    terms,
)
from tests.projections.obligations.test_debts_measures import hand
from tests.projections.obligations.test_debts_memory import play_quiet_hands

OTHER_SEATS = [1, 2, 3, 5, 6]


def away_for_the_big_blind(book: str = "bicycle", reason: str = "away", **told: object) -> Desk:
    """At a table of six, seat 4 gets no cards while the big blind goes past it."""
    desk = play_quiet_hands(book, **told)
    desk.play(2, 3, 5, OTHER_SEATS, out={4: reason})
    return desk


# Chips


@pytest.mark.parametrize(("amount", "broke"), [(500, ""), (1, ""), (0, "9")])
def test_only_chips_make_a_broke_player_whole(amount: int, broke: str) -> None:
    for event in (ChipsAdded(4, amount), ChipsAdded(None, amount, player="p4")):
        desk = play_quiet_hands()
        desk.play(2, 3, 4, range(1, 7), stacks={4: (80, 0)})
        desk.tell(event)
        assert desk.keeper.player_tabs.find_tab("p4").broke_hand == broke


def test_chips_that_come_after_the_blinds_went_past_come_too_late() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 4, range(1, 7), stacks={5: (80, 0)})
    desk.play(3, 4, 6, [1, 2, 3, 4, 6], out={5: "no-chips"})
    desk.tell(ChipsAdded(5, 500), ChipsAdded(9, 500), ChipsAdded(None, 500, player="nobody"))
    assert desk.keeper.player_tabs.find_tab("p5").broke_hand == "9"
    assert [missed_blind.role for missed_blind in desk.keeper.player_tabs.find_tab("p5").missed] == ["big"]


def test_who_is_told_to_be_broke_by_name_is_found() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerBusted(4, "p4"))
    assert desk.keeper.player_tabs.find_tab("p4").broke_hand == "8"


def test_who_was_broke_and_plays_on_is_broke_no_more() -> None:
    desk = play_quiet_hands()
    desk.play(2, 3, 4, range(1, 7), stacks={5: (80, 0)})
    desk.play(3, 4, 5, range(1, 7))
    assert (desk.keeper.player_tabs.find_tab("p5").broke_hand, terms(desk.coming(), 5)) == ("", "yes")


# Markers


def test_only_a_missed_blind_marker_that_is_taken_away_ends_the_debt() -> None:
    desk = play_quiet_hands()
    desk.tell(MarkerGiven(6, "missed-blind"), MarkerTaken(6, "away"))
    assert terms(desk.coming(), 6) == "None+None"
    desk.tell(MarkerTaken(9, "missed-blind"), MarkerGiven(9, "missed-blind"))
    assert terms(desk.coming(), 6) == "None+None"
    desk.tell(MarkerTaken(6, "missed-big-blind"))
    assert terms(desk.coming(), 6) == "yes"


def test_a_marker_for_blinds_that_are_on_record_adds_nothing() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.tell(PlayerBack(4), MarkerGiven(4, "missed-blind"))
    for button, small, big in ((3, 5, 6), (5, 6, 1)):
        desk.play(button, small, big, OTHER_SEATS, out={4: "unknown"})
    assert terms(desk.coming(), 4) == "10+5"
    desk.play(6, 1, 2, range(1, 7), posts=[makeup(4, 10, 5)])
    assert terms(desk.coming(), 4) == "yes"


# Seats


def test_who_leaves_is_found_by_name_and_nobody_else_goes() -> None:
    desk = play_quiet_hands()
    desk.tell(SeatLeft(3, "p4"))
    assert sorted(desk.keeper.player_tabs.seated) == [1, 2, 3, 5, 6]


def test_a_table_that_breaks_up_and_begins_again_takes_nothing_along() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.tell(GameStarted())
    memory = desk.keeper.player_tabs
    assert (memory.spot, memory.last_number, memory.game.is_recorded, memory.game.first_hand) == (None, "", True, "")
    assert not any(tab.entered or tab.established for tab in memory.tabs.values())
    assert {tab.origin for tab in memory.tabs.values()} == {"game-start"}


def test_a_draw_lets_in_whoever_drew_where_the_first_round_is_free() -> None:
    for book, quiet_already in (("rrop4", True), ("hilton", False)):
        desk = Desk(book, method="dead" if book == "rrop4" else "")
        desk.tell(*(SeatTaken(seat, f"p{seat}", "walk-in", 1000) for seat in (1, 2, 3, 4)))
        desk.tell(ButtonDrawn((1, 2, 3), 1))
        assert desk.keeper.player_tabs.find_tab("p2").has_no_issues is quiet_already
        assert not desk.keeper.player_tabs.find_tab("p4").has_no_issues


def test_a_second_draw_of_a_game_adds_to_the_first() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(*(SeatTaken(seat, f"p{seat}", "walk-in", 1000) for seat in (1, 2, 3, 4)))
    desk.tell(ButtonDrawn((1, 2), 1), SeatLeft(1, "p1"), ButtonDrawn((2, 3), 2))
    assert desk.keeper.player_tabs.game.drawers == {"p1", "p2", "p3"}


def test_a_seat_change_that_is_undone_before_the_next_hand_is_none() -> None:
    desk = play_quiet_hands("rrop4")
    desk.who[7] = "p4"
    desk.tell(SeatMoved("p4", 4, 7))
    assert desk.keeper.player_tabs.find_tab("p4").move is not None
    assert sorted(desk.keeper.player_tabs.seated) == [1, 2, 3, 5, 6, 7]
    desk.tell(SeatMoved("p4", 7, 8))
    move = desk.keeper.player_tabs.find_tab("p4").move
    assert move is not None
    assert (move.old_seat, move.new_seat, move.earlier_move) == (4, 8, None), "both are one change"
    desk.tell(SeatMoved("p4", 8, 4))
    assert desk.keeper.player_tabs.find_tab("p4").move is None


def test_who_sits_down_takes_the_seat_from_nobody_else() -> None:
    desk = play_quiet_hands("rrop4")
    desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
    assert desk.keeper.player_tabs.seated == {seat: f"p{seat}" for seat in range(1, 8)}
    desk.tell(SeatTaken(8, "p3", "walk-in", 1000), SeatTaken(5, "other", "walk-in", 1000))
    assert sorted(desk.keeper.player_tabs.seated.items()) == [
        (1, "p1"),
        (2, "p2"),
        (4, "p4"),
        (5, "other"),
        (6, "p6"),
        (7, "p7"),
        (8, "p3"),
    ]


def test_who_has_had_no_cards_yet_changes_seats_freely() -> None:
    for is_seen, moved in ((False, False), (True, True)):
        desk = play_quiet_hands("rrop4")
        desk.tell(SeatTaken(7, "p7", "walk-in", 1000))
        if is_seen:
            desk.play(2, 3, 4, range(1, 8), posts=[entry(7, 10)])
        desk.tell(SeatMoved("p7", 7, 8))
        tab = desk.keeper.player_tabs.find_tab("p7")
        assert (tab.move is not None, tab.seat) == (moved, 8)


def test_who_sits_down_after_the_first_hand_is_none_of_those_who_drew() -> None:
    desk = Desk("rrop4", method="dead")
    desk.tell(*(SeatTaken(seat, f"p{seat}", "game-start", 1000) for seat in (1, 2, 3, 4)))
    desk.tell(GameStarted(), ButtonDrawn((1, 2, 3, 4), 1))
    desk.play(1, 2, 3, range(1, 5))
    desk.who[2] = "other"
    desk.tell(SeatLeft(2, "p2"), SeatTaken(2, "other", "walk-in", 1000))
    desk.play(3, 4, 1, range(1, 5))
    assert desk.keeper.player_tabs.game.drawers == {"p1", "p2", "p3", "p4"}


def test_in_a_tournament_no_blind_is_missed_and_none_is_made_up() -> None:
    desk = play_quiet_hands("rrop4", format="tournament")
    desk.play(2, 3, 5, OTHER_SEATS, out={4: "away"})
    desk.play(3, 5, 6, OTHER_SEATS, out={4: "away"}, posts=[entry(1, 10)])
    assert (desk.keeper.player_tabs.find_tab("p4").missed, desk.keeper.player_tabs.last_number) == ([], "10")


# Posts


def test_a_straddle_of_who_owes_nothing_is_no_make_up() -> None:
    desk = play_quiet_hands("hilton")
    desk.play(2, 3, 4, range(1, 7), posts=[Post(5, "straddle", 20)])
    tab = desk.keeper.player_tabs.find_tab("p5")
    assert (tab.make_up_hand, terms(desk.coming(), 5)) == ("", "yes")


@pytest.mark.parametrize(
    ("seat", "role", "settled"),
    [(4, "straddle", "11"), (4, "restraddle", "11"), (4, "sleeper", ""), (4, "button-straddle", "")],
)
def test_only_a_straddle_next_to_the_big_blind_makes_up(seat: int, role: str, settled: str) -> None:
    desk = away_for_the_big_blind("hilton")
    desk.play(1, 2, 5, OTHER_SEATS, out={4: "away"})
    desk.tell(PlayerBack(4))
    desk.play(1, 2, 3, range(1, 7), posts=[Post(seat, role, 20)])  # type: ignore[arg-type]  # a role
    tab = desk.keeper.player_tabs.find_tab("p4")
    assert (tab.make_up_hand, tab.missed == []) == (settled, bool(settled))


def test_a_blind_made_up_is_remembered_until_the_next_big_blind() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.tell(PlayerBack(4))
    for button, small, big in ((3, 5, 6), (5, 6, 1)):
        desk.play(button, small, big, OTHER_SEATS, out={4: "unknown"})
    desk.play(6, 1, 2, range(1, 7), posts=[makeup(4, 10, 5)])
    assert desk.keeper.player_tabs.find_tab("p4").make_up_hand == "12"
    desk.play(1, 2, 3, range(1, 7))
    desk.play(2, 3, 4, range(1, 7))
    assert desk.keeper.player_tabs.find_tab("p4").make_up_hand == ""
    desk.play(3, 4, 5, range(1, 7), posts=[entry(1, 10)])
    assert desk.keeper.player_tabs.find_tab("p1").make_up_hand == "", "it owed nothing"


def test_a_new_player_who_posts_where_the_button_is_near_has_taken_no_blind() -> None:
    for seat, established in ((3, False), (7, True)):
        desk = Desk("bicycle")
        seats_there = [1, 2, 4, 5, 6, 8]
        desk.play(1, 2, 4, seats_there)
        desk.tell(SeatTaken(seat, f"p{seat}", "walk-in", 1000))
        desk.play(2, 4, 5, [*seats_there, seat], posts=[entry(seat, 10)])
        tab = desk.keeper.player_tabs.find_tab(f"p{seat}")
        assert (tab.established, tab.made_up_in_zone) == (established, False)


def test_a_short_big_blind_is_settled_by_the_next_one() -> None:
    desk = play_quiet_hands("bicycle")
    post = Post(4, "big", 4, all_in=True)
    desk.play(2, 3, 4, range(1, 7), posts=[post], stacks={4: (4, 20)})
    for button in (3, 4, 5, 6, 1):
        desk.play(button, button % 6 + 1, (button + 1) % 6 + 1, range(1, 7))
    assert desk.keeper.player_tabs.find_tab("p4").short_big
    desk.play(2, 3, 4, range(1, 7))
    assert not desk.keeper.player_tabs.find_tab("p4").short_big


def test_the_hand_of_a_short_blind_is_no_hand_played_owing() -> None:
    desk = play_quiet_hands("bicycle")
    post = Post(4, "big", 4, all_in=True)
    desk.play(2, 3, 4, range(1, 7), posts=[post], stacks={4: (4, 20)})
    assert desk.keeper.player_tabs.find_tab("p4").played_owing == []
    desk.play(3, 4, 5, range(1, 7), stacks={4: (20, 15)})
    assert desk.keeper.player_tabs.find_tab("p4").played_owing == [("10", None)]
    desk.play(4, 5, 6, range(1, 7), stacks={4: (15, 5)})
    assert desk.keeper.player_tabs.find_tab("p4").played_owing[-1] == ("11", True)


# Who went where while a blind went past


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        (("away",), True),
        (("sitting-out",), True),
        (("reserved",), True),
        (("no-chips",), False),
        (("waiting-for-big-blind",), False),
        (("unknown",), None),
    ],
)
def test_where_a_broke_player_was_is_the_hands_own_word(reasons: tuple[str, ...], expected: bool | None) -> None:
    desk = Desk("bicycle")
    desk.play(1, 2, 3, range(1, 7), stacks={4: (100, 0)})
    for reason in reasons:
        desk.play(2, 3, 5, OTHER_SEATS, out={4: reason})
    assert desk.keeper.player_tabs.find_tab("p4").missed_while_away is expected


def test_who_had_chips_and_got_no_cards_was_away() -> None:
    for reason in ("away", "waiting-for-big-blind", "moved"):
        assert away_for_the_big_blind(reason=reason).keeper.player_tabs.find_tab("p4").missed_while_away is True
    assert away_for_the_big_blind(reason="unknown").keeper.player_tabs.find_tab("p4").missed_while_away is None


def test_who_was_told_to_be_away_was_away_whatever_the_hand_says() -> None:
    desk = play_quiet_hands("bicycle", hands=7)
    desk.play(1, 2, 3, range(1, 7), stacks={4: (100, 0)})
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, OTHER_SEATS, out={4: "no-chips"})
    assert desk.keeper.player_tabs.find_tab("p4").missed_while_away is True


def test_who_was_there_once_while_a_blind_went_past_was_there() -> None:
    desk = Desk("bicycle")
    desk.play(1, 2, 3, range(1, 7), stacks={4: (100, 0)})
    desk.play(2, 3, 5, OTHER_SEATS, out={4: "no-chips"})
    desk.tell(PlayerAway(4))
    desk.play(3, 5, 6, OTHER_SEATS, out={4: "away"})
    tab = desk.keeper.player_tabs.find_tab("p4")
    assert ([missed_blind.role for missed_blind in tab.missed], tab.missed_while_away) == (["big", "small"], False)
    assert "had no chips" in tab.missed[0].ground.sentence


def test_a_missed_blind_says_on_which_hand_and_why() -> None:
    (missed,) = away_for_the_big_blind().keeper.player_tabs.find_tab("p4").missed
    assert missed.ground.sentence == "Seat 4 missed the big blind in hand 9: it wasn't dealt in."
    assert missed.hand == missed.ground.hand == "9"


# Whose coming the record does not tell


def test_where_nobody_announces_a_newcomer_it_has_not_played_here_yet() -> None:
    memory = PlayerTabs(policy("rrop4"))
    first: HandPlayed = hand(1, 2, 3, 1, 2, 3)
    assert memory.find_newcomer_tab(first, 1).owes_nothing  # the record begins
    memory.game = new_game()
    memory.game.drawn_seats = {1, 2, 5}
    assert [memory.find_newcomer_tab(first, seat).entered for seat in (1, 3, 5, 6)] == [True, True, True, False]
    memory.game.is_recorded = False
    assert memory.find_newcomer_tab(first, 6).entered
    desk = play_quiet_hands("rrop4")
    tab = desk.keeper.player_tabs.find_newcomer_tab(first, 7)
    assert (tab.established, tab.entered, tab.arrived_after, tab.missing_fact) == (False, False, "8", "")
    unseen = desk.keeper.player_tabs.find_newcomer_tab(hand(1, 2, 3, 1, 2, 3, witnesses=0), 7)
    assert "sits out" in unseen.missing_fact


def test_a_game_begins_with_nobody_owing_only_where_all_were_seen_to_sit_down() -> None:
    def begins(*seats: int, is_told: bool = False, hands: int = 0) -> bool:
        desk = play_quiet_hands("rrop4", hands=hands)
        desk.tell(*(SeatTaken(seat, f"p{seat}", "walk-in", 1000) for seat in seats))
        desk.keeper.player_tabs.game.is_recorded = is_told
        return desk.keeper.player_tabs.is_first_hand(hand(1, 2, 3, 1, 2, 3))

    assert begins(1, 2, 3)
    assert begins(1, 2, 3, 4)
    assert not begins(1, 2)
    assert not begins(1, 2, 3, hands=1)
    assert begins(is_told=True)
    assert not begins(is_told=True, hands=1)


# Seats that a hand does not list


def test_who_is_listed_nowhere_sits_there_still_where_a_source_tells_who_leaves() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.play(3, 5, 6, OTHER_SEATS)
    memory = desk.keeper.player_tabs
    assert [missed_blind.role for missed_blind in memory.find_tab("p4").missed] == ["big", "small"]
    assert memory.seated[4] == "p4"


def test_who_is_listed_nowhere_has_left_where_a_source_lists_whoever_stays() -> None:
    desk = away_for_the_big_blind("rrop4", witnesses=LISTS)
    desk.play(3, 5, 6, OTHER_SEATS)
    assert "p4" not in desk.keeper.player_tabs.tabs
    assert 4 not in desk.keeper.player_tabs.seated


def test_two_who_exchange_seats_unannounced_keep_what_they_owe() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.who |= {4: "p5", 5: "p4"}
    desk.play(3, 4, 6, [1, 2, 3, 4, 6], out={5: "away"})
    memory = desk.keeper.player_tabs
    assert (memory.seated[4], memory.seated[5]) == ("p5", "p4")
    assert [missed_blind.role for missed_blind in memory.find_tab("p4").missed] == ["big"]
    assert memory.find_tab("p4").seat == 5


def test_missing_hands_forget_a_debt_and_keep_where_a_player_came_from() -> None:
    desk = away_for_the_big_blind("rrop4")
    desk.tell(PlayerBack(4), SeatTaken(7, "p7", "broken-game", 1000))
    desk.play(6, 1, 2, range(1, 7), number=30, out={7: "waiting-for-big-blind"})
    tab = desk.keeper.player_tabs.find_tab("p7")
    assert (tab.origin, tab.seat, "are missing" in tab.missing_fact) == ("broken-game", 7, True)
    assert desk.keeper.player_tabs.find_tab("p4").missed == []
    assert "are missing" in lacking(desk.coming(), 5)
    assert "blinds.9.1" not in clauses(desk.coming(), 4)
    assert due_at(desk.coming(), 2).deal == "yes"
