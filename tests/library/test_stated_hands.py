"""What a caller states of a hand or of the house: it is taken whole, or refused with what to state."""

from __future__ import annotations

import pytest

from handledger import HandledgerError, Table


def make_table(**options: object) -> Table:
    table = Table("no-limit 1/2", rulebook="rrop4", options=options)
    for seat in (1, 2, 3, 4):
        table.sit(seat, f"P{seat}")
    return table


@pytest.mark.parametrize("dealt", [(1, 2, 3), (1, 2)])
def test_no_blind_is_lost_where_its_seat_gets_no_cards(dealt: tuple[int, ...]) -> None:
    table = make_table()
    table.deal(button=1)
    with pytest.raises(HandledgerError, match="is due to post a blind and would get no cards"):
        table.deal(dealt=dealt)
    assert table.hands == 1
    hand = table.deal(posts={1: 1, 2: 2}, dealt=dealt)
    assert [(post.seat, post.chips) for post in hand.posts] == [(1, 1), (2, 2)]


def test_who_owes_nothing_may_go_without_cards() -> None:
    table = make_table()
    table.deal(button=1)
    hand = table.deal(dealt=(2, 3, 4))
    assert [(post.seat, post.chips) for post in hand.posts] == [(3, 1), (4, 2)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("button-method", "zzz"),
        ("raise-cap", -5),
        ("blind-dead", 7),
        ("straddle-allowed", "maybe"),
        ("smallest-chip", 10**30),
        ("entry-post-required", 2),
        ("other", "two\nlines"),
        ("half-bet-rule", True),
    ],
)
def test_an_option_takes_only_what_handscript_can_hold(name: str, value: object) -> None:
    with pytest.raises(HandledgerError, match=f"The option {name} can't be"):
        make_table(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("button-method", "dead"), ("raise-cap", 4), ("other", "kill game")])
def test_an_option_comes_back_from_handscript(name: str, value: object) -> None:
    table = make_table(**{name: value})
    table.deal(button=1)
    assert Table.from_handscript(table.to_handscript()).to_dict()["options"] == {name: value}


def test_a_clause_is_cited_only_where_it_decides() -> None:
    table = Table("limit 10/20", rulebook="hilton")
    for seat in (1, 3, 4):
        table.sit(seat, f"P{seat}")
    table.deal(button=1)
    table.leave(3)
    due = table.due()
    cited = {post.kind: post.clauses for post in due.posts}
    assert cited == {"small blind": (), "big blind": ("B11b.1",)}  # the book doesn't say who has the button heads-up
    assert not due.is_certain


def test_each_of_several_readings_says_where_the_blinds_are() -> None:
    table = Table("no-limit 1/2", rulebook="rrop4")
    table.sit(1, "Ana")
    table.sit(2, "Bo")
    table.deal(button=1)
    table.sit(3, "Cy")
    texts = [reading.text for reading in table.due().readings]
    assert all(texts)
    assert len(set(texts)) == len(texts)
