"""Real hands beside the checkout: all are read, and chips add up as declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.bovada import FORMAT
from ledger.hand.ending import DropTaken
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

WRONG = {  # by the file and the place among its hands
    # the file has the summary of another hand under this one
    ("LHE-USD-8-16-201204.old.format.txt", 192),
    # cut off: another hand's first line begins in the middle of an act
    ("NLHE-HU-USD-STT - $20-$1 - 201509.partial.hand.txt", 0),
}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "bovada", who=who))


def test_every_file_is_claimed_by_this_reader_and_by_no_other(data_dir: Path) -> None:
    for path in sorted((data_dir / "bovada").rglob("*.txt")):
        data = path.read_bytes()
        found = formats.recognise(as_utf8(data[: 64 * 1024], encoding_of(data)))
        assert found is FORMAT, path.name


def test_no_file_of_another_room_is_claimed(data_dir: Path) -> None:
    claimed = {read.path.relative_to(data_dir).parts[0] for read in folder(FORMAT, data_dir)}
    assert claimed == {"bovada"}


def test_every_hand_is_read_and_the_one_reject_has_its_reason(files: list[Read], who: People) -> None:
    assert sum(len(read.accounts) for read in files) == 1536
    assert [(read.path.name, one.code) for read in files for one in read.rejects] == [
        ("NLHE-USD-5-10-201511.concatenated.partial.txt", "no-header")
    ]
    assert [words for read in files for one in read.accounts for words in unread(one, who)] == [
        "Dealer : Rais"  # where a hand is cut off
    ]
    assert [read.bytes.not_read for read in files] == [0] * len(files)


def test_every_hand_balances_but_two_that_the_files_hold_wrong(files: list[Read]) -> None:
    wrong = {
        (read.path.name, place)
        for read in files
        for place, account in enumerate(read.accounts)
        if unbalanced(account) or fold(account.events).oddities
    }
    assert wrong == WRONG


def test_nobody_ever_puts_in_more_than_the_stack_and_a_rake_is_never_above_a_twentieth(files: list[Read]) -> None:
    for read in files:
        for account in read.accounts:
            state = fold(account.events)
            assert all((state.stack(seat) or 0) >= 0 for seat in state.seats), account.opened.number
            for event in account.events:
                if isinstance(event, DropTaken):
                    assert 20 * event.amount <= state.total_put() + 20, account.opened.number
