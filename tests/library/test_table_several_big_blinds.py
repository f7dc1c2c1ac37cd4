"""Where skipped players pay, several post the same blind: what is due next doesn't depend on their order."""

from __future__ import annotations

import itertools

import handledger


def test_the_order_of_posts_of_one_kind_changes_nothing() -> None:
    posts = {9: {"big blind": 10}, 1: {"big blind": 10}}
    answers = set()
    for order in itertools.permutations(posts.items()):
        table = handledger.Table("no-limit 5/10", seats=9, rulebook="rrop4", options={"button-method": "moving"})
        for seat, name in zip((1, 2, 3, 4, 6, 9), "ABCDEF", strict=True):
            table.sit(seat, name, 1000)
        table.deal(3, {4: {"small blind": 5}, 6: {"big blind": 10}})
        table.leave(6)
        table.deal(4, dict(order), dealt=[1, 2, 3, 4, 9])
        answers.add(tuple(sorted((post.seat, post.kind, post.chips) for post in table.due().posts)))
    # Seats 9 and 1 have paid the big blind, so both have the small one. Seat 2 is due the big one.
    assert answers == {((1, "small blind", 5), (2, "big blind", 10), (9, "small blind", 5))}
