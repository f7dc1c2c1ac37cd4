"""Real hands beside the checkout: those of known games are read, every end stack is the declared one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.formats.kingsclub import FORMAT
from ledger.people import People
from tests.formats import checks
from tests.formats.support import Read, folder, people, unbalanced, unread

pytestmark = pytest.mark.data

NO_SUCH_GAME = {
    # No rulebook and no replay knows these games: half a hand would be worse than none.
    "2-7 Drawmaha-FL-USD-60-120-202108.showdown.txt",
    "2-7 Razz-USD-22-44-202101.txt",
    "2-7 Razz-USD-500-1000-202102.multi.pot.failure.txt",
    "A5-1-Draw-Limit-USD-50-100-202102.txt",
}
SECOND_RUN = ["draws [8c] [Qs]", "Run 2: Hero shows [5d 7h Qs Td 2h]"]
"""A draw that is run twice: no event holds what a second run draws."""


@pytest.fixture(scope="module")
def who() -> People:
    return people()


@pytest.fixture(scope="module")
def files(data_dir: Path, who: People) -> list[Read]:
    return list(folder(FORMAT, data_dir / "other-rooms", who=who))


def test_hands_of_known_games_are_read_and_every_byte_accounted_for(files: list[Read]) -> None:
    assert sum(len(file.accounts) for file in files) == 12
    assert {f.path.name for f in files for r in f.rejects if r.code == "unknown-game"} == NO_SUCH_GAME
    assert sum(len(file.rejects) for file in files) == len(NO_SUCH_GAME)
    assert {file.bytes.not_read for file in files} == {0}


def test_lines_that_nobody_knows_are_those_of_a_second_run(files: list[Read], who: People) -> None:
    found = [line for f in files for account in f.accounts for line in unread(account, who)]
    assert found == SECOND_RUN


def test_pots_and_end_stacks_are_the_declared_ones(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if unbalanced(a)] == []


def test_files_are_claimed_by_their_own_reader_alone(data_dir: Path) -> None:
    checks.claims_its_own_files_alone(FORMAT, data_dir, ("KingsClub",))
