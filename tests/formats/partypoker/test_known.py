"""Real hands of partypoker beside the checkout: all are read, and chips add up as declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.partypoker import FORMAT
from ledger.intake.encoding import as_utf8
from tests.formats.support import encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

REJECTS = {
    # Three hole cards, of which one is made the point card: no variant here plays so.
    "NLDHE-USD-0.01-0.02-201205.double.holdem.txt": "unknown-game"
}

UNBALANCED = {
    # The file breaks off before the line that says who won.
    "13551039167": ["140 more went in than came out"],
    "11994428655": ["34 more went in than came out"],
    # The writer rounds to whole chips what it holds in parts of chips: the file's sums are off.
    "16194828757579au6ou93d1": [
        "-2 more went in than came out",
        "seat 4 declared end 17104640, has 17104641",
        "seat 6 declared end 5458067, has 5458068",
    ],
    "161938625156465v9fyd47bg": [
        "-1 more went in than came out",
        "seat 4 declared end 38736040, has 38736036",
        "seat 5 declared end 0, has 1",
    ],
    "1618961225358jrdwo4ad458": [
        "-20 more went in than came out",
        "seat 2 declared end 10449321, has 10449322",
        "seat 8 declared end 332194176, has 332194186",
    ],
}


def test_every_intact_hand_is_read_and_every_reject_has_its_reason(data_dir: Path) -> None:
    found: dict[str, str] = {}
    hands = 0
    for read in folder(FORMAT, data_dir / "partypoker"):
        assert read.bytes.not_read == 0
        hands += len(read.accounts)
        found.update((read.path.name, item.code) for item in read.rejects)
    assert found == REJECTS
    assert hands == 104


def test_every_line_is_known(data_dir: Path) -> None:
    who = people()
    for read in folder(FORMAT, data_dir / "partypoker", who=who):
        for account in read.accounts:
            assert unread(account, who) == []


def test_chips_in_come_out_again(data_dir: Path) -> None:
    found = {
        account.opened.number: wrong
        for read in folder(FORMAT, data_dir / "partypoker")
        for account in read.accounts
        if (wrong := unbalanced(account))
    }
    assert found == UNBALANCED


def test_every_file_of_the_room_and_no_other_is_claimed(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        if path.is_relative_to(data_dir / "partypoker"):
            if head.strip("\ufeff \r\n".encode()):  # two files are empty
                assert formats.recognise(head) is FORMAT, path
        elif formats.recognise(head) is FORMAT:
            pytest.fail(f"{path} is no hand of partypoker")
