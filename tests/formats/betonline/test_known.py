"""Real hands beside the checkout: all but one are read, and their chips add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.betonline import FORMAT
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

REJECTED = {
    # Two players sit in seat 5, and both act: who of them has which chips the record does not say.
    "NLHE-10max-USD-MTT-201603.two.players.one.seat.txt": ["seat"]
}


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_but_those_listed_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 21
    assert {f.path.name: [r.code for r in f.rejects] for f in files if f.rejects} == REJECTED
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_awards_and_rake_are_what_was_put_in(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if unbalanced(a)] == []


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    checks.claims_its_own_files_alone(FORMAT, data_dir, ("BetOnline",))
