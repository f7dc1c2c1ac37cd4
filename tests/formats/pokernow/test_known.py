"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: every row is known, every act is counted by other code, stacks carry over."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from ledger.account import Account, TableAccount
from ledger.hand import betting as b
from ledger.hand.ending import CardsShown, LineUnread, PotAwarded
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsRemoved, SeatTaken, StackCounted
from tests.formats.support import Read, unread

pytestmark = pytest.mark.data


def hands(files: list[Read]) -> list[Account]:
    return [account for file in files for account in file.accounts]


def test_no_row_is_unknown_in_a_hand_or_between_hands(files: list[Read], people: People) -> None:
    assert not [words for account in hands(files) for words in unread(account, people)]
    items = [item for file in files for item in file.items if isinstance(item, TableAccount)]
    assert len(items) == 875
    assert not [event for item in items for event in item.events if isinstance(event, LineUnread)]


ACTS = {
    b.Folded: "folds",
    b.Checked: "checks",
    b.Called: "calls",
    b.Bet: "bets",
    b.Raised: "raises",
    b.BetReturned: "Uncalled",
    PotAwarded: "collected",
    CardsShown: "shows",
    SeatDealtIn: "seats",
}


def test_every_act_is_that_of_a_counter_that_shares_no_code(files: list[Read]) -> None:
    """One `raises to 98.00` is as high as the bet before it: what it did is a call."""
    counter = Counter(ACTS[type(event)] for account in hands(files) for event in account.events if type(event) in ACTS)
    counted_acts: Counter[str] = Counter()
    for file in files:
        with file.path.open(newline="", encoding="utf-8") as rows:
            for entry, *_ in csv.reader(rows):
                if entry.startswith("Player stacks"):
                    counted_acts["seats"] += len(entry.split(" | #"))
                elif entry.startswith("Uncalled"):
                    counted_acts["Uncalled"] += 1
                elif entry.startswith('"'):
                    counted_acts[entry.rpartition('" ')[2].split(" ")[0]] += 1
    counted_acts.subtract(raises=1, calls=-1)
    assert counter == {word: counted_acts[word] for word in ACTS.values()}


def test_what_one_hand_ends_with_the_next_begins_with_but_for_chips_that_are_told(files: list[Read]) -> None:
    """Stacks carry over from hand to hand; where they do not, a row between them says why."""
    moves = (ChipsAdded, ChipsRemoved, SeatTaken, StackCounted)
    unexplained, carried = 0, 0
    for file in files:
        end_stacks: dict[str, int | None] = {}
        number = -2
        is_explained = False
        for item in file.items:
            if isinstance(item, TableAccount):
                is_explained = is_explained or any(isinstance(event, moves) for event in item.events)
                continue
            if not isinstance(item, Account):
                continue
            is_explained = is_explained or any(isinstance(event, moves) for event in item.events)
            state = fold(item.events)
            if int(item.opened.number) == number + 1 and not is_explained:
                for event in item.events:
                    if isinstance(event, SeatDealtIn) and event.player in end_stacks:
                        carried += 1
                        unexplained += end_stacks[event.player] != event.stack
            number = int(item.opened.number)
            end_stacks = {dealt_seat.player: state.stack(seat) for seat, dealt_seat in state.dealt.items()}
            is_explained = False
    assert carried > 9_000
    assert unexplained == 0
