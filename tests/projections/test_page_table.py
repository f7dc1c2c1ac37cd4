"""A fence of a case page says what is otherwise than the table above it; what it leaves unsaid is the table's."""

from __future__ import annotations

import pytest

from tests.projections import page_table

TABLE = page_table.facts("""\
game holdem no-limit cash blinds 1/2
option straddle-amount 4
seat 1 Ann 100; seat 2 Bo 100; seat 3 Cy 100; button 1
2 posts small 1; 3 posts big 2; deal done
""")
FIRST = ["hand 1", "1 folds", "end"]


def table_of_facts(text: str) -> list[str]:
    return page_table.hand(TABLE, page_table.facts(text))


def test_a_hand_begins_as_the_table_does():
    assert table_of_facts("1 2 fold; 3 wins 2") == [*TABLE, "1 2 fold", "3 wins 2"]


def test_what_a_hand_says_anew_stands_where_the_table_says_it():
    for line in ("game holdem limit cash blinds 1/2 bets 2/4", "seat 2 Bo 40", "button 3", "3 posts big 3   # B1"):
        fact_lines = table_of_facts(f"{line}\n1 folds")
        assert len(fact_lines) == len(TABLE) + 1
        assert [new for old, new in zip(TABLE, fact_lines, strict=False) if old != new] == [line]


def test_what_the_table_does_not_say_stands_behind_its_like():
    fact_lines = table_of_facts("seat 4 Dee 100; 4 posts entry 2\n1 folds")
    assert fact_lines[fact_lines.index("seat 3 Cy 100") + 1] == "seat 4 Dee 100"
    assert fact_lines[fact_lines.index("3 posts big 2") + 1] == "4 posts entry 2"


def test_stacks_take_the_place_of_all_seats_and_of_the_button():
    fact_lines = table_of_facts("button 2 stacks 1:100 2:100; 1 folds")
    assert fact_lines == [*TABLE[:2], "button 2 stacks 1:100 2:100", *TABLE[6:], "1 folds"]


def test_what_a_hand_goes_without_is_left_out():
    assert table_of_facts("no seat 3, posts, deal\n1 folds") == [*TABLE[:4], "button 1", "1 folds"]
    assert table_of_facts("no option straddle-amount\n1 folds") == [TABLE[0], *TABLE[2:], "1 folds"]
    assert table_of_facts("no table\nseat 1 Ann 5; 1 folds") == ["seat 1 Ann 5", "1 folds"]
    with pytest.raises(ValueError, match="has no seat 9"):
        table_of_facts("no seat 9")


def test_only_the_beginning_of_a_hand_says_anew():
    assert table_of_facts("1 folds\n3 posts big 2") == [*TABLE, "1 folds", "3 posts big 2"]


def test_the_first_hand_of_an_evening_begins_as_the_table_does():
    own_lines = page_table.facts(
        "option straddle-amount 8\n3 sits Cy\nhand 1\nbutton 2; 1 folds; end\nhand 2\n1 folds; end"
    )
    assert page_table.evening(TABLE, own_lines, []) == [
        TABLE[0],
        "option straddle-amount 8",
        "3 sits Cy",
        "hand 1",
        *TABLE[2:5],
        "button 2",
        *TABLE[6:],
        "1 folds",
        "end",
        "hand 2",
        "1 folds",
        "end",
    ]


def test_an_evening_may_begin_as_the_one_above():
    above = [*FIRST, "1 away", "hand 2", "2 folds", "end"]
    assert page_table.evening(TABLE, ["as above"], above) == above
    assert page_table.evening(TABLE, ["as above until hand 2", "hand 3"], above) == [*FIRST, "1 away", "hand 3"]
    assert page_table.evening(TABLE, ["as above until 1 away", "hand 3"], above) == [*FIRST, "hand 3"]
    with pytest.raises(ValueError, match="no line above is 'hand 7'"):
        page_table.evening(TABLE, ["as above until hand 7"], above)
    with pytest.raises(ValueError, match="written anew where it is marked"):
        page_table.evening(TABLE, ["as above until hand 2"], ["1 folds   # B1", *above])
