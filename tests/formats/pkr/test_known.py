"""Real hands beside the checkout: all are read, and every end stack is the one that is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.pkr import FORMAT
from ledger.people import People
from tests.formats import checks
from tests.formats.fpdb import against_fpdb
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_every_intact_hand_is_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 73
    rejects = [(file.path.name, reject.code) for file in files for reject in file.rejects]
    assert rejects == [  # the file begins in the middle of a hand
        ("NLHE-10max-USD-0.02-0.04-201206.txt", "not-a-hand")
    ]
    assert {file.bytes.not_read for file in files} == {0}


def test_there_is_no_line_that_nobody_knows(files: list[Read], who: People) -> None:
    assert [line for f in files for account in f.accounts for line in unread(account, who)] == []


def test_chips_and_end_stacks_are_the_declared_ones(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if unbalanced(a)] == []


def test_fpdb_differs_where_the_file_and_its_end_stack_contradict_fpdb(data_dir: Path) -> None:
    # FPDB has no winner; the award line and the end stack both say $3.66
    count, differ = against_fpdb(FORMAT, data_dir, "other-rooms")
    assert count == 1
    assert set(differ) == {"NLHE-2max-USD-0.02-0.04-200903.All-in.on.turn.txt"}


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    checks.claims_its_own_files_alone(FORMAT, data_dir, ("PKR",))
