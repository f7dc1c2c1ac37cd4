"""Seat changes over the hands of a table: when a post is another amount, too early, or charged."""

from __future__ import annotations

import pytest

from projections.findings.finding import Finding
from tests.projections.running import Ran
from tests.projections.test_positions import clauses, hand, judged, missing, of_hand

LIMIT = "game holdem limit cash blinds 5/10 bets 10/20\n"
LOWBALL = "game triple-27 limit cash blinds 5/10 bets 10/20\n"
SEVEN = (1, 2, 3, 4, 5, 6, 8)


def opening(stack: int = 1000) -> str:
    """W49: seats 1 to 6 and 8, button 1, blinds 2 and 3."""
    hand_text = hand(1, 1, "2 posts small 5", "3 posts big 10", seats=SEVEN, opener=5)
    return hand_text.replace("seat 4 P4 1000", f"seat 4 P4 {stack}")


def moved_hand(*posts: str, new_seat: int = 7, start: int = 4, number: int = 2, stack: int = 1000) -> str:
    """The hand after: the player of seat `start` has cards in seat `to`."""
    seats = tuple(sorted({*SEVEN, new_seat} - {start}))
    hand_text = hand(number, 2, "3 posts small 5", "5 posts big 10", *posts, seats=seats, opener=6)
    return hand_text.replace(f"seat {new_seat} P{new_seat} 1000", f"seat {new_seat} P{start} {stack}")


def moves(new_seat: int = 7, start: int = 4) -> str:
    return f"moved P{start} from {start} to {new_seat}\n"


def mover(*posts: str, game: str = LIMIT, new_seat: int = 7, stack: int = 1000, book: str = "rrop4") -> Ran:
    return judged(book, opening(stack), moves(new_seat), moved_hand(*posts, new_seat=new_seat, stack=stack), game=game)


def mover_clauses(ran: Ran, number: int = 2, book: str = "rrop4") -> set[str]:
    return {clause_id for clause_id in clauses(ran, number, book) if clause_id.startswith(("blinds.13", "blinds.14"))}


def find_clause(ran: Ran, clause: str) -> Finding:
    (finding,) = [finding for finding in of_hand(ran, 2, "rrop4") if clause in (finding.clause, *finding.also)]
    return finding


@pytest.mark.parametrize(
    ("posts", "expected"),
    [
        ([], {"blinds.13.1", "blinds.13.2"}),
        (["7 posts entry 10"], set()),
        (["7 posts entry 9"], {"blinds.13.4"}),
        (["7 posts entry 11"], {"blinds.13.4"}),
        (["7 posts entry 10 dead 5"], {"blinds.13.4"}),
        (["7 posts entry 0 dead 10"], {"blinds.13.4"}),
    ],
)
def test_a_mover_posts_the_big_blind_live_or_waits(posts: list[str], expected: set[str]) -> None:
    assert mover_clauses(mover(*posts)) == expected


@pytest.mark.parametrize(
    ("stack", "post", "expected"),
    [(7, 7, set()), (1000, 7, {"blinds.13.4"}), (12, 12, {"blinds.13.4"}), (10, 10, set())],
)
def test_all_of_a_stack_is_enough_if_it_is_less_than_the_big_blind(stack: int, post: int, expected: set[str]) -> None:
    assert mover_clauses(mover(f"7 posts entry {post}", stack=stack)) == expected


@pytest.mark.parametrize(
    ("posts", "expected"),
    [
        (["7 posts kill 20"], set()),
        (["7 posts entry 10"], {"blinds.13.5"}),
        (["7 posts entry 5"], {"blinds.13.5"}),
        (["7 posts kill 20", "7 posts entry 0 dead 5"], set()),
        ([], {"blinds.13.1", "blinds.13.2"}),
    ],
)
def test_in_lowball_a_mover_kills_the_pot_or_waits(posts: list[str], expected: set[str]) -> None:
    assert mover_clauses(mover(*posts, game=LOWBALL)) == expected


def test_who_moves_closer_posts_nothing_and_is_not_asked_for_a_kill() -> None:
    closer = [opening(), "moved P8 from 8 to 7\n"]
    plain_run = judged("rrop4", *closer, moved_hand(start=8), game=LOWBALL)
    assert not mover_clauses(plain_run)
    charged = judged("rrop4", *closer, moved_hand("7 posts entry 10", start=8), game=LOWBALL)
    assert mover_clauses(charged) == {"blinds.13.3"}
    limit = judged("rrop4", *closer, moved_hand("7 posts entry 5", start=8))
    assert mover_clauses(limit) == {"blinds.13.3"}


def test_a_mover_whose_way_is_unknown_is_not_accused() -> None:
    six = (1, 2, 3, 5, 6, 8)
    waits = ("left-out 7 P4 1000 moved",)
    unseen = hand(1, 1, "2 posts small 5", "3 posts big 10", seats=six, opener=5, extra_lines=waits)
    events_before = [moves(), unseen]
    for game, posts, clause in (
        (LIMIT, [], "blinds.13.1"),
        (LIMIT, ["7 posts entry 5"], "blinds.13.4"),
        (LOWBALL, ["7 posts entry 5"], "blinds.13.5"),
    ):
        ran = judged("rrop4", *events_before, moved_hand(*posts), game=game)
        assert not mover_clauses(ran)
        assert "since when the player has been here" in missing(ran, clause, "rrop4")


