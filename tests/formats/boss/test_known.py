"""Real hands beside the checkout: all are read, and their chips add up but in those that are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.boss import FORMAT
from ledger.hand.ending import HandCompleted
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

FOLDERS = ("Boss", "BossMedia")
DOES_NOT_ADD_UP = {
    # The file was made anonymous by hand: stacks, the pot and what was won are invented.
    "2306000000": ["1922 more went in than came out", "declared pot 14316, chips in 14600"]
}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 15)


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
            mine = any(part in FOLDERS for part in path.relative_to(data_dir).parts)
            assert bool(FORMAT.sniff(head)) == mine, path
            if mine:
                assert formats.recognise(head) is FORMAT
