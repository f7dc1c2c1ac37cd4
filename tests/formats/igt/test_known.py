"""Real hands beside the checkout: all are read, and their chips add up but in those that are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.igt import FORMAT
from ledger.hand.ending import CardsShown, HandCompleted, ResultDeclared
from ledger.hand.evaluate import shares
from ledger.hand.fold import apply, begin, fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, encoding_of, folder, of, people, unbalanced, unread

pytestmark = pytest.mark.data

FOLDERS = ("IGT",)
NOTHING = "AllInPreflop.txt"
"""A file with a byte order mark and nothing behind it."""

MADE_ANONYMOUS = {
    # By hand: every player's stack is 0, and cards stand in two places.
    "100": [
        "seat 2 declared end 7067, has 2767",
        "seat 3 declared end 0, has -2102",
        "seat 1 declared end 13115, has -50",
        "seat 5 declared end 1075, has -750",
    ],
    # By hand: stacks are round, the balances behind the acts are the true ones; the turn shows other
    # cards of the flop than the flop does.
    "144": ["seat 1 declared end 527028, has 525500"],
}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 8)


def test_there_is_nothing_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_every_hand_is_over_and_what_was_put_in_came_out_again(files: list[Read]) -> None:
    wrong = {}
    for file in files:
        for account in file.accounts:
            state = fold(account.events)
            assert not state.oddities, account.opened.number
            assert any(isinstance(event, HandCompleted) for event in account.events)
            if unbalanced(account):
                wrong[account.opened.number] = unbalanced(account)
    assert wrong == MADE_ANONYMOUS


def test_balances_behind_every_act_are_what_the_acts_lead_to(files: list[Read]) -> None:
    compared = 0
    for file in files:
        for account in file.accounts:
            if account.opened.number in MADE_ANONYMOUS:
                continue
            state = begin()
            for event in account.events:
                apply(state, event)
                if isinstance(event, ResultDeclared) and event.what == "balance":
                    assert state.stack(event.seat or 0) == event.amount, account.opened.number
                    compared += 1
    assert compared > 50


def test_low_hands_that_the_record_names_are_those_of_the_cards(files: list[Read], who: People) -> None:
    """The ranks of the numbered cards are proven by this and by who won."""
    lows, won = [], 0
    for file in files:
        for account in file.accounts:
            if account.opened.number in MADE_ANONYMOUS:
                continue
            state = fold(account.events)
            board = "".join(state.boards[0])
            for event in of(account, CardsShown):
                words = who.texts[event.claim].split(")")[-1].split() if event.claim else []
                if len(words) == 5:
                    held = {event.cards[at] for at in range(0, 8, 2)}
                    lows.append(set(words) <= held | {board[at] for at in range(0, 10, 2)})
            found = shares(state)
            if not found.reason:
                won += 1
                due = {seat for part in found.parts for seat in part.winners}
                assert due == set(state.awarded), account.opened.number
    assert lows == [True, True, True]
    assert won > 2


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.suffix in (".txt", ".xml", ".json") and path.is_file():
            data = path.read_bytes()
            head = as_utf8(data[: 64 * 1024], encoding_of(data))
            mine = any(part in FOLDERS for part in path.relative_to(data_dir).parts)
            mine = mine and path.name != NOTHING
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT
