"""The methods asked directly: what no table leads to easily."""

from __future__ import annotations

import pytest

from projections.obligations.button_round import HandPositions
from projections.obligations.dues import Ground
from projections.obligations.game import read_methods
from projections.obligations.policy import Policy, Ruling
from projections.obligations.position_inputs import Citations, PositionInputs
from projections.obligations.positions import draft_positions
from projections.obligations.ring import find_seat_after, find_seat_before, is_between

FOUR = (1, 2, 3, 4)
WAS = HandPositions("7", 1, 2, 3, None, FOUR, tuple("abcd"), ("small", "big"))
NO = Ground("seat is passed over")


def ask(**other: object) -> PositionInputs:
    hand_fields = {
        "last_positions": WAS,
        "roles": ("small", "big"),
        "settled_seats": FOUR,
        "entrants": (),
        "is_recorded": False,
        "posters": frozenset(),
        "judge_button_right": lambda _: ("yes", None),
        "players": dict(zip(FOUR, "abcd", strict=True)),
        "debts": {"c": ("small",)},
        "late_debts": {},
    }
    return PositionInputs(**(hand_fields | other))  # type: ignore[arg-type]  # fields by name


def test_where_nobody_may_have_the_button_it_goes_to_the_next() -> None:
    (draft,) = draft_positions(ask(judge_button_right=lambda _: ("no", NO)), "positional", Citations())
    assert (draft.button, draft.blinds) == (2, (3, 4))
    assert [ground.basis for ground in draft.button_grounds] == ["fallback", *["book"] * 4]


def test_the_one_who_may_rather_not_have_it_has_it_if_nobody_else_may() -> None:
    only = {2: ("no", NO), 3: ("rather-no", None), 4: ("no", NO), 1: ("no", NO)}
    (draft,) = draft_positions(ask(judge_button_right=only.get), "positional", Citations())
    assert (draft.button, draft.reading) == (3, "")


@pytest.mark.parametrize(("may", "buttons"), [("yes", [2]), ("no", [3]), ("rather-yes", [2, 3]), ("rather-no", [3, 2])])
def test_an_open_case_has_both_readings_the_likelier_first(may: str, buttons: list[int]) -> None:
    drafts = draft_positions(
        ask(judge_button_right=lambda seat: (may, NO) if seat == 2 else ("yes", None)), "positional", Citations()
    )
    assert [draft.button for draft in drafts] == buttons
    assert all((str(draft.button) in draft.reading) == (len(drafts) > 1) for draft in drafts)


def test_a_ring_has_neither_beginning_nor_end() -> None:
    assert [find_seat_after(seat, FOUR) for seat in (1, 4, 9)] == [2, 1, 1]
    assert [find_seat_before(seat, (2, 5)) for seat in (1, 2, 4, 5, 9)] == [5, 2, 2, 5, 5]
    assert (find_seat_after(1, ()), find_seat_before(1, ())) == (None, None)
    assert [is_between(3, seat, 1) for seat in (1, 2, 3, 4)] == [True, False, False, True]
    assert [is_between(1, seat, 3) for seat in (1, 2, 3, 4)] == [False, True, True, False]


def rules(**methods: str) -> Policy:
    return Policy({f"button.method.{key}": Ruling(value, (key,)) for key, value in methods.items()})


@pytest.mark.parametrize(
    ("form", "betting", "house", "methods", "clauses"),
    [
        ("tournament", "no-limit", None, ("dead",), ("tournament",)),
        ("cash", "limit", None, ("positional", "owed"), ("cash_limit",)),
        ("cash", "spread", None, ("positional", "owed"), ("cash_limit",)),
        ("cash", "pot-limit", None, ("dead", "positional", "owed"), ("cash_big_bet",)),
        ("cash", "no-limit", "dead", ("dead",), ("cash_big_bet",)),
        ("cash", "no-limit", "moving", ("positional", "owed"), ("cash_big_bet",)),
        ("cash", None, "dead", ("positional", "owed", "dead"), ("cash_limit", "cash_big_bet")),
        ("unknown", "limit", None, ("dead", "positional", "owed"), ("tournament", "cash_limit")),
    ],
)
def test_the_method_follows_from_the_kind_of_game(
    form: str, betting: str, house: str | None, methods: tuple, clauses: tuple
) -> None:
    policy = rules(tournament="dead", cash_limit="moving", cash_big_bet="house")
    method_readings = read_methods(policy, form, betting, house)
    assert (method_readings.methods, method_readings.clauses) == (methods, clauses)
    assert method_readings.is_house_choice == ("cash_big_bet" in clauses)


def test_a_clause_that_speaks_of_two_kinds_of_game_is_named_once() -> None:
    ruling = Ruling("dead", ("one", "both"))
    other_ruling = Ruling("dead", ("both", "two"))
    policy = Policy({"button.method.cash_limit": ruling, "button.method.cash_big_bet": other_ruling})
    method_readings = read_methods(policy, "cash", None, None)
    assert (method_readings.methods, method_readings.clauses) == (("dead",), ("one", "both", "two"))


def test_a_book_that_is_silent_on_the_kind_of_game_takes_the_record() -> None:
    policy = rules(tournament="dead")
    assert read_methods(policy, "cash", "limit", None).methods == ("record",)
    assert read_methods(policy, "unknown", "limit", None).methods == ("record",)
    assert read_methods(policy, "tournament", "limit", None).methods == ("dead",)


@pytest.mark.parametrize(
    ("moved", "methods"), [("positional", ("positional",)), ("owed", ("owed",)), ("adjusted", ("positional", "owed"))]
)
def test_how_the_blinds_follow_the_moving_button_is_the_books(moved: str, methods: tuple) -> None:
    policy = Policy({"button.method.tournament": Ruling("moving"), "blinds.when_button_moves": Ruling(moved)})
    assert read_methods(policy, "tournament", "limit", None).methods == methods
