"""Which hands could hold a box's difference: the likeliest first, and why."""

from __future__ import annotations

from random import Random

import pytest

from ledger.hand.ending import CorrectionMade
from ledger.table.events import HandPlayed
from projections.money.drop_explanations import explain_difference
from projections.money.hand_drops import HandDrop

MAX_DROP = 500


def money(chips: int) -> str:
    return f"${chips / 100:g}"


def make_drop(number: int, pot: int, amount: int | None, **changes: object) -> HandDrop:
    hand = HandPlayed(
        str(number), f"{number:032x}", None, "no-limit", "cash", (100, 200), 1, 2, 3, (), (), (), (), True, 0
    )
    drop = HandDrop(
        hand, number, "", {"drop": amount, "jackpot": 0, "promotion": 0}, pot, True, 0, False, True, False, None
    )
    return drop._replace(**changes)  # type: ignore[arg-type]  # the fields have several types


def draw_hands(seed: int, count: int = 200) -> list[HandDrop]:
    """Return hands that drop 5 % in whole dollars up to $5, with a flop or without."""
    rng = Random(seed)
    drops = []
    for number in range(1, count + 1):
        has_flop = rng.random() < 0.7
        pot = rng.randrange(1_000, 40_000, 100) if has_flop else 300
        amount = min(MAX_DROP, pot * 5 // 100 // 100 * 100) if has_flop else 0
        drops.append(make_drop(number, pot, amount, has_flop=has_flop))
    return drops


def list_numbers(drops: list[HandDrop], difference: int) -> list[str]:
    return [explanation.drop.hand.number for explanation in explain_difference(drops, "drop", difference, money)]


@pytest.mark.parametrize("seed", range(20))
def test_a_drop_that_nobody_wrote_down_is_the_first_explanation(seed: int) -> None:
    drops = draw_hands(seed)
    silent_index = next(index for index, drop in enumerate(drops) if drop.pot > 11_000)
    drops[silent_index] = drops[silent_index]._replace(amounts={"drop": 0, "jackpot": 0, "promotion": 0})
    assert list_numbers(drops, MAX_DROP)[0] == str(silent_index + 1)


@pytest.mark.parametrize("seed", range(20))
def test_a_drop_of_twice_the_cap_is_the_first_explanation_of_a_short_box(seed: int) -> None:
    drops = draw_hands(seed)
    wrong_index = next(index for index, drop in enumerate(drops) if drop.pot > 11_000)
    drops[wrong_index] = drops[wrong_index]._replace(amounts={"drop": 2 * MAX_DROP, "jackpot": 0, "promotion": 0})
    assert list_numbers(drops, -MAX_DROP)[0] == str(wrong_index + 1)


def test_chips_of_a_pot_that_nobody_got_come_before_all_else() -> None:
    drops = [make_drop(number, 2_000, 100) for number in range(1, 6)]
    drops[3] = drops[3]._replace(unaccounted=400)
    drops[1] = make_drop(2, 2_000, 0)
    explanations = explain_difference(drops, "drop", 400, money)
    assert [explanation.drop.hand.number for explanation in explanations] == ["4", "2"]
    assert explanations[0].note == "$4 of its pot of $20 went to nobody on record"
    drops[3] = drops[3]._replace(unaccounted=-300)
    assert explain_difference(drops, "drop", 400, money)[0].note == "$3 more came out of its pot of $20 than went in"


def test_broken_records_and_corrections_are_named() -> None:
    drops = [make_drop(number, 2_000, 100) for number in range(1, 7)]
    drops[1] = drops[1]._replace(is_finished=False)
    drops[2] = drops[2]._replace(has_unread_lines=True)
    drops[4] = drops[4]._replace(correction=CorrectionMade((9,), 9, 1, "floor", "", ""))
    notes = {
        explanation.drop.hand.number: explanation.note for explanation in explain_difference(drops, "drop", 700, money)
    }
    assert notes == {
        "2": "its record stops before the end",
        "3": "its record has lines that nobody could read",
        "5": "it was corrected later",
    }


def test_hands_that_dropped_the_difference_are_named_only_if_they_are_few() -> None:
    drops = [make_drop(number, 2_000, 100) for number in range(1, 9)]
    assert list_numbers(drops, -100) == []
    drops = [make_drop(number, 2_000 * number, 100 * number) for number in range(1, 9)]
    assert "4" in list_numbers(drops, -400)


def test_a_hand_that_is_void_and_a_box_of_one_hand_explain_nothing() -> None:
    drops = [make_drop(1, 2_000, 100), make_drop(2, 2_000, 0, is_void=True)]
    assert list_numbers(drops, 100) == []
    assert list_numbers([], 100) == []


def test_a_pot_is_like_another_if_it_is_at_most_twice_as_large() -> None:
    assert list_numbers([make_drop(1, 13_700, 500), make_drop(2, 2_100, 200)], -300) == []
    assert list_numbers([make_drop(1, 4_000, 500), make_drop(2, 2_100, 200)], -300) == ["1"]


def test_at_most_ten_hands_are_named() -> None:
    drops = [make_drop(number, 2_000, 0 if number % 3 else 300) for number in range(1, 60)]
    assert 0 < len(list_numbers(drops, -900)) <= 10
