"""Real hands beside the checkout: both are read, and their chips add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.enet import FORMAT
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    checks.all_read(files, 2)


def test_there_is_no_line_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_awards_and_rake_are_what_was_put_in(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if unbalanced(a)] == []


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    checks.claims_its_own_files_alone(FORMAT, data_dir, ("Enet",))
