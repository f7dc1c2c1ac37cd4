"""Players who are absent, broke or called to the button, and what coming back takes."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, DealOutRequested, EntryDeferred, PlayerAway, PlayerBack, SeatMoved
from ledger.table.events import ButtonBought
from tests.projections.obligations.desk import Desk, clauses, due_at, lacking, terms, waits_by_way
from tests.projections.obligations.test_debts_memory import play_quiet_hands


def test_an_absent_player_is_told_what_coming_back_takes() -> None:
    desk = play_quiet_hands()
    desk.tell(PlayerAway(4))
    other_seats = [1, 2, 3, 5, 6]
    due = desk.play(2, 3, 5, other_seats, out={4: "away"})
    assert (terms(due, 4), due_at(due, 4).status, due_at(due, 4).post) == ("no", "away", ())
    desk.play(3, 5, 6, other_seats, out={4: "away"})
    due = desk.play(5, 6, 1, other_seats, out={4: "away"})
    assert (terms(due, 4), due_at(due, 4).status) == ("10+5", "away")


def test_who_asked_out_or_is_kept_out_gets_no_cards() -> None:
    for table_event in (DealOutRequested(4), EntryDeferred(4, "p4"), EntryDeferred(4, "p4", "unknown")):
        desk = play_quiet_hands()
        desk.tell(table_event)
        assert terms(desk.coming(), 4) == "no"
    desk = play_quiet_hands()
    desk.tell(EntryDeferred(4, "p4", "big-blind"))
    assert terms(desk.coming(), 4) == "yes"


@pytest.mark.parametrize("reason", ["sitting-out", "away", "reserved", "asked-to-be-dealt-out"])
def test_reasons_that_keep_a_player_out(reason: str) -> None:
    due = play_quiet_hands().play(2, 3, 4, [1, 2, 3, 4, 6], out={5: reason})
    assert (terms(due, 5), due_at(due, 5).status) == ("no", "away")


@pytest.mark.parametrize("reason", ["waiting-for-big-blind", "between-button-and-blinds", "unknown"])
def test_reasons_of_players_who_are_there(reason: str) -> None:
    due = play_quiet_hands().play(2, 3, 4, [1, 2, 3, 4, 6], out={5: reason})
    assert (terms(due, 5), due_at(due, 5).status) == ("yes", "playing")


def test_chips_decide_whether_a_listed_player_is_broke() -> None:
    due = play_quiet_hands().play(2, 3, 4, [1, 2, 3, 4, 6], out={5: "no-chips"})
    assert (terms(due, 5), due_at(due, 5).status) == ("no", "broke")


def absent_at_the_button(book: str = "hilton", seat: int = 2, **told: object) -> Desk:
    desk = play_quiet_hands(book, "no-limit")  # the last button was at seat 1, seat 2 is next
    desk.tell(PlayerAway(seat, in_room=True, **told))  # type: ignore[arg-type]  # by name
    return desk


def test_an_absent_player_due_the_button_is_called_only_where_the_book_says_so() -> None:
    due = absent_at_the_button().coming()
    assert (terms(due, 2), due_at(due, 2).status) == ("yes", "away")
    assert "B12b.4" in clauses(due, 2)
    assert terms(absent_at_the_button(seat=3).coming(), 3) == "no"  # not due the button
    assert terms(absent_at_the_button(seat=6).coming(), 6) == "no"
    assert terms(absent_at_the_button(seat=1).coming(), 1) == "no"  # has just had it
    due = absent_at_the_button().play(2, 3, 4, [1, 3, 4, 5, 6], out={2: "away"})
    assert terms(due, 2) == "yes"
    due = absent_at_the_button().play(3, 4, 5, [1, 3, 4, 5, 6], out={2: "away"})
    assert terms(due, 2) == "yes"
    assert terms(absent_at_the_button("rrop4").coming(), 2) == "no"
    desk = absent_at_the_button()
    desk.tell(DealOutRequested(2))
    assert terms(desk.coming(), 2) == "no"


def test_an_absent_player_who_owes_is_not_called_to_the_button() -> None:
    desk = play_quiet_hands("hilton", "no-limit")
    desk.tell(PlayerAway(2, in_room=True))
    desk.play(3, 4, 5, [1, 3, 4, 5, 6], out={2: "away"})
    for button, small, big in ((4, 5, 6), (5, 6, 1), (6, 1, 3), (1, 3, 4)):
        desk.play(button, small, big, [1, 3, 4, 5, 6], out={2: "away"})
    assert terms(desk.coming(), 2) != "yes"


def test_a_broke_player_who_was_away_by_the_hands_own_word_was_away() -> None:
    desk = Desk("bicycle")
    desk.play(1, 2, 3, range(1, 7), stacks={4: (100, 0)})
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    desk.play(3, 5, 6, [1, 2, 3, 5, 6], out={4: "no-chips"})
    desk.tell(PlayerBack(4), ChipsAdded(4, 500))
    assert terms(desk.coming(), 4) == "10+5"


def test_a_broke_player_of_whom_nobody_tells_where_he_was_leaves_it_open() -> None:
    desk = Desk("bicycle")
    desk.play(1, 2, 3, range(1, 7), stacks={4: (100, 0)})
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "unknown"})
    desk.tell(ChipsAdded(4, 500))
    assert "was away from the table" in lacking(desk.coming(), 4)


def test_without_stacks_nobody_knows_whether_who_owed_had_acted() -> None:
    for stacks in ((None, None), (1000, None), (None, 900)):
        desk = play_quiet_hands()
        desk.tell(PlayerAway(4))
        desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
        desk.play(3, 5, 6, [1, 2, 3, 5, 6], out={4: "away"})
        desk.play(5, 6, 1, range(1, 7), stacks={4: stacks})
        assert "had acted" in lacking(desk.coming(), 4)


# Free passes, and the button that was bought


def test_who_let_the_blinds_pass_comes_back_behind_the_button() -> None:
    for book, expected in (("rrop4", "no"), ("hilton", "open")):
        desk = Desk(book, method="dead" if book == "rrop4" else "", seats=9)
        desk.play(1, 2, 3, [1, 2, 3, 4, 6, 7, 8, 9])
        desk.who[5] = "p1"
        desk.tell(SeatMoved("p1", 1, 5))
        other_seats = [2, 3, 4, 6, 7, 8, 9]
        desk.play(2, 3, 4, other_seats, out={5: "moved"})
        desk.play(3, 4, 6, other_seats, out={5: "moved"})
        due = desk.play(4, 6, 7, [*other_seats, 5])
        assert terms(due, 5) == expected
        assert waits_by_way(due, 5)["button-passes"] == 1


def test_a_bought_button_settles_what_was_owed_and_a_seat_nobody_holds_buys_nothing() -> None:
    desk = play_quiet_hands("bicycle")
    desk.tell(PlayerAway(4))
    desk.play(2, 3, 5, [1, 2, 3, 5, 6], out={4: "away"})
    desk.tell(PlayerBack(4), ButtonBought(4, 15), ButtonBought(9, 15))
    assert desk.keeper.player_tabs.find_tab("p4").open_purchase_hand == "9"
    desk.play(4, 5, 6, range(1, 7))
    assert (desk.keeper.player_tabs.find_tab("p4").open_purchase_hand, due_at(desk.coming(), 4).missed) == ("", ())
