"""Real hands beside the checkout: both generations are read, chips add up, profits are the declared ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.formats.wpn import FORMAT
from ledger.hand.fold import fold
from ledger.intake.encoding import as_utf8
from ledger.people import People
from tests.formats.support import Read, encoding_of, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

STRANGER_WON = {
    # the room left out the line of the winner, who is not in its list of seats
    ("NLHE-NA-0-0 HH00000000 T1-G0-201601.unknown.player.acts.txt", 0)
}
"""Files and the places in them of hands that do not add up."""


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "wpn", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert len(files) == 58
    assert sum(len(file.accounts) for file in files) == 99
    assert [reject for file in files for reject in file.rejects] == []
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_chips_in_are_the_declared_pot_and_all_come_out(files: list[Read]) -> None:
    wrong = {
        (file.path.name, place) for file in files for place, account in enumerate(file.accounts) if unbalanced(account)
    }
    assert wrong == STRANGER_WON


def test_each_profit_is_the_one_that_the_room_declares(files: list[Read]) -> None:
    other, compared = set(), 0
    for file in files:
        for place, account in enumerate(file.accounts):
            state = fold(account.events)
            for result in state.declared:
                start = state.start.get(result.seat or 0)
                if result.what == "net" and result.seat is not None and start is not None:
                    compared += 1
                    if (state.stack(result.seat) or 0) - start != result.amount:
                        other.add((file.path.name, place))
    assert other <= STRANGER_WON
    assert compared > 250


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    for path in sorted(data_dir.rglob("*.txt")):
        data = path.read_bytes()
        head = as_utf8(data[: 64 * 1024], encoding_of(data))
        own = path.relative_to(data_dir).parts[0] == "wpn"
        assert bool(FORMAT.sniff(head)) == own, path
        if own:
            assert formats.recognise(head) is FORMAT
