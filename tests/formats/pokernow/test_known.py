"""Real logs of private games beside the checkout: all rows are known, and all chips add up."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account, TableAccount
from ledger.formats.pokernow import FORMAT
from ledger.hand import betting as b
from ledger.hand.ending import CardsShown, HandCompleted, LineUnread, PotAwarded
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn
from ledger.people import People
from ledger.presence import ChipsAdded, ChipsRemoved, SeatTaken, StackCounted
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

CUT_OFF = {("log4", "73"), ("log5", "4")}  # the log was fetched while this hand was played


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "pokernow", who=who))


def hands(files: list[Read]) -> list[Account]:
    return [one for file in files for one in file.accounts]


def name_of(one: Account) -> tuple[str, str]:
    return one.opened.table, one.opened.number


def test_every_file_is_claimed_by_its_reader_and_no_other_rooms_file_is(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.is_file() and path.suffix in (".txt", ".json", ".csv", ".ohh", ".xml", ".log"):
            head = path.read_bytes()[: 64 * 1024]
            mine = path.is_relative_to(data_dir / "pokernow")
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT, path


def test_every_hand_is_read(files: list[Read]) -> None:
    assert len(hands(files)) == 2271
    assert not [reject for file in files for reject in file.rejects]
    assert all(file.bytes.not_read == 0 for file in files)


def test_no_row_is_unknown_in_a_hand_or_between_hands(files: list[Read], who: People) -> None:
    assert not [words for one in hands(files) for words in unread(one, who)]
    between = [item for file in files for item in file.items if isinstance(item, TableAccount)]
    assert len(between) == 875
    assert not [event for item in between for event in item.events if isinstance(event, LineUnread)]


def test_all_chips_come_out_of_every_hand_that_ended(files: list[Read]) -> None:
    wrong = {name_of(one) for one in hands(files) if unbalanced(one)}
    open_ = {name_of(one) for one in hands(files) if not any(isinstance(event, HandCompleted) for event in one.events)}
    assert wrong == open_ == CUT_OFF


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
    ours = Counter(ACTS[type(event)] for one in hands(files) for event in one.events if type(event) in ACTS)
    theirs: Counter[str] = Counter()
    for file in files:
        with file.path.open(newline="", encoding="utf-8") as rows:
            for entry, *_ in csv.reader(rows):
                if entry.startswith("Player stacks"):
                    theirs["seats"] += len(entry.split(" | #"))
                elif entry.startswith("Uncalled"):
                    theirs["Uncalled"] += 1
                elif entry.startswith('"'):
                    theirs[entry.rpartition('" ')[2].split(" ")[0]] += 1
    theirs.subtract(raises=1, calls=-1)
    assert ours == {word: theirs[word] for word in ACTS.values()}


def test_what_one_hand_ends_with_the_next_begins_with_but_for_chips_that_are_told(files: list[Read]) -> None:
    """Stacks carry over from hand to hand; where they do not, a row between them says why."""
    moves = (ChipsAdded, ChipsRemoved, SeatTaken, StackCounted)
    untold, carried = 0, 0
    for file in files:
        after: dict[str, int | None] = {}
        number = -2
        told = False
        for item in file.items:
            if isinstance(item, TableAccount):
                told = told or any(isinstance(event, moves) for event in item.events)
                continue
            if not isinstance(item, Account):
                continue
            told = told or any(isinstance(event, moves) for event in item.events)
            state = fold(item.events)
            if int(item.opened.number) == number + 1 and not told:
                for event in item.events:
                    if isinstance(event, SeatDealtIn) and event.player in after:
                        carried += 1
                        untold += after[event.player] != event.stack
            number = int(item.opened.number)
            after = {one.player: state.stack(seat) for seat, one in state.dealt.items()}
            told = False
    assert carried > 9_000
    assert untold == 0
