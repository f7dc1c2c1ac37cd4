"""Real hands beside the checkout: all are read, and their chips add up but in those that are listed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.everest import FORMAT
from ledger.hand.ending import HandCompleted
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

FOLDERS = ("Everest",)
DOES_NOT_ADD_UP: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 2)


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
    assert wrong == DOES_NOT_ADD_UP


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*")):
        if path.suffix in (".txt", ".xml", ".json") and path.is_file():
            data = path.read_bytes()
            head = as_utf8(data[: 64 * 1024], encoding_of(data))
            if not head:
                continue  # one file is empty
            mine = any(part in FOLDERS for part in path.relative_to(data_dir).parts)
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT


def test_fpdb_has_the_same_players_stacks_and_winnings(data_dir: Path, files: list[Read], who: People) -> None:
    """Of the one file with stored results; it counts chairs from 0, and its stacks are a hundredfold."""
    stored = data_dir / "expected-by-fpdb/other-rooms/fpdb/cash/Everest/Flop"
    (path,) = stored.glob("*.hp")
    theirs = ast.literal_eval(path.read_text(encoding="utf-8"))
    (read,) = [file for file in files if file.path.name == path.stem]
    state = fold(read.accounts[0].events)
    assert {
        who.name(player): (seat - 1, 100 * (state.start[seat] or 0), state.awarded.get(seat, 0))
        for seat, player in state.players.items()
    } == {name: (int(one["seatNo"]), one["startCash"], one["winnings"]) for name, one in theirs.items()}
