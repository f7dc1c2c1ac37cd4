"""Seat changes: what a move costs by how far it leads from the blinds, and who may let them pass."""

from __future__ import annotations

import pytest

from ledger.presence import ChipsAdded, PlayerAway, PlayerBack, PlayerBusted, SeatMoved, SeatTaken
from tests.projections.obligations.desk import Desk, clauses, due_at, terms, waits_by_way
from tests.projections.obligations.test_debts_entry import new_game


def moved(book: str, start: int, new_seat: int, bets: tuple[int, int] = (10, 20), **told: object) -> Desk:
    """W49: seats 1 to 6 and 8 are taken; the first hand has button 1 and blinds 2 and 3."""
    desk = Desk(book, method="dead" if book == "rrop4" else "", bets=bets, seats=9, **told)
    desk.play(1, 2, 3, [1, 2, 3, 4, 5, 6, 8])
    desk.who[new_seat] = f"p{start}"
    desk.tell(SeatMoved(f"p{start}", start, new_seat))
    return desk


@pytest.mark.parametrize(
    ("start", "new_seat", "bets", "hilton", "rrop4", "waits"),
    [
        (4, 7, (10, 20), "yes", "10+0", 2),
        (4, 9, (10, 20), "10+0", "10+0", 3),
        (8, 7, (10, 20), "yes", "yes", None),
        (3, 9, (10, 20), "5+0", "10+0", 4),
        (3, 7, (10, 20), "yes", "10+0", 3),
        (3, 9, (3, 6), "yes", "10+0", 4),
        (4, 9, (3, 6), "yes", "10+0", 3),
    ],
)
def test_a_seat_change_costs_by_how_far_it_leads_from_the_big_blind(
    start: int, new_seat: int, bets: tuple[int, int], hilton: str, rrop4: str, waits: int | None
) -> None:
    assert terms(moved("hilton", start, new_seat, bets).coming(), new_seat) == hilton
    due = moved("rrop4", start, new_seat, bets).coming()
    assert terms(due, new_seat) == rrop4
    assert waits_by_way(due, new_seat).get("position") == waits


def test_who_changed_seats_and_passed_nobody_is_passed_like_anybody() -> None:
    desk = Desk("rrop4", method="dead", bets=(10, 20), seats=9)
    desk.play(1, 2, 3, [1, 2, 3, 4, 5, 6, 8], stacks={5: (100, 0)})
    desk.tell(PlayerBusted(5))
    desk.play(2, 3, 4, [1, 2, 3, 4, 6, 8], out={5: "no-chips"})
    desk.tell(ChipsAdded(5, 1000, "rebuy", player="p5"))
    desk.who[7] = "p6"
    desk.tell(SeatMoved("p6", 6, 7))
    nearer = desk.keeper.player_tabs.find_tab("p6").move
    assert nearer is not None
    assert nearer.passed_count == 0
    assert desk.keeper.player_tabs.find_tab("p6").is_active
    desk.who[9] = "p5"
    desk.tell(SeatMoved("p5", 5, 9))
    move = desk.keeper.player_tabs.find_tab("p5").move
    assert move is not None
    assert move.passed_count == 2  # past seat 7, which only changed its place, and past seat 8
    assert not desk.keeper.player_tabs.find_tab("p5").is_active


def test_a_mover_waits_as_many_hands_as_positions_were_gained() -> None:
    desk = moved("rrop4", 4, 7)
    due = desk.play(2, 3, 5, [1, 2, 3, 5, 6, 8], out={7: "moved"})
    assert waits_by_way(due, 7) == {"post": 0, "position": 2, "big-blind": 2}
    assert due_at(due, 7).status == "waiting"
    due = desk.play(3, 5, 6, [1, 2, 3, 5, 6, 8], out={7: "moved"})
    assert waits_by_way(due, 7)["position"] == 1
    due = desk.play(5, 6, 7, [1, 2, 3, 5, 6, 7, 8])
    assert (terms(due, 7), waits_by_way(due, 7)) == ("yes", {"big-blind": 0})
    assert terms(desk.coming(), 7) == "yes"


def test_a_mover_who_waited_long_enough_plays_free() -> None:
    desk = moved("rrop4", 4, 7)
    desk.who[4] = "new"
    other_seats = [1, 2, 3, 5, 6, 8]
    desk.play(2, 3, 5, other_seats, out={7: "moved"})
    desk.play(3, 5, 6, other_seats, out={7: "moved"})
    due = desk.play(5, 6, 8, [*other_seats, 7])  # by the record the big blind went on to seat 8
    assert terms(due, 7) == "yes"


def test_only_the_book_that_counts_hands_lets_them_stand_for_the_post() -> None:
    for book, asks in (("hilton", "10+0"), ("rrop4", "yes")):
        desk = moved(book, 4, 9)
        other_seats = [1, 2, 3, 5, 6, 8]
        desk.play(2, 3, 5, other_seats, out={9: "moved"})
        desk.play(3, 5, 6, other_seats, out={9: "moved"})
        desk.tell(SeatTaken(7, "p7", "walk-in", 1000))  # and takes the next big blind
        desk.play(5, 6, 7, [*other_seats, 7], out={9: "moved"})
        assert terms(desk.play(6, 7, 8, [*other_seats, 7, 9]), 9) == asks


