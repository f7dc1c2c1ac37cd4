"""What holds of all rooms whose text is told by phrases."""

from __future__ import annotations

import pytest

from ledger import formats
from ledger.account import Account
from ledger.hand.betting import Folded
from ledger.hand.opening import SeatDealtIn
from tests.formats.support import events_of, new_people, read, texts, unread


@pytest.mark.parametrize(
    ("name", "sample", "fold"),
    [
        ("fulltilt", "posts-and-presence", "{} folds"),
        ("winamax", "side-pot-and-late-post", "{} folds"),
        ("enet", "silent-posts-and-raises", "{}: folds"),
        ("unibet", "young-form", "{} folds"),
        ("absolute", "dead-post-and-timeout", "{} - Folds"),
    ],
)
def test_behind_a_summary_nobody_acts_whatever_of_the_next_hand_stands_there(name: str, sample: str, fold: str) -> None:
    people, lines = new_people(), texts(name)(sample).rstrip().splitlines()

    def last(lines: list[str]) -> Account:
        hand = read(formats.get(name), "\n".join(lines), people=people)[-1]
        assert isinstance(hand, Account)
        return hand

    hand = last(lines)
    line = fold.format(people.name(events_of(hand, SeatDealtIn)[0].player))
    hand_with_line = last([*lines, line])
    assert events_of(hand_with_line, Folded) == events_of(hand, Folded)
    assert unread(hand_with_line, people) == [*unread(hand, people), line]
    summary = max(index for index, text_line in enumerate(lines) if text_line.upper().startswith("*** SUMMARY"))
    hand_before_summary = last([*lines[:summary], line, *lines[summary:]])  # among the acts it is one
    assert len(events_of(hand_before_summary, Folded)) == len(events_of(hand, Folded)) + 1