def test_what_is_wrong_about_a_seat_change_is_told() -> None:
    finding = find_clause(mover(), "blinds.13.1")
    assert finding.saw == "The player in seat 7 changed seats and was dealt in at once instead of sitting out 2 hands"
    assert finding.seat == 7
    less = find_clause(mover("7 posts entry 5"), "blinds.13.4")
    assert less.saw == "The player in seat 7 changed seats and posted 5, which isn't the big blind"
    kill = find_clause(mover("7 posts entry 10", game=LOWBALL), "blinds.13.5")
    assert kill.saw == "The player in seat 7 changed seats and was dealt in without killing the pot"


def test_far_seat_changes_cost_a_post_under_hilton() -> None:
    def seat_change_clauses(*posts: str, to: int, stack: int = 1000, game: str = LIMIT) -> set[str]:
        ran = mover(*posts, new_seat=to, stack=stack, book="hilton", game=game)
        return {one for one in clauses(ran) if one.startswith(("B20", "B21", "B22"))}

    assert not seat_change_clauses(to=7)
    far = seat_change_clauses(to=9)
    assert far
    assert not seat_change_clauses("9 posts entry 10", to=9)
    assert seat_change_clauses("9 posts entry 9", to=9) == far
    assert not seat_change_clauses("9 posts entry 7", to=9, stack=7)


def verdict(ran: Ran, clause: str) -> tuple[int, int, int]:
    """Clean, found, no occasion."""
    (row,) = (r for r in ran.result.coverage if r.book == "rrop4" and r.clause == clause)
    return row.clean, row.found, row.not_applicable


def test_who_let_the_blinds_pass_and_plays_in_the_zone_gained_nothing() -> None:
    line = (2, 3, 4, 5, 6, 8)
    out = ("left-out 9 P1 1000 moved",)
    hands = [
        hand(
            index + 2,
            line[index],
            f"{line[(index + 1) % 6]} posts small 5",
            f"{line[(index + 2) % 6]} posts big 10",
            seats=line,
            opener=line[(index + 3) % 6],
            extra_lines=out,
        )
        for index in range(5)
    ]
    back = hand(7, 8, "2 posts small 5", "3 posts big 10", seats=(*line, 9), opener=4)
    ran = judged("rrop4", opening(), moves(9, 1), *hands, back.replace("P9", "P1"))
    due = ran.dues[7].seat(9)
    assert due is not None
    assert due.deal == "no"
    assert not mover_clauses(ran, 7)


def test_a_clause_is_asked_where_somebody_moved_in_its_way() -> None:
    closer = judged(
        "rrop4",
        opening(),
        "moved P8 from 8 to 7\n",
        moved_hand(start=8).replace("deal done", "7 straddles 20\ndeal done").replace("to 20", "to 40"),
    )
    assert verdict(closer, "blinds.13.3") == (1, 0, 0)
    assert verdict(mover(), "blinds.13.3") == (0, 0, 1)
    assert verdict(mover(), "blinds.13.4") == (0, 0, 1)
    assert verdict(mover("7 posts entry 10"), "blinds.13.4") == (1, 0, 0)
    assert verdict(mover("7 posts entry 10"), "blinds.13.1") == (1, 0, 0)
    assert verdict(mover("7 posts kill 20", game=LOWBALL), "blinds.13.4") == (0, 0, 1)
    assert verdict(mover("7 posts kill 20", game=LOWBALL), "blinds.13.5") == (1, 0, 0)
    assert verdict(mover(game=LOWBALL), "blinds.13.5") == (0, 0, 1)


def test_a_straddle_from_another_seat_settles_nothing_so_a_make_up_is_no_second_charge() -> None:
    five = (1, 2, 4, 5, 6)
    out = ("left-out 3 P3 1000 away",)
    away = [
        hand(n, b, f"{s} posts small 5", f"{g} posts big 10", seats=five, opener=o, extra_lines=out)
        for n, b, s, g, o in ((2, 1, 2, 4, 5), (3, 2, 4, 5, 6), (4, 4, 5, 6, 1))
    ]
    hand_before = hand(1, 6, "1 posts small 5", "2 posts big 10", seats=(*five, 3), opener=4)

    back = hand(
        5,
        5,
        "6 posts small 5",
        "1 posts big 10",
        "3 posts makeup 10 dead 5",
        "3 straddles 20",
        seats=(1, 2, 3, 4, 5, 6),
        opener=4,
        raised_to=40,
    )
    ran = judged("hilton", hand_before, "3 away\n", *away, "3 back\n", back, game=LIMIT)
    assert "B14.3" not in clauses(ran, 5)  # seat 2 is next to the big blind


def test_a_make_up_that_does_not_name_its_blinds_cannot_be_added_up_without_the_hands_before() -> None:
    def run_told(*posts: str) -> Ran:
        return judged("hilton", hand(1, 6, "1 posts small 5", "2 posts big 10", *posts, opener=3))

    assert "which blinds were missed" in missing(run_told("4 posts makeup 15"), "B15a.1")
    assert not missing(run_told("4 posts makeup-big 10"), "B15a.1") & {"which blinds were missed"}
