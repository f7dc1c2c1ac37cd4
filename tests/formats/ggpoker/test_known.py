"""Real hands beside the checkout: GGPoker's are read, chips add up as declared, others' are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.ggpoker import FORMAT
from ledger.intake.encoding import as_utf8
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

WRONG = {
    "HD11358"  # edited by hand: its acts put $14.30 in, the pot that it declares holds $13.30
}


@pytest.fixture(scope="module")
def files(data_dir: Path) -> list[Read]:
    return list(folder(FORMAT, data_dir / "ggpoker"))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 122
    assert [reject for file in files for reject in file.rejects] == []
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows(files: list[Read]) -> None:
    who = people()
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_chips_in_are_the_declared_pot_and_all_come_out(files: list[Read]) -> None:
    wrong = {a.opened.number for file in files for a in file.accounts if unbalanced(a)}
    assert wrong == WRONG


def test_no_bet_is_returned_that_the_room_did_not_print(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if a.derived] == []


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        own = path.relative_to(data_dir).parts[0] == "ggpoker" and bool(data)
        assert bool(FORMAT.sniff(head)) == own, path
        if own:
            assert formats.recognise(head) is FORMAT
