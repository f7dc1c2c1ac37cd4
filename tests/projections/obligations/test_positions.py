"""Where button and blinds belong next: the worked examples, in every column, on the coming hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.presence import SeatLeft, SeatTaken, WaitDeclared
from ledger.table.events import HandPlayed, Post, TableEvent
from projections.obligations.dues import Due
from projections.obligations.policy import Policy, Ruling
from tests.ledger.table.tables import hand
from tests.projections.obligations.rooms import DEAD, MOVING, OWED, SIX, coming, dues, evening, posts, seats_placed

LIMIT = {"betting": "limit", "bets": (10, 20)}


def start(dealt: tuple[int, ...] = SIX, **more: object) -> HandPlayed:
    """Hand 1: button and blinds at the first three seats."""
    button, small, big = dealt[:3]
    return hand(1, button, None, None, dealt, posts=(Post(small, "small", 5), Post(big, "big", 10)), **more)


def leave_seats(*seats: int) -> list[TableEvent]:
    return [SeatLeft(seat, f"p{seat}") for seat in seats]


def line(due: Due) -> str:
    """One row of the worked examples: `bt 2x sb 3x bb 4 opener 5 first 4 last 1 posts 4:10`."""
    place = due.place
    assert place is not None, due.unknown
    small = "-" if place.small is None else f"{place.small}{'x' * place.small_empty}"
    return (
        f"bt {place.button}{'x' * place.button_empty} sb {small} bb {place.big} "
        f"opener {place.opener} first {place.first} last {place.last} posts {posts(place)}"
    )


W = {
    "W01 dead": (
        DEAD,
        (2, 3),
        [
            "bt 2x sb 3x bb 4 opener 5 first 4 last 1 posts 4:10",
            "bt 3x sb 4 bb 5 opener 6 first 4 last 1 posts 4:5 5:10",
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 5:5 6:10",
        ],
    ),
    "W01 positional": (
        MOVING,
        (2, 3),
        [
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 5:5 6:10",
            "bt 5 sb 6 bb 1 opener 4 first 6 last 5 posts 1:10 6:5",
            "bt 6 sb 1 bb 4 opener 5 first 1 last 6 posts 1:5 4:10",
        ],
    ),
    "W01 owed": (
        OWED,
        (2, 3),
        [
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 4:10 5:10 6:10",
            "bt 5 sb 6 bb 1 opener 4 first 6 last 5 posts 1:10 4:5 5:5 6:5",
            "bt 6 sb 1 bb 4 opener 5 first 1 last 6 posts 1:5 4:10",
        ],
    ),
    "W02 dead": (
        DEAD,
        (3, 4),
        [
            "bt 2 sb 3x bb 5 opener 6 first 5 last 2 posts 5:10",
            "bt 3x sb 5 bb 6 opener 1 first 5 last 2 posts 5:5 6:10",
            "bt 5 sb 6 bb 1 opener 2 first 6 last 5 posts 1:10 6:5",
        ],
    ),
    "W02 positional": (
        MOVING,
        (3, 4),
        [
            "bt 2 sb 5 bb 6 opener 1 first 5 last 2 posts 5:5 6:10",
            "bt 5 sb 6 bb 1 opener 2 first 6 last 5 posts 1:10 6:5",
            "bt 6 sb 1 bb 2 opener 5 first 1 last 6 posts 1:5 2:10",
        ],
    ),
    "W02 owed": (
        OWED,
        (3, 4),
        [
            "bt 2 sb 5 bb 6 opener 1 first 5 last 2 posts 5:10 6:10",
            "bt 5 sb 6 bb 1 opener 2 first 6 last 5 posts 1:10 5:5 6:5",
            "bt 6 sb 1 bb 2 opener 5 first 1 last 6 posts 1:5 2:10",
        ],
    ),
    "W03 dead": (
        DEAD,
        (2,),
        [
            "bt 2x sb 3 bb 4 opener 5 first 3 last 1 posts 3:5 4:10",
            "bt 3 sb 4 bb 5 opener 6 first 4 last 3 posts 4:5 5:10",
        ],
    ),
    "W03 positional": (
        MOVING,
        (2,),
        [
            "bt 3 sb 4 bb 5 opener 6 first 4 last 3 posts 4:5 5:10",
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 5:5 6:10",
        ],
    ),
    "W03 owed": (
        OWED,
        (2,),
        [
            "bt 3 sb 4 bb 5 opener 6 first 4 last 3 posts 3:5 4:10 5:10",
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 4:5 5:5 6:10",
        ],
    ),
    "W04 dead": (
        DEAD,
        (3,),
        [
            "bt 2 sb 3x bb 4 opener 5 first 4 last 2 posts 4:10",
            "bt 3x sb 4 bb 5 opener 6 first 4 last 2 posts 4:5 5:10",
        ],
    ),
    "W04 positional": (
        MOVING,
        (3,),
        [
            "bt 2 sb 4 bb 5 opener 6 first 4 last 2 posts 4:5 5:10",
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 5:5 6:10",
        ],
    ),
    "W04 owed": (
        OWED,
        (3,),
        [
            "bt 2 sb 4 bb 5 opener 6 first 4 last 2 posts 4:10 5:10",
            "bt 4 sb 5 bb 6 opener 1 first 5 last 4 posts 4:5 5:5 6:10",
        ],
    ),
    "W05 dead": (
        DEAD,
        (1,),
        [
            "bt 2 sb 3 bb 4 opener 5 first 3 last 2 posts 3:5 4:10",
            "bt 3 sb 4 bb 5 opener 6 first 4 last 3 posts 4:5 5:10",
        ],
    ),
}
W["W05 positional"] = (MOVING, *W["W05 dead"][1:])
W["W05 owed"] = (OWED, *W["W05 dead"][1:])


@pytest.mark.parametrize("name", W)
def test_who_leaves_changes_positions_as_in_the_worked_examples(name: str) -> None:
    book_policy, seat_events, lines = W[name]
    steps = [leave_seats(*seat_events), *([] for _ in lines[1:])]
    assert [line(due) for due in evening(book_policy, start(), *steps)] == lines


@pytest.mark.parametrize("name", W)
def test_what_was_due_on_a_recorded_hand_is_what_was_due_before_it(name: str) -> None:
    book_policy, seat_events, lines = W[name]
    first, events = start(), []
    coming_dues = evening(book_policy, first, leave_seats(*seat_events), *([] for _ in lines[1:]))
    events = [first, *leave_seats(*seat_events)]
    for number, due in enumerate(coming_dues, 2):
        place = due.place
        assert place is not None
        events.append(
            hand(
                number,
                place.button,
                None,
                None,
                due.dealt,
                posts=tuple(Post(p.seat, p.role, p.live or 0) for p in place.posts),
            )
        )
    assert [line(due) for due in dues(book_policy, *events)[1:-1]] == lines


FIVE = (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("book_name", "betting", "lines"),
    [
        (
            "hilton",
            LIMIT,
            [
                "bt 2 sb 3x bb 4 opener 5 first 4 last 2 posts 4:10",
                "bt 3x sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
            ],
        ),
        (
            "hilton",
            {"format": "tournament"},
            [
                "bt 2 sb 3x bb 4 opener 5 first 4 last 2 posts 4:10",
                "bt 3x sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
            ],
        ),
        (
            "hilton",
            {},
            [
                "bt 2 sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
                "bt 4 sb 5 bb 1 opener 2 first 5 last 4 posts 1:10 5:5",
            ],
        ),
        (
            "hilton",
            {"betting": "pot-limit"},
            [
                "bt 2 sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
                "bt 4 sb 5 bb 1 opener 2 first 5 last 4 posts 1:10 5:5",
            ],
        ),
        (
            "bicycle",
            LIMIT,
            [
                "bt 2 sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
                "bt 4 sb 5 bb 1 opener 2 first 5 last 4 posts 1:10 5:5",
            ],
        ),
        (
            "rrop4",
            {**LIMIT, "options": (("button-method", "moving"),)},
            [
                "bt 2 sb 4 bb 5 opener 1 first 4 last 2 posts 4:10 5:10",
                "bt 4 sb 5 bb 1 opener 2 first 5 last 4 posts 1:10 4:5 5:5",
            ],
        ),
        (
            "rrop4",
            {**LIMIT, "options": (("button-method", "dead"),)},
            [
                "bt 2 sb 3x bb 4 opener 5 first 4 last 2 posts 4:10",
                "bt 3x sb 4 bb 5 opener 1 first 4 last 2 posts 4:5 5:10",
            ],
        ),
    ],
)
def test_the_hiltons_own_example_under_every_book(book_name: str, betting: dict, lines: list[str]) -> None:
    dues_found = evening(book_name, start(FIVE, **betting), leave_seats(3), [], **betting)
    assert [line(due) for due in dues_found] == lines


def test_a_book_that_leaves_the_method_open_has_both_as_readings() -> None:
    due = coming("rrop4", start(FIVE, **LIMIT), *leave_seats(3))
    assert [(placement.method, seats_placed(placement), placement.doubtful) for placement in due.placements] == [
        ("dead", (2, 3, 4), False),
        ("owed", (2, 4, 5), False),
        ("positional", (2, 4, 5), True),
    ]
    readings = coming("rrop4", start(FIVE, **LIMIT))
    assert [
        (placement.method, placement.equal_methods, seats_placed(placement)) for placement in readings.placements
    ] == [("dead", ("owed",), (2, 3, 4))]


def test_blinds_that_are_adjusted_may_be_by_position_or_owed() -> None:
    due = coming("bicycle", start(FIVE), *leave_seats(3))
    assert [posts(placement) for placement in due.placements] == ["4:5 5:10", "4:10 5:10"]
    assert due.place is not None
    assert due.place.method == "positional"


def test_a_book_without_a_rule_shows_the_record_and_judges_nothing() -> None:
    first, second = dues("house-burn", start(), hand(2, 5, 6, 1, SIX))[:2]
    for due, seats in ((first, (1, 2, 3)), (second, (5, 6, 1))):
        assert seats_placed(due.place) == seats
        assert due.place is not None
        assert (due.place.method, due.place.judged) == ("record", False)
    assert "no rule" in coming("house-burn", start()).unknown


# W07: three become two

THREE = (1, 2, 3)


@pytest.mark.parametrize(
    ("gone_seat", "book_policy", "seats"),
    [
        (1, DEAD, [(3, 3, 2)]),
        (1, MOVING, [(2, 2, 3), (3, 3, 2)]),
        (1, OWED, [(2, 2, 3), (3, 3, 2)]),
        (2, DEAD, [(3, 3, 1)]),
        (2, MOVING, [(3, 3, 1)]),
        (2, OWED, [(3, 3, 1)]),
        (3, DEAD, [(2, 2, 1)]),
        (3, MOVING, [(2, 2, 1)]),
        (3, OWED, [(2, 2, 1)]),
    ],
)
def test_three_become_two(gone_seat: int, book_policy: Policy, seats: list[tuple]) -> None:
    due = coming(book_policy, start(THREE), *leave_seats(gone_seat))
    assert [seats_placed(placement) for placement in due.placements] == seats
    assert [placement.doubtful for placement in due.placements] == [False, True][: len(seats)]
    for place in due.placements:
        assert place.heads_up
        assert place.judged
        assert (place.opener, place.first, place.last) == (place.button, place.big, place.button)
        assert sorted(p.role for p in place.posts) == ["big", "small"]


def test_a_book_may_say_who_has_the_button_when_three_become_two() -> None:
    rule = replace(MOVING, rulings={**MOVING.rulings, "blinds.heads_up_transition": Ruling("no-big-blind-twice")})
    due = coming(rule, start(THREE), *leave_seats(1))
    assert [seats_placed(placement) for placement in due.placements] == [(3, 3, 2)]


@pytest.mark.parametrize("book_name", ["hilton", "bicycle"])
@pytest.mark.parametrize("gone_seat", THREE)
def test_books_without_an_order_for_two_players_judge_none(book_name: str, gone_seat: int) -> None:
    due = coming(book_name, start(THREE), *leave_seats(gone_seat))
    assert due.placements
    assert not any(place.judged for place in due.placements)


# W08: two become three


def two(small: int, big: int) -> HandPlayed:
    return hand(1, small, None, None, sorted((small, big)), posts=(Post(small, "small", 5), Post(big, "big", 10)))


def sits(seat: int) -> list[TableEvent]:
    return [SeatTaken(seat, f"p{seat}", "walk-in", 200), WaitDeclared(seat)]


def test_two_become_three_left_of_the_big_blind_under_the_dead_button() -> None:
    (due,) = evening(DEAD, two(1, 2), sits(3))
    assert line(due) == "bt 1 sb 2 bb 3 opener 1 first 2 last 1 posts 2:5 3:10"


def test_two_become_three_left_of_the_big_blind_under_the_moving_button() -> None:
    still, three = evening(OWED, two(1, 2), sits(3), [])
    assert line(still) == "bt 2 sb 2 bb 1 opener 2 first 1 last 2 posts 1:10 2:5"
    assert still.dealt == (1, 2)
    assert line(three) == "bt 1 sb 2 bb 3 opener 1 first 2 last 1 posts 2:10 3:10"
    assert [posts(placement) for placement in three.placements] == ["2:10 3:10", "1:5 2:10 3:10", "2:5 3:10"]


def test_two_become_three_between_them_under_the_dead_button() -> None:
    still, three = evening(DEAD, two(1, 3), sits(2), [])
    assert line(still) == "bt 3 sb 3 bb 1 opener 3 first 1 last 3 posts 1:10 3:5"
    assert line(three) == "bt 3 sb 1 bb 2 opener 3 first 1 last 3 posts 1:5 2:10"


def test_two_become_three_between_them_under_the_moving_button() -> None:
    (due,) = evening(OWED, two(1, 3), sits(2))
    assert line(due) == "bt 3 sb 1 bb 2 opener 3 first 1 last 3 posts 1:10 2:10"


def test_who_posts_between_two_under_the_dead_button_leaves_the_button_open() -> None:
    posted = hand(2, 3, None, None, (1, 2, 3), posts=(Post(1, "big", 10), Post(2, "entry", 10)))
    due = dues(DEAD, two(1, 3), SeatTaken(2, "p2"), posted)[1]
    assert due.place is not None
    assert (due.place.button, due.place.small, due.place.big) == (None, None, 1)
    assert not due.place.judged


@pytest.mark.parametrize("book_policy", [DEAD, MOVING, OWED])
def test_heads_up_goes_on(book_policy: Policy) -> None:
    dues_found = [seats_placed(due.place) for due in evening(book_policy, two(1, 2), [], [], [])]
    assert dues_found == [(2, 2, 1), (1, 1, 2), (2, 2, 1)]
