"""Real hands of Full Tilt beside the checkout: all are read, and chips add up as declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.fulltilt import FORMAT
from ledger.intake.encoding import as_utf8
from tests.formats.fpdb import against_fpdb
from tests.formats.support import encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

REJECTS = {
    "3-Draw-Limit-USD-20-40-201101.Partial.txt": "cut-off",  # a partial hand: no seats, no acts
    "InValidHand_1.txt": "cut-off",
    "NLHE-9max-STT-USD-8.30-201211.step.txt": "not-a-hand",  # the summary of a tournament
}

FRAGMENTS = {"Ante.txt", "ChatNumber.txt", "Ignore.txt"}
"""A few lines out of the middle of a hand: nothing says whose they are."""

DIFFERENT = {
    # They count three players whom no line deals in and of whom the summary says that they sit out.
    "3-Draw-Limit-USD-0.10-0.20-201011.txt": [
        "2 Player2: we None, they (400, 0)",
        "4 Player4: we None, they (200, 0)",
        "5 Player5: we None, they (200, 0)",
    ]
}


def test_every_intact_hand_is_read_and_every_reject_has_its_reason(data_dir: Path) -> None:
    found: dict[str, str] = {}
    hands = 0
    for read in folder(FORMAT, data_dir / "fulltilt"):
        assert read.bytes.not_read == 0
        hands += len(read.accounts)
        found.update((read.path.name, item.code) for item in read.rejects)
    assert found == REJECTS
    assert hands == 99


def test_every_line_is_known_and_chips_add_up(data_dir: Path) -> None:
    who = people()
    for read in folder(FORMAT, data_dir / "fulltilt", who=who):
        for account in read.accounts:
            assert unread(account, who) == [], account.opened.number
            assert unbalanced(account) == [], account.opened.number


def test_another_program_s_results_are_the_same(data_dir: Path) -> None:
    assert against_fpdb(FORMAT, data_dir, "fulltilt") == (12, DIFFERENT)


def test_every_file_of_the_room_and_no_other_is_claimed(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        if path.is_relative_to(data_dir / "fulltilt"):
            if head.strip("\ufeff \r\n".encode()) and path.name not in FRAGMENTS:
                assert formats.recognise(head) is FORMAT, path
        elif formats.recognise(head) is FORMAT and "FTP" not in str(path):  # damaged ones, summaries
            pytest.fail(f"{path} is no hand of Full Tilt")