def test_who_is_back_before_a_seat_change_is_passed_by_it() -> None:
    for back, gained in ((True, 1), (False, 0)):
        desk = Desk("rrop4", method="dead", seats=9)
        desk.play(1, 2, 3, [1, 2, 3, 4, 5, 6, 8])
        desk.tell(PlayerAway(6))
        desk.play(2, 3, 4, [1, 2, 3, 4, 5, 8], out={6: "away"})
        desk.tell(*[PlayerBack(6)] if back else [])
        desk.tell(SeatMoved("p5", 5, 7))
        move = desk.keeper.player_tabs.find_tab("p5").move
        assert move is not None
        assert move.gained == gained


def test_in_lowball_a_mover_kills_the_pot_or_waits() -> None:
    due = moved("rrop4", 4, 7, variant="triple-27").coming()
    assert [(post.role, post.live) for post in due_at(due, 7).post] == [("kill", None)]
    assert set(waits_by_way(due, 7)) == {"kill", "position", "big-blind"}
    assert "blinds.13.5" in clauses(due, 7)


def test_a_book_that_does_not_speak_of_seat_changes_leaves_them_open() -> None:
    assert terms(moved("bicycle", 4, 9).coming(), 9) == "open"


def left_the_button(book: str, start: int) -> Desk:
    """W49, the other table: seats 1-4 and 6-9, button 1, blinds 2 and 3; a player moves to seat 5."""
    desk = Desk(book, method="dead" if book == "rrop4" else "", seats=9)
    desk.play(1, 2, 3, [1, 2, 3, 4, 6, 7, 8, 9])
    desk.who[5] = f"p{start}"
    desk.tell(SeatMoved(f"p{start}", start, 5))
    return desk


def test_who_leaves_the_button_may_let_the_blinds_pass_once() -> None:
    for book, start, clause in (("hilton", 1, "B21"), ("hilton", 2, "B21"), ("rrop4", 1, "blinds.14")):
        desk = left_the_button(book, start)
        assert terms(desk.coming(), 5) == "yes"
        assert clause in clauses(desk.coming(), 5)
        seats = [seat for seat in (1, 2, 3, 4, 6, 7, 8, 9) if seat != start]
        desk.play(2, 3, 4, seats, out={5: "moved"})
        desk.play(3, 4, 6, seats, out={5: "moved"})
        desk.play(4, 6, 7, seats, out={5: "moved"})
        due = desk.play(6, 7, 8, [*seats, 5])
        assert (terms(due, 5), due_at(due, 5).missed) == ("yes", ())


def test_the_second_time_the_blinds_pass_is_a_missed_blind() -> None:
    for book in ("hilton", "rrop4"):
        desk = left_the_button(book, 1)
        other_seats = [2, 3, 4, 6, 7, 8, 9]
        line = [2, 3, 4, 6, 7, 8, 9]
        for turn in range(10):
            positions = [line[(turn + step) % 7] for step in range(3)]
            desk.play(*positions, other_seats, out={5: "moved"})
        assert {missed_blind.role for missed_blind in due_at(desk.coming(), 5).missed} == {"small", "big"}


def test_who_leaves_another_position_has_no_free_pass() -> None:
    desk = left_the_button("rrop4", 2)
    assert "blinds.14" not in clauses(desk.coming(), 5)
    assert "blinds.13.3" in clauses(desk.coming(), 5)


def test_in_a_new_game_seats_are_free_while_no_blind_passed_the_new_one() -> None:
    desk = new_game("rrop4")
    desk.play(2, 4, 5, [1, 2, 4, 5, 6, 8], out={3: "unknown"})
    desk.who[9] = "p6"
    desk.tell(SeatMoved("p6", 6, 9))
    due = desk.coming()
    assert terms(due, 9) == "yes"
    assert "blinds.12.3" in clauses(due, 9)


def test_two_seat_changes_between_the_same_hands_are_one() -> None:
    desk = moved("rrop4", 4, 9)
    desk.tell(SeatMoved("p4", 9, 4))
    assert terms(desk.coming(), 4) == "yes"
    desk.tell(SeatMoved("p4", 4, 7))
    assert waits_by_way(desk.coming(), 7)["position"] == 2


def test_ways_after_a_move_say_which_are_open_now() -> None:
    mover = due_at(moved("rrop4", 4, 7).coming(), 7)
    assert [(way_in.kind, way_in.is_on_this_hand) for way_in in mover.ways_in] == [
        ("post", True),
        ("position", False),
        ("big-blind", False),
    ]
    assert [post.role for post in mover.post] == ["entry"]
    seat_due = due_at(moved("hilton", 3, 9).coming(), 9)
    assert [(post.role, post.live) for post in seat_due.post] == [("makeup", 5)]
