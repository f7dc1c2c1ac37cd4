"""Small tables through `handledger.Table`: two players become three, and a player misses a turn while two play."""

from __future__ import annotations

import pytest

import handledger


def seat_players(game: str, book: str, *seats: int, **options: str) -> handledger.Table:
    table = handledger.Table(
        game, rulebook=book, running=True, options={key.replace("_", "-"): value for key, value in options.items()}
    )
    for seat in seats:
        table.sit(seat, f"Player {seat}")
    return table


def find_seat(table: handledger.Table, seat: int) -> handledger.SeatDue:
    seat_due = table.due().seat(seat)
    assert seat_due is not None
    return seat_due


@pytest.mark.parametrize(("book", "options"), [("rrop4", {"button_method": "moving"}), ("hilton", {})])
def test_a_third_player_waits_one_hand_for_the_big_blind_under_a_moving_button(
    book: str, options: dict[str, str]
) -> None:
    table = seat_players("no-limit 5/10", book, 1, 5, **options)
    table.deal(button=1, posts={1: 5, 5: 10})
    table.sit(7, "New")
    assert (find_seat(table, 7).status, find_seat(table, 7).hands_to_wait) == ("waits", 1)
    table.deal()
    assert table.due().big_blind == 7


@pytest.mark.parametrize("game", ["limit 10/20", "no-limit 5/10"])
def test_a_small_blind_missed_while_two_played_is_a_doubt_under_each_method(game: str) -> None:
    table = seat_players(game, "hilton", 1, 2, 3)
    table.deal(button=1)
    table.away(3)
    table.deal()
    table.back(3)
    seat_due = find_seat(table, 3)
    assert (seat_due.missed, seat_due.may_have_button) == (("small blind",), False)
    doubt = "Seat 3's turn for the small blind passed in hand 2, when only two players had cards."
    assert doubt in table.due().unknowns
    assert not table.due().is_certain


def test_where_a_newcomer_would_make_positions_collide_the_reason_says_so() -> None:
    table = seat_players("no-limit 5/10", "rrop4", 1, 5, button_method="dead")
    table.deal(button=1, posts={1: 5, 5: 10})
    table.sit(3, "New")
    seat_due = find_seat(table, 3)
    assert seat_due.status == "open"
    question = "Can't tell: where the button and blinds go if seat 3 is dealt in: the book doesn't say."
    assert seat_due.reasons[0].sentence == question


@pytest.mark.parametrize("in_room", [None, True])
def test_whether_an_absent_player_is_in_the_room_matters_only_under_a_moving_button(in_room: bool | None) -> None:
    table = seat_players("limit 10/20", "hilton", 1, 2, 3, 4, 5, 6)
    table.deal(button=1)
    table.away(2, in_room=in_room)
    due = table.due()
    assert (due.button, due.button_is_dead, due.is_certain) == (2, True, True)
    assert "B12b.4" not in find_seat(table, 2).clauses  # a rule of pot-limit and no-limit games


def test_errors_name_the_argument_and_the_cause() -> None:
    with pytest.raises(handledger.GameTextError, match="has no blinds"):
        handledger.Table("no-limit 5")
    table = seat_players("limit 10/20", "hilton", 1, 2, 3)
    with pytest.raises(handledger.PostsError, match=r"dealt is 5\."):
        table.deal(button=1, dealt=5)  # type: ignore[arg-type]  # a caller's mistake
