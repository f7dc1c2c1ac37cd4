"""Seats of a tournament: an honest one shows nothing, each fault exactly itself with the hands it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

import handledger
from projections.books.rulebook import Rulebook, load, read
from projections.money.difference import MoneyDifference
from projections.money.seating import check_seating
from projections.money.seating_notes import SeatingCheck
from tests.projections.money.tournament_script import Faults, play
from tests.projections.money.written_tournament import HOUSE, tournament_of


def check(faults: Faults, tmp_path: Path, book: Rulebook | None = None) -> SeatingCheck:
    texts = {name: text for name, text in play(faults).texts().items() if name != "desk"}
    with tournament_of(texts, tmp_path) as tournament:
        return check_seating(tournament, book or read("house", HOUSE))


def only(result: SeatingCheck) -> MoneyDifference:
    assert not result.gaps
    [difference] = result.differences
    assert difference.kind == "seating"
    assert difference.events
    return difference


def test_an_honest_tournament_shows_nothing(tmp_path: Path) -> None:
    assert check(Faults(), tmp_path) == SeatingCheck([], [])


def names(difference: MoneyDifference) -> list[str]:
    """Return the names of hands, and those of facts without their versions."""
    return [event.name.partition("@")[0] for event in difference.events]


def test_another_player_than_the_next_big_blind_moves(tmp_path: Path) -> None:
    difference = only(check(Faults(mover="Dee"), tmp_path))
    assert (difference.clause, difference.table, difference.player) == ("house.11a.1", "1", "Dee")
    assert difference.says == "Dee moved from table 1 to table 3, but wasn't next for the big blind"
    assert difference.because == "After hand 1-4 of table 1, the next big blind was Ann's."
    assert names(difference) == ["3", "1", "1/1-4", "3/3-5"]


@pytest.mark.parametrize("seat", [8, 9])
def test_a_moved_player_gets_a_better_position_than_the_worst(seat: int, tmp_path: Path) -> None:
    difference = only(check(Faults(moved_to=seat), tmp_path))
    assert (difference.clause, difference.table, difference.seat) == ("house.11a.2", "3", seat)
    assert difference.because == f"Seats 3, 4 and 5 were open and have the big blind sooner than seat {seat}."
    assert names(difference) == ["3", "1", "1/1-4", "3/3-5", "3/3-4"]


@pytest.mark.parametrize("seat", [3, 4, 5])
def test_each_seat_before_the_next_player_is_as_bad(seat: int, tmp_path: Path) -> None:
    assert check(Faults(moved_to=seat), tmp_path) == SeatingCheck([], [])


def test_a_table_plays_on_three_players_short(tmp_path: Path) -> None:
    difference = only(check(Faults(skips_balance=True), tmp_path))
    assert (difference.clause, difference.table) == ("house.11d.1", "3")
    assert (difference.expected, difference.recorded) == (6, 3)
    assert difference.because.startswith("In hand 3-6 the big blind passed an empty seat.")
    assert names(difference) == [*[f"3/3-{number}" for number in range(6, 12)], "1/1-6"]


def test_the_floor_may_let_a_short_table_play_on(tmp_path: Path) -> None:
    assert check(Faults(skips_balance=True, waives=True), tmp_path) == SeatingCheck([], [])


def test_a_small_table_is_at_the_directors_discretion(tmp_path: Path) -> None:
    result = check(Faults(skips_balance=True, chairs=7), tmp_path)
    assert [difference.clause for difference in result.differences if "11d" in difference.clause] == []


def test_the_tables_break_in_their_order(tmp_path: Path) -> None:
    difference = only(check(Faults(breaks=2), tmp_path))
    assert (difference.clause, difference.says) == ("house.T1", "Table 2 broke before table 3")
    assert names(difference) == ["2/2-9", "2", "2", "2", "2"]


def test_the_redraw_for_the_final_table_is_skipped(tmp_path: Path) -> None:
    difference = only(check(Faults(redraws=False), tmp_path))
    assert (difference.clause, difference.table) == ("house.T2", "1")
    assert difference.says == "Table 2 broke and left 1 table, but the players of table 1 kept their seats"
    assert difference.because.startswith("Cy, Eli, Mia and Flo have the same seats in hand 1-15")
    assert names(difference) == ["1/1-15", "1/1-14", "2/2-14"]


def test_the_final_table_begins_with_too_many_players(tmp_path: Path) -> None:
    difference = only(check(Faults(crowds_final_table=True), tmp_path))
    assert (difference.clause, difference.expected, difference.recorded) == ("house.rp9", 9, 10)


def test_seats_are_chosen(tmp_path: Path) -> None:
    result = check(Faults(assigned="seats-assigned chosen"), tmp_path)
    assert [(difference.clause, difference.table) for difference in result.differences] == [
        ("house.7", "1"),
        ("house.7", "2"),
        ("house.7", "3"),
    ]


def test_a_player_changes_seats_without_a_ruling(tmp_path: Path) -> None:
    difference = only(check(Faults(changes_seat=True), tmp_path))
    assert (difference.clause, difference.player, difference.seat) == ("house.7", "Gus", 2)
    assert names(difference) == ["2", "2/2-11", "2/2-10"]


def test_the_tda_has_no_breaking_order_and_no_redraw(tmp_path: Path) -> None:
    assert check(Faults(breaks=1, redraws=False), tmp_path, load("tda2024")) == SeatingCheck([], [])


def test_a_book_without_these_points_checks_nothing(tmp_path: Path) -> None:
    assert check(Faults(mover="Dee", redraws=False), tmp_path, load("hilton")) == SeatingCheck([], [])


def test_tables_without_times_cannot_be_compared(tmp_path: Path) -> None:
    result = check(Faults(has_times=False, mover="Dee", redraws=False), tmp_path)
    assert result.differences == []
    [gap] = result.gaps
    assert gap.missing.startswith("Hands of tables 1, 2 and 3 have no time")


def test_open_seats_are_unknown_without_the_number_of_seats(tmp_path: Path) -> None:
    result = check(Faults(chairs=0), tmp_path)
    assert result.differences == []
    assert [gap.missing for gap in result.gaps] == [
        "The record doesn't show how many seats table 3 has, so Ann's seat can't be checked."
    ]


def test_the_tournament_itself_breaks_no_clause(tmp_path: Path) -> None:
    path = tmp_path / "night.hand"
    path.write_text("".join(text for name, text in play(Faults()).texts().items() if name != "desk"), "utf-8")
    with handledger.open("sqlite://") as ledger:
        handledger.import_files(ledger, path)
        assert handledger.audit(ledger, "tda2024").findings == []


@pytest.mark.parametrize("missing", ["1", "2", "3"])
def test_a_table_that_is_not_on_record_makes_nothing_wrong(missing: str, tmp_path: Path) -> None:
    texts = {name: text for name, text in play(Faults()).texts().items() if name not in ("desk", missing)}
    with tournament_of(texts, tmp_path) as tournament:
        assert check_seating(tournament, read("house", HOUSE)).differences == []


def write_stud_table(name: str, seats: dict[int, str], leavers: list[str], mover: str = "") -> str:
    """Write a stud table: after each of its first hands, a player leaves; `mover` is the line of one who comes then."""
    lines = ["handscript 1", f"venue Palms  tournament 7  table {name}  seats 8"]
    lines += ["game stud limit tournament ante 10 bets 100/200 bring-in 30 unit chips 0"]
    for hand in range(4):
        lines += [f"hand {name}-{hand + 1} 2026-11-29T19:0{hand}:00Z"]
        lines += [f"seat {seat} {player} 1000" for seat, player in sorted(seats.items())]
        lines += [f"{seat} posts ante 10" for seat in seats]
        first, *others = sorted(seats)
        lines += [f"{first} brings-in 30", *[f"{seat} folds" for seat in others]]
        lines += [f"{first} uncalled 30", f"{first} wins {10 * len(seats)} from main", "end"]
        if hand < len(leavers):
            seat = int(leavers[hand].split()[0])
            lines.append(leavers[hand].replace("leaves", f"leaves {seats.pop(seat)}"))
        elif mover and hand == len(leavers):
            seats[int(mover.split(maxsplit=1)[0])] = mover.split()[2]
            lines.append(mover)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seat", [2, 4])
def test_in_stud_the_seat_that_opened_last_is_filled(seat: int, tmp_path: Path) -> None:
    texts = {
        "A": write_stud_table(
            "A", dict(enumerate("abcdef", 1)), ["6 leaves busted", "5 leaves busted", "3 leaves moved"]
        ),
        "B": write_stud_table(
            "B",
            dict(enumerate("ghijk", 1)),
            ["2 leaves busted", "4 leaves busted"],
            f"{seat} sits c table-balance stack 1000",
        ),
    }
    with tournament_of(texts, tmp_path) as tournament:
        result = check_seating(tournament, load("tda2024"))
    if seat == 4:
        assert result == SeatingCheck([], [])
        return
    difference = only(result)
    assert (difference.clause, difference.table, difference.seat) == ("tda2024.11a.3", "B", 2)
    assert difference.because == "Seat 4 opened last, after hand B-2."


def test_the_floor_may_move_another_player(tmp_path: Path) -> None:
    texts = {name: text for name, text in play(Faults(mover="Dee")).texts().items() if name != "desk"}
    texts["1"] = texts["1"].replace("6 leaves Dee moved", "ruled floor\n6 leaves Dee moved", 1)
    with tournament_of(texts, tmp_path) as tournament:
        assert check_seating(tournament, read("house", HOUSE)) == SeatingCheck([], [])


def test_a_table_that_opens_late_is_not_short(tmp_path: Path) -> None:
    texts = {name: text for name, text in play(Faults(skips_balance=True)).texts().items() if name != "desk"}
    head, *hands = texts["3"].split("\nhand ")
    texts["3"] = "\nhand ".join(
        [head.split("\n1 sits")[0] + "\n", *hands[5:11]]
    )  # only hands with three or four players
    with tournament_of(texts, tmp_path) as tournament:
        differences = check_seating(tournament, read("house", HOUSE)).differences
    assert [difference.clause for difference in differences if difference.clause == "house.11d.1"] == []


def test_a_new_final_table_needs_no_redraw(tmp_path: Path) -> None:
    assert check(Faults(opens_final_table=True), tmp_path) == SeatingCheck([], [])


def test_a_new_final_table_is_counted_once(tmp_path: Path) -> None:
    difference = only(check(Faults(opens_final_table=True, crowds_final_table=True), tmp_path))
    assert (difference.clause, difference.table, difference.recorded) == ("house.rp9", "4", 10)
